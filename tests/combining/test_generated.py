"""A metric for the evaluators of `evaluate`: columns by itself, prompts taken off, and what is refused."""

from __future__ import annotations

from typing import Any

import datasets
import evaluate
import pytest

from fairsum_utils import combine, score
from fairsum_utils.combining import OfGenerated
from fairsum_utils.errors import InputError

SOURCES = [["Tasty soup.", "Awful bread."], ["Warm rooms.", "Loud street."]]
VALUES = [["pos", "neg"], ["pos", "neg"]]
DATA = {"prompt": ["Sum up soup:", "Sum up rooms:"], "sources": SOURCES, "values": VALUES, "id": ["a", "b"]}
TEXTS = [" Tasty.", " Loud."]
FULL = [prompt + text for prompt, text in zip(DATA["prompt"], TEXTS, strict=True)]


@pytest.fixture
def expected() -> float:
    return float(score(TEXTS, SOURCES, VALUES, metrics=["uer"])["uer"]["uer"])


@pytest.mark.parametrize("metric", ["uer", ["uer"], {"uer": "uer"}, combine(["uer"])])
@pytest.mark.parametrize("data", [DATA, datasets.Dataset.from_dict(DATA)])
def test_columns_and_prompts_are_its_business(metric: Any, data: Any, expected: float) -> None:
    assert OfGenerated(metric, data).compute(data=FULL)["uer"] == expected == 0.25


def test_texts_without_prompts(expected: float) -> None:
    data = {name: column for name, column in DATA.items() if name != "prompt"}
    assert OfGenerated("uer", data, full_text=False).compute(data=TEXTS)["uer"] == expected
    # A text of this kind is taken as it is, even if it repeats its prompt.
    repeated = OfGenerated("uer", DATA, full_text=False).compute(data=FULL)["uer"]
    assert repeated == score(FULL, SOURCES, VALUES, metrics=["uer"])["uer"]["uer"] != expected


class Echo:
    """A pipeline that has read the answers."""

    def __init__(self, task: str, texts: list[str]) -> None:
        self.task, self.texts = task, texts

    def __call__(self, inputs: Any, **_: Any) -> list[Any]:
        key = "summary_text" if self.task == "summarization" else "generated_text"
        answers = [{key: text} for text, _ in zip(self.texts, inputs, strict=True)]
        return answers if self.task == "summarization" else [[answer] for answer in answers]


@pytest.mark.parametrize(("task", "texts"), [("text-generation", FULL), ("summarization", TEXTS)])
def test_with_the_evaluators_of_evaluate(
    task: str, texts: list[str], expected: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By their classes, for transformers 5 has no pipeline of summarization, and takes no stand-in of one."""
    kind = evaluate.SummarizationEvaluator if task == "summarization" else evaluate.TextGenerationEvaluator
    monkeypatch.setattr(kind, "prepare_pipeline", lambda self, **_: Echo(task, texts))
    data = datasets.Dataset.from_dict({**DATA, "label": ["Soup.", "Rooms."]})
    metric = OfGenerated(["uer", "bur"], data)
    found = kind().compute("any", data=data, input_column="prompt", metric=metric)
    assert (found["uer"], found["bur_n_samples"]) == (expected, 2)


def test_references_reach_those_that_take_them(make: Any) -> None:
    rouge = make("tests/_rouge_module/rouge.py")
    metric = OfGenerated([rouge, "uer"], DATA)
    found = metric.compute(predictions=TEXTS, references=["Tasty.", "Loud."])
    assert (found["rouge1"], found["uer"]) == (1.0, 0.25)
    assert OfGenerated("uer", DATA).compute(predictions=TEXTS, references=["Tasty.", "Loud."])["uer"] == 0.25


def test_repr_says_what_it_holds() -> None:
    assert repr(OfGenerated("uer", DATA)).endswith("columns=['sources', 'values'])")


def test_refused() -> None:
    for options, message in (
        (
            {"columns": ["source"]},
            "OfGenerated: the data has no column 'source', found prompt, sources, values, id",
        ),
        ({"columns": ["id"]}, "OfGenerated: the metric does not use the column 'id', only sources, values,"),
        ({"prompt": "question"}, "OfGenerated: the data has no column 'question' with the prompts to remove"),
    ):
        with pytest.raises(InputError) as caught:
            OfGenerated("uer", DATA, **options)  # type: ignore[arg-type]
        assert str(caught.value).startswith(message)
    metric = OfGenerated("uer", DATA)
    for given, message in (
        ({}, "give the texts either as data (with their prompts) or as predictions"),
        ({"data": FULL, "predictions": TEXTS}, "give the texts either as data (with their prompts) or as predictions"),
        ({"data": FULL * 2}, "texts has 4 samples but prompts has 2"),
        ({"predictions": TEXTS[:1]}, "predictions has 1 sample but sources has 2"),
        (
            {"data": [FULL[0], "sum up rooms: Loud."]},
            "sample 1: the text must begin with its prompt str 'Sum up rooms:'",
        ),
    ):
        with pytest.raises(InputError) as caught:
            metric.compute(**given)  # type: ignore[arg-type]
        assert str(caught.value).startswith(f"OfGenerated: {message}")
