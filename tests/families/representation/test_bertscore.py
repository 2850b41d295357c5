"""BERTScore precision: by its definition, and against the package bert-score with the same model."""

from __future__ import annotations

import itertools
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairsum_utils.errors import InputError, MissingDependencyError
from fairsum_utils.families.representation import neural
from fairsum_utils.inference import InferenceSettings
from fairsum_utils.inference.runner import TruncationWarning

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

TEXTS = ["Tasty soup, slow service.", "Cold.", " The wait was long and the room was loud. || Cold soup. \n", "Slow"]
PAIRS = list(itertools.product(TEXTS, TEXTS))
LONG = "The wait was long. " * 20


def scorer(folder: Path, settings: dict[str, Any] | None = None, **options: Any) -> neural.BERTScore:
    inference = InferenceSettings(**{"device": "cpu", "cache": "none", "module": "bur", **(settings or {})})
    return neural.BERTScore(folder, settings=inference, **options)


def raw(folder: Path, **settings: Any) -> neural.BERTScore:
    return scorer(folder, settings, num_layers=1, rescale=False)


@pytest.fixture(scope="module")
def folder(tiny_model: Any) -> Path:
    return Path(tiny_model("encoder"))


@pytest.fixture(scope="module")
def package() -> Any:
    return pytest.importorskip("bert_score")


@pytest.fixture(scope="module")
def expected(folder: Path) -> list[float]:
    """Of each pair (texts, summary): the definition in loops."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder).eval()
    unit = {}
    for text in TEXTS:
        ids = tokenizer(text.strip())["input_ids"]
        with torch.no_grad():
            states = model(input_ids=torch.tensor([ids]), output_hidden_states=True).hidden_states[1][0].double()
        unit[text] = [state / state.norm() for state in states]
    return [
        float(np.mean([max(float(own @ other) for other in unit[texts]) for own in unit[summary][1:-1]]))
        for texts, summary in PAIRS
    ]


def test_with_the_definition(folder: Path, expected: list[float]) -> None:
    found = raw(folder).run(PAIRS).values
    assert found.shape == (len(PAIRS), 1)
    np.testing.assert_allclose(found[:, 0], expected, rtol=0, atol=1e-5)
    # A text has every token of itself.
    np.testing.assert_allclose(found[:: len(TEXTS) + 1, 0], 1, rtol=0, atol=1e-6)


def test_with_the_package(folder: Path, package: Any) -> None:
    pairs = [*PAIRS, (LONG, "Cold."), ("Cold.", LONG)]
    theirs, _, _ = package.BERTScorer(model_type=str(folder), num_layers=2, device="cpu").score(
        [summary for _, summary in pairs], [texts for texts, _ in pairs]
    )
    with pytest.warns(TruncationWarning, match="2 of 18 texts exceed the 64 tokens"):
        ours = scorer(folder, num_layers=2).run(pairs)
    np.testing.assert_allclose(ours.values[:, 0], theirs.numpy(), rtol=0, atol=1e-5)
    assert len(set(np.round(ours.values[:, 0], 5))) > len(pairs) / 2  # and they differ from each other


@pytest.mark.filterwarnings("ignore:The given NumPy array is not writable")  # bert-score with pandas 3
def test_rescaled(tiny_model: Any, package: Any, tmp_path: Path) -> None:
    """A copy of a model that bert-score knows is recognized by the name of its folder."""
    copy = tmp_path / "roberta-base"
    shutil.copytree(tiny_model("encoder", num_hidden_layers=10), copy)
    ours = scorer(copy)
    assert (ours.num_layers, ours.baseline) == (10, 0.8146725)  # roberta-base.tsv of bert-score, row 10
    theirs, _, _ = package.BERTScorer(
        model_type=str(copy),
        num_layers=10,
        lang="en",
        rescale_with_baseline=True,
        baseline_path=str(Path(package.__file__).parent / "rescale_baseline/en/roberta-base.tsv"),
        device="cpu",
    ).score([summary for _, summary in PAIRS], [texts for texts, _ in PAIRS])
    found = ours.run(PAIRS).values
    np.testing.assert_allclose(found[:, 0], theirs.numpy(), rtol=0, atol=1e-4)
    before = scorer(copy, rescale=False).run(PAIRS).values
    np.testing.assert_allclose(found, (before - 0.8146725) / (1 - 0.8146725), rtol=0, atol=1e-6)
    assert ours.signature["rescale"] == 0.8146725


def test_a_text_without_tokens_scores_nothing(folder: Path) -> None:
    found = raw(folder).run([("", "Cold."), ("Cold.", ""), (" ", "\n"), ("Cold.", "Cold.")])
    assert found.values[:3, 0].tolist() == [0, 0, 0]
    assert found.values[3, 0] == pytest.approx(1, abs=1e-6)


def test_the_default_is_the_papers(package: Any) -> None:
    known = neural._known_name(neural.BERT_MODEL)
    assert known is not None
    assert neural._layers()[known] == 17
    assert neural._baseline(known, 17) == 0.83150584  # roberta-large.tsv of bert-score, row 17
    assert neural._baseline("nothing", 17) is None


def test_a_model_without_baseline(folder: Path, package: Any) -> None:
    found = scorer(folder)
    assert found.baseline is None
    assert found.signature == {"model": found.name, "layers": 2, "rescale": "no"}
    with pytest.raises(InputError) as error:
        scorer(folder, rescale=True)
    assert "bur: bert-score has no baseline for rescaling" in str(error.value)
    assert str(error.value).endswith("choose rescale=False")


def test_without_the_package(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    neural._layers.cache_clear()
    for name in ("bert_score", "bert_score.utils"):
        monkeypatch.setitem(sys.modules, name, None)
    assert raw(folder).baseline is None  # nothing to look up
    with pytest.raises(MissingDependencyError, match=r"pip install .*\[neural\]"):
        scorer(folder)
