"""Unique ids, and samples of two systems matched by them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.io.pairs import check_unique, match_ids


@given(st.permutations(list("abcde")), st.permutations(list("abcde")))
def test_places(a, b):
    assert [b[place] for place in match_ids("compare", a, b)] == a


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ("abc", "a", "compare: 2 samples of A are not in B, such as id 'b'; compare systems on the same samples"),
        ("a", "ab", "compare: 1 sample of B is not in A, such as id 'b'; compare systems on the same samples"),
    ],
)
def test_other_samples(a, b, message):
    with pytest.raises(InputError) as error:
        match_ids("compare", list(a), list(b))
    assert str(error.value) == message


def test_repeated_ids_are_counted():
    seen = {"x"}
    check_unique("ab", str, seen=seen)
    with pytest.raises(InputError, match=r"^row 1: id 'x' has been used before; 3 samples repeat an id"):
        check_unique("cxxa", "row {}".format, seen=seen)
