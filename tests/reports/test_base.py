"""What there is to see of measures of a family that says nothing of its own."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from fairsum_utils.reports.base import Page, Report
from fairsum_utils.reports.formats import as_text


def test_report_of_any_family() -> None:
    counted = {"n_samples": 2, "n_skipped": 1, "skipped": {"empty_prediction": 1}, "signature": "v:1"}
    results = {
        "uer": {"uer": 0.25, "uer_ci": [0.0, 0.5], "uer_by_value": {"neg": 0.5, "pos": 0.0}, **counted},
        "sentiment": {"sentiment": math.nan, "undefined": "no groups were given", **counted},
    }
    assert as_text(Report().parts("a.jsonl", results)).splitlines() == [
        "a.jsonl: 2 samples scored, 1 skipped (1 empty_prediction)",
        "",
        "measure                      score        95% CI",
        "UER (Unfair Error Rate)       0.25  [0.00, 0.50]",
        "Sentiment                undefined",
        "",
        "group  mean shortfall",
        "neg            0.5000",
        "pos            0.0000",
        "",
        "Notes:",
        "- Sentiment, undefined: no groups were given.",
    ]
    assert as_text(Report().parts("a.jsonl", results), signatures=True).endswith("\n\nuer: v:1\nsentiment: v:1")
    assert Report().evidence("uer", results["uer"], {}, {}) == Report().details("uer", results["uer"]) == []
    assert Report().page("uer") == Page()


@pytest.mark.parametrize(
    ("name", "score", "skipped", "expected"),
    [
        ("coverage_parity", 0.5, [None], "Coverage Parity = 0.5000 (lower is fairer; 0 at best)"),
        ("distinguishability", -0.25, [None], "Distinguishability = -0.2500 (closer to 0 is fairer)"),
        ("sof", math.nan, [None, "no_units"], "SOF is undefined: why."),
        ("sof", math.nan, ["empty_prediction"] * 2, "No score: the summary is empty."),
        ("sof", math.nan, ["unheard of"], "No score: unheard of."),
    ],
)
def test_score_in_a_line(name: str, score: float, skipped: list[str | None], expected: str) -> None:
    result = {name: score, "undefined": "why", "samples": [{"skipped": reason} for reason in skipped]}
    assert Report().headline(name, result) == expected


def test_what_else_is_undefined_is_said(explained: Callable[..., Any], reviews: Callable[..., Any]) -> None:
    message = explained("coverage_parity", reviews("Great soup."), entailer="lexical").said
    # pos 1 and 1/2, neg 1/2, so 2/3 of all: 1/12 above and 1/6 below.
    assert message == [
        "Coverage Parity = 0.1250 (lower is fairer; 0 at best)",
        "Coverage Parity, undefined: p_value_by_value: the bootstrap needs at least two samples.",
    ]
