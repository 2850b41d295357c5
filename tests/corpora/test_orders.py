"""The same sets in several orders."""

from __future__ import annotations

from collections import Counter
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.corpora.orders import MODES, Orders, reordered_prompt
from fairsum_utils.errors import InputError

SET = {"id": "s", "sources": ["a b", "c", "d", "e"], "values": ["pro", "con", "pro", "con"], "attribute": "stance"}


def rows(sets=(SET,), **more):
    orders = Orders(sets, **more)
    return list(orders.rows()), orders


@given(
    st.lists(st.sampled_from("xyz"), min_size=1, max_size=6),
    st.integers(2, 9),
    st.sampled_from(list(MODES)),
    st.integers(0, 2**63 - 1),
)
def test_each_row_is_the_set_in_another_order(values, n, mode, seed) -> None:
    given_set = {"id": "s", "sources": [f"text {place}" for place in range(len(values))], "values": values}
    made, orders = rows([given_set], n_orders=n, mode=mode, seed=seed)
    for row in made:
        places = list(map(int, row["order"]))
        assert sorted(places) == list(range(len(values)))
        assert row["sources"] == [given_set["sources"][place] for place in places]
        assert row["values"] == [values[place] for place in places]
    assert len({tuple(row["order"]) for row in made}) == len(made) == len({row["id"] for row in made})
    assert len(made) != 1
    if mode != "by_value":
        possible = factorial(len(values)) if mode == "random" else len(values)
        assert len(made) == (min(n, possible) if possible > 1 else 0)
    assert orders.n_fixed == (not made)


def test_rotations_put_every_source_everywhere() -> None:
    made, _ = rows(mode="rotate", n_orders=4)
    for place in range(4):
        assert sorted(row["order"][place] for row in made) == ["0", "1", "2", "3"]
    made, orders = rows(mode="rotate", n_orders=2)
    assert [row["order"][0] for row in made] == ["0", "2"]  # half way round
    assert orders.n_fewer == 0
    assert rows(mode="rotate", n_orders=5)[1].n_fewer == 1


def test_each_value_comes_first_equally_often() -> None:
    made, _ = rows(mode="by_value", n_orders=6)
    assert Counter(row["variant"] for row in made) == {"con": 3, "pro": 3}
    for row in made:
        assert row["values"] == [row["variant"]] * 2 + [{"con": "pro", "pro": "con"}[row["variant"]]] * 2
        assert row["attribute"] == "stance"
    assert [row["control"] for row in made] == ["1", "2", "3"] * 2


def test_random_orders_are_uniform() -> None:
    sets = [{"id": str(number), "sources": ["a", "b", "c"]} for number in range(1200)]
    made, _ = rows(sets, n_orders=2)
    counts = Counter(tuple(row["order"]) for row in made)
    # 2,400 rows over 6 orders: 400 each, with a standard deviation of at most 18.3
    assert len(counts) == 6
    assert all(abs(count - 400) < 5 * 18.3 for count in counts.values())


def test_sets_draw_by_themselves() -> None:
    other = {**SET, "id": "t"}
    assert rows([other, SET])[0][-6:] == rows([SET])[0]
    assert rows([SET], seed=1)[0] != rows([SET], seed=2)[0]


def test_sets_of_one_order() -> None:
    made, orders = rows([{"sources": ["a"]}, {"sources": ["a", "b"]}])
    assert [row["article_id"] for row in made] == ["1", "1"]
    assert (orders.n_sets, orders.n_fixed, orders.n_fewer) == (2, 1, 1)
    made, orders = rows([{"sources": ["a", "b"], "values": ["x", "x"]}], mode="by_value")
    assert (made, orders.n_fixed) == ([], 1)


def test_prompts_follow() -> None:
    prompt = "Reviews (a, b):\n1. a b\n2. c\n3. d\n4. e\nSum up the 4 reviews."
    made, _ = rows([{**SET, "prompt": prompt}], mode="rotate", n_orders=2)
    assert made[1]["prompt"] == "Reviews (a, b):\n1. d\n2. e\n3. a b\n4. c\nSum up the 4 reviews."
    assert reordered_prompt("x", "a b || c", ["a\n b", "c"], [1, 0]) == "c || a b"  # white space as single blanks
    assert reordered_prompt("x", "Is a in: a || b?", ["a", "b"], [1, 0]) == "Is a in: b || a?"


@pytest.mark.parametrize(
    ("row", "mode", "message"),
    [
        ({"sources": "ab"}, "random", "sets, row 1: sources must be a list of texts"),
        ({"sources": []}, "random", "sets, row 1: sources must be a list of texts"),
        ({"sources": ["a", 1]}, "random", "sets, row 1: sources must be a list of texts"),
        ({"sources": ["a", "b"]}, "by_value", "needs the sources' groups"),
        ({"sources": ["a", "b"], "values": ["x"]}, "random", "values must be a list of 2 strings"),
        ({"sources": ["a", "b"], "variant": "x"}, "random", "the column 'variant' exists already"),
        ({"sources": ["a", "b"], "prompt": "b a"}, "random", "does not contain the sources in their order"),
        ({"sources": ["a", "b", "c"], "prompt": "(x) a (y) b (x) c"}, "random", r"differs \(' \(x\) ', ' \(y\) '\)"),
        ({"sources": ["a", "b"], "prompt": 3}, "random", "prompt must be a string, found int 3"),
    ],
)
def test_rows_that_are_none(row, mode, message) -> None:
    with pytest.raises(InputError, match=message):
        rows([row], mode=mode, where="sets")


def test_two_sets_of_one_id() -> None:
    with pytest.raises(InputError, match="orders, row 2: an earlier row has the id 's'"):
        rows([SET, SET])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_orders": 1}, "orders must be a whole number of at least 2, found int 1"),
        ({"mode": "sorted"}, "mode must be one of random, by_value, rotate, found str 'sorted'"),
        ({"seed": -1}, "seed must be a whole number of at least 0, found int -1"),
    ],
)
def test_options_that_cannot_be(options, message) -> None:
    with pytest.raises(InputError, match=message):
        rows(**options)
