"""Gender polarity of words, shipped or computed from word vectors."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fairsum_utils._util.resources import read_lines
from fairsum_utils.errors import InputError
from fairsum_utils.families.polarity.embeddings import iter_vectors
from fairsum_utils.measures.gender_polarity import word_polarity
from fairsum_utils.stats.arrays import Floats


class GenderTable(NamedTuple):
    """Gender polarity of words.

    Attributes:
        polarity: b in [-1, 1] of every known word; positive is female, most are 0.
        name: name in signatures, with a digest of the table if it is not shipped.
        n_pairs: number of definitional pairs, out of ten, that gave the gender direction.
    """

    polarity: dict[str, float]
    name: str
    n_pairs: int


@cache
def shipped_table() -> GenderTable:
    """Return b of the 26,423 words in Bolukbasi et al.'s subset of GoogleNews vectors.

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
    """Read word vectors, hard-debias them and return b of all words.

    Returns:
        The table. Of a word that occurs twice the first counts. Definitional pairs of which the embedding lacks a word
        are left out of the gender direction; `n_pairs` counts the others.
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
    """Return eight hexadecimal digits that identify the words and their rounded polarity."""
    digest = hashlib.sha256()
    for word, b in sorted(polarity.items()):
        digest.update(f"{word}\t{b:.9f}\n".encode())
    return digest.hexdigest()[:8]


Pair = tuple[str, str]


class GenderWords(NamedTuple):
    """Word lists of Bolukbasi et al. (2016).

    Attributes:
        definitional: pairs of words; their differences give the gender direction.
        equalize: pairs placed at equal distances from neutral words, in every spelling.
        specific: gendered words, kept unchanged.
    """

    definitional: tuple[Pair, ...]
    equalize: tuple[Pair, ...]
    specific: frozenset[str]

    def needed(self) -> frozenset[str]:
        """Words to read from the vectors."""
        return self.specific.union(*self.definitional, *self.equalize)


@cache
def gender_words() -> GenderWords:
    """Return the shipped lists.

    Example:
        >>> lists = gender_words()
        >>> len(lists.definitional), ("He", "She") in lists.equalize, "wife" in lists.specific
        (10, True, True)
    """
    rows = [line.split("\t") for line in read_lines("gender_words.txt.gz")]
    pairs = {kind: [(row[1], row[2]) for row in rows if row[0] == kind] for kind in ("definitional", "equalize")}
    return GenderWords(
        definitional=tuple(pairs["definitional"]),
        equalize=case_variants(pairs["equalize"]),
        specific=frozenset(row[1] for row in rows if row[0] == "specific"),
    )


def case_variants(pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    """Return each pair in lower, title and upper case, without repeats.

    Source: the published code of Bolukbasi et al. (2016); a pair's own spelling counts only if it is one of these.

    Example:
        >>> case_variants([("he", "she"), ("He", "She")])
        (('he', 'she'), ('He', 'She'), ('HE', 'SHE'))
    """
    spellings = (str.lower, str.title, str.upper)
    return tuple(dict.fromkeys((spell(a), spell(b)) for a, b in pairs for spell in spellings))


def present(pairs: Iterable[Pair], vectors: Mapping[str, Floats]) -> list[Pair]:
    """Return the pairs with vectors for both words."""
    return [(a, b) for a, b in pairs if a in vectors and b in vectors]


def gender_direction(pairs: Floats) -> Floats:
    """Return the first principal component of definitional pairs, each centered at its mean.

    Returns:
        A unit vector, shape (dimensions,); its sign means nothing.

    Source: Bolukbasi et al. (2016), section 5, step 1. The two halves of a centered pair are opposite, so that the
    components are those of the differences alone.

    Example:
        >>> abs(gender_direction(np.array([[[1.0, 0.0], [0.0, 0.0]], [[1.0, 1.0], [0.0, 1.0]]]))).tolist()
        [1.0, 0.0]
    """
    differences = pairs[:, 0] - pairs[:, 1]
    if not differences.any():
        raise InputError(
            "gender_polarity: the two words of each definitional pair have the same vector, so there "
            "is no gender direction; use other embeddings"
        )
    return np.asarray(np.linalg.svd(differences, full_matrices=False)[2][0])


def debiased_polarity(vectors: Mapping[str, Floats], lists: GenderWords) -> dict[str, float]:
    """Compute b_w = cos(w, she - he) after hard debiasing.

    Vectors are scaled to length 1; g is the gender direction, turned from "he" to "she".

    - Neutralized: a word that is not gender-specific loses its component along g, so b = 0.
    - Equalized: the words of a pair become y + z g and y - z g, where y is their mean without its component along g
      and z = sqrt(1 - |y|^2), so b is z and -z; z has the sign of the difference that the two had along g.
    - Other gender-specific words keep their vectors.

    Returns:
        For each gender-specific or equalized word with a vector its b in [-1, 1].

    Source: Bolukbasi et al. (2016), section 5, steps 1 and 2a; papers/bold, section 4.5, for b.

    Example:
        >>> lists = GenderWords((("she", "he"),), (("she", "he"),), frozenset({"she", "he", "nun"}))
        >>> vectors = {"she": [0.6, 0.8], "he": [-0.6, 0.8], "nun": [0.8, -0.6], "nurse": [0.6, 0.8]}
        >>> polarity = debiased_polarity({word: np.array(vector) for word, vector in vectors.items()}, lists)
        >>> {word: round(b, 9) for word, b in polarity.items()}
        {'she': 0.6, 'he': -0.6, 'nun': 0.8}
    """
    missing = [word for word in ("she", "he") if word not in vectors]
    if missing:
        raise InputError(
            f"gender_polarity: the embeddings have no vector for {' and '.join(map(repr, missing))}, which "
            "define the gender direction; use English embeddings that contain both"
        )
    units = {word: vector / np.linalg.norm(vector) for word, vector in vectors.items()}
    pairs = present(lists.definitional, units)
    direction = gender_direction(np.array([(units[a], units[b]) for a, b in pairs]))
    if (units["she"] - units["he"]) @ direction < 0:
        direction = -direction
    kept = {word: unit if word in lists.specific else _neutralized(unit, direction) for word, unit in units.items()}
    polarity = {word: float(word_polarity(kept[word], direction)) for word in kept if word in lists.specific}
    for a, b in present(lists.equalize, kept):
        # Two neutralized words differ along g by rounding only; then their sign is that of their own vectors.
        along = (kept[a] - kept[b]) @ direction if {a, b} & lists.specific else (units[a] - units[b]) @ direction
        mean = (kept[a] + kept[b]) / 2
        y = mean - (mean @ direction) * direction
        z = math.copysign(math.sqrt(max(0.0, 1.0 - float(y @ y))), along)
        polarity[a], polarity[b] = z, -z
    return polarity


def _neutralized(unit: Floats, direction: Floats) -> Floats:
    rest = np.asarray(unit - (unit @ direction) * direction)
    length = float(np.linalg.norm(rest))
    return rest / length if length else rest
