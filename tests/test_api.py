"""The calls most users need, from columns to results."""

from __future__ import annotations

import copy
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import fairsum_utils
from fairsum_utils import compare, compute, score
from fairsum_utils._version import __version__
from fairsum_utils.errors import InputError

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
        found = score(*paper, k=k, unmatched="uniform")
        assert list(found) == list(METRICS)
        assert found["uer"]["uer"] == pytest.approx(float(uer), abs=1e-15)
        assert found["auc"]["auc"] == pytest.approx(float(auc), abs=1e-15)
        assert found["uer"]["n_unmatched"] == (k == 3)

    def test_default_signature(self, paper: Any) -> None:
        assert score(*paper)["bur"]["signature"] == (
            f"matcher:ngram|k:1|norm:fairsumm|tau:0.8|target:ratio|empty:skip|v:{__version__}"
        )

    @pytest.mark.parametrize("empty", ["skip", "uniform"])
    def test_empty_summaries(self, paper: Any, empty: str) -> None:
        found = score([" ", paper.predictions[1]], *paper[1:], empty=empty)["uer"]
        if empty == "skip":
            assert (found["uer"], found["n_samples"], found["skipped"]) == (0.25, 1, {"empty_prediction": 1})
        else:
            # 1/3 each against 1/3, 1/6, 1/2: pos lacks 1/6 of 3 values.
            assert found["uer"] == pytest.approx((1 / 18 + 1 / 4) / 2, abs=1e-15)
            assert (found["n_samples"], found["n_skipped"], found["n_unmatched"]) == (2, 0, 1)

    def test_given_distributions(self, paper: Any) -> None:
        counts = [{"pos": 6, "neg": 2, "neu": 1}, {"pos": 0, "neg": 3}]
        found, matched = score(*paper, target_distributions=counts), score(*paper)
        for name in METRICS:
            assert found[name][name] == matched[name][name]
            assert found[name]["signature"].startswith("matcher:given|norm:fairsumm|")

    def test_a_callable_matcher(self, paper: Any) -> None:
        def equal_parts(texts: list[str], summary: str) -> list[float]:
            return [1.0] * len(texts)

        found = score(*paper, matcher=equal_parts, target="equal")
        assert [found[name][name] for name in METRICS] == [0.0] * 4
        assert found["uer"]["signature"].startswith("matcher:callable(TestScore.test_a_callable_matcher.<locals>.")

    def test_samples(self, paper: Any) -> None:
        found = score(*paper, return_samples=True)
        for name in METRICS:
            records = found[name]["samples"]
            assert [record["index"] for record in records] == [0, 1]
            assert {"bur", "uer", "auc"} & set(records[0]) == {name} - {"sof"}
            assert records[0]["matched"][1] == ["bread"]
            plain = {key: entry for key, entry in found[name].items() if key != "samples"}
            assert plain == score(*paper)[name]

    def test_every_sample_skipped(self, paper: Any) -> None:
        for name, found in score(["", " "], *paper[1:], confidence_level=0.9, return_samples=True).items():
            assert math.isnan(found[name])
            assert found["undefined"] == "no sample left to score"
            assert [record["skipped"] for record in found["samples"]] == ["empty_prediction"] * 2

    @pytest.mark.parametrize("wrap", [list, tuple, lambda column: np.array(column, dtype=object)])
    def test_other_sequences(self, paper: Any, wrap: Any) -> None:
        assert score(*map(wrap, paper)) == score(*paper)

    def test_labels_of_an_array_become_plain_strings(self) -> None:
        found = score(["soup"], [np.array(["soup", "bread"])], [np.array(["a", "b"])])["uer"]
        assert {type(value) for value in found["uer_by_value"]} == {str}

    def test_the_same_call_gives_the_same_bits(self, paper: Any) -> None:
        assert score(*paper, confidence_level=0.9) == score(*paper, confidence_level=0.9)

    def test_arguments_stay_as_they_are(self, paper: Any) -> None:
        options = {"target": {"pos": 0.5, "neg": 0.25, "neu": 0.25}, "metrics": ["uer", "bur"]}
        before = copy.deepcopy((paper, options))
        score(*paper, **options)
        assert (paper, options) == before

    def test_evidence_changes_no_number(self, paper: Any) -> None:
        assert [score(*paper, return_samples=True)[name][name] for name in METRICS] == [
            score(*paper)[name][name] for name in METRICS
        ]


