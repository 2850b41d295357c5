"""Toxicity and regard: labels of models, and equality with asking a model text by text."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families.polarity.rows import PolarityRow
from fairsum_utils.measures.toxicity import KINDS

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

TEXTS = ["Great soup.", "The wait was long and the room was loud.", "x", "Cold soup, slow service!", "Zzz zz z.", "Ok?"]
REGARD_LABELS = ("positive", "other", "neutral", "negative")  # not in the order of results
HERE = {"device": "cpu", "dtype": "float32", "cache": "none"}


def ask_one_by_one(folder: Path, texts: list[str], *, multi_label: bool) -> list[dict[str, float]]:
    """Label -> probability of each text, by transformers alone."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    answers = []
    for text in texts:
        with torch.inference_mode():
            logits = model(**tokenizer(text, return_tensors="pt", truncation=True, max_length=64)).logits[0]
        probabilities = (logits.sigmoid() if multi_label else logits.softmax(dim=-1)).tolist()
        answers.append(dict(zip(model.config.id2label.values(), probabilities, strict=True)))
    return answers


def labels_of(rows: Iterable[PolarityRow]) -> list[tuple[str, ...]]:
    return [row.labels for row in rows]


def test_toxicity_equals_an_unbatched_loop(tiny_model: Any, label: Any) -> None:
    folder = tiny_model("classifier", labels=KINDS, seed=1)
    rows = list(label("toxicity", TEXTS, model=folder, batch_tokens=40, **HERE))
    expected = ask_one_by_one(folder, TEXTS, multi_label=True)
    for row, answer in zip(rows, expected, strict=True):
        assert list(row.scores) == list(KINDS)
        assert row.scores == pytest.approx(answer, abs=1e-5)
        has = [label for label in KINDS[1:] if answer[label] >= 0.5]
        assert row.labels == ((("toxic", *has)) if has or answer["toxic"] >= 0.5 else ())
    assert len({row.labels for row in rows}) > 1


def test_toxic_is_any_label(make_scorer: Any) -> None:
    scorer = make_scorer("toxicity", threshold=0.5)
    probabilities = np.array([[0.9, 0, 0, 0, 0, 0], [0, 0, 0, 0.5, 0, 0.6], [0.4] * 6])
    assert scorer.labels_of(probabilities) == [("toxic",), ("toxic", "threat", "identity_hate"), ()]
    assert scorer.labels == KINDS
    # Without a label called toxic, any other makes a text toxic.
    partial = make_scorer("toxicity", label_map={"rude": "insult", "menace": "threat"})
    assert (partial.names, partial.labels) == (("threat", "insult"), ("toxic", "threat", "insult"))
    assert partial.labels_of(np.array([[0.0, 0.75], [0.0, 0.0]])) == [("toxic", "insult"), ()]


def test_regard_equals_an_unbatched_loop(tiny_model: Any, label: Any) -> None:
    folder = tiny_model("classifier", labels=REGARD_LABELS, seed=1)
    rows = list(label("regard", TEXTS, model=folder, batch_tokens=40, **HERE))
    for row, answer in zip(rows, ask_one_by_one(folder, TEXTS, multi_label=False), strict=True):
        assert list(row.scores) == ["positive", "negative", "neutral", "other"]
        assert row.scores == pytest.approx(answer, abs=1e-5)
        assert row.labels == (max(answer, key=answer.__getitem__),)
    assert len({row.labels for row in rows}) > 1


def test_label_map(tiny_model: Any, make_scorer: Any, label: Any) -> None:
    folder = tiny_model("classifier", labels=("LABEL_0", "LABEL_1", "LABEL_2"))
    names = {"LABEL_0": "negative", "LABEL_1": "neutral", "LABEL_2": "positive"}
    scorer = make_scorer("regard", model=folder, label_map=names, **HERE)
    assert scorer.labels == ("positive", "negative", "neutral")  # no "other"
    for row, answer in zip(label(scorer, TEXTS), ask_one_by_one(folder, TEXTS, multi_label=False), strict=True):
        assert row.labels == (names[max(answer, key=answer.__getitem__)],)
        assert row.scores == pytest.approx({names[label]: p for label, p in answer.items()}, abs=1e-5)
    assert scorer.signature("regard", ())["labels"] == "LABEL_0=negative,LABEL_1=neutral,LABEL_2=positive"


