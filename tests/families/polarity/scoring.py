"""Scorers that keep evidence, and the rows of texts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fairsum_utils.families.polarity import FAMILY
from fairsum_utils.families.polarity.scorer import PolarityScorer
from fairsum_utils.measures import get_measure


def make_scorer(measure: str, **settings: Any) -> PolarityScorer:
    """The scorer of a measure, which keeps evidence."""
    scorer = FAMILY.scorer((measure,), get_measure(measure)(**settings))
    scorer.evidence = True
    return scorer


def labelled(scorer: PolarityScorer | str, texts: Iterable[str], groups: Any = None, **settings: Any) -> Any:
    """The rows of texts as they come, by a scorer or by that of a measure."""
    if isinstance(scorer, str):
        scorer = make_scorer(scorer, **settings)
    columns: dict[str, Any] = {"predictions": texts} if groups is None else {"predictions": texts, "groups": groups}
    return scorer.rows(scorer.read(columns))