class TestRefusals:
    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (
                {"predictions": [], "sources": [], "values": []},
                "score: predictions is an empty list; give at least one",
            ),
            ({"predictions": []}, "score: predictions has 0 samples but sources has 2; give every column one entry"),
            ({"predictions": ["a"]}, "score: predictions has 1 sample but sources has 2; give every column one entry"),
            ({"values": [["pos"]]}, "score: predictions has 2 samples but values has 1"),
            ({"predictions": "a summary"}, "score: predictions must be a list with one entry a sample, found str"),
            ({"sources": None}, "score: missing: sources, which bur, uer, auc, sof need. Given: predictions, values"),
            ({"predictions": ["a", None]}, "score: sample 1: prediction must be a string, found None"),
            ({"predictions": ["a", math.nan]}, "score: sample 1: prediction must be a string, found NaN"),
            ({"predictions": ["a", 5]}, "score: sample 1: prediction must be a string, found int 5"),
            ({"predictions": ["a", b"b"]}, "score: sample 1: prediction must be a string, found bytes b'b'"),
            ({"sources": [["a"] * 4, "a b"]}, "score: sample 1: sources must be a list of strings, found str 'a b'"),
            ({"sources": [["a"] * 4, ["a", None]]}, "score: sample 1: sources[1] must be a string, found None"),
            ({"sources": [["a"] * 3, ["a", "b"]]}, "score: sample 0: sources has 3 texts but values has 4 labels"),
            ({"sources": [[], ["a", "b"]], "values": [[], ["x", "y"]]}, "score: sample 0: sources is an empty list"),
            (
                {"values": [["pos"] * 4, ["pos", 1.5]]},
                "score: sample 1: values[1] must be a string, whole number or boolean, found float 1.5",
            ),
            ({"metrics": []}, "metrics must be a non-empty list of names from bur, uer, auc, sof, "),
            ({"metrics": ""}, "must be one of bur, uer, auc, sof, "),
            ({"metrics": ["rouge"]}, "must be one of bur, uer, auc, sof, "),
            ({"metrics": ["bur", "bur"]}, "metrics names one twice: bur, bur"),
            ({"tau": 1.5}, "score: tau must be a number in [0, 1], found float 1.5"),
            ({"k": 0}, "score: k must be a whole number of at least 1, found int 0"),
            ({"k": 1.5}, "score: k must be a whole number of at least 1, found float 1.5"),
            ({"seed": -1}, "score: seed must be a whole number of at least 0, found int -1"),
            ({"matcher": "rouge"}, "score: matcher must be one of ngram, bertscore, bartscore, found str 'rouge'"),
            ({"normalizer": "rouge"}, "normalizer must be one of fairsumm, simple, nltk, found str 'rouge'"),
            (
                {"target": {"pos": 1.0}},
                "score: sample 0: value 'neg' is not in target (pos); give a share for every value",
            ),
            ({"empty": "error", "predictions": ["a", ""]}, "score: sample 1: the prediction is empty"),
            (
                {"target_distributions": [{"pos": 1.0, "neg": 0.0}]},
                "score: predictions has 2 samples but target_distributions has 1",
            ),
            ({"target_distributions": [{}, {}]}, "score: sample 0: target_distributions must be a non-empty mapping"),
        ],
    )
    def test_messages(self, paper: Any, change: dict[str, Any], message: str) -> None:
        assert message in refusal(score, **{**paper._asdict(), **change})

    def test_the_module_is_named(self, paper: Any) -> None:
        assert refusal(compute, "auc", **{**paper._asdict(), "predictions": [None, ""]}).startswith("auc: sample 0: ")

    def test_a_missing_given_distribution_does_not_switch_the_method(self, paper: Any) -> None:
        given = [{"pos": 1, "neg": 0, "neu": 0}, None]
        assert refusal(score, *paper, target_distributions=given).startswith(
            "score: sample 1: target_distributions must"
        )

    def test_metrics_that_are_no_list(self, paper: Any) -> None:
        assert refusal(score, *paper, metrics=3).startswith("score: metrics must be a non-empty list of names from bur")

    def test_bad_metrics_name_the_module(self, paper: Any) -> None:
        assert refusal(compare, paper.predictions, *paper, metrics=["rouge"]).startswith("compare: ")

    def test_weights_near_the_largest_number(self, paper: Any) -> None:
        huge = {"matcher": lambda texts, summary: [1e308] * len(texts), "target": "equal"}
        assert "the matcher's weights are too large to add up" in refusal(score, **paper._asdict(), **huge)


