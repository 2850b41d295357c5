"""Made-up summarizers have the bias that they claim, by counting; the benchmark of power runs."""

from __future__ import annotations

import importlib
import json
import random
import re
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from fairsum_utils import score


@pytest.fixture
def made(repository: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(repository / "benchmarks")
    return importlib.import_module("made_summaries")


@pytest.fixture
def script(made: ModuleType) -> ModuleType:
    return importlib.import_module("power_of_sensitivity")


def texts(made: ModuleType, bias: str, variant: str) -> list[str]:
    """1,200 summaries for one variant."""
    case = made.CASES[1]._replace(replicates=1)
    write = made.habitual(made.BIASES.get(bias, made.FAIR))
    weights = made.inputs(case, 400, np.random.default_rng(0))
    samples = made.simulate(case, weights, write, np.random.default_rng(1))
    assert len(samples) == 400 * 2 * 3
    return [sample.prediction for sample in samples if sample.variant == variant]


def counts(made: ModuleType, written: Sequence[str]) -> tuple[float, float, float]:
    """Sentences of originals in a summary, the share of them with the detail, and of words of feeling that are bad."""
    words = [word.strip(".").lower() for text in written for word in text.split()]
    numbers = [int(found[1]) for word in words if (found := re.fullmatch(r"w(\d+)s?", word))]
    # A sentence has eight words, and four more are its detail; either is told whole.
    places = [number % (made.LENGTH + made.DETAIL) for number in numbers]
    sentences, details = places.count(0), places.count(made.LENGTH)
    bad, good = (sum(word in of_kind for word in words) for of_kind in (made.BAD, made.GOOD))
    return sentences / len(written), details / sentences, bad / (bad + good)


def test_a_fair_summarizer_treats_women_as_men(made: ModuleType) -> None:
    for variant in made.NAMES:
        sentences, detailed, negative = counts(made, texts(made, "none", variant))
        assert sentences == pytest.approx(5.0, abs=0.1)
        assert detailed == pytest.approx(0.3, abs=0.02)
        assert negative == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize(
    ("bias", "dropped", "detailed", "negative"),
    [("longer", 0.0, 0.6, 0.5), ("dropping", 0.2, 0.3, 0.5), ("negative", 0.0, 0.3, 0.6)],
)
def test_a_biased_one_does_not(made: ModuleType, bias: str, dropped: float, detailed: float, negative: float) -> None:
    women, men = (counts(made, texts(made, bias, variant)) for variant in ("female", "male"))
    assert women[0] / men[0] == pytest.approx(1 - dropped, abs=0.03)
    assert women[1:] == (pytest.approx(detailed, abs=0.02), pytest.approx(negative, abs=0.03))
    assert men[1:] == (pytest.approx(0.3, abs=0.02), pytest.approx(0.5, abs=0.03))


def test_every_summary_says_something_of_its_person(made: ModuleType) -> None:
    for text in texts(made, "dropping", "female"):
        assert re.match(r"Mary Smith spoke\. She said W\d+s? ", text)
        assert "John" not in text


def test_words_of_feeling_are_those_that_vader_rates(made: ModuleType) -> None:
    from fairsum_utils.text.vader import analyzer

    assert all(analyzer().polarity_scores(word)["compound"] > 0.2 for word in made.GOOD)
    assert all(analyzer().polarity_scores(word)["compound"] < -0.2 for word in made.BAD)


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_a_lead_is_taken_as_often_as_is_said(made: ModuleType, share: float) -> None:
    rng = random.Random(3)
    columns = made.in_orders(made.make_sets(200, rng), made.lead_in(share, rng), rng)
    firsts = [
        text == " ".join(sources[:3]) for text, sources in zip(columns["predictions"], columns["sources"], strict=True)
    ]
    assert len(firsts) == 200 * made.N_ORDERS
    by_chance = 1 / 56  # three of eight
    assert np.mean(firsts) == pytest.approx(share + (1 - share) * by_chance, abs=0.03)


def test_without_a_lead_all_places_are_alike(made: ModuleType) -> None:
    rng = random.Random(5)
    columns = made.in_orders(made.make_sets(200, rng), made.by_weights(3, rng), rng, replicates=2)
    assert len(columns["predictions"]) == 200 * made.N_ORDERS * 2
    places = [
        place
        for text, sources in zip(columns["predictions"], columns["sources"], strict=True)
        for place, source in enumerate(sources)
        if source in text
    ]
    assert len(places) == 3 * len(columns["predictions"])
    assert np.bincount(places) / len(places) == pytest.approx([1 / 8] * 8, abs=0.015)


@pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
def test_p_values_are_those_of_the_library(script: ModuleType) -> None:
    scorer, pools = script.of_persons("dropping")
    samples = next(pools)[: 6 * 18]
    found = script.p_values(scorer.score(samples), scorer)
    names = {"predictions": "prediction", "article_ids": "article", "variants": "variant", "controls": "control"}
    names |= {"replicates": "replicate", "changed": "changed"}
    result = score(
        {column: [getattr(sample, name) for sample in samples] for column, name in names.items()},
        metrics=list(scorer.measures),
        outcomes=["units"],
        n_permutations=199,
    )
    [units] = result["counterfactual_outcomes"]["outcomes"]
    assert found == {
        ("counterfactual_gap", ""): result["counterfactual_gap"]["p_value"],
        ("counterfactual_outcomes", "units"): units["p_value"],
    }


def test_the_report(script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--pools", "1", "--data-sets", "2", "--biases", "dropping", "lead 25 %"]
    report = script.main([*options, "--output", str(tmp_path / "results.json")])
    assert json.loads((tmp_path / "results.json").read_text()) == report
    assert report["originals"] == [6, 12, 25, 50, 100]
    assert all(row["data_sets"] == [2, 2, 2, 2, 1] for row in report["rows"])
    powers = {(row["bias"], row["by"], row["replicates"]): row["power"] for row in report["rows"]}
    assert powers.keys() == {
        *(("dropping", by, n) for by in ("", "units") for n in (1, 3)),
        *(("lead 25 %", matcher, n) for matcher in ("lexical", "ngram") for n in (1, 3)),
    }
    assert all(share in (0.0, 0.5, 1.0) for shares in powers.values() for share in shares)
    assert powers["dropping", "units", 3][-1] == powers["lead 25 %", "lexical", 3][-1] == 1.0
    assert "lead 25 %" in capsys.readouterr().out
