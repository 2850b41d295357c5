"""Which columns and options go to whom, and what is said of those that go to nobody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fairsum_utils import BUR, EqualCoverage, score
from fairsum_utils.combining import combine
from fairsum_utils.errors import InputError
from tests.combining.conftest import SAMPLES, columns_of


def test_what_a_module_does_not_name(fake: Callable[..., Any]) -> None:
    module = fake("open", {})
    texts = {name: SAMPLES[name] for name in ("predictions", "references")}
    combine([module], options={"open": {"anything": 1}}).compute(**texts)
    assert module.given["anything"] == 1
    with pytest.raises(InputError, match=r"^combine: unknown setting 'anything'. The settings are none; the columns"):
        combine([module]).compute(**texts, anything=1)


def test_an_option_that_a_module_does_not_take(rouge: Any) -> None:
    with pytest.raises(InputError, match="combine: rouge: unknown option 'use_stemer'; did you mean use_stemmer"):
        combine(["bur", rouge], options={"rouge": {"use_stemer": True}})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"tau": 0.9}, "tau is a setting of a measure; write metrics=[BUR(tau=0.9)], with BUR from fairsum_utils"),
        ({"taux": 1}, "unknown setting 'taux'; did you mean tau? The settings are "),
        ({"sorces": []}, "unknown setting 'sorces'; did you mean sources? The settings are "),
        ({"groups": ["a"]}, "the column groups applies only to sentiment, "),
        ({"n_points": 3}, "n_points applies only to auc, but bur is requested; leave it out, or request auc"),
        ({"bur": {"tau": 0.9}}, "write metrics=[BUR(tau=0.9)], with BUR from fairsum_utils"),
        ({"uer": {"k": 1}}, 'write metrics=["bur", UER(k=1)], with UER from fairsum_utils'),
        ({"sources": None}, "missing: sources (needed by bur). Given: predictions, values"),
    ],
)
def test_the_same_mistake_gets_the_words_that_score_has_for_it(call: dict[str, Any], message: str) -> None:
    arguments = {**columns_of("bur"), **call}
    with pytest.raises(InputError) as ours:
        combine(["bur"]).compute(**arguments)
    with pytest.raises(InputError) as theirs:
        score(metrics=["bur"], **arguments)
    ours_only, theirs_only = (str(each.value).partition("; the columns are ")[0] for each in (ours, theirs))
    assert ours_only.removeprefix("combine: ") == theirs_only.removeprefix("score: ")
    assert message in str(ours.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bur": {"tau": 0.9}}, "combine: write metrics=[BUR(tau=0.9)], with BUR from fairsum_utils"),
        ({"uer": {}}, "combine: unknown module 'uer'; did you mean bur? The modules are bur, other"),
        ({"othr": {}}, "combine: unknown module 'othr'; did you mean other? The modules are bur, other"),
        ([1], "combine: options must map names of modules to their options, found list"),
        ({"other": 1}, "combine: the options of other must be a mapping, found int 1"),
    ],
)
def test_when_it_is_made(fake: Callable[..., Any], options: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        combine(["bur", fake("other", {})], options=options)
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
        (
            {"entailer": "lexical"},
            "combine: entailer is a setting of a measure; write "
            "metrics=[BUR(tau=0.5), EqualCoverage(entailer='lexical')], with BUR, EqualCoverage from fairsum_utils",
        ),
        ({"predictions": ["a"]}, "combine: predictions has 1 sample but sources has 8"),
        ({"values": [["pos"]] * 8}, "bur: sample 0: sources has 2 texts but values has 1 label"),
    ],
)
def test_when_it_scores(fake: Callable[..., Any], change: dict[str, Any], message: str) -> None:
    module = fake("other", {})
    columns = {**columns_of("bur"), "references": SAMPLES["references"]}
    metrics = combine([BUR(tau=0.5), EqualCoverage(entailer="lexical"), module])
    with pytest.raises(InputError) as caught:
        metrics.compute(**{**columns, **change})
    assert message in str(caught.value)
    assert not hasattr(module, "given")  # nothing was scored
