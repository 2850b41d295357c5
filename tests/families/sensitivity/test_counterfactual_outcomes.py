"""Counterfactual outcomes from texts to result: by hand, against loops over all ways, and in parts."""

from __future__ import annotations

import math
from typing import Any

import pytest

from fairsum_utils.families import families
from fairsum_utils.measures.counterfactual_outcomes import CounterfactualOutcomes

FAMILY = families()["sensitivity"]
MEASURE = ("counterfactual_outcomes",)

HAND: dict[str, list[Any]] = {
    "predictions": [
        "Ann won the cup.",
        "Bob won the cup. The mayor came.",
        "Eve was hurt.",
        "Tom was hurt. He may recover.",
        "Zoe sang. It rained.",
        "Max sang. It rained.",
    ],
    "article_ids": ["1", "1", "2", "2", "3", "3"],
    "variants": ["female", "male"] * 3,
    "changed": [["Ann"], ["Bob"], ["Eve"], ["Tom"], ["Zoe"], ["Max"]],
}


def score(columns: dict[str, list[Any]], **settings: Any) -> dict[str, Any]:
    chosen = CounterfactualOutcomes(**{"outcomes": ["length"], **settings})
    scorer = FAMILY.scorer(MEASURE, chosen)
    rows = list(scorer.rows(scorer.read(columns)))
    sums = FAMILY.sums(FAMILY.table(rows), MEASURE, chosen, scorer)
    result = FAMILY.results(sums, MEASURE, chosen, scorer, columns)[MEASURE[0]]
    return {**result, "samples": FAMILY.records(rows, MEASURE, chosen)}


def words(*lengths: int) -> list[str]:
    """Summaries of so many words."""
    return [" ".join(["word"] * length) for length in lengths]


def test_by_hand() -> None:
    """Units 1 and 2, 1 and 2, 2 and 2: differences -1, -1, 0; six inputs 1, 2, 1, 2, 2, 2 with the variance 2/9."""
    result = score(HAND, outcomes=["units", "sentiment"])
    units, sentiment = result["outcomes"]
    assert (units["mean_a"], units["mean_b"], units["difference"]) == (4 / 3, 2.0, pytest.approx(-2 / 3))
    assert result[MEASURE[0]] == pytest.approx((2 / 3) / math.sqrt(2 / 9))
    assert result["largest"] == {"outcome": "units", "variant_a": "female", "variant_b": "male"}
    # Of the 8 ways to swap those of an original, the third changes nothing; -1 -1 and +1 +1 of 4 are as far: 1/2.
    assert (units["p_value"], units["p_method"], sentiment["p_value"]) == (0.5, "exact", 1.0)
    assert units["null_sd"] == pytest.approx(math.sqrt(2) / 3)  # sums -2, 0, 0 and 2 of the others: mean square 2
    assert [each["p_value_corrected"] for each in result["outcomes"]] == [1.0, 1.0]
    assert result["p_value"] == 1.0
    assert [sample["outcomes"]["units"] for sample in result["samples"]] == [1, 2, 1, 2, 2, 2]


def test_controls_and_the_ratio_by_hand() -> None:
    """Women 10 and 14, men 4 and 6: 12 - 5; moved by the person (6 + 4 + 10 + 8) / 4, by the control (4 + 2) / 2."""
    result = score(
        {
            "predictions": words(10, 14, 4, 6),
            "article_ids": ["1"] * 4,
            "variants": ["f", "f", "m", "m"],
            "controls": [None, "place", None, "place"],
        }
    )
    [length] = result["outcomes"]
    assert (result["floor"], length["difference"], length["moved"]) == ("controls", 7.0, 7.0)
    assert (length["moved_by_floor"], length["ratio"]) == (3.0, pytest.approx(7 / 3))
    assert length["p_value"] == pytest.approx(2 / 6)  # of the six ways to choose two inputs, two are as far


