"""Model tasks: text labels, token embeddings and text likelihood."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fairsum_utils.errors import InputError, require
from fairsum_utils.inference.batching import FIRST, SECOND, Encodings, Key, as_inputs, encode_sides
from fairsum_utils.inference.models import LoadedModel
from fairsum_utils.inference.runner import Runner

_IS_MULTI_LABEL = {"single_label_classification": False, "multi_label_classification": True}
"""Type of problem in a configuration -> whether labels are independent."""


class SequenceClassifier(Runner):
    """Probabilities of a classification model's labels for texts or pairs of texts.

    A model without a padding token in its configuration reads one input at a time: a model that only uses the last
    token, such as GPT-2, would use the padding.

    Args:
        model: id on the Hub, or a folder.
        multi_label: labels are independent of each other (a sigmoid each) instead of exclusive (softmax); None to read
            it from ``problem_type`` in the model's configuration, or else from `settle`.
        **options: options of `Runner`.

    Attributes:
        labels: names of the model's labels, in the order of the columns.
        multi_label: labels are independent; None if it is not known yet.

    Raises:
        InputError: the model is unavailable, or has only one label.
    """

    task = "classify"
    kind = "classifier"

    def __init__(self, model: str | Path, *, multi_label: bool | None = False, **options: Any) -> None:
        super().__init__(model, **options)
        if multi_label is None:
            multi_label = _IS_MULTI_LABEL.get(self.facts.problem_type or "")
        self.multi_label = multi_label
        if not self.facts.pads:
            self._budget = 1
        self.labels: tuple[str, ...] = tuple(self.facts.labels)
        if len(self.labels) == 1 and multi_label is False:
            raise InputError(
                f"{self.settings.module}: {self.name} has only one label, {self.labels[0]!r}, so its share is always "
                "1; use multi_label=True for its probability"
            )

    def settle(self, *, independent: bool | None, remedy: str = "choose another model") -> None:
        """Decide whether the labels are independent, where the configuration does not say.

        Args:
            independent: answer that their meanings give; None if they give none.
            remedy: advice for the error.

        Raises:
            InputError: nothing tells.
        """
        if self.multi_label is None and independent is None and len(self.labels) > 1:
            raise InputError(
                f"{self.settings.module}: {self.name} has the labels {', '.join(map(repr, self.labels))}, but its "
                f"configuration does not say (problem_type) whether they exclude each other; {remedy}"
            )
        if self.multi_label is None:
            self.multi_label = independent is not False

    def column_of(self, label: str, setting: str) -> int:
        """Return the column of a label, whatever its case.

        Args:
            label: name of a label.
            setting: name of the setting that chooses it, for the error.

        Raises:
            InputError: no label, or more than one, has this name.
        """
        columns = [column for column, name in enumerate(self.labels) if name.lower() == label.lower()]
        if len(columns) != 1:
            raise InputError(
                f"{self.settings.module}: {self.name} has the labels {', '.join(map(repr, self.labels))}, but no label "
                f"{label!r}; name the right one with {setting}"
            )
        return columns[0]

    def fingerprint(self) -> str:
        """Everything but the text that a result depends on."""
        return f"{super().fingerprint()}|multi_label:{self.multi_label}"

    def forward(self, inputs: Sequence[dict[str, list[int]]]) -> npt.NDArray[np.float32]:
        """Return probabilities, shape (b, labels)."""
        logits = self.loaded.model(**self.pad(inputs)).logits.float()
        return self.numbers(logits.sigmoid() if self.multi_label else logits.softmax(dim=-1))


class TokenEmbedder(Runner, ABC):
    """Base for values computed from token embeddings, which are not cached.

    Layers above the requested one are dropped from the model.

    Args:
        model: id on the Hub, or a folder; of an encoder-decoder model, the encoder is used.
        num_layers: hidden layer, 0 for the input embeddings; None for the last.
        **options: options of `Runner`.

    Attributes:
        num_layers: the hidden layer.

    Raises:
        InputError: the model is unavailable or has fewer layers.
    """

    kind = "encoder"

    def __init__(self, model: str | Path, *, num_layers: int | None = None, **options: Any) -> None:
        self._wanted_layers = num_layers
        super().__init__(model, **options)
        self.num_layers = self._layers_of(self.facts.n_layers or 0)

    def _layers_of(self, depth: int) -> int:
        num_layers = depth if self._wanted_layers is None else self._wanted_layers
        if num_layers > depth:
            raise InputError(
                f"{self.settings.module}: num_layers is {num_layers}, but {self.found.name} has {depth} layers; "
                f"choose one from 0 to {depth}"
            )
        return num_layers

    def prepare(self, loaded: LoadedModel) -> None:
        """Pad on the right, and drop the layers above."""
        loaded.tokenizer.padding_side = "right"
        depth = int(loaded.model.config.num_hidden_layers)
        self._is_cut = _drop_layers(loaded.encoder, depth, self._layers_of(depth))

    def fingerprint(self) -> str:
        """Everything but the text that a result depends on."""
        return f"{super().fingerprint()}|layers:{self.num_layers}"

    def embed(self, ids: Sequence[list[int]]) -> list[Any]:
        """Yield embeddings of texts, each (tokens, width) on the device."""
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
    """Drop layers above the first `n_left`; return whether it worked."""
    torch = require("torch", extra="neural", purpose="run a model")
    lists = [part for part in encoder.modules() if isinstance(part, torch.nn.ModuleList) and len(part) == depth]
    if len(lists) != 1:
        return False
    del lists[0][n_left:]
    return True


class SequenceLikelihood(Runner):
    """Mean log-likelihood of a target's tokens given a source, at most 0.

    Inputs are pairs (source, target). The target's tokens include special tokens. Each is predicted from the source and
    the tokens before it, the first one from the decoder's start token.

    Args:
        model: id on the Hub, or a folder, of an encoder-decoder model such as BART.
        revision: branch, tag or commit on the Hub.
        settings: options of the run.
        offline: alternative without a model, for the message when this one is unavailable.

    Raises:
        InputError: the model is unavailable or is of another kind.

    Source: Zhang et al. 2024, section 3.2, Neural Matching: BARTScore, with equal weights of all tokens.
    """

    task = "likelihood"
    kind = "seq2seq"

    def encode(self, keys: Sequence[Key]) -> Encodings:
        """Tokenize sources and targets separately, within the model's limit."""
        return encode_sides(self.loaded.tokenizer, keys, self.max_tokens)

    def forward(self, inputs: Sequence[dict[str, list[int]]]) -> npt.NDArray[np.float32]:
        """Mean log-likelihoods, shape (b, 1)."""
        torch = require("torch", extra="neural", purpose="run a model")
        model, device = self.loaded.model, self.loaded.device
        targets = [torch.tensor(entries[SECOND], device=device) for entries in inputs]
        # Tokens after the target's end do not affect it, so any padding works.
        padded = torch.nn.utils.rnn.pad_sequence(targets, batch_first=True)
        start = torch.full((len(targets), 1), model.config.decoder_start_token_id, device=device)
        logits = model(
            **self.pad(as_inputs(entries[FIRST] for entries in inputs)),
            decoder_input_ids=torch.cat([start, padded[:, :-1]], dim=1),
            use_cache=False,
        ).logits
        # Text by text: all logits of a batch in float32 would need more memory than the model.
        losses = [
            torch.nn.functional.cross_entropy(of_text[: len(target)].float(), target)
            for of_text, target in zip(logits, targets, strict=True)
        ]
        return np.asarray(-torch.stack(losses).cpu().numpy()[:, None], dtype=np.float32)
