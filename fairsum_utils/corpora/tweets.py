"""Tweets with an author attribute: the raw files, and samples drawn from them at fixed sizes and ratios.

Source: the raw files are those of Dash et al. 2019 (github.com/ad93/FairSumm, MIT); sizes, ratios and the number of
samples a cell are those of fairsumm-v2, section 4 and table 1.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Generic, TypeVar

from fairsum_utils.corpora.prompts import UNIT_SEPARATOR
from fairsum_utils.corpora.rows import Row, make_row
from fairsum_utils.errors import DataSourceError, InputError
from fairsum_utils.files.reading import iter_lines
from fairsum_utils.stats.shuffling import shuffled
from fairsum_utils.text import word_tokenize
from fairsum_utils.validation import check_count

__all__ = ["CLARITIN_LABELS", "ELECTION_LABELS", "ShuffledPasses", "Tweet", "parse_tweets", "tweet_rows"]

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

    Args:
        path: the raw file.
        labels: label in the file -> value in the rows.

    Yields:
        The tweets, in the order of the file.

    Raises:
        DataSourceError: a line has too few fields, or an unknown label; names the file and the line.
    """
    for number, line, ended in iter_lines(path):
        fields = line.split(_SEPARATOR, 2)
        if len(fields) < 3:
            cut = "" if ended else " It is the last line and lacks a line end, so the file is probably cut short."
            raise DataSourceError(
                f"{path}, line {number}: expected id<||>label<||>text, but found {len(fields)} field(s) in "
                f"{line[:60].decode(errors='replace')!r}.{cut} Repair the line or fetch the file again."
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
    """Draws without replacement inside a draw, and as evenly as possible over all draws.

    The items are dealt from a shuffled deck; a new deck is shuffled when one is used up. After any number of draws
    the most used item has been used at most once more often than the least used one. Different items with equal keys
    (retweets) are kept out of one draw as long as that evenness allows it.

    Args:
        items: what is drawn from.
        generator: source of randomness.
        key: what two items of a draw should not share.

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
        """Return ``count`` different items, if possible none whose key is in ``avoid``.

        Raises:
            InputError: there are not that many items.
        """
        if count > len(self._items):
            raise InputError(f"cannot draw {count} different items from {len(self._items)}.")
        chosen: list[int] = []
        keys = set(avoid)
        waiting: list[int] = []
        while len(chosen) < count:
            if not self._deck:
                left = [index for index in waiting if index not in chosen]
                if left:  # the pass is over but for these: they come now, or use would be uneven
                    waiting.remove(left[0])
                    chosen.append(left[0])
                    continue
                self._deck = shuffled(range(len(self._items)), self._generator)
            index = self._deck.pop()
            key = self._key(self._items[index])
            if key in keys:  # it, or another with its key, is drawn already
                waiting.append(index)
            else:
                chosen.append(index)
                keys.add(key)
        self._deck += waiting
        return [self._items[index] for index in chosen]


def tweet_rows(
    files: Sequence[Path],
    *,
    config: str,
    attribute: str,
    template: str,
    labels: Mapping[str, str],
    sizes: Sequence[int],
    ratios: Sequence[float | Sequence[float]],
    samples_per_cell: int,
    min_tokens: int,
    max_tokens: int | None,
    seed: int,
    tokenize: Callable[[str], list[str]] = word_tokenize,
) -> Iterator[Row]:
    """Sample rows from raw tweets, cell by cell: every size with every ratio.

    A cell holds ``round(size * ratio)`` tweets of each value but the last, counted exactly (0.29 * 100 is 29, which
    floats make 28.999...), and the last value takes the rest. The draws of a value go through all its tweets before
    any is used again (`ShuffledPasses`). Only ``random.Random.random`` is used, whose sequence Python promises to keep,
    so that a seed gives the same rows on every platform and version; sampling differs from the authors' own (which
    is not seeded per cell), so the rows have their shape and not their tweets.

    Args:
        files: the one raw file.
        config: name that the row ids begin with.
        attribute: name of the attribute.
        template: prompt with ``{SOURCE}``.
        labels: label in the file -> value.
        sizes: tweets a sample.
        ratios: share of each value but the last; a plain number where there are two values.
        samples_per_cell: samples for each pair of size and ratio.
        min_tokens: fewest word tokens of a tweet that is used.
        max_tokens: most word tokens, or None for no limit.
        seed: any whole number of at least 0.
        tokenize: text -> tokens; NLTK's word tokenizer.

    Yields:
        The rows.

    Raises:
        DataSourceError: the file is malformed, or has too few tweets of a value.
        InputError: an option is out of range.

    Source: fairsumm-v2, section 4 and table 1 (1,350 = 3 sizes x 3 ratios x 150).
    """
    seed = check_count(config, "seed", seed, least=0)
    low = check_count(config, "min_tokens", min_tokens, least=0)
    high = None if max_tokens is None else check_count(config, "max_tokens", max_tokens)
    if high is not None and high < low:
        raise InputError(f"max_tokens is {high} and min_tokens is {low}: no tweet can have both.")
    repeats = check_count(config, "samples_per_cell", samples_per_cell)
    values = list(labels.values())
    cells = _cells(config, sizes, ratios, values)
    pools: dict[str, list[Tweet]] = {value: [] for value in values}
    read = dict.fromkeys(values, 0)
    for tweet in parse_tweets(files[0], labels):
        read[tweet.value] += 1
        length = len(tokenize(tweet.text))
        if length >= low and (high is None or length <= high):
            pools[tweet.value].append(tweet)
    for cell in cells:
        for value, count in cell.counts.items():
            if count > len(pools[value]):
                between = f"at least {low}" if high is None else f"{low} to {high}"
                raise DataSourceError(
                    f"{files[0]}: a sample of cell {cell.name} needs {count} tweets of {value!r}, but only "
                    f"{len(pools[value])} of {read[value]} have {between} tokens. "
                    "Lower sizes, change ratios, or widen min_tokens and max_tokens."
                )

    generator = random.Random(seed)
    decks = {value: ShuffledPasses(pools[value], generator, key=lambda tweet: tweet.text) for value in values}
    for cell in cells:
        for index in range(repeats):
            drawn: list[Tweet] = []
            for value, count in cell.counts.items():
                drawn += decks[value].draw(count, avoid={tweet.text for tweet in drawn})
            tweets = shuffled(drawn, generator)
            yield make_row(
                f"{config}-{cell.name}-{index:04d}",
                [(tweet.text, tweet.value) for tweet in tweets],
                attribute=attribute,
                template=template,
                separator=UNIT_SEPARATOR,
                metadata={
                    "origin": "raw",
                    "cell": cell.name,
                    "size": cell.size,
                    "ratios": cell.ratios,
                    "counts": cell.counts,
                    "source_ids": [tweet.id for tweet in tweets],
                    "seed": seed,
                    "min_tokens": low,
                    "max_tokens": high,
                },
            )


@dataclass(frozen=True)
class _Cell:
    name: str
    size: int
    ratios: dict[str, float]
    counts: dict[str, int]


def _cells(
    config: str, sizes: Sequence[int], ratios: Sequence[float | Sequence[float]], values: Sequence[str]
) -> list[_Cell]:
    """Check sizes and ratios and return the cells in order, sizes outermost."""
    for name, value, example in (("sizes", sizes, "[10, 30, 50]"), ("ratios", ratios, "[0.2, 0.5, 0.8]")):
        if not isinstance(value, list | tuple) or not value:
            raise InputError(f"{name} must be a list such as {example}, but is {value!r}.")
    cells = []
    for size in sizes:
        total = check_count(config, "each of sizes", size)
        for ratio in ratios:
            shares = _shares(ratio, values)
            # dict order is the order of values: it decides the order of draws, so it must not depend on a hash
            counts = {value: round(total * share) for value, share in zip(values[:-1], shares, strict=True)}
            if sum(counts.values()) > total:
                raise InputError(f"ratios {ratio!r} of {total} tweets round to more than {total} tweets: {counts}.")
            counts[values[-1]] = total - sum(counts.values())
            ends = [*shares, 1 - sum(shares)]
            named = "-".join(f"{v}{float(share):g}" for v, share in zip(values[:-1], shares, strict=True))
            cells.append(
                _Cell(
                    name=f"n{total}-{named}",
                    size=total,
                    ratios={value: float(share) for value, share in zip(values, ends, strict=True)},
                    counts=counts,
                )
            )
    if len({cell.name for cell in cells}) < len(cells):
        raise InputError(f"a pair of size and ratio occurs twice in sizes {sizes!r} and ratios {ratios!r}.")
    return cells


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
