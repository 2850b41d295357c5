"""Measures that a call asks for: names, classes and measures; what is refused, with the line to write instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fairsum_utils import AUC, BUR, SOF, UER, Measure, Sentiment, Toxicity
from fairsum_utils.errors import InputError
from fairsum_utils.families import all_measures
from fairsum_utils.families.asked import asked_measures, completed, refuse_keyword, refuse_name, refuse_settings
from fairsum_utils.families.inputs import all_columns


def refusal(call: Callable[..., object], *arguments: Any, **options: Any) -> str:
    with pytest.raises(InputError) as error:
        call(*arguments, **options)
    return str(error.value)


@pytest.mark.parametrize(
    ("metrics", "expected"),
    [
        ("uer", {"uer": UER()}),
        (" uer, bur ", {"uer": UER(), "bur": BUR()}),
        (("uer", "bur"), {"uer": UER(), "bur": BUR()}),
        (BUR(tau=0.9), {"bur": BUR(tau=0.9)}),
        (BUR, {"bur": BUR()}),
        ([UER, BUR(tau=0.9), "auc"], {"uer": UER(), "bur": BUR(tau=0.9), "auc": AUC()}),
        ({"strict": BUR(tau=0.9), "bur": "bur", "other": UER}, {"strict": BUR(tau=0.9), "bur": BUR(), "other": UER()}),
    ],
)
def test_names_classes_and_measures(metrics: Any, expected: dict[str, Measure]) -> None:
    found = asked_measures("score", metrics)
    assert found == expected
    assert list(found) == list(expected)


@pytest.mark.parametrize(
    ("metrics", "message"),
    [
        ("uerr", "unknown measure 'uerr'; did you mean uer?"),
        ([BUR(), "uerr"], "unknown measure 'uerr'; did you mean uer?"),
        ({"a": "uerr"}, "unknown measure 'uerr'; did you mean uer?"),
        ("rouge", f"metrics must be one of {', '.join(all_measures())}, found str 'rouge'"),
        (["uer", "uer"], "metrics contains a name twice: uer, uer; name each measure once"),
        (["bur", BUR(tau=0.5)], "metrics contains bur 2 times; give each a label, as in metrics={'one': BUR(), "),
        (["bur", 3], "metrics must contain names and measures, such as 'uer' or BUR(tau=0.9), found int 3"),
        ({"a": None}, "metrics must contain names and measures, such as 'uer' or BUR(tau=0.9), found None"),
        ([Measure], "metrics must contain names and measures"),
        ([Measure()], "metrics must contain names and measures"),
        ({1: "bur"}, "the labels in metrics must be strings, found int 1"),
        ({"": "bur"}, "the labels in metrics must be strings, found str ''"),
        ([], "metrics must be a non-empty list of names from bur, uer, "),
        ({}, "metrics must be a non-empty list of names from bur, uer, "),
        (3, "metrics must be a non-empty list of names from bur, uer, "),
    ],
)
def test_what_is_no_measure(metrics: Any, message: str) -> None:
    found = refusal(asked_measures, "score", metrics)
    assert found.startswith(f"score: {message}")
    assert "\n" not in found


def test_some_calls_know_fewer_measures() -> None:
    for metrics in ("sentiment", [Sentiment()], {"a": Sentiment}):
        assert refusal(asked_measures, "m", metrics, ("bur", "uer")) == (
            "m: metrics must be one of bur, uer, found str 'sentiment'"
        )


def test_what_a_call_says_for_all_goes_to_those_that_do_not_say_it() -> None:
    asked = {"own": UER(seed=0, n_resamples=10), "bur": BUR(), "sentiment": Sentiment()}
    given = {"seed": 7, "n_resamples": 99, "language": "german"}
    assert completed("score", asked, {"at_random": True}, given) == {
        "own": UER(seed=0, n_resamples=10, at_random=True, language="german"),
        "bur": BUR(seed=7, n_resamples=99, at_random=True, language="german"),
        "sentiment": Sentiment(seed=7, n_resamples=99),
    }
    assert asked["bur"] == BUR()


def test_what_none_of_the_measures_takes_is_refused() -> None:
    usual = {"at_random": True}  # which no measure needs to take
    assert completed("score", {"sentiment": Sentiment()}, usual, {}) == {"sentiment": Sentiment()}
    found = refusal(completed, "score", {"sentiment": Sentiment()}, usual, {"at_random": False})
    assert found.startswith("score: at_random applies only to bur, uer, ")
    assert found.endswith(", but sentiment is requested; leave it out, or request bur")
    assert refusal(completed, "score", {"uer": UER()}, {}, {"seed": -1}) == (
        "score: seed must be a whole number of at least 0, found int -1"
    )


TWO: dict[str, Measure] = {"uer": UER(), "bur": BUR()}
THREE = {"sentiment": Sentiment(), "uer": UER(), "toxicity": Toxicity()}
LABELLED = {"a": BUR(tau=0.9, k=2), "b": UER(k=2)}


@pytest.mark.parametrize(
    ("name", "value", "asked", "message"),
    [
        # one taker, several takers, labels
        ("tau", 0.9, TWO, 'tau is a setting of a measure; write metrics=["uer", BUR(tau=0.9)], with BUR from '),
        ("k", 2, TWO, "k is a setting of a measure; write metrics=[UER(k=2), BUR(k=2)], with UER, BUR from "),
        (
            "threshold",
            0.8,
            THREE,
            '[Sentiment(threshold=0.8), "uer", Toxicity(threshold=0.8)], with Sentiment, Toxicity ',
        ),
        ("tau", 0.5, LABELLED, 'write metrics={"a": BUR(k=2, tau=0.5), "b": UER(k=2)}, with BUR, UER from '),
        # a value that is too long to repeat
        (
            "model",
            "x" * 50,
            {"uer": UER()},
            "model is a setting of a measure; write metrics=[UER(model=...)], with UER ",
        ),
        # the name of a measure, asked for or not
        ("bur", {"tau": 0.5}, TWO, 'write metrics=["uer", BUR(tau=0.5)], with BUR from fairsum_utils'),
        ("sof", {"k": 2}, TWO, 'write metrics=["uer", "bur", SOF(k=2)], with SOF from fairsum_utils'),
        ("strict", {"tau": 1}, {"strict": BUR()}, 'write metrics={"strict": BUR(tau=1)}, with BUR from fairsum_utils'),
        ("sof", 3, {"sof": SOF()}, "write metrics=[SOF()], with SOF from fairsum_utils"),
        # a column or a setting of other measures
        (
            "summary_units",
            [[]],
            TWO,
            "the column summary_units applies only to equal_coverage, coverage_parity, but uer, ",
        ),
        ("tau", 1, {"uer": UER()}, "tau applies only to bur, but uer is requested; leave it out, or request bur"),
        (
            "alpha",
            0.1,
            TWO,
            "alpha applies only to equal_coverage, but uer, bur are requested; leave it out, or request ",
        ),
        # unknown names
        ("taux", 1, TWO, "unknown setting 'taux'; did you mean tau? The settings are "),
        ("predicton", ["a"], TWO, "unknown setting 'predicton'; did you mean predictions? The settings are "),
        ("classifier", "x", {"toxicity": Toxicity()}, "classifier is now called model; write model=..."),
        ("metrics", ["bur"], TWO, "unknown setting 'metrics'. The settings are "),
    ],
)
def test_a_keyword_is_refused_with_the_line_to_write(
    name: str, value: Any, asked: dict[str, Measure], message: str
) -> None:
    columns = all_columns([measure.name for measure in asked.values()])
    found = str(refuse_keyword("score", name, value, asked, columns))
    assert found.startswith("score: ")
    assert message in found


def test_a_call_of_one_measure_has_another_argument() -> None:
    found = refusal(refuse_settings, "reward", {"bur": BUR()}, {"tau": 0.9, "k": 2}, "metric")
    assert found == "reward: tau is a setting of a measure; write metric=BUR(tau=0.9), with BUR from fairsum_utils"
    refuse_settings("reward", {"bur": BUR()}, {})


def test_where_settings_are_keywords_the_rest_is_refused_alike() -> None:
    for name in ("tau", "groups", "sede"):
        assert str(refuse_name("score", name, {"uer": UER()})) == str(refuse_keyword("score", name, 1, {"uer": UER()}))
