"""Loading: the right device and precision, quietly, with a name that tells the weights; or a message that helps."""

from __future__ import annotations

import json
import logging
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.inference import InferenceSettings
from fairsum_utils.inference.models import LoadedModel, load_model

from .conftest import COMMIT

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("accelerate")
hub = pytest.importorskip("huggingface_hub")

HUB_ID = "somebody/some-model"


def load(model: Any, kind: str = "classifier", *, revision: str | None = None, **settings: Any) -> LoadedModel:
    chosen = InferenceSettings(**{"device": "cpu", "module": "equal_coverage"} | settings)
    return load_model(kind, model, revision=revision, settings=chosen, offline='entailer="lexical"')


def refusal(model: Any, kind: str = "classifier", **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        load(model, kind, **options)
    message = str(caught.value)
    assert message.startswith("equal_coverage: ")
    assert 'Without a model use entailer="lexical"' in message
    return message


@pytest.fixture
def copy(copy_of: Any) -> Path:
    return copy_of("classifier")


@pytest.mark.parametrize("kind", ["classifier", "encoder", "seq2seq", "causal"])
def test_every_kind(kind: str, tiny_model: Any) -> None:
    loaded = load(tiny_model(kind), kind)
    assert (loaded.dtype, loaded.device.type, loaded.max_tokens) == ("float32", "cpu", 64)
    assert not loaded.model.training
    assert {parameters.dtype for parameters in loaded.model.parameters()} == {torch.float32}
    assert loaded.model.config._attn_implementation == "sdpa"


def test_the_name_is_of_the_contents(tiny_model: Any, copy: Path, tmp_path: Path) -> None:
    name = load(copy).name
    assert name.startswith("copy@")
    assert len(name) == len("copy@") + 12
    moved = shutil.copytree(copy, tmp_path / "elsewhere" / "copy")
    assert load(moved).name == name
    (moved / "model.safetensors").write_bytes((tiny_model("classifier", seed=1) / "model.safetensors").read_bytes())
    assert load(moved).name != name


def test_half_precision_on_disk_is_float32_on_a_processor(copy: Path) -> None:
    network = transformers.AutoModelForSequenceClassification.from_pretrained(copy)
    network.to(torch.bfloat16).save_pretrained(copy)
    loaded = load(copy)
    assert (loaded.dtype, loaded.model.dtype) == ("float32", torch.float32)


@pytest.mark.parametrize("architecture", ["roberta", "bert", "gpt2", "deberta-v2"])
def test_the_longest_input_can_be_read(architecture: str, copy: Path, tiny_model: Any) -> None:
    source = tiny_model("classifier", architecture=architecture, max_tokens=12)
    folder = Path(shutil.copytree(source, copy / architecture))
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    del settings["model_max_length"]  # the tokenizer then says 1e30, and positions alone limit
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    loaded = load(folder)
    assert loaded.max_tokens == 12
    with torch.inference_mode():
        assert loaded.model(torch.full((1, 12), 7)).logits.isfinite().all()
        if architecture != "deberta-v2":  # whose positions are relative
            with pytest.raises((IndexError, RuntimeError)):
                loaded.model(torch.full((1, 13), 7))


def test_an_encoder_may_lack_the_pooler(tiny_model: Any) -> None:
    assert load(tiny_model("classifier"), "encoder").model.encoder is not None


@pytest.mark.parametrize(
    ("kind", "of", "weights"),
    [
        (
            "classifier",
            "encoder",
            "classifier.dense.bias, classifier.dense.weight, classifier.out_proj.bias and 1 more",
        ),
        ("classifier", "seq2seq", "classification_head.dense.bias"),
        ("causal", "classifier", "lm_head.bias"),
    ],
)
def test_weights_that_would_be_random_are_named(kind: str, of: str, weights: str, tiny_model: Any) -> None:
    message = refusal(tiny_model(of), kind)
    assert "its files have no weights for " + weights in message
    assert "which would be random" in message


@pytest.mark.parametrize(
    ("file", "content", "reason"),
    [
        # In brackets or after a bar: the words of transformers 4.
        ("model.safetensors", None, r"no file named (pytorch_model\.bin, )?model\.safetensors"),
        ("model.safetensors", 500, "SafetensorError: "),
        ("tokenizer.json", None, "OSError: it has no tokenizer, or one without a vocabulary|requires the protobuf"),
        ("config.json", b"{", "is not a valid JSON file"),
        ("config.json", None, "model_type"),
    ],
)
def test_damaged_folders(file: str, content: bytes | int | None, reason: str, copy: Path) -> None:
    path = copy / file
    if content is None:
        path.unlink()
        (copy / "tokenizer_config.json").unlink()  # would name a tokenizer that is not there
    else:
        path.write_bytes(path.read_bytes()[:content] if isinstance(content, int) else content)
    message = refusal(copy)
    assert f"the model {str(copy)!r} cannot be used (" in message
    assert re.search(reason, message)
    assert "Name a folder with the model" in message


def test_code_of_a_model_is_not_run(copy: Path) -> None:
    (copy / "own.py").write_text(f"open({str(copy / 'was_here')!r}, 'w')\nclass Own: pass\n")
    (copy / "config.json").write_text('{"model_type": "own", "auto_map": {"AutoConfig": "own.Own"}}')
    assert "it contains its own code, which fairsum does not run" in refusal(copy)
    assert not (copy / "was_here").exists()


@pytest.mark.parametrize("model", ["/no/such/folder", "./model", "~/model", "a/b/c", Path("model")])
def test_a_folder_that_is_not_there(
    model: Any, no_network: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert f"the model {str(model)!r} cannot be used (the folder does not exist)" in refusal(model)


def test_a_folder_has_no_revisions(tiny_model: Any) -> None:
    assert "a folder has no revisions; omit revision" in refusal(tiny_model("classifier"), revision="main")


@pytest.mark.parametrize("is_offline", [True, False])
def test_a_model_that_is_not_there_offline(
    is_offline: bool, no_network: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub.constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(hub.constants, "HF_HUB_OFFLINE", is_offline)
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    message = refusal("somebody/no-such-model", revision="v1")
    assert slept == []  # asked once, not again and again
    assert (
        "the model 'somebody/no-such-model' at revision 'v1' cannot be used (OSError: there is no local copy; "
        in message
    )
    # The words of huggingface_hub 1 and of 0, which may still hold a session that was opened offline.
    reasons = ["offline"] if is_offline else ["Network is unreachable", "Max retries exceeded", "offline mode"]
    assert any(reason in message for reason in reasons)


def test_the_commit_is_asked_for_once(downloaded: Any, no_network: None, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, folder = [], downloaded("classifier")

    def model_info(_: Any, model: str, *, revision: str | None, timeout: float) -> Any:
        asked.append((model, revision))
        return hub.hf_api.ModelInfo(id=model, sha=COMMIT)

    tokenizer, loaded_with = transformers.AutoTokenizer.from_pretrained, {}

    def from_pretrained(place: str, **options: Any) -> Any:
        loaded_with.update(options)
        return tokenizer(folder)

    monkeypatch.setattr(hub.HfApi, "model_info", model_info)
    monkeypatch.setattr(transformers.AutoTokenizer, "from_pretrained", from_pretrained)
    network = transformers.AutoModelForSequenceClassification.from_pretrained
    monkeypatch.setattr(
        transformers.AutoModelForSequenceClassification,
        "from_pretrained",
        lambda place, **options: network(place, **options | {"local_files_only": True}),
    )
    assert load(HUB_ID, revision="v2").name == f"{HUB_ID}@{COMMIT[:12]}"
    assert asked == [(HUB_ID, "v2")]
    assert (loaded_with["revision"], loaded_with["trust_remote_code"]) == (COMMIT, False)


@pytest.mark.parametrize("device", ["cuda:99", "mps:7", "abacus", "meta", ""])
def test_a_device_that_cannot_be_used(device: str, tiny_model: Any) -> None:
    message = refusal(tiny_model("classifier"), device=device)
    assert f"device {device!r} cannot be used (" in message
    assert '). Choose another, such as "cpu", or omit device.' in message


def test_loading_is_quiet_and_changes_no_logging(tiny_model: Any, capfd: pytest.CaptureFixture[str]) -> None:
    def state_of_logging() -> list[Any]:
        bars = [transformers.utils.logging.is_progress_bar_enabled(), hub.utils.are_progress_bars_disabled()]
        return [*bars, *(logging.getLogger(name).level for name in ("transformers", "huggingface_hub"))]

    before = state_of_logging()
    load(tiny_model("classifier"))
    load(tiny_model("seq2seq"), "encoder")  # leaves weights over, which transformers reports
    refusal(tiny_model("encoder"))
    assert capfd.readouterr() == ("", "")
    assert state_of_logging() == before


class Evil:
    """Writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return Path.write_text, (self.path, "x")


@pytest.mark.parametrize("is_zipped", [True, False])
def test_weights_that_are_a_pickle_run_nothing(is_zipped: bool, copy: Path, tmp_path: Path) -> None:
    (copy / "model.safetensors").unlink()
    evil = {"classifier.weight": Evil(tmp_path / "owned")}
    torch.save(evil, copy / "pytorch_model.bin", _use_new_zipfile_serialization=is_zipped)
    assert "cannot be used" in refusal(copy)
    assert not (tmp_path / "owned").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dtype": "fp16"}, "dtype must be one of auto, float32, bfloat16, float16, found str 'fp16'"),
        ({"dtype": None}, "dtype must be one of auto, float32, bfloat16, float16, found None"),
        ({"on_truncate": "cut"}, "on_truncate must be one of warn, error, found str 'cut'"),
        ({"batch_tokens": 0}, "batch_tokens must be a whole number of at least 1, found int 0"),
        ({"batch_tokens": 2.5}, "batch_tokens must be a whole number of at least 1, found float 2.5"),
        ({"batch_tokens": True}, "batch_tokens must be a whole number of at least 1, found bool True"),
        ({"device": 0}, 'device must be a name such as "cpu" or "cuda:1", or None for the best available, found int 0'),
        ({"distributed": "yes"}, "distributed must be True or False, found str 'yes'"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        InferenceSettings(**options, module="equal_coverage")
    assert str(caught.value) == f"equal_coverage: {message}"
