"""The chance level of BUR, UER, AUC and SOF: by hand, by enumeration and against summaries written at random."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Sequence
from typing import Any

import pytest

from fairsum_utils.families.chance import N_DRAWS
from fairsum_utils.families.representation.words import MOST_WORDS, pool_of
from fairsum_utils.measures import DEFAULT_METRICS
from fairsum_utils.measures.bur import BUR
from fairsum_utils.session import Request, Session
from tests._together import score

METRICS = DEFAULT_METRICS


def one(prediction: str, sources: Sequence[str] = ("soup", "bread"), values: Sequence[Any] = "ab") -> dict[str, Any]:
    return {"predictions": [prediction], "sources": [list(sources)], "values": [list(values)]}


def levels(columns: dict[str, Any], **options: Any) -> dict[str, float]:
    results = score(**columns, metrics=METRICS, **options)
    return {name: results[name][f"{name}_at_random"] for name in METRICS}


def test_one_word_speaks_for_one_value() -> None:
    # Whichever word is drawn, one value has everything: the other lacks 1/2, the mean over both is 1/4.
    found = score(**one("Soup!"))
    assert [found[name][f"{name}_at_random"] for name in ("bur", "uer", "auc")] == [1.0, 0.25, 1.0]
    assert found["bur"]["bur_at_random_range"] == [1.0, 1.0]
    assert "sof_at_random_range" not in found["sof"]


def test_desired_shares() -> None:
    # Nothing is desired of b: drawing "soup" is perfect, drawing "bread" leaves a without anything.
    sources = [["soup", f"bread{' the' * place}"] for place in range(100)]  # draws of their own
    columns = {"predictions": ["soup"] * 100, "sources": sources, "values": [["a", "b"]] * 100}
    found = levels(columns, target={"a": 1.0, "b": 0.0})
    assert found["uer"] == pytest.approx(1 / 4, abs=0.02)


@pytest.mark.parametrize(("unmatched", "bur", "uer"), [("uniform", 0.0, 0.0), ("unfair", 1.0, 0.5)])
@pytest.mark.parametrize("summary", [" ", "The!"])
def test_a_summary_without_a_word(summary: str, unmatched: str, bur: float, uer: float) -> None:
    found = levels(one(summary), unmatched=unmatched, empty="uniform")
    assert (found["bur"], found["uer"]) == (bur, uer)


def test_one_value_lacks_nothing() -> None:
    results = score(**one("soup", ["soup"], "a"))
    assert results["bur"]["bur_at_random"] == 0.0
    assert math.isnan(results["sof"]["sof_at_random"])
    assert results["sof"]["at_random_undefined"] == "SOF compares groups, but the data has only one"


def test_pairs_are_drawn_from_pairs() -> None:
    # "b" has no pair, so everything that is drawn is for "a", which has two of three words.
    found = levels(one("tasty soup", ("tasty soup", "bread")), k=2)
    assert found == pytest.approx({"bur": 1.0, "uer": 1 / 6, "auc": 1.0, "sof": 1 / 6})
    found = levels(one("tasty soup bread"), k=2, unmatched="uniform")
    assert (found["bur"], found["uer"]) == (0.0, 0.0)


def made_up(n: int, seed: int = 7) -> dict[str, list[Any]]:
    generator = random.Random(seed)
    words = ["soup", "bread", "lemon", "cake", "basket", "waiter", "table", "chair", "window", "garden"]
    columns: dict[str, list[Any]] = {"predictions": [], "sources": [], "values": []}
    for _ in range(n):
        sources = [" ".join(generator.choices(words, k=generator.randint(1, 6))) for _ in range(4)]
        columns["sources"].append(sources)
        columns["values"].append(["a", "b", "b", "c"])
        columns["predictions"].append(" ".join(generator.choices(words, k=5)))
    return columns


def test_against_summaries_that_are_written_and_scored() -> None:
    """Words are drawn one by one, put together to texts and scored like any other."""
    columns, generator = made_up(25), random.Random(3)
    options: dict[str, Any] = {"target": "equal", "tau": 0.7, "n_points": 5, "at_random": False}
    drawn: dict[str, list[float]] = {name: [] for name in METRICS}
    for _ in range(40):
        made = [" ".join(generator.choices(" ".join(sources).split(), k=5)) for sources in columns["sources"]]
        results = score(**columns | {"predictions": made}, metrics=METRICS, **options)
        for name in METRICS:
            drawn[name].append(results[name][name])
    found = score(**columns, metrics=METRICS, **options | {"at_random": True})
    for name, scores in drawn.items():
        error = statistics.stdev(scores) * math.sqrt(1 / 40 + 1 / N_DRAWS)
        assert found[name][f"{name}_at_random"] == pytest.approx(statistics.mean(scores), abs=4 * error)
        if name != "sof":
            low, high = found[name][f"{name}_at_random_range"]
            assert 0.85 < statistics.mean(low <= each <= high for each in scores) < 1


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"matcher": lambda texts, summary: [1.0, 0.0]}, "it needs matcher='ngram' (--set matcher=ngram)"),
        ({"target_distributions": [{"a": 1, "b": 0}]}, "distributions were given instead of texts"),
    ],
    ids=["function", "given"],
)
def test_where_words_do_not_decide(options: dict[str, Any], reason: str) -> None:
    results = score(**one("soup"), metrics="bur,uer", **options)
    assert math.isnan(results["bur"]["bur_at_random"])
    assert results["bur"]["at_random_undefined"] == reason
    assert results.report().count(f"No chance level: {reason}.") == 1


def test_parts_of_which_some_were_not_drawn() -> None:
    columns = made_up(4)
    with (
        Session([Request(BUR(at_random=True))]) as session,
        Session([Request(BUR())]) as without,
    ):
        session.add(columns)
        session.add_rows(without.rows(columns, start=4))
        result = session.results()["bur"]
    assert result["at_random_undefined"] == "some samples have no random summaries"


def test_the_pool_counts_words_by_their_holders() -> None:
    grams = {"a": ["x", "x", "y"], "b": ["y", "z"], "c": []}
    pool = pool_of(grams, {value: set(words) for value, words in grams.items()}, ["x x y", "y z", ""], "abc")
    assert pool.values == ["c", "a", "b"]  # by their texts: "", "x x y" and "y z"
    assert pool.holders.tolist() == [[0, 1, 0], [0, 0, 1], [0, 1, 1]]
    assert pool.odds.tolist() == [2 / 5, 1 / 5, 2 / 5]
    assert max(pool.draw(MOST_WORDS, ["a", "b"], "x y")) <= MOST_WORDS
    assert pool.draw(MOST_WORDS + 1, ["a", "b"], "x y") == ()  # its counts would not fit their column
    drawn = pool.draw(7, ["b", "a"], "x y")
    assert len(drawn) == 2 * N_DRAWS
    assert all(b + a >= 7 for b, a in zip(drawn[:N_DRAWS], drawn[N_DRAWS:], strict=True))
