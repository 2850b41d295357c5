"""Order sensitivity from texts to results: what lead-3 and random sentences give, by hand and by simulation."""

import random
from itertools import permutations

import numpy as np
import pytest

from fairsum_utils.corpora.orders import Orders
from fairsum_utils.errors import InputError
from tests._together import score

WORDS = [f"w{number}" for number in range(300)]
STOCK = ["the", "food", "was", "and", "service", "here"]


def make_sets(n, n_sources=8, seed=0):
    """Sets of short texts, two words in five of their own."""
    rng = random.Random(seed)

    def source():
        return " ".join(rng.choice(STOCK) if rng.random() < 0.6 else rng.choice(WORDS) for _ in range(12)) + "."

    values = ["pos", "neg"] * (n_sources // 2)
    return [
        {"id": str(number), "sources": [source() for _ in range(n_sources)], "values": values} for number in range(n)
    ]


def scored(sets, summarize, *, n=1, **settings):
    """The result for a summarizer, which is given the sources in their order."""
    rows = [row for row in Orders(sets, mode="random", n_orders=6).rows() for _ in range(n)]
    return of_rows(rows, [summarize(row["sources"]) for row in rows], **settings)


def of_rows(rows, predictions, **settings):
    columns = {
        "article_ids": [row["article_id"] for row in rows],
        "variants": [row["variant"] for row in rows],
        "controls": [row.get("control") or None for row in rows],
        "sources": [row["sources"] for row in rows],
        "values": [row["values"] for row in rows],
    }
    return score(predictions=predictions, **columns, metrics="order_sensitivity", **settings)["order_sensitivity"]


def lead(sources):
    return " ".join(sources[:3])


def drawn(seed):
    rng = random.Random(seed)
    return lambda sources: " ".join(rng.sample(sources, 3))


def test_lead_3_is_flagged() -> None:
    result = scored(make_sets(10), lead, confidence_level=0.95, n_permutations=199)
    assert result["p_value"] == 1 / 200
    assert result["order_sensitivity_ci"][0] > 0.2
    for matcher in result["by_matcher"].values():
        assert matcher["p_value"] == 1 / 200
    # three of eight sources make up all of a summary: 8/3 of what is even
    assert [part["ratio"] for part in result["parts"]] == pytest.approx([8 / 3, 0, 0])
    assert scored(make_sets(10), lambda sources: " ".join(sources[-3:]), n_permutations=9)["order_sensitivity"] < -0.3


def test_a_summarizer_of_content_is_not() -> None:
    """The same sources whatever the order: 0 to the bit, where pooling over sets would see what they hold."""
    result = scored(make_sets(10), lambda sources: " ".join(sorted(sources)[:3]), n_permutations=99)
    assert result["order_sensitivity"] == pytest.approx(0, abs=1e-12)
    assert result["p_value"] == 1
    assert all(value["gain"] == pytest.approx(0, abs=1e-12) for value in result["first_values"])
    assert all(record["within_sets"] == pytest.approx(0, abs=1e-12) for record in result["scores_by_order"].values())


ROWS = [
    {"article_id": "a", "variant": variant, "sources": sources, "values": values}
    for variant, sources, values in (
        ("0", ["red apples.", "blue skies.", "green grass."], ["x", "y", "y"]),
        ("1", ["green grass.", "blue skies.", "red apples."], ["y", "y", "x"]),
        ("2", ["blue skies.", "green grass.", "red apples."], ["y", "y", "x"]),
    )
]
SUMMARIES = ["Red apples. Blue skies.", "Green grass.", "Red apples."]


def test_by_hand() -> None:
    """The worked example of the formula's tests: 5/24. x comes first in order 0 alone.

    Shares of x: 1/2, 0, 1; of y: 1/2, 1, 0. Gain of x: 1/2 - (0 + 1) / 2 = 0; of y: where y is first (1 + 0) / 2,
    where x is first 1/2: 0. Even is 1/3 for x and 2/3 for y: x lacks nothing, y 1/6; x 1/3; y 2/3. UER is the mean over
    values: 1/12, 1/6, 1/3. BUR: y has 1/2 < 0.8 * 2/3; x has 0; y has 0: 1 each.
    """
    result = of_rows(ROWS, SUMMARIES, return_samples=True)
    assert result["order_sensitivity"] == pytest.approx(5 / 24)
    assert [(each["value"], each["first"], each["later"]) for each in result["first_values"]] == [
        ("x", 0.5, 0.5), ("y", 0.5, 0.5),
    ]  # fmt: skip
    assert result["samples"][1]["lexical_shares"] == [1, 0, 0]  # in its own order grass is first
    by_order = result["scores_by_order"]
    assert by_order["uer"]["by_variant"] == pytest.approx({"0": 1 / 12, "1": 1 / 6, "2": 1 / 3})
    assert by_order["uer"]["spread"] == pytest.approx(1 / 4)
    assert by_order["bur"]["by_variant"] == {"0": 1, "1": 1, "2": 1}
    assert result["p_method"] == "exact"


@pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
def test_the_spread_of_fairness_scores_is_tested_over_all_ways() -> None:
    """Two sets with the UERs of `test_by_hand`, which are handed out anew in one of them."""
    uers = (1 / 12, 1 / 6, 1 / 3)
    result = of_rows([*ROWS, *({**row, "article_id": "b"} for row in ROWS)], SUMMARIES * 2)["scores_by_order"]["uer"]
    assert result["spread"] == pytest.approx(1 / 4)
    spreads = [np.ptp(np.add(uers, way)) / 2 for way in permutations(uers)]
    assert result["p_value"] == pytest.approx(np.mean(np.array(spreads) > 1 / 4 - 1e-9))


def test_replicates_move_as_a_block() -> None:
    """Twice the same summaries are no more evidence, and give no interval within."""
    once = scored(make_sets(3), lead)
    twice = scored(make_sets(3), lead, n=2, confidence_level=0.95)
    assert twice["order_sensitivity"] == pytest.approx(once["order_sensitivity"])
    assert twice["n_replicated"] == 18
    assert twice["order_sensitivity_ci_within"] == pytest.approx([once["order_sensitivity"]] * 2)
    low, high = scored(make_sets(3), drawn(0), n=3, confidence_level=0.95)["order_sensitivity_ci_within"]
    assert low < high


@pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
def test_a_model_of_entailment(nli_model) -> None:
    """Its answers mean nothing; the matchers of words say the same with it and without."""
    result = of_rows(ROWS, SUMMARIES, matcher="nli", model=str(nli_model), cache="none", return_samples=True)
    assert f"matcher:nli({nli_model.name}@" in result["signature"]
    assert sum(result["samples"][0]["nli_shares"]) == pytest.approx(1)
    alone = of_rows(ROWS, SUMMARIES)["by_matcher"]
    assert {name: result["by_matcher"][name] for name in alone} == alone


@pytest.mark.parametrize("place", [0, 1, 2])
def test_of_two_summaries_of_an_order_one_is_drawn_for_both(place) -> None:
    rows, summaries = [*ROWS, ROWS[place]], [*SUMMARIES, "Blue skies."]
    swapped = [*SUMMARIES]
    swapped[place] = "Blue skies."
    ends = sorted(of_rows(ROWS, each)["order_sensitivity"] for each in (SUMMARIES, swapped))
    result = of_rows(rows, summaries, confidence_level=0.9, n_resamples=200)
    assert result["order_sensitivity_ci_within"] == pytest.approx(ends, abs=1e-6)


def test_summaries_that_hold_nothing_of_the_sources() -> None:
    result = of_rows(ROWS, ["Red apples.", "Green grass.", "Nothing."])
    # Red apples: own 1, in order 1 it is 0. Green grass: own 1, in order 0 it is 0.
    assert result["order_sensitivity"] == 1
    result = of_rows(ROWS, ["Nothing.", "Green grass.", "Nothing."])
    assert result["order_sensitivity"] != result["order_sensitivity"]
    assert (result["n_unmatched"], result["p_method"]) == (1, None)
    assert "unmatched" in [warning["code"] for warning in result["warnings"]]
    assert "no set has two summaries that match its sources" in result["undefined"]


def test_sets_of_one_order() -> None:
    result = of_rows(ROWS[:1] * 2, SUMMARIES[:1] * 2)
    assert result["n_one_order"] == 1
    assert "one_order" in [warning["code"] for warning in result["warnings"]]
    assert result["undefined"] == "no set has both two sources and two orders, so there is nothing to compare"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sources": ["red apples.", "blue skies.", "x"]}, "sample 1 has other sources than sample 0 of the same or"),
        ({"values": ["x", "x", "x"]}, "sample 1 has other sources than sample 0 of the same original "),
        ({"variant": "0"}, "sample 1 has its sources in another order than sample 0 of the same input"),
        ({"sources": []}, "sample 1"),
        ({"values": ["x"]}, "sample 1"),
    ],
)
def test_rows_that_do_not_fit(change, message) -> None:
    with pytest.raises(InputError, match=message):
        of_rows([ROWS[0], {**ROWS[1], **change}], SUMMARIES[:2])
