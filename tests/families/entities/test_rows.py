"""Rows in columns, and vectors of texts."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.families.arrow import from_arrow, to_arrow
from fairsum_utils.families.entities.rows import (
    EntityRow,
    EntityTable,
    Mention,
    SourcePerson,
    Stranger,
    count_vector,
    stack_counts,
)

WORDS = st.text("abé ", max_size=3)
COUNTS = st.dictionaries(WORDS, st.integers(0, 9), max_size=3)


def some(entries):
    return st.none() | st.lists(entries, max_size=3).map(tuple)


ROWS = st.lists(
    st.builds(
        EntityRow,
        index=st.just(0),
        article=WORDS,
        skipped=st.none() | st.just("empty_prediction"),
        group=st.none() | WORDS,
        n_tokens=st.integers(0, 99),
        n_mentions=st.none() | st.integers(0, 9),
        summary_words=st.none() | COUNTS,
        source_words=st.none() | COUNTS,
        entities=some(st.builds(SourcePerson, WORDS, st.booleans())),
        n_ambiguous=st.integers(0, 9),
        hallucinated=some(st.builds(Stranger, WORDS, st.none() | WORDS)),
        word_counts=st.none() | COUNTS,
        embedding=some(st.floats(allow_nan=False)),
        persons=some(st.builds(Mention, WORDS, st.none() | st.integers(0, 9), st.booleans())),
        anonymized=st.none() | WORDS,
    ),
    max_size=5,
).map(lambda rows: [replace(row, index=index) for index, row in enumerate(rows)])


@given(ROWS)
def test_rows_come_back_from_arrow(rows):
    pytest.importorskip("pyarrow")
    assert from_arrow(to_arrow(rows, EntityRow), EntityRow) == rows


@given(ROWS, st.integers(0, 5))
def test_merged_parts_equal_the_whole(rows, place):
    merged = EntityTable(rows[place:])
    merged.merge(EntityTable(rows[:place]))
    whole = EntityTable(rows)
    assert merged.skipped == whole.skipped
    assert sorted(zip(merged.items("index"), merged.items("article"), strict=True)) == [
        (row.index, row.article) for row in rows
    ]


COUNTED = [
    *(
        "FIRST_NAME",
        "LAST_NAME",
        "TITLE",
        "They",
        "the",
        "The",
        "it's",
        "U.N.",
        "first-aid",
        "co",
        "said",
        "SAID",
        "Mrs.",
    ),
    *("a", "x", "42", "4.5", "e_g", "_", "don't", "Straße", "İzmir", "nai\u0308ve", "naïve", "٣٤", "中文"),
]
TEXTS = st.lists(st.sampled_from(COUNTED)).map(" ".join) | st.text(max_size=40)


@pytest.fixture(scope="module")
def vectorizer() -> Any:
    text = pytest.importorskip("sklearn.feature_extraction.text")
    return text.CountVectorizer(stop_words="english")


@given(text=TEXTS)
def test_equal_to_scikit_learn(vectorizer: Any, text: str) -> None:
    assert count_vector(text) == Counter(vectorizer.build_analyzer()(text))


@given(texts=st.lists(TEXTS, max_size=5))
def test_the_matrix_equals_scikit_learns(vectorizer: Any, texts: list[str]) -> None:
    texts = [*texts, "soup"]  # scikit-learn refuses texts without any word
    expected = vectorizer.fit_transform(texts)
    found = stack_counts([count_vector(text) for text in texts])
    assert found.dtype == np.float64
    assert found.has_sorted_indices
    assert found.shape == expected.shape
    assert (found != expected).nnz == 0
