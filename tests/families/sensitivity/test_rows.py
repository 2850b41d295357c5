"""Rows in columns: nothing is lost in files, and their order does not matter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.families.sensitivity.rows import SensitivityRow, SensitivityTable
from fairsum_utils.families.table import from_arrow, to_arrow

TEXTS = st.text("abé ", max_size=3)
ROWS = st.lists(
    st.builds(
        SensitivityRow,
        index=st.integers(0, 99),
        article=TEXTS,
        variant=TEXTS,
        skipped=st.none() | st.just("empty_prediction"),
        control=TEXTS,
        replicate=st.none() | TEXTS,
        n_tokens=st.integers(0, 99),
        text=st.none() | TEXTS,
        changed=st.none() | st.lists(TEXTS, max_size=2).map(tuple),
    ),
    max_size=6,
    unique_by=lambda row: row.index,
)


@given(ROWS, st.integers(0, 6))
def test_to_arrow_and_back_and_in_parts(rows: list[SensitivityRow], cut: int) -> None:
    pytest.importorskip("pyarrow")
    assert from_arrow(to_arrow(SensitivityTable(rows).rows(), SensitivityRow), SensitivityRow) == rows
    whole = SensitivityTable(rows[cut:])
    whole.merge(SensitivityTable(rows[:cut]))
    scored = sorted((row for row in rows if row.skipped is None), key=lambda row: row.index)
    assert whole.column("article", "m") == [row.article for row in scored]
    assert len(whole) == len(scored)


def test_two_rows_of_a_sample_and_a_row_without_what_is_needed() -> None:
    with pytest.raises(InputError, match="m: two rows are of sample 3; give every sample"):
        SensitivityTable([SensitivityRow(3, "a", "f"), SensitivityRow(3, "b", "f")]).order("m")
    with pytest.raises(InputError, match="m: sample 3: x needs text, and the sample's row has none; score the samples"):
        SensitivityTable([SensitivityRow(3, "a", "f")]).entries("text", "x", "m")
