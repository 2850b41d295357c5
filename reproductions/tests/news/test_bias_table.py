"""Tables 3 and 12: intervals by hand, where few draws are possible, and the paper's layout."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fairsum_reproductions as studies
import fairsum_utils
from fairsum_reproductions.news.bias_table import parts
from fairsum_utils.reports.formats import as_csv, as_text
from fairsum_utils.stats.intervals import Moments, mean_interval


def words(female: int, male: int) -> str:
    return " ".join(["she"] * female + ["he"] * male)


def by_hand() -> Any:
    """Two originals of two pairs each, an input of each pair without any word of the lists."""
    pairs = {("a", "p"): (3, 1), ("a", "q"): (1, 1), ("b", "r"): (1, 1), ("b", "s"): (1, 3)}
    texts = [text for counts in pairs.values() for text in (words(*counts), "rain")]
    return fairsum_utils.score(
        predictions=texts,
        sources=texts,
        article_ids=[article for article, _ in pairs for _ in "12"],
        pair_ids=[pair for _, pair in pairs for _ in "12"],
        metrics=["word_list_inclusion"],
        reference="uniform",
        confidence_level=0.95,
    )


def alike() -> dict[str, Any]:
    """Results as of distinguishability, by two embeddings."""
    return {
        "count": {
            "distinguishability": 0.21,
            "distinguishability_ci": [0.19, 0.24],
            "signature": "embedding:count|v:1",
        },
        "dense": {"distinguishability": 0.22, "distinguishability_ci": [0.19, 0.24], "signature": "embedding:x@y|v:1"},
    }


def test_intervals_by_hand() -> None:
    result = studies.bias_table({"bart": by_hand()})
    cell = result["measures"]["Word List Inclusion"]["bart"]
    # All words: 6 of each, 0. Originals drawn anew: a a 8 to 4, 1/6; a b 0; b b 1/6. One pair of each original drawn:
    # p r 4 to 2, 1/6; p s and q r 0; q s 1/6.
    assert cell["score"] == 0
    assert cell["d"] == pytest.approx([0, 1 / 6])
    assert cell["s"] == pytest.approx([0, 1 / 6])
    assert cell["towards"] is None
    assert (cell["s_lost"], cell["d_lost"]) == (0, 0)


def test_layout() -> None:
    """Rows in the paper's order, a column a system, below each score s and d with two digits; no s of the last."""
    result = studies.bias_table({"bart/local": by_hand(), "bart/global": alike(), "pegasus": alike()})
    told, printed = parts(result)
    assert printed.header == ["", "bart", "pegasus"]
    assert [list(row) for row in printed.rows] == [
        ["Word List Inclusion", "0.00", ""],
        ["  s", "0.00,0.17", ""],
        ["  d", "0.00,0.17", ""],
        ["Distinguishability (Count)", "0.21", "0.21"],
        ["  d", "0.19,0.24", "0.19,0.24"],
        ["Distinguishability (Dense)", "0.22", "0.22"],
        ["  d", "0.19,0.24", "0.19,0.24"],
    ]
    assert as_csv([told]).splitlines()[:3] == [
        "measure,system,score,s low,s high,d low,d high,towards",
        "Word List Inclusion,bart,0.0,0.0,0.16666666666666666,0.0,0.16666666666666666,",
        "Distinguishability (Count),bart,0.21,,,0.19,0.24,",
    ]
    assert "  d                         0.19,0.24  0.19,0.24" in as_text([printed])


