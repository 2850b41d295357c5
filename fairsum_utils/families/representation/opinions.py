"""Opinion words on the stop list, and the samples they would decide."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain

from fairsum_utils.measures._representation import RepresentationMeasure
from fairsum_utils.measures.bur import TAU
from fairsum_utils.text.caching import BoundedCache

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
