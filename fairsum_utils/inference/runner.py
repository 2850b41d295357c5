"""Batched, cached model runs on distinct inputs."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from fairsum_utils._util.terminal import bar
from fairsum_utils.errors import FairSumError, InputError, require
from fairsum_utils.inference.batching import Batch, Encodings, Key, check_texts, encode, run_batches
from fairsum_utils.inference.cache import ResultCache, resolve_cache_folder
from fairsum_utils.inference.facts import ModelFacts, known_facts
from fairsum_utils.inference.models import LoadedModel, find_model, free, is_out_of_memory, load_model
from fairsum_utils.settings.models import InferenceSettings
from fairsum_utils.stats.arrays import Floats, Integers

Outputs = TypeVar("Outputs")

_WINDOW = 1 << 13
"""Inputs that are tokenized together; bounds memory."""

_WINDOW_AHEAD = 1 << 10
"""The same if windows are tokenized ahead of the device, which waits for the first one."""

_FORMAT = 1
"""Increase it if the same weights, settings and texts give other numbers than before."""

_BATCH_TOKENS = 1 << 16
_BATCH_TOKENS_THREAD, _BATCH_TOKENS_CPU = 512, 1024
"""On a CPU, larger batches gain nothing, exceed its caches and need more padding."""


class TruncationWarning(UserWarning):
    """Texts were longer than the model reads."""


class Outcome(NamedTuple):
    """Output of a model for inputs.

    Attributes:
        values: shape (n, width), float32 precision.
        cut: shape (n,), number of tokens of each input that the model did not read.
    """

    values: Floats
    cut: Integers


@dataclass
class RunnerCounts:
    """Counts of inputs, cache misses, cuts, forward passes and tokens."""

    inputs: int = 0
    distinct: int = 0
    computed: int = 0
    truncated: int = 0
    batches: int = 0
    tokens: int = 0
    padded_tokens: int = 0


class Runner(ABC):
    """Base class for running a model; subclasses choose outputs and tokenization.

    Results are the same for any order, batches and duplicates, up to floating point: probabilities in float32 to about
    1e-5.
    """

    task: ClassVar[str]  # name of the computation, part of the path in the cache
    kind: ClassVar[str]  # a key of `fairsum_utils.inference.models.KINDS`

    def __init__(
        self,
        model: str | Path,
        *,
        revision: str | None = None,
        settings: InferenceSettings | None = None,
        offline: str = "a lexical method",
    ) -> None:
        self.settings = settings or InferenceSettings()
        self.counts = RunnerCounts()
        self.found = find_model(model, revision=revision, module=self.settings.module, offline=offline)
        self._offline = offline
        self._loaded: LoadedModel | None = None
        self._budget = self.settings.batch_tokens
        # With the model on a CPU, no core is free, and tokenizing is a hundredth of the work.
        self._is_ahead: bool | None = None
        self._folder = resolve_cache_folder(self.settings.cache, module=self.settings.module)
        self._cache: ResultCache | None = None
        self._facts: ModelFacts | None = None
        self._facts = known_facts(self.found, self.kind, self.settings, self._folder, lambda: self.loaded)
        self.max_tokens = self.facts.max_tokens

    @property
    def loaded(self) -> LoadedModel:
        """Model, loaded for the first input without a cached result."""
        if self._loaded is None:
            loaded = load_model(self.kind, self.found, settings=self.settings, offline=self._offline)
            if self._facts not in (None, ModelFacts.of(loaded)):
                raise FairSumError(
                    f"{self.settings.module}: {loaded.name} runs in {loaded.dtype} here, but ran in {self.facts.dtype} "
                    "before; choose the device and dtype, or another cache folder"
                )
            self.prepare(loaded)
            self._loaded = loaded
        return self._loaded

    @property
    def facts(self) -> ModelFacts:
        """Facts of the model, known from an earlier run if there was one."""
        assert self._facts is not None  # after the initialization
        return self._facts

    def prepare(self, loaded: LoadedModel) -> None:  # noqa: B027 (most need nothing)
        """Change the tokenizer or the layers of a model that was just loaded."""

    @property
    def name(self) -> str:
        """Return the model, weights and precision for a signature."""
        return self.found.name + ("" if self.facts.dtype == "float32" else f" {self.facts.dtype}")

    def encode(self, keys: Sequence[Key]) -> Encodings:
        """Tokenize texts or pairs, truncated to the model's limit."""
        return encode(self.loaded.tokenizer, keys, self.max_tokens)

    @abstractmethod
    def forward(self, inputs: Sequence[dict[str, list[int]]]) -> npt.NDArray[np.float32]:
        """Run a batch; returns shape (b, width)."""

    def fingerprint(self) -> str:
        """Everything but the text that a result depends on."""
        return f"{self.task}|{self.found.name}|{self.facts.dtype}|max_tokens:{self.max_tokens}|format:{_FORMAT}"

    def run(self, keys: Sequence[Key]) -> Outcome:
        """Compute the model's output for each input, or look it up.

        Each distinct input is computed once and saved as soon as its batch is done, so that an interrupted run
        continues where it stopped.
        """
        positions: dict[Key, int] = {}
        places = np.array([positions.setdefault(key, len(positions)) for key in keys], dtype=np.int64)
        distinct = list(positions)
        check_texts(self.settings.module, distinct)
        payloads = self._look_up(distinct)
        self.counts.inputs += len(keys)
        self.counts.distinct += len(distinct)
        missing = [place for place in range(len(distinct)) if place not in payloads]
        # By length, so that windows, batches and processes get texts of similar length.
        missing.sort(key=lambda place: -sum(map(len, distinct[place])))
        payloads |= self._compute(distinct, missing)
        values, cut = _unpack([payloads[place] for place in range(len(distinct))])
        if cut.any():
            longest = int(np.argmax(cut))
            self._check_cut(distinct[longest], int(cut[longest]))
            self.counts.truncated += int(np.count_nonzero(cut))
            warnings.warn(
                f"{self.settings.module}: {np.count_nonzero(cut)} of {len(cut)} texts exceed the "
                f"{self.max_tokens} tokens that {self.found.name} reads and were cut, the longest by "
                f"{cut[longest]} tokens",
                TruncationWarning,
                stacklevel=2,
            )
        return Outcome(values[places], cut[places])

    def close(self) -> None:
        """Release the model and its device's memory."""
        if self._loaded is not None:
            self._loaded.unload()

    def pad(self, inputs: Sequence[dict[str, list[int]]]) -> dict[str, Any]:
        """Return a padded batch as tensors on the model's device.

        Padding is masked, so any token works if the model has no padding token.
        """
        torch = require("torch", extra="neural", purpose="run a model")
        tokenizer = self.loaded.tokenizer
        padding = {
            "input_ids": self.loaded.model.config.pad_token_id or 0,
            "token_type_ids": tokenizer.pad_token_type_id,
        }
        on_the_left = tokenizer.padding_side == "left"
        batch = {}
        for name in inputs[0]:
            rows = [entries[name] for entries in inputs]
            table = np.full((len(rows), max(map(len, rows))), padding.get(name, 0), dtype=np.int64)
            for place, row in enumerate(rows):
                start = table.shape[1] - len(row) if on_the_left else 0
                table[place, start : start + len(row)] = row
            batch[name] = torch.from_numpy(table).to(self.loaded.device)
        return batch

    def numbers(self, outputs: Any) -> npt.NDArray[np.float32]:
        """Return the outputs of a batch as an array."""
        values = outputs.cpu().numpy()
        if np.isnan(values).any():
            raise InputError(
                f"{self.settings.module}: {self.loaded.name} returns NaN in {self.loaded.dtype}: its numbers overflow "
                'or its weights are damaged; try dtype="float32" or another model'
            )
        return np.asarray(values, dtype=np.float32)

    def run_encoded(
        self, encodings: Encodings, forward: Callable[[list[dict[str, list[int]]]], Outputs], progress: Any = None
    ) -> Iterator[tuple[Batch, Outputs]]:
        """Yield batches of encodings and their outputs, counting the work."""
        torch = require("torch", extra="neural", purpose="run a model")
        lengths, running = encodings.lengths, np.empty(0, dtype=np.int64)
        if self._budget is None:
            self._budget = _batch_tokens(self.loaded.device)

        def run(batch: Batch) -> Outputs:
            nonlocal running
            running = batch
            with torch.inference_mode():
                return forward([encodings.inputs[place] for place in batch])

        def shrink() -> None:
            longest = lengths[running[0]]
            self._budget = longest * len(running) // 2
            free(self.loaded.device)
            warnings.warn(
                f"{self.settings.module}: {len(running)} texts of {longest} tokens do not fit in the memory of "
                f"{self.loaded.device} together; continuing with batch_tokens={self._budget}",
                RuntimeWarning,
                stacklevel=2,
            )

        try:
            for batch, outputs in run_batches(
                lengths, self._budget, run, is_out_of_memory=is_out_of_memory, release=shrink
            ):
                self.counts.batches += 1
                self.counts.computed += len(batch)
                self.counts.tokens += sum(lengths[place] for place in batch)
                self.counts.padded_tokens += lengths[batch[0]] * len(batch)
                yield batch, outputs
                if progress is not None:
                    progress.update(len(batch))
        except Exception as error:
            if not is_out_of_memory(error):
                raise
            what = f"text of {lengths[running[0]]} tokens"
            raise self.loaded.too_large(self.settings.module, what, "shorter chunks") from error

    def _look_up(self, keys: list[Key]) -> dict[int, bytes]:
        """Look up inputs in the cache, by place; processes share their finds."""
        if self._cache is None:
            self._cache = ResultCache(self._folder, self.fingerprint(), module=self.settings.module)
        held = enumerate(self._cache.get_many(keys))
        payloads = {place: payload for place, payload in held if payload is not None}
        if self.settings.distributed:
            for others in _accelerate().utils.gather_object([payloads]):
                payloads.update(others)
        return payloads

    def _compute(self, keys: list[Key], places: list[int]) -> dict[int, bytes]:
        """Compute some inputs; launched processes share the work."""
        if not places:
            return {}
        if not self.settings.distributed:
            return dict(self._compute_here(keys, places))
        state, computed, failure = _accelerate().PartialState(), {}, None
        mine = places[state.process_index :: state.num_processes]
        try:
            computed = dict(self._compute_here(keys, mine, is_shown=state.is_main_process))
        except Exception as error:  # otherwise the others would wait for this process forever
            failure = error
        shares = _accelerate().utils.gather_object([(computed, failure and f"{type(failure).__name__}: {failure}")])
        if failure is not None:
            raise failure
        for process, (share, reason) in enumerate(shares):
            if reason is not None:
                raise FairSumError(f"{self.settings.module}: process {process} of {len(shares)} failed: {reason}")
            computed.update(share)
        return computed

    def _compute_here(
        self, keys: list[Key], places: list[int], *, is_shown: bool = True
    ) -> Iterator[tuple[int, bytes]]:
        """Run inputs window by window, and cache the results of each batch."""
        if self._is_ahead is None:
            self._is_ahead = self.loaded.device.type != "cpu"
        size, mapped = (_WINDOW_AHEAD, map_ahead) if self._is_ahead else (_WINDOW, map)
        windows = [places[start : start + size] for start in range(0, len(places), size)]
        encoded = mapped(lambda window: self.encode([keys[place] for place in window]), windows)
        with bar(total=len(places), unit="inputs", title=self.task, hidden=not is_shown) as progress:
            for window, encodings in zip(windows, encoded, strict=True):
                yield from self._compute_window(keys, window, encodings, progress)

    def _compute_window(
        self, keys: list[Key], places: list[int], encodings: Encodings, progress: Any
    ) -> Iterator[tuple[int, bytes]]:
        longest = int(np.argmax(encodings.cut))
        self._check_cut(keys[places[longest]], encodings.cut[longest])  # before any computation
        assert self._cache is not None
        for batch, outputs in self.run_encoded(encodings, self.forward, progress):
            payloads = _pack(outputs, [encodings.cut[number] for number in batch])
            self._cache.put(zip((keys[places[number]] for number in batch), payloads, strict=True))
            yield from zip((places[number] for number in batch), payloads, strict=True)

    def _check_cut(self, key: Key, cut: int) -> None:
        if cut and self.settings.on_truncate == "error":
            raise InputError(
                f"{self.settings.module}: a text is {cut} tokens longer than the {self.max_tokens} that "
                f'{self.found.name} reads: {max(key, key=len)[:60]!r}; shorten it or set on_truncate="warn"'
            )


