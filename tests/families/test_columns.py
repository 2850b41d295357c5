"""Columns: who needs and takes each, and what they are called."""

from __future__ import annotations

import pytest

from fairsum_utils.families import all_measures, families, family_of
from fairsum_utils.families.columns import GROUPS, PREDICTIONS


def test_who_needs_and_takes_a_column() -> None:
    assert not PREDICTIONS.needed_by("bur")
    assert PREDICTIONS._replace(needed=True).needed_by("bur")
    assert GROUPS._replace(needed=("hot",), taken=("hot", "cold")).needed_by("hot")
    assert not GROUPS._replace(needed=("hot",)).needed_by("cold")
    assert not GROUPS._replace(taken=("hot",)).takes("cold")


@pytest.mark.parametrize("name", all_measures())
def test_what_is_needed_can_be_used(name: str) -> None:
    family = family_of(name)
    known = [column.name for column in family.columns_of(name)]
    assert set(family.needed(name, ())) <= set(known)
    assert len(set(known)) == len(known)


def test_one_name_means_one_thing_in_all_families() -> None:
    entries: dict[str, set[tuple[str, str | None]]] = {}
    for family in families().values():
        for column in family.columns:
            entries.setdefault(column.name, set()).add((column.entry, column.in_file))
    assert all(len(senses) == 1 for senses in entries.values())
