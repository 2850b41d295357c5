"""What holds for every measure, every setting and every front; whatever is added is held to it without being listed."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

import fairsum_utils
from fairsum_utils.cli.command import names_of
from fairsum_utils.cli.options import chosen_settings
from fairsum_utils.cli.score import score
from fairsum_utils.errors import InputError
from fairsum_utils.families import Family, all_measures, families, family_of
from fairsum_utils.families.contract import INSTEAD, VERBS, summary_measures
from fairsum_utils.families.routing import all_columns, derive_signature, describe_settings
from fairsum_utils.measures import Measure, get_measure
from fairsum_utils.session import Request, Session
from fairsum_utils.training.metrics import make_compute_metrics

SETTINGS = [(measure, name) for measure in all_measures() for name in family_of(measure).taken(measure)]
# A measure, a setting that it does not take, and a measure that does.
FOREIGN = [
    (measure, min(set(family_of(other).taken(other)) - set(family_of(measure).taken(measure))), other)
    for measure in all_measures()
    for other in all_measures()
    if set(family_of(other).taken(other)) - set(family_of(measure).taken(measure))
]


def in_session(measure: str, **settings: Any) -> object:
    return Session([Request(measure, settings=settings)])


def by_score(measure: str, **settings: Any) -> object:
    return fairsum_utils.score(metrics=[measure], **settings)


def by_compare(measure: str, **settings: Any) -> object:
    return fairsum_utils.compare(metrics=[measure], **settings)


def in_training(measure: str, **settings: Any) -> object:
    return make_compute_metrics(None, {"sources": [], "values": []}, metrics=[measure], **settings)


def by_command(measure: str, *arguments: str) -> object:
    options = score.parsed(score.make_context("score", ["rows.jsonl", *arguments]))
    return chosen_settings(options, "score", [measure])


def refusal(call: Callable[..., object], *arguments: Any, **settings: Any) -> str:
    with pytest.raises(InputError) as error:
        call(*arguments, **settings)
    return str(error.value)


@pytest.mark.parametrize("name", families())
def test_a_family_knows_itself(name: str) -> None:
    family = families()[name]
    assert isinstance(family, Family)
    assert type(family).__module__ == f"fairsum_utils.families.{name}.family"
    assert family.measures == tuple(measure for measure in all_measures() if get_measure(measure).family == name)
    assert len({column.name for column in family.columns}) == len(family.columns)
    assert all(url.startswith("https://") for url in family.urls)


@pytest.mark.parametrize("measure", all_measures())
def test_settings_are_complete_and_their_defaults_pass_their_checks(measure: str) -> None:
    settings = get_measure(measure)
    assert issubclass(settings, Measure)
    taken = family_of(measure).taken(measure)
    assert {"empty", "confidence_level", "n_resamples", "seed", "return_samples"} <= set(taken)
    for setting, info in taken.items():  # a default is not checked when settings are made
        if info.check is not None and info.default is not None:
            assert repr(info.check("m", setting, info.default)) == repr(info.default)
    with pytest.raises(AttributeError, match="frozen"):
        settings(**({"lexicon": "x"} if "lexicon" in taken else {})).seed = 3


@pytest.mark.parametrize(("measure", "name"), SETTINGS)
def test_every_setting_refuses_what_it_cannot_be(measure: str, name: str) -> None:
    family = family_of(measure)
    is_number = family.taken(measure)[name].type.startswith(("int", "float"))
    for wrong in [object(), "", -1, 10**400] if is_number else [object()]:
        with pytest.raises(InputError, match=rf"^m: {name}\b.*, found "):
            family.scorer((measure,), get_measure(measure).make({name: wrong}, measure=measure, module="m"))


@pytest.mark.parametrize(("measure", "name"), SETTINGS)
def test_every_setting_is_described_and_reaches_every_front(measure: str, name: str) -> None:
    info = family_of(measure).taken(measure)[name]
    assert info.help[0] not in " A"
    assert not info.help.endswith(".")
    for function in (fairsum_utils.score, fairsum_utils.compute, fairsum_utils.compare):
        assert name in inspect.signature(function).parameters
        assert f"{name}" in (function.__doc__ or "") or function is fairsum_utils.compute
    assert derive_signature([measure]).parameters[name].default == info.default
    assert name in describe_settings([measure])
    if info.flag is not None:
        assert f"--{info.flag}" in names_of(score)


@pytest.mark.parametrize("measure", all_measures())
@pytest.mark.parametrize("front", [in_session, by_score, fairsum_utils.compute])
def test_a_slip_of_the_pen_is_said_in_the_same_words(front: Callable[..., object], measure: str) -> None:
    found = refusal(front, measure, sede=3)
    assert "unknown setting 'sede'; did you mean seed? The settings are " in found
    said = found.partition(": ")[2]
    assert said == refusal(in_session, measure, sede=3).partition(": ")[2]


@pytest.mark.parametrize("measure", summary_measures())
@pytest.mark.parametrize("front", [by_compare, in_training])
def test_training_and_comparing_say_it_too(front: Callable[..., object], measure: str) -> None:
    said = refusal(in_session, measure, sede=3).partition(": ")[2]
    assert refusal(front, measure, sede=3).partition(": ")[2] == said


@pytest.mark.parametrize(("measure", "name", "taker"), FOREIGN)
def test_a_setting_in_vain_is_refused(measure: str, name: str, taker: str) -> None:
    for front in (by_score, fairsum_utils.compute):
        found = refusal(front, measure, **{name: 0.5})
        assert f"{name} applies only to " in found
        assert taker in found
        assert f"{measure} is requested; leave it out, or request " in found
    info = family_of(taker).taken(taker)[name]
    if info.flag is not None:
        given = [f"--{info.flag}"] if info.const is not None else [f"--{info.flag}", "1"]
        assert f"--{info.flag} applies only to " in refusal(by_command, measure, *given)


@pytest.mark.parametrize("reserved", ["metrics", "module", "measures", "settings", "name"])
def test_names_of_the_library_are_no_settings(reserved: str) -> None:
    for front in (in_session, fairsum_utils.compute):
        assert f"unknown setting '{reserved}'" in refusal(front, "bur", **{reserved: ["bur"]})


@pytest.mark.parametrize("measure", all_measures())
def test_columns_are_those_of_the_signature(measure: str) -> None:
    columns = all_columns([measure])
    assert list(derive_signature([measure]).parameters)[: len(columns)] == list(columns)
    assert set(family_of(measure).needed(measure, ())) <= set(columns)


def parameters(family: Family, verb: str) -> list[str]:
    return [*inspect.signature(getattr(family, verb)).parameters]


@pytest.mark.parametrize("name", families())
def test_every_verb_is_a_function_of_the_family_with_the_same_parameters(name: str) -> None:
    family = families()[name]
    for verb, place in VERBS.items():
        if verb in ("draw", "compare") and not family.comparable:
            with pytest.raises(TypeError, match=rf"the family {name} has no function \w+_systems in .*\.{name}\."):
                getattr(family, verb)
            continue
        found = getattr(family, verb)
        assert found is getattr(family, verb), "found once"
        if verb not in INSTEAD and verb != "file_records":
            file, _, function = place.partition(".")
            assert found == vars(import_module(f"fairsum_utils.families.{name}.{file}"))[function]
        assert parameters(family, verb) == parameters(families()["representation"], verb), verb


@pytest.mark.parametrize("measure", all_measures())
def test_settings_that_change_rows_stand_in_the_signature(measure: str) -> None:
    family = family_of(measure)
    taken = family.taken(measure)
    offline = {"entailer": "lexical"} if "entailer" in taken and family.name == "coverage" else {}
    every = [column.name for column in family.columns_of(measure)]
    given = every if family.name == "entities" else family.needed(measure, ())  # given names need no model
    try:
        scorer = family.scorer((measure,), get_measure(measure)(module=measure, **offline))
        signature = scorer.signature(measure, given)
    except InputError as error:
        pytest.skip(f"needs a model or a file: {error}")
    keys = {*signature, "reasoning"}  # which the pass adds where there was any, see `tests/session/test_passes.py`
    if "lexical(" in str(signature.get("entailer")):  # which names its normalizer in brackets
        keys.add("norm")
    assert {info.key for info in taken.values() if info.key is not None and info.stage == "rows"} <= keys
