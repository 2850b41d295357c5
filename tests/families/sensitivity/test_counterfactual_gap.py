"""The counterfactual gap of columns: worked by hand, who is left out and why, parts that add up, two systems."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from fairsum_utils import compute

MEASURE = "counterfactual_gap"


def gap(rows: list[tuple[Any, ...]], **settings: Any) -> dict[str, Any]:
    """The result of (original, variant, control, summary)."""
    articles, variants, controls, texts = map(list, zip(*rows, strict=True))
    columns = {"predictions": texts, "article_ids": articles, "variants": variants, "controls": controls}
    result: dict[str, Any] = compute(MEASURE, **columns, **settings)
    return result


FOUR = [("1", "f", "", "a b"), ("1", "f", "c", "a c"), ("1", "m", "", "d b"), ("1", "m", "c", "d c")]
"""Distances: 1/2 where one word is shared, 1 where none is."""


@pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
class TestByHand:
    def test_above_control_edits(self) -> None:
        result = gap(FOUR)
        # Between: 1/2 (a b, d b), 1, 1, 1/2. Within: 1/2 and 1/2.
        assert result["floor"] == "controls"
        assert result["between"] == pytest.approx(3 / 4)
        assert result["within"] == pytest.approx(1 / 2)
        assert result[MEASURE] == pytest.approx(1 / 4)
        # Pairing by the second word instead gives as much, pairing across less: 2 of 3.
        assert (result["p_value"], result["p_method"], result["p_undefined"]) == (pytest.approx(2 / 3), "exact", None)
        # Gaps of the three ways, 1/4, 1/4 and -1/2, have the mean 0 and the mean square (1/16 + 1/16 + 1/4) / 3.
        assert result["null_sd"] == pytest.approx(math.sqrt(1 / 8))
        assert (result["n_inputs"], result["n_controls"], result["n_replicated"]) == (4, 2, 0)
        assert result["variants"] == {"f": 2, "m": 2}

    def test_above_replicates(self) -> None:
        rows = [("1", "f", None, "a b"), ("1", "f", None, "a c"), ("1", "m", None, "a b")]
        result = gap(rows)
        # Between: (0 + 1/2) / 2; within: 1/2. Nothing can be handed out anew.
        assert result["floor"] == "replicates"
        assert result[MEASURE] == pytest.approx(1 / 4 - 1 / 2)
        assert math.isnan(result["p_value"])
        assert result["p_method"] is None
        assert "add inputs with control edits" in result["p_undefined"]
        assert [(record["reason"], record["examples"]) for record in result["remarks"]] == [
            ("uneven_replicates", ["1"])
        ]

    def test_what_pairs_of_summaries_add_is_told_beside_the_interval_over_summaries(self) -> None:
        inputs = [("f", "", "a b"), ("f", "c", "a d"), ("m", "", "e g")]
        rows = [(each, v, c, text) for each in "12" for v, c, texts in inputs for text in texts.split()]
        # All are 1 apart but for the two a: residuals of 1/4 in each of 4, a variance of 1/4, 1/16 of the mean of four.
        result = gap(rows, confidence_level=0.95)
        assert result["pair_noise"] == pytest.approx(math.sqrt(2 / 16) / 2)
        assert "pair_noise" not in gap(rows)
        assert math.isnan(gap(rows[:-1], confidence_level=0.95)["pair_noise"])  # an input with one summary

    def test_names_and_pronouns_are_neutral_unless_they_are_to_be_kept(self) -> None:
        rows = [
            ("1", v, c, f"{n} said {p} won.") for v, n, p in (("f", "Ann", "she"), ("m", "Bob", "he")) for c in "xy"
        ]
        changed = [["Ann"], ["Ann"], ["Bob"], ["Bob"]]
        assert gap(rows, changed=changed)[MEASURE] == 0
        assert gap(rows)[MEASURE] == pytest.approx(1 / 4)  # said they won: 3 of 4 words
        assert gap(rows, changed=changed, neutral=False)[MEASURE] == pytest.approx(1 / 2)
        signatures = [
            gap(rows, **more)["signature"].split("|")[1] for more in ({"changed": changed}, {}, {"neutral": False})
        ]
        assert signatures == ["neutral:pronouns+changed", "neutral:pronouns", "neutral:no"]

    def test_who_is_left_out_and_why(self) -> None:
        rows = [
            *FOUR,
            ("one", "f", "", "a"),
            ("alike", "f", "", "a"), ("alike", "f", "c", "b"),
            ("bare", "f", "", "a"), ("bare", "m", "", "b"),
            ("some", "f", "", "a"), ("some", "f", "d", "a"), ("some", "m", "", "a"),
            ("empty", "f", "", "a"), ("empty", "m", "", " "),
        ]  # fmt: skip
        result = gap(rows)
        record = {each["reason"]: (each["n_articles"], each["examples"]) for each in result["left_out"]}
        assert record == {
            "one_input": (2, ["empty", "one"]),
            "one_variant": (1, ["alike"]),
            "no_controls": (1, ["bare"]),
        }
        remarks = {each["reason"]: each["examples"] for each in result["remarks"]}
        assert remarks == {"unmatched_controls": ["some"]}
        assert (result["n_articles"], result["n_articles_scored"], result["skipped"]) == (6, 2, {"empty_prediction": 1})
        messages = {warning["code"]: warning["message"] for warning in result["warnings"]}
        assert messages["one_input"] == "2 of 6 (33%) originals have only one input and therefore no gap: empty, one"
        assert "unmatched_controls" in messages
        assert messages["few_originals"] == "only 2 originals were scored; treat the scores as unreliable"
        assert "few_samples" not in messages

    @pytest.mark.parametrize(
        ("rows", "reason"),
        [
            ([("1", "f", "", "")], "no sample was scored"),
            ([("1", "f", "", "a"), ("1", "f", "c", "b")], "there is only one variant (f), so there is nothing to"),
            (
                [("1", "f", "", "a"), ("1", "m", "", "b"), ("2", "f", "", "a")],
                "no original has both two variants and repeated inputs or summaries to compare them with: 1 original: "
                "neither two inputs of one variant nor two summaries of one input; 1 original: only one input",
            ),
        ],
    )
    def test_undefined(self, rows: list[tuple[Any, ...]], reason: str) -> None:
        result = gap(rows)
        assert math.isnan(result[MEASURE])
        assert math.isnan(result["p_value"])
        assert result["undefined"].startswith(reason)

    def test_the_same_replicate_twice_is_counted(self) -> None:
        rows = [("1", "f", None, "a"), ("1", "f", None, "b"), ("1", "m", None, "a")]
        assert gap(rows, replicates=["1", "1", "1"])["n_repeated"] == 1
        assert gap(rows, replicates=["1", "2", "1"])["n_repeated"] == 0
        assert gap(rows, replicates=["1", None, "1"])["n_repeated"] == 0

    def test_records(self) -> None:
        samples = gap([*FOUR, ("2", "f", "", "")], return_samples=True)["samples"]
        assert samples[0]["to_others"] == pytest.approx(3 / 4)
        assert samples[0]["to_own"] == pytest.approx(1 / 2)
        assert (samples[0]["opposite"], samples[0]["opposite_variant"]) == ("d c", "m")
        assert (samples[0]["only_here"], samples[0]["only_there"]) == (["a", "b"], ["d", "c"])
        assert samples[4]["skipped"] == "empty_prediction"
        assert samples[4]["to_others"] is None


@pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
def test_intervals_over_summaries_are_as_wide_as_new_summaries_make_them_where_all_is_noise() -> None:
    generator, words = np.random.default_rng(8), np.array([f"w{number}" for number in range(12)])
    inputs = [(str(a), v, c) for a in range(10) for v in "fm" for c in ("", "c") for _ in range(2)]
    scores, variances = [], []
    for _ in range(20):
        rows = [(*each, " ".join(generator.choice(words, 6, replace=False))) for each in inputs]
        result = gap(rows, confidence_level=0.9, n_resamples=100, n_permutations=1)
        low, high = result[f"{MEASURE}_ci_within"]
        scores.append(result[MEASURE])
        variances.append(((high - low) / 2 / 1.645) ** 2)
    # What is peculiar to two summaries is in the pulls of both: twice the variance, were it not taken off. The standard
    # error of the variance of 20 scores is 32%.
    assert np.mean(variances) / np.var(scores) == pytest.approx(1, abs=0.5)
