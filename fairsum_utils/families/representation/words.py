"""Words of summaries and sources: k-grams in common, opinion words, and random summaries.

A matcher takes the source texts of each group and the summary, and returns one weight a group; the target distribution
p_y is the weights over their sum.

A short summary cannot match the shares of its sources exactly: BUR calls one in three summaries unfair if their ten
words are drawn blindly from two groups of equal size. A random summary has as many words (k-grams) as the real one,
drawn with replacement from all words of the sample's sources. A word counts for every group whose texts hold it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import NamedTuple, TypeAlias

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families.chance import N_DRAWS, generator_of
from fairsum_utils.measures._representation import RepresentationMeasure
from fairsum_utils.measures.bur import TAU
from fairsum_utils.stats.arrays import Floats, Integers
from fairsum_utils.text.caching import BoundedCache
from fairsum_utils.validation import as_float, describe

# A k-gram; a token stands for itself.
Gram: TypeAlias = str | tuple[str, ...]


def ngrams(tokens: list[str], k: int) -> Iterable[Gram]:
    """Return the k-grams of a list of tokens, repeats included.

    Example:
        >>> list(ngrams(["a", "b", "c"], 2))
        [('a', 'b'), ('b', 'c')]
    """
    return tokens if k == 1 else zip(*(tokens[start:] for start in range(min(k, len(tokens) + 1))), strict=False)


def gram_text(gram: Gram) -> str:
    """Format a k-gram for results.

    Example:
        >>> gram_text(("tasti", "soup"))
        'tasti soup'
    """
    return gram if isinstance(gram, str) else " ".join(gram)


def ngram_matches(known: Iterable[AbstractSet[Gram]], grams: Sequence[Gram]) -> list[list[Gram]]:
    """Return the k-grams of a summary that each group's sources hold, repeats included.

    A k-gram may count for several groups. Time is linear in the k-grams.

    Source: Zhang et al. 2024, section 3.2, N-gram Matching.

    Example:
        >>> ngram_matches([{"good", "food"}, {"cold", "food"}], ["good", "food", "food"])
        [['good', 'food', 'food'], ['food', 'food']]
    """
    return [[gram for gram in grams if gram in of_group] for of_group in known]


def check_weights(module: str, index: int, weights: object, n_values: int) -> list[float]:
    """Check the weights returned by a custom matcher.

    Example:
        >>> check_weights("bur", 0, [2, 1.5], 2)
        [2.0, 1.5]
    """
    if not isinstance(weights, (Sequence, np.ndarray)) or isinstance(weights, (str, bytes)) or len(weights) != n_values:
        raise InputError(
            f"{module}: sample {index}: the matcher must return {n_values} numbers, one per group, "
            f"found {describe(weights)}"
        )
    checked = list(map(as_float, weights))
    for weight, number in zip(weights, checked, strict=True):
        if not 0 <= number < math.inf:
            raise InputError(
                f"{module}: sample {index}: the matcher returned {describe(weight)}, but weights must be finite and at "
                "least 0; convert log-likelihoods first, for example with a softmax"
            )
    if math.isinf(sum(checked)):
        raise InputError(f"{module}: sample {index}: the sum of the matcher's weights overflows; scale them down")
    return checked


def softmax_weights(scores: Sequence[float], temperature: float) -> list[float]:
    """Return exp(score / temperature), normalized to sum to 1.

    Source: Zhang et al. 2024, section 3.2, Neural Matching.

    Example:
        >>> softmax_weights([-1000.0, -1000.0], temperature=0.1)
        [0.5, 0.5]
    """
    largest = max(scores)
    weights = [math.exp((score - largest) / temperature) for score in scores]
    total = math.fsum(weights)
    return [weight / total for weight in weights]


MOST_WORDS = int(np.iinfo(np.uint16).max)
"""Words of a summary whose draws fit a column of small counts; longer ones have no random summaries."""


class Pool(NamedTuple):
    """Words of a sample's sources, counted by group.

    Attributes:
        values: groups, in an order that depends on their texts only, as do the kinds.
        holders: shape (kinds, groups), 1 where words of a kind count for a group.
        odds: shape (kinds,), share of each kind among all words.
        sources: source texts of the sample, which seed the draws.
    """

    values: list[str]
    holders: Integers
    odds: Floats
    sources: Sequence[str]

    def draw(self, n_words: int, values: Sequence[str], summary: str) -> tuple[int, ...]:
        """Draw random summaries.

        Returns:
            `N_DRAWS` counts of each group, one group after the other; none for a summary of more than `MOST_WORDS`.
        """
        if n_words > MOST_WORDS:
            return ()
        if not n_words or not len(self.odds):
            return (0,) * (N_DRAWS * len(values))
        if len(self.odds) == 1 == len(values):  # nothing to choose
            return (n_words,) * N_DRAWS
        columns = [self.values.index(value) for value in values]
        drawn = generator_of(self.sources, summary).multinomial(n_words, self.odds, size=N_DRAWS)
        return tuple((drawn @ self.holders[:, columns]).T.ravel().tolist())


def pool_of(
    grams: Mapping[str, Sequence[Gram]],
    known: Mapping[str, AbstractSet[Gram]],
    sources: Sequence[str],
    values: Sequence[str],
) -> Pool:
    """Count the words of the sources by group.

    Args:
        grams: words of each group's texts.
        known: the same, each word once.
        sources: source texts.
        values: group of each source text.

    Example:
        >>> grams = {"a": ["soup", "cake"], "b": ["soup", "bread"]}
        >>> pool = pool_of(grams, {"a": {"soup", "cake"}, "b": {"soup", "bread"}}, ["Soup cake.", "Soup bread."], "ab")
        >>> pool.values, pool.holders.tolist(), pool.odds.tolist()
        (['b', 'a'], [[1, 0], [0, 1], [1, 1]], [0.25, 0.25, 0.5])
    """
    if len(grams) == 1:
        n_kinds = min(*map(len, grams.values()), 1)
        return Pool(list(grams), np.ones((n_kinds, 1), dtype=np.int64), np.ones(n_kinds), sources)
    texts: dict[str, list[str]] = {value: [] for value in grams}
    for source, value in sorted(zip(sources, values, strict=True)):
        texts[value].append(source)
    grams = {value: grams[value] for value in sorted(grams, key=texts.__getitem__)}
    seen: set[Gram] = set()
    shared: set[Gram] = set()
    for of_value in known.values():
        shared |= seen & of_value
        seen |= of_value
    # A bit for each group: most words have one, and only shared words need a look-up.
    masks = dict.fromkeys(shared, 0)
    kinds: dict[int, int] = {}
    for place, value in enumerate(grams):
        for gram in shared & known[value]:
            masks[gram] |= 1 << place
    for place, of_sources in enumerate(grams.values()):
        found = list(map(masks.__getitem__, filter(masks.__contains__, of_sources)))
        for mask in found:
            kinds[mask] = kinds.get(mask, 0) + 1
        if len(found) < len(of_sources):
            kinds[1 << place] = len(of_sources) - len(found)
    ordered = sorted(kinds)
    holders = [[mask >> place & 1 for place in range(len(grams))] for mask in ordered]
    odds = np.array([kinds[mask] for mask in ordered]) / max(sum(kinds.values()), 1)
    return Pool(list(grams), np.array(holders, dtype=np.int64).reshape(len(ordered), len(grams)), odds, sources)


# English words that the published code drops, most of them because NLTK's Hinglish list has them.
OPINION_WORDS = (
    "bad", "best", "better", "good", "liked", "never", "no", "not", "nothing", "ok", "okay", "serious", "thorough",
    "useful",
)  # fmt: skip

# Opinion words in a piece of text without white space, such as "good" in "good!".
_in_word = BoundedCache(re.compile(rf"\b(?:{'|'.join(OPINION_WORDS)})\b").findall).__getitem__


def deciding_words(
    summary: Sequence[str],
    words: Mapping[str, Sequence[str]],
    tokens: Mapping[str, int],
    weights: Mapping[str, float],
    settings: RepresentationMeasure,
) -> tuple[str, ...]:
    """Return the opinion words that would change the underrepresented groups if they counted.

    Args:
        summary: words of the summary in lower case, as white space separates them.
        words: the same of each group's texts.
        tokens: number of tokens of each group that count.
        weights: weights of the groups with tokens.
        settings: settings of the measure.
    """
    used = _opinions(summary)
    if not used:
        return ()
    held = {value: _opinions(of_value) for value, of_value in words.items()}
    found = sorted(word for word in used if any(word in of_value for of_value in held.values()))
    if not found:
        return ()
    tokens_then = {value: tokens[value] + of_value.total() for value, of_value in held.items()}
    weights_then = {
        value: weights.get(value, 0.0) + sum(used[word] for word in found if word in of_value)
        for value, of_value in held.items()
    }
    changes = _underrepresented(tokens, weights, settings) != _underrepresented(tokens_then, weights_then, settings)
    return tuple(found) if changes else ()


def _opinions(words: Sequence[str]) -> Counter[str]:
    return Counter(chain.from_iterable(map(_in_word, filter(_in_word, words))))


def _underrepresented(
    tokens: Mapping[str, int], weights: Mapping[str, float], settings: RepresentationMeasure
) -> set[str]:
    """Return the underrepresented groups among those with tokens."""
    target = settings.target
    shares = tokens if target == "ratio" else dict.fromkeys(tokens, 1.0) if isinstance(target, str) else target
    desired = {value: shares[value] for value, n in tokens.items() if n}
    if not any(weights.values()) and settings.unmatched != "unfair":
        weights = dict.fromkeys(desired, 1.0)
    matched, wanted = sum(weights.values()) or 1.0, sum(desired.values()) or 1.0
    return {value for value, share in desired.items() if weights.get(value, 0.0) / matched < TAU * (share / wanted)}
