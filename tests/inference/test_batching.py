"""Batches hold every input once, keep to their budget, and shrink when they do not fit the memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.inference.batching import (
    FIRST,
    SECOND,
    Batch,
    check_texts,
    encode,
    encode_sides,
    plan_batches,
    run_batches,
)

from ..conftest import load_script

LENGTHS = st.lists(st.integers(0, 40), max_size=30)
BUDGETS = st.integers(1, 200)


class OutOfMemoryError(Exception):
    """Stands for a device's."""


class Device:
    """Doubles positions; holds at most `capacity` tokens at a time."""

    def __init__(self, lengths: list[int], capacity: int) -> None:
        self.lengths, self.capacity = lengths, capacity
        self.tried: list[int] = []
        self.n_released = 0

    def forward(self, batch: Batch) -> Batch:
        tokens = max(self.lengths[place] for place in batch) * len(batch)
        self.tried.append(tokens)
        if tokens > self.capacity:
            raise OutOfMemoryError
        return batch * 2

    def release(self) -> None:
        self.n_released += 1

    def run(self, budget: int) -> list[tuple[Batch, Batch]]:
        return list(
            run_batches(
                self.lengths,
                budget,
                self.forward,
                is_out_of_memory=lambda error: isinstance(error, OutOfMemoryError),
                release=self.release,
            )
        )


@given(lengths=LENGTHS, budget=BUDGETS)
def test_every_position_once_and_longest_first(lengths: list[int], budget: int) -> None:
    planned = [place for batch in plan_batches(lengths, budget) for place in batch.tolist()]
    assert planned == sorted(range(len(lengths)), key=lambda place: -lengths[place])  # sorted() is stable as well


@given(lengths=LENGTHS, budget=BUDGETS)
def test_the_budget_is_kept_and_used(lengths: list[int], budget: int) -> None:
    batches = plan_batches(lengths, budget)
    for number, batch in enumerate(batches, 1):
        longest = max(1, lengths[batch[0]])
        assert longest * len(batch) <= budget or len(batch) == 1
        assert longest * (len(batch) + 1) > budget or number == len(batches)  # one more would not have fitted


@given(lengths=LENGTHS, budget=BUDGETS, capacity=st.integers(40, 200))
def test_what_does_not_fit_is_run_in_smaller_batches(lengths: list[int], budget: int, capacity: int) -> None:
    device = Device(lengths, capacity)  # every single input fits
    done = device.run(budget)
    assert sorted(place for batch, _ in done for place in batch) == list(range(len(lengths)))
    assert all(outputs.tolist() == [2 * place for place in batch] for batch, outputs in done)
    failures = [number for number, tokens in enumerate(device.tried) if tokens > capacity]
    assert device.n_released == len(failures)
    for number in failures:  # halved for good, not only once
        rest = device.tried[number + 1 :]
        assert all(tokens <= max(device.tried[number] // 2, max(lengths)) for tokens in rest)


def test_other_errors_are_not_tried_again() -> None:
    tried = []

    def forward(batch: Batch) -> None:
        tried.append(len(batch))
        raise RuntimeError("a bug")

    def release() -> None:
        pytest.fail("released")

    with pytest.raises(RuntimeError, match="a bug"):
        list(run_batches([5] * 4, 20, forward, is_out_of_memory=lambda error: False, release=release))
    assert tried == [4]


TEXTS = st.text(st.characters(codec="utf-8"), max_size=60)


@pytest.fixture(scope="session")
def tokenizer(repository: Path) -> Any:
    pytest.importorskip("transformers")
    return load_script(repository / "tests" / "_tiny_models.py").make_tokenizer()


@given(pairs=st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4), max_tokens=st.integers(6, 40))
def test_tokens_are_those_of_a_plain_call(tokenizer: Any, pairs: list[tuple[str, str]], max_tokens: int) -> None:
    encodings = encode(tokenizer, pairs, max_tokens)
    for number, (premise, hypothesis) in enumerate(pairs):
        # In lists: given a lone pair, transformers takes an empty second text for none.
        (whole,) = tokenizer([premise], [hypothesis], verbose=False)["input_ids"]
        plain = tokenizer([premise], [hypothesis], truncation=True, max_length=max_tokens)
        assert encodings.inputs[number] == {name: column[0] for name, column in plain.items()}
        assert encodings.lengths[number] == len(plain["input_ids"][0]) == min(len(whole), max_tokens)
        assert encodings.cut[number] == max(0, len(whole) - max_tokens)


def test_cut_by_hand(tokenizer: Any) -> None:
    # Every z is a token: <s> zzz </s> </s> zz </s> has 9, of which 8 may stay; the longer text gives one.
    (entries,), (length,), (cut,) = encode(tokenizer, [("zzz", "zz")], 8)
    assert (length, cut) == (8, 1)
    z = tokenizer("z")["input_ids"][1]
    assert entries["input_ids"] == [0, z, z, 2, 2, z, z, 2]


def test_a_premise_that_is_too_long_by_itself_leaves_the_hypothesis_whole(tokenizer: Any) -> None:
    (entries,), (length,), (cut,) = encode(tokenizer, [("z" * 3000, "zzzzz")], 64)
    # <s> </s> </s> </s> and 3000 + 5 tokens; 64 are read, so 2945 are cut, all of the premise.
    assert (length, cut) == (64, 2945)
    z = tokenizer("z")["input_ids"][1]
    assert entries["input_ids"][-8:] == [2, 2, z, z, z, z, z, 2]


@pytest.mark.parametrize(
    ("text", "shown"),
    [("Good \ud83d", r"'\ud83d' at position 5: 'Good \ud83d'"), ("\udc80", r"'\udc80' at position 0")],
)
def test_half_a_character_is_refused(text: str, shown: str) -> None:
    with pytest.raises(InputError) as caught:
        check_texts("equal_coverage", [("fine 👍", text)])
    assert str(caught.value).startswith(f"equal_coverage: a text contains half a character, {shown}")
    remedy = str(caught.value).rpartition("for example with ")[2]
    mended = eval(remedy, {"text": text})
    check_texts("equal_coverage", [(mended,)])


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
