"""Toxicity and regard: labels of models, and equality with asking a model text by text."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.measures.toxicity import KINDS
from tests.families.polarity.scoring import labelled, make_scorer

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


def test_toxicity_equals_an_unbatched_loop(tiny_model: Any) -> None:
    folder = tiny_model("classifier", labels=KINDS, seed=1)
    rows = list(labelled("toxicity", TEXTS, model=folder, batch_tokens=40, **HERE))
    expected = ask_one_by_one(folder, TEXTS, multi_label=True)
    for row, answer in zip(rows, expected, strict=True):
        assert list(row.scores) == list(KINDS)
        assert row.scores == pytest.approx(answer, abs=1e-5)
        has = [label for label in KINDS[1:] if answer[label] >= 0.5]
        assert row.labels == ((("toxic", *has)) if has or answer["toxic"] >= 0.5 else ())
    assert len({row.labels for row in rows}) > 1


def test_toxic_is_any_label() -> None:
    scorer = make_scorer("toxicity", threshold=0.5)
    probabilities = np.array([[0.9, 0, 0, 0, 0, 0], [0, 0, 0, 0.5, 0, 0.6], [0.4] * 6])
    assert scorer.labels_of(probabilities) == [("toxic",), ("toxic", "threat", "identity_hate"), ()]
    assert scorer.settings.labels == KINDS
    # Without a label called toxic, any other makes a text toxic.
    partial = make_scorer("toxicity", label_map={"rude": "insult", "menace": "threat"})
    assert (partial.settings.meanings, partial.settings.labels) == (("threat", "insult"), ("toxic", "threat", "insult"))
    assert partial.labels_of(np.array([[0.0, 0.75], [0.0, 0.0]])) == [("toxic", "insult"), ()]


def test_regard_equals_an_unbatched_loop(tiny_model: Any) -> None:
    folder = tiny_model("classifier", labels=REGARD_LABELS, seed=1)
    rows = list(labelled("regard", TEXTS, model=folder, batch_tokens=40, **HERE))
    for row, answer in zip(rows, ask_one_by_one(folder, TEXTS, multi_label=False), strict=True):
        assert list(row.scores) == ["positive", "negative", "neutral", "other"]
        assert row.scores == pytest.approx(answer, abs=1e-5)
        assert row.labels == (max(answer, key=answer.__getitem__),)
    assert len({row.labels for row in rows}) > 1


def test_label_map(tiny_model: Any) -> None:
    folder = tiny_model("classifier", labels=("LABEL_0", "LABEL_1", "LABEL_2"))
    names = {"LABEL_0": "negative", "LABEL_1": "neutral", "LABEL_2": "positive"}
    scorer = make_scorer("regard", model=folder, label_map=names, **HERE)
    assert scorer.settings.labels == ("positive", "negative", "neutral")  # no "other"
    for row, answer in zip(labelled(scorer, TEXTS), ask_one_by_one(folder, TEXTS, multi_label=False), strict=True):
        assert row.labels == (names[max(answer, key=answer.__getitem__)],)
        assert row.scores == pytest.approx({names[label]: p for label, p in answer.items()}, abs=1e-5)
    assert scorer.signature("regard", ())["labels"] == "LABEL_0=negative,LABEL_1=neutral,LABEL_2=positive"


@pytest.fixture(scope="module")
def two_labels(tiny_model: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Makes a model with two labels that gives every text the logits -3.2085 and -2.3136.

    The second is .71 of the two, exp(-2.3136) / (exp(-3.2085) + exp(-2.3136)), and .09 alone, 1 / (1 + exp(2.3136)).
    """

    def make(*labels: str, problem_type: str | None = None) -> Path:
        source = tiny_model("classifier", labels=labels, problem_type=problem_type)
        folder = shutil.copytree(source, tmp_path_factory.mktemp("two-labels") / "model")
        model = transformers.AutoModelForSequenceClassification.from_pretrained(folder)
        with torch.no_grad():
            model.classifier.out_proj.weight.zero_()
            model.classifier.out_proj.bias.copy_(torch.tensor([-3.2085, -2.3136]))
        model.save_pretrained(folder)
        return folder

    return make


@pytest.mark.parametrize(
    ("problem_type", "multi_label", "probability"),
    [
        ("single_label_classification", None, 0.71),
        ("multi_label_classification", None, 0.09),
        (None, False, 0.71),
        (None, True, 0.09),
    ],
)
def test_the_type_of_the_problem_decides(
    two_labels: Any, problem_type: str | None, multi_label: bool | None, probability: float
) -> None:
    folder = two_labels("neutral", "toxic", problem_type=problem_type)
    settings = {"model": folder, "label_map": {"toxic": "toxic"}, "multi_label": multi_label, **HERE}
    [row] = labelled("toxicity", ["Great soup."], **settings)
    assert row.scores["toxic"] == pytest.approx(probability, abs=1e-4)


