"""Pairs whose texts are read apart."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.inference.pairs import FIRST, SECOND, as_inputs, encode_sides


class Letters:
    """A tokenizer: a token a letter."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def __call__(self, texts: list[str], *, max_length: int | None = None, **_: Any) -> dict[str, list[list[int]]]:
        if max_length is None:
            self.texts += texts
        return {"input_ids": [list(map(ord, text[:max_length])) for text in texts]}


def test_each_text_is_tokenized_once_and_cut_by_itself() -> None:
    tokenizer = Letters()
    encoded = encode_sides(tokenizer, [("ab", "c"), ("ab", "abcde")], max_tokens=3)
    assert sorted(tokenizer.texts) == ["ab", "abcde", "c"]
    a, b, c = map(ord, "abc")
    assert encoded.inputs == [{FIRST: [a, b], SECOND: [c]}, {FIRST: [a, b], SECOND: [a, b, c]}]
    # 2 + 1 and 2 + 3 tokens; of the second pair 2 of its second text are cut.
    assert (encoded.lengths, encoded.cut) == ([3, 5], [0, 2])


@given(
    keys=st.lists(st.tuples(st.text(max_size=6), st.text(max_size=6)), min_size=1, max_size=6),
    limit=st.none() | st.integers(1, 6),
)
def test_lengths_and_cuts_add_up(keys: list[tuple[str, str]], limit: int | None) -> None:
    encoded = encode_sides(Letters(), keys, limit)
    for key, entries, length, cut in zip(keys, *encoded, strict=True):
        assert length == len(entries[FIRST]) + len(entries[SECOND])
        assert length + cut == len(key[0]) + len(key[1])


def test_nothing_is_masked() -> None:
    assert as_inputs([[5], [5, 6]]) == [
        {"input_ids": [5], "attention_mask": [1]},
        {"input_ids": [5, 6], "attention_mask": [1, 1]},
    ]
