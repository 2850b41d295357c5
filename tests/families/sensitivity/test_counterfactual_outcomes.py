"""Counterfactual outcomes from texts to result: by hand, against loops over all ways, and in parts."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from scipy.stats import kstest

from fairsum_utils import compute
from fairsum_utils.errors import InputError
from fairsum_utils.families import families
from fairsum_utils.families.sensitivity.settings import SensitivitySettings

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
    chosen = SensitivitySettings(module=MEASURE[0], **{"outcomes": ["length"], **settings})
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
    assert (result["units"][0]["lost"], result["units"][0]["added"]) == (0.0, pytest.approx(2 / 3))
    assert math.isnan(result["units"][0]["by_floor"])
    assert [sample["units_only_here"] for sample in result["samples"]] == [
        [],
        ["The mayor came."],
        [],
        ["He may recover."],
        [],
        [],
    ]


def test_units_are_told_of_every_two_summaries_in_any_order() -> None:
    """Of hers one statement each is not in his; his one statement is in the second of hers, not in the first."""
    columns: dict[str, list[Any]] = {
        "predictions": ["Rain fell.", "It snowed. Nobody came.", "Nobody came.", "Nobody came."],
        "article_ids": ["1"] * 4,
        "variants": ["f", "f", "m", "m"],
        "replicates": ["1", "2", "1", "2"],
    }
    for order in ([0, 1, 2, 3], [1, 3, 0, 2], [2, 1, 3, 0]):
        result = score(
            {name: [entries[place] for place in order] for name, entries in columns.items()}, outcomes=["units"]
        )
        [told] = result["units"]
        assert (told["lost"], told["added"]) == (1.0, 0.5)
        # Of hers the first lacks two of the second, which lacks one; his are the same: (3 / 2 + 0) / 2.
        assert (result["floor"], told["by_floor"]) == ("replicates", 0.75)


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
    assert "an interval needs at least two originals" in result["undefined"]


def every_way(inputs: Sequence[Sequence[tuple[str, float]]]) -> Iterator[float]:
    """The sum of the differences of originals, whose inputs have a variant and a number, in all ways."""

    def of_one(original: Sequence[tuple[str, float]]) -> list[float]:
        n = sum(variant == "f" for variant, _ in original)
        numbers = [number for _, number in original]
        return [
            fmean(numbers[i] for i in chosen) - fmean(numbers[i] for i in range(len(numbers)) if i not in chosen)
            for chosen in combinations(range(len(numbers)), n)
        ]

    return map(sum, product(*map(of_one, inputs)))


@pytest.mark.parametrize("seed", range(5))
def test_p_is_that_of_a_loop_over_all_ways(seed: int) -> None:
    draw = random.Random(seed)
    inputs = [
        [(v, float(draw.randint(1, 9))) for v in "f" * draw.randint(1, 2) + "m" * draw.randint(1, 2)] for _ in range(4)
    ]
    columns: dict[str, list[Any]] = {"predictions": [], "article_ids": [], "variants": [], "controls": []}
    for article, original in enumerate(inputs):
        for control, (variant, length) in enumerate(original):
            columns["predictions"] += words(int(length))
            columns["article_ids"].append(article)
            columns["variants"].append(variant)
            columns["controls"].append(str(control))
    [length] = score(columns)["outcomes"]
    observed = sum(
        fmean(n for v, n in original if v == "f") - fmean(n for v, n in original if v == "m") for original in inputs
    )
    expected = fmean(abs(each) >= abs(observed) - 1e-9 for each in every_way(inputs))
    assert length["difference"] == pytest.approx(observed / 4)
    assert (length["p_value"], length["p_method"]) == (pytest.approx(expected), "exact")


def noisy(draw: random.Random, originals: int, *, longer: int = 0, variants: str = "fm") -> dict[str, list[Any]]:
    """A generator whose lengths depend on the original, the edit of the input and chance; more words for variant f."""
    columns: dict[str, list[Any]] = {
        name: [] for name in ("predictions", "article_ids", "variants", "controls", "replicates")
    }
    for article in range(originals):
        base = draw.randint(20, 60)
        for variant in variants:
            for control in ("", "place"):
                edit = draw.randint(-4, 4)
                for replicate in range(2):
                    columns["predictions"] += words(base + edit + draw.randint(-2, 2) + longer * (variant == "f"))
                    for name, entry in zip(
                        ("article_ids", "variants", "controls", "replicates"),
                        (article, variant, control, replicate),
                        strict=True,
                    ):
                        columns[name].append(entry)
    return columns


def test_p_is_uniform_without_bias_and_small_with_it() -> None:
    """The noise is in the inputs, whose summaries move as a block: summaries one by one would be rejected too often."""
    draw = random.Random(1)
    fair = [score(noisy(draw, 12), n_permutations=199)["p_value"] for _ in range(150)]
    assert kstest(fair, "uniform").pvalue > 0.01
    biased = [score(noisy(draw, 12, longer=4), n_permutations=199)["p_value"] for _ in range(20)]
    assert np.mean(np.array(biased) < 0.05) > 0.7


def test_three_variants_are_compared_two_by_two() -> None:
    """Only the inputs of two variants play a part in what is said of them."""
    three = noisy(random.Random(3), 6, variants="fmx")
    kept = [place for place, variant in enumerate(three["variants"]) if variant != "x"]
    two = {name: [column[place] for place in kept] for name, column in three.items()}
    [expected] = score(two)["outcomes"]
    found = next(each for each in score(three)["outcomes"] if each["variant_a"] == "f" and each["variant_b"] == "m")
    for key in ("mean_a", "difference", "moved", "moved_by_floor", "p_value", "n_articles"):
        assert found[key] == pytest.approx(expected[key]), key


def test_renamed_variants_change_signs_only() -> None:
    columns = noisy(random.Random(4), 8, longer=3)
    swapped = {**columns, "variants": ["z" if variant == "f" else "m" for variant in columns["variants"]]}
    [before], [after] = score(columns)["outcomes"], score(swapped)["outcomes"]
    assert after["difference"] == pytest.approx(-before["difference"])
    assert score(swapped)[MEASURE[0]] == pytest.approx(score(columns)[MEASURE[0]])


def test_an_original_without_an_outcome_is_left_out_of_it() -> None:
    columns = {
        "predictions": ["It rained.", "!!!", "It rained.", "It rained a lot."],
        "article_ids": ["1", "1", "2", "2"],
        "variants": ["f", "m"] * 2,
    }
    result = score(columns, outcomes=["hedges", "length"])
    assert [(each["outcome"], each["n_articles"]) for each in result["outcomes"]] == [("hedges", 1), ("length", 2)]
    assert result["samples"][1]["outcomes"] == {"length": 0.0}


@pytest.mark.parametrize(
    ("variants", "article_ids", "reason"),
    [
        (["f", "f"], ["1", "2"], "one variant only (f): nothing to compare"),
        (["f", "m"], ["1", "2"], "no original has inputs of two variants"),
        ([str(n) for n in range(21)], ["1"] * 21, "21 variants: more than 20 are not compared two by two"),
    ],
)
def test_undefined(variants: list[str], article_ids: list[str], reason: str) -> None:
    result = score({"predictions": ["It rained."] * len(variants), "article_ids": article_ids, "variants": variants})
    assert math.isnan(result[MEASURE[0]])
    assert result["undefined"] == reason
    assert result["outcomes"] == []


def test_a_script_without_spaces_is_refused() -> None:
    with pytest.raises(InputError, match=r"counterfactual_outcomes: sample 0: the summary"):
        score({"predictions": ["今天下雨了。明天也会下雨。"], "article_ids": ["1"], "variants": ["f"]})


def test_neutral_or_not() -> None:
    """VADER rates "hope", a name here; one variant's summary is then more positive than the other's."""
    columns = {
        "predictions": ["Hope left.", "Max left."],
        "article_ids": ["1", "1"],
        "variants": ["f", "m"],
        "changed": [["Hope"], ["Max"]],
    }
    assert score(columns, outcomes=["sentiment"])["outcomes"][0]["difference"] == 0.0
    assert score(columns, outcomes=["sentiment"], neutral=False)["outcomes"][0]["difference"] > 0


@pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
def test_as_a_call() -> None:
    result = compute(MEASURE[0], **HAND, outcomes=["units"], confidence_level=0.95, seed=1)
    assert result["counterfactual_outcomes_ci"][0] <= result["counterfactual_outcomes"]
    assert "outcomes:units" in result["signature"]
