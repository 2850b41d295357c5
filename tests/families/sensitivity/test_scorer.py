"""Texts to rows, their refusals, models, and the words that are marked in a summary."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import compute
from fairsum_utils.errors import InputError
from fairsum_utils.families import families
from fairsum_utils.families.sensitivity.rows import SensitivityRow
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.families.sensitivity.texts import digest
from fairsum_utils.measures import Measure, get_measure
from fairsum_utils.measures.counterfactual_gap import CounterfactualGap
from fairsum_utils.measures.counterfactual_outcomes import CounterfactualOutcomes
from fairsum_utils.measures.order_sensitivity import OrderSensitivity

FAMILY = families()["sensitivity"]
GAP = ("counterfactual_gap",)
COLUMNS = {
    "predictions": ["Ann won.", " "],
    "article_ids": ["a", "a"],
    "variants": ["f", "m"],
    "changed": [["Ann"], None],
}


def test_rows() -> None:
    scorer = SensitivityScorer(GAP, CounterfactualGap())
    assert scorer.score(list(scorer.read(COLUMNS, start=4))) == [
        SensitivityRow(4, "a", "f", n_tokens=2, digest=digest("Ann won."), text="Ann won.", changed=("Ann",)),
        SensitivityRow(5, "a", "m", "empty_prediction"),
    ]
    refusing = SensitivityScorer(GAP, CounterfactualGap(empty="error", module="m"))
    with pytest.raises(InputError, match="m: sample 1: the prediction is empty"):
        list(refusing.read(COLUMNS))


@pytest.mark.parametrize(
    ("measure", "settings", "message"),
    [
        (CounterfactualGap, {"distance": "cosine"}, "distance must be one of words, rouge_l, bleu, embedding, found"),
        (CounterfactualGap, {"model": "x"}, "model applies only to distance='embedding', found str 'x'; leave it out"),
        (CounterfactualGap, {"revision": "x", "distance": "bleu"}, "revision applies only to distance='embedding'"),
        (OrderSensitivity, {"entailment_label": "x"}, "entailment_label applies only to matcher='nli'"),
        (OrderSensitivity, {"model": "x", "matcher": "ngram"}, "model applies only to matcher='nli', found str 'x'"),
        (OrderSensitivity, {"distance": "words"}, "unknown setting 'distance'"),
        (CounterfactualOutcomes, {"outcomes": []}, r"outcomes must be a list of names from .*, found list \[\]"),
        (CounterfactualOutcomes, {"outcomes": "length"}, "outcomes must be a list of names from .*, found str 'len"),
        (CounterfactualOutcomes, {"outcomes": ["lenght"]}, "each of outcomes must be one of .*, found str 'lenght'"),
        (CounterfactualOutcomes, {"outcomes": ["length", "length"]}, "outcomes contains a name twice: length, length;"),
    ],
)
def test_refused_settings(measure: type[Measure], settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=f"^m: {message}"):
        measure(**settings, module="m")


def test_a_model_is_asked_only_where_a_setting_needs_it() -> None:
    for measure, setting, free, asking in (
        ("order_sensitivity", "matcher", ("lexical", "ngram"), ("nli",)),
        ("counterfactual_gap", "distance", ("words", "rouge_l", "bleu"), ("embedding",)),
    ):
        asked = [get_measure(measure)(**{setting: name}).uses_model(()) for name in (*free, *asking)]
        assert asked == [False] * len(free) + [True] * len(asking)


VARIANTS = {
    "predictions": ["Ann won.", "It rained. She ran.", "Ann won.", "It snowed."],
    "article_ids": ["a"] * 4,
    "variants": ["f", "f", "m", "m"],
    "controls": ["", "c", "", "c"],
}


@pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
def test_a_tiny_model(tiny_model: Any, tmp_path: Path) -> None:
    """Its answers mean nothing, and the same summary is 0 from itself."""
    model = Path(tiny_model("encoder"))
    result = compute(*GAP, **VARIANTS, distance="embedding", model=str(model), cache="none")
    assert f"distance:embedding({model.name}@" in result["signature"]
    assert -1 <= result["counterfactual_gap"] <= 1
    assert 0 < result["within"] < 1
    with pytest.raises(InputError, match="distance='words'"):  # which works without
        compute(*GAP, **VARIANTS, distance="embedding", model=str(tmp_path / "nothing"))


@pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
def test_marks_are_what_the_record_says() -> None:
    columns = {
        "predictions": ["Ann Lee said she won.", "Bob Lee said he lost."],
        "article_ids": ["a", "a"],
        "variants": ["f", "m"],
        "changed": [["Ann Lee"], ["Bob Lee"]],
        "sources": [["Ann Lee said so."], ["Bob Lee said so."]],
    }
    records = compute(*GAP, **columns, return_samples=True)["samples"]
    for place, (record, name, verb) in enumerate(zip(records, ("Ann Lee", "Bob Lee"), ("won", "lost"), strict=True)):
        sample = {column: entries[place] for column, entries in columns.items()}
        found = FAMILY.attribution(GAP, CounterfactualGap(), sample, record)
        variant, other = columns["variants"][place], columns["variants"][1 - place]
        assert [(sample["predictions"][span.start : span.end], span.note, span.names) for span in found.prediction] == [
            (name, "inserted by an edit", (variant,)),
            (verb, f"not in the summary of {other}", (variant,)),
        ]
        assert [sample["sources"][0][span.start : span.end] for span in found.sources[0]] == [name]
    skipped = {"skipped": "empty_prediction", "variant": "f"}
    assert FAMILY.attribution(GAP, CounterfactualGap(), {"predictions": ""}, skipped).prediction == ()
