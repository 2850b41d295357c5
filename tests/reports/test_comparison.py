"""The comparison of two systems as text."""

from __future__ import annotations

from typing import Any

from fairsum_utils.reports.comparison import report

RESULT = {"a": 0.5, "b": 0.25, "difference": 0.25, "difference_ci": [0.0, 0.5], "p_value": 0.0625}


def shown(*counts: tuple[int, int]) -> list[str]:
    metrics: dict[str, Any] = {
        name: RESULT | {"n_samples": n, "n_skipped": skipped}
        for name, (n, skipped) in zip(("bur", "equal_coverage"), counts, strict=True)
    }
    return report({"a": "old", "b": "new", "metrics": metrics}).splitlines()


def test_table_and_counts() -> None:
    assert shown((8, 0), (8, 0)) == [
        "A: old",
        "B: new",
        "8 samples compared, 0 skipped",
        "",
        "measure              A       B   A - B          interval       p",
        "BUR             0.5000  0.2500  0.2500  [0.0000, 0.5000]  0.0625",
        "Equal Coverage  0.5000  0.2500  0.2500  [0.0000, 0.5000]  0.0625",
        "",
        "Lower is fairer: a difference below 0 speaks for A.",
    ]
    assert shown((8, 0), (7, 1))[2:4] == [
        "8 samples compared, 0 skipped (bur)",
        "7 samples compared, 1 skipped (equal_coverage)",
    ]
