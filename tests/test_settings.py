"""Settings: what they may be, how mistakes are told, and what signatures, help and flags read from them."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import numpy as np
import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.measures import Measure, get_measure
from fairsum_utils.measures.bur import BUR
from fairsum_utils.measures.toxicity import Toxicity
from fairsum_utils.settings import (
    Checked,
    Fraction,
    Location,
    Positive,
    Resampling,
    Settings,
    Threshold,
    as_given,
    override,
    setting,
    type_name,
    whole,
)


class Soup(Measure):
    """A made-up measure."""

    size: Annotated[int, whole(1)] = setting(2, "bowls", key="size")
    salt: Positive | None = setting(None, "grams", key="salt", stage="results")
    kind: Literal["clear", "thick"] = setting("clear", "of soup", space=True)
    bowls: Annotated[int, whole(1, 5)] = setting(2, "at most a few")
    label: str | None = setting(None, "of the soup")
    garnish: Annotated[Any, Checked(as_given)] = setting(None, "anything")
    hot_pot: bool = setting(False, "whether it is in a pot")
    share: Fraction = setting(0.5, "of the guests", stage="results")
    limit: Threshold = setting(0.5, "of heat")
    recipe: Location | None = setting(None, "where it is written")
    taste: Annotated[str | Callable[..., Any], Checked(as_given, ("salty", "sweet"))] = setting("salty", "of the soup")
    empty: Literal["skip", "fill", "error"] = setting("skip", "an empty bowl", shared=True)  # type: ignore[assignment]

    def check_together(self) -> None:
        """Refuse a pot of clear soup."""
        super().check_together()
        self.only_with(self.kind == "thick", ("hot_pot", "garnish"), "thick soup", "leave it out")


class Cold(Soup):
    """A soup without random draws, and with another amount of salt."""

    seed: None = None
    salt: Positive | None = override(Soup, "salt", default=0.5, help="grams of sea salt", key="sea")


def refusal(settings: type[Settings], given: dict[str, Any]) -> str:
    with pytest.raises(InputError) as error:
        settings.make(given, module="stew")
    return str(error.value)


@pytest.mark.parametrize("value", ["samples", None])
def test_a_class_can_lack_a_setting_of_its_base(value: object) -> None:
    assert [name for name in Soup.infos() if name not in Cold.infos()] == ["seed"]
    assert refusal(Cold, {"seed": value}).startswith("stew: unknown setting 'seed'. The settings are salt, ")
    with pytest.raises(InputError, match=r"^toxicity: unknown setting 'bootstrap'"):
        Toxicity(bootstrap=value)


def test_some_facts_of_a_setting_can_be_overridden() -> None:
    before, after = Soup.infos()["salt"], Cold.infos()["salt"]
    assert (Cold().salt, after.default, after.help, after.key) == (0.5, 0.5, "grams of sea salt", "sea")
    assert after == before._replace(default=0.5, help="grams of sea salt", key="sea")
    assert (before.default, before.stage, before.type, before.bounds) == (None, "results", "float | None", (0.0, None))


def test_own_settings_come_before_shared_ones() -> None:
    assert list(Soup.infos()) == [
        "size", "salt", "kind", "bowls", "label", "garnish", "hot_pot", "share", "limit", "recipe", "taste",
        "confidence_level", "n_resamples", "bootstrap", "seed", "empty", "reasoning", "unlabelled", "return_samples",
    ]  # fmt: skip


def test_help_and_spaces_read_settings() -> None:
    infos = Soup.infos()
    assert (infos["kind"].choices, infos["kind"].space, infos["taste"].choices) == (
        ("clear", "thick"), ("clear", "thick"), ("salty", "sweet"),
    )  # fmt: skip
    assert [infos[name].bounds for name in ("size", "share", "salt", "label")] == [
        (1, None), (0.0, 1.0), (0.0, None), (None, None),
    ]  # fmt: skip
    types = {"size": "int", "salt": "float | None", "kind": "str", "hot_pot": "bool", "taste": "str | Callable"}
    assert {name: infos[name].type for name in types} == types
    assert infos["recipe"].type == "str | Path | None"
    assert type_name(Mapping[str, list[int]] | None) == "Mapping[str, list[int]] | None"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"size": 0}, "size must be a whole number of at least 1, found int 0"),
        ({"size": [2]}, "size must be a whole number of at least 1, found list [2]"),
        ({"bowls": 10**7}, "bowls must be at most 5, found int 10000000"),
        ({"salt": 0}, "salt must be a finite number above 0, found int 0"),
        ({"salt": np.float64("nan")}, "salt must be a finite number above 0, found NaN"),
        ({"salt": 1e308}, "salt must lie between 1e-06 and 1000000.0, found float 1e+308"),
        ({"share": 1.01}, "share must be a number in [0, 1], found float 1.01"),
        ({"limit": 0}, "limit must be above 0 and at most 1, found int 0"),
        ({"label": np.array(["a", "b"])}, "label must be a string, found list ['a', 'b']"),
        ({"recipe": 3}, "recipe must be a string or a path, found int 3"),
        ({"garnish": np.array([1, 2])}, "garnish applies only to thick soup, found tuple (1, 2); leave it out"),
        ({"kind": "thik"}, "kind must be one of clear, thick, found str 'thik'; did you mean thick?"),
        ({"hot_pot": 1}, "hot_pot must be True or False, found int 1"),
        ({"hot_pot": True}, "hot_pot applies only to thick soup, found bool True; leave it out"),
        ({"empty": "uniform"}, "empty must be one of skip, fill, error, found str 'uniform'"),
        ({"confidence_level": 1}, "confidence_level must lie between 0 and 1 (None for no interval), found int 1"),
        ({"sise": 3}, "unknown setting 'sise'; did you mean size? The settings are size, salt, kind"),
        ({"_module": 3}, "unknown setting '_module'"),
    ],
)
def test_refusals(given: dict[str, Any], message: str) -> None:
    refused = refusal(Soup, given)
    assert refused.startswith(f"stew: {message}")
    assert "\n" not in refused


def test_a_measure_names_itself_in_messages() -> None:
    with pytest.raises(InputError, match=r"^bur: tau must be a number in \[0, 1\], found int 2$"):
        BUR(tau=2)
    with pytest.raises(InputError, match=r"^strict: tau must be a number"):
        BUR(module="strict").replace(tau=2)
    with pytest.raises(InputError, match=r"^bur: unknown setting 'taux'; did you mean tau\?"):
        BUR(taux=2)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"size": np.int64(3)}, 3),
        ({"salt": np.float32(0.5)}, 0.5),
        ({"share": np.array(0.25)}, 0.25),
        ({"hot_pot": np.False_}, False),
        ({"kind": np.str_("thick")}, "thick"),
        ({"garnish": [1, [2]], "kind": "thick"}, (1, [2])),
        ({"garnish": np.array([1.0, 2.0]), "kind": "thick"}, (1.0, 2.0)),
    ],
)
def test_values_of_numpy_and_lists_become_plain_ones(given: dict[str, Any], kept: object) -> None:
    found = getattr(Soup(**given), next(iter(given)))
    assert (found, type(found)) == (kept, type(kept))


def test_equal_whatever_the_container_the_order_and_the_caller() -> None:
    one = Soup(kind="thick", garnish={"a": [1, 2], "b": {"c": 3}}, module="stew")
    other = Soup(kind="thick", garnish={"b": {"c": 3}, "a": (1, 2)})
    assert (one == other, hash(one) == hash(other), len({one, other})) == (True, True, 1)
    different = Soup(kind="thick", garnish={"a": [1, 2], "b": {"c": 4}})
    assert (one == different, len({one, different})) == (False, 2)
    assert Soup() == Soup(size=2)
    assert Soup() != Cold(salt=None)
    assert Soup() != "Soup()"


def test_a_copy_with_changes() -> None:
    soup = Soup(size=3, module="stew")
    copy = soup.replace(salt=2)
    assert (copy.size, copy.salt, copy.module, soup.salt) == (3, 2.0, "stew", None)
    assert copy.given() == {"size": 3, "salt": 2.0}
    assert copy.replace(salt=None) == soup
    with pytest.raises(InputError, match="stew: hot_pot applies only to thick soup"):
        soup.replace(hot_pot=True)


def test_they_are_frozen_and_survive_the_way_to_another_process() -> None:
    shares = {"a": 0.5, "b": 0.5}
    settings = BUR(tau=0.9, target=shares, k=1, seed=5, module="stew")
    shares["c"] = 1.0
    assert settings.target == {"a": 0.5, "b": 0.5}
    with pytest.raises(AttributeError, match="frozen"):
        settings.tau = 0.5
    copy = pickle.loads(pickle.dumps(settings))
    assert (copy, hash(copy), copy.module, copy.given()) == (settings, hash(settings), "stew", settings.given())
    assert repr(settings) == "BUR(seed=5, target={'a': 0.5, 'b': 0.5}, tau=0.9)"


def test_a_fresh_seed_only_where_none_is_given() -> None:
    assert Resampling(seed=3).seeded().seed == 3
    first, second = (Resampling(seed=None).seeded().seed for _ in range(2))
    assert isinstance(first, int)
    assert first != second


def test_a_class_shows_its_settings_before_its_first_use() -> None:
    class Unused(BUR):
        """A class without an instance."""

    shown = inspect.signature(Unused)
    assert shown.parameters["tau"].default == 0.8
    Unused()
    assert inspect.signature(Unused) == shown
    assert shown.parameters.keys() >= Unused.infos().keys()


def test_what_a_signature_takes_from_the_results_stage() -> None:
    assert Soup(salt=2).keyed("soup", "confidence_level") == {
        "salt": 2.0, "resamples": 1000, "boot": None, "seed": 0, "unlabelled": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("measure", "name"),
    [
        ("uer", "matcher"),
        ("equal_coverage", "splitter"),
        ("omission", "finder"),
        ("framing", "model"),
    ],
)
def test_a_class_is_no_function(measure: str, name: str) -> None:
    with pytest.raises(InputError, match=rf"^{measure}: {name} must be .*found type <class 'object'>$"):
        get_measure(measure).make({name: object}, module=measure)
