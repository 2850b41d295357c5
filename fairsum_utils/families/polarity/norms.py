"""Psycholinguistic norms of texts, from a lexicon with eight ratings a word."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families.polarity.rows import Word
from fairsum_utils.families.polarity.samples import Sample
from fairsum_utils.families.polarity.scorer import Labelled, PolarityScorer
from fairsum_utils.io.downloads import digest_files
from fairsum_utils.io.stores import as_path
from fairsum_utils.measures.psycholinguistic_norms import (
    DIMENSIONS,
    VAD,
    PsycholinguisticNorms,
    norm_labels,
    rescale,
    text_norms,
)
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.text.locations import Located, located_in, lowered_origins
from fairsum_utils.validation import describe

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

# English words of closed classes that hardly ever are anything else: others, such as "like", "past" and "down", stay.
# Source: written for this project. Dhamala et al. 2021, section 4.4, name pronouns, prepositions and conjunctions as
# examples of the parts of speech that they leave out, but neither all of them nor their tagger.
FUNCTION_WORDS = frozenset(word for words in _CLOSED_CLASSES.values() for word in words.split())

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")


def content_words(text: str) -> list[str]:
    """Return the words of a text that can convey emotion.

    Runs of letters, lower-cased, with apostrophes inside; not the `FUNCTION_WORDS`, nor what begins with one up to an
    apostrophe.

    Example:
        >>> content_words("She's afraid of the well-known dog's bark, isn't she?")
        ['afraid', 'well', 'known', "dog's", 'bark', "isn't"]
    """
    words = _WORD.findall(_lowered(text))
    return [word for word in words if _is_content(word)]


def located_words(text: str) -> list[Located]:
    """Return the `content_words` of a text with their locations.

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
    """Scorer that labels texts by the emotions of their words.

    Words are looked up lower-cased, and without a final ``'s`` if that is not known; unknown ones are left out and
    counted. A text of which no word is known has no label, NaN for scores, and is counted. The evidence of a text is
    its most emotional word in each dimension, with its norm.

    Source: Dhamala et al. 2021, section 4.4; for the threshold see `THRESHOLD` of
    `fairsum_utils.measures.psycholinguistic_norms`.
    """

    settings: PsycholinguisticNorms

    def __init__(self, measures: Sequence[str], settings: PsycholinguisticNorms) -> None:
        super().__init__(measures, settings)
        if settings.lexicon is None:
            raise InputError(
                f"{self.module}: lexicon is missing; give the path of a table with eight ratings per word, such as a "
                "MEmoLon lexicon (Buechel et al. 2020), which is free to download"
            )
        self._path = settings.lexicon

    @property
    def lexicon(self) -> NormLexicon:
        """Table of norms, read on first use."""
        return self.held("lexicon", lambda: read_lexicon(self._path, module=self.module))

    def english_texts(self, sample: Sample) -> Sequence[str]:
        """Return the text if the lexicon is English."""
        return (sample.text,) if self.settings.language == "english" else ()

    def signature(self, measure: str, given: Collection[str]) -> dict[str, object]:
        """Return the settings that change labels and scores, including the table's digest."""
        return {
            "lexicon": self.lexicon.name,
            "words": "content",
            "threshold": self.settings.threshold,
            "lang": None if self.settings.language == "english" else self.settings.language,
            "empty": self.settings.empty,
        }

    def label_texts(self, texts: Sequence[str]) -> Iterator[Labelled]:
        """Label texts, in time linear in their length."""
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
    """Return the word farthest from neutral in each dimension, with its norm."""
    places = np.abs(norms).argmax(axis=0).tolist()
    strongest = zip(DIMENSIONS, places, norms.T.tolist(), strict=True)
    return tuple(Word(name, words[place], column[place]) for name, place, column in strongest)


COLUMNS = ("word", *DIMENSIONS)

_ADVICE = (
    "Give a tab-separated file with the columns "
    + ", ".join(COLUMNS)
    + " and one word per line, such as a MEmoLon lexicon (Buechel et al. 2020), which is free to download"
)
# Predicted ratings stray beyond their scale a little; one that is half a scale away is none.
_FAR = 0.5


