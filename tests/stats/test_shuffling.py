"""Random order by `random()` alone."""

import random

from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.stats.shuffling import shuffled


def test_by_hand() -> None:
    class Given(random.Random):
        numbers = iter([0.5, 0.1, 0.9, 0.1])

        def random(self) -> float:
            return next(self.numbers)

    assert shuffled("abcd", Given()) == ["b", "d", "a", "c"]  # equal numbers leave the order


@given(st.lists(st.integers()), st.integers(min_value=0))
def test_the_same_items_and_the_same_order_by_seed(items: list[int], seed: int) -> None:
    found = shuffled(items, random.Random(seed))
    assert sorted(found) == sorted(items)
    assert found == shuffled(items, random.Random(seed))
