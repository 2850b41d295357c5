"""Samples of two systems, matched by ids."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.inputs.pairs import match_ids


@given(st.permutations(list("abcde")), st.permutations(list("abcde")))
def test_places(a, b):
    assert [b[place] for place in match_ids("compare", a, b)] == a


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ("aa", "a", "compare: id 'a' occurs twice in A; give every sample an id of its own"),
        ("a", "bab", "compare: id 'b' occurs twice in B; give every sample an id of its own"),
        ("abc", "a", "compare: 2 samples of A are not in B, such as id 'b'; compare systems on the same samples"),
        ("a", "ab", "compare: 1 sample of B is not in A, such as id 'b'; compare systems on the same samples"),
    ],
)
def test_other_samples(a, b, message):
    with pytest.raises(InputError) as error:
        match_ids("compare", list(a), list(b))
    assert str(error.value) == message
