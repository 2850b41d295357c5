"""Vectors of texts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.families.entities.rows import count_vector, stack_counts

COUNTED = [
    *("FIRST_NAME", "LAST_NAME", "TITLE", "They", "the", "The", "it's", "U.N.", "first-aid", "co", "said", "Mrs."),
    *("a", "x", "42", "4.5", "e_g", "_", "don't", "Straße", "İzmir", "nai\u0308ve", "naïve", "٣٤", "中文"),
]
TEXTS = st.lists(st.sampled_from(COUNTED)).map(" ".join) | st.text(max_size=40)


@pytest.fixture(scope="module")
def vectorizer() -> Any:
    text = pytest.importorskip("sklearn.feature_extraction.text")
    return text.CountVectorizer(stop_words="english")


@given(texts=st.lists(TEXTS, max_size=5))
def test_the_matrix_equals_scikit_learns(vectorizer: Any, texts: list[str]) -> None:
    texts = [*texts, "soup"]  # scikit-learn refuses texts without any word
    expected = vectorizer.fit_transform(texts)
    found = stack_counts([count_vector(text) for text in texts])
    assert found.dtype == np.float64
    assert found.has_sorted_indices
    assert found.shape == expected.shape
    assert (found != expected).nnz == 0
