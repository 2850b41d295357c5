"""Signatures of results, and their settings by name."""

from __future__ import annotations

from collections import Counter
from importlib.metadata import version
from typing import Any

from fairsum_utils import UER, compare, score
from fairsum_utils._version import __version__
from fairsum_utils.families import families
from fairsum_utils.families.effective import PACKAGES, signed
from fairsum_utils.measures import get_measure
from fairsum_utils.settings import Fraction, setting
from fairsum_utils.signature import render_callable, render_shares, render_signature


def test_rendered_in_order_with_the_version_last() -> None:
    signature = render_signature({"matcher": "ngram", "k": 1, "lang": None, "tau": 0.8})
    assert signature == f"matcher:ngram|k:1|tau:0.8|v:{__version__}"


def test_marks_of_the_format_are_escaped() -> None:
    assert render_signature({"model": "a|b:c"}) == f"model:a%7Cb%3Ac|v:{__version__}"
    assert render_shares({"a,b=c|d:e%": 1.0}) == "a%2Cb%3Dc|d:e%25=1.0"


class Caller:
    def __call__(self) -> None: ...


def test_a_function_is_told_by_its_name_not_by_its_place_in_memory() -> None:
    assert render_signature({"f": len, "g": Caller()}) == f"f:callable(len)|g:callable(Caller)|v:{__version__}"
    assert render_callable(Caller().__call__) == "callable(Caller.__call__)"


def test_every_key_of_a_setting_has_its_name_in_settings() -> None:
    for family in families().values():
        for measure in family.measures:
            keys = Counter(info.key for info in get_measure(measure).infos().values() if info.key)
            for info in get_measure(measure).infos().values():
                if info.key and keys[info.key] == 1:
                    assert [*signed({info.key: 1})["settings"]] == [info.name, "version"], (measure, info.name)


COLUMNS: dict[str, Any] = {"predictions": ["Tasty."], "sources": [["Tasty.", "Awful."]], "values": [["pos", "neg"]]}


class Capped(UER):
    """A measure that got a setting after its first release."""

    ceiling: Fraction = setting(1.0, "largest shortfall that counts", changed_key="cap", stage="results")


def test_a_later_setting_is_in_signatures_where_it_differs_from_its_default() -> None:
    plain, default, other = (score(**COLUMNS, metrics=each)["uer"] for each in (UER(), Capped(), Capped(ceiling=0.5)))
    assert default["signature"] == plain["signature"]
    assert "ceiling" not in default["settings"]
    assert other["settings"]["ceiling"] == 0.5
    systems = {"a": COLUMNS["predictions"], "b": COLUMNS["predictions"]}
    compared = compare(systems, COLUMNS["sources"], COLUMNS["values"], metrics=Capped(ceiling=0.5))["uer"]
    assert "|cap:0.5|v:" in other["signature"]
    assert "|cap:0.5|v:" in compared["signature"]


def test_a_language_can_be_passed_back_and_its_packages_stand_apart() -> None:
    sample: dict[str, Any] = {"predictions": ["Das Haus."], "sources": [["Die Häuser."]], "values": [["a"]]}
    result = score(**sample, metrics=["uer"], language="de")["uer"]
    settings = result["settings"]
    assert (settings["language"], settings[PACKAGES]) == ("german", f"snowballstemmer {version('snowballstemmer')}")
    assert score(**sample, metrics=["uer"], language=settings["language"])["uer"] == result
