"""Tables in lines: by hand, and whatever they hold, no wider than the terminal where words allow it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.reports.alignment import aligned_lines, width_of

TABLE = [["number", "of reviews", "of a very long debate"], ["source", "table 1", "table 2"], ["here", "12", "3"]]


def test_without_a_terminal_lines_are_as_long_as_their_cells() -> None:
    assert aligned_lines(TABLE, 2) == [
        "number                 source   here",
        "of reviews             table 1    12",
        "of a very long debate  table 2     3",
    ]
    # 21 + 7 + 4 columns and two gaps of 2 just fit.
    assert aligned_lines(TABLE, 2, width=36) == aligned_lines(TABLE, 2)


def test_the_widest_text_is_cut_between_words() -> None:
    # 35 - 7 - 4 - 4 = 20 columns are left for the first, of which its lines take 14.
    assert aligned_lines(TABLE, 2, width=35) == [
        "number          source   here",
        "",
        "of reviews      table 1    12",
        "",
        "of a very long  table 2     3",
        "debate",
    ]


def test_numbers_that_do_not_fit_follow_below() -> None:
    table = [["system", "gpt4"], ["a", "0.25"], ["b", "0.5"], ["c", "1"]]
    # "gpt4    0.25  0.5" is 17 columns wide.
    assert aligned_lines(table, 1, width=17) == [
        "system     a    b",
        "gpt4    0.25  0.5",
        "",
        "system  c",
        "gpt4    1",
    ]
    # Not even one column of numbers fits beside the names: each by itself all the same.
    assert aligned_lines(table, 1, width=3)[:3] == ["system     a", "gpt4    0.25", ""]


def test_a_wide_script_takes_two_columns_a_character() -> None:
    # Three characters of two columns, a blank and again three: 13 columns.
    assert aligned_lines([["スープ スープ"]], 1, width=13) == ["スープ スープ"]
    assert aligned_lines([["スープ スープ"]], 1, width=12) == ["スープ", "スープ"]


_WORDS = st.lists(st.sampled_from(["a", "soup", "reviews", "スープ"]), min_size=1, max_size=5).map(" ".join)


@given(
    st.lists(st.tuples(_WORDS, _WORDS, *[st.sampled_from(["1", "0.25", "[0.1, 0.2]"])] * 4), min_size=1, max_size=4),
    st.integers(1, 90),
)
def test_no_word_is_lost_and_no_line_too_long(rows: list[tuple[str, ...]], width: int) -> None:
    columns = list(zip(*rows, strict=True))
    lines = aligned_lines(columns, 2, width)
    # Two texts of the longest word (7) and one column of numbers (10) can always be had.
    assert max(map(width_of, lines)) <= max(width, 7 + 2 + 7 + 2 + 10)
    told = " ".join(lines).split()
    for column in columns[2:]:
        for word in " ".join(column).split():
            assert told.count(word) >= sum(cell.split().count(word) for cell in column)
    for word in " ".join(columns[0]).split():
        assert word in told
