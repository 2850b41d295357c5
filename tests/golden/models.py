"""Tiny models and a chat endpoint for the safety net, made when a case first needs them."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import Any

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
        return {name: self._address if name == "chat" else self._model(name) for name in re.findall(r"\{(\w+)\}", line)}

    def _model(self, name: str) -> str:
        from tests._tiny_models import make_model

        kind, options = KINDS[name]
        folder = self._folder / name
        return str(folder if folder.exists() else make_model(folder, kind, **options))

    @cached_property
    def _address(self) -> str:
        """Address of an endpoint whose rating depends on the length of the prompt."""
        from tests.conftest import ChatServer

        server = ChatServer()
        server.say = lambda prompt: f"Score: {1 + len(prompt) % 5}"
        self.addresses.append(server.url)
        self.close = server.close  # type: ignore[method-assign]
        return server.url

    def close(self) -> None:
        """Stop the endpoint, if it was started."""
