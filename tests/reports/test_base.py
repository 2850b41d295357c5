"""What there is to see of measures of a family that says nothing of its own."""

from __future__ import annotations

import math

from fairsum_utils.reports.base import Page, Report
from fairsum_utils.reports.tables import as_text


def test_report_of_any_family() -> None:
    counted = {"n_samples": 2, "n_skipped": 1, "skipped": {"empty_prediction": 1}, "signature": "v:1"}
    results = {
        "uer": {"uer": 0.25, "uer_ci": [0.0, 0.5], "uer_by_value": {"neg": 0.5, "pos": 0.0}, **counted},
        "sentiment": {"sentiment": math.nan, "undefined": "no groups given", **counted},
    }
    assert as_text(Report().parts("a.jsonl", results)).splitlines() == [
        "a.jsonl: 2 samples scored, 1 skipped (1 empty_prediction)",
        "",
        "measure                      score          interval",
        "UER (Unfair Error Rate)     0.2500  [0.0000, 0.5000]",
        "Sentiment                undefined",
        "undefined: no groups given",
        "",
        "        neg     pos",
        "uer  0.5000  0.0000",
        "",
        "uer: v:1",
        "sentiment: v:1",
    ]
    assert Report().sample_tables("uer", results["uer"], {}, {}) == Report().details("uer", results["uer"]) == []
    assert Report().page("uer") == Page()
