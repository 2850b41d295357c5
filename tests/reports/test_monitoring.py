"""The drawing of a monitored stream: a line of scores, one of evidence, and what they are compared with."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

from fairsum_utils.reports.figures import draw_monitored
from fairsum_utils.reports.panels import Curves
from tests.reports._forms import check, texts


def result(*windows: tuple[str, float | None, float]) -> dict[str, object]:
    told = [
        {"name": name, "score": score, "ci": None, "n_samples": 50, "evidence": evidence, "alarm": evidence >= 20}
        for name, score, evidence in windows
    ]
    first = next((window["name"] for window in told if window["alarm"]), None)
    return {
        "measure": "bur", "status": "alarm" if first else "quiet", "alarm": first, "since": first, "bar": 20.0,
        "baseline": {"score": 0.1, "ci": [0.08, 0.12], "n_samples": 500}, "visible": 0.1, "windows": told,
    }  # fmt: skip


def test_scores_and_evidence_over_windows() -> None:
    drawing = draw_monitored("april", {"bur": result(("May", 0.1, 1.0), ("June", None, 1.0), ("July", 0.4, 1000.0))})
    check(ET.fromstring(drawing.svg))
    scores, evidence = drawing.panels
    assert isinstance(scores, Curves)
    assert isinstance(evidence, Curves)
    stream, level = scores.curves
    assert [(point.x, point.y) for point in stream.points if not math.isnan(point.y)] == [(1, 0.1), (3, 0.4)]
    assert {point.ends == [0.08, 0.12] for point in level.points} == {True}
    assert [point.y for point in evidence.curves[0].points] == [0, 0, 3]
    assert {point.y for point in evidence.curves[1].points} == {math.log10(20)}
    assert {"alarm at July", "since July"} <= set(texts(ET.fromstring(drawing.svg)))


def test_no_window_and_one() -> None:
    for windows in ((), (("May", 0.1, 0.98),)):
        drawing = draw_monitored("april", {"mild": result(*windows)})
        check(ET.fromstring(drawing.svg))
        assert "mild: evidence of a change" in drawing.svg
