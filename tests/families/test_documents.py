"""Settings and columns in words, and the files that are made of them."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import pytest

import fairsum_utils
from fairsum_utils.families import all_measures, family_of
from fairsum_utils.families.documents import (
    BY_MEASURE,
    all_columns,
    derive_signature,
    describe_columns,
    describe_settings,
    tables,
)

EVERY = [
    (name, setting) for name in all_measures() for setting in family_of(name).taken(name)
]  # fmt: skip


@pytest.mark.parametrize("call", ["score", "compute", "compare"])
def test_the_help_of_a_call_shows_every_setting(call: str) -> None:
    function = getattr(fairsum_utils, call)
    parameters = inspect.signature(function).parameters
    assert {setting for _, setting in EVERY} <= parameters.keys()
    if call != "compute":  # which refers to score
        assert all(f"\n    {setting} (" in function.__doc__ for _, setting in EVERY)


def test_defaults_in_signatures() -> None:
    parameters = inspect.signature(fairsum_utils.score).parameters
    assert (parameters["tau"].default, parameters["threshold"].default) == (0.8, BY_MEASURE)
    assert repr(BY_MEASURE) == "<by measure>"
    assert derive_signature(["sentiment"]).parameters["threshold"].default == 0.5


@pytest.mark.parametrize("name", all_measures())
def test_every_setting_and_column_has_a_line(name: str) -> None:
    settings, columns = describe_settings([name]), describe_columns([name])
    family = family_of(name)
    for setting, info in family.taken(name).items():
        assert f"    {setting} ({info.type})" in settings
        assert info.help[-1] not in ".;,"
    assert all(f"    {column.name} (list of " in columns for column in family.columns_of(name))
    assert max(map(len, f"{settings}\n{columns}".splitlines())) <= 120
    made = tables(name)
    assert made["setting"].count("\n") == len(family.taken(name)) + 1
    assert made["column"].count("\n") == len(family.columns_of(name)) + 1


@pytest.mark.parametrize(
    "measures",
    [
        ("bur", "word_list_inclusion", "sentiment"),
        ("sentiment", "word_list_inclusion", "bur"),
        ("distinguishability", "sentiment", "bur", "entity_hallucination"),
        all_measures(),
    ],
)
def test_a_column_of_several_families_is_as_each_measure_has_it(measures: tuple[str, ...]) -> None:
    columns, described = all_columns(measures), describe_columns(measures)
    for measure in measures:
        taken = {column.name: column for column in family_of(measure).columns_of(measure)}
        for name, column in columns.items():
            assert column.takes(measure) == (name in taken)
            assert column.needed_by(measure) == (name in taken and taken[name].needed_by(measure))
            if name in taken:
                assert taken[name].help in column.help
    # Sources that are a text each would do for inclusion, but not for BUR, in whatever order they are asked for.
    assert columns["sources"].kind == list[str]
    assert "    sources (list of list of str): the source texts of a sample" in described
    assert "    sources (list of str or list of str): the text that a summary was made from" in described
    assert "    groups (list of str, optional): " in described


def test_cards_and_stubs_are_current(repository: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """If this fails, run: python tools/build_documents.py"""
    monkeypatch.syspath_prepend(repository / "tools")
    assert importlib.import_module("build_documents").outdated() == []
