"""Writing results into model cards, against a stand-in of the Hub and with the real huggingface_hub."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
import yaml
from huggingface_hub import EvalResult, ModelCard

from fairsum_utils.cli import main
from fairsum_utils.errors import InputError
from fairsum_utils.integrations.hub import Publisher, PublishingError
from fairsum_utils.integrations.model_card import card_with, scores_of

MODEL = "tester/summarizer"
CARD = """\
---
language: "no"
license: apache-2.0
model-index:
- name: My summarizer
  results:
  - task: {type: summarization}
    dataset: {type: xsum, name: XSum}
    metrics:
    - {type: rouge, value: 41.0, verified: true}
  - task: {type: summarization}
    dataset: {type: yelp, name: Reviews}
    metrics:
    - {type: fairsum/bur, value: 0.5, args: {signature: of another setting}}
tags: [a, b]
---

# My summarizer

Text. ---
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `fairsum score` writes for two samples."""
    folder = tmp_path_factory.mktemp("results")
    sample = {"prediction": "Tasty soup.", "sources": ["Tasty soup!", "Cold soup, slow."], "values": ["pos", "neg"]}
    (folder / "yelp.jsonl").write_text(f"{json.dumps(sample)}\n" * 2, encoding="utf-8")
    words = ["score", "yelp.jsonl", "--metrics", "bur,uer", "--output", "results.json"]
    words[1], words[-1] = str(folder / words[1]), str(folder / words[-1])
    assert main(words) == 0
    return folder / "results.json"


def published_card(hub: Any) -> ModelCard:
    return ModelCard(hub.files("model", MODEL)["README.md"].decode())


def test_scores_stand_in_the_card(hub: Any, results: Path) -> None:
    hub.make("model", MODEL, {"README.md": CARD.encode(), "model.safetensors": b""})
    published = Publisher().results(results, MODEL)
    assert (published.repository, published.kind, published.state) == (MODEL, "model", "updated")
    assert published.files == ("README.md",)
    scores = json.loads(results.read_text(encoding="utf-8"))["metrics"]
    rouge, other, bur, uer = published_card(hub).data.eval_results
    assert (rouge.metric_type, rouge.metric_value, rouge.verified) == ("rouge", 41.0, True)
    assert (other.metric_value, other.metric_args) == (0.5, {"signature": "of another setting"})
    assert uer == EvalResult(
        task_type="summarization",
        dataset_type="yelp",
        dataset_name="Reviews",
        metric_type="fairsum/uer",
        metric_name="Unfair Error Rate",
        metric_value=scores["uer"]["uer"],
        metric_args={
            "direction": "lower is fairer",
            "signature": scores["uer"]["signature"],
            "n_samples": 2,
            "n_skipped": 0,
            "confidence_interval": scores["uer"]["uer_ci"],
        },
    )
    assert bur.metric_value == scores["bur"]["bur"]
    assert Publisher().results(results, MODEL).commit is None
    assert len(hub.commits("model", MODEL)) == 1
    assert hub.files("model", MODEL)["model.safetensors"] == b""


def test_nothing_else_in_the_card_changes(results: Path) -> None:
    changed = card_with(scores_of(results), CARD, MODEL)
    before, after = (yaml.safe_load(card[4:].split("\n---\n")[0]) for card in (CARD, changed))
    assert after["model-index"][0]["name"] == "My summarizer"
    assert after["model-index"][0]["results"][0] == before["model-index"][0]["results"][0]
    assert after == {**before, "model-index": after["model-index"]}
    assert ModelCard(changed).text == ModelCard(CARD).text
    assert card_with(scores_of(results), changed, MODEL) == changed


def test_a_newer_score_takes_the_place_of_the_older_one() -> None:
    def scores(value: float, signature: str) -> Any:
        return scores_of({"bur": {"bur": value, "signature": signature}}, dataset="yelp")

    card = card_with(scores(0.5, "tau:0.8"), None, MODEL)
    card = card_with(scores(0.25, "tau:0.8"), card, MODEL)
    card = card_with(scores(0.75, "tau:0.9"), card, MODEL)
    found = ModelCard(card).data.eval_results
    assert [(one.metric_value, one.metric_args["signature"]) for one in found] == [(0.25, "tau:0.8"), (0.75, "tau:0.9")]


def test_data_sets_and_tasks_stand_apart() -> None:
    sentiment = {"sentiment": {"sentiment": 0.5, "signature": "a"}}
    card = None
    for place in ({"config": "yelp"}, {"config": "amazon"}, {"config": "yelp", "split": "test"}):
        card = card_with(scores_of(sentiment, dataset="fairsum/perspectivesumm", **place), card, MODEL)
    found = ModelCard(card).data.eval_results
    assert [(one.dataset_config, one.dataset_split) for one in found] == [
        ("yelp", None),
        ("amazon", None),
        ("yelp", "test"),
    ]
    assert {one.task_type for one in found} == {"text-generation"}
    assert {one.dataset_type for one in found} == {"fairsum/perspectivesumm"}


@pytest.mark.parametrize("card", [None, "", "# Title\n\n---\nnot metadata\n---\n", "---\n---\n# Title\n"])
def test_a_card_without_metadata_gets_some(card: str | None) -> None:
    made = card_with(scores_of({"bur": {"bur": 0.5}}, dataset="yelp"), card, MODEL)
    assert ModelCard(made).data.eval_results[0].metric_value == 0.5
    assert ModelCard(made).data.model_name == "summarizer"
    assert made.endswith("# summarizer\n" if card is None else card.removeprefix("---\n"))


@pytest.mark.parametrize("front", ["model-index: 3", "model-index: [{name: a, results: [{}]}]", "- a", "a: ["])
def test_metadata_that_cannot_be_read(front: str) -> None:
    with pytest.raises(InputError, match="the metadata in the card of tester/summarizer"):
        card_with(scores_of({"bur": {"bur": 0.5}}, dataset="yelp"), f"---\n{front}\n---\n", MODEL)


@pytest.mark.parametrize("entry", ["language: no", "version: 1.10", "tags: [a, a]"])
def test_metadata_that_would_not_be_kept(hub: Any, results: Path, entry: str) -> None:
    """YAML reads `no` as false and 1.10 as 1.1."""
    hub.make("model", MODEL, {"README.md": f"---\nlicense: mit\n{entry}\nempty:\n---\n# Title\n".encode()})
    key = entry.partition(":")[0]
    with pytest.raises(InputError, match=f"the metadata {key} in the card of {MODEL} would be read as something else"):
        Publisher().results(results, MODEL)
    assert hub.commits("model", MODEL) == []


def test_a_model_without_a_card(hub: Any, results: Path) -> None:
    hub.make("model", MODEL)
    Publisher(message="Scores").results(results, MODEL, dataset="fairsum/perspectivesumm", config="yelp", split="test")
    assert hub.commits("model", MODEL) == ["Scores"]
    assert published_card(hub).data.eval_results[0].dataset_config == "yelp"
    assert published_card(hub).text.endswith("# summarizer\n")


def test_undefined_scores_are_left_out_and_told(hub: Any) -> None:
    hub.make("model", MODEL)
    metrics = {"bur": {"bur": math.nan, "bur_ci": [math.nan] * 2}, "uer": {"uer": 0.1, "uer_ci": [math.nan] * 2}}
    published = Publisher().results(metrics, MODEL, dataset="yelp")
    assert published.note == "omitted because undefined: bur"
    [uer] = published_card(hub).data.eval_results
    assert (uer.metric_type, uer.metric_args) == ("fairsum/uer", {"direction": "lower is fairer"})


def test_no_such_model(hub: Any, results: Path) -> None:
    with pytest.raises(PublishingError, match=f"the Hub has no model {MODEL}"):
        Publisher().results(results, MODEL)
    assert hub.repos == {}


def test_a_dry_run_asks_nobody(hub: Any, results: Path) -> None:
    published = Publisher(dry_run=True).results(results, MODEL)
    assert (published.state, published.files) == ("planned", ("README.md",))
    assert hub.requests == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "there is no file .*; `fairsum score ... --output"),
        ("{", "is not JSON"),
        ('{"bur": 0.5}', "has no metrics"),
        ('{"file": "a", "metrics": {"rouge": {"rouge": 1}}}', "no measure's result under 'rouge'"),
        ('{"file": "a", "metrics": {"bur": {"difference": 1}}}', "no measure's result under 'bur'"),
        ('{"file": "a", "metrics": {"bur": {"bur": null}}}', "no defined score"),
        ('{"file": "a", "metrics": {}}', "no defined score"),
        ('{"metrics": {"bur": {"bur": 0.5}}}', "the data set of the results is missing"),
    ],
)
def test_files_that_are_no_results(hub: Any, tmp_path: Path, text: str | None, message: str) -> None:
    path = tmp_path / "results.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        Publisher().results(path, MODEL)
    with pytest.raises(InputError, match="the model must have the form USER/MODEL"):
        Publisher().results(path, "summarizer")
    assert hub.requests == []
