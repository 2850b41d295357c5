"""Gaps: ways to hand variants out, and FiSCo's test."""

from __future__ import annotations

import math
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import ttest_ind

from fairsum_utils import compute, read_results
from fairsum_utils.families.sensitivity.counterfactual_gap import all_ways, gaps_of
from fairsum_utils.families.sensitivity.distances import word_distances
from fairsum_utils.families.sensitivity.tally import Relabelled, label_ways
from fairsum_utils.results import ScoreResults


@pytest.mark.parametrize(
    ("counts", "n"),
    # C(4, 2) ways, of which two each pair the same inputs; C(6, 3) / 2; 6! / (2! 2! 2!) / 3!; C(5, 2), all different;
    # 501 ways of 125,250 pairs each, and 12! / (4!)**3 = 34,650 are too many to be listed.
    [((2, 2), 3), ((3, 3), 10), ((2, 2, 2), 15), ((2, 3), 10), ((1, 1, 2), 6), ((1, 500), None), ((4, 4, 4), None)],
)
def test_how_many_ways_there_are(counts: tuple[int, ...], n: int | None) -> None:
    ways = all_ways(counts)
    assert (None if ways is None else len(ways)) == n
    for labels in () if ways is None else ways.tolist():
        assert tuple(map(labels.count, range(len(counts)))) == counts


