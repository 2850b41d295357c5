"""Records of runs (inputs, settings, versions, time) and files of results."""

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
from functools import cache
from numbers import Integral, Real
from typing import Any, NamedTuple

from fairsum_utils._util.secrets import masked
from fairsum_utils._version import __version__
from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.measures import measure_names
from fairsum_utils.validation import as_float


@contextmanager
def whole_record(where: str) -> Iterator[None]:
    """Turn errors of a damaged record into one line starting with `where`."""
    try:
        yield
    except FairSumError:
        raise
    except (ArithmeticError, AttributeError, LookupError, RuntimeError, StopIteration, TypeError, ValueError) as error:
        raise InputError(
            f"{where} cannot be read as results ({type(error).__name__}: {error}); if it was changed by hand, give "
            "what fairsum score or fairsum compare wrote"
        ) from error


@dataclass(frozen=True)
class Run:
    """Record of a run.

    Attributes:
        asked: label -> measure and settings, see `describe_settings`.
        inputs: descriptions of the files, see `describe_input`; empty for data in memory.
        columns: columns that were scored.
        ids: ids of the samples, if records of them were requested and the data has ids.
        began: start, in seconds since the epoch.
        seconds: duration.
        read: the record in the file that the results were read from; None otherwise.
        data: column -> scored entries, not copied, only if records of the samples were requested. They are
            not saved to files or pickled.
    """

    asked: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    inputs: Sequence[Mapping[str, Any]] = ()
    columns: Sequence[str] = ()
    ids: Sequence[str] | None = None
    began: float = 0.0
    seconds: float = 0.0
    read: Mapping[str, Any] | None = None
    data: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "data": {}}

    def measure(self, label: str, result: Mapping[str, Any]) -> str:
        """Return the measure of a label."""
        names = (self.asked.get(label, self.settings().get(label, {})).get("measure"), *result, label)
        found = next((name for name in names if name in measure_names()), None)
        if found is None:
            raise InputError(f"{label!r} is no result of a measure, as fairsum_utils.score has it")
        return str(found)

    def described(self, n_rows: int | None) -> dict[str, Any]:
        """Return the record for a file; `n_rows` rows were scored in memory."""
        if self.read is not None:
            return dict(self.read)
        in_memory = {"path": None, "columns": list(self.columns), "rows": n_rows}
        return record(self.inputs or [in_memory], self.settings(), self.began, self.seconds)

    def settings(self) -> dict[str, dict[str, Any]]:
        """Return the measure and settings of each label, see `describe_settings`."""
        return dict(self.asked if self.read is None else self.read.get("settings", {}))


FORMAT_VERSION = 3
"""Version of the documents; newer ones are refused, and comparisons of earlier ones, which had other layouts."""

_DISTRIBUTION = "fairsum-utils"
_IMPORTED_AS = {"scikit-learn": "sklearn"}
"""Package -> name of its import, if different."""

_MANY = 100
"""Longer settings are recorded by their length only."""


class Clock(NamedTuple):
    """Start time of a run, and a monotonic clock."""

    began: float
    ticks: float

    @classmethod
    def start(cls) -> Clock:
        """Start a clock."""
        return cls(time.time(), time.perf_counter())

    def seconds(self) -> float:
        """Return the seconds since the start."""
        return time.perf_counter() - self.ticks


