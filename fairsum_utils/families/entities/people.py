"""Known-people table: male and female pronouns in texts about each person.

A table is a file of UTF-8 text, ``.tsv`` or ``.tsv.gz``: a header line ``title<TAB>male<TAB>female``, and a line for
each person with the name and the number of male and of female pronouns. ``tools/build_known_people.py`` makes one from
a Wikipedia dump or a Wikidata export.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from fairsum_utils.errors import InputError
from fairsum_utils.io.names import with_packing
from fairsum_utils.io.reading import check_input
from fairsum_utils.io.stores import as_path
from fairsum_utils.io.tables import read_table
from fairsum_utils.validation import describe

COLUMNS = ("title", "male", "female")
# Endings of the name of a table.
ENDINGS = with_packing([".tsv"])
# Digits of a number of pronouns; Python makes no number of thousands of them.
_LONGEST = 18
_MAKER = "tools/build_known_people.py"


def agreed(pairs: Iterable[tuple[str, str | None]]) -> dict[str, str | None]:
    """Return the group of each name, or None if its people differ.

    Source: Steen and Markert 2024, appendix F.

    Example:
        >>> agreed([("A. Lee", "male"), ("A. Lee", None), ("B. Lee", "male"), ("B. Lee", "female"), ("C. Lee", None)])
        {'A. Lee': 'male', 'B. Lee': None, 'C. Lee': None}
    """
    groups: dict[str, str | None] = {}
    differing = set()
    for name, group in pairs:
        known = groups.get(name)
        if known is None:
            groups[name] = group
        elif group not in (None, known):
            differing.add(name)
    return groups | dict.fromkeys(differing)


def read_people(path: str | Path) -> Mapping[str, str | None]:
    """Read a known-people table.

    Args:
        path: file name ending in ``.tsv`` or ``.tsv.gz``.

    Returns:
        Title -> the gender with more pronouns, ``"male"`` or ``"female"``; None for as many of both, none among them,
        and for people of the same title whose genders differ.

    Raises:
        InputError: the file is missing, its header differs or a line is malformed.
        FileError: the file cannot be unpacked.

    Source: Steen and Markert 2024, appendix F.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "people.tsv"
        >>> _ = path.write_text("title\\tmale\\tfemale\\nPat Nixon\\t3\\t41\\nFarai Sevenzo\\t0\\t0\\n")
        >>> read_people(path)
        {'Pat Nixon': 'female', 'Farai Sevenzo': None}
    """
    path = as_path(path, "people")
    check_input(path, ENDINGS, remedy=f"make it with {_MAKER}")
    people = agreed(_genders(path))
    if not people:
        raise InputError(f"{path}: the table has no people; make it again with {_MAKER}")
    return people


def _genders(path: Path) -> Iterator[tuple[str, str | None]]:
    for where, record in read_table(
        path, COLUMNS, what=f"a table made with {_MAKER}", delimiter="\t", quoting=csv.QUOTE_NONE
    ):
        title, *counts = fields = [record[name] for name in COLUMNS]
        if not title or not all(_is_number(count) for count in counts):
            raise InputError(
                f"{where}: expected a title and two whole numbers, found {describe(fields)}; make the table again with "
                f"{_MAKER}"
            )
        male, female = map(int, counts)
        yield title, None if male == female else "male" if male > female else "female"


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _LONGEST
