"""Columns: who needs and takes each, and what they are called."""

from __future__ import annotations

from fairsum_utils.families import families


def test_one_name_means_one_thing_in_all_families() -> None:
    entries: dict[str, set[tuple[str, str | None]]] = {}
    for family in families().values():
        for column in family.columns:
            entries.setdefault(column.name, set()).add((column.entry, column.in_file))
    assert all(len(senses) == 1 for senses in entries.values())
