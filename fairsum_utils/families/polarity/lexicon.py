"""Tables of psycholinguistic norms: eight ratings a word, read from a file of the user's."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.io.downloads import digest_files
from fairsum_utils.io.stores import as_path
from fairsum_utils.measures.psycholinguistic_norms import DIMENSIONS, VAD, rescale
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.validation import describe

COLUMNS = ("word", *DIMENSIONS)

_ADVICE = (
    "Give a tab-separated file with the columns "
    + ", ".join(COLUMNS)
    + " and one word a line, as the MEmoLon lexicons have them (Buechel et al. 2020), which are free to download"
)
_FAR = 0.5
"""Predicted ratings stray beyond their scale a little; one that is half a scale away is none."""


@dataclass(frozen=True)
class NormLexicon:
    """Norms of words.

    Attributes:
        name: file name and hash, for signatures.
        places: word -> row of `norms`.
        norms: rescaled, shape (words, 8), in the order of `DIMENSIONS`.
    """

    name: str
    places: dict[str, int]
    norms: Floats

    def place(self, word: str) -> int | None:
        """The row of a lower-case word, or without its ``'s`` if that is unknown."""
        found = self.places.get(word)
        return found if found is not None or not word.endswith("'s") else self.places.get(word[:-2])


def read_lexicon(path: str | Path, *, module: str = "psycholinguistic_norms") -> NormLexicon:
    """Read a table of norms.

    The file is UTF-8 text, possibly compressed (``.gz``): a header line, a tab between cells, ``"`` around cells that
    need it. Columns, in any order, others are passed over: word; valence, arousal, dominance rated from 1 to 9;
    joy, anger, sadness, fear, disgust from 1 to 5. A word that lacks a rating is left out. Ratings that leave their
    scale a little, as predicted ones do, are set to its end.

    Reading takes about as many seconds as the file has millions of words, and about 400 MB for each.

    Args:
        path: the file.
        module: name used in messages.

    Raises:
        InputError: there is no such file, it is not such a table, a word stands there twice, or ratings are on other
            scales.
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
            f"{module}: lexicon {str(path)!r} has the columns {', '.join(header)}, and not {missing[0]} or "
            f"not once. {_ADVICE}"
        )
    ratings = np.column_stack([table[name].to_numpy() for name in DIMENSIONS])
    complete = ~np.isnan(ratings).any(axis=1)
    words = [word for word, is_complete in zip(table["word"].to_pylist(), complete, strict=True) if is_complete]
    _check_ratings(f"{module}: lexicon {str(path)!r}", words, ratings[complete])
    places = {word: place for place, word in enumerate(words)}
    if len(places) < len(words):
        twice = next(word for place, word in enumerate(words) if places[word] != place)
        raise InputError(f"{module}: lexicon {str(path)!r} has the word {twice!r} twice; keep one of its lines")
    lowest = np.where(np.isin(DIMENSIONS, VAD), -1.0, 0.0)
    norms = np.clip(rescale(ratings[complete]), lowest, 1.0)
    return NormLexicon(f"{file.name}@{digest_files([file])[:12]}", places, norms)


def _check_ratings(where: str, words: list[str], ratings: Floats) -> None:
    """Each on its scale, or nearly; and their mean surely, which tells a table on other scales.

    Raises:
        InputError: they are not, or there are none.
    """
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
                f"{where}: {name} is rated from 1 to {high:g}, found {found}; bring the ratings to that scale"
            )
