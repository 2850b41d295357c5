"""What holds for every measure, every setting and every front; whatever is added is held to it without being listed."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import pytest

import fairsum_utils
from fairsum_utils.cli.score import score
from fairsum_utils.cli.settings import chosen_settings
from fairsum_utils.errors import InputError
from fairsum_utils.families import Family, all_measures, families, family_of
from fairsum_utils.families.contract import FUNCTIONS, INSTEAD
from fairsum_utils.families.inputs import all_columns
from fairsum_utils.integrations.judging import Judge
from fairsum_utils.measures import Measure, get_measure


def by_score(measure: str, **settings: Any) -> object:
    return fairsum_utils.score(metrics=[measure], **settings)


def by_command(measure: str, *arguments: str) -> object:
    options = score.parsed(score.make_context("score", ["rows.jsonl", *arguments]))
    return chosen_settings(options, "score", [measure])


def options_of(measure: str, settings: Mapping[str, Any]) -> list[str]:
    """Settings as on the command line."""
    words = []
    for name, value in settings.items():
        text = ", ".join(f"{key} = {part!r}" for key, part in value.items()) if isinstance(value, dict) else str(value)
        words += ["--set", f"{name}={{{text}}}" if isinstance(value, dict) else f"{name}={text}"]
    return words


# Where settings are given: a measure, a keyword, an option.
FRONTS: dict[str, Callable[..., object]] = {
    "score": lambda name, **settings: fairsum_utils.score(metrics=[get_measure(name)(**settings)]),
    "compute": fairsum_utils.compute,
    "module": lambda name, **settings: fairsum_utils.load(name).compute(**settings),
    "command": lambda name, **settings: by_command(name, *options_of(name, settings)),
    "combine": lambda name, **settings: fairsum_utils.combine({"one": get_measure(name)(**settings)}),
    "Judge": Judge,
}
WRONG: list[tuple[str, dict[str, Any]]] = [
    ("bur", {"tau": 2.0}),
    ("uer", {"k": 0}),
    ("auc", {"n_points": 0}),
    ("sof", {"matcher": "bertscoer"}),
    ("bur", {"revision": "main"}),
    ("uer", {"target": {"pos": 0.5, "neg": 0.4}}),
    ("equal_coverage", {"sentence_model": "x"}),
    ("framing", {"label_map": {"POS": "good"}}),
    ("word_list_inclusion", {"word_lists": "helmet"}),
    ("toxicity", {"dtype": "float8"}),
]


def refusal(call: Callable[..., object], *arguments: Any, **settings: Any) -> str:
    with pytest.raises(InputError) as error:
        call(*arguments, **settings)
    return str(error.value)


@pytest.mark.parametrize("name", families())
def test_a_family_knows_itself(name: str) -> None:
    family = families()[name]
    assert isinstance(family, Family)
    assert type(family).__module__ == f"fairsum_utils.families.{name}"
    assert family.measures == tuple(measure for measure in all_measures() if get_measure(measure).family == name)
    assert len({column.name for column in family.columns}) == len(family.columns)
    assert all(url.startswith("https://") for url in family.urls)


@pytest.mark.parametrize("measure", all_measures())
def test_settings_are_complete_and_their_defaults_pass_their_checks(measure: str) -> None:
    kind = get_measure(measure)
    assert issubclass(kind, Measure)
    infos = kind.infos()
    assert {"empty", "confidence_level", "n_resamples", "seed", "return_samples"} <= set(infos)
    needed = {"lexicon": "x"} if "lexicon" in infos else {}
    for name, info in infos.items():  # a default is not checked when settings are made
        kept = getattr(kind(**{**needed, name: info.default}), name)
        assert (kept, type(kept)) == (info.default, type(info.default))


@pytest.mark.parametrize("measure", all_measures())
def test_every_setting_is_described_and_refuses_what_it_cannot_be(measure: str) -> None:
    kind = get_measure(measure)
    for name, info in kind.infos().items():
        assert info.help[0] not in " A"
        assert info.help[-1] not in ".;,"
        assert kind.model_fields[name].description == info.help
        for wrong in [object(), "", -1, 10**400] if info.type.startswith(("int", "float")) else [object()]:
            with pytest.raises(InputError, match=rf"^m: {name}\b.*, found "):
                family_of(measure).scorer((measure,), kind(**{name: wrong}, module="m"))


@pytest.mark.parametrize("measure", all_measures())
def test_a_slip_of_the_pen_is_said_in_the_same_words(measure: str) -> None:
    for reserved in ("metrics", "measures", "settings", "name"):
        assert f"unknown setting '{reserved}'" in refusal(get_measure(measure), **{reserved: ["bur"]})
        assert f"unknown setting '{reserved}'" in refusal(fairsum_utils.compute, measure, **{reserved: ["bur"]})
    message = refusal(get_measure(measure), sede=3)
    assert message.startswith(f"{measure}: unknown setting 'sede'; did you mean seed? The settings are ")
    assert refusal(fairsum_utils.compute, measure, sede=3).startswith(message)
    assert "unknown setting 'sede'; did you mean seed? The settings are " in refusal(by_score, measure, sede=3)


def lines(measure: str, settings: Mapping[str, Any]) -> dict[str, str]:
    """Front -> what it says, without the name of the measure or command."""
    return {name: refusal(front, measure, **settings).partition(": ")[2] for name, front in FRONTS.items()}


@pytest.mark.parametrize(("measure", "settings"), [*WRONG, *((name, {"seed": -1}) for name in all_measures())])
def test_a_wrong_setting_is_refused_in_one_line_which_is_the_same_from_every_front(
    measure: str, settings: dict[str, Any]
) -> None:
    record = lines(measure, settings)
    expected = record["score"]
    assert expected
    assert "\n" not in expected
    assert record == dict.fromkeys(FRONTS, expected)


@pytest.mark.parametrize("measure", all_measures())
def test_a_setting_in_vain_is_refused(measure: str) -> None:
    others = {name: other for other in all_measures() for name in get_measure(other).infos()}
    foreign = sorted(others.keys() - get_measure(measure).infos().keys())
    assert foreign
    for name in foreign:
        assert f"{measure}: unknown setting {name!r}" in refusal(get_measure(measure), **{name: 0.5})
    for name in foreign[:2]:  # the fronts say the same of all of them
        found = refusal(by_score, measure, **{name: 0.5})
        assert refusal(fairsum_utils.compute, measure, **{name: 0.5}).partition(": ")[2] == found.partition(": ")[2]
        assert re.search(rf"{name} applies only to .*\b{others[name]}\b", found)
        assert f"{measure} is requested; leave it out, or request " in found
        assert f"{name} applies only to " in refusal(by_command, measure, "--set", f"{name}=1")


@pytest.mark.parametrize("measure", all_measures())
def test_columns_are_those_of_the_family(measure: str) -> None:
    columns = all_columns([measure])
    assert list(columns) == [column.name for column in family_of(measure).columns_of(measure)]
    assert set(get_measure(measure).needed()) <= set(columns)


def parameters(family: Family, called: str) -> list[str]:
    return [*inspect.signature(getattr(family, called)).parameters]


@pytest.mark.parametrize("name", families())
def test_every_function_of_a_family_is_there_with_the_same_parameters(name: str) -> None:
    family = families()[name]
    for called, place in FUNCTIONS.items():
        found = getattr(family, called)
        assert found is getattr(family, called), "found once"
        if called not in INSTEAD:
            file, _, function = place.partition(".")
            module = import_module(f"fairsum_utils.families.{name}.{file}")
            assert found == (getattr(module, function, None) or getattr(module.ENGINE, function))
        assert parameters(family, called) == parameters(families()["representation"], called), called


@pytest.mark.parametrize("measure", all_measures())
def test_settings_that_change_rows_stand_in_the_signature(measure: str) -> None:
    family = family_of(measure)
    taken = get_measure(measure).infos()
    offline = {"entailer": "lexical"} if "entailer" in taken and family.name == "coverage" else {}
    every = [column.name for column in family.columns_of(measure)]
    given = every if family.name == "entities" else get_measure(measure).needed()  # given names need no model
    try:
        scorer = family.scorer((measure,), get_measure(measure)(**offline))
        signature = scorer.signature(measure, given)
    except InputError as error:
        pytest.skip(f"needs a model or a file: {error}")
    keys = {*signature, "reasoning"}  # which the pass adds where there was any, see `tests/session/test_passes.py`
    if "lexical(" in str(signature.get("entailer")):  # which names its normalizer in brackets
        keys.add("norm")
    assert {info.key for info in taken.values() if info.key is not None and info.stage == "rows"} <= keys
