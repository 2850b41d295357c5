"""Base of the `evaluate` modules: checks raw inputs before storing them.

The library needs neither `evaluate` nor `datasets`. A script reaches the base as an attribute of this module, because
the loader of `evaluate` takes the first class of its kind that it meets in a script.

`evaluate` looks at the first row only and turns numbers into strings while it stores them, so the checks of the
library come before.
"""

from __future__ import annotations

import contextlib
import inspect
import json
import sys
import textwrap
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, get_args, get_origin, get_type_hints

import datasets
import evaluate

from fairsum_utils.api import compute
from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.families import Column, family_of
from fairsum_utils.families.asked import refuse_name
from fairsum_utils.families.inputs import check_given, describe_columns
from fairsum_utils.families.reading import drop_unlabelled
from fairsum_utils.measures import NAMESPACE, NAMESPACE_IS_OURS, get_measure
from fairsum_utils.session import Request, Session
from fairsum_utils.settings import describe_settings
from fairsum_utils.validation import as_label, check_columns, is_missing, unwrapped

_SPACES = f"https://huggingface.co/spaces/{NAMESPACE}"


def describe(measure: str, returns: str, examples: str) -> str:
    """Describe a module's inputs, settings, results and examples for `evaluate`.

    Args:
        measure: the module's name.
        returns: description of the result.
        examples: a doctest.

    Example:
        >>> print(describe("uer", "dict: `uer`.", ">>> 1 + 1\\n2").splitlines()[1])
        Args:
    """
    every = family_of(measure).returns.format(name=measure)
    parts = {
        "Args": f"{describe_columns(measure)}\n{describe_settings(get_measure(measure).infos().values())}",
        "Returns": textwrap.fill(f"{inspect.cleandoc(returns)} {every}", 116),
        "Examples": inspect.cleandoc(examples),
    }
    return "".join(f"\n{title}:\n{textwrap.indent(text, '    ')}\n" for title, text in parts.items())


