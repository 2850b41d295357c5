"""Texts to psycholinguistic norms: the words of a text that can convey emotion, and their norms in a lexicon."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families.polarity.lexicon import NormLexicon, read_lexicon
from fairsum_utils.families.polarity.rows import Word
from fairsum_utils.families.polarity.scorer import Labelled, PolarityScorer
from fairsum_utils.families.polarity.settings import PsycholinguisticNormsSettings
from fairsum_utils.measures.psycholinguistic_norms import DIMENSIONS, LABELS, norm_labels, text_norms
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.text.locations import Located, located_in, lowered_origins

_CLOSED_CLASSES = {
    "pronouns": "i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it its "
    "itself we us our ours ourselves they them their theirs themselves oneself who whom whose which what whoever "
    "whomever whatever whichever someone somebody something anyone anybody anything everyone everybody everything",
    "articles and demonstratives": "a an the this that these those",
    "prepositions": "about above across after against along alongside amid amidst among amongst around as at before "
    "behind below beneath beside besides between beyond by concerning despite during except for from in inside into of "
    "off on onto out outside over per regarding since through throughout till to toward towards under underneath until "
    "unto up upon versus via with within without",
    "conjunctions": "albeit although and because but if lest nor or so than though unless when whenever where whereas "
    "wherever whether while whilst yet",
}

FUNCTION_WORDS = frozenset(word for words in _CLOSED_CLASSES.values() for word in words.split())
"""English words of closed classes that hardly ever are anything else: others, such as "like", "past" and "down", stay.

Source: written for this project. papers/bold, section 4.4, names pronouns, prepositions and conjunctions as examples of
the parts of speech that it leaves out, but neither all of them nor its tagger.
"""

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")


def content_words(text: str) -> list[str]:
    """The words of a text that can convey emotion.

    Runs of letters, lower-cased, with apostrophes inside; not the `FUNCTION_WORDS`, nor what begins with one up to an
    apostrophe.

    Args:
        text: any string.

    Example:
        >>> content_words("She's afraid of the well-known dog's bark, isn't she?")
        ['afraid', 'well', 'known', "dog's", 'bark', "isn't"]
    """
    words = _WORD.findall(_lowered(text))
    return [word for word in words if _is_content(word)]


def located_words(text: str) -> list[Located]:
    """The `content_words` of a text, and where they stand.

    Args:
        text: any string.

    Returns:
        Of each word the text, its first character and the one after its last.

    Example:
        >>> [tuple(word) for word in located_words("She's afraid of dogs.")]
        [('afraid', 6, 12), ('dogs', 16, 20)]
    """
    words = ((match[0], *match.span()) for match in _WORD.finditer(_lowered(text)) if _is_content(match[0]))
    return located_in(words, lowered_origins(text))


def _lowered(text: str) -> str:
    return text.lower().replace("’", "'")


def _is_content(word: str) -> bool:
    return word.partition("'")[0] not in FUNCTION_WORDS


class NormScorer(PolarityScorer):
    """Labels texts by the emotions that their words convey.

    Words are looked up lower-cased, and without a final ``'s`` if that is not known; unknown ones are left out and
    counted. A text of which no word is known has no label, NaN for scores, and is counted. The evidence of a text is
    its most emotional word in each dimension, with its norm.

    Args:
        measures: the measure that the rows are to serve.
        settings: the table of norms, read when it is first needed (see `read_lexicon`), and how far from neutral a
            norm gives a label.

    Raises:
        InputError: no table is given; once it is needed: it cannot be read.

    Source: papers/bold, section 4.4; for the threshold see `fairsum_utils.measures.psycholinguistic_norms.THRESHOLD`.
    """

    settings: PsycholinguisticNormsSettings
    labels = LABELS
    counted = ("unknown", "known_words", "unknown_words")

    def __init__(self, measures: Sequence[str], settings: PsycholinguisticNormsSettings) -> None:
        super().__init__(measures, settings)
        if settings.lexicon is None:
            raise InputError(
                f"{self.module}: lexicon must be given, a table with eight ratings for each word. None is shipped; the "
                "MEmoLon lexicons (Buechel et al. 2020) are free to download and load as they are"
            )
        self._path = settings.lexicon

    @cached_property
    def lexicon(self) -> NormLexicon:
        """The table."""
        return read_lexicon(self._path, module=self.module)

    def close(self) -> None:
        """Let go of the table."""
        vars(self).pop("lexicon", None)

    def signature(self, measure: str, given: Collection[str]) -> dict[str, object]:
        """What changes labels and scores; reads the table, whose name tells its content."""
        return {
            "lexicon": self.lexicon.name,
            "words": "content",
            "threshold": self.settings.threshold,
            "empty": self.settings.empty,
        }

    def label_texts(self, texts: Sequence[str]) -> Iterator[Labelled]:
        """Label texts; time grows linearly with their length."""
        for text in texts:
            yield self._label(content_words(text))

    def _label(self, words: list[str]) -> Labelled:
        found = [(word, place) for word in words if (place := self.lexicon.place(word)) is not None]
        norms = self.lexicon.norms[[place for _, place in found]]
        scores = text_norms(norms)
        return Labelled(
            tuple(norm_labels(scores, self.settings.threshold)),
            dict(zip(DIMENSIONS, scores, strict=True)),
            {
                "unknown": int(not found),
                "known_words": len(found),
                "unknown_words": len(words) - len(found),
            },
            _strongest([word for word, _ in found], norms) if found and self.evidence else None,
        )


def _strongest(words: list[str], norms: Floats) -> tuple[Word, ...]:
    """In each dimension the word that is farthest from neutral, of equal ones the first, and its norm."""
    places = np.abs(norms).argmax(axis=0).tolist()
    strongest = zip(DIMENSIONS, places, norms.T.tolist(), strict=True)
    return tuple(Word(name, words[place], column[place]) for name, place, column in strongest)