def _batch_tokens(device: Any) -> int:
    if device.type != "cpu":
        return _BATCH_TOKENS
    torch = require("torch", extra="neural", purpose="run a model")
    return max(_BATCH_TOKENS_CPU, _BATCH_TOKENS_THREAD * int(torch.get_num_threads()))


def _accelerate() -> Any:
    return require("accelerate", extra="neural", purpose="share work between processes")


def _pack(values: npt.NDArray[np.float32], cut: Sequence[int]) -> list[bytes]:
    """Return one payload per input: values, then the number of cut tokens."""
    counts = np.asarray(cut, dtype="<i4").view("<f4")
    return [row.tobytes() for row in np.column_stack([np.asarray(values, dtype="<f4"), counts])]


def _unpack(payloads: Sequence[bytes]) -> tuple[Floats, Integers]:
    if not payloads:
        return np.empty((0, 0)), np.empty(0, dtype=np.int64)
    rows = np.frombuffer(b"".join(payloads), dtype="<f4").reshape(len(payloads), -1)
    return rows[:, :-1].astype(np.float64), np.ascontiguousarray(rows[:, -1]).view("<i4").astype(np.int64)


Given = TypeVar("Given")
Made = TypeVar("Made")


def map_ahead(make: Callable[[Given], Made], things: Iterable[Given]) -> Iterator[Made]:
    """Like `map`, but make the next thing in a thread meanwhile.

    Example:
        >>> list(map_ahead(str.upper, ["a", "b", "c"]))
        ['A', 'B', 'C']
    """
    with ThreadPoolExecutor(1) as thread:
        waiting: Future[Made] | None = None
        for thing in things:
            last, waiting = waiting, thread.submit(make, thing)
            if last is not None:
                yield last.result()
        if waiting is not None:
            yield waiting.result()
