"""Signatures: rendered and read back."""

from __future__ import annotations

from collections import Counter
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils import score
from fairsum_utils._version import __version__
from fairsum_utils.families import families
from fairsum_utils.families.effective import PACKAGES, differing, settings_of, signed
from fairsum_utils.signature import render_callable, render_shares, render_signature

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
KEYS = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=6).filter(lambda key: key != "v")


def test_rendered_in_order_with_the_version_last() -> None:
    signature = render_signature({"matcher": "ngram", "k": 1, "lang": None, "tau": 0.8})
    assert signature == f"matcher:ngram|k:1|tau:0.8|v:{__version__}"
    assert settings_of({"signature": signature}) == {"matcher": "ngram", "k": 1, "tau": 0.8, "version": __version__}


def test_shares_are_sorted_and_exact() -> None:
    assert render_shares({"b": 1 / 3, "a": 2 / 3}) == "a=0.6666666666666666,b=0.3333333333333333"


def test_marks_of_the_format_are_escaped() -> None:
    assert render_signature({"model": "a|b:c"}) == f"model:a%7Cb%3Ac|v:{__version__}"
    assert settings_of({"signature": "model:a%7Cb%3Ac"}) == {"model": "a|b:c"}
    assert render_shares({"a,b=c|d:e%": 1.0}) == "a%2Cb%3Dc|d:e%25=1.0"


def test_a_model_name_and_a_lambda_stay_readable() -> None:
    assert render_signature({"m": "org/model-v1.0@abc", "f": "callable(f.<locals>.<lambda>)"}).startswith(
        "m:org/model-v1.0@abc|f:callable(f.<locals>.<lambda>)|"
    )


class Caller:
    def __call__(self) -> None: ...


def test_a_function_is_told_by_its_name_not_by_its_place_in_memory() -> None:
    assert render_signature({"f": len, "g": Caller()}) == f"f:callable(len)|g:callable(Caller)|v:{__version__}"
    assert render_callable(Caller().__call__) == "callable(Caller.__call__)"


VALUES = TEXT | st.integers(-(2**40), 2**40) | st.floats(allow_nan=False)


@given(keyed=st.dictionaries(KEYS, VALUES, max_size=4))
def test_a_result_of_an_earlier_version_has_the_settings_of_its_signature(keyed: dict[str, object]) -> None:
    found = signed(keyed)
    earlier = settings_of({"signature": found["signature"]})
    assert settings_of(found) == found["settings"]
    assert earlier.keys() == found["settings"].keys()
    assert [key for key in earlier if isinstance(keyed.get(key), (int, float)) and earlier[key] != keyed[key]] == []
    assert not any(isinstance(keyed[key], str) and str(earlier[key]) != keyed[key] for key in keyed if key in earlier)


def test_every_key_of_a_setting_has_its_name_in_settings() -> None:
    for family in families().values():
        for measure in family.measures:
            keys = Counter(info.key for info in family.settings(measure).infos(measure).values() if info.key)
            for info in family.settings(measure).infos(measure).values():
                if info.key and keys[info.key] == 1:
                    assert [*signed({info.key: 1})["settings"]] == [info.name, "version"], (measure, info.name)


def test_a_language_can_be_passed_back_and_its_packages_stand_apart() -> None:
    sample: dict[str, Any] = {"predictions": ["Das Haus."], "sources": [["Die Häuser."]], "values": [["a"]]}
    result = score(**sample, metrics=["uer"], language="de")["uer"]
    settings = result["settings"]
    assert (settings["language"], settings[PACKAGES]) == ("german", f"snowballstemmer {version('snowballstemmer')}")
    assert score(**sample, metrics=["uer"], language=settings["language"])["uer"] == result
    earlier = {**settings, "language": f"german({settings[PACKAGES]})"}
    del earlier[PACKAGES]
    assert settings_of({"settings": earlier}) == settings == settings_of({"signature": result["signature"]})


def test_how_intervals_are_drawn_does_not_make_scores_differ() -> None:
    one, other = signed({"tau": 0.8, "ci": 0.95, "seed": 1}), signed({"tau": 0.8, "interval": "midp"})
    assert differing(one["settings"], other["settings"]) == []
    assert differing(settings_of(one), settings_of({"signature": "tau:0.9|ci:0.9"})) == ["tau"]
    assert differing(settings_of(one), settings_of({"signature": one["signature"]})) == []


def test_values_are_those_of_json() -> None:
    given = {"f": len, "k": 2, "on": True, "path": Path("a/b"), "none": None}
    plain = {"f": "callable(len)", "k": 2, "on": True, "path": str(Path("a/b")), "version": __version__}
    assert signed(given)["settings"] == plain


def test_a_percent_sign_survives() -> None:
    assert settings_of({"signature": render_signature({"name": "50%41"})})["name"] == "50%41"


@given(shares=st.dictionaries(TEXT, st.floats(0, 1), min_size=1, max_size=4))
def test_shares_can_be_told_apart(shares: dict[str, float]) -> None:
    pairs = [pair.rpartition("=") for pair in render_shares(shares).split(",")]
    assert {unquote(value): float(share) for value, _, share in pairs} == shares


def test_a_lone_surrogate_is_a_label_like_any_other() -> None:
    assert render_shares({"\ud800": 1.0})


LABELS = st.text(st.characters(), max_size=8)  # lone surrogates among them


@given(shares=st.dictionaries(LABELS, st.floats(0, 1), min_size=1, max_size=3))
def test_shares_survive_the_signature(shares: dict[str, float]) -> None:
    signature = render_signature({"target": f"custom({render_shares(shares)})"})
    assert settings_of({"signature": signature})["target"] == f"custom({render_shares(shares)})"
    signature.encode("ascii")
