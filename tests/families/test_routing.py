"""Which settings go to whom: the same words for the same mistake, whatever the front."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from fairsum_utils.families.routing import (
    describe_columns,
    describe_settings,
    route,
    split_arguments,
)

from fairsum_utils.errors import InputError
from fairsum_utils.families import all_measures, family_of


def refusal(measures: list[str], shared: dict[str, Any], **each: Any) -> str:
    with pytest.raises(InputError) as error:
        route("score", {name: name for name in measures}, shared, each)
    return str(error.value)


def test_each_measure_gets_what_it_takes() -> None:
    asked = {"bur": "bur", "lenient": "bur", "auc": "auc"}
    assert route("score", asked, {"tau": 0.9, "n_points": 10, "k": 2}, {"lenient": {"tau": 0.5}}) == {
        "bur": {"tau": 0.9, "k": 2},
        "lenient": {"tau": 0.5, "k": 2},
        "auc": {"n_points": 10, "k": 2},
    }


@pytest.mark.parametrize(
    ("measures", "shared", "message"),
    [
        (["uer"], {"tau": 1}, "score: tau applies only to bur"),
        (
            ["uer", "coverage_parity"],
            {"alpha": 0.1},
            "score: alpha applies only to equal_coverage, but uer, coverage_parity are requested; leave it out, or "
            "request equal_coverage",
        ),
        (["bur"], {"taux": 1}, "score: unknown setting 'taux'; did you mean tau? The settings are matcher, "),
        (["bur"], {"metrics": ["bur"]}, "score: unknown setting 'metrics'"),
        (["bur"], {"module": "x"}, "score: unknown setting 'module'"),
    ],
)
def test_settings_that_nobody_takes(measures: list[str], shared: dict[str, Any], message: str) -> None:
    assert refusal(measures, shared).startswith(message)


def test_a_name_with_several_senses_is_given_under_the_measure() -> None:
    assert refusal(["sentiment", "toxicity"], {"threshold": 0.8}) == (
        "score: threshold means something different for each of sentiment, toxicity; give it by measure, as in "
        "toxicity={'threshold': 0.8}"
    )
    asked = {name: name for name in ("sentiment", "toxicity")}
    assert route("score", asked, {}, {"toxicity": {"threshold": 0.8}})["toxicity"] == {"threshold": 0.8}
    assert route("score", {"sentiment": "sentiment"}, {"threshold": 0.4}) == {"sentiment": {"threshold": 0.4}}


def test_columns_are_told_from_settings() -> None:
    columns, settings = split_arguments(
        "score", {"bur": "bur"}, {"predictions": ["a"], "values": None, "groups": None, "tau": 0.5, "bur": {"k": 2}}
    )
    assert (columns, settings) == ({"predictions": ["a"]}, {"bur": {"tau": 0.5, "k": 2}})
    with pytest.raises(InputError, match=r"the column groups applies only to sentiment, .*, but bur is requested"):
        split_arguments("score", {"bur": "bur"}, {"groups": ["a"]})


@pytest.mark.parametrize("name", all_measures())
def test_every_setting_and_column_has_a_line(name: str) -> None:
    settings, columns = describe_settings([name]), describe_columns([name])
    family = family_of(name)
    for setting, info in family.taken(name).items():
        assert f"    {setting} ({info.type})" in settings
        assert info.help[-1] not in ".;,"
    assert all(f"    {column.name} (list of " in columns for column in family.columns_of(name))
    assert max(map(len, f"{settings}\n{columns}".splitlines())) <= 120


def test_cards_and_stubs_are_current(repository: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """If this fails, run: python tools/build_documents.py"""
    monkeypatch.syspath_prepend(repository / "tools")
    assert importlib.import_module("build_documents").outdated() == []
