"""The chance level of Equal Coverage and Coverage Parity: by hand, and against summaries put together at random."""

from __future__ import annotations

import itertools
import math
import random
import statistics
from typing import Any

import pytest

from fairsum_utils import score
from fairsum_utils.families.coverage.chance import N_DRAWS, draw_sentences
from fairsum_utils.session import Request, Session

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


class TestDrawing:
    documents = (["One is here.", "Two!"], ["Three are here.", "--"])

    def test_none_twice_and_only_with_letters(self) -> None:
        for drawn in draw_sentences(self.documents, "ab", "x" * 10**6):
            assert sorted(drawn) == ["One is here.", "Three are here.", "Two!"]

    def test_as_long_as_the_summary(self) -> None:
        documents = [["a" * 10] * 50]
        for length, n in ((1, 1), (10, 1), (14, 1), (16, 2), (100, 10)):
            assert [len(drawn) for drawn in draw_sentences(documents, "a", "x" * length)] == [n] * N_DRAWS

    def test_the_content_decides(self) -> None:
        documents = [[f"{place}." for place in range(100)]]
        first = draw_sentences(documents, "a", "x" * 10)
        assert first == draw_sentences(documents, "a", "x" * 10) != draw_sentences(documents, "b", "x" * 10)
        assert first[0] != first[1]

    def test_the_order_of_the_documents_does_not(self) -> None:
        documents = [[f"{place}."] for place in range(20)]
        values = "ab" * 10
        assert draw_sentences(documents, values, "x" * 9) == draw_sentences(documents[::-1], values[::-1], "x" * 9)


def test_by_hand() -> None:
    """One sentence of one document: it covers all of the summary, the other document nothing of it."""
    results = score(["Soup."], [["Soup.", "Bread."]], [["a", "b"]], **LEXICAL)
    assert results["equal_coverage"]["equal_coverage_at_random"] == 0.5
    assert results["equal_coverage"]["equal_coverage_at_random_range"] == [0.5, 0.5]
    assert results["coverage_parity"]["coverage_parity_at_random"] == 0.5
    assert "coverage_parity_at_random_range" not in results["coverage_parity"]


def test_nothing_that_can_be_judged() -> None:
    """Of stop words alone there is no unit, and no document covers more than another."""
    for sources in (["It was.", "The. They."], ["--", "?!"]):
        results = score(["Soup."], [sources], [["a", "b"]], **LEXICAL)
        assert results["equal_coverage"]["equal_coverage_at_random"] == 0.0


@pytest.mark.parametrize("protocol", ["paper", "released"])
def test_against_summaries_that_are_written_and_scored(protocol: str) -> None:
    columns, generator = made_up(60), random.Random(3)
    of_equal, of_parity = [], []
    for _ in range(200):
        made = [generator.choice(" ".join(sources).split(". ")).rstrip(".") + "." for sources in columns["sources"]]
        results = score(**columns | {"predictions": made}, **LEXICAL, protocol=protocol, at_random=False)
        of_equal.append(results["equal_coverage"]["equal_coverage"])
        of_parity.append(results["coverage_parity"]["coverage_parity"])
    found = score(**columns, **LEXICAL, protocol=protocol)
    error = math.sqrt(1 / 200 + 1 / N_DRAWS)
    for name, scores in zip(METRICS, (of_equal, of_parity), strict=True):
        level = found[name][f"{name}_at_random"]
        # A sentence that is a little longer than the summary is drawn as well.
        assert level == pytest.approx(statistics.mean(scores), abs=4 * error * statistics.stdev(scores))
    low, high = found["equal_coverage"]["equal_coverage_at_random_range"]
    assert statistics.mean(low <= each <= high for each in of_equal) > 0.85


def test_neither_order_nor_parts_matter() -> None:
    columns = made_up(12)
    order = random.Random(2).sample(range(12), 12)
    shuffled = {name: [entries[place] for place in order] for name, entries in columns.items()}
    requests = [Request(name, settings={"at_random": True, "entailer": "lexical"}) for name in METRICS]
    whole, again = score(**columns, **LEXICAL), score(**shuffled, **LEXICAL)
    ids = [str(place) for place in order]
    with Session(requests) as session:
        states = []
        for parts in ([slice(0, 12)], [slice(0, 5), slice(5, 7), slice(7, 12)]):
            merged = None
            for part in parts:
                rows = session.rows({name: entries[part] for name, entries in shuffled.items()}, whole=False)
                session.add_rows(rows, ids[part])
                state = session.state()
                session.reset()
                if merged is None:
                    merged = state
                else:
                    merged.merge(state)
            states.append(session.results(merged))
    for name, key in itertools.product(METRICS, ("at_random", "at_random_range")):
        key = f"{name}_{key}"
        if key in whole[name]:
            assert whole[name][key] == again[name][key]
            assert states[0][name][key] == states[1][name][key] == pytest.approx(whole[name][key], abs=1e-14)


@pytest.mark.parametrize(
    ("columns", "options", "reason"),
    [
        ({}, {"entailer": lambda premises, hypotheses: [0.5] * len(premises)}, "only entailer='lexical' with"),
        ({}, {"entailer": "lexical", "splitter": lambda text: [text]}, "only entailer='lexical' with"),
        ({"summary_units": [["Soup."]]}, {"entailer": "lexical"}, "the coverage or the units"),
        ({"coverage": [[[0.5], [0.25]]]}, {}, "the coverage or the units"),
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
