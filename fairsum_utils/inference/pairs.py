"""Pairs of texts that a model reads apart, not as one input."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from fairsum_utils.inference.encoding import Encodings, Key, encode

FIRST, SECOND = "first", "second"
"""Names of the token ids of the two texts in an encoded pair."""


def encode_sides(tokenizer: Any, keys: Sequence[Key], max_tokens: int | None) -> Encodings:
    """Tokenize both texts of pairs, each distinct text once; each is cut by itself to what the model reads.

    Args:
        tokenizer: tokenizer of transformers.
        keys: two texts each.
        max_tokens: None for no limit.

    Returns:
        Inputs of token ids under `FIRST` and `SECOND`; lengths and cut tokens are sums over both texts.
    """
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
