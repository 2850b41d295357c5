"""Build people.txt.gz: nouns for persons, names of well-known persons, and names of places.

    python tools/build_people.py path/to/wordnet/dict

The path holds WordNet 3.0's index.noun and data.noun (Debian: wordnet-base). A noun is listed if its first sense is a
person and it is no adjective or adverb. Names are those of WordNet's instances; of places only those of four letters or
more that are no common first names.
"""

from __future__ import annotations

import sys
from pathlib import Path

from _common import write_table

from fairsum_utils._util.resources import read_lines, read_words

PERSON, PLACE = "18", "15"
# Percent of men or women, above which a place is more often a first name.
_COMMON = 0.02


def main(folder: Path) -> None:
    """Write `kind<TAB>word`, sorted."""
    files, instances, spelled = {}, set(), {}
    for line in _records(folder / "data.noun"):
        fields = line.split(" ")
        offset, file, n_words = fields[0], fields[1], int(fields[3], 16)
        files[offset] = file
        spelled[offset] = [word.replace("_", " ") for word in fields[4 : 4 + 2 * n_words : 2]]
        if "@i" in fields:
            instances.add(offset)
    described = {line.split(" ")[0] for name in ("index.adj", "index.adv") for line in _records(folder / name)} - set(
        read_words("person")
    )
    names = (line.split("\t") for line in read_lines("first_names.txt.gz"))
    firsts = {name for name, male, female in names if max(float(male), float(female)) > _COMMON}
    entries = set()
    for line in _records(folder / "index.noun"):
        fields = line.split()
        first = next(field for field in fields if len(field) == 8 and field.isdigit())
        word = fields[0]
        plain = word.isalpha() and word in spelled[first] and word not in described
        if files[first] == PERSON and first not in instances and plain:
            entries.add(("noun", word))
    for offset in instances:
        for name in spelled[offset]:
            if files[offset] == PERSON and name[0].isupper():
                entries.add(("person" if " " in name else "surname", name))
            if files[offset] == PLACE and name[0].isupper() and len(name) > 3 and name.lower() not in firsts:
                entries.add(("place", name))
    write_table("people.txt.gz", (f"{kind}\t{name}" for kind, name in sorted(entries)))


def _records(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("  ")]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
