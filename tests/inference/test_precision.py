"""A run in a precision that the processor is slow at is told of a faster one, once."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from fairsum_utils.inference import InferenceSettings, precision
from fairsum_utils.inference.classify import SequenceClassifier

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("accelerate")

OLD = {"architecture": "x86_64", "avx2": True, "avx512_bf16": False}
NEW = {"architecture": "x86_64", "avx2": True, "avx512_bf16": True, "amx_bf16": True}
SLOW = "this processor has no arithmetic for {}, which takes about 8 times as long"
FAST = 'dtype="bfloat16" would be about 1.8 times as fast'


@pytest.mark.parametrize(
    ("dtype", "instructions", "line"),
    [
        ("float32", OLD, None),
        ("float32", NEW, FAST),
        ("float32", {"architecture": "x86_64", "amx_bf16": True}, FAST),
        ("bfloat16", OLD, SLOW.format("bfloat16")),
        ("bfloat16", NEW, None),
        ("float16", NEW, SLOW.format("float16")),
        ("float16", NEW | {"avx512_fp16": True}, None),
        ("bfloat16", {"architecture": "aarch64"}, None),  # not measured
        ("float32", {"architecture": "aarch64", "bf16": True}, None),
    ],
)
def test_what_would_be_faster(dtype: str, instructions: Mapping[str, Any], line: str | None) -> None:
    assert precision.faster(dtype, instructions, precision.MANY - 1) is None
    told = precision.faster(dtype, instructions, precision.MANY)
    assert told is None if line is None else told is not None and told.startswith(line)


@pytest.fixture
def _nothing_said() -> Iterator[None]:
    precision._say_once.cache_clear()
    yield
    precision._say_once.cache_clear()


@pytest.mark.usefixtures("_nothing_said")
@pytest.mark.parametrize(("quiet", "lines"), [("0", 1), ("1", 0)])
def test_a_run_is_told_once(
    quiet: str, lines: int, tiny_model: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: NEW, raising=False)
    monkeypatch.setattr(precision, "MANY", 2)
    monkeypatch.setenv("FAIRSUM_QUIET", quiet)
    settings = InferenceSettings(module="equal_coverage", device="cpu", cache="none")
    classifier = SequenceClassifier(tiny_model("classifier"), settings=settings)
    with caplog.at_level(logging.INFO, logger="fairsum_utils"):
        classifier.run([("a",)])
        assert not caplog.messages  # one input
        classifier.run([("b",), ("c",)])
        classifier.run([("d",), ("e",)])
    assert len(caplog.messages) == lines
    assert all(line.startswith(f"equal_coverage: {FAST}") for line in caplog.messages)
    classifier.close()


@pytest.mark.usefixtures("_nothing_said")
@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_releases_that_know_no_processor_say_nothing(
    device: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    if device == "cpu":
        monkeypatch.delattr(torch.cpu, "get_capabilities", raising=False)
    else:
        monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: NEW, raising=False)
    precision.say_faster("uer", torch.device(device), "float32", 10**6)
    assert not caplog.messages
