"""Averages over the ways to match: the paper's tables, by hand, of files, and refusals."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import fairsum_reproductions


def result(measure: str, number: float, matcher: str = "ngram", tau: float = 0.8) -> dict[str, Any]:
    return {measure: number, "settings": {"matcher": matcher, "tau": tau}}


RESULTS = {
    "A/x": {"bur": result("bur", 0.25), "uer": result("uer", 0.0625)},
    "A/x/second": {"bur": result("bur", 0.75, "callable(f)")},
    "B/x": {"bur": result("bur", 0.5), "bur_bert": result("bur", 0.75, "bertscore")},
    "A/y": {"bur": result("bur", 0.125)},
    "B/y": {"bur": result("bur", 0.5, tau=0.9)},
}


def test_by_hand() -> None:
    found = fairsum_reproductions.averages(RESULTS)
    assert (found["systems"], found["domains"], found["measures"]) == (["A", "B"], ["x", "y"], ["bur", "uer"])
    assert found["scores"]["bur"]["A"]["x"] == {"N-gramScore": 0.25, "second": 0.75}
    assert found["scores"]["bur"]["B"]["x"] == {"N-gramScore": 0.5, "BERTScore": 0.75}
    assert math.isnan(found["average"]["bur"]["A"]["x"])
    assert found["average"]["bur"]["A"]["y"] == 0.125
    assert found["undefined"] == {
        "bur of A on x": "no score by BERTScore, unlike another system",
        "bur of B on x": "no score by second, unlike another system",
    }
    assert found["notes"] == ["bur by N-gramScore: A/y and B/y were scored with different tau"]
    panels = found._draw([]).panels
    assert [panel.title for panel in panels] == ["BUR", "UER"]
    assert panels[0].numbers[0][1] == 12.5


def test_what_is_refused(refusal: Callable[..., str]) -> None:
    study = fairsum_reproductions.averages
    twice = {"A/x": {"bur": result("bur", 0.5), "other": result("bur", 0.5)}}
    assert refusal(study, twice) == (
        "averages: A/x repeats bur by N-gramScore of A on x; name the scores, as in A/x/first=FILE"
    )
    assert "averages: no result contains sof" in refusal(study, RESULTS, metrics="sof")
    assert "averages: metrics must be" in refusal(study, RESULTS, metrics="bur,x")
