"""Settings that describe themselves: checks, messages, names, and what a signature takes from them."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import fairsum_utils
from fairsum_utils.errors import InputError
from fairsum_utils.measures import Measure
from fairsum_utils.settings import Resampling, check_positive, setting

COLUMNS: dict[str, Any] = {
    "predictions": ["Tasty soup"] * 3,
    "sources": [["Tasty", "slow"]] * 3,
    "values": [["p", "q"]] * 3,
}


class Soup(Measure):
    """Settings of a made-up family of the measures hot and cold."""

    size: int = setting(2, "bowls", least=1, key="size")
    salt: float | None = setting(None, "grams", check=check_positive, only=("hot",), key="salt", stage="results")
    kind: str = setting("clear", "of soup", choices=("clear", "thick"))
    bowls: int = setting(2, "at most a few", least=1, most=5)
    name: str | None = setting(None, "of the soup")
    extra: object = setting(None, "anything")
    hot_pot: bool = setting(False, "whether it is in a pot", flag="pot", const=True)
    empty: str = setting("skip", "an empty bowl", choices=("skip", "fill", "error"), shared=True)

    prefix = "soup"

    def check_together(self) -> None:
        """Refuse a pot of clear soup."""
        super().check_together()
        self.only_with(self.kind == "thick", ("hot_pot", "extra"), "thick soup", "leave it out")


def refusal(**given: Any) -> str:
    with pytest.raises(InputError) as error:
        Soup.make(given, module="stew")
    return str(error.value)


def test_a_plain_value_takes_a_setting_away() -> None:
    class Cold(Soup):
        seed: int | None = 7

    class Iced(Cold):
        salt: float = 0.5

    assert [name for name in Soup.infos() if name not in Cold.infos()] == ["seed"]
    assert [name for name in Cold.infos() if name not in Iced.infos()] == ["salt"]
    assert (Iced().seed, Iced().salt) == (7, 0.5)
    with pytest.raises(InputError, match="unknown setting 'seed'"):
        Iced.make({"seed": 1})


def test_own_settings_come_before_shared_ones() -> None:
    assert list(Soup.infos()) == [
        "size", "salt", "kind", "bowls", "name", "extra", "hot_pot", "confidence_level", "n_resamples",
        "bootstrap", "seed", "empty", "reasoning", "unlabelled", "return_samples",
    ]  # fmt: skip


def test_names_on_the_command_line() -> None:
    flags = {name: info.flag for name, info in Soup.infos().items()}
    # Own ones begin with the prefix, shared ones do not; records are no option of the command.
    assert (flags["size"], flags["hot_pot"], flags["empty"], flags["return_samples"]) == (
        "soup-size", "soup-pot", "empty", None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"size": 0}, "stew: size must be a whole number of at least 1, found int 0"),
        ({"size": True}, "stew: size must be a whole number of at least 1, found bool True"),
        ({"size": 10**400}, "stew: size must be at most 2**63 - 1, found int "),
        ({"bowls": 10**7}, "stew: bowls must be at most 5, found int 10000000"),
        ({"salt": 0}, "stew: salt must be a finite number above 0, found int 0"),
        ({"salt": 1e308}, "stew: salt must lie between 1e-06 and 1000000.0, found float 1e+308"),
        ({"name": np.array(["a", "b"])}, "stew: name must be a string, found ndarray"),
        ({"name": 3}, "stew: name must be a string, found int 3"),
        (
            {"extra": np.array([1, 2])},
            "stew: extra applies only to thick soup, found ndarray array([1, 2]); leave it out",
        ),
        ({"kind": "sweet"}, "stew: kind must be one of clear, thick, found str 'sweet'"),
        ({"hot_pot": 1}, "stew: hot_pot must be True or False, found int 1"),
        ({"hot_pot": True}, "stew: hot_pot applies only to thick soup, found bool True; leave it out"),
        ({"empty": "uniform"}, "stew: empty must be one of skip, fill, error, found str 'uniform'"),
        ({"confidence_level": 1}, "stew: confidence_level must lie between 0 and 1, found int 1"),
        ({"seed": -1}, "stew: seed must be a whole number of at least 0, found int -1"),
        ({"sise": 3}, "stew: unknown setting 'sise'; did you mean size? The settings are size, salt, kind"),
    ],
)
def test_refusals(given: dict[str, Any], message: str) -> None:
    assert refusal(**given).startswith(message)


def test_a_fresh_seed_only_where_none_is_given() -> None:
    assert Resampling(seed=3).seeded().seed == 3
    first, second = (Resampling(seed=None).seeded().seed for _ in range(2))
    assert isinstance(first, int)
    assert first != second


def test_settings_survive_the_way_to_another_process() -> None:
    soup = Resampling(seed=5, module="stew")
    assert pickle.loads(pickle.dumps(soup)) == soup
    assert repr(soup) == "Resampling(confidence_level=None, n_resamples=1000, bootstrap=None, seed=5)"


@pytest.mark.parametrize("name", ["k", "n_resamples", "seed", "batch_tokens"])
def test_numbers_without_end(name: str) -> None:
    for number in (10**20, 10**400):
        with pytest.raises(InputError, match=rf"^bur: {name} must be at most "):
            fairsum_utils.compute("bur", **COLUMNS, **{name: number})
