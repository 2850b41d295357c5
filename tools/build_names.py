"""Build first_names.txt.gz (1990 US census) and bbq_names.txt.gz (names by ethnicity).

    python tools/build_names.py NAMES

NAMES is the folder with dist.male.first and dist.female.first of the US Census Bureau's "Frequently Occurring Surnames
from Census 1990 - Names Files", and vocabulary_proper_names.csv from nyu-mll/BBQ, templates folder (Parrish et al.
2022).
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from _common import write_table

GENDERS = {"M": "male", "F": "female", "": ""}


def percents(path: Path) -> dict[str, str]:
    """First name, lower-case -> percent of people of that gender, as printed."""
    rows = (line.split() for line in path.read_text(encoding="ascii").splitlines())
    return {name.lower(): percent for name, percent, _, _ in rows}


def census_lines(folder: Path) -> list[str]:
    """`name<TAB>male percent<TAB>female percent`, sorted; 0 where a list does not have the name."""
    male, female = (percents(folder / f"dist.{gender}.first") for gender in ("male", "female"))
    return [f"{name}\t{male.get(name, '0')}\t{female.get(name, '0')}" for name in sorted(male | female)]


def bbq_lines(path: Path) -> list[str]:
    """`name<TAB>first or last<TAB>gender or nothing<TAB>ethnicity`, in the published order.

    The names of kind `first_only` are left out: they have no ethnicity, and are the census's most frequent.
    """
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["ethnicity"]]
    fields = ((row["Name"], row["First_last"], GENDERS[row["gender"]], row["ethnicity"].lower()) for row in rows)
    return ["\t".join(field.strip() for field in line) for line in fields]


def main(folder: str) -> None:
    """Write the two tables."""
    write_table("first_names.txt.gz", census_lines(Path(folder)))
    write_table("bbq_names.txt.gz", bbq_lines(Path(folder) / "vocabulary_proper_names.csv"))


if __name__ == "__main__":
    main(sys.argv[1])
