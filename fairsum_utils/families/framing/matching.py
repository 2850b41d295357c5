"""Best matches of sentences among source sentences, by an inverted index of words."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

MOST_HOLDERS = 200
"""Words in more source sentences (equal ones counted once) tell no position and find no match."""


class Best(NamedTuple):
    """Best matches of a sentence.

    Attributes:
        overlap: share of its distinct words in each of them; 0 without a match.
        places: positions of the source sentences, rising; empty without a match.
    """

    overlap: float
    places: Sequence[int]


NO_MATCH = Best(0.0, ())


class SentenceIndex:
    """Source sentences, found by their words.

    Time for a sentence grows with its number of words only: a word leads to at most `MOST_HOLDERS` sentences.

    Args:
        sentences: content words of each source sentence, in order.

    Example:
        >>> index = SentenceIndex([["cold", "soup"], ["friendly", "staff"], ["cold", "soup"]])
        >>> index.best(["cold", "staff", "cold", "soup"], 0.2)
        Best(overlap=0.6666666666666666, places=[0, 2])
        >>> index.best(["bread"], 0.0)
        Best(overlap=0.0, places=())
    """

    def __init__(self, sentences: Sequence[Collection[str]]) -> None:
        self._words = list(map(frozenset, sentences))
        self._places: dict[frozenset[str], list[int]] = {}
        for place, words in enumerate(self._words):
            self._places.setdefault(words, []).append(place)
        self._distinct = list(self._places.values())
        holders: dict[str, list[int]] = {}
        for kind, known in enumerate(self._places):
            for word in known:
                holders.setdefault(word, []).append(kind)
        self._holders = {word: kinds for word, kinds in holders.items() if len(kinds) <= MOST_HOLDERS}
        self._found: dict[frozenset[str], Best] = {}

    def like(self, place: int) -> Sequence[int]:
        """Find the source sentences with all words of a sentence.

        They are the best matches of its words, because no sentence has more of these than itself.

        Example:
            >>> SentenceIndex([["cold", "soup"], ["staff"], ["soup"]]).like(2)
            [0, 2]
        """
        holders = [self._holders[word] for word in self._words[place] if word in self._holders]
        if not holders:
            return ()
        kinds: Collection[int] = min(holders, key=len)
        if len(kinds) > 1:
            kinds = set(kinds).intersection(*holders)
        return sorted(place for kind in kinds for place in self._distinct[kind])

    def best(self, words: Collection[str], least: float) -> Best:
        """Find the source sentences with the most of some words.

        Args:
            words: content words of a sentence.
            least: least share of them for a match, in [0, 1].
        """
        wanted = frozenset(words)
        if wanted not in self._found:
            self._found[wanted] = self._search(wanted, least)
        return self._found[wanted]

    def _search(self, wanted: frozenset[str], least: float) -> Best:
        counts: dict[int, int] = {}
        for word in wanted:
            for kind in self._holders.get(word, ()):
                counts[kind] = counts.get(kind, 0) + 1
        most = max(counts.values(), default=0)
        kinds = [kind for kind, count in counts.items() if count == most]
        if not most or most < least * len(wanted):
            return NO_MATCH
        return Best(most / len(wanted), sorted(place for kind in kinds for place in self._distinct[kind]))
