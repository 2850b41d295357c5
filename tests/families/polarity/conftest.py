"""A table of norms, and scorers that keep evidence."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.families.polarity import FAMILY
from fairsum_utils.families.polarity.scorer import PolarityScorer
from fairsum_utils.measures import get_measure

# The norms of "with" would show if function words were not left out.
LEXICON = """\
word\tvalence\tarousal\tdominance\tjoy\tanger\tsadness\tfear\tdisgust
joyful\t8\t6\t7\t4\t1\t1\t1\t1
war\t2\t7\t4\t1\t4\t3\t4\t2
table\t5\t5\t5\t1\t1\t1\t1\t1
with\t9\t9\t9\t5\t5\t5\t5\t5
"""


@pytest.fixture
def lexicon(tmp_path: Path) -> Path:
    path = tmp_path / "norms.tsv"
    path.write_text(LEXICON, encoding="utf-8")
    return path


def _make_scorer(measure: str, **settings: Any) -> PolarityScorer:
    """The scorer of a measure, which keeps evidence."""
    scorer = FAMILY.scorer((measure,), get_measure(measure)(**settings))
    scorer.evidence = True
    return scorer


def _label(scorer: PolarityScorer | str, texts: Iterable[str], groups: Any = None, **settings: Any) -> Any:
    """The rows of texts as they come, by a scorer or by that of a measure."""
    if isinstance(scorer, str):
        scorer = _make_scorer(scorer, **settings)
    columns: dict[str, Any] = {"predictions": texts} if groups is None else {"predictions": texts, "groups": groups}
    return scorer.rows(scorer.read(columns))


@pytest.fixture(scope="session")
def make_scorer() -> Any:
    return _make_scorer


@pytest.fixture(scope="session")
def label() -> Any:
    return _label
