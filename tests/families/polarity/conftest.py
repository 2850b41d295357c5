"""A table of norms, and what every number of a comparison of groups should be: plain Python in exact arithmetic."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations
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


def _exact(labels: Sequence[Sequence[str]], groups: Sequence[str], all_labels: Sequence[str]) -> dict[str, Any]:
    """Counts, shares and differences of labelled texts."""
    names = sorted(set(groups))
    by_group = {name: [own for own, group in zip(labels, groups, strict=True) if group == name] for name in names}
    counts = {
        name: {label: sum(label in own for own in texts) for label in all_labels} for name, texts in by_group.items()
    }
    shares = {
        name: {label: Fraction(counts[name][label], len(texts)) for label in all_labels}
        for name, texts in by_group.items()
    }
    pairs = [(label, a, b) for label in all_labels for a, b in combinations(names, 2)]
    return {
        "counts_by_group": counts,
        "proportions_by_group": shares,
        "n_by_group": {name: len(texts) for name, texts in by_group.items()},
        "differences": {(label, a, b): shares[a][label] - shares[b][label] for label, a, b in pairs},
        "score": max((abs(shares[a][label] - shares[b][label]) for label, a, b in pairs), default=None),
    }


@pytest.fixture(scope="session")
def exact() -> Any:
    return _exact
