"""The drawing of a monitored stream: scores over windows beside those of the baseline, and the evidence."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from fairsum_utils.reports.drawings.axis import Line
from fairsum_utils.reports.drawings.curves import Curve, Curves, Point
from fairsum_utils.reports.drawings.drawing import Drawing
from fairsum_utils.reports.drawings.parts import best
from fairsum_utils.reports.drawings.sheet import Form
from fairsum_utils.reports.monitoring import said_of
from fairsum_utils.reports.tables import short_name


def draw_monitored(title: str, results: Mapping[str, Any]) -> Drawing:
    """For each measure its scores with intervals over the windows, and the evidence that they have changed."""
    panels: list[Form] = []
    for label, result in results.items():
        measure, windows, base = result["measure"], result["windows"], result["baseline"]
        name = short_name(measure) if label == measure else label
        places = {window["name"]: place for place, window in enumerate(windows, start=1)}
        marks = [
            Line(float(places[result[key]]), f"{words} {result[key]}")
            for key, words in (("since", "since"), ("alarm", "alarm at"))
            if result[key] is not None
        ]
        last = max(len(windows), 1)
        level = [Point(x, base["score"], base["ci"]) for x in (1.0, float(last))]
        scores = [Point(float(x), _or_nan(windows[x - 1]["score"]), windows[x - 1]["ci"]) for x in places.values()]
        panels.append(
            Curves(
                f"{name}: score of each window",
                [Curve("stream", scores), Curve("baseline", level, "muted")],
                f"Windows, from {windows[0]['name']} to {windows[-1]['name']}" if windows else "Windows",
                f"Score; {best([measure])}",
                lines=marks,
            )
        )
        evidence = [Point(float(x), math.log10(windows[x - 1]["evidence"])) for x in places.values()]
        bar = math.log10(result["bar"])
        panels.append(
            Curves(
                f"{name}: evidence of a change",
                [Curve("evidence", evidence), Curve("alarm", [Point(x, bar) for x in (1.0, float(last))], "muted")],
                "Windows, as above",
                "Evidence, as a power of ten; 0 where it begins",
                lines=marks,
            )
        )
    return Drawing(f"{title}: a stream against it", panels, [said_of(label, each) for label, each in results.items()])


def _or_nan(score: float | None) -> float:
    return math.nan if score is None else score
