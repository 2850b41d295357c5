"""The base of the `evaluate` modules of the representation family: raw inputs are checked before they are stored.

`evaluate` looks at the first row only and turns numbers into strings while it stores them, so the checks of the
library come before. Only the scripts in ``metrics/`` import this file; the library needs neither `evaluate` nor
`datasets`.
"""

from __future__ import annotations

import contextlib
import inspect
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import datasets
import evaluate

from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.representation.distributions import DistributionScorer
from fairsum_utils.representation.matchers import Matcher
from fairsum_utils.representation.results import Options
from fairsum_utils.validation import check_columns, check_sample

__all__ = ["INPUTS", "SETTINGS", "RepresentationMetric"]

INPUTS = """
Args:
    predictions (list of str): one summary a sample. An empty one is data, see `empty`.
    sources (list of list of str): the source texts of each sample, at least one.
    values (list of list of str): the social attribute value of each source text, as long as `sources`."""
"""The input columns, for the description of a module."""

SETTINGS = """\
    target_distributions (list of dict, optional): for each sample, value -> share or whole count of the summary,
        instead of matching.
    matcher (str or callable): "ngram", or (joined texts of each value, summary) -> one weight a value.
        Default: "ngram".
    k (int): length of the n-grams that are matched. Default: 1, as in the paper.
    normalizer (str): "fairsumm", the published pipeline for English, or "simple". Default: "fairsumm".
    language (str): language of stop words and stemmer for "simple". Default: "english".
    target (str or dict): desired distribution: "ratio" as in the sources, "equal", or value -> share. Default: "ratio".
    empty (str): what to do with an empty summary: "skip" it and count it, score it as "uniform", or "error".
        Default: "skip".
    confidence_level (float, optional): of bootstrap intervals over samples, for example 0.95.
        Default: None, no interval.
    n_resamples (int): bootstrap replicates. Default: 1000.
    seed (int, optional): of the bootstrap; None draws a fresh one, which the signature tells. Default: 0.
    return_samples (bool): also return one record a sample, with the matched k-grams of each value. Default: False."""
"""The settings that all modules of the family share, for the description of a module."""

_COLUMNS = ("predictions", "sources", "values")
_SCORER = ("matcher", "k", "normalizer", "language", "target", "empty")
_OPTIONS = ("tau", "n_points", "confidence_level", "n_resamples", "seed")


