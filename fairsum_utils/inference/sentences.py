"""Sentence embeddings, pooled as the model's sentence-transformers files specify."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fairsum_utils._util.secrets import masked, without_secrets
from fairsum_utils.errors import InputError, require
from fairsum_utils.inference.models import LoadedModel, quiet
from fairsum_utils.inference.runner import Runner
from fairsum_utils.settings.models import SENTENCE_MODEL
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.validation import check_count

POOLING = ("mean", "cls", "max")
"""Pooling of the tokens of a text, including special ones: mean, first token, maximum in each dimension."""

_LEGACY = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
"""Pooling modes as written by sentence-transformers before version 6."""

_LONGEST_REASON = 300

_STAGES = (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"])


class _Layout(NamedTuple):
    """Pooling settings; max_tokens is None for the model's own limit."""

    pooling: str = "mean"
    normalize: bool = True
    max_tokens: int | None = None


class SentenceEmbedder(Runner):
    """Embeddings from sentence-transformers models, without that package.

    Pooling, normalization and maximum length come from the model's files ``modules.json``, ``1_Pooling/config.json``
    and ``sentence_bert_config.json``. Without ``modules.json``, an embedding is the mean over the attention mask,
    normalized to length 1.

    Args:
        model: id on the Hub, or a folder; of an encoder-decoder model, the encoder is used.
        **options: options of `Runner`.

    Attributes:
        pooling: a member of `POOLING`.
        normalize: True if embeddings have length 1.

    Raises:
        InputError: the model is unavailable, or its files require something else, such as a dense layer.

    Source: Steen and Markert 2024, section 3.4: dense embeddings are those of all-MiniLM-L6-v2.
    """

    task = "sentence"
    kind = "encoder"

    def __init__(self, model: str | Path = SENTENCE_MODEL, **options: Any) -> None:
        super().__init__(model, **{"offline": "count vectors", **options})
        self.pooling, self.normalize, limit = _read_layout(model, self.found.commit, self.settings.module)
        self.max_tokens = min([each for each in (limit, self.max_tokens) if each is not None], default=None)

    def prepare(self, loaded: LoadedModel) -> None:
        """Pad on the right."""
        loaded.tokenizer.padding_side = "right"

    @property
    def name(self) -> str:
        """Return the model, weights and unusual pooling for a signature."""
        return super().name + ("" if self.pooling == "mean" else f" {self.pooling}")

    def fingerprint(self) -> str:
        """Everything but the text that a result depends on."""
        return f"{super().fingerprint()}|pooling:{self.pooling}|normalize:{self.normalize}"

    def embed(self, texts: Sequence[str]) -> Floats:
        """Embed texts, each distinct one once."""
        return self.run([(text,) for text in texts]).values

    def forward(self, inputs: Sequence[dict[str, list[int]]]) -> npt.NDArray[np.float32]:
        """Return embeddings, shape (b, width)."""
        torch = require("torch", extra="neural", purpose="run a model")
        batch = self.pad(inputs)
        states = self.loaded.encoder(**batch).last_hidden_state.float()
        is_text = batch["attention_mask"].unsqueeze(-1).bool()
        if self.pooling == "cls":
            pooled = states[:, 0]
        elif self.pooling == "max":
            pooled = states.masked_fill(~is_text, float("-inf")).amax(dim=1)
        else:
            pooled = states.masked_fill(~is_text, 0).sum(dim=1) / is_text.sum(dim=1)
        return self.numbers(torch.nn.functional.normalize(pooled, dim=1) if self.normalize else pooled)


def _read_layout(model: str | Path, commit: str | None, module: str) -> _Layout:
    """Read the model's pooling files; reject unsupported options."""

    def read(name: str) -> Any:
        return _read_json(model, commit, name, module)

    def refusal(problem: str) -> InputError:
        return InputError(
            f"{module}: the model {str(model)!r} {problem}; choose a model with a transformer, one pooling of "
            f"{', '.join(POOLING)} and optional normalization, such as {SENTENCE_MODEL}"
        )

    stages = read("modules.json")
    if stages is None:
        return _Layout()
    try:
        kinds = [stage["type"].rpartition(".")[2] for stage in stages]
        if kinds not in _STAGES:
            raise refusal(f"consists of {', '.join(kinds)} (modules.json)")
        pooling = read(f"{stages[1]['path']}/config.json") or {}
        legacy = [mode for key, mode in _LEGACY.items() if pooling.get(key)] or "mean"
        modes = pooling.get("pooling_mode", legacy)
        transformer = read("sentence_bert_config.json") or {}
        limit, is_lowered = transformer.get("max_seq_length"), transformer.get("do_lower_case")
        prompt = (read("config_sentence_transformers.json") or {}).get("default_prompt_name")
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise refusal(f"has sentence-transformers files in an unknown form ({error!r})") from error
    modes = [modes] if isinstance(modes, str) else modes
    if len(modes) != 1 or modes[0] not in POOLING:
        raise refusal(f"pools by {' and '.join(modes)}")
    if is_lowered:
        raise refusal("requires lower-case texts (do_lower_case in sentence_bert_config.json)")
    if prompt is not None:
        raise refusal(f"puts the prompt {prompt!r} before texts")
    if limit is not None:
        check_count(module, f"max_seq_length of {model}", limit)
    return _Layout(modes[0], "Normalize" in kinds, limit)


def _read_json(model: str | Path, commit: str | None, name: str, module: str) -> Any:
    """Return a JSON file of the model; None if it has none."""
    path = Path(model).expanduser() / name if commit is None else _fetch(str(model), name, commit, module)
    if path is None or not path.is_file():
        return None
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:  # includes UnicodeDecodeError
        raise InputError(
            f"{module}: {name} of the model {str(model)!r} is not valid JSON ({error}); download it again"
        ) from None


def _fetch(model: str, name: str, commit: str, module: str) -> Path | None:
    """Return a file of a Hub commit, from the cache if possible."""
    import huggingface_hub as hub

    held = hub.try_to_load_from_cache(model, name, revision=commit)
    if held is not None:
        return Path(held) if isinstance(held, str) else None
    transformers = require("transformers", extra="neural", purpose=f"run the model {model}")
    try:
        with quiet(transformers):
            return Path(hub.hf_hub_download(model, name, revision=commit))
    except Exception as error:  # errors of the Hub or the connection, or offline mode
        missing = hub.errors.EntryNotFoundError, hub.errors.LocalEntryNotFoundError
        if isinstance(error, missing[0]) and not isinstance(error, missing[1]):
            return None
        reason = masked(" ".join(str(error).split()))[:_LONGEST_REASON]
        raise InputError(
            f"{module}: cannot check the model {model!r} for its pooling file {name} ({reason}); connect to the Hub "
            "once, or name a folder with the model"
        ) from without_secrets(error)
