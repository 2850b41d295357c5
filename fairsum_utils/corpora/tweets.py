"""Tweets with an author attribute: raw files and samples of fixed size and ratio.

Source: the raw files are those of Dash et al. 2019 (github.com/ad93/FairSumm, MIT); sizes, ratios and the number of
samples a cell are those of Zhang et al. 2024, section 4 and table 1.
"""

from __future__ import annotations

import itertools
import logging
import math
import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Generic, TypeVar

from fairsum_utils.corpora.corpus import Sample, cut_short
from fairsum_utils.errors import DataSourceError, InputError
from fairsum_utils.io.objects import iter_lines
from fairsum_utils.stats.arrays import shuffled
from fairsum_utils.text.punkt import word_tokenize
from fairsum_utils.validation import check_count

logger = logging.getLogger(__name__)
T = TypeVar("T")

#: Label in the raw file -> value in the rows. The order is that of the ratios; the last value takes the rest.
CLARITIN_LABELS: Mapping[str, str] = {"male": "male", "female": "female"}
ELECTION_LABELS: Mapping[str, str] = {"Pro-Republican": "repu", "Pro-Democrat": "demo", "Neutral": "neutral"}

_SEPARATOR = b"<||>"


@dataclass(frozen=True)
class Tweet:
    """A tweet and the value of its author."""

    id: str
    value: str
    text: str


def parse_tweets(path: Path, labels: Mapping[str, str]) -> Iterator[Tweet]:
    r"""Read raw tweets, ``id<||>label<||>text`` a line.

    Every line is decoded by itself and a broken byte becomes U+FFFD, so that it changes no other row. A further
    ``<||>`` belongs to the text. The last line of a file may lack its line end: with all three fields it is kept and
    reported as a warning of the logger, since it may be cut short (the published Claritin file ends that way, and
    its authors' count of 4,037 tweets includes that line); with fewer it is an error like any other.
    """
    for number, line, ended in iter_lines(path):
        fields = line.split(_SEPARATOR, 2)
        if len(fields) < 3:
            raise DataSourceError(
                f"{path}, line {number}: expected id<||>label<||>text, but found {len(fields)} field(s) in "
                f"{line[:60].decode(errors='replace')!r}.{cut_short(ended)} Repair the line or fetch the file again."
            )
        tweet_id, label, text = (field.decode("utf-8", errors="replace").strip() for field in fields)
        if label not in labels:
            raise DataSourceError(
                f"{path}, line {number}: the label is {label!r}, but this configuration knows {', '.join(labels)}. "
                "Is this the raw file of another data set?"
            )
        if not ended:
            logger.warning(
                "%s, line %d: the last line lacks a line end, so its tweet may be cut short; it is kept.", path, number
            )
        yield Tweet(tweet_id, labels[label], text)


class ShuffledPasses(Generic[T]):
    """Draws without replacement within a draw, evenly spread over all draws.

    The items are dealt from a shuffled deck; a new deck is shuffled when one is used up. After any number of draws
    the most used item has been used at most once more often than the least used one. Different items with equal keys
    (retweets) are kept out of one draw as long as that evenness allows it.

    Example:
        >>> passes = ShuffledPasses("abc", random.Random(0), key=str)
        >>> sorted(passes.draw(3) + passes.draw(3))
        ['a', 'a', 'b', 'b', 'c', 'c']
    """

    def __init__(self, items: Sequence[T], generator: random.Random, *, key: Callable[[T], str]) -> None:
        self._items = items
        self._generator = generator
        self._key = key
        self._deck: list[int] = []

    def draw(self, count: int, avoid: Collection[str] = ()) -> list[T]:
        """Return ``count`` different items, avoiding keys in ``avoid`` if possible."""
        if count > len(self._items):
            raise InputError(f"cannot draw {count} different items from {len(self._items)}.")
        chosen: list[int] = []
        keys = set(avoid)
        waiting: list[int] = []
        while len(chosen) < count:
            if not self._deck:
                left = [index for index in waiting if index not in chosen]
                if left:  # last items of the pass: use them now to keep use even
                    waiting.remove(left[0])
                    chosen.append(left[0])
                    continue
                self._deck = shuffled(range(len(self._items)), self._generator)
            index = self._deck.pop()
            key = self._key(self._items[index])
            if key in keys:  # already drawn, or another item with its key
                waiting.append(index)
            else:
                chosen.append(index)
                keys.add(key)
        self._deck += waiting
        return [self._items[index] for index in chosen]


