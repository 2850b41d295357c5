"""How results came about."""

from __future__ import annotations

import math
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from numbers import Integral, Real
from typing import Any, NamedTuple

from fairsum_utils._util.secrets import masked
from fairsum_utils._version import __version__
from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.measures import measure_names
from fairsum_utils.validation import as_float


@contextmanager
def whole_record(where: str) -> Iterator[None]:
    """Say in one line of a record of results that it is none, whatever somebody has made of it.

    Args:
        where: opens the message.

    Raises:
        InputError: in place of what a record raises that lacks something, or holds something else.
    """
    try:
        yield
    except FairSumError:
        raise
    except (ArithmeticError, AttributeError, LookupError, RuntimeError, StopIteration, TypeError, ValueError) as error:
        raise InputError(
            f"{where} cannot be read as results ({type(error).__name__}: {error}); if it was changed by hand, give "
            "what fairsum score or fairsum compare wrote"
        ) from error


class RequestRecord(NamedTuple):
    """What was asked for under a label.

    Attributes:
        measure: its name.
        given: setting -> value, see `fairsum_utils.results.record.plain`.
        used: the same with what the caller added to it.
    """

    measure: str
    given: Mapping[str, Any]
    used: Mapping[str, Any]


@dataclass(frozen=True)
class Run:
    """How results came about.

    Attributes:
        asked: label -> what was asked for under it.
        inputs: see `fairsum_utils.results.record.describe_input`; empty for what was in memory.
        columns: that were scored.
        began: seconds since the epoch.
        seconds: that it took.
        read: all of this as a file has it, where the results were read from one.
        data: column -> its entries, that were scored: no copies, and only where records of the samples were asked for.
            It is in no file, and gets lost when results are pickled.
    """

    asked: Mapping[str, RequestRecord] = field(default_factory=dict)
    inputs: Sequence[Mapping[str, Any]] = ()
    columns: Sequence[str] = ()
    began: float = 0.0
    seconds: float = 0.0
    read: Mapping[str, Any] | None = None
    data: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "data": {}}

    def measure(self, label: str, result: Mapping[str, Any]) -> str:
        """The measure that a label stands for.

        Raises:
            InputError: it is that of no measure.
        """
        read = self.read.get("settings", {}).get(label, {}).get("measure") if self.read else None
        names = (self.asked[label].measure if label in self.asked else read, *result, label)
        found = next((name for name in names if name in measure_names()), None)
        if found is None:
            raise InputError(f"{label!r} is no result of a measure, as fairsum_utils.score has it")
        return str(found)

    def described(self, n_rows: int | None) -> dict[str, Any]:
        """As a file has it.

        Args:
            n_rows: that were scored in memory.
        """
        from fairsum_utils.results.record import describe_settings, record

        if self.read is not None:
            return dict(self.read)
        in_memory = {"path": None, "columns": list(self.columns), "rows": n_rows}
        settings = {label: describe_settings(*asked) for label, asked in self.asked.items()}
        return record(self.inputs or [in_memory], settings, self.began, self.seconds)


FORMAT_VERSION = 1
"""Of the documents; a reader refuses a newer one."""

_DISTRIBUTION = "fairsum-utils"
_IMPORTED_AS = {"scikit-learn": "sklearn"}
"""Package -> what it is imported as, where that is another name."""

_MANY = 100
"""Entries from which on a setting is told by its length."""


class Clock(NamedTuple):
    """When something began.

    Attributes:
        began: seconds since the epoch.
        ticks: of a clock that nobody sets.
    """

    began: float
    ticks: float

    @classmethod
    def start(cls) -> Clock:
        """A clock that begins now."""
        return cls(time.time(), time.perf_counter())

    def seconds(self) -> float:
        """Since it began."""
        return time.perf_counter() - self.ticks


