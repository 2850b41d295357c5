"""Tiny models and a chat endpoint for the safety net, made when a case first needs them."""

from __future__ import annotations

import importlib.util
import re
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

TESTS = Path(__file__).resolve().parents[1]

TOXIC = ("toxic", "severe_toxic", "obscene", "threat", "insult", "identity_hate")

KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "nli": ("classifier", {}),
    "regard": ("classifier", {"labels": ("positive", "negative", "neutral", "other")}),
    "toxic": ("classifier", {"labels": TOXIC, "problem_type": "multi_label_classification"}),
    "encoder": ("encoder", {}),
    "bart": ("seq2seq", {}),
    "gpt2": ("causal", {}),
}
"""Name in a command -> kind of model and its options, as `tests/_tiny_models.py` takes them."""


class Models:
    """Paths of tiny models and the address of a chat endpoint, by name.

    Args:
        folder: where the models are made.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.environment = {"OPENAI_API_KEY": "sk-not-a-key", "NO_PROXY": "127.0.0.1"}
        self.addresses: list[str] = []

    def names(self, line: str) -> dict[str, str]:
        """Fill in the names in braces that a command line has."""
        return {name: self[name] for name in re.findall(r"\{(\w+)\}", line)}

    def __getitem__(self, name: str) -> str:
        if name == "chat":
            return self._chat
        folder = self._folder / name
        if not folder.exists():
            kind, options = KINDS[name]
            _script("_tiny_models").make_model(folder, kind, **options)
        return str(folder)

    @cached_property
    def _chat(self) -> str:
        """An endpoint whose rating depends on the length of the prompt."""
        server = _script("conftest").ChatServer()
        server.say = lambda prompt: f"Score: {1 + len(prompt) % 5}"
        self.addresses.append(server.url)
        self._server = server
        return str(server.url)

    def close(self) -> None:
        """Stop the endpoint, if it was started."""
        if self.addresses:
            self._server.server.shutdown()
            self._server.server.server_close()


def _script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"golden_{name.strip('_')}", TESTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