class TestCompute:
    @pytest.mark.parametrize("name", METRICS)
    def test_is_score_with_one_measure(self, paper: Any, name: str) -> None:
        taken = {"bur": {"tau": 0.5}, "auc": {"n_points": 10}}.get(name, {})
        options = {**taken, "confidence_level": 0.9, "target": "equal", "at_random": True}
        assert compute(name, **paper._asdict(), **options) == score(*paper, metrics=[name], **options)[name]

    def test_an_unknown_name(self, paper: Any) -> None:
        assert "must be one of bur, uer, auc, sof, " in refusal(compute, "rouge", **paper._asdict())

    def test_at_the_top_of_the_package(self, paper: Any) -> None:
        assert fairsum_utils.score(*paper, tau=0.5) == score(*paper, tau=0.5)
        assert fairsum_utils.compute("uer", **paper._asdict()) == compute("uer", **paper._asdict())
        assert fairsum_utils.compare(paper.predictions, *paper) == compare(paper.predictions, *paper)


class TestCompare:
    def test_with_itself(self, paper: Any) -> None:
        for name, found in compare(paper.predictions, *paper).items():
            assert (found["difference"], found["p_value"]) == (0.0, 1.0)
            # Two equal differences say nothing.
            high = {"bur": 1.0, "uer": 0.5, "auc": 1.0, "sof": math.nan}[name]
            assert found["difference_ci"] == pytest.approx([-high, high], nan_ok=True)

    def test_a_column_of_one_system_says_of_which(self, paper: Any) -> None:
        for columns in ({"predictions_b": paper.predictions}, {}):
            assert refusal(compare, **paper._asdict(), **columns) == (
                "compare: predictions are those of one system; give predictions_a and predictions_b, one of each system"
            )

    def test_scores_are_those_of_score(self, paper: Any) -> None:
        other = ["The bread basket", "Lemon cake, slow waiter"]
        found = compare(paper.predictions, other, *paper[1:], k=2, target="equal", tau=0.5)
        a, b = (score(side, *paper[1:], k=2, target="equal", tau=0.5) for side in (paper.predictions, other))
        for name in METRICS:
            assert (found[name]["a"], found[name]["b"]) == (a[name][name], b[name][name])

    def test_a_sample_that_one_system_leaves_out_counts_for_neither(self, paper: Any) -> None:
        found = compare(["", "Slow waiter, slow soup!"], ["Lemon cake.", "Lemon cake"], *paper[1:])["uer"]
        assert found["n_samples"] == 1
        # Sample 1 alone: A all neg, B all pos.
        assert (found["a"], found["b"]) == (0.25, 0.25)

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"predictions_a": ["a"]}, "compare: predictions_a has 1 sample but predictions_b has 2"),
            ({"predictions_b": []}, "compare: predictions_a has 2 samples but predictions_b has 0"),
            ({"predictions_b": ["a", None]}, "compare: sample 1: prediction must be a string, found None"),
            (
                {"predictions_b": ["", ""]},
                "compare: needs the same samples from both systems, at least one; found 0 and 0",
            ),
            ({"confidence_level": 2}, "compare: confidence_level must be a number in [0, 1], found int 2"),
            ({"k": 0}, "compare: k must be a whole number of at least 1, found int 0"),
        ],
    )
    def test_messages(self, paper: Any, change: dict[str, Any], message: str) -> None:
        columns = {"predictions_a": paper.predictions, "predictions_b": paper.predictions}
        columns |= {"sources": paper.sources, "values": paper.values}
        assert message in refusal(compare, **{**columns, **change})
