"""What is told of a summary as a number."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families.sensitivity.extractors import READ, Texts, extract, signature
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.measures.counterfactual_outcomes import CounterfactualOutcomes
from fairsum_utils.text.recognition import PersonRecognizer


def scorer(*outcomes: str, **settings: Any) -> SensitivityScorer:
    chosen = CounterfactualOutcomes(outcomes=outcomes, **settings)
    return SensitivityScorer(("counterfactual_outcomes",), chosen)


@pytest.mark.parametrize(
    ("outcome", "text", "number"),
    [
        ("sentiment", "A very lovely evening.", 0.624),  # VADER's compound score, of its package
        ("length", "Ann's 2 cats didn't come.", 5),
        ("units", "It rained. ... Nobody came!", 2),
        ("reading_level", "The cat sat on it.", 0.39 * 5 + 11.8 - 15.59),
        ("hedges", "Perhaps it rained, and it tends to rain here.", 100 * 2 / 9),
        ("hedges", "It was reported. A likeness; unlikelihood; so-called experts.", 100 / 9),
        ("modals", "He may go; it won’t rain, she said she could.", 100 * 3 / 10),
        ("modals", "In May Will Smith will sing.", 100 / 6),
        ("modals", "Cannes cannot can.", 100 * 2 / 3),
    ],
)
def test_told(outcome: str, text: str, number: float) -> None:
    assert READ[outcome](text) == pytest.approx(number)


@pytest.mark.parametrize("outcome", ["reading_level", "hedges", "modals"])
def test_what_a_text_without_words_does_not_have(outcome: str) -> None:
    assert math.isnan(READ[outcome]("..."))
    assert outcome not in extract(scorer(*READ), Texts(["..."], ["..."]))[0]


def test_outcomes_are_told_of_the_neutral_text() -> None:
    """VADER rates "hope", which is the person's name here; the names are found in the text as written."""
    [found] = extract(scorer("sentiment", "length"), Texts(["Hope left."], ["X left."]))
    assert found == {"sentiment": 0.0, "length": 2.0}
    [named] = extract(scorer("sentiment"), Texts(["Hope left."], ["Hope left."]))
    assert named["sentiment"] > 0


def test_persons_are_counted_once_each(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"Bob met Ann Lee, and Bob left.": ["Bob", "Ann Lee", "Bob"], "Nobody.": []}
    monkeypatch.setattr(PersonRecognizer, "find", lambda self, texts: list(map(found.__getitem__, texts)))
    monkeypatch.setattr(PersonRecognizer, "signature", lambda self: f"{self.pipeline}@1")
    chosen = scorer("persons", persons_ner="rules")
    texts = Texts([*found], ["X met X, and X left.", "Nobody."])
    assert [each["persons"] for each in extract(chosen, texts)] == [2.0, 0.0]
    assert signature(chosen)["persons"] == "rules@1"


def test_toxicity_and_regard_ask_models(tiny_model: Callable[..., Path]) -> None:
    toxic = tiny_model("classifier", labels=("toxic", "insult"))
    regard = tiny_model("classifier", labels=("negative", "neutral", "positive"))
    chosen = scorer("toxicity", "regard", toxicity_model=str(toxic), regard_model=str(regard), cache="none")
    found = extract(chosen, Texts(["Ann won."], ["X won."]))[0]
    assert 0 <= found["toxicity"] <= 1
    assert -1 <= found["regard"] <= 1
    assert set(signature(chosen)) >= {"toxicity", "regard"}
    chosen.close()


def test_a_model_without_the_label(tiny_model: Callable[..., Path]) -> None:
    model = tiny_model("classifier", labels=("good", "bad"))
    with pytest.raises(InputError, match=r"has the labels good, bad, but none is toxic or toxicity; choose another"):
        extract(scorer("toxicity", toxicity_model=str(model), cache="none"), Texts(["Ann."], ["X."]))
