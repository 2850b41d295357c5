"""Tokenization, and batches of similar lengths within a token budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeVar

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.stats.arrays import Integers

Batch = Integers
"""Positions of the inputs of a batch, longest first."""

Outputs = TypeVar("Outputs")


def plan_batches(lengths: Sequence[int], budget: int) -> list[Batch]:
    """Sort inputs by length; cut batches of at most `budget` padded tokens.

    The longest come first, so that a lack of device memory shows at once. An input longer than the budget has its own
    batch. Time grows as n log n.

    Example:
        >>> [batch.tolist() for batch in plan_batches([3, 9, 4, 3], budget=12)]
        [[1], [2, 0, 3]]
    """
    sizes = np.asarray(lengths, dtype=np.int64)
    order = np.argsort(-sizes, kind="stable")
    batches, start = [], 0
    while start < len(order):
        stop = start + max(1, int(budget // max(1, sizes[order[start]])))
        batches.append(order[start:stop])
        start = stop
    return batches


def run_batches(
    lengths: Sequence[int],
    budget: int,
    forward: Callable[[Batch], Outputs],
    *,
    is_out_of_memory: Callable[[Exception], bool],
    release: Callable[[], None],
) -> Iterator[tuple[Batch, Outputs]]:
    """Run inputs in batches; halve the batch size when memory runs out.

    Example:
        >>> def forward(batch):
        ...     if len(batch) > 2:
        ...         raise MemoryError
        ...     return batch * 10
        >>> done = run_batches([5] * 5, 25, forward, is_out_of_memory=lambda e: True, release=lambda: None)
        >>> [outputs.tolist() for _, outputs in done]
        [[0, 10], [20, 30], [40]]
    """
    sizes = np.asarray(lengths, dtype=np.int64)
    waiting = [*reversed(plan_batches(lengths, budget))]
    while waiting:
        batch = waiting.pop()
        try:
            outputs = forward(batch)
        except Exception as error:
            if len(batch) == 1 or not is_out_of_memory(error):
                raise
        else:
            yield batch, outputs
            continue
        # Outside the handler, whose traceback would keep the tensors of the batch alive.
        release()
        rest = np.concatenate([batch, *reversed(waiting)])
        budget = int(sizes[batch[0]]) * len(batch) // 2
        waiting = [rest[again] for again in reversed(plan_batches(sizes[rest], budget))]


Key = tuple[str, ...]
"""Texts of an input: one, or two for a pair."""


class Encodings(NamedTuple):
    """Tokenized inputs without padding, their lengths, and numbers of cut tokens."""

    inputs: list[dict[str, list[int]]]
    lengths: list[int]
    cut: list[int]


def check_texts(module: str, keys: Iterable[Key]) -> None:
    """Check texts for half surrogate pairs, which tokenizers cannot read.

    Example:
        >>> check_texts("equal_coverage", [("Great soup!", "\\ud83d")])
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: equal_coverage: a text contains half a character, '\\ud83d' at position 0:
        '\\ud83d'; repair it, for example with text.encode("utf-8", "replace").decode()
    """
    for text in chain.from_iterable(keys):
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise InputError(
                f"{module}: a text contains half a character, {text[error.start]!r} at position {error.start}: "
                f'{text[:60]!r}; repair it, for example with text.encode("utf-8", "replace").decode()'
            ) from None


def encode(tokenizer: Any, keys: Sequence[Key], max_tokens: int | None) -> Encodings:
    """Tokenize texts or pairs, truncated to the model's limit; count truncations.

    If a pair is too long, the longer text loses its end, then both in turn.
    """
    encoded = tokenizer(*map(list, zip(*keys, strict=True)), verbose=False)
    columns = {name: list(column) for name, column in encoded.items()}
    whole = [len(ids) for ids in columns["input_ids"]]
    long = [place for place, length in enumerate(whole) if max_tokens is not None and length > max_tokens]
    if long:
        texts = map(list, zip(*(keys[place] for place in long), strict=True))
        again = tokenizer(*texts, truncation=True, max_length=max_tokens, verbose=False)
        for name, column in columns.items():
            for place, cut in zip(long, again[name], strict=True):
                column[place] = cut
    lengths = [len(ids) for ids in columns["input_ids"]]
    inputs = [dict(zip(columns, entries, strict=True)) for entries in zip(*columns.values(), strict=True)]
    return Encodings(inputs, lengths, [before - after for before, after in zip(whole, lengths, strict=True)])


FIRST, SECOND = "first", "second"
"""Names of the token ids of the two texts in an encoded pair."""


def encode_sides(tokenizer: Any, keys: Sequence[Key], max_tokens: int | None) -> Encodings:
    """Tokenize both texts of pairs separately, each distinct text once."""
    places: dict[str, int] = {}
    sides = [tuple(places.setdefault(text, len(places)) for text in key) for key in keys]
    encoded = encode(tokenizer, [(text,) for text in places], max_tokens)
    ids = [entries["input_ids"] for entries in encoded.inputs]
    return Encodings(
        inputs=[{FIRST: ids[first], SECOND: ids[second]} for first, second in sides],
        lengths=[encoded.lengths[first] + encoded.lengths[second] for first, second in sides],
        cut=[encoded.cut[first] + encoded.cut[second] for first, second in sides],
    )


def as_inputs(ids: Iterable[list[int]]) -> list[dict[str, list[int]]]:
    """Token ids of texts as a model takes them, not padded.

    Example:
        >>> as_inputs([[0, 7, 2]])
        [{'input_ids': [0, 7, 2], 'attention_mask': [1, 1, 1]}]
    """
    return [{"input_ids": tokens, "attention_mask": [1] * len(tokens)} for tokens in ids]
