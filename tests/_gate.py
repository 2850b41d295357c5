"""Results for rules, with any numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from fairsum_utils.results import Comparison, ScoreResults, SystemComparison

SIGNATURE = "matcher:ngram|k:1|ci:0.95|resamples:1000|seed:0|v:0.1.0"
FEW = {
    "code": "few_samples",
    "count": 4,
    "share": 1.0,
    "message": "only 4 samples were scored; treat the scores as unreliable",
}
TRUNCATED = {"code": "truncated", "count": 1, "share": 0.1, "message": "1 of 10 (10%) samples have long texts"}

# Labels that nobody should have.
HOSTILE = [
    *("a|b", "\\|", "\\\\|", "<img src=x onerror=y>", "]]>", "a\nb\n## c", "::error::x", "`a`", "&amp;", "a" * 5000),
    *("\x1b[31mred\x1b[0m", "\u202eabc", "\ud800", "\ufffe", "\x00"),
]


def entries(
    measure: str,
    score: float,
    ends: Sequence[float] | None = None,
    *,
    n: int = 100,
    warnings: Sequence[Mapping[str, Any]] = (),
    signature: str = SIGNATURE,
    **more: Any,
) -> dict[str, Any]:
    """The result of a measure."""
    return {
        measure: score,
        **({} if ends is None else {f"{measure}_ci": list(ends), f"{measure}_ci_lost": 0.0}),
        "n_samples": n,
        "n_skipped": 0,
        "skipped": {},
        "signature": signature,
        **({"undefined": "no sample has a score"} if math.isnan(score) else {}),
        "warnings": list(warnings),
        **more,
    }


def scored(**results: Mapping[str, Any]) -> ScoreResults:
    """Label -> result."""
    return ScoreResults(results)


def uer(score: float, ends: Sequence[float] | None = None, **more: Any) -> ScoreResults:
    """The result of one measure."""
    return scored(uer=entries("uer", score, ends, **more))


def compared(difference: float, ends: Sequence[float], **more: Any) -> Comparison:
    """Of two systems by one measure."""
    result = {
        "system": "B",
        "baseline": "A",
        "a": 0.5,
        "b": 0.5 + difference,
        "difference": difference,
        "difference_ci": list(ends),
        "p_value": 0.5,
        "lost": 0.0,
        "n_samples": 100,
        "n_skipped": 0,
        "signature": SIGNATURE,
        "warnings": [],
        **more,
    }
    return Comparison({"bur": result}, systems=["old.jsonl", "new.jsonl"])


def of_systems(*, pairs: bool = False, **more: Any) -> SystemComparison:
    """Three systems by one measure: lead 0.5, gpt-4 0.3, and alpha 0.1, which is called as a key of the result."""
    scores = {"lead": 0.5, "gpt-4": 0.3, "alpha": 0.1}
    ends = {"difference_ci": [-0.25, -0.15], "p_value": 0.01, "p_value_corrected": 0.02, "lost": 0.0}
    listed = [
        {"a": "lead", "b": "gpt-4", "difference": -0.2, **ends},
        {"a": "lead", "b": "alpha", "difference": -0.4, **ends, "difference_ci": [-0.5, -0.3]},
    ]
    if pairs:
        listed.append({"a": "alpha", "b": "gpt-4", "difference": 0.2, **ends, "difference_ci": [0.1, 0.35]})
    result = {
        "systems": {
            name: {"score": score, "ci": [score - 0.1, score + 0.1], "ci_lost": 0.0, "rank": 1, "n_skipped": 0}
            for name, score in scores.items()
        },
        "differences": listed,
        "n_tests": len(listed),
        "alpha": 0.05,
        "n_samples": 100,
        "n_skipped": 0,
        "signature": SIGNATURE,
        "warnings": [],
        **more,
    }
    systems = {name: {"n_samples": 100, "mean_words": 9.0, "columns": {}} for name in scores}
    document = {"baseline": None if pairs else "lead", "systems": systems, "metrics": {"bur": result}, "warnings": []}
    return SystemComparison(document)