def test_rounding_is_no_distance() -> None:
    """Inputs whose summaries are the same three in another order: their means differ by rounding only."""
    texts = ["The committee deliberated interminably.", "Rain fell on the old town by the river.", "He ate."]
    orders = [(0, 1, 2), (0, 2, 1), (0, 2, 1), (0, 1, 2)]
    result = score(
        {
            "predictions": [texts[place] for order in orders for place in order],
            "article_ids": ["1"] * 12,
            "variants": ["f"] * 6 + ["m"] * 6,
            "controls": ([None] * 3 + ["place"] * 3) * 2,
        },
        outcomes=["reading_level"],
    )
    [level] = result["outcomes"]
    assert (level["moved"], level["moved_by_floor"]) == (0.0, 0.0)
    assert math.isnan(level["ratio"])


def test_ways_that_no_float_can_count() -> None:
    """2 ** 515 ways to swap the variants of pairs, or C(1400, 700), are too many to take all."""
    for n, controls in ((1030, [str(k // 2) for k in range(1030)]), (1400, [str(k) for k in range(1400)])):
        result = score(
            {
                "predictions": words(*(1 + k % 2 for k in range(n))),
                "article_ids": ["0"] * n,
                "variants": ["fm"[k % 2] for k in range(n)],
                "controls": controls,
            },
            n_permutations=199,
        )
        [row] = result["outcomes"]
        assert (abs(row["difference"]), row["p_value"]) == (1, 1 / 200)


def test_replicates_are_the_floor_without_controls() -> None:
    """Inputs of means 11 and 5; their summaries differ by 2 and by 4."""
    result = score(
        {
            "predictions": words(10, 12, 3, 7),
            "article_ids": ["1"] * 4,
            "variants": ["f", "f", "m", "m"],
            "replicates": ["1", "2"] * 2,
        },
        confidence_level=0.95,
        n_resamples=200,
    )
    [length] = result["outcomes"]
    assert (result["floor"], length["difference"], length["moved_by_floor"]) == ("replicates", 6.0, 3.0)
    # Of two summaries one is drawn, for both: from 10 - 7 to 12 - 3.
    assert length["difference_ci_within"] == [3.0, 9.0]
    assert "an interval needs at least two scored originals" in result["undefined"]


def test_intervals_within_inputs_go_the_way_of_the_variant() -> None:
    """Of men's 3, 3 and 9 words two are drawn, each for 3/2: 3 and 3 move the difference by 2, 9 and 9 by -4."""
    columns = {"predictions": words(5, 5, 5, 3, 3, 9), "article_ids": ["1"] * 6, "variants": ["f"] * 3 + ["m"] * 3}
    [length] = score(columns, confidence_level=0.98, n_resamples=400)["outcomes"]
    assert (length["difference"], length["difference_ci_within"]) == (0.0, pytest.approx([-4.0, 2.0]))


@pytest.mark.parametrize(
    ("variants", "article_ids", "reason"),
    [
        (["f", "f"], ["1", "2"], "there is only one variant (f), so there is nothing to compare"),
        (["f", "m"], ["1", "2"], "no original has inputs of two variants"),
        ([str(n) for n in range(21)], ["1"] * 21, "there are 21 variants, but at most 20 are compared in pairs"),
    ],
)
def test_undefined(variants: list[str], article_ids: list[str], reason: str) -> None:
    result = score({"predictions": ["It rained."] * len(variants), "article_ids": article_ids, "variants": variants})
    assert math.isnan(result[MEASURE[0]])
    assert result["undefined"] == reason
    assert result["outcomes"] == []


def test_neutral_or_not() -> None:
    """VADER rates "hope", a name here; one variant's summary is then more positive than the other's."""
    columns = {
        "predictions": ["Hope left.", "Max left."],
        "article_ids": ["1", "1"],
        "variants": ["f", "m"],
        "changed": [["Hope"], ["Max"]],
    }
    neutral = score(columns, outcomes=["sentiment"])
    assert (neutral["outcomes"][0]["difference"], neutral["largest"]) == (0.0, None)
    assert score(columns, outcomes=["sentiment"], neutral=False)["outcomes"][0]["difference"] > 0
