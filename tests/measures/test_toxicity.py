"""Toxic if any label is likely."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures.toxicity import KINDS, has_kind, is_toxic

EXPLAINED = 0.2 - 0.1

ROWS = st.lists(st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=6, max_size=6), min_size=1, max_size=4)


def test_worked_example() -> None:
    probabilities = np.array([[0.75, 0.0, 0.5, 0.25, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.5, 0.0], [0.4375] * 6])
    # At 0.5, which counts: toxic and obscene; insult alone, which makes a text toxic, too; nothing.
    has = has_kind(probabilities)
    assert [[KINDS[k] for k in np.flatnonzero(row)] for row in has] == [["toxic", "obscene"], ["insult"], []]
    assert is_toxic(probabilities).tolist() == [True, True, False]
    assert is_toxic(probabilities, threshold=0.75).tolist() == [True, False, False]


@given(rows=ROWS, threshold=st.sampled_from([0.25, 0.5, 0.6, 1.0]))
def test_any_label_of_each_text(rows: list[list[float]], threshold: float) -> None:
    table = np.array(rows)
    assert is_toxic(table, threshold).tolist() == [max(row) >= threshold for row in rows]
    assert has_kind(table, threshold).tolist() == [[p >= threshold for p in row] for row in rows]
    assert table.tolist() == rows
