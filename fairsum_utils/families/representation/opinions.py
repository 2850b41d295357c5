"""Opinion words on the stop list, and the samples they would decide."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from fairsum_utils.measures._representation import RepresentationMeasure
from fairsum_utils.measures.bur import TAU

# English words that the published code drops, most of them because NLTK's Hinglish list has them.
OPINION_WORDS = (
    "bad", "best", "better", "good", "liked", "never", "no", "not", "nothing", "ok", "okay", "serious", "thorough",
    "useful",
)  # fmt: skip

_OPINION = re.compile(rf"\b(?:{'|'.join(OPINION_WORDS)})\b")


def deciding_words(
    summary: str,
    texts: Mapping[str, str],
    tokens: Mapping[str, int],
    weights: Mapping[str, float],
    settings: RepresentationMeasure,
) -> tuple[str, ...]:
    """Return the opinion words that would change the underrepresented groups if they counted."""
    used = _opinions(summary)
    if not used:
        return ()
    held = {value: _opinions(text) for value, text in texts.items()}
    found = sorted(word for word in used if any(word in words for words in held.values()))
    if not found:
        return ()
    tokens_then = {value: tokens[value] + words.total() for value, words in held.items()}
    weights_then = {
        value: weights.get(value, 0.0) + sum(used[word] for word in found if word in words)
        for value, words in held.items()
    }
    changes = _underrepresented(tokens, weights, settings) != _underrepresented(tokens_then, weights_then, settings)
    return tuple(found) if changes else ()


def _opinions(text: str) -> Counter[str]:
    return Counter(_OPINION.findall(text.lower()))


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
