"""Texts to tokens: cut to what a model reads, with a count of what was cut."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple

from fairsum_utils.errors import InputError

Key = tuple[str, ...]
"""The texts of an input: one, or two for a pair."""


class Encodings(NamedTuple):
    """Tokenized inputs: what the model takes, not padded, their lengths, and how many tokens were cut off each."""

    inputs: list[dict[str, list[int]]]
    lengths: list[int]
    cut: list[int]


def check_texts(module: str, keys: Iterable[Key]) -> None:
    """Refuse what no tokenizer reads: half of a surrogate pair, left where text was cut in the middle of a character.

    Args:
        module: name used in messages.
        keys: any texts.

    Raises:
        InputError: a text holds one.

    Example:
        >>> check_texts("equal_coverage", [("Great soup!", "\\ud83d")])
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: equal_coverage: a text holds half a character, '\\ud83d' at position 0:
        '\\ud83d'; mend it, for example with text.encode("utf-8", "replace").decode()
    """
    for text in chain.from_iterable(keys):
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise InputError(
                f"{module}: a text holds half a character, {text[error.start]!r} at position {error.start}: "
                f'{text[:60]!r}; mend it, for example with text.encode("utf-8", "replace").decode()'
            ) from None


def encode(tokenizer: Any, keys: Sequence[Key], max_tokens: int | None) -> Encodings:
    """Tokenize texts or pairs, cut to what the model reads, and count what was cut.

    Of a pair that is too long the longer text loses its end, then both in turn.

    Args:
        tokenizer: tokenizer of transformers.
        keys: one or two texts each, as many in all keys; see `check_texts`.
        max_tokens: None for no limit.
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
