"""Agreement: worked examples, SciPy and scikit-learn, and exact alpha by definition."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_reproductions.agreement import (
    KINDS,
    classification,
    correlation,
    krippendorff_alpha,
    randolph_kappa,
)
from fairsum_utils.errors import InputError

# Krippendorff (2011), section E: four observers, twelve units, values 1 to 5.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
UNITS = [[rating for rating in unit if rating is not None] for unit in zip(*OBSERVERS, strict=True)]

ratings = st.lists(st.lists(st.integers(0, 4), max_size=4), max_size=6)
labels = st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from("xyz")), min_size=1, max_size=12)


def alpha_by_definition(units: list[list[int]], kind: str) -> Fraction | None:
    """Compute 1 - observed / expected disagreement over pairs exactly; None if undefined."""
    units = [unit for unit in units if len(unit) > 1]
    pooled = [rating for unit in units for rating in unit]
    counts = Counter(pooled)

    def distance(c: int, k: int) -> Fraction:
        if kind == "nominal":
            return Fraction(c != k)
        if kind == "interval":
            return Fraction(c - k) ** 2
        c, k = min(c, k), max(c, k)
        between = sum(count for value, count in counts.items() if c <= value <= k)
        return (between - Fraction(counts[c] + counts[k], 2)) ** 2

    def disagreement(ratings: list[int]) -> Fraction:
        return sum((distance(*pair) for pair in permutations(ratings, 2)), Fraction(0)) / (len(ratings) - 1)

    if len(counts) < 2:
        return None
    return 1 - sum(map(disagreement, units)) / disagreement(pooled)


@pytest.mark.parametrize(("kind", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_krippendorffs_example(kind: str, alpha: float) -> None:
    result = krippendorff_alpha(UNITS, kind)
    assert round(result["alpha"], 3) == alpha
    assert (result["n_units"], result["n_ratings"]) == (11, 40)  # unit 12 has one rating


@pytest.mark.parametrize("kind", KINDS)
@given(ratings)
def test_alpha_is_its_definition(kind: str, units: list[list[int]]) -> None:
    expected, result = alpha_by_definition(units, kind), krippendorff_alpha(units, kind)
    if expected is None:
        assert math.isnan(result["alpha"])
        assert result["undefined"]["alpha"] in ("all ratings are the same", "no item has two ratings")
    else:
        assert result["alpha"] == pytest.approx(float(expected), abs=1e-12)
        assert result["undefined"] == {}


@pytest.mark.parametrize(
    ("units", "reason", "n_units", "n_ratings"),
    [
        ([], "no item has two ratings", 0, 0),
        ([[1], [2], []], "no item has two ratings", 0, 0),
        ([[1, 1], [1, 1, 1], [2]], "all ratings are the same", 2, 5),  # the 2 has no second
    ],
)
@pytest.mark.parametrize("kind", KINDS)
def test_no_alpha(units: list[list[int]], reason: str, n_units: int, n_ratings: int, kind: str) -> None:
    result = krippendorff_alpha(units, kind)
    assert math.isnan(result.pop("alpha"))
    assert result == {"n_units": n_units, "n_ratings": n_ratings, "undefined": {"alpha": reason}}


# Randolph's kappa.


def test_randolphs_kappa_by_hand() -> None:
    # Agreeing ordered pairs: 12 of 12, 6 of 12 (three and one), 4 of 12 (two and two), 2 of 12 (two, one and one).
    # P = (12 + 6 + 4 + 2) / 48 = 1/2; with five categories (1/2 - 1/5) / (4/5) = 3/8, with two nothing beyond chance.
    units = [[5, 5, 5, 5], [5, 5, 5, 4], [5, 5, 4, 4], [5, 5, 4, 3]]
    result = randolph_kappa(units, 5)
    assert result == {"kappa": 3 / 8, "observed": 1 / 2, "n_units": 4, "n_ratings": 16, "undefined": {}}
    assert randolph_kappa([["x", "y"]] * 3, 2)["kappa"] == -1  # the least: -1 / (k - 1)
    assert randolph_kappa([["x", "x"], ["y"]], 2)["n_units"] == 1


def test_no_kappa() -> None:
    result = randolph_kappa([["x"], []], 2)
    assert math.isnan(result["kappa"])
    assert result["undefined"] == dict.fromkeys(("kappa", "observed"), "no item has two ratings")
    with pytest.raises(InputError, match="n_categories is 2, but the ratings have 3 categories"):
        randolph_kappa([["x", "y"], ["x", "z"]], 2)
    with pytest.raises(InputError, match="n_categories must be a whole number of at least 2, found int 1"):
        randolph_kappa([["x", "y"]], 1)


# Correlation.


def test_a_correlation_by_hand() -> None:
    # Ranks 1 2 3 4 5 and, with the tie of 2 and 2, 1 2.5 2.5 4 5. Deviations from 3: (-2 -1 0 1 2), (-2 -.5 -.5 1 2).
    # Sum of products 4 + .5 + 0 + 1 + 4 = 9.5; sums of squares 10 and 9.5: rho = 9.5 / sqrt(95).
    result = correlation([1, 2, 3, 4, 5], [1, 2, 2, 7, 9])
    assert result["spearman"] == pytest.approx(9.5 / math.sqrt(95), abs=1e-14)
    # Means 3 and 4.2: products (-2)(-3.2) + (-1)(-2.2) + 0 + 1 * 2.8 + 2 * 4.8 = 21; squares 10 and
    # 10.24 + 4.84 + 4.84 + 7.84 + 23.04 = 50.8: r = 21 / sqrt(508).
    assert result["pearson"] == pytest.approx(21 / math.sqrt(508), abs=1e-14)
    assert result["undefined"] == {}


@pytest.mark.parametrize(
    ("a", "b", "reason"),
    [
        ([1], [2], "fewer than two samples"),
        ([1, 1, 1], [1, 2, 3], "every prediction is the same"),
        ([1, 2, 3], [2, 2, 2], "every reference is the same"),
    ],
)
def test_no_correlation(a: list[float], b: list[float], reason: str) -> None:
    result = correlation(a, b)
    undefined = result.pop("undefined")
    assert all(math.isnan(number) for number in result.values())
    assert undefined == dict.fromkeys(result, reason)


@pytest.mark.parametrize(
    ("a", "b", "sign"), [([1, 2], [7, 3], -1), ([2, 1], [3, 7], -1), ([-3, 1], [-2, 9], 1), ([2, -1], [8, 8.5], -1)]
)
def test_two_points_lie_on_a_line(a: list[float], b: list[float], sign: int) -> None:
    result = correlation(a, b)
    assert (result["spearman"], result["pearson"]) == (sign, sign)
    assert math.isnan(result["spearman_p_value"])
    assert math.isnan(result["pearson_p_value"])
    assert result["undefined"] == dict.fromkeys(("spearman_p_value", "pearson_p_value"), "fewer than three samples")


def test_p_values() -> None:
    # r = 0.8 of 4 points: t = 0.8 sqrt(2 / 0.36) = 1.8856 with 2 degrees; P = 1 - t / sqrt(2 + t^2) = 1 - 0.8.
    result = correlation([1, 2, 3, 4], [1, 2, 4, 3])
    assert result["pearson_p_value"] == pytest.approx(0.2, abs=1e-12)
    assert result["spearman_p_value"] == pytest.approx(0.2, abs=1e-12)


def test_numbers_that_are_equal_but_for_rounding_have_no_correlation() -> None:
    result = correlation([1.0, 1.0 + 2**-52, 1.0], [1.0, 2.0, 3.0])
    assert math.isnan(result["pearson"])
    assert math.isnan(result["pearson_p_value"])
    reason = "all predictions or all references are equal up to rounding"
    assert result["undefined"] == dict.fromkeys(("pearson", "pearson_p_value"), reason)
    assert not math.isnan(result["spearman"])  # ranks do differ


# Classification.


def test_a_classification_by_hand() -> None:
    # predicted  m m m n f f; true  m n m n m f
    result = classification([*"mmmnff"], [*"mnmnmf"])
    assert result["accuracy"] == pytest.approx(4 / 6)
    assert result["by_class"] == {
        # precision: of 2 predicted f 1 is; recall: of 1 f 1 is found; F1 = 2 * 1 / (2 + 1)
        "f": {"precision": 1 / 2, "recall": 1, "f1": pytest.approx(2 / 3), "n_predictions": 2, "n_references": 1},
        "m": {"precision": pytest.approx(2 / 3), "recall": pytest.approx(2 / 3), "f1": pytest.approx(2 / 3),
              "n_predictions": 3, "n_references": 3},
        "n": {"precision": 1, "recall": 1 / 2, "f1": pytest.approx(2 / 3), "n_predictions": 1, "n_references": 2},
    }  # fmt: skip
    assert result["precision"] == pytest.approx((1 / 2 * 1 + 2 / 3 * 3 + 1 * 2) / 6)
    assert result["recall"] == pytest.approx(4 / 6)  # weighted by class size it is the accuracy, as in table 8
    assert result["f1"] == pytest.approx(2 / 3)
    assert result["undefined"] == {}


def test_a_class_that_is_never_predicted_has_no_precision() -> None:
    result = classification(["x", "x"], ["x", "y"])
    assert math.isnan(result["by_class"]["y"]["precision"])
    assert math.isnan(result["precision"])
    assert result["undefined"] == {"precision": "never predicted: y"}
    assert (result["by_class"]["y"]["recall"], result["by_class"]["y"]["f1"]) == (0, 0)
    assert result["recall"] == 0.5


@given(labels)
def test_classification_is_counting(pairs: list[tuple[str, str]]) -> None:
    predictions, references = zip(*pairs, strict=True)
    result = classification(predictions, references)
    hits = Counter(message for message, true in pairs if message == true)
    for label in {*predictions, *references}:
        one = result["by_class"][label]
        for name, total in (("precision", predictions.count(label)), ("recall", references.count(label))):
            expected = hits[label] / total if total else math.nan
            assert one[name] == pytest.approx(expected, nan_ok=True)
        assert one["f1"] == pytest.approx(2 * hits[label] / (predictions.count(label) + references.count(label)))
    assert result["recall"] == pytest.approx(result["accuracy"]) == hits.total() / len(pairs)
