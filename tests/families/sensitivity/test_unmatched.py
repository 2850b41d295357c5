"""Statements of a summary without a counterpart in another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.families.sensitivity.texts import statements_of, unmatched, without_counterpart

TEXTS = st.lists(st.lists(st.text("abcdef", min_size=1, max_size=6).map(" ".join), max_size=4), min_size=1, max_size=5)


def alone(first: str, second: str) -> list[bool]:
    return without_counterpart(statements_of(first), statements_of(second))


def test_half_of_the_words_are_enough() -> None:
    """Of four words each two are shared: 2 * 2 / 8; one is not: 2 / 8."""
    assert alone("a b c d.", "a b e f.") == [False]
    assert alone("a b c d.", "a e f g.") == [True]


def test_which_ones() -> None:
    assert alone("X won. It rained. Nobody came.", "Nobody came. X won again.") == [False, True, False]
    assert alone("Nobody came. X won again.", "X won. It rained. Nobody came.") == [False, False]


def test_nothing_to_match() -> None:
    assert alone("", "X won.") == []
    assert alone("X won.", "...") == [True]


@pytest.mark.parametrize("together", [1, 1 << 22])
@given(drawn=TEXTS)
def test_all_pairs_are_those_of_each_pair(drawn: list[list[str]], together: int) -> None:
    texts = [" ".join(f"{statement.capitalize()}." for statement in statements) for statements in drawn]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fairsum_utils.families.sensitivity.texts._TOGETHER", together)
        found = unmatched(texts)
    assert found.tolist() == [[float(sum(alone(one, other))) for other in texts] for one in texts]


def test_long_summaries_are_compared_with_few_statements_first() -> None:
    first = " ".join(f"The q{k} is good." for k in range(40))
    second = " ".join(f"The r{k} is good." for k in range(40)) + " Nobody came at all."
    last = " ".join(f"P{k} won." for k in range(40)) + " Nobody came at once. Never a r3."
    # "Never a r3." shares one of 3 and 4 words with "The r3 is good.": 2 < 3.5; "Nobody came at" three of four.
    assert unmatched([first, second, last]).tolist() == [[0.0, 1 - 1, 40.0], [1.0, 0.0, 40.0], [42.0, 41.0, 0.0]]


def test_a_statement_that_is_made_twice_counts_twice() -> None:
    assert unmatched(["It rained. It rained. Nobody came.", "It rained.", ""]).tolist() == [
        [0.0, 1.0, 3.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, 0.0],
    ]
