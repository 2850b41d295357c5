"""Rows in columns: what is counted, and the way to Arrow and back."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.families.polarity.rows import PolarityRow, PolarityTable, Word

ROWS = st.builds(
    PolarityRow,
    st.integers(0, 9),
    st.sampled_from([None, "a", "b"]),
    st.lists(st.sampled_from("xyz"), unique=True).map(tuple),
    st.dictionaries(st.sampled_from("uv"), st.floats(0, 1)),
    st.dictionaries(st.sampled_from(["ties", "words"]), st.integers(0, 2**40)),
    st.none() | st.lists(st.builds(Word, st.none() | st.just("joy"), st.text(), st.floats(-1, 1))).map(tuple),
) | st.builds(
    PolarityRow,
    st.integers(0, 9),
    st.sampled_from([None, "a", "c"]),
    skipped=st.sampled_from(["empty_prediction", "foreign_language"]),
)
NAMES = {None: "texts", "empty_prediction": "empty", "foreign_language": "foreign"}


@given(rows=st.lists(ROWS, max_size=12), cut=st.integers(0, 12))
def test_counts_are_those_of_the_rows(rows: list[PolarityRow], cut: int) -> None:
    table = PolarityTable(rows[:cut])
    table.merge(PolarityTable(rows[cut:]))
    scored, skipped = ([row for row in rows if (row.skipped is None) == is_scored] for is_scored in (True, False))
    expected: Counter[tuple[str, ...]] = Counter()
    for row in rows:
        group = () if row.group is None else (row.group,)
        expected[NAMES[row.skipped], *group] += 1
        expected.update(("labelled", label, *group) for label in row.labels)
        expected.update({("counted", name): n for name, n in row.counts.items()})
    assert table.counts() == expected
    assert (len(table), table.skipped.total()) == (len(scored), len(skipped))
