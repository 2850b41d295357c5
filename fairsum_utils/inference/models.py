"""Model loading from the Hub or a folder, with verifiable names."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fairsum_utils._util.secrets import masked, without_secrets
from fairsum_utils._util.terminal import is_quiet
from fairsum_utils.errors import InputError, require
from fairsum_utils.io.downloads import digest_files
from fairsum_utils.io.stores import as_path, check_hub, is_folder
from fairsum_utils.settings.models import InferenceSettings
from fairsum_utils.validation import check_choice, describe

KINDS = {
    "classifier": "AutoModelForSequenceClassification",
    "encoder": "AutoModel",
    "seq2seq": "AutoModelForSeq2SeqLM",
    "causal": "AutoModelForCausalLM",
}
"""Use of a model -> class of transformers that loads it."""

_MODEL_FILES = {".json", ".safetensors", ".bin", ".txt", ".model", ".spm"}
"""Files of a folder that can change an output."""

_UNLIMITED = 1_000_000
"""Tokenizers report about 1e30 if they know no limit."""

_PATIENCE = 10
"""Seconds to wait for the Hub before local copies are used."""

_LONGEST_REASON = 300

_CODE = "trust_remote_code"


@dataclass(frozen=True)
class LoadedModel:
    """A model that is ready to run.

    Attributes:
        name: id or folder name and revision or hash of the weights, such as ``"roberta-large-mnli@2a8f12d2"``.
        tokenizer: tokenizer of transformers.
        model: model of transformers, in evaluation mode on its device.
        device: device, a ``torch.device``.
        dtype: precision of its weights, ``"float32"``, ``"bfloat16"`` or ``"float16"``.
        max_tokens: maximum length of an input, including special tokens; None if there is no limit.
        commit: commit on the Hub that was loaded; None for a folder.
    """

    name: str
    tokenizer: Any
    model: Any
    device: Any
    dtype: str
    max_tokens: int | None
    commit: str | None = None

    @property
    def encoder(self) -> Any:
        """Return the encoder of an encoder-decoder model, else the model."""
        return self.model.get_encoder() if self.model.config.is_encoder_decoder else self.model

    def too_large(self, module: str, what: str, shorter: str) -> InputError:
        """Return the error for a single input that does not fit."""
        return InputError(
            f"{module}: {self.name} leaves too little memory on {self.device} for one {what}; free memory, or choose "
            f'a smaller model, {shorter} or dtype="bfloat16"'
        )

    def unload(self) -> None:
        """Release the weights, even if other code still refers to the model."""
        self.model.to("meta")
        _give_back(self.device)


@dataclass(frozen=True)
class FoundModel:
    """A model of which the weights are known, but not loaded.

    Attributes:
        name: see `LoadedModel`.
        place: id on the Hub, or folder.
        commit: see `LoadedModel`.
        options: options of ``from_pretrained`` that pin its files.
        refusal: reason -> error for an unusable model.
    """

    name: str
    place: str
    commit: str | None
    options: Mapping[str, Any]
    refusal: Callable[[str], InputError]

    def refused(self, error: Exception) -> InputError:
        """Return the error for a model whose files raise one."""
        reason = masked(" ".join(f"{type(error).__name__}: {error}".split()))[:_LONGEST_REASON]
        return self.refusal("it contains its own code, which fairsum does not run" if _CODE in str(error) else reason)


def find_model(model: str | Path, *, revision: str | None = None, module: str, offline: str) -> FoundModel:
    """Find the weights of a model, without loading them or PyTorch.

    The Hub is asked once, for the commit. If it does not answer, the local copy is taken.
    """
    if not isinstance(model, (str, Path)) or not str(model):
        raise InputError(f"{module}: model must be a model id or a folder, found {describe(model)}")
    for package in ("torch", "transformers"):
        if find_spec(package) is None:
            require(package, extra="neural", purpose=f"run the model {model}")
    refusal = partial(_refusal, f"{module}: the model {str(model)!r}", revision, offline)
    is_local = is_folder(model)
    folder = as_path(model, module, expands=True) if is_local else Path(model)
    if is_local and revision is not None:
        raise refusal("a folder has no revisions; omit revision")
    if not is_local and _looks_like_folder(model):
        raise refusal("the folder does not exist")
    if is_local:
        return FoundModel(_folder_name(folder), str(folder), None, {"local_files_only": True}, refusal)
    check_hub(module)
    found = FoundModel("", str(model), None, {}, refusal)
    try:
        options = _pinned(found.place, revision)
    except Exception as error:  # errors of the Hub or the connection
        raise found.refused(error) from without_secrets(error)
    commit = options["revision"]
    return replace(found, name=f"{found.place}@{commit[:12]}", commit=commit, options=options)


def load_model(
    kind: str,
    model: str | Path | FoundModel,
    *,
    revision: str | None = None,
    settings: InferenceSettings,
    offline: str,
) -> LoadedModel:
    """Load a model, see `find_model`, and its tokenizer.

    Files of its commit in the local cache are not downloaded again. Code in a model repository is never run. Attention
    is PyTorch's fused version (SDPA), if the architecture has it.
    """
    module = settings.module
    check_choice(module, "kind", kind, tuple(KINDS))
    found = model
    if not isinstance(found, FoundModel):
        found = find_model(found, revision=revision, module=module, offline=offline)
    torch = require("torch", extra="neural", purpose=f"run the model {found.place}")
    transformers = require("transformers", extra="neural", purpose=f"run the model {found.place}")
    device = _device(torch, settings, offline)
    dtype = _dtype(torch, device, settings.dtype)
    try:
        with quiet(transformers):
            options = {**found.options, _CODE: False}
            tokenizer = _read_tokenizer(transformers, found.place, options)
            # PyTorch's old format is a pickle: only tensors are loaded from it
            options |= {_dtype_option(transformers): getattr(torch, dtype), "weights_only": True}
            network, random = _read_network(transformers, kind, found.place, options)
            network = network.to(device).eval()
    except Exception as error:  # damaged files raise errors of any type; the cause stays attached
        raise found.refused(error) from without_secrets(error)
    if random:
        more = f" and {len(random) - 3} more" if len(random) > 3 else ""
        raise found.refusal(
            f"it cannot be used as {KINDS[kind]}: its files have no weights for {', '.join(random[:3])}{more}, which "
            "would be random"
        )
    return LoadedModel(
        name=found.name,
        tokenizer=tokenizer,
        model=network,
        device=device,
        dtype=dtype,
        max_tokens=model_limit(tokenizer, network),
        commit=found.commit,
    )


def _refusal(where: str, revision: str | None, offline: str, reason: str) -> InputError:
    """Return the error for an unusable model, with alternatives."""
    at = f" at revision {revision!r}" if revision else ""
    return InputError(
        f"{where}{at} cannot be used ({reason}). Name a folder with the model, or a model id on the Hub that you can "
        f"access (for gated models: hf auth login). Without a model use {offline}"
    )


def _looks_like_folder(model: str | Path) -> bool:
    return isinstance(model, Path) or model.startswith((".", "~", "/")) or model.count("/") > 1


def model_limit(tokenizer: Any, network: Any) -> int | None:
    """Return the longest input with special tokens; None if unlimited."""
    limits = []
    if tokenizer.model_max_length < _UNLIMITED:
        limits.append(int(tokenizer.model_max_length))
    positions = getattr(network.config, "max_position_embeddings", None)
    if positions is not None and positions > 0:
        limits.append(int(positions) - _first_position(network))
    return min(limits, default=None)


def is_out_of_memory(error: Exception) -> bool:
    """Return whether an error means out of memory."""
    memory = require("accelerate.utils.memory", extra="neural", purpose="run a model")
    torch = require("torch", extra="neural", purpose="run a model")
    return isinstance(error, (MemoryError, torch.OutOfMemoryError)) or bool(memory.should_reduce_batch_size(error))


def free(device: Any) -> None:
    """Free the unused memory of a ``torch.device``."""
    gc.collect()
    _give_back(device)


def _give_back(device: Any) -> None:
    if device.type == "cuda":
        require("torch", extra="neural", purpose="run a model").cuda.empty_cache()


def _first_position(network: Any) -> int:
    """Return the first position; RoBERTa models reserve positions for padding."""
    for name, part in network.named_modules():
        if name.endswith("position_embeddings") and getattr(part, "padding_idx", None) is not None:
            return int(part.padding_idx) + 1
    return 0


def _pinned(model: str, revision: str | None) -> dict[str, Any]:
    """Return options that pin the current commit, or the local one offline."""
    import huggingface_hub as hub

    try:
        # transformers itself requests one file after another and, without a network, retries for a minute.
        return {"revision": hub.HfApi().model_info(model, revision=revision, timeout=_PATIENCE).sha}
    except Exception as error:  # errors of the Hub or the connection, or offline mode
        held = hub.try_to_load_from_cache(model, "config.json", revision=revision)
        if not isinstance(held, str):
            raise OSError(f"there is no local copy; {error}") from error
        return {"revision": Path(held).parent.name, "local_files_only": True}


def _read_tokenizer(transformers: Any, place: str, options: dict[str, Any]) -> Any:
    tokenizer = transformers.AutoTokenizer.from_pretrained(place, **options)
    if len(tokenizer) <= len(set(tokenizer.all_special_ids)):  # invented by transformers if there is no file
        raise OSError("it has no tokenizer, or one without a vocabulary")
    return tokenizer


def _dtype_option(transformers: Any) -> str:
    """Name of the precision in ``from_pretrained``, which depends on the release."""
    major, minor = map(int, transformers.__version__.split(".")[:2])
    return "dtype" if (major, minor) >= (4, 56) else "torch_dtype"


def _read_network(transformers: Any, kind: str, place: str, options: dict[str, Any]) -> tuple[Any, list[str]]:
    """Return the model and the names of its randomly initialized weights."""
    network, report = getattr(transformers, KINDS[kind]).from_pretrained(
        place, output_loading_info=True, ignore_mismatched_sizes=True, **options
    )
    random = {*report["missing_keys"], *(mismatch[0] for mismatch in report["mismatched_keys"])}
    # Embeddings of tokens do not need the pooler, which many checkpoints lack; transformers 4 may prefix it with the
    # name of the architecture.
    poolers = ("pooler.", f"{network.base_model_prefix}.pooler.")
    return network, sorted(name for name in random if kind != "encoder" or not name.startswith(poolers))


@contextmanager
def quiet(transformers: Any) -> Iterator[None]:
    """Hide logs and bars of transformers while it loads."""
    import huggingface_hub as hub

    loggers = (transformers.utils.logging, hub.utils.logging)
    levels = [logger.get_verbosity() for logger in loggers]
    bars, downloads = transformers.utils.logging.is_progress_bar_enabled(), not hub.utils.are_progress_bars_disabled()
    chosen = hub.constants.HF_HUB_DISABLE_PROGRESS_BARS is not None  # by the environment, which takes precedence
    hide = bars and not chosen and (is_quiet() or not sys.stderr.isatty())
    for logger in loggers:
        logger.set_verbosity_error()
    if hide:
        transformers.utils.logging.disable_progress_bar()
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.set_verbosity(level)
        if hide:
            transformers.utils.logging.enable_progress_bar()
            if not downloads:
                hub.utils.disable_progress_bars()


def _device(torch: Any, settings: InferenceSettings, offline: str) -> Any:
    if settings.device is None or settings.distributed:
        accelerate = require("accelerate", extra="neural", purpose="choose a device")
        # Processes that only use CPUs are connected on request.
        state = accelerate.PartialState(cpu=settings.device == "cpu" or not torch.accelerator.is_available())
        if settings.device is None:
            return state.device
    try:
        device = torch.device(settings.device)
        torch.zeros(1, device=device).cpu()  # a device may exist only by name
    except Exception as error:  # whatever the backend
        reason = str(error).splitlines()[0]
        raise InputError(
            f"{settings.module}: device {settings.device!r} cannot be used ({reason}). Choose another, such as "
            f'"cpu", or omit device. Without a model use {offline}'
        ) from error
    return device


def _dtype(torch: Any, device: Any, dtype: str) -> str:
    if dtype != "auto":
        return dtype
    if device.type == "cpu":
        return "float32"
    is_fast = device.type == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False)
    return "bfloat16" if is_fast else "float16"


def _folder_name(folder: Path) -> str:
    """Return a name for a folder by its content."""
    files = sorted(path for path in folder.iterdir() if path.suffix in _MODEL_FILES)
    return f"{folder.resolve().name}@{digest_files(files)[:12]}"