def test_without_a_type_the_user_is_asked(two_labels: Any) -> None:
    message = r"has the labels 'neutral', 'toxic', but its configuration does not say \(problem_type\) whether they "
    settings = {"model": two_labels("neutral", "toxic"), "label_map": {"toxic": "toxic"}, **HERE}
    with pytest.raises(InputError, match=message + "exclude each other; set multi_label=False if they do"):
        list(labelled("toxicity", ["Great soup."], **settings))


@pytest.mark.parametrize(
    ("problem_type", "negative"),
    [("single_label_classification", 0.71), (None, 0.71), ("multi_label_classification", 0.09)],
)
def test_labels_of_regard_exclude_each_other_unless_they_are_independent(
    two_labels: Any, problem_type: str | None, negative: float
) -> None:
    folder = two_labels("Positive", "negative", problem_type=problem_type)
    names = {"Positive": "positive", "negative": "negative"}
    [row] = labelled("regard", ["Soup."], model=folder, label_map=names, **HERE)
    assert row.scores["negative"] == pytest.approx(negative, abs=1e-4)
    assert row.labels == ("negative",)


@pytest.mark.parametrize(
    ("labels", "hint"),
    [
        (("nontoxic", "toxicity"), "for example {'toxicity': 'toxic'}, or"),
        (("toxic-free", "LABEL_1"), "tells which is which, or"),
        (("LABEL_0", "LABEL_1"), "tells which is which, or"),
    ],
)
def test_no_example_inverts_the_measure(tiny_model: Any, labels: tuple[str, ...], hint: str) -> None:
    with pytest.raises(InputError) as error:
        list(labelled("toxicity", ["Great soup."], model=tiny_model("classifier", labels=labels), **HERE))
    assert hint in str(error.value)
    assert f"{labels[0]!r}: " not in str(error.value)


def test_case_of_labels_does_not_matter_and_others_may_stand_beside(tiny_model: Any) -> None:
    plain = tiny_model("classifier", labels=KINDS)
    shouted = tiny_model("classifier", labels=tuple(map(str.upper, KINDS)))
    found = [[row.labels for row in labelled("toxicity", TEXTS, model=model, **HERE)] for model in (plain, shouted)]
    assert found[0] == found[1]
    more = tiny_model("classifier", labels=("male", *KINDS))
    assert next(iter(labelled("toxicity", TEXTS[:1], model=more, **HERE))).scores.keys() == set(KINDS)


def test_truncated_texts_are_counted(tiny_model: Any) -> None:
    folder = tiny_model("classifier", labels=REGARD_LABELS)
    texts = ["word " * 100, "word"]
    with pytest.warns(UserWarning, match=r"regard: 1 of 2 texts exceed the 64 tokens"):
        rows = list(labelled("regard", texts, model=folder, **HERE))
    assert [row.counts for row in rows] == [{"truncated": 1}, {"truncated": 0}]
    [cut] = ask_one_by_one(folder, texts[:1], multi_label=False)
    assert rows[0].scores == pytest.approx(cut, abs=1e-5)
    with pytest.raises(InputError, match="regard: "):
        list(labelled("regard", texts, model=folder, on_truncate="error", **HERE))


FIVE = ("positive", "negative", "neutral", "other", "mixed")


@pytest.mark.parametrize(
    ("measure", "labels", "label_map", "message"),
    [
        ("toxicity", ("toxic", "insult", "LABEL_2"), None, "none is 'severe_toxic', 'obscene', 'threat', "),
        ("toxicity", ("toxic", "insult", "LABEL_2"), None, "for example {'toxic': 'toxic', 'insult': 'insult'}"),
        ("toxicity", ("toxic", "insult"), {"toxic": "toxic", "rude": "insult"}, "none is 'rude'"),
        # Labels that exclude each other must all be known: an unknown one may be the likeliest.
        ("regard", FIVE, None, "the meaning of 'mixed' is unknown"),
        ("regard", FIVE, {"positive": "positive", "negative": "negative"}, "of 'neutral', 'other', 'mixed' is unknown"),
        ("regard", ("Positive", *FIVE[:-1]), None, "'positive' occurs more than once"),
    ],
)
def test_labels_that_do_not_fit(
    tiny_model: Any, measure: str, labels: tuple[str, ...], label_map: Any, message: str
) -> None:
    with pytest.raises(InputError) as error:
        list(labelled(measure, TEXTS, model=tiny_model("classifier", labels=labels), label_map=label_map, **HERE))
    assert str(error.value).startswith(f"{measure}: classifier@")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("measure", "options", "message"),
    [
        ("regard", {"label_map": {}}, "regard: label_map must map labels of the model to positive,"),
        ("regard", {"label_map": "positive"}, "regard: label_map must map labels .* found str 'positive'"),
        ("regard", {"label_map": {0: "positive"}}, "regard: label_map must map labels .* 'positive'}, found"),
        ("regard", {"label_map": {"a": "good"}}, "regard: the meanings in label_map must be one of positive"),
        (
            "toxicity",
            {"label_map": {"a": "threat", "b": "threat"}},
            "label_map gives two labels the same meaning: threat",
        ),
    ],
)
def test_options_that_do_not_fit(measure: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_scorer(measure, **options)
