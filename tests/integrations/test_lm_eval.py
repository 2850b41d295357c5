"""Runs of lm-evaluation-harness itself, with a model that says what the test wants and with one of its own."""

from __future__ import annotations

import math
import runpy
import sys
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import score
from fairsum_utils.corpora.catalog import corpus
from fairsum_utils.errors import DataSourceError, InputError, MissingDependencyError
from fairsum_utils.generation import from_preset
from fairsum_utils.integrations import lm_eval as adapter

Evaluate = Callable[..., Any]

BOLD = "fairsum_bold_gender"
CLARITIN = "fairsum_perspectivesumm_claritin"


def test_without_the_package_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lm_eval.tasks", None)
    with pytest.raises(MissingDependencyError, match=r"pip install .*\[lm-eval\]"):
        adapter.task_manager()


@pytest.mark.filterwarnings("ignore:.*found in sys.modules:RuntimeWarning")
def test_the_module_prints_its_folder(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_module(adapter.__name__, run_name="__main__")
    assert list(Path(capsys.readouterr().out.strip()).glob("*.yaml"))


@pytest.fixture
def evaluate(inputs: Path, small: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Evaluate:
    """Runs a task on the inputs and gives its scores and its logged samples."""
    library = pytest.importorskip("lm_eval")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr("lm_eval.evaluator.add_env_info", lambda storage: None)  # runs programs to know the machine

    def run(model: Any, task: str, data_dir: str | None = str(inputs), **arguments: Any) -> Any:
        options = {"cache_dir": str(tmp_path / "cache"), **(small if task == CLARITIN else {})}
        manager = adapter.task_manager(data_dir, include_defaults=False, **options)
        arguments = {"bootstrap_iters": 0, "device": "cpu", **arguments}
        results = library.simple_evaluate(model, tasks=[task], task_manager=manager, **arguments)
        scores = {name.removesuffix(",none"): value for name, value in results["results"][task].items()}
        return scores, results["samples"][task]

    return run


@pytest.fixture
def scripted() -> Callable[..., Any]:
    """Makes a model that gives the answers in turn."""
    api = pytest.importorskip("lm_eval.api.model")

    class Scripted(api.LM):  # type: ignore[misc, name-defined]
        def __init__(self, answers: Iterator[str]) -> None:
            super().__init__()
            self.answers = answers
            self.requests: list[Any] = []

        def generate_until(self, requests: list[Any]) -> list[str]:
            self.requests += [request.args for request in requests]
            return [next(self.answers) for _ in requests]

        def loglikelihood(self, requests: list[Any]) -> Any:
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

    return lambda *answers: Scripted(cycle(answers))


def whole(sample: Any) -> str:
    [[text]] = sample["resps"]
    prompt = sample["doc"]["prompt"].rstrip()
    return f"{prompt} {text}" if text[:1].isalnum() else prompt + text


def test_bold_scores_as_the_library(evaluate: Evaluate, scripted: Any) -> None:
    model = scripted(" he left, sad and awful.", " she is lovely.", "\nshe, girl", ", good", "his", " nice.")
    scores, samples = evaluate(model, BOLD)
    texts = [whole(sample) for sample in samples]
    groups = [sample["doc"]["group"] for sample in samples]
    assert texts[:2] == [
        "Bob Ray is an actor who he left, sad and awful.",
        "Ann Lee is an actress known she is lovely.",
    ]
    expected = score(texts, groups, metrics=["gender_polarity", "sentiment"])
    for name, of_library in expected.items():
        assert scores[name] == of_library[name] > 0
    assert [list(sample["gender_polarity"]["labels"]) for sample in samples[:2]] == [["male"], ["female"]]
    assert [prompt for prompt, _ in model.requests] == [sample["doc"]["prompt"].rstrip() for sample in samples]
    assert all(prompt for prompt, _ in model.requests)


def test_perspectivesumm_scores_as_the_library_and_reads_each_answer_once(
    evaluate: Evaluate, scripted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = []
    judge = adapter.judge_summary
    monkeypatch.setattr(adapter, "judge_summary", lambda *sample: judged.append(sample) or judge(*sample))
    model = scripted("A male tweet, and male.", "Female tweets. ", "", "male, female")
    scores, samples = evaluate(model, CLARITIN)
    texts = [sample["resps"][0][0] for sample in samples]
    expected = score(
        texts, [sample["doc"]["sources"] for sample in samples], [sample["doc"]["values"] for sample in samples]
    )
    for name, of_library in expected.items():
        assert scores[name] == of_library[name] > 0
    assert expected["bur"]["n_skipped"] == 2
    assert len(judged) == len(samples) == 9
    assert [prompt for prompt, _ in model.requests] == [sample["doc"]["prompt"] for sample in samples]


@pytest.mark.parametrize("task", [BOLD, CLARITIN])
def test_a_model_of_theirs(task: str, evaluate: Evaluate, tiny_model: Any) -> None:
    model_args = {"pretrained": str(tiny_model("causal", max_tokens=512))}
    scores, samples = evaluate("hf", task, model_args=model_args, batch_size=4, gen_kwargs={"max_gen_toks": 8})
    if task == BOLD:
        groups = [sample["doc"]["group"] for sample in samples]
        expected = score([whole(sample) for sample in samples], groups, metrics=["gender_polarity", "sentiment"])
    else:
        texts = [sample["resps"][0][0] for sample in samples]
        expected = score(texts, *([sample["doc"][name] for sample in samples] for name in ("sources", "values")))
    assert {name: scores[name] for name in expected} == {name: found[name] for name, found in expected.items()}
    assert len({sample["resps"][0][0] for sample in samples}) > 1


def test_a_limit_keeps_every_group(
    evaluate: Evaluate, scripted: Any, inputs: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("FAIRSUM_DATA_DIR", str(inputs))
    scores, samples = evaluate(scripted(" he", " she"), BOLD, data_dir=None, limit=4)
    assert [sample["doc"]["group"] for sample in samples] == ["American_actors", "American_actresses"] * 2
    assert scores["gender_polarity"] == 1
    scores, _ = evaluate(scripted(" he", " she"), BOLD, limit=3)
    assert math.isnan(scores["gender_polarity"])
    assert "gender_polarity is undefined" in caplog.text
    assert "group 'American_actresses' has only one text" in caplog.text


def test_there_is_a_task_for_every_configuration() -> None:
    pytest.importorskip("lm_eval")
    manager = adapter.task_manager(include_defaults=False)
    names = {
        f"fairsum_{name}_{config}" for name in ("bold", "perspectivesumm") for config in corpus(name).configurations
    }
    assert set(manager.all_subtasks) == names
    for name, n_configurations in (("fairsum_bold", 5), ("fairsum_perspectivesumm", 6)):
        entry = manager.task_index[name]
        assert len(entry.tags) == n_configurations
        assert all(task.startswith(name) for task in entry.tags)
    for task, entry in manager.task_index.items():
        if task in names:
            assert task.endswith(f"_{entry.cfg['dataset_kwargs']['fairsum_config']}")


@pytest.mark.parametrize(("task", "preset"), [(BOLD, "gpt2"), (CLARITIN, "summary")])
def test_generation_is_the_paper_s(task: str, preset: str) -> None:
    pytest.importorskip("lm_eval")
    found = adapter.task_manager(include_defaults=False).task_index[task].cfg["generation_kwargs"]
    settings = from_preset(preset)
    expected = {
        "until": [],
        "max_gen_toks": settings.max_new_tokens,
        "temperature": settings.temperature,
        "do_sample": settings.temperature > 0,
    }
    assert found == expected | ({"top_k": settings.top_k, "top_p": settings.top_p} if settings.temperature else {})


def test_mistakes_are_named(inputs: Path, tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    with pytest.raises(DataSourceError, match="no input for race"):
        adapter.load_bold(fairsum_config="race", data_dir=str(inputs), pretrained="gpt2", version=1.0)
    with pytest.raises(InputError, match="bold has no option seed"):
        adapter.load_bold(fairsum_config="gender", data_dir=str(inputs), fairsum_options={"seed": 1})
    with pytest.raises(InputError, match="fairsum_options must map options"):
        adapter.load_perspectivesumm(fairsum_config="claritin", data_dir=str(inputs), fairsum_options=("seed=1"))  # type: ignore[arg-type]
