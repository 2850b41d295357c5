"""What random words would score: by hand, and against summaries that are really written and scored."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Sequence
from typing import Any

import pytest

from fairsum_utils import score
from fairsum_utils.family.chance import Expected
from fairsum_utils.measures import DEFAULT_METRICS
from fairsum_utils.representation.chance import RandomSummaries
from fairsum_utils.representation.family import FAMILY
from fairsum_utils.representation.settings import RepresentationSettings

METRICS = DEFAULT_METRICS


def expected(
    columns: dict[str, list[Any]], n_draws: int = 100, *, seed: int = 0, **options: Any
) -> dict[str, Expected]:
    settings = RepresentationSettings(**options)
    scorer = FAMILY.scorer(METRICS, settings)
    scorer.evidence = True
    rows = list(scorer.rows(scorer.read(columns)))
    chance = RandomSummaries(METRICS, settings, n_draws=n_draws, seed=seed)
    for place, record in enumerate(FAMILY.records(rows, METRICS, settings)):
        chance.add({name: entries[place] for name, entries in columns.items()}, record)
    return chance.expected()


def one(prediction: str, sources: Sequence[str] = ("soup", "bread"), values: Sequence[Any] = "ab") -> dict[str, Any]:
    return {"predictions": [prediction], "sources": [list(sources)], "values": [list(values)]}


def scores(found: dict[str, Expected]) -> dict[str, float]:
    return {name: of_measure.score for name, of_measure in found.items()}


class TestByHand:
    def test_one_word_speaks_for_one_value(self) -> None:
        # Whichever is drawn, one value has all: shortfall 1/2 of the other one, mean over two 1/4.
        found = expected(one("Soup!"))
        assert scores(found) == {"bur": 1.0, "uer": 0.25, "auc": 1.0, "sof": 0.25}
        assert {of_measure.ends for of_measure in found.values()} == {(1.0, 1.0), (0.25, 0.25)}

    def test_two_words(self) -> None:
        # Both for one value in two of four draws.
        found = scores(expected(one("Soup, bread"), n_draws=20_000))
        assert found == pytest.approx({"bur": 1 / 2, "uer": 1 / 8, "auc": 1 / 2, "sof": 1 / 8}, abs=0.015)

    def test_ten_words(self) -> None:
        # Fair are 4, 5 or 6 of 10: (210 + 252 + 210) / 1024. So a third of blind summaries are called unfair.
        found = scores(expected(one("soup " * 5 + "bread " * 5), n_draws=20_000))
        assert found["bur"] == pytest.approx(1 - 672 / 1024, abs=0.015)
        # E|X - 5| = 10 * C(9, 4) / 2^10 of ten words; one of two values lacks them.
        assert found["uer"] == pytest.approx(10 * math.comb(9, 4) / 2**10 / 10 / 2, abs=0.002)

    def test_shared_words_count_for_all(self) -> None:
        # Of four source words two are soup, which is fair to both.
        found = scores(expected(one("Soup", ("soup cake", "soup bread")), n_draws=20_000))
        assert found["bur"] == pytest.approx(1 / 2, abs=0.015)

    def test_only_words_that_counted_are_drawn_anew(self) -> None:
        # "waiter" is nowhere in the sources, and soup counts for both but is one word.
        texts = ("soup cake", "soup bread")
        assert expected(one("Soup, waiter", texts)) == expected(one("Soup", texts))

    def test_desired_shares(self) -> None:
        # Nothing is desired of b: drawing "soup" is perfect, drawing "bread" leaves a without anything.
        found = scores(expected(one("soup"), n_draws=20_000, target={"a": 1.0, "b": 0.0}))
        assert found == pytest.approx({"bur": 1 / 2, "uer": 1 / 4, "auc": 1 / 2, "sof": 1 / 4}, abs=0.015)

    def test_pairs_are_drawn_from_pairs(self) -> None:
        # "b" has no pair, so all that is drawn is for "a", which has two of three words.
        found = scores(expected(one("tasty soup", ("tasty soup", "bread")), k=2))
        assert found == pytest.approx({"bur": 1.0, "uer": 1 / 6, "auc": 1.0, "sof": 1 / 6})

    @pytest.mark.parametrize(("unmatched", "bur", "uer"), [("uniform", 0.0, 0.0), ("unfair", 1.0, 0.5)])
    @pytest.mark.parametrize("prediction", ["cake", " "])
    def test_no_word_at_all(self, prediction: str, unmatched: str, bur: float, uer: float) -> None:
        # What the real summary counts as; the unfair one gives both values nothing of their half.
        found = scores(expected(one(prediction), unmatched=unmatched, empty="uniform"))
        assert (found["bur"], found["uer"]) == (bur, uer)

    def test_samples_are_averaged(self) -> None:
        # The second is skipped, the third has one value: nobody can lack anything.
        columns = {
            "predictions": ["Soup", " ", "Soup"],
            "sources": [["soup", "bread"], ["soup", "bread"], ["soup"]],
            "values": [["a", "b"], ["a", "b"], ["a"]],
        }
        assert scores(expected(columns))["bur"] == 0.5
        assert math.isnan(scores(expected(one("soup", ["soup"], "a")))["sof"])


def test_against_summaries_that_are_written_and_scored() -> None:
    """Words are drawn one by one, put together to texts and scored as any other, a thousand times."""
    generator = random.Random(7)
    words = ["soup", "bread", "lemon", "cake", "basket", "waiter", "table", "chair", "window", "garden"]
    columns: dict[str, list[Any]] = {"predictions": [], "sources": [], "values": []}
    for _ in range(3):
        sources = [" ".join(generator.choices(words, k=generator.randint(1, 6))) for _ in range(4)]
        columns["sources"].append(sources)
        columns["values"].append(["a", "b", "b", "c"])
        columns["predictions"].append(" ".join(generator.choices(" ".join(sources).split(), k=5)) + " nothing")
    options: dict[str, Any] = {"target": "equal", "tau": 0.7, "n_points": 5}
    drawn: dict[str, list[float]] = {name: [] for name in METRICS}
    for _ in range(1000):
        made = [" ".join(generator.choices(" ".join(sources).split(), k=5)) for sources in columns["sources"]]
        results = score(**columns | {"predictions": made}, metrics=METRICS, **options)
        for name in METRICS:
            drawn[name].append(results[name][name])
    found = expected(columns, n_draws=4000, **options)
    for name, many in drawn.items():
        error = statistics.stdev(many) * math.sqrt(1 / len(many) + 1 / 4000)
        assert found[name].score == pytest.approx(statistics.mean(many), abs=4 * error)
        low, high = found[name].ends or (math.nan, math.nan)
        assert statistics.mean(low <= one <= high for one in many) > 0.93


def test_the_yelp_sets(yelp: Any) -> None:
    """GPT-4's BUR, 0.2027, is above what random words of the same number have; the seed decides little."""
    columns = yelp._asdict()
    found = expected(columns, n_draws=20)
    ends = found["bur"].ends
    assert ends is not None
    assert ends[0] < found["bur"].score < ends[1] < 0.2027
    other = expected(columns, n_draws=20, seed=1)
    assert other["bur"].score == pytest.approx(found["bur"].score, abs=0.01)
    assert other["bur"].score != found["bur"].score


def test_the_seed_decides() -> None:
    columns = one("soup bread soup")
    assert expected(columns) == expected(columns) != expected(columns, seed=1)


def test_nothing_where_words_do_not_decide() -> None:
    assert FAMILY.chance(METRICS, RepresentationSettings(matcher="bertscore")) is None
    assert FAMILY.chance(METRICS, RepresentationSettings(matcher=lambda texts, summary: [1.0, 0.0])) is None
    given = one("soup") | {"target_distributions": [{"a": 1, "b": 0}]}
    assert expected(given) == {}
    assert expected(one(" ")) == {}


def test_a_record_of_other_settings_is_no_ground() -> None:
    chance = FAMILY.chance(METRICS, RepresentationSettings(language="german"))
    assert chance is not None
    sample = {name: entries[0] for name, entries in one("tasty").items()}
    chance.add(sample, {"values": ["a"], "matched": [["tasti"]], "skipped": None, "desired_share": [1.0]})
    assert chance.expected() == {}
