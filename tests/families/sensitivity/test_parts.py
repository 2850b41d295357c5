"""Rows of parts of the data give the results of the whole to the bit, also where originals are parted."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest

from fairsum_utils.measures import get_measure
from fairsum_utils.session import Request, Session

pytestmark = pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning", "ignore:Precision loss occurred")

TEXTS = [
    "An awful war.",
    "A great day. It rained.",
    "It rained. Nobody came.",
    "Die Patientin wurde am Montag entlassen, weil sie gesund war.",
    "فازت المرأة بالجائزة أمس.",
    "...",
    " ",
]


def rows_of(rng: random.Random) -> list[dict[str, Any]]:
    """Four originals in shuffled order, with more summaries of some inputs, and sources in an order of each variant."""
    rows = []
    for article in "abcd":
        sources = [(f"{text} {article}.", value) for text, value in zip(TEXTS[:3], "xyy", strict=True)]
        for variant in rng.choice(["f", "fm", "fmx"]):
            rng.shuffle(sources)
            texts, values = map(list, zip(*sources, strict=True))
            for control in (None, "city"):
                own = {"article_ids": article, "variants": variant, "controls": control}
                for _ in range(rng.choice([1, 1, 2])):
                    text = rng.choice([*TEXTS, *texts])
                    rows.append({"predictions": text, **own, "sources": texts, "values": values})
    rng.shuffle(rows)
    return rows


def many_variants() -> list[dict[str, Any]]:
    """Each half has 12 variants, and all together 24: too many to compare two by two."""
    rng = random.Random(5)
    return [
        {"predictions": " ".join(["word"] * rng.randint(1, 9)), "article_ids": article, "variants": variant}
        for article in "abcd"
        for variant in ("abcdefghijkl" if article in "ab" else "ABCDEFGHIJKL")
    ]


OUTCOMES = {"outcomes": ["length", "units", "sentiment"], "n_permutations": 50}
CASES: list[tuple[str, dict[str, Any]]] = [
    ("counterfactual_gap", {"n_permutations": 50}),
    ("counterfactual_outcomes", OUTCOMES),
    ("order_sensitivity", {"n_permutations": 50}),
]


def results_of(rows: list[dict[str, Any]], cuts: list[int], measure: str, settings: dict[str, Any]) -> dict[str, Any]:
    """The result of rows that sessions of their own have made of parts, put together in one."""
    drawn = {"bootstrap": "buckets", "confidence_level": 0.9, "n_resamples": 30}
    given = {"predictions", "article_ids", "variants", "controls"}
    if measure == "order_sensitivity":
        given |= {"sources", "values"}
    given &= rows[0].keys()
    request = Request(get_measure(measure)(**settings, **drawn))
    with Session([request]) as whole:
        for start, stop in pairwise([0, *cuts, len(rows)]):
            part = {name: [row[name] for row in rows[start:stop]] for name in given}
            with Session([request]) as session:
                whole.add_rows(session.rows(part, start=start), [f"s{number}" for number in range(start, stop)])
        whole.take_columns(given)
        return dict(whole.results()[measure])


@pytest.mark.parametrize(("measure", "settings"), CASES)
@pytest.mark.parametrize("seed", range(5))
def test_parts_make_up_the_whole_wherever_originals_are_cut(measure: str, settings: dict[str, Any], seed: int) -> None:
    rng = random.Random(seed)
    rows = rows_of(rng)
    cuts = sorted(rng.sample(range(1, len(rows)), 4))
    one, other = (results_of(rows, places, measure, settings) for places in ([], cuts))
    assert repr(one) == repr(other)
    assert one["n_articles"] == 4


def test_too_many_variants_in_all_parts_together() -> None:
    rows = many_variants()
    one, other = (results_of(rows, places, "counterfactual_outcomes", OUTCOMES) for places in ([], [24]))
    assert repr(one) == repr(other)
    assert one["outcomes"] == []
