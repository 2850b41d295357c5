"""Columns of several measures together, and how columns and settings are described."""

from __future__ import annotations

from typing import Any

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families import all_measures, families, family_of
from fairsum_utils.families.inputs import all_columns, check_given, column_takers, describe_columns, kind_name
from fairsum_utils.measures import get_measure
from fairsum_utils.settings import describe_settings
from tests.conftest import load_script


def test_columns_of_several_measures() -> None:
    columns = all_columns(["bur", "word_list_inclusion", "sentiment"])
    assert columns["sources"].needed == ("bur", "word_list_inclusion")
    assert columns["predictions"].taken == ("bur", "word_list_inclusion", "sentiment")
    assert columns["groups"].taken == ("sentiment",)
    # One reads a text or several, the other only several: entries are such as both can read.
    assert kind_name(all_columns(["word_list_inclusion"])["sources"].kind) == "str or list of str"
    assert kind_name(columns["sources"].kind) == kind_name(all_columns(["bur"])["sources"].kind) == "list of str"


def test_takers_are_those_that_list_the_column() -> None:
    for name in all_columns(all_measures()):
        assert column_takers(name) == [measure for measure in all_measures() if name in all_columns([measure])] != []
    assert column_takers("reviews") == []


def test_one_name_means_one_thing_in_all_families() -> None:
    entries: dict[str, set[tuple[str, str | None]]] = {}
    for family in families().values():
        for column in family.columns:
            entries.setdefault(column.name, set()).add((column.entry, column.in_file))
    assert all(len(senses) == 1 for senses in entries.values())


def test_missing_columns() -> None:
    needed = {"predictions": ["bur"], "sources": ["bur", "strict"], "values": ["bur"]}
    check_given("score", needed, ["values", "predictions", "sources"])
    with pytest.raises(InputError) as error:
        check_given("score", needed, ["predictions"])
    assert str(error.value) == (
        "score: missing: sources (needed by bur, strict), values (needed by bur). Given: predictions"
    )
    with pytest.raises(InputError, match=r"values \(needed by bur\)\. Given: none$"):
        check_given("score", needed, [])


@pytest.mark.parametrize("name", all_measures())
def test_every_setting_and_column_has_a_line(name: str) -> None:
    infos = get_measure(name).infos()
    settings, columns = describe_settings(infos.values()), describe_columns(name)
    assert all(f"{setting} ({info.type}): {info.help[:20]}" in settings for setting, info in infos.items())
    assert all(f"{column.name} (list of " in columns for column in family_of(name).columns_of(name))
    assert max(map(len, f"{settings}\n{columns}".splitlines())) <= 120


def test_cards_are_current(repository: Any) -> None:
    """If this fails, run: python tools/build_documents.py"""
    assert load_script(repository / "tools" / "build_documents.py").outdated() == []
