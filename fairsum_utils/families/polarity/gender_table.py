"""Tables of b_w, the gender polarity of words: the shipped one, or computed from a file of word vectors."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from fairsum_utils._util.resources import read_lines
from fairsum_utils.families.polarity.debias import debiased_polarity, gender_words, present
from fairsum_utils.families.polarity.embeddings import iter_vectors
from fairsum_utils.stats.arrays import Floats


class GenderTable(NamedTuple):
    """The gender polarity of words.

    Attributes:
        polarity: b in [-1, 1] of every known word; above 0 is female. Nearly all are 0.
        name: for a signature; what is not shipped has a digest of its words and their b.
        n_pairs: definitional pairs, of ten, that gave the gender direction.
    """

    polarity: dict[str, float]
    name: str
    n_pairs: int


@cache
def shipped_table() -> GenderTable:
    """b of the 26,423 words of Bolukbasi et al.'s subset of word2vec's GoogleNews vectors, hard debiased.

    232 are not 0, so this is a lexicon. Equalizing has odd effects on some: "wives" gets -0.40 and "husbands" +0.40,
    because in the original vectors "husbands" lies nearer to "she" than "wives" does.

    Source: fairsum_utils/_util/resources/README.md.

    Example:
        >>> polarity = shipped_table().polarity
        >>> len(polarity), polarity["nurse"], round(polarity["wife"], 2), round(polarity["wives"], 2)
        (26423, 0.0, 0.12, -0.4)
    """
    fields = (line.partition("\t") for line in read_lines("gender_polarity.txt.gz"))
    return GenderTable({word: float(b or 0.0) for word, _, b in fields}, "word2vec-bolukbasi", 10)


def read_table(path: str | Path) -> GenderTable:
    """b of all words of an embedding, which is hard debiased on the way.

    Args:
        path: a file that `iter_vectors` reads. It is read once; only its words and the listed words' vectors are held.

    Returns:
        The table. Of a word that occurs twice the first counts. Definitional pairs of which the embedding lacks a word
        are left out of the gender direction; `n_pairs` counts the others.

    Raises:
        InputError: the file cannot be read (see `iter_vectors`), or has no "she" or "he".
    """
    lists = gender_words()
    polarity: dict[str, float] = {}
    vectors: dict[str, Floats] = {}
    for word, vector in iter_vectors(path, lists.needed()):
        polarity.setdefault(word, 0.0)
        if vector is not None:
            vectors.setdefault(word, vector)
    polarity |= debiased_polarity(vectors, lists)
    return GenderTable(polarity, f"{Path(path).name}@{_digest(polarity)}", len(present(lists.definitional, vectors)))


def _digest(polarity: dict[str, float]) -> str:
    """Eight hexadecimal digits of the words and their polarity, to the digits that computing gives everywhere."""
    digest = hashlib.sha256()
    for word, b in sorted(polarity.items()):
        digest.update(f"{word}\t{b:.9f}\n".encode())
    return digest.hexdigest()[:8]
