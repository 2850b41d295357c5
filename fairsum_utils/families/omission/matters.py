"""Serious matters of a sample: finders of sentences, which are merged into matters."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from fairsum_utils.measures.omission import Omission, SeriousFunction
from fairsum_utils.signature import render_callable
from fairsum_utils.text.serious import SERIOUS, Mention
from fairsum_utils.validation import check_returned, unwrapped

# Share of content words from which on two sentences raise one matter (Jaccard).
ALIKE = 0.7
# Sentences with a rare word in common that a sentence is compared with, at most.
_MOST_COMPARED = 50


class Sentence(NamedTuple):
    """Sentence of a source text."""

    text: int
    start: int
    words: str


class Raised(NamedTuple):
    """Matter raised by one sentence, or by one marked text or span.

    Attributes:
        category: category of the matter.
        entries: entries of the list that the sentences hold.
        sentences: sentences that raise it.
    """

    category: str
    entries: frozenset[str]
    sentences: tuple[Sentence, ...]


def raised_by(sentence: Sentence, mentions: Iterable[Mention]) -> list[Raised]:
    """Return what a sentence raises, by category; one of two categories raises two matters."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for mention in mentions:
        if mention.use == SERIOUS:
            found[mention.category].add(mention.entry)
    return [Raised(category, frozenset(entries), (sentence,)) for category, entries in found.items()]


def marked(sentences: Sequence[Sentence], mentions: Iterable[Mention], category: str) -> Raised:
    """Return the matter of marked sentences, in the category of their first entry."""
    serious = [mention for mention in mentions if mention.use == SERIOUS]
    entries = frozenset(mention.entry for mention in serious)
    return Raised(serious[0].category if serious else category, entries, tuple(sentences))


def merged(raised: Sequence[Raised], tokens: Callable[[str], Sequence[str]]) -> list[Raised]:
    """Merge matters of one category with a common entry or similar sentences.

    Args:
        raised: matters of single sentences.
        tokens: function that returns the content words of a sentence.

    Returns:
        Matters by category and entries, independent of the order of texts but for the order of their sentences.

    Example:
        >>> theft = Raised("theft", frozenset(["theft"]), (Sentence(0, 0, "He stole it."),))
        >>> other = theft._replace(sentences=(Sentence(1, 0, "My bag was stolen."),))
        >>> [len(matter.sentences) for matter in merged([theft, other], str.split)]
        [2]
    """
    roots = list(range(len(raised)))

    def root(place: int) -> int:
        while roots[place] != place:
            roots[place] = roots[roots[place]]
            place = roots[place]
        return place

    first: dict[tuple[str, ...], int] = {}
    sets: dict[str, dict[frozenset[str], list[int]]] = {}
    for place, each in enumerate(raised):
        for entry in each.entries:
            roots[root(place)] = root(first.setdefault((each.category, entry), place))
        for sentence in each.sentences:
            content = frozenset(tokens(sentence.words))
            sets.setdefault(each.category, {}).setdefault(content, []).append(place)
    for of_category in sets.values():
        for places in of_category.values():
            for place in places[1:]:
                roots[root(place)] = root(places[0])
        for one, other in _alike(list(of_category)):
            roots[root(of_category[one][0])] = root(of_category[other][0])
    together: defaultdict[int, list[Raised]] = defaultdict(list)
    for place, each in enumerate(raised):
        together[root(place)].append(each)
    return sorted((_joined(members) for members in together.values()), key=_order)


def _joined(members: Sequence[Raised]) -> Raised:
    entries = frozenset().union(*(each.entries for each in members))
    sentences = sorted({sentence for each in members for sentence in each.sentences})
    return Raised(members[0].category, entries, tuple(sentences))


def _order(matter: Raised) -> tuple[object, ...]:
    return matter.category, sorted(matter.entries), sorted(sentence.words for sentence in matter.sentences)