def tweet_samples(
    files: Sequence[Path],
    *,
    labels: Mapping[str, str],
    sizes: Sequence[int],
    ratios: Sequence[float | Sequence[float]],
    samples_per_cell: int,
    min_tokens: int,
    max_tokens: int | None,
    seed: int,
    tokenize: Callable[[str], list[str]] = word_tokenize,
) -> Iterator[Sample]:
    """Draw samples from raw tweets for every size and ratio.

    A cell holds ``round(size * ratio)`` tweets of each value but the last, counted exactly (0.29 * 100 is 29, which
    floats make 28.999...), and the last value takes the rest. The draws of a value go through all its tweets before
    any is used again (`ShuffledPasses`). Only ``random.Random.random`` is used, whose sequence Python promises to keep,
    so that a seed gives the same samples on every platform and version; sampling differs from that of the authors
    (which is not seeded per cell), so the samples have the shape of theirs and not their tweets.

    Source: Zhang et al. 2024, section 4 and table 1 (1,350 = 3 sizes x 3 ratios x 150).
    """
    if max_tokens is not None and max_tokens < min_tokens:
        raise InputError(f"max_tokens is {max_tokens} and min_tokens is {min_tokens}: no tweet can have both.")
    cells = _cells(sizes, ratios, list(labels.values()))
    pools = _pools(files[0], labels, cells, (min_tokens, max_tokens), tokenize)
    generator = random.Random(seed)
    decks = {value: ShuffledPasses(pool, generator, key=lambda tweet: tweet.text) for value, pool in pools.items()}
    limits = {"min_tokens": min_tokens, "max_tokens": max_tokens}
    for cell, index in itertools.product(cells, range(samples_per_cell)):
        drawn: list[Tweet] = []
        for value, count in cell.counts.items():
            drawn += decks[value].draw(count, avoid={tweet.text for tweet in drawn})
        tweets = shuffled(drawn, generator)
        yield Sample(
            f"{cell.name}-{index:04d}",
            [(tweet.text, tweet.value) for tweet in tweets],
            {
                "origin": "raw",
                "cell": cell.name,
                "size": cell.size,
                "ratios": cell.ratios,
                "counts": cell.counts,
                "source_ids": [tweet.id for tweet in tweets],
                "seed": seed,
                **limits,
            },
        )


@dataclass(frozen=True)
class _Cell:
    name: str
    size: int
    ratios: dict[str, float]
    counts: dict[str, int]


def _pools(
    path: Path,
    labels: Mapping[str, str],
    cells: Sequence[_Cell],
    limits: tuple[int, int | None],
    tokenize: Callable[[str], list[str]],
) -> dict[str, list[Tweet]]:
    """Map values to tweets of the right length, or refuse a cell without enough."""
    low, high = limits
    pools: dict[str, list[Tweet]] = {value: [] for value in labels.values()}
    read = dict.fromkeys(pools, 0)
    for tweet in parse_tweets(path, labels):
        read[tweet.value] += 1
        if low <= len(tokenize(tweet.text)) <= (math.inf if high is None else high):
            pools[tweet.value].append(tweet)
    for cell in cells:
        for value, count in cell.counts.items():
            if count > len(pools[value]):
                between = f"at least {low}" if high is None else f"{low} to {high}"
                raise DataSourceError(
                    f"{path}: a sample of cell {cell.name} needs {count} tweets of {value!r}, but only "
                    f"{len(pools[value])} of {read[value]} have {between} tokens. "
                    "Lower sizes, change ratios, or widen min_tokens and max_tokens."
                )
    return pools


def _cells(sizes: Sequence[int], ratios: Sequence[float | Sequence[float]], values: Sequence[str]) -> list[_Cell]:
    """Check sizes and ratios and return the cells in order, sizes outermost."""
    for name, value, example in (("sizes", sizes, "[10, 30, 50]"), ("ratios", ratios, "[0.2, 0.5, 0.8]")):
        if not isinstance(value, list | tuple) or not value:
            raise InputError(f"{name} must be a list such as {example}, but is {value!r}.")
    totals = [check_count("tweets", "each of sizes", size) for size in sizes]
    cells = [_cell(total, ratio, values) for total in totals for ratio in ratios]
    if len({cell.name for cell in cells}) < len(cells):
        raise InputError(f"a pair of size and ratio occurs twice in sizes {sizes!r} and ratios {ratios!r}.")
    return cells


def _cell(size: int, ratio: float | Sequence[float], values: Sequence[str]) -> _Cell:
    *first, last = values
    shares = _shares(ratio, values)
    # dict order is the order of values: it decides the order of draws, so it must not depend on a hash
    counts = {value: round(size * share) for value, share in zip(first, shares, strict=True)}
    if sum(counts.values()) > size:
        raise InputError(f"ratios {ratio!r} of {size} tweets round to more than {size} tweets: {counts}.")
    ratios = {value: float(share) for value, share in zip(values, [*shares, 1 - sum(shares)], strict=True)}
    name = "-".join([f"n{size}", *(f"{value}{ratios[value]:g}" for value in first)])
    return _Cell(name, size, ratios, {**counts, last: size - sum(counts.values())})


def _shares(ratio: float | Sequence[float], values: Sequence[str]) -> list[Fraction]:
    """Return the exact shares of all values but the last."""
    given = list(ratio) if isinstance(ratio, list | tuple) else [ratio]
    if len(given) != len(values) - 1:
        raise InputError(
            f"each of ratios needs {len(values) - 1} number(s), the share of {' and of '.join(values[:-1])} "
            f"({values[-1]} takes the rest), but one is {ratio!r}."
        )
    try:
        # through str, because the nearest float to 0.29 is not 29/100
        shares = [Fraction(str(share)) for share in given]
    except ValueError:
        raise InputError(f"each of ratios must hold numbers in [0, 1], but one is {ratio!r}.") from None
    if min(shares) < 0 or sum(shares) > 1:
        raise InputError(f"the shares of each of ratios must be in [0, 1] and sum to at most 1, but one is {ratio!r}.")
    return shares
