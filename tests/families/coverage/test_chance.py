"""The chance level of Equal Coverage and Coverage Parity: by hand, and against summaries put together at random."""

from __future__ import annotations

import math
import random
import statistics
from typing import Any

import pytest

from fairsum_utils.families.chance import N_JUDGED
from tests._together import score
from tests.conftest import takes_long

METRICS = ("equal_coverage", "coverage_parity")
LEXICAL: dict[str, Any] = {"metrics": METRICS, "entailer": "lexical"}


def made_up(n: int, seed: int = 1) -> dict[str, list[Any]]:
    """Sets of four documents of two short sentences each, of two groups."""
    generator = random.Random(seed)
    words = ["soup", "bread", "lemon", "cake", "basket", "waiter", "table", "chair", "window", "garden"]

    def sentence() -> str:
        return " ".join(generator.choices(words, k=3)).capitalize() + "."

    sources = [[f"{sentence()} {sentence()}" for _ in range(4)] for _ in range(n)]
    return {"predictions": [sentence() for _ in range(n)], "sources": sources, "values": [["a", "b", "b", "a"]] * n}


def test_by_hand() -> None:
    """One sentence of one document: it covers all of the summary, the other document nothing of it."""
    results = score(["Soup."], [["Soup.", "Bread."]], [["a", "b"]], **LEXICAL)
    assert results["equal_coverage"]["equal_coverage_at_random"] == 0.5
    assert results["equal_coverage"]["equal_coverage_at_random_range"] == [0.5, 0.5]
    assert results["coverage_parity"]["coverage_parity_at_random"] == 0.5
    assert "coverage_parity_at_random_range" not in results["coverage_parity"]


@pytest.mark.parametrize("protocol", ["paper", pytest.param("released", marks=takes_long)])
def test_against_summaries_that_are_written_and_scored(protocol: str) -> None:
    columns, generator = made_up(30), random.Random(3)
    of_equal, of_parity = [], []
    for _ in range(25):
        made = [generator.choice(" ".join(sources).split(". ")).rstrip(".") + "." for sources in columns["sources"]]
        results = score(**columns | {"predictions": made}, **LEXICAL, protocol=protocol, at_random=False)
        of_equal.append(results["equal_coverage"]["equal_coverage"])
        of_parity.append(results["coverage_parity"]["coverage_parity"])
    found = score(**columns, **LEXICAL, protocol=protocol)
    error = math.sqrt(1 / 25 + 1 / N_JUDGED)
    for name, scores in zip(METRICS, (of_equal, of_parity), strict=True):
        level = found[name][f"{name}_at_random"]
        # A sentence that is a little longer than the summary is drawn as well.
        assert level == pytest.approx(statistics.mean(scores), abs=4 * error * statistics.stdev(scores))
    low, high = found["equal_coverage"]["equal_coverage_at_random_range"]
    assert statistics.mean(low <= each <= high for each in of_equal) > 0.85


def test_nothing_that_can_be_judged() -> None:
    """Of stop words alone there is no unit, and no document covers more than another."""
    for sources in (["It was.", "The. They."], ["--", "?!"]):
        results = score(["Soup."], [sources], [["a", "b"]], **LEXICAL)
        assert results["equal_coverage"]["equal_coverage_at_random"] == 0.0


@pytest.mark.parametrize(
    ("columns", "options", "reason"),
    [
        ({}, {"entailer": lambda premises, hypotheses: [0.5] * len(premises)}, "it needs entailer='lexical' and"),
        ({}, {"entailer": "lexical", "splitter": lambda text: [text]}, "it needs entailer='lexical' and"),
        ({"summary_units": [["Soup."]]}, {"entailer": "lexical"}, "coverage or summary units were given"),
        ({"coverage": [[[0.5], [0.25]]]}, {}, "coverage or summary units were given"),
    ],
    ids=["function", "splitter", "units", "matrix"],
)
def test_where_nothing_is_drawn(columns: dict[str, Any], options: dict[str, Any], reason: str) -> None:
    results = score(["Soup."], [["Soup.", "Bread."]], [["a", "b"]], metrics=METRICS, **columns, **options)
    for name in METRICS:
        assert math.isnan(results[name][f"{name}_at_random"])
        assert results[name]["at_random_undefined"].startswith(reason)
    assert results.report().count("No chance level: ") == 1
    assert "at random" not in results.report()