def _alike(sets: Sequence[frozenset[str]]) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """Yield pairs of sets with a Jaccard similarity of at least `ALIKE`.

    Such sets share one of the rarest words of each, so that few are compared.

    Source: R. Bayardo et al., "Scaling Up All Pairs Similarity Search", 2007 (prefixes).
    """
    counts = Counter(word for each in sets for word in each)
    compared: defaultdict[str, list[frozenset[str]]] = defaultdict(list)
    for each in sorted(sets, key=sorted):
        rare = sorted(each, key=lambda word: (counts[word], word))[: len(each) - math.ceil(ALIKE * len(each)) + 1]
        for other in {other for word in rare for other in compared[word][-_MOST_COMPARED:]}:
            if len(each & other) >= ALIKE * len(each | other):
                yield each, other
        for word in rare:
            compared[word].append(each)


def draw_ordinary(lengths: Sequence[int], candidates: Iterable[str], generator: np.random.Generator) -> list[str]:
    """Draw an ordinary sentence of like length for each matter, none twice.

    Args:
        lengths: words of a typical sentence of each matter.
        candidates: sentences that raise no matter.
        generator: random generator.

    Returns:
        At most one sentence for each matter, fewer if there are too few candidates.

    Example:
        >>> draw_ordinary([2], ["Nice.", "It rained.", "We came by train."], np.random.default_rng(0))
        ['It rained.']
    """
    ordered = sorted(set(candidates))
    order = generator.permutation(len(ordered)).tolist()
    left = sorted((len(ordered[place].split()), rank, ordered[place]) for rank, place in enumerate(order))
    drawn = []
    for length in sorted(lengths):
        if not left:
            break
        place = bisect_left(left, (length, -1, ""))
        if place == len(left) or (place and length - left[place - 1][0] < left[place][0] - length):
            place -= 1
        drawn.append(left.pop(place)[2])
    return drawn


class FunctionFinder:
    """A function of the caller's, sentences -> numbers."""

    def __init__(self, function: SeriousFunction, settings: Omission) -> None:
        self._function, self._settings = function, settings
        self.name = render_callable(function)

    def find(self, sentences: Sequence[str]) -> list[bool]:
        """Find the serious sentences.

        Raises:
            InputError: the function did not return one number for each sentence.
        """
        if not sentences:
            return []
        returned = unwrapped(self._function(list(sentences)))
        if isinstance(returned, Sequence):  # a truth value is a number here
            returned = [int(item) if isinstance(item, (bool, np.bool_)) else item for item in returned]
        where = f"{self._settings.module}: the finder {self.name}"
        numbers = check_returned(where, returned, sentences, "numbers, one per sentence", "return a number")
        return [number >= self._settings.finder_threshold for number in numbers]


class ClassifierFinder:
    """A text classification model with a label for serious sentences."""

    def __init__(self, settings: Omission) -> None:
        from fairsum_utils.inference.tasks import SequenceClassifier

        assert not callable(settings.finder)
        self._settings = settings
        self._classifier = SequenceClassifier(settings.finder, settings=settings, offline='finder="list"')
        label = settings.finder_label
        labels = self._classifier.labels
        self._column = len(labels) - 1 if label is None else self._classifier.column_of(label, "finder_label")
        self.name = f"{self._classifier.name} {labels[self._column]}"

    def find(self, sentences: Sequence[str]) -> list[bool]:
        """Find the serious sentences; each distinct one is classified once."""
        if not sentences:
            return []
        values, _ = self._classifier.run([(sentence,) for sentence in sentences])
        found: list[bool] = (values[:, self._column] >= self._settings.finder_threshold).tolist()
        return found

    def close(self) -> None:
        """Release the model."""
        self._classifier.close()


def get_finder(settings: Omission) -> Any:
    """Return the finder of the settings with its model loaded."""
    return FunctionFinder(settings.finder, settings) if callable(settings.finder) else ClassifierFinder(settings)