def record(
    inputs: Sequence[Mapping[str, Any]], settings: Mapping[str, Any], began: float, seconds: float
) -> dict[str, Any]:
    """Describe a run: inputs, settings, versions, start and duration.

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


def describe_input(path: str | os.PathLike[str], rows: int | None = None, *, known: bool = True) -> dict[str, Any]:
    """Describe an input file or folder by path, size, SHA-256 and rows.

    Args:
        path: name of the file.
        rows: number of its rows, if it was counted.
        known: False if it is not the file that was read; it has neither size nor SHA-256 then.

    Example:
        >>> describe_input("no-such-file.csv", rows=2)
        {'path': 'no-such-file.csv', 'bytes': None, 'sha256': None, 'rows': 2}
    """
    from fairsum_utils.io.downloads import identity_of
    from fairsum_utils.io.stores import filesystem, local_path

    size, digest = None, None
    with suppress(FairSumError, OSError):  # files from the start of the run may be gone at the end
        if known and local_path(path) is None:
            fs, place = filesystem(os.fspath(path))
            size = fs.info(place).get("size")
        elif known:
            found = identity_of(path)
            size, digest = found["size"], found["digest"]
    return {"path": masked(path), "bytes": size, "sha256": digest, "rows": rows}


def describe_settings(measure: str, given: Mapping[str, Any], used: Mapping[str, Any]) -> dict[str, Any]:
    """Describe a measure's settings: those given, and those in effect.

    Example:
        >>> describe_settings("bur", {"tau": 0.9}, {"tau": 0.9})["effective"]["tau"]
        0.9
    """
    from fairsum_utils.measures import get_measure

    taken = get_measure(measure).infos()
    effective = {name: plain(used.get(name, info.default)) for name, info in taken.items()}
    return {"measure": measure, "given": {name: plain(value) for name, value in given.items()}, "effective": effective}


def settings_of(measure: str, described: Mapping[str, Any] | None) -> Any:
    """Return a measure from settings as a record describes them; None if unknown.

    Example:
        >>> settings_of("bur", {"tau": 0.9}), settings_of("bur", {"matcher": "builtins.len"})
        (BUR(tau=0.9), None)
    """
    from fairsum_utils.measures import get_measure

    kind = get_measure(measure)
    given = {name: value for name, value in (described or {}).items() if name in kind.infos()}
    if not given or any(isinstance(value, str) and _ABBREVIATED.fullmatch(value) for value in given.values()):
        return None
    try:
        return kind.make(given, module="report")
    except (InputError, TypeError, ValueError):  # such as a function, of which only the name is saved
        return None


_ABBREVIATED = re.compile(r"\w+ of \d+ entries")
"""A setting that is too long for a record, see `plain`."""


def plain(value: Any) -> Any:
    """Turn a setting into JSON: other objects by type name, long lists by length.

    Example:
        >>> plain({"a": (1, 2)}), plain(len), plain(range(3))
        ({'a': [1, 2]}, 'builtins.len', 'builtins.range')
    """
    if isinstance(value, str):
        return masked(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Integral):  # includes NumPy's
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
    """Return the versions of this package, Python and loaded requirements.

    Example:
        >>> list(versions())[:2]
        ['fairsum-utils', 'python']
    """
    from platform import python_version

    loaded = [name for name in _required() if _IMPORTED_AS.get(name, name.replace("-", "_")) in sys.modules]
    return {_DISTRIBUTION: __version__, "python": python_version(), **{name: _version(name) for name in loaded}}


@cache
def _required() -> list[str]:
    """List the distributions that this one requires, with its extras."""
    from importlib import metadata

    try:
        requirements = metadata.requires(_DISTRIBUTION) or []
    except metadata.PackageNotFoundError:  # a checkout that is not installed
        requirements = ["numpy"]
    return sorted({re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in requirements}, key=str.lower)


@cache
def _version(distribution: str) -> str:
    from importlib import metadata

    return metadata.version(distribution)


def write_record(path: str | os.PathLike[str], document: Mapping[str, Any]) -> None:
    """Write a document as JSON, see `complete`, or no file at all."""
    from fairsum_utils.io.writing import check_output, replacing
    from fairsum_utils.reports.formats import to_json

    check_output(path, ".json")
    with replacing(path) as temporary:
        temporary.write_text(to_json(complete(document)) + "\n", encoding="utf-8")


def complete(document: Mapping[str, Any]) -> dict[str, Any]:
    """Add format version and places of numbers that are not finite.

    JSON has null for these numbers; ``nan``, ``inf`` and ``-inf`` list them as JSON pointers into ``metrics``.

    Example:
        >>> complete({"metrics": {"a": {"a": math.inf, "a_ci": [math.nan, math.inf]}}})["inf"]
        ['/a/a', '/a/a_ci/1']
    """
    whole = {"format_version": FORMAT_VERSION, **document}
    if "metrics" in document:
        found = {name: list(_places(document["metrics"], name)) for name in ("nan", "inf", "-inf")}
        whole |= {name: places for name, places in found.items() if places or name == "nan"}
    return whole


def _places(item: Any, name: str, place: str = "") -> Iterator[str]:
    """Yield the places of a number that is not finite, given as text."""
    if isinstance(item, float):
        if str(item) == name:
            yield place
        return
    parts: Iterable[tuple[Any, Any]] = ()
    if isinstance(item, Mapping):
        parts = item.items()
    elif isinstance(item, (list, tuple)):
        parts = enumerate(item)
    for key, part in parts:
        escaped = str(key).replace("~", "~0").replace("/", "~1")
        yield from _places(part, name, f"{place}/{escaped}")


def read_record(path: str | os.PathLike[str], module: str = "read_results") -> dict[str, Any]:
    """Read a JSON document of results, with NaN and infinite numbers restored."""
    from fairsum_utils.io.objects import parse_json
    from fairsum_utils.io.opening import Place, open_packed
    from fairsum_utils.io.stores import local_path

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
    for name in ("nan", "inf", "-inf"):
        _restore(document["metrics"], name, document.get(name, []), f"{module}: {path}")
    return document


def _restore(metrics: Mapping[str, Any], name: str, places: Any, where: str) -> None:
    """Put a number that is not finite in its places."""
    if not isinstance(places, list) or not all(isinstance(place, str) and "/" in place for place in places):
        raise InputError(f"{where}: {name!r} is no list of places in its metrics; it was changed by hand")
    for place in places:
        *way, last = (key.replace("~1", "/").replace("~0", "~") for key in place.split("/")[1:])
        item: Any = metrics
        try:
            for key in way:
                item = item[int(key) if isinstance(item, list) else key]
            item[int(last) if isinstance(item, list) else last] = float(name)
        except (KeyError, IndexError, ValueError, TypeError):
            raise InputError(f"{where}: there is no {place!r} in its metrics; it was changed by hand") from None