def test_labels_that_exclude_each_other(tiny_model: Any, make_scorer: Any, label: Any) -> None:
    folder = tiny_model("classifier", labels=("neutral", "toxic"), seed=2)
    scorer = make_scorer("toxicity", model=folder, label_map={"toxic": "toxic"}, multi_label=False, **HERE)
    for row, answer in zip(label(scorer, TEXTS), ask_one_by_one(folder, TEXTS, multi_label=False), strict=True):
        assert row.scores == pytest.approx({"toxic": answer["toxic"]}, abs=1e-5)
        assert row.labels == (("toxic",) if answer["toxic"] >= 0.5 else ())
    assert scorer.signature("toxicity", ())["multi_label"] is False


def test_case_of_labels_does_not_matter_and_others_may_stand_beside(tiny_model: Any, label: Any) -> None:
    plain = tiny_model("classifier", labels=KINDS)
    shouted = tiny_model("classifier", labels=tuple(map(str.upper, KINDS)))
    assert labels_of(label("toxicity", TEXTS, model=shouted, **HERE)) == labels_of(
        label("toxicity", TEXTS, model=plain, **HERE)
    )
    more = tiny_model("classifier", labels=("male", *KINDS))
    assert next(iter(label("toxicity", TEXTS[:1], model=more, **HERE))).scores.keys() == set(KINDS)


def test_truncated_texts_are_counted(tiny_model: Any, label: Any) -> None:
    folder = tiny_model("classifier", labels=REGARD_LABELS)
    texts = ["word " * 100, "word"]
    with pytest.warns(UserWarning, match=r"regard: 1 of 2 texts exceed the 64 tokens"):
        rows = list(label("regard", texts, model=folder, **HERE))
    assert [row.counts for row in rows] == [{"truncated": 1}, {"truncated": 0}]
    [cut] = ask_one_by_one(folder, texts[:1], multi_label=False)
    assert rows[0].scores == pytest.approx(cut, abs=1e-5)
    with pytest.raises(InputError, match="regard: "):
        list(label("regard", texts, model=folder, on_truncate="error", **HERE))


def test_labels_the_model_does_not_have(tiny_model: Any, label: Any) -> None:
    folder = tiny_model("classifier", labels=("toxic", "insult", "LABEL_2"))
    with pytest.raises(InputError) as error:
        labels_of(label("toxicity", TEXTS, model=folder, **HERE))
    message = str(error.value)
    assert message.startswith("toxicity: classifier@")
    assert "has the labels 'toxic', 'insult', 'LABEL_2', but none is 'severe_toxic', 'obscene', 'threat', " in message
    assert (
        "Give label_map to map its labels to meanings, such as {'toxic': 'toxic'}, or choose another model" in message
    )
    with pytest.raises(InputError, match=r"toxicity: .* none is 'rude'"):
        labels_of(label("toxicity", TEXTS, model=folder, label_map={"toxic": "toxic", "rude": "insult"}, **HERE))
    # Labels that exclude each other must all be known: an unknown one may be the likeliest.
    five = tiny_model("classifier", labels=("positive", "negative", "neutral", "other", "mixed"))
    with pytest.raises(InputError, match=r"regard: .* the meaning of 'mixed' is unknown"):
        labels_of(label("regard", TEXTS, model=five, **HERE))
    partly = {"positive": "positive", "negative": "negative"}
    with pytest.raises(InputError, match=r"regard: .* the meaning of 'neutral', 'other', 'mixed' is unknown"):
        labels_of(label("regard", TEXTS, model=five, label_map=partly, **HERE))
    twice = tiny_model("classifier", labels=("Positive", "positive", "negative", "neutral", "other"))
    with pytest.raises(InputError, match=r"regard: .* 'positive' occurs more than once"):
        labels_of(label("regard", TEXTS, model=twice, **HERE))


@pytest.mark.parametrize(
    ("measure", "options", "message"),
    [
        ("regard", {"label_map": {}}, "regard: label_map must map labels of the model to positive,"),
        ("regard", {"label_map": "positive"}, "regard: label_map must map labels .* found str 'positive'"),
        (
            "regard",
            {"label_map": {0: "positive"}},
            "regard: label_map must map labels .* {'LABEL_0': 'positive'}, found",
        ),
        ("regard", {"label_map": {"a": "good"}}, "regard: the meanings in label_map must be one of positive"),
        (
            "toxicity",
            {"label_map": {"a": "threat", "b": "threat"}},
            "toxicity: label_map gives two labels the same meaning: threat, threat; map one label to each",
        ),
    ],
)
def test_options_that_do_not_fit(make_scorer: Any, measure: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_scorer(measure, **options)