def test_ways_are_drawn_evenly_and_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three pairings of two and two inputs, each with a gap of its own; and the six orders of three summaries."""
    pairs, ways = np.array([0.1, 0.3, 0.4, 0.7, 0.2, 0.9]), all_ways((2, 2))
    assert ways is not None

    def gaps(labels: Any) -> Any:
        return gaps_of(pairs, (2, 2), labels)[:, None]

    for is_drawn in (True, False):
        relabelled = Relabelled("a", np.array([0, 0, 1, 1]), gaps, 3, lambda: ways, is_drawn)
        drawn = relabelled.drawn(6_000, np.random.default_rng(0))
        found, counts = np.unique(drawn.round(9), return_counts=True)
        assert found == pytest.approx(sorted(relabelled.listed()[:, 0].tolist()))
        assert counts == pytest.approx(2_000, abs=5 * math.sqrt(6_000 * 2 / 9))
        with monkeypatch.context() as patch:
            patch.setattr("fairsum_utils.families.sensitivity.tally.TOGETHER", 20)
            assert (relabelled.drawn(6_000, np.random.default_rng(0)) == drawn).all()
    orders = Relabelled("a", np.arange(3), lambda labels: labels, 6, lambda: label_ways((1, 1, 1)), is_drawn=True)
    assert sorted(orders.listed().tolist()) == list(map(list, permutations(range(3))))
    _, counts = np.unique(orders.drawn(6_000, np.random.default_rng(0)), axis=0, return_counts=True)
    assert counts == pytest.approx(1_000, abs=5 * math.sqrt(6_000 * 5 / 36))


MEASURE = "counterfactual_gap"
pytestmark = pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning", "ignore:Precision loss occurred")

WORDS = st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map(" ".join)
ROWS = st.lists(st.tuples(st.sampled_from("123"), st.sampled_from("fmx"), WORDS), min_size=1, max_size=24)


def columns_of(rows: list[tuple[str, str, str]]) -> dict[str, list[str]]:
    articles, variants, texts = map(list, zip(*rows, strict=True))
    return {"predictions": texts, "article_ids": articles, "variants": variants}


def fisco(rows: list[tuple[str, str, str]], **settings: Any) -> dict[str, Any]:
    result: dict[str, Any] = compute(MEASURE, **columns_of(rows), test="welch", **settings)
    return result


def by_loops(rows: list[tuple[str, str, str]], a: str, b: str) -> dict[str, tuple[float, float]]:
    """Original -> t and p of SciPy, NaN where it has none, of each original with both variants."""
    found = {}
    for article in {row[0] for row in rows}:
        own = [row[1:] for row in rows if row[0] == article and row[1] in (a, b)]
        if len({variant for variant, _ in own}) < 2:
            continue
        sides: dict[bool, list[float]] = {True: [], False: []}
        for (one, first), (other, second) in combinations(own, 2):
            sides[one == other].append(round(1 - float(word_distances([[first, second]])[0, 0, 1]), 12))
        within, between = sides[True], sides[False]
        if min(len(within), len(between)) < 2:
            found[article] = (math.nan, math.nan)
        else:
            t, p = ttest_ind(within, between, equal_var=False)
            found[article] = (float(t), float(p))
    return found


FIVE = [("1", "f", "a b"), ("1", "f", "a c"), ("1", "m", "d b"), ("1", "m", "d c"), ("2", "f", "a"), ("2", "m", "a")]


def test_by_hand() -> None:
    """Likenesses within: 1/2 and 1/2; between: 1/2, 0, 0, 1/2. t = (1/2 - 1/4) / sqrt(0 + (1/12) / 4) = sqrt(3).

    Their degrees of freedom are those of the four, 3. Original 2 has no two summaries of one variant.
    """
    result = fisco(FIVE, return_samples=True)
    assert result["welch"] == [
        {"variant_a": "f", "variant_b": "m", "rejected": 0, "rejected_apart": 0, "n_articles": 1, "n_untested": 1}
    ]
    samples = result["samples"]
    assert samples[0]["welch_t"] == pytest.approx({"m": math.sqrt(3)})
    assert samples[2]["welch_t"] == pytest.approx({"f": math.sqrt(3)})
    assert samples[0]["welch_p"] == pytest.approx({"m": 0.18169011381620928})  # of SciPy, t of 3 degrees
    assert (samples[4]["welch_t"], samples[4]["welch_p"]) == (None, None)
    assert "|test:welch|" in result["signature"]


@settings(max_examples=30, deadline=None)
@given(ROWS)
@example(
    [("1", v, text) for v, texts in (("f", ("b c a", "b a", "a")), ("m", ("c c", "c a", "a c"))) for text in texts]
)
@example([("1", v, text) for v, texts in (("f", ("c b b", "c a")), ("m", ("b a", "c b c"))) for text in texts])
def test_it_is_that_of_scipy(rows: list[tuple[str, str, str]]) -> None:
    """The examples have a p-value of 0.07, and a t below 0 that is rejected."""
    result = fisco(rows, return_samples=True, neutral=False)
    told = {(each["variant_a"], each["variant_b"]): each for each in result["welch"]}
    for a, b in combinations("fmx", 2):
        expected = by_loops(rows, a, b)
        defined = [(t, p) for t, p in expected.values() if not math.isnan(p)]
        assert ((a, b) in told) == bool(expected)
        if not expected:
            continue
        assert (told[a, b]["n_articles"], told[a, b]["n_untested"]) == (len(defined), len(expected) - len(defined))
        rejected = [t for t, p in defined if p <= 0.05]
        for key, n in (("rejected", len(rejected)), ("rejected_apart", sum(t > 0 for t in rejected))):
            assert told[a, b][key] == pytest.approx(n / len(defined) if defined else math.nan, nan_ok=True)
        for record in result["samples"]:
            if record["variant"] == a and record["article"] in expected:
                t, p = expected[record["article"]]
                assert (record["welch_p"] or {}).get(b, math.nan) == pytest.approx(p, abs=1e-9, nan_ok=True)
                finite = t if math.isfinite(t) else math.nan
                assert (record["welch_t"] or {}).get(b, math.nan) == pytest.approx(finite, rel=1e-6, nan_ok=True)


def test_what_does_not_vary_at_all(tmp_path: Any) -> None:
    """A generator that says the same each time: t is infinite, which no record says, and p 0, as SciPy has it."""
    rows = [("1", v, t) for v, t in (("f", "a b"), ("m", "a c")) for _ in range(2)]
    results = ScoreResults({MEASURE: fisco(rows, return_samples=True)})
    [each] = results[MEASURE]["welch"]
    assert (each["rejected"], each["rejected_apart"], each["n_articles"]) == (1, 1, 1)
    record = results[MEASURE]["samples"][0]
    assert (record["welch_t"], record["welch_p"]) == (None, {"m": 0.0})
    results.save(tmp_path / "results.json")
    assert read_results(tmp_path / "results.json")[MEASURE]["welch"] == [each]