class RepresentationMetric(evaluate.Metric, ABC):  # type: ignore[misc]
    """Checks, stores and hands over the columns ``predictions``, ``sources`` and ``values``.

    A module defines `_info`, by `describe_module`, and `_compute`, with every setting spelled out. Inputs may be lists,
    tuples, numpy arrays, pandas Series or columns of a data set, and are not changed. Whether they come in by
    `compute`, `add_batch`, `add` or any mix of them, the result is the same to the bit.

    After an error the instance can be used again: a batch that is refused leaves nothing behind, and samples that were
    added before a failing `compute` stay (with several processes they are dropped, because the others have moved on).
    """

    # Attributes of evaluate.EvaluationModule, which has no type hints.
    writer: Any
    buf_writer: Any
    data: Any
    selected_feature_format: Any
    cache_file_name: str | None
    file_paths: list[str] | None
    filelock: Any
    filelocks: list[Any] | None
    rendez_vous_lock: Any

    _handed_over: str | None = None
    """File that this process, not being the first, left for the first to read."""

    @abstractmethod
    def _compute(
        self,
        predictions: Sequence[str],
        sources: Sequence[Sequence[str]],
        values: Sequence[Sequence[str]],
        *,
        target_distributions: Sequence[Mapping[str, float]] | None = None,
        matcher: str | Matcher = "ngram",
        k: int = 1,
        normalizer: str = "fairsumm",
        language: str = "english",
        target: str | Mapping[str, float] = "ratio",
        empty: str = "skip",
        confidence_level: float | None = None,
        n_resamples: int = 1000,
        seed: int | None = 0,
        return_samples: bool = False,
    ) -> dict[str, Any]:
        """Score the stored columns; a module may add settings of its own."""

    def describe_module(self, description: str, citation: str, inputs_description: str) -> evaluate.MetricInfo:
        """What `evaluate` wants to know: the texts of a module and the schema of the family."""
        list_of = getattr(datasets, "List", datasets.Sequence)  # datasets before 4.0 has no List
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description=description,
            citation=citation,
            inputs_description=inputs_description,
            features=datasets.Features({"predictions": text, "sources": list_of(text), "values": list_of(text)}),
            reference_urls=["https://aclanthology.org/2024.naacl-long.187", "https://github.com/psunlpgroup/FairSumm"],
        )

    def add(self, *, prediction: Any = None, sources: Any = None, values: Any = None, **others: Any) -> None:
        """Add one sample.

        Args:
            prediction: the summary; `evaluate.combine` calls it ``predictions``, which works as well.
            sources: its source texts.
            values: the value of each source text.
            **others: refused by name.

        Raises:
            InputError: the sample is not as described; it is not added.
        """
        if prediction is None:
            prediction = others.pop("predictions", None)
        self._refuse(others)
        columns = self._checked([prediction], [sources], [values])
        super().add(**{name: column[0] for name, column in columns.items()})

    def add_batch(self, *, predictions: Any = None, sources: Any = None, values: Any = None, **others: Any) -> None:
        """Add samples.

        Args:
            predictions: one summary a sample.
            sources: the source texts of each sample.
            values: the value of each source text.
            **others: refused by name.

        Raises:
            InputError: a sample is not as described; none of the batch is added.
        """
        self._refuse(others)
        columns = self._checked(predictions, sources, values)
        if self.writer is not None:
            self.writer.write_examples_on_file()  # datasets before 5 would let the batch overtake single samples
        super().add_batch(**columns)

    def compute(
        self, *, predictions: Any = None, sources: Any = None, values: Any = None, **settings: Any
    ) -> dict[str, Any] | None:
        """Score the given samples together with those added before.

        Args:
            predictions: one summary a sample; leave out all three columns to score what was added.
            sources: the source texts of each sample.
            values: the value of each source text.
            **settings: of the module, by name.

        Returns:
            The result; None in a process other than the first.

        Raises:
            InputError: a setting or a sample is not as described, or there is no sample.
        """
        self._check_settings(settings)
        stored = len(self)
        if predictions is not None or sources is not None or values is not None:
            self.add_batch(predictions=predictions, sources=sources, values=values)
        elif not stored:
            raise InputError(
                f"{self.name}: no sample to score; give predictions, sources and values, or add some first"
            )
        if self.process_id > 0:
            self._handed_over = self.cache_file_name
        try:
            result: dict[str, Any] | None = super().compute(**settings)
        except BaseException:
            kept = {}
            if self.data is not None and self.num_process == 1:
                kept = {name: self.data[name][:stored] for name in _COLUMNS}
            self._discard()
            if kept and stored:
                super().add_batch(**kept)
            raise
        self.filelocks = self.file_paths = self.rendez_vous_lock = None  # released; a pickle could not hold them
        return result

    def _init_writer(self, timeout: float = 1) -> None:
        try:
            self._await_first_process()
            super()._init_writer(timeout)
        except BaseException:
            self._discard()
            raise

    def _await_first_process(self) -> None:
        """Between two rounds: until the first process has read what this one handed over.

        `evaluate` would go on at once, overwrite samples that are yet to be read, and take the lock of the old round
        for the sign that the new one has begun.
        """
        if self._handed_over is None:
            return
        locks = Path(self.data_dir) / f"{self.experiment_id}-{self.num_process}-"
        deadline = time.monotonic() + self.timeout
        while Path(self._handed_over).exists() or (
            _is_locked(f"{locks}0.arrow.lock") and not _is_locked(f"{locks}rdv.lock")
        ):
            if time.monotonic() > deadline:
                raise FairSumError(
                    f"{self.name}: process {self.process_id} waited {self.timeout} seconds for process 0 to read its "
                    "samples; call compute in every process, or load the module with a larger timeout"
                )
            time.sleep(0.02)
        self._handed_over = None

    def _checked(self, predictions: Any, sources: Any, values: Any) -> dict[str, list[Any]]:
        """The columns as lists of plain strings, once every row of each has been checked."""
        given = dict(zip(_COLUMNS, (predictions, sources, values), strict=True))
        check_columns(self.name, **given)
        columns = {name: list(column) for name, column in given.items()}
        check_columns(self.name, **columns)
        for index, sample in enumerate(zip(*columns.values(), strict=True), start=len(self)):
            check_sample(self.name, index, *sample)
            self._check_encoding(index, *sample)
        return {
            "predictions": _plain(columns["predictions"]),
            "sources": [_plain(texts) for texts in columns["sources"]],
            "values": [_plain(labels) for labels in columns["values"]],
        }

    def _check_encoding(self, index: int, prediction: str, sources: Iterable[str], values: Iterable[str]) -> None:
        try:
            "".join([prediction, *sources, *values]).encode()
        except UnicodeEncodeError as error:
            raise InputError(
                f"{self.name}: sample {index}: a text holds the lone surrogate {error.object[error.start]!a}, which "
                'cannot be stored as UTF-8; remove it, for example with .encode("utf-8", "replace").decode("utf-8")'
            ) from None

    def _check_settings(self, settings: Mapping[str, Any]) -> None:
        """Before stored samples are read: are all settings known and in range?"""
        parameters = inspect.signature(self._compute).parameters
        defaults = {name: known.default for name, known in parameters.items() if name not in _COLUMNS}
        self._refuse({name: setting for name, setting in settings.items() if name not in defaults}, (*defaults,))
        chosen = {**defaults, **settings}
        DistributionScorer(module=self.name, **{name: chosen[name] for name in _SCORER})
        Options(module=self.name, **{name: chosen[name] for name in _OPTIONS if name in chosen})

    def _refuse(self, unknown: Mapping[str, Any], settings: tuple[str, ...] = ()) -> None:
        """`evaluate.combine` passes ``references=None``; nothing else may come unasked."""
        for name, argument in unknown.items():
            if name in ("reference", "references"):
                if argument is None:
                    continue
                raise InputError(f"{self.name}: needs no references; give predictions, sources and values")
            known = f"the settings are {', '.join(settings)}" if settings else f"the inputs are {', '.join(_COLUMNS)}"
            raise InputError(f"{self.name}: unknown argument {name!r}; {known}")

    def _discard(self) -> None:
        """Drop all samples, close and delete their files, and let go of the locks."""
        if self.writer is not None:
            self.writer.close()
        files = [self.cache_file_name, *(self.file_paths or ())]
        locks = [self.filelock, self.rendez_vous_lock, *(self.filelocks or ())]
        self.writer = self.buf_writer = self.data = self.selected_feature_format = None
        self.cache_file_name = self.filelock = self.rendez_vous_lock = self.filelocks = self.file_paths = None
        for file in filter(None, files):
            with contextlib.suppress(OSError):
                Path(file).unlink(missing_ok=True)
        for lock in locks:
            if lock is not None:
                lock.release()


def _is_locked(file: str) -> bool:
    lock = evaluate.module.FileLock(file)
    try:
        lock.acquire(timeout=0)
    except TimeoutError:
        return True
    lock.release()
    return False


def _plain(texts: Iterable[str]) -> list[str]:
    """Exact strings: numpy's and other subclasses are of no use to Arrow."""
    return [str.__str__(text) for text in texts]
