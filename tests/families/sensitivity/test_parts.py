"""Parts of the data add up to the whole to the bit, as long as no original is parted."""

from __future__ import annotations

import random
from typing import Any

import pytest
from fairsum_utils.session.state import State

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


def halves(rows: list[dict[str, Any]], measure: str, settings: dict[str, Any]) -> list[dict[str, Any]]:
    """The result of all originals, and that of two and two."""
    drawn = {"bootstrap": "buckets", "confidence_level": 0.9, "n_resamples": 30}
    given = {"predictions", "article_ids", "variants", "controls"}
    if measure == "order_sensitivity":
        given |= {"sources", "values"}
    with Session([Request(get_measure(measure)(**settings, **drawn))]) as session:

        def part(articles: str) -> State:
            session.reset()
            for place, row in enumerate(rows):
                if row["article_ids"] in articles:
                    session.add({name: [entry] for name, entry in row.items() if name in given}, start=place)
            return State.from_bytes(session.state().to_bytes())

        whole, merged = part("abcd"), part("ab")
        merged.merge(part("cd"))
        return [dict(session.results(state)[measure]) for state in (whole, merged)]


@pytest.mark.parametrize(("measure", "settings"), CASES)
@pytest.mark.parametrize("seed", range(5))
def test_parts_add_up_to_the_whole(measure: str, settings: dict[str, Any], seed: int) -> None:
    one, other = halves(rows_of(random.Random(seed)), measure, settings)
    assert repr(one) == repr(other)
    assert one["n_articles"] == 4


def test_too_many_variants_in_all_parts_together() -> None:
    one, other = halves(many_variants(), "counterfactual_outcomes", OUTCOMES)
    assert repr(one) == repr(other)
    assert one["outcomes"] == []
