"""Stand-ins for models, and a CTRL small enough to make here."""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Sequence
from pathlib import Path

import pytest

from fairsum_utils.generation import Generated, GenerationSettings

WORDS = ["Wikipedia", "Opinion", "Thoughts", "Great", "soup", "friendly", "staff", "slow"]


class Echo:
    """Says each prompt backwards, with its place, last first; keeps what it was asked, and may stop at a prompt."""

    def __init__(self, stops_at: str | None = None, **options: object) -> None:
        self.settings = GenerationSettings(**{"temperature": 1.0, "chat": False, **options})  # type: ignore[arg-type]
        self.asked: list[int] = []
        self._stops_at = stops_at

    def identity(self) -> dict[str, object]:
        return {"model": "echo", "temperature": self.settings.temperature}

    def write(self, prompts: Sequence[str], done: Container[int] = ()) -> Iterator[tuple[int, Generated]]:
        for place, prompt in reversed([*enumerate(prompts)]):
            if place in done:
                continue
            if prompt == self._stops_at:
                raise KeyboardInterrupt
            self.asked.append(place)
            yield place, Generated(f" {prompt.strip()[::-1]} {place}", "length", 0)


@pytest.fixture(scope="session")
def echo() -> type[Echo]:
    return Echo


@pytest.fixture(scope="session")
def ctrl_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """CTRL with control codes, random weights and its own kind of tokenizer, which has no padding and no end."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("ctrl") / "ctrl"
    folder.mkdir()
    letters = "abcdefghijklmnopqrstuvwxyz,."
    names = ["<unk>", *WORDS, *letters, *(f"{letter}@@" for letter in letters)]
    merges = {}
    for word in WORDS:
        left, *rest = [*word[:-1], f"{word[-1]}</w>"]
        for part in rest:
            merges[f"{left} {part}"] = None
            left += part
    (folder / "vocab.json").write_text(json.dumps({name: number for number, name in enumerate(names)}))
    (folder / "merges.txt").write_text("\n".join(["#version: 0.2", *merges]) + "\n")
    tokenizer = transformers.CTRLTokenizer(str(folder / "vocab.json"), str(folder / "merges.txt"))
    sizes = {"n_positions": 48, "n_embd": 32, "dff": 64, "n_layer": 2, "n_head": 2, "initializer_range": 0.5}
    torch.manual_seed(0)
    model = transformers.CTRLLMHeadModel(transformers.CTRLConfig(vocab_size=len(names), **sizes))
    model.eval().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