def test_intervals_beside_a_plain_loop() -> None:
    """Originals, and pairs within them, drawn one by one, as the paper describes it."""
    generator = np.random.default_rng(5)
    counts = generator.integers(1, 9, size=(60, 3, 2))  # originals, pairs, words of women and of men
    texts = [words(*pair) for original in counts.tolist() for pair in original]
    names = [(f"a{original}", f"p{pair}") for original in range(60) for pair in range(3)]
    found = fairsum_utils.score(
        predictions=texts,
        sources=texts,
        article_ids=[article for article, _ in names],
        pair_ids=[pair for _, pair in names],
        metrics=["word_list_inclusion"],
        reference="uniform",
        confidence_level=0.95,
    )["word_list_inclusion"]

    def width(draws: list[Any]) -> float:
        """Of the interval of the share of women."""
        sums = np.array([drawn.reshape(-1, 2).sum(axis=0) for drawn in draws])
        low, high = np.percentile(sums[:, 0] / sums.sum(axis=1), [2.5, 97.5])
        return float(high - low)

    loop = range(4000)
    d = width([counts[generator.integers(60, size=60)] for _ in loop])
    # As many pairs as there are: of three, the variance is two thirds of that of new pairs.
    s = width([counts[np.arange(60)[:, None], generator.integers(3, size=(60, 3))] for _ in loop])
    for ends, expected in (("ci", d), ("ci_within", s * math.sqrt(3 / 2))):
        low, high = found[f"word_list_inclusion_by_group_{ends}"]["female"]
        assert high - low == pytest.approx(expected, rel=0.12)


def test_the_interval_of_distinguishability_is_that_of_its_originals(example: Any) -> None:
    """d beside a plain loop over the scores of originals, as the published code has it."""
    inputs = example.corpus("global")
    summaries = [example.SYSTEMS["random"](index, row) for index, row in enumerate(inputs)]
    found = fairsum_utils.score(
        **example.columns(inputs, summaries),
        groups=[row["text_group"] for row in inputs],
        metrics=["distinguishability"],
        confidence_level=0.95,
        return_samples=True,
    )
    cell = studies.bias_table({"random": found})["measures"]["Distinguishability (Count)"]["random"]
    ranked = studies.ranked_articles({"random": found})["systems"]["random"]["articles"]
    scores = np.array([row["score"] for row in ranked])
    assert cell["score"] == pytest.approx(scores.mean())
    generator = np.random.default_rng(0)
    means = [scores[generator.integers(24, size=24)].mean() for _ in range(4000)]
    assert cell["d"] == pytest.approx(mean_interval(Moments.of(scores), 0.95, (-1.0, 1.0)))
    low, high = np.percentile(means, [2.5, 97.5])  # which are too narrow of 24 originals
    assert cell["d"][0] < low < high < cell["d"][1]
    assert cell["s"] is None


@pytest.mark.parametrize("lost", ["left out", "undefined"])
def test_replicates_without_a_score(lost: str) -> None:
    """One of two originals names nobody of the lists: a quarter of the replicates have no score."""
    texts = [words(1, 0), "rain"]
    found = fairsum_utils.score(
        predictions=texts,
        sources=texts,
        article_ids=["a", "b"],
        metrics=["word_list_inclusion"],
        reference="uniform",
        confidence_level=0.95,
    )
    result = studies.bias_table({"bart": found}, lost=lost)
    cell = result["measures"]["Word List Inclusion"]["bart"]
    assert (cell["score"], cell["s"], cell["towards"]) == (0.5, None, "female")
    assert cell["d_lost"] == pytest.approx(0.25, abs=0.05)
    if lost == "left out":
        # All others say 1/2. Of two originals that tells nothing yet of how far the score spreads.
        assert cell["d"] == pytest.approx(mean_interval(Moments(2, 0.5, 0.0, 0.0), 0.95, (0.0, 1.0)))
        assert result["undefined"] == {}
        assert parts(result)[0].below[0].startswith("d of Word List Inclusion of bart: 2")
    else:  # as the paper prints it in table 19
        assert all(map(math.isnan, cell["d"]))
        assert result["undefined"] == {"d of Word List Inclusion of bart": "some replicates have no score"}
        assert ["  d", "undefined"] in [list(row) for row in parts(result)[1].rows]


def test_refused(refusal: Callable[..., str]) -> None:
    assert refusal(studies.bias_table, {"a": {"bur": {"bur": 0.1}}}).startswith(
        "bias_table: a has none of word_list_inclusion, entity_inclusion, entity_hallucination, "
    )
    twice = {"a/local": by_hand(), "a/global": by_hand()}
    assert refusal(studies.bias_table, twice).startswith(
        "bias_table: a/local and a/global both have Word List Inclusion of a; score each corpus for its own measures"
    )
    assert "lost must be one of left out, undefined" in refusal(studies.bias_table, {"a": by_hand()}, lost="kept")
