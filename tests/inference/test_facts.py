"""Facts of models: with all results in the cache nothing is loaded, and a missing one is computed as before."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairsum_utils import EqualCoverage, score
from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.inference import InferenceSettings, runner
from fairsum_utils.inference.chat import LocalChat
from fairsum_utils.inference.entailers import NLIEntailer
from fairsum_utils.inference.facts import ModelFacts
from fairsum_utils.inference.sentences import SentenceEmbedder
from fairsum_utils.inference.tasks import SequenceClassifier

pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("accelerate")

PAIR, OTHER = ("Great soup.", "Soup."), ("Cold soup.", "Bread.")


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the models that are loaded from here on."""
    found: list[str] = []
    load = runner.load_model

    def noted(kind: str, model: Any, **options: Any) -> Any:
        found.append(kind)
        return load(kind, model, **options)

    monkeypatch.setattr(runner, "load_model", noted)
    return found


def settings(folder: Path, **options: Any) -> InferenceSettings:
    return InferenceSettings(**{"cache": str(folder), "device": "cpu", "module": "equal_coverage", **options})


def test_a_model_is_loaded_for_the_first_missing_result(nli_model: Path, tmp_path: Path, loads: list[str]) -> None:
    first = NLIEntailer(nli_model, settings=settings(tmp_path))
    judged = first.judge([PAIR])
    assert loads == ["classifier"]
    second = NLIEntailer(nli_model, settings=settings(tmp_path))
    again = second.judge([PAIR])
    assert (second.name, second.classifier.labels) == (first.name, first.classifier.labels)
    np.testing.assert_array_equal(again.probability, judged.probability)
    second.close()
    assert loads == ["classifier"]
    third = NLIEntailer(nli_model, settings=settings(tmp_path))
    both = third.judge([PAIR, OTHER])
    assert loads == ["classifier"] * 2
    expected = NLIEntailer(nli_model, settings=settings(tmp_path, cache="none")).judge([PAIR, OTHER])
    np.testing.assert_allclose(both.probability, expected.probability, atol=1e-6)


@pytest.mark.filterwarnings("ignore:.*were cut off at max_tokens")
def test_embeddings_and_answers(tiny_model: Any, tmp_path: Path, loads: list[str], monkeypatch: Any) -> None:
    folder = Path(shutil.copytree(tiny_model("encoder"), tmp_path / "encoder"))
    (folder / "modules.json").write_text(
        json.dumps(
            [{"type": f"sentence_transformers.models.{name}", "path": name} for name in ("Transformer", "Pooling")]
        )
    )
    vectors = [SentenceEmbedder(folder, settings=settings(tmp_path)).embed(["Great soup."]) for _ in range(2)]
    np.testing.assert_array_equal(*vectors)
    assert loads == ["encoder"]
    options: dict[str, Any] = {"cache": str(tmp_path), "device": "cpu", "max_tokens": 4}
    answers = LocalChat(tiny_model("causal"), **options).complete(["Great"])

    def refused(*arguments: Any, **more: Any) -> Any:
        raise AssertionError("a model is loaded")

    monkeypatch.setattr("fairsum_utils.inference.chat.load_model", refused)
    again = LocalChat(tiny_model("causal"), **options)
    assert again.complete(["Great"]) == answers
    assert again.signature.startswith(Path(tiny_model("causal")).name)


def test_facts_belong_to_weights_and_settings(
    nli_model: Path, tmp_path: Path, loads: list[str], tiny_model: Any
) -> None:
    SequenceClassifier(nli_model, settings=settings(tmp_path))
    half = SequenceClassifier(nli_model, settings=settings(tmp_path, dtype="bfloat16"))
    other = SequenceClassifier(tiny_model("classifier", seed=99, max_tokens=32), settings=settings(tmp_path))
    assert (half.facts.dtype, half.name.endswith(" bfloat16")) == ("bfloat16", True)
    assert (other.max_tokens, len(loads)) == (32, 3)
    SequenceClassifier(nli_model, settings=settings(tmp_path, cache="none"))
    assert len(loads) == 4


def test_a_model_that_has_gone_is_refused(nli_model: Path, tmp_path: Path) -> None:
    SequenceClassifier(nli_model, settings=settings(tmp_path))
    with pytest.raises(InputError, match="the folder does not exist"):
        SequenceClassifier(nli_model.with_name("gone"), settings=settings(tmp_path))


def test_results_of_another_precision_are_not_mixed(nli_model: Path, tmp_path: Path, monkeypatch: Any) -> None:
    NLIEntailer(nli_model, settings=settings(tmp_path))
    known = NLIEntailer(nli_model, settings=settings(tmp_path))
    of = ModelFacts.of
    monkeypatch.setattr(ModelFacts, "of", lambda loaded: of(loaded)._replace(dtype="float16"))
    with pytest.raises(FairSumError, match="choose the device and dtype"):
        known.judge([OTHER])


def test_nothing_is_imported_for_known_results(light: Any, nli_model: Path, tmp_path: Path) -> None:
    columns = {"predictions": ["Soup."], "sources": [["Great soup.", "Bread."]], "values": [["a", "b"]]}
    measure = EqualCoverage(entailer=str(nli_model), cache=str(tmp_path))
    expected = score(**columns, metrics=measure)["equal_coverage"]["equal_coverage"]
    code = f"""
import sys
from fairsum_utils import EqualCoverage, score
results = score(**{columns!r}, metrics=EqualCoverage(entailer={str(nli_model)!r}, cache={str(tmp_path)!r}))
print(results["equal_coverage"]["equal_coverage"], sorted({{"torch", "transformers"}} & sys.modules.keys()))
"""
    done = light.start(["-c", code], tmp_path).wait()
    assert done.stdout == f"{expected} []\n", done.stderr