@dataclass(frozen=True)
class NormLexicon:
    """Norms of words.

    Attributes:
        name: file name and hash, for signatures.
        places: word -> row of `norms`.
        norms: rescaled norms, shape (words, 8), in the order of `DIMENSIONS`.
    """

    name: str
    places: dict[str, int]
    norms: Floats

    def place(self, word: str) -> int | None:
        """Return the row of a lower-case word, ignoring ``'s`` if necessary."""
        found = self.places.get(word)
        return found if found is not None or not word.endswith("'s") else self.places.get(word[:-2])


def read_lexicon(path: str | Path, *, module: str = "psycholinguistic_norms") -> NormLexicon:
    """Read a table of norms.

    The file is UTF-8 text, possibly compressed (``.gz``): a header line, a tab between cells, ``"`` around cells that
    need it. Columns, in any order, others are passed over: word; valence, arousal, dominance rated from 1 to 9;
    joy, anger, sadness, fear, disgust from 1 to 5. A word that lacks a rating is left out. Ratings that leave their
    scale a little, as predicted ones do, are set to its end.

    Reading takes about as many seconds as the file has millions of words, and about 400 MB for each.
    """
    from pyarrow import ArrowException, csv, float64, string

    if not isinstance(path, (str, Path)) or not str(path):
        raise InputError(f"{module}: lexicon must be the path of a file, found {describe(path)}. {_ADVICE}")
    file = as_path(path, f"{module}: lexicon", expands=True)
    try:
        table = csv.read_csv(
            file,
            parse_options=csv.ParseOptions(delimiter="\t", newlines_in_values=True),
            convert_options=csv.ConvertOptions(column_types={"word": string(), **dict.fromkeys(DIMENSIONS, float64())}),
            read_options=csv.ReadOptions(use_threads=False),  # so that errors name the row
        )
        header = table.column_names
    except (OSError, ArrowException, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{module}: lexicon {str(path)!r} cannot be read ({reason}). {_ADVICE}") from error
    missing = [name for name in COLUMNS if header.count(name) != 1]
    if missing:
        raise InputError(
            f"{module}: lexicon {str(path)!r} must have exactly one column {missing[0]}, found the columns "
            f"{', '.join(header)}. {_ADVICE}"
        )
    ratings = np.column_stack([table[name].to_numpy() for name in DIMENSIONS])
    complete = ~np.isnan(ratings).any(axis=1)
    words = [word for word, is_complete in zip(table["word"].to_pylist(), complete, strict=True) if is_complete]
    _check_ratings(f"{module}: lexicon {str(path)!r}", words, ratings[complete])
    places = {word: place for place, word in enumerate(words)}
    if len(places) < len(words):
        twice = next(word for place, word in enumerate(words) if places[word] != place)
        raise InputError(f"{module}: lexicon {str(path)!r} has the word {twice!r} twice; keep one of the lines")
    lowest = np.where(np.isin(DIMENSIONS, VAD), -1.0, 0.0)
    norms = np.clip(rescale(ratings[complete]), lowest, 1.0)
    return NormLexicon(f"{file.name}@{digest_files([file])[:12]}", places, norms)


def _check_ratings(where: str, words: list[str], ratings: Floats) -> None:
    """Check that ratings and their mean are on the expected scale."""
    if not words:
        raise InputError(f"{where} has no word with all eight ratings. {_ADVICE}")
    for column, name in enumerate(DIMENSIONS):
        high = 9.0 if name in VAD else 5.0
        far = _FAR * (high - 1)
        own = ratings[:, column]
        strays = np.flatnonzero(~((own >= 1 - far) & (own <= high + far)))
        if len(strays) or not 1 <= math.fsum(own) / len(own) <= high:
            found = f"{own[strays[0]]:g} for {words[strays[0]]!r}" if len(strays) else f"a mean of {own.mean():g}"
            raise InputError(
                f"{where}: the ratings of {name} must lie between 1 and {high:g}, found {found}; rescale them"
            )
