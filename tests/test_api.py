"""The calls most users need, from columns to results."""

from __future__ import annotations

import copy
import inspect
import math
from fractions import Fraction
from typing import Any

import pytest

import fairsum_utils
from fairsum_utils import BUR, UER, compare, compute, score
from fairsum_utils.errors import InputError
from fairsum_utils.families import all_measures
from fairsum_utils.measures import get_measure
from tests._together import measures

METRICS = ("bur", "uer", "auc", "sof")


def refusal(call: Any, *arguments: Any, **options: Any) -> str:
    with pytest.raises(InputError) as error:
        call(*arguments, **options)
    return str(error.value)


class TestScore:
    @pytest.mark.parametrize(
        ("k", "uer", "auc"),
        [
            # k = 1: (1/18 + 1/4) / 2 and (1/3 + 1) / 2, see test_results.py.
            (1, Fraction(11, 72), Fraction(2, 3)),
            # k = 2: sample 0: pos takes all, lacking 1/3 + 1/6 of 3 values: 1/6; sample 1: (slow waiter) is neg's: 1/4.
            (2, Fraction(5, 24), Fraction(1)),
            # k = 3: sample 0 as for k = 2; sample 1 is unmatched: 1/2, 1/2 is fair.
            (3, Fraction(1, 12), Fraction(1, 2)),
        ],
    )
    def test_by_hand(self, paper: Any, k: int, uer: Fraction, auc: Fraction) -> None:
        found = score(*paper, metrics=measures(METRICS, k=k, unmatched="uniform"))
        assert list(found) == list(METRICS)
        assert found["uer"]["uer"] == pytest.approx(float(uer), abs=1e-15)
        assert found["auc"]["auc"] == pytest.approx(float(auc), abs=1e-15)
        assert found["uer"]["n_unmatched"] == (k == 3)

    def test_every_sample_skipped(self, paper: Any) -> None:
        for name, found in score(["", " "], *paper[1:], confidence_level=0.9, return_samples=True).items():
            assert math.isnan(found[name])
            assert found["undefined"] == "no sample was scored"
            assert [record["skipped"] for record in found["samples"]] == ["empty_prediction"] * 2

    def test_arguments_stay_as_they_are(self, paper: Any) -> None:
        target = {"pos": 0.5, "neg": 0.25, "neu": 0.25}
        options = {"metrics": [UER(target=target), BUR(target=target)]}
        before = copy.deepcopy((paper, target, options))
        score(*paper, **options)
        assert (paper, target, options) == before


class TestRefusals:
    def test_metrics_that_are_no_list(self, paper: Any) -> None:
        assert refusal(score, *paper, metrics=3).startswith("score: metrics must be a non-empty list of names from bur")


class TestCompute:
    @pytest.mark.parametrize("name", METRICS)
    def test_is_score_with_one_measure(self, paper: Any, name: str) -> None:
        taken = {"bur": {"tau": 0.5}, "auc": {"n_points": 10}}.get(name, {})
        options = {**taken, "confidence_level": 0.9, "target": "equal", "at_random": True}
        expected = score(*paper, metrics=measures([name], **options))[name]
        assert compute(name, **paper._asdict(), **options) == expected
        assert compute(get_measure(name)(**options), **paper._asdict()) == expected

    def test_an_unknown_name(self, paper: Any) -> None:
        assert "must be one of bur, uer, auc, sof, " in refusal(compute, "rouge", **paper._asdict())


class TestCompare:
    def test_labels_name_two_systems(self, paper: Any) -> None:
        named = compare({"lead": paper.predictions, "gpt": paper.predictions[::-1]}, *paper[1:])
        assert compare(paper.predictions, paper.predictions[::-1], *paper[1:], labels=("lead", "gpt")) == named
        assert list(named["uer"]["by_value"]) == [*named.systems] == ["lead", "gpt"]
        for labels in (["gpt", "gpt"], ["gpt", ""], ["gpt"]):
            message = refusal(compare, paper.predictions, paper.predictions, *paper[1:], labels=labels)
            assert message.startswith("compare: labels must be two different names, found gpt")


class TestShape:
    def test_a_call_has_few_parameters(self) -> None:
        """Columns, measures, what is said for all measures, and the layout; settings belong to measures."""
        assert len(inspect.signature(score).parameters) <= 15

    def test_a_measure_shows_its_settings(self) -> None:
        for kind in map(get_measure, all_measures()):
            shown = inspect.signature(kind).parameters
            defaults = {name: info.default for name, info in kind.infos().items()}
            assert {name: shown[name].default for name in defaults} == defaults
            assert {parameter.kind for parameter in shown.values()} == {inspect.Parameter.KEYWORD_ONLY}

    def test_every_measure_is_a_name_of_the_package(self) -> None:
        classes = {get_measure(name).__name__: get_measure(name) for name in all_measures()}
        assert classes.keys() <= set(fairsum_utils.__all__) & set(dir(fairsum_utils))
        assert {name: getattr(fairsum_utils, name) for name in classes} == classes
