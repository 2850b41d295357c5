"""The measures against their definitions as loops, on small data with everything uneven: see `_loops`."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from fairsum_utils import compute
from fairsum_utils.stats.tests import holm
from tests.families.sensitivity import _loops

WORDS = ["alpha", "beta", "gamma", "war", "win", "good", "terrible", "may", "perhaps", "zeta"]
OUTCOMES = ("sentiment", "length", "reading_level", "hedges")

pytestmark = pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")


def a_text(rng: random.Random) -> str:
    """Some words, one word, or now and then none."""
    if rng.random() < 0.08:
        return rng.choice(["", "...", " "])
    return " ".join(rng.choices(WORDS, k=rng.choice([1, 2, 4, 7]))).capitalize() + rng.choice(["", "."])


def uneven(rng: random.Random) -> list[dict[str, Any]]:
    """Originals in shuffled order that lack some inputs, with more summaries of some and the same ones again."""
    texts = [a_text(rng) for _ in range(rng.choice([3, 12]))]
    variants, controls = rng.choice(["f", "fm", "fm", "fmx"]), rng.choice([[None], [None, "c"], ["c", "d", ""]])
    rows = [
        {"predictions": rng.choice(texts), "article_ids": number, "variants": variant, "controls": control}
        for number in range(rng.randint(1, 3))
        for variant in variants
        for control in controls
        for _ in range(rng.choice([0, 1, 1, 1, 2]))
    ]
    rng.shuffle(rows)
    return rows if rows and sum(row["predictions"].strip() != "" for row in rows) <= 16 else uneven(rng)


def columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in rows[0]}


def same(number: Any) -> Any:
    return pytest.approx(number, abs=1e-9, nan_ok=True)


def near(p: float, method: str) -> Any:
    """Within five standard errors of 1,000 draws, or exactly."""
    return same(p) if method == "exact" else pytest.approx(p, abs=5 * math.sqrt(p * (1 - p) / 1000) + 2 / 1000)


@pytest.mark.parametrize("seed", range(25))
def test_counterfactual_gap(seed: int) -> None:
    rows = uneven(random.Random(seed))
    expected, found = _loops.gap(rows), compute("counterfactual_gap", **columns(rows))
    assert found["counterfactual_gap"] == same(expected["gap"])
    assert (found["between"], found["n_articles_scored"]) == (same(expected["between"]), expected["n"])
    assert found["floor"] == expected["floor"]
    if found["p_method"] != "drawn":
        assert found["p_value"] == same(expected["p"])
    pairs = {(pair["variant_a"], pair["variant_b"]): pair for pair in found["pairs"]}
    assert pairs.keys() == expected["pairs"].keys()
    for pair, of_pair in expected["pairs"].items():
        assert (pairs[pair]["gap"], pairs[pair]["n_articles"]) == (same(of_pair["gap"]), of_pair["n"])
        assert pairs[pair]["p_value"] == same(of_pair["p"])
    tested = [pair for pair in pairs.values() if not math.isnan(pair["p_value"])]
    assert [pair["p_value_corrected"] for pair in tested] == same(holm([pair["p_value"] for pair in tested]))


@pytest.mark.parametrize("seed", range(25))
def test_counterfactual_outcomes(seed: int) -> None:
    rows = uneven(random.Random(seed))
    found = compute("counterfactual_outcomes", **columns(rows), outcomes=OUTCOMES, return_samples=True)
    known = [None if sample["skipped"] else sample["outcomes"] for sample in found["samples"]]
    for row, own in zip(rows, known, strict=True):
        assert own is None or own["length"] == len(_loops.cut(row["predictions"]))
    expected = _loops.outcomes(rows, known, OUTCOMES)
    names = "outcome", "variant_a", "variant_b", "difference", "standardized", "moved", "n_articles"
    assert len(found["outcomes"]) == len(expected)
    for test, (*of_test, p) in zip(found["outcomes"], expected, strict=True):
        assert [test[name] for name in names[:3]] == of_test[:3]
        assert [test[name] for name in names[3:]] == same(of_test[3:])
        assert test["p_method"] == "drawn" or test["p_value"] == same(p)
    sizes = [abs(size) for *_, size, _, _, _ in expected]
    assert found["counterfactual_outcomes"] == same(max(sizes, default=math.nan))
    corrected = holm([test["p_value"] for test in found["outcomes"]])
    assert [test["p_value_corrected"] for test in found["outcomes"]] == same(corrected)


@pytest.mark.parametrize("seed", range(25))
def test_order_sensitivity(seed: int) -> None:
    rng = random.Random(seed)
    rows = []
    for number in range(rng.randint(1, 3)):
        sources = [" ".join(rng.choices(WORDS, k=rng.randint(1, 5))) for _ in range(rng.choice([1, 2, 3, 5, 7]))]
        texts = [(text, rng.choice("xyz")) for text in dict.fromkeys(sources)]
        for variant in range(rng.randint(1, 4)):
            rng.shuffle(texts)
            for _ in range(rng.choice([1, 1, 2])):
                own = [text for text, _ in rng.sample(texts, rng.randint(1, len(texts)))]
                given = {"sources": [text for text, _ in texts], "values": [value for _, value in texts]}
                prediction = rng.choice([". ".join(own) + ".", a_text(rng)])
                rows.append({"predictions": prediction, "article_ids": number, "variants": variant, **given})
    rng.shuffle(rows)
    for matcher in _loops.MATCHERS:
        expected = _loops.orders(rows, matcher)
        found = compute("order_sensitivity", **columns(rows), matcher=matcher)
        assert (found["order_sensitivity"], found["n_articles_scored"]) == (same(expected["score"]), expected["n"])
        assert {each["value"]: each["gain"] for each in found["first_values"]} == same(expected["gains"])
        assert {each["part"]: each["ratio"] for each in found["parts"]} == same(expected["parts"])
        if expected["n"]:
            assert found["p_value"] == near(expected["p"], found["p_method"])
        for each in found["first_values"]:
            assert each["p_value"] == near(expected["p_of_gains"][each["value"]], found["p_method"])
