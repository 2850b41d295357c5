"""Contextual embeddings of the tokens of texts, at a hidden layer."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fairsum_utils.errors import InputError, require
from fairsum_utils.inference.encoding import Encodings
from fairsum_utils.inference.pairs import as_inputs
from fairsum_utils.inference.runner import Runner
from fairsum_utils.inference.settings import InferenceSettings


class TokenEmbedder(Runner, ABC):
    """Base of what is computed from token embeddings, which are too large for the cache.

    Layers above the one asked for are dropped from the model.

    Args:
        model: id on the Hub, or a folder; of an encoder-decoder model the encoder is taken.
        num_layers: the hidden layer, 0 for the embeddings that go into the first; None for the last.
        revision: branch, tag or commit on the Hub.
        settings: how to run it.
        offline: what works without a model, for the message when this one cannot be had.

    Attributes:
        num_layers: the hidden layer.

    Raises:
        InputError: the model cannot be had or has fewer layers.
    """

    kind = "encoder"

    def __init__(
        self,
        model: str | Path,
        *,
        num_layers: int | None = None,
        revision: str | None = None,
        settings: InferenceSettings | None = None,
        offline: str = "a lexical method",
    ) -> None:
        super().__init__(model, revision=revision, settings=settings, offline=offline)
        depth = int(self.loaded.model.config.num_hidden_layers)
        self.num_layers = depth if num_layers is None else num_layers
        if self.num_layers > depth:
            raise InputError(
                f"{self.settings.module}: num_layers is {self.num_layers}, but {self.loaded.name} has {depth} layers; "
                f"choose one from 0 to {depth}"
            )
        self.loaded.tokenizer.padding_side = "right"
        self._is_cut = _drop_layers(self.loaded.encoder, depth, self.num_layers)

    def fingerprint(self) -> str:
        """Everything but the text that a result depends on."""
        return f"{super().fingerprint()}|layers:{self.num_layers}"

    def embed(self, ids: Sequence[list[int]]) -> list[Any]:
        """Embeddings of texts, each on the model's device and of shape (tokens, width).

        Args:
            ids: the tokens of each text, special tokens included.
        """
        lengths = list(map(len, ids))
        encodings = Encodings(as_inputs(ids), lengths, [0] * len(lengths))
        embeddings: list[Any] = [None] * len(lengths)
        for batch, states in super().run_encoded(encodings, self._hidden_states):
            for place, of_text in zip(batch, states, strict=True):
                embeddings[place] = of_text[: lengths[place]]
        return embeddings

    def _hidden_states(self, inputs: list[dict[str, list[int]]]) -> Any:
        """Shape (b, longest, width)."""
        outputs = self.loaded.encoder(**self.pad(inputs), output_hidden_states=not self._is_cut)
        return outputs.last_hidden_state if self._is_cut else outputs.hidden_states[self.num_layers]


def _drop_layers(encoder: Any, depth: int, n_left: int) -> bool:
    """Drop layers above the first `n_left`, where the architecture holds all in one list; tells whether it does."""
    torch = require("torch", extra="neural", purpose="run a model")
    lists = [part for part in encoder.modules() if isinstance(part, torch.nn.ModuleList) and len(part) == depth]
    if len(lists) != 1:
        return False
    del lists[0][n_left:]
    return True
