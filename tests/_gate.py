"""Results for rules, with any numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from fairsum_utils.results import Comparison, ScoreResults

SETTINGS = {"matcher": "ngram", "k": 1, "confidence_level": 0.95, "n_resamples": 1000, "seed": 0, "version": "0.1.0"}
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
    settings: Mapping[str, Any] = SETTINGS,
    **more: Any,
) -> dict[str, Any]:
    """The result of a measure."""
    return {
        measure: score,
        **({} if ends is None else {f"{measure}_ci": list(ends), f"{measure}_ci_lost": 0.0}),
        "n_samples": n,
        "n_skipped": 0,
        "skipped": {},
        "settings": dict(settings),
        "signature": "matcher:ngram|k:1|v:0.1.0",
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
    """Two systems by one measure."""
    return _comparison({"old": 0.5, "new": 0.5 + difference}, [_pair("new", "old", difference, ends)], **more)


def of_systems(*, pairs: bool = False, **more: Any) -> Comparison:
    """Three systems by one measure: lead 0.5, gpt-4 0.3, and alpha 0.1, which is called as a key of the result."""
    listed = [_pair("gpt-4", "lead", -0.2, [-0.25, -0.15]), _pair("alpha", "lead", -0.4, [-0.5, -0.3])]
    if pairs:
        listed.append(_pair("gpt-4", "alpha", 0.2, [0.1, 0.35]))
    return _comparison({"lead": 0.5, "gpt-4": 0.3, "alpha": 0.1}, listed, "" if pairs else "lead", **more)


def _pair(system: str, baseline: str, difference: float, ends: Sequence[float]) -> dict[str, Any]:
    figures = {"difference": difference, "difference_ci": list(ends), "p_value": 0.01, "lost": 0.0}
    return {"system": system, "baseline": baseline, **figures, "p_value_corrected": 0.02}


def _comparison(
    scores: Mapping[str, float], listed: Sequence[Mapping[str, Any]], baseline: str = "old", **more: Any
) -> Comparison:
    result = {
        "systems": {
            name: {"score": score, "ci": [score - 0.1, score + 0.1], "ci_lost": 0.0, "rank": 1, "n_skipped": 0}
            for name, score in scores.items()
        },
        "differences": list(listed),
        "n_tests": len(listed),
        "alpha": 0.05,
        "n_samples": 100,
        "n_skipped": 0,
        "settings": dict(SETTINGS),
        "warnings": [],
        **more,
    }
    systems = {name: {"n_samples": 100, "mean_words": 9.0, "columns": {}} for name in scores}
    return Comparison({"bur": result}, baseline=baseline or None, systems=systems)
