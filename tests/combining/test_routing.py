"""Which columns and options go to whom, and what is said of those that go to nobody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from fairsum_utils import score
from fairsum_utils.combining import Combination, combine
from fairsum_utils.errors import InputError
from tests.combining.conftest import SAMPLES, alone, columns_of


def test_what_a_module_does_not_name(fake: Callable[..., Any]) -> None:
    module = fake("open", {})
    texts = {name: SAMPLES[name] for name in ("predictions", "references")}
    combine([module], options={"open": {"anything": 1}}).compute(**texts)
    assert module.given["anything"] == 1
    with pytest.raises(InputError, match=r"unknown setting 'anything'. The settings are none; the columns are"):
        combine([module], anything=1)
    with pytest.raises(
        InputError, match="combine: tau applies only to bur, but open is requested; leave it out, or req"
    ):
        combine([module], tau=1)


def test_an_option_that_a_module_does_not_take(rouge: Any) -> None:
    with pytest.raises(InputError, match="combine: rouge: unknown option 'use_stemer'; did you mean use_stemmer"):
        combine(["bur", rouge], options={"rouge": {"use_stemer": True}})
    with pytest.raises(InputError, match="combine: unknown setting 'use_stemer'; did you mean use_stemmer"):
        combine(["bur", rouge], use_stemer=True)


def test_options_of_one_under_its_name() -> None:
    columns = columns_of("sentiment")
    result = combine(["sentiment", "gender_polarity"], sentiment={"threshold": 0.1}).compute(**columns)
    assert result["sentiment"] == alone("sentiment", threshold=0.1)["sentiment"]
    assert "threshold:0.1" in result["sentiment_signature"]
    metrics = combine({"seed": "bur", "strict": "bur"}, seed=3, options={"strict": {"k": 2}}, strict={"tau": 1.0})
    assert "|k:2|norm:fairsumm|tau:1.0" in metrics.compute(**columns_of("bur"))["strict_signature"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"taux": 1}, "unknown setting 'taux'; did you mean tau? The settings are "),
        ({"sorces": []}, "unknown setting 'sorces'; did you mean sources? The settings are "),
        (
            {"alpha": 0.1},
            "alpha applies only to equal_coverage, but bur is requested; leave it out, or request equal_coverage",
        ),
        ({"groups": ["a"]}, "the column groups applies only to sentiment, "),
        ({"bur": {"n_points": 3}}, "n_points applies only to auc, but bur is requested; leave it out, or request auc"),
        ({"uer": {"k": 1}}, "settings are given for str 'uer', but bur is requested; leave them out, or"),
        ({"bur": 1}, "the settings of bur must be a mapping such as {'empty': 'error'}, found int 1"),
        ({"sources": None}, "missing: sources (needed by bur). Given: predictions, values"),
    ],
)
def test_the_same_mistake_gets_the_words_that_score_has_for_it(call: dict[str, Any], message: str) -> None:
    arguments = {**columns_of("bur"), **call}
    with pytest.raises(InputError) as ours:
        combine(["bur"]).compute(**arguments)
    with pytest.raises(InputError) as theirs:
        score(metrics=["bur"], **arguments)
    assert str(ours.value).removeprefix("combine: ") == str(theirs.value).removeprefix("score: ")
    assert message in str(ours.value)


def test_later_ones_and_own_ones_count_more() -> None:
    columns = columns_of("bur")

    def tau(metrics: Combination, **options: Any) -> str:
        return str(metrics.compute(**columns, **options)["bur_signature"]).split("tau:")[1].split("|")[0]

    metrics = combine(["bur", "uer"], tau=0.1, options={"bur": {"tau": 0.2}})
    assert tau(combine(["bur", "uer"], tau=0.1)) == "0.1"
    assert tau(metrics) == "0.2"
    assert tau(metrics, tau=0.3) == "0.3"
    assert tau(metrics, tau=0.3, options={"bur": {"tau": 0.4}}) == "0.4"
    assert tau(metrics) == "0.2"


@pytest.mark.parametrize(
    ("metrics", "options", "message"),
    [
        (["bur"], {"taw": 0.9}, "combine: unknown setting 'taw'; did you mean tau? The settings are matcher, "),
        (["bur", "uer"], {"x": 1}, "; the columns are predictions, sources, values, target_distributions"),
        (["uer"], {"tau": 0.9}, "combine: tau applies only to bur, but uer is requested; leave it out, or request bur"),
        (
            ["bur"],
            {"options": {"uer": {}}},
            "combine: settings are given for str 'uer', but bur is requested; leave them out, or",
        ),
        (["bur"], {"uer": {}}, "combine: settings are given for str 'uer', but bur is requested; leave them out, or"),
        (["bur"], {"options": {"bur": {"taw": 1}}}, "combine: unknown setting 'taw'; did you mean tau? The settings "),
        (["bur"], {"options": {"bur": 3}}, "combine: the settings of bur must be a mapping such as {'empty': 'error'}"),
        (["bur"], {"bur": 3}, "combine: the settings of bur must be a mapping such as {'empty': 'error'}, found int 3"),
        (["bur"], {"options": [1]}, "combine: options must map names to their options, such as {'bur': {"),
        (
            ["sentiment", "toxicity"],
            {"threshold": 0.8},
            "combine: threshold means something different for each of sentiment, toxicity; give it by measure, as in "
            "toxicity={'threshold': 0.8}",
        ),
    ],
)
def test_when_it_is_made(metrics: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        combine(metrics, **options)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"values": None},
            "combine: missing: values (needed by bur, equal_coverage). Given: predictions, sources, refer",
        ),
        (
            {"references": None},
            "combine: missing: references (needed by other). Given: predictions, sources, values",
        ),
        ({"sorces": []}, "combine: unknown setting 'sorces'; did you mean sources? The settings are matcher, "),
        ({"groups": ["a"]}, "combine: the column groups applies only to sentiment, "),
        ({"groups": ["a"]}, ", but bur, equal_coverage, other are requested; leave it out, or request sentiment"),
        ({"taw": 0.9}, "combine: unknown setting 'taw'; did you mean tau? The settings are matcher, "),
        ({"options": {"other": 1}}, "combine: the settings of other must be a mapping such as {'empty': 'error'}"),
        ({"predictions": ["a"]}, "combine: predictions has 1 sample but sources has 8"),
        ({"values": [["pos"]] * 8}, "bur: sample 0: sources has 2 texts but values has 1 label"),
        ({"empty": "uniform"}, "equal_coverage: empty must be one of skip, error, found str 'uniform'"),
        ({"target": np.array([0.5])}, "bur: target must be one of ratio, equal or a mapping"),
        ({"tau": 7}, "bur: tau must be a number in [0, 1], found int 7"),
        ({"options": {"bur": {"k": 0}}}, "bur: k must be a whole number of at least 1"),
    ],
)
def test_when_it_scores(fake: Callable[..., Any], change: dict[str, Any], message: str) -> None:
    module = fake("other", {})
    columns = {**columns_of("bur"), "references": SAMPLES["references"], "entailer": "lexical"}
    metrics = combine(["bur", "equal_coverage", module])
    with pytest.raises(InputError) as caught:
        metrics.compute(**{**columns, **change})
    assert message in str(caught.value)
    assert not hasattr(module, "given")  # nothing was scored
