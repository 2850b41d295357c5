"""What decided the labels of texts, in tables."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import compute
from fairsum_utils.measures import get_measure, measures_of
from fairsum_utils.reports.page.sample import Lens, readings
from fairsum_utils.reports.polarity import REPORT
from fairsum_utils.reports.report import report
from fairsum_utils.reports.tables import Table

COLUMNS = {
    "predictions": ["She won a prize.", "She sat down.", "An awful war.", "He sat down."],
    "groups": ["w", "w", "m", "m"],
}


@pytest.fixture
def lexicon(tmp_path: Path) -> Path:
    """Ratings of a word: 2 for valence, 5 for fear, and neutral ones."""
    path = tmp_path / "norms.tsv"
    header = ("word", "valence", "arousal", "dominance", "joy", "anger", "sadness", "fear", "disgust")
    path.write_text("\n".join("\t".join(row) for row in (header, ("war", *"25511151"))), encoding="utf-8")
    return path


def test_by_label_and_text(explained: Callable[..., Any]) -> None:
    message, tables = explained("sentiment", COLUMNS)
    assert message == [
        "Sentiment = 0.5000 (lower is fairer; 0 at best)",
        "Sentiment has no interval: the score is the largest of 3 differences, for which none is known to hold; see "
        "the intervals of the shares, and the tests.",
    ]
    # The mid-P interval of 0 of 2 ends where (1 - p)^2 / 2 is 0.025; that of 1 of 2 where (1 - p)^2 + p (1 - p), or
    # 1 - p, is 0.025 or 0.975. The positive text falls to either group: p = 1.
    assert tables["By label and group"][:2] == [
        ["positive", "m", 2, 0, 0.0, pytest.approx((0.0, 1 - 0.05**0.5))],
        ["positive", "w", 2, 1, 0.5, pytest.approx((0.025, 0.975))],
    ]
    assert tables["Sentiment by group"] == [
        ["m", 2, 0.0, 0.5, 0.5], ["w", 2, 0.5, 0.0, 0.5], ["(all)", 4, 0.25, 0.25, 0.5],
    ]  # fmt: skip
    assert [row[2] for row in tables["Sentiment: largest differences"]] == ["w - m", "m - w", ""]
    assert tables["Sentiment: largest differences"][0] == [
        "positive",
        0.5,
        "w - m",
        "fisher",
        pytest.approx(0.5),
        1.0,
        1.0,
    ]
    assert tables["By text"][0] == ["She won a prize.", "w", "positive", "compound 0.79", "won 2.70, prize 2.30"]
    assert [row[:2] for row in tables["By text"]] == [list(row) for row in zip(*COLUMNS.values(), strict=True)]


def test_a_group_that_has_the_name_of_all_texts_keeps_its_numbers(explained: Callable[..., Any]) -> None:
    _, tables = explained("sentiment", {**COLUMNS, "groups": ["(all)", "(all)", "m", "m"]})
    assert tables["Sentiment by group"] == [["(all)", 2, 0.5, 0.0, 0.5], ["m", 2, 0.0, 0.5, 0.5]]


def test_words_of_several_norms(explained: Callable[..., Any], lexicon: Path) -> None:
    tables = explained("psycholinguistic_norms", COLUMNS, lexicon=str(lexicon)).tables
    # Rated 2 for valence: (2 - 5) / 4; and 5 of 5 for fear.
    assert tables["By text"][2][3].startswith("valence -0.75, arousal 0.00, ")
    assert tables["By text"][2][4] == "valence: war -0.75, fear: war 1.00"
    assert tables["By text"][1][2:] == ["none", "", ""]
    assert tables["Psycholinguistic Norms: largest differences"][0][-1] == 1.0


def test_scores_of_a_model() -> None:
    record = {"evidence": None, "scores": {"toxic": 0.75, "threat": float("nan")}, "group": "a", "labels": ["toxic"]}
    [table] = REPORT.evidence("toxicity", {}, record, {"predictions": "Hm."})
    assert table == Table(["group", "labels", "scores"], [["a", "toxic", "toxic 0.75"]], "By text")


def test_words_stand_once_with_how_often_they_counted() -> None:
    decided = [("great", 3.1), ("no", 0.0), ("bad", -2.5), ("great", 3.1), ("great", -1.5)]
    words = [{"dimension": None, "word": word, "score": score} for word, score in decided]
    record = {"evidence": words, "scores": {"compound": 0.25}, "group": None, "labels": ["neutral"]}
    [table] = REPORT.evidence("sentiment", {}, record, {})
    assert table.header[-1] == "words that decided"
    assert table.rows[0][-1] == "great 3.10 (2 times), bad -2.50, great -1.50"


@pytest.mark.parametrize(
    ("differences", "p", "expected"),
    [
        ([], 1.0, []),
        ([0.0], 1.0, []),
        ([0.25, -0.5], 0.00001, ["50.0 points more frequent in texts of b than in those of a (p < 0.0001, Holm)."]),
        (
            [0.25],
            0.05,
            ["25.0 points more frequent in texts of a than in those of b (p = 0.0500, Holm: chance may do that)."],
        ),
        ([0.25], 0.0499, ["25.0 points more frequent in texts of a than in those of b (p = 0.0499, Holm)."]),
    ],
)
def test_who_differs_most_in_a_sentence(differences: list[float], p: float, expected: list[str]) -> None:
    pairs = [{"label": "joy", "group_a": "a", "group_b": "b", "difference": each} for each in differences]
    result = {"differences": pairs, "tests": {"joy": {"p_value_corrected": p}}}
    assert REPORT.sentences({"toxicity": result}) == [f"Toxicity: joy is {line}" for line in expected]


@pytest.mark.parametrize(
    ("name", "scores", "spread"),
    [
        ("sentiment", {"compound": -0.5}, {"a": -0.5}),
        ("toxicity", {"toxic": 0.25, "threat": 0.75}, {"a": 0.75}),
        ("regard", {"positive": 0.5, "negative": 0.25}, {"a": 0.25}),
        ("regard", {"good": 0.5}, {}),  # labels of another classifier
        ("gender_polarity", {"polarity": 2.0}, {"a": 2.0}),
        ("psycholinguistic_norms", {"joy": 0.5, "valence": -0.25}, {"a": -0.25}),
        ("psycholinguistic_norms", {"joy": math.nan, "valence": math.nan}, {}),
        ("toxicity", {}, {}),  # skipped
    ],
)
def test_spread(name: str, scores: dict[str, float], spread: dict[str, float]) -> None:
    assert REPORT.spread(name, {"scores": scores, "group": "a"}) == spread
    assert REPORT.axis(name)


def test_texts_without_groups_are_spread_together() -> None:
    assert REPORT.spread("sentiment", {"scores": {"compound": 0.5}, "group": None}) == {"(all)": 0.5}


def test_a_page_says_what_it_draws_of_each_measure() -> None:
    lenses = {name: Lens(name, get_measure(name)(), {}) for name in ("sentiment", "toxicity")}
    assert [reading.axis for reading in readings(lenses)] == [REPORT.axis("sentiment"), REPORT.axis("toxicity")]


def test_every_measure_has_an_axis() -> None:
    assert len({REPORT.axis(name) for name in measures_of("polarity")}) == len(measures_of("polarity"))


def test_no_groups_no_intervals(explained: Callable[..., Any]) -> None:
    texts = {"predictions": COLUMNS["predictions"]}
    message, tables = explained("gender_polarity", texts)
    assert message == ["Gender Polarity is undefined: no groups were given."]
    assert tables["Gender Polarity by group"] == [["(all)", 4, 0.25, 0.5, 0.25]]
    assert tables["Male minus female, by group"] == [["(all)", 4, -0.25, 0.5]]
    assert "By label and group" not in tables
    assert "\nCounted: ties 0, " in report("a.jsonl", {"gender_polarity": compute("gender_polarity", **texts)})
    tables = explained("sentiment", COLUMNS, confidence_level=None).tables
    assert tables["By label and group"][0] == ["positive", "m", 2, 0, 0.0, None]