def record(
    inputs: Sequence[Mapping[str, Any]], settings: Mapping[str, Any], began: float, seconds: float
) -> dict[str, Any]:
    """What is said of a run besides its results, which hold signatures and warnings themselves.

    Args:
        inputs: see `describe_input`.
        settings: see `describe_settings`.
        began: seconds since the epoch.
        seconds: that it took.

    Example:
        >>> record([], {}, 0.0, 1.5)["started"]
        '1970-01-01T00:00:00Z'
    """
    return {
        "inputs": list(inputs),
        "settings": dict(settings),
        "versions": versions(),
        "started": datetime.fromtimestamp(began, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "seconds": round(seconds, 3),
    }


def describe_input(path: str | os.PathLike[str], rows: int | None = None) -> dict[str, Any]:
    """What tells an input from another: its path, size and SHA-256; of a folder, those of all its files.

    At an address it is not read again for its SHA-256.

    Args:
        path: of a file or a folder; of anything else the name is all there is to tell.
        rows: that were read from it.

    Example:
        >>> describe_input("-")
        {'path': '-', 'bytes': None, 'sha256': None, 'rows': None}
    """
    from hashlib import sha256

    from fairsum_utils.io.downloads import sha256_of
    from fairsum_utils.io.stores import local_path, size_at

    size: int | None = None
    digest: str | None = None
    place = local_path(path)
    if place is None:
        with suppress(FairSumError):  # what was read at the beginning need not be there at the end
            size = size_at(os.fspath(path))
    elif place.is_file():
        size, digest = place.stat().st_size, sha256_of(place)
    elif place.is_dir():
        files = sorted(file for file in place.rglob("*") if file.is_file())
        size = sum(file.stat().st_size for file in files)
        lines = (f"{sha256_of(file)}  {file.relative_to(place).as_posix()}\n" for file in files)
        digest = sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()
    return {"path": masked(path), "bytes": size, "sha256": digest, "rows": rows}


def describe_settings(measure: str, given: Mapping[str, Any], used: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a measure: those that were given, and all that took effect.

    Args:
        measure: its name.
        given: setting -> value.
        used: the same with what the caller added to it; the rest have their defaults.

    Example:
        >>> describe_settings("bur", {"tau": 0.9}, {"tau": 0.9})["effective"]["tau"]
        0.9
    """
    from fairsum_utils.families import family_of

    taken = family_of(measure).taken(measure)
    effective = {name: plain(used.get(name, info.default)) for name, info in taken.items()}
    return {"measure": measure, "given": {name: plain(value) for name, value in given.items()}, "effective": effective}


def plain(value: Any) -> Any:
    """A setting as JSON has it: what is no text, number, list or mapping is told by its kind, a long one by its length.

    Example:
        >>> plain({"a": (1, 2)}), plain(len), plain(range(3))
        ({'a': [1, 2]}, 'builtins.len', 'builtins.range')
    """
    if isinstance(value, str):
        return masked(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Integral):  # also NumPy's
        return int(value)
    if isinstance(value, Real):
        number = as_float(value)
        return number if math.isfinite(number) else str(number)
    if isinstance(value, os.PathLike):
        return masked(os.fspath(value))
    if isinstance(value, (Mapping, list, tuple, set, frozenset)):
        if len(value) > _MANY:
            return f"{type(value).__name__} of {len(value)} entries"
        if isinstance(value, Mapping):
            return {str(key): plain(part) for key, part in value.items()}
        return [plain(part) for part in (sorted(value, key=repr) if isinstance(value, (set, frozenset)) else value)]
    kind = value if isinstance(value, type) or (callable(value) and hasattr(value, "__qualname__")) else type(value)
    return f"{kind.__module__}.{kind.__qualname__}"


def versions() -> dict[str, str]:
    """Versions of this package, of Python, and of those packages it can use that are loaded.

    Example:
        >>> list(versions())[:2]
        ['fairsum-utils', 'python']
    """
    from importlib import metadata
    from platform import python_version

    found = {_DISTRIBUTION: __version__, "python": python_version()}
    try:
        requirements = metadata.requires(_DISTRIBUTION) or []
    except metadata.PackageNotFoundError:  # a checkout that is not installed
        requirements = ["numpy"]
    names = {re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in requirements}
    for name in sorted(names, key=str.lower):
        if _IMPORTED_AS.get(name, name.replace("-", "_")) in sys.modules:
            found[name] = metadata.version(name)
    return found


def write_record(path: str | os.PathLike[str], document: Mapping[str, Any]) -> None:
    """Write a document as JSON; it appears under its name when it is complete.

    NaN is null. The places of all that are stand under ``nan``, as JSON pointers into ``metrics``, so that a reader can
    tell them from what is really null.

    Args:
        path: ends in ``.json``.
        document: results under ``metrics``, and what is to be told besides.

    Raises:
        InputError: the file cannot be written.
    """
    from fairsum_utils.io.writing import check_output, replacing
    from fairsum_utils.reports.formats import to_json

    check_output(path, ".json")
    whole = {"format_version": FORMAT_VERSION, **document}
    if "metrics" in document:
        whole["nan"] = list(_places_of_nan(document["metrics"]))
    with replacing(path) as temporary:
        temporary.write_text(to_json(whole) + "\n", encoding="utf-8")


def _places_of_nan(item: Any, place: str = "") -> Iterator[str]:
    if isinstance(item, float):
        if math.isnan(item):
            yield place
        return
    parts: Iterable[tuple[Any, Any]] = ()
    if isinstance(item, Mapping):
        parts = item.items()
    elif isinstance(item, (list, tuple)):
        parts = enumerate(item)
    for key, part in parts:
        yield from _places_of_nan(part, f"{place}/{_escape(str(key))}")


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def read_record(path: str | os.PathLike[str], module: str = "read_results") -> dict[str, Any]:
    """Read what `write_record` has written, or what ``fairsum score --format json`` prints.

    Args:
        path: of the file.
        module: name used in messages.

    Returns:
        The document, in whose ``metrics`` NaN is NaN again.

    Raises:
        InputError: the file is not there or is something else, or a newer version has written it.
    """
    from fairsum_utils.io.opening import Place, open_packed
    from fairsum_utils.io.stores import local_path
    from fairsum_utils.io.tables import parse_json

    place = local_path(path)
    if place is not None and place.is_dir():
        raise InputError(f"{module}: {path} is a folder; name the file that `fairsum score --output` wrote")
    if place is not None and not place.exists():
        raise InputError(f"{module}: there is no file {path}; `fairsum score ... --output {path}` writes it")
    with open_packed(Place(os.fspath(path))) as file:
        content = file.read()
    try:
        document = parse_json(content.decode())
    except ValueError as error:
        raise InputError(f"{module}: {path} is not JSON ({error}); give what `fairsum score --output` wrote") from None
    if not isinstance(document, dict) or not isinstance(document.get("metrics"), dict):
        raise InputError(f"{module}: {path} has no metrics; give what `fairsum score --output` wrote")
    version = document.get("format_version", FORMAT_VERSION)
    if not isinstance(version, int) or version > FORMAT_VERSION:
        raise InputError(
            f"{module}: {path} is of format {version!r}, and this version of fairsum-utils reads {FORMAT_VERSION}; "
            "upgrade it"
        )
    metrics = document["metrics"]
    places = document.get("nan", _likely_nan(metrics))
    if not isinstance(places, list) or not all(isinstance(place, str) and "/" in place for place in places):
        raise InputError(f"{module}: {path}: 'nan' is no list of places in its metrics; it was changed by hand")
    for place in places:
        *way, last = (key.replace("~1", "/").replace("~0", "~") for key in place.split("/")[1:])
        item: Any = metrics
        try:
            for key in way:
                item = item[int(key) if isinstance(item, list) else key]
            item[int(last) if isinstance(item, list) else last] = math.nan
        except (KeyError, IndexError, ValueError, TypeError):
            raise InputError(
                f"{module}: {path}: there is no {place!r} in its metrics; it was changed by hand"
            ) from None
    return document


def _likely_nan(metrics: Mapping[str, Any]) -> list[str]:
    """Where a document that does not say it has NaN for sure: scores, differences and ends of intervals."""
    places = []
    for label, result in metrics.items():
        for key, entry in result.items() if isinstance(result, dict) else ():
            place = f"/{_escape(label)}/{_escape(key)}"
            if entry is None and key in (label, "a", "b", "difference", "p_value"):
                places.append(place)
            elif isinstance(entry, list) and key.endswith(("_ci", "_ci_within")):
                places += [f"{place}/{end}" for end, number in enumerate(entry) if number is None]
    return places
