"""The counterfactual gap: worked by hand, against a loop over pairs in exact fractions, and what never changes it."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fairsum_utils.measures.counterfactual_gap import (
    counterfactual_gap,
    input_pairs,
    mean_distances,
    mean_of_pairs,
    pulls,
    spreads,
)

# Between variants (0.5 + 0.75 + 0.5 + 0.75) / 4, within them 0.25.
EXPLAINED = 0.625 - 0.25


@st.composite
def originals(draw: st.DrawFn) -> tuple[list[list[Fraction]], list[int], list[int]]:
    """Distances of summaries, the input of each, and the variant of each input."""
    variants = draw(st.lists(st.integers(0, 2), min_size=2, max_size=4))
    sizes = draw(st.lists(st.integers(1, 3), min_size=len(variants), max_size=len(variants)))
    inputs = [place for place, size in enumerate(sizes) for _ in range(size)]
    n = len(inputs)
    table = [[Fraction(0)] * n for _ in range(n)]
    for i, j in combinations(range(n), 2):
        table[i][j] = table[j][i] = Fraction(draw(st.integers(0, 8)), 8)
    return table, inputs, variants


def of_sizes(*sizes: int) -> tuple[list[list[Fraction]], list[int], list[int]]:
    """Inputs of two variants in turn, with so many summaries each, at distances of all kinds."""
    inputs = [place for place, size in enumerate(sizes) for _ in range(size)]
    eighths = np.random.default_rng(len(inputs)).integers(1, 9, size=(len(inputs), len(inputs)))
    both = np.triu(eighths, 1) + np.triu(eighths, 1).T
    table = [[Fraction(int(entry), 8) for entry in row] for row in both]
    return table, inputs, [place % 2 for place in range(len(sizes))]


def mean(numbers: list[Fraction]) -> Fraction | None:
    return sum(numbers, Fraction(0)) / len(numbers) if numbers else None


def by_hand(
    table: list[list[Fraction]], inputs: list[int], variants: list[int]
) -> tuple[Fraction | None, Fraction | None, Fraction | None]:
    """Between variants, within them, and within inputs: loops over pairs, as the definition says."""
    summaries = [[place for place, own in enumerate(inputs) if own == each] for each in range(len(variants))]
    pairs = {
        (a, b): mean([table[i][j] for i in summaries[a] for j in summaries[b]])
        for a, b in combinations(range(len(variants)), 2)
    }
    alone = [mean([table[i][j] for i, j in combinations(own, 2)]) for own in summaries]
    return (
        mean([pair for (a, b), pair in pairs.items() if variants[a] != variants[b] and pair is not None]),
        mean([pair for (a, b), pair in pairs.items() if variants[a] == variants[b] and pair is not None]),
        mean([each for each in alone if each is not None]),
    )


def test_worked_by_hand() -> None:
    # Two inputs on a woman (the first with two summaries), one on a man.
    table = np.array([[0.0, 0.2, 0.4, 0.6], [0.2, 0.0, 0.2, 0.8], [0.4, 0.2, 0.0, 1.0], [0.6, 0.8, 1.0, 0.0]])
    pairs, alone = mean_distances(table, [0, 0, 1, 2])
    # (0.4 + 0.2) / 2, (0.6 + 0.8) / 2 and 1.0; 0.2 within the first input.
    np.testing.assert_allclose(pairs, [0.3, 0.7, 1.0])
    np.testing.assert_allclose(alone, [0.2, np.nan, np.nan])
    between, within = mean_of_pairs(pairs, [0, 0, 1])
    assert float(between) == pytest.approx((0.7 + 1.0) / 2)
    assert float(within) == pytest.approx(0.3)
    assert float(counterfactual_gap(0.85 - 0.3, 1)) == pytest.approx(0.55)
    assert math.isnan(counterfactual_gap(0.0, 0))


@example(of_sizes(2, 3, 2, 2, 1))
@given(originals())
def test_agrees_with_loops_over_pairs(original: tuple[list[list[Fraction]], list[int], list[int]]) -> None:
    table, inputs, variants = original
    pairs, alone = mean_distances(np.array(table, dtype=float), inputs)
    of_inputs = np.array([each for each in alone if not math.isnan(each)])
    found = [*mean_of_pairs(pairs, variants), of_inputs.mean() if len(of_inputs) else math.nan]
    expected = [math.nan if mean is None else float(mean) for mean in by_hand(table, inputs, variants)]
    assert list(map(float, found)) == pytest.approx(expected, abs=1e-12, nan_ok=True)


@example(of_sizes(2, 3, 2, 2, 1))
@given(originals())
def test_pulls_say_what_another_weight_of_a_summary_changes(
    original: tuple[list[list[Fraction]], list[int], list[int]],
) -> None:
    # The derivative of the gap by the weight of a summary in its input, by central differences of the weighted means.
    table, inputs, variants = np.array(original[0], dtype=float), original[1], original[2]
    found = pulls(table, inputs, variants)
    sizes = np.bincount(inputs)
    for pull in found:
        for each in range(len(variants)):
            own = np.flatnonzero(np.array(inputs) == each)
            if not np.isnan(pull).any():
                assert pull[own].sum() == pytest.approx(0, abs=1e-12)
    first, second = input_pairs(len(variants))
    is_same = np.array(variants)[first] == np.array(variants)[second]
    if np.isnan(found[0]).any():
        assert is_same.all() or not is_same.any()
        return

    def gap(weights: np.ndarray) -> float:
        member = np.zeros((len(inputs), len(variants)))
        member[np.arange(len(inputs)), inputs] = weights / sizes[inputs]
        means = (member.T @ table @ member)[first, second]
        return float(means[~is_same].mean() - means[is_same].mean())

    for place in range(len(inputs)):
        step = np.zeros(len(inputs))
        step[place] = 1e-4
        step -= (np.array(inputs) == inputs[place]) * 1e-4 / sizes[inputs[place]]  # the weights of an input stay one
        slope = (gap(1 + step) - gap(1 - step)) / 2e-4
        assert slope == pytest.approx(float(found[0][place]), abs=1e-6)


def test_pulls_of_replicates_by_hand() -> None:
    # One input with three summaries, one with one; distances to the other 0.5 throughout, so that only noise pulls.
    table = np.array([[0.0, 0.1, 0.3, 0.5], [0.1, 0.0, 0.2, 0.5], [0.3, 0.2, 0.0, 0.5], [0.5, 0.5, 0.5, 0.0]])
    # Mean distances to the other two: 0.2, 0.15, 0.25, of all 0.2; each stands in two of three pairs, 2 / 3.
    np.testing.assert_allclose(pulls(table, [0, 0, 0, 1], [0, 1])[1], [0.0, 0.1 / 3, -0.1 / 3, 0.0], atol=1e-12)
    # Beside a second input with several summaries, half as much; several tables at once.
    wide = np.pad(table, (0, 1), constant_values=0.5)
    wide[3, 4] = wide[4, 3] = 0.2
    wide[4, 4] = 0.0
    expected = np.array([0.0, 0.1 / 6, -0.1 / 6, 0.0, 0.0])
    found = pulls(np.stack([wide, 2 * wide]), [0, 0, 0, 1, 1], [0, 1])[1]
    np.testing.assert_allclose(found, [expected, 2 * expected], atol=1e-12)


@example(of_sizes(2, 3, 2, 2, 1))
@given(originals())
def test_what_pulls_count_twice_is_what_is_peculiar_to_pairs(
    drawn: tuple[list[list[Fraction]], list[int], list[int]],
) -> None:
    table, inputs, variants = drawn
    numbers = np.array(table, dtype=float)
    of_pulls, twice = spreads(numbers, inputs, variants)
    pulled = pulls(numbers, inputs, variants)[0]
    if np.isnan(pulled).any():
        assert math.isnan(of_pulls)
        assert math.isnan(twice)
        return
    members = [[place for place, own in enumerate(inputs) if own == each] for each in range(len(variants))]
    sizes = [len(own) for own in members]
    # k - 1 of k are drawn, each for k / (k - 1): k - 1 times the variance of one draw.
    expected = sum((k - 1) * np.var(k / (k - 1) * pulled[own]) for own, k in zip(members, sizes, strict=True) if k > 1)
    assert of_pulls == pytest.approx(expected, abs=1e-12)
    pairs = list(combinations(range(len(variants)), 2))
    n_alike = sum(variants[a] == variants[b] for a, b in pairs)
    total = 0.0
    for a, b in pairs:
        if sizes[a] > 1 and sizes[b] > 1:
            block = numbers[np.ix_(members[a], members[b])]
            rest = block - block.mean(0) - block.mean(1)[:, None] + block.mean()
            n = n_alike if variants[a] == variants[b] else len(pairs) - n_alike
            total += (rest**2).sum() / ((sizes[a] - 1) * (sizes[b] - 1)) / (sizes[a] * sizes[b]) / n**2
    assert twice == pytest.approx(total, abs=1e-12)