class Metric(evaluate.Metric):  # type: ignore[misc]
    """A measure as an `evaluate` module: checks, stores and scores columns.

    A module declares its `measure`, `description` and `inputs`, see `describe`; the rest follows from the measure's
    family. Inputs may be lists, tuples, numpy arrays, pandas Series or columns of a data set, and are not changed. The
    result is bitwise the same for `compute`, `add_batch`, `add` or any mix of them.

    After an error the instance can be used again: a batch that is refused leaves nothing behind, and samples that were
    added before a failing `compute` stay (with several processes they are dropped, because the others have moved on).
    """

    measure: ClassVar[str]
    description: ClassVar[str]
    inputs: ClassVar[str]

    _stores: ClassVar[dict[str, _Store]]
    """Column -> how its entries are stored."""
    _entries: ClassVar[dict[str, str]]
    """What an entry is called -> its column."""
    _optional: ClassVar[tuple[str, ...]]
    """Columns that may be left out; their entries are None then."""
    _sparse: ClassVar[set[str]]
    """Columns whose entries may be None for some samples only, or groups, which are then refused or dropped."""
    _passed_over: ClassVar[set[str]]
    """Columns of the family's other measures; given, they are passed over, so that modules can be combined."""
    _settings: ClassVar[tuple[str, ...]]
    """What `compute` takes besides the columns."""

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

    def __init_subclass__(cls, **options: Any) -> None:
        """Show columns and settings in the signature of `_compute`."""
        super().__init_subclass__(**options)
        family = family_of(cls.measure)
        columns = family.columns_of(cls.measure)
        cls._stores = {column.name: _store(column) for column in columns}
        cls._entries = {column.entry: column.name for column in columns}
        every = cls._stores.keys()
        cls._optional = tuple(name for name in every if name not in get_measure(cls.measure).needed(every - {name}))
        groups = {column.name for column in columns if column.labels and not column.follows_texts}
        cls._sparse = groups | {column.name for column in columns if column.sparse}
        cls._passed_over = {column.name for column in family.columns} - every
        cls._settings = tuple(get_measure(cls.measure).infos())

        def _compute(self: Metric, **arguments: Any) -> dict[str, Any]:
            return self._hand_over(arguments)

        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters = [inspect.Parameter("self", kind)]
        parameters += [inspect.Parameter(name, kind, default=None) for name in every]
        settings = inspect.signature(get_measure(cls.measure)).parameters
        parameters += [settings[name] for name in cls._settings]
        _compute.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        cls._compute = _compute

    def _info(self) -> evaluate.MetricInfo:
        family = family_of(self.measure)
        return evaluate.MetricInfo(
            description=self.description,
            citation=family.citation,
            inputs_description=self.inputs,
            features=datasets.Features({name: store.feature for name, store in self._stores.items()}),
            homepage=f"{_SPACES}/{self.measure}" if NAMESPACE_IS_OURS else family.urls[0],
            license="Apache-2.0",
            reference_urls=list(family.urls),
        )

    def _feature_names(self) -> list[str]:
        """List the columns, without optional ones that a call of `evaluate.combine` leaves out.

        `evaluate.combine` takes every listed column from its own call, and would fail where an optional one is missing.
        """
        caller = sys._getframe(1).f_locals
        if not isinstance(caller.get("self"), evaluate.CombinedEvaluations):
            return list(self._stores)
        given = {self._entries.get(name, name) for name in caller["batch"]}
        return [name for name in self._stores if name in given or name not in self._optional]

    def _hand_over(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Score the stored columns; reject columns missing in some samples only."""
        given = dict(arguments)
        for name, store in self._stores.items():
            given[name] = list(map(store.decode, given[name]))
        for name in self._optional:
            without = [index for index, entry in enumerate(given[name]) if entry is None]
            if len(without) == len(given[name]):
                given[name] = None
            elif without and name not in self._sparse:
                raise InputError(
                    f"{self.name}: sample {without[0]} has no {name}, but other samples have; give {name} with every "
                    "sample or with none"
                )
        return compute(self.measure, **given)

    def add(self, **sample: Any) -> None:
        """Add one sample.

        Args:
            **sample: its entry of each column, by the name of the entry, such as ``prediction``, or of the column, as
                `evaluate.combine` has it.

        Raises:
            InputError: the sample is not as described; it is not added.
        """
        given: dict[str, Any] = {}
        for name, entry in sample.items():
            column = self._entries.get(name, name)
            given[column] = entry if given.get(column) is None else given[column]
        self._refuse({name: entry for name, entry in given.items() if name not in self._stores})
        entries = {name: given.get(name) for name in self._stores}
        needed = self._needed(entries)
        columns = self._checked(
            {name: None if entry is None and name not in needed else [entry] for name, entry in entries.items()}
        )
        super().add(**{name: column[0] for name, column in columns.items()})

    def add_batch(self, **columns: Any) -> None:
        """Add samples.

        Args:
            **columns: one entry a sample each, by name.

        Raises:
            InputError: a sample is not as described; none of the batch is added.
        """
        given = {name: columns.pop(name, None) for name in self._stores}
        self._refuse(columns)
        checked = self._checked(given)
        if self.writer is not None:
            self.writer.write_examples_on_file()  # datasets before 5 would let the batch overtake single samples
        super().add_batch(**checked)

    def compute(self, **settings: Any) -> dict[str, Any] | None:
        """Score the given samples together with those added before.

        Args:
            **settings: settings of the module by name, and the columns; omit all columns to score the added samples.

        Returns:
            The result; None in a process other than the first.

        Raises:
            InputError: a setting or a sample is not as described, or there is no sample.
        """
        columns = {name: settings.pop(name, None) for name in self._stores}
        settings = {name: setting for name, setting in settings.items() if name not in self._passed_over}
        self._refuse({name: setting for name, setting in settings.items() if name not in self._settings})
        given = {name: value for name, value in settings.items() if name in self._settings}
        Session([Request(get_measure(self.measure)(**given))], module=self.name).passes[0].scorer.close()
        stored = len(self)
        if any(column is not None for column in columns.values()):
            self.add_batch(**columns)
        elif not stored:
            raise InputError(
                f"{self.name}: there are no samples to score; give {self._named_columns()}, or add samples first"
            )
        if self.process_id > 0:
            self._handed_over = self.cache_file_name
        try:
            result: dict[str, Any] | None = super().compute(**settings)
        except BaseException:
            kept = {}
            if self.data is not None and self.num_process == 1:
                kept = {name: self.data[name][:stored] for name in self._stores}
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
        """Wait until the first process has read this process's last samples.

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

    def _enforce_nested_string_type(self, schema: Any, obj: Any) -> None:
        """Do nothing: columns were checked, and `evaluate` would reject omitted ones."""

    def _checked(self, columns: Mapping[str, Any]) -> dict[str, list[Any]]:
        """Return the columns in stored form, after checking every row."""
        family = family_of(self.measure)
        given = {name: column for name, column in columns.items() if column is not None}
        check_given(self.name, {name: [self.measure] for name in self._needed(given)}, given)
        check_columns(self.name, **given)
        given = {name: list(column) for name, column in given.items()}
        check_columns(self.name, **given)
        n = len(next(iter(given.values())))
        for index in range(n):
            # Missing labels are refused or dropped by a setting, which only `compute` knows.
            labelled = drop_unlabelled(family.columns, {name: column[index] for name, column in given.items()})
            if labelled is not None:
                family.check_sample(self.name, len(self) + index, labelled[0])
        return {
            name: self._stored(given[name], store) if name in given else [None] * n
            for name, store in self._stores.items()
        }

    def _needed(self, columns: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the columns that are needed beside those that are not None."""
        given = [name for name, column in columns.items() if column is not None]
        return get_measure(self.measure).needed(given)

    def _stored(self, column: Iterable[Any], store: _Store) -> list[Any]:
        """Convert a column to what Arrow stores; refuse what it cannot."""
        stored = []
        for index, entry in enumerate(column, start=len(self)):
            try:
                stored.append(None if is_missing(entry) else store.encode(entry))
            except UnicodeEncodeError as error:
                raise InputError(
                    f"{self.name}: sample {index}: a text contains the lone surrogate {error.object[error.start]!a}, "
                    'which cannot be stored as UTF-8; remove it, for example with .encode("utf-8", "replace")'
                    '.decode("utf-8")'
                ) from None
        return stored

    def _named_columns(self) -> str:
        *others, last = get_measure(self.measure).needs
        return f"{', '.join(others)} and {last}"

    def _refuse(self, unknown: Mapping[str, Any]) -> None:
        """`evaluate.combine` passes ``references=None``; nothing else may come unasked."""
        for name, argument in unknown.items():
            if name in self._passed_over:
                continue
            if name in ("reference", "references"):
                if argument is None:
                    continue
                raise InputError(
                    f"{self.name}: references are not used, only {self._named_columns()}; to combine it with metrics "
                    f"that need references, use fairsum_utils.combine([{self.name!r}, ...])"
                )
            raise refuse_name(self.name, name, {self.measure: get_measure(self.measure)()}, self._stores)

    def _discard(self) -> None:
        """Drop all samples, delete their files and release the locks."""
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


class _Store(NamedTuple):
    """Arrow type of a column, and conversions of its entries to it and back."""

    feature: Any
    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]


def _store(column: Column) -> _Store:
    """Choose how a column is stored: texts as texts, mappings and numbers as JSON."""
    kind = column.kind
    if get_origin(kind) is dict or _holds_numbers(kind):
        return _Store(
            datasets.Value("string"),
            lambda entry: json.dumps(_plain(entry)),
            lambda text: None if text is None else json.loads(text),
        )
    convert = _conversion(kind, _label if column.labels else _exact_text)
    return _Store(_feature(kind), convert, lambda entry: entry)


def _holds_numbers(kind: Any) -> bool:
    return kind in (int, float) or (get_origin(kind) is list and any(map(_holds_numbers, get_args(kind))))


def _plain(entry: Any) -> Any:
    """Convert arrays to lists, and keys to text."""
    if isinstance(entry, Mapping):
        return {as_label(key) or str(key): _plain(part) for key, part in entry.items()}
    if hasattr(entry, "tolist"):
        entry = entry.tolist()
    return list(map(_plain, entry)) if isinstance(entry, (list, tuple)) else entry


def _feature(kind: Any) -> Any:
    """Return the `datasets` type of a column of texts."""
    if hasattr(kind, "__annotations__"):
        return {name: _feature(part) for name, part in get_type_hints(kind).items()}
    if get_origin(kind) is list:
        list_of = getattr(datasets, "List", datasets.Sequence)  # datasets before 4.0 has no List
        [part] = get_args(kind)
        return [_feature(part)] if hasattr(part, "__annotations__") else list_of(_feature(part))
    plain = next((part for part in get_args(kind) if part is not type(None)), kind)
    return datasets.Value("bool" if plain is bool else "string")


def _conversion(kind: Any, text: Callable[[Any], str | None]) -> Callable[[Any], Any]:
    """Return a converter of entries for Arrow; it may raise UnicodeEncodeError."""
    if hasattr(kind, "__annotations__"):
        parts = {name: _conversion(part, text) for name, part in get_type_hints(kind).items()}
        return lambda entry: _unless_missing(
            entry, lambda given: {name: convert(given.get(name)) for name, convert in parts.items()}
        )
    if get_origin(kind) is list:
        convert = _conversion(get_args(kind)[0], text)
        return lambda entry: _unless_missing(
            entry, lambda given: list(map(convert, [given] if isinstance(given, str) else unwrapped(given)))
        )
    if bool in (kind, *get_args(kind)):
        return lambda entry: _unless_missing(entry, bool)
    return text


def _label(entry: Any) -> str | None:
    return _exact_text(as_label(entry))


def _unless_missing(entry: Any, convert: Callable[[Any], Any]) -> Any:
    return None if is_missing(entry) else convert(entry)


def _exact_text(entry: Any) -> str | None:
    """Convert to plain str; Arrow rejects subclasses and lone surrogates."""
    if type(entry) is str:
        text = entry
    elif is_missing(entry):
        return None
    else:
        text = str.__str__(entry) if isinstance(entry, str) else as_label(entry) or str(entry)
    if not text.isascii():
        text.encode()
    return text
