"""A data set small enough to score on paper, and random ones."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import strategies as st

from fairsum_utils.families.representation.rows import DistributionRow
from fairsum_utils.families.representation.scorer import DistributionScorer
from fairsum_utils.measures._representation import RepresentationMeasure
from tests.conftest import Columns

# Words that the normalizer keeps, each with a stem of its own.
VOCABULARY = ("soup", "bread", "lemon", "cake", "basket", "waiter", "table", "chair", "window", "garden")


@st.composite
def corpora(draw: st.DrawFn) -> Columns:
    def text(least: int, most: int) -> str:
        return " ".join(
            draw(st.lists(st.sampled_from(VOCABULARY[: draw(st.integers(3, 10))]), min_size=least, max_size=most))
        )

    columns = Columns([], [], [])
    for _ in range(draw(st.integers(1, 5))):
        n_sources = draw(st.integers(1, 5))
        # Some texts are empty, so that a value or a whole sample can vanish; so are some summaries.
        columns.sources.append([text(0, 6) for _ in range(n_sources)])
        columns.values.append(draw(st.lists(st.sampled_from("abc"), min_size=n_sources, max_size=n_sources)))
        columns.predictions.append(text(0, 8))
    return columns


@pytest.fixture(scope="session")
def yelp(shared_data: Any) -> Columns:
    """The published Yelp sets with GPT-4's summaries."""
    import gzip
    import json

    with gzip.open(shared_data / "perspectivesumm" / "yelp_gpt4.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return Columns([r["prediction"] for r in rows], [r["sources"] for r in rows], [r["values"] for r in rows])


NAMES = ("predictions", "sources", "values", "target_distributions")


def make_scorer(*, evidence: bool = False, **settings: Any) -> DistributionScorer:
    scorer = DistributionScorer(("bur",), RepresentationMeasure(**settings))
    scorer.evidence = evidence
    return scorer


def rows_of(scorer: DistributionScorer, *columns: Any, start: int = 0) -> list[DistributionRow]:
    return list(scorer.rows(scorer.read(dict(zip(NAMES, columns, strict=False)), start=start)))


def score_sample(scorer: DistributionScorer, index: int, *entries: Any) -> DistributionRow:
    [row] = rows_of(scorer, *([entry] for entry in entries), start=index)
    return row
