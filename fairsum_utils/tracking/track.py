"""Results in an experiment tracker: one call for every tracker."""

from __future__ import annotations

import contextlib
import heapq
import importlib
import math
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fairsum_utils._util.secrets import masked, without_secrets
from fairsum_utils._version import __version__
from fairsum_utils.errors import FairSumError, InputError, MissingDependencyError, require
from fairsum_utils.families import family_of
from fairsum_utils.families.settings import unknown_setting
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.tables import Cell, Table
from fairsum_utils.tracking.trackers import TRACKERS, Contents, Tracker
from fairsum_utils.validation import check_count, describe

_MODULE = "track"
_PREFIX = "fairness"


def tracker_names() -> tuple[str, ...]:
    """Return the names of all trackers.

    Example:
        >>> tracker_names()
        ('mlflow', 'tensorboard', 'trackio', 'wandb')
    """
    return tuple(TRACKERS)


def require_tracker(name: str) -> Tracker:
    """Return a tracker whose package is installed.

    Raises:
        InputError: There is no such tracker.
        MissingDependencyError: Its package is not installed; the message names the extra that brings it.

    Example:
        >>> require_tracker("wandbb")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: track: unknown tracker 'wandbb'; did you mean wandb? The trackers are mlflow,
        tensorboard, trackio, wandb
    """
    if not isinstance(name, str) or name not in TRACKERS:
        raise unknown_setting(_MODULE, str(name), TRACKERS, "tracker")
    tracker = TRACKERS[name]
    for variable, value in tracker.environment.items():
        os.environ.setdefault(variable, value)
    first, *others = tracker.packages
    try:
        require(first, extra=name, purpose=f"track results with {name}")
    except MissingDependencyError:
        if not any(_can_import(package) for package in others):
            raise
    return tracker


def _can_import(package: str) -> bool:
    try:
        importlib.import_module(package)
    except ImportError:
        return False
    return True


def track(
    results: Mapping[str, Mapping[str, Any]],
    to: str,
    *,
    name: str | None = None,
    step: int | None = None,
    worst: int | Worst = 20,
    texts: Mapping[int, str] | Sequence[str] | None = None,
    **options: Any,
) -> str:
    """Log results to an experiment tracker: scores, intervals, figures by value, counts, warnings, and worst samples.

    A run that is active in this process gets them, and stays active; otherwise one is made and finished. By default
    nothing leaves the machine: runs of wandb are offline ones unless ``WANDB_MODE`` or ``mode=`` says otherwise, and
    trackio, mlflow and tensorboard write to a folder unless their own variables name a server.

    Args:
        results: results of `fairsum_utils.score` or `fairsum_utils.compare`.
        to: ``"trackio"``, ``"wandb"``, ``"mlflow"`` or ``"tensorboard"``.
        name: name of the run; None leaves it to the tracker.
        step: step of a training run; None for the next one.
        worst: how many of the worst samples of each measure go into a table, from the records that
            ``return_samples=True`` adds; or those that were kept while scoring.
        texts: the summaries in the order they were scored, which are sent along with the worst samples; None for
            scores and ids only.
        **options: options of the tracker for a new run, such as ``project=`` and ``dir=`` of wandb, ``tracking_uri=``
            and ``experiment=`` of mlflow, or ``logdir=`` of tensorboard.

    Returns:
        One line with the place of the run.

    Raises:
        InputError: These are not results, there is no such tracker, or a run is active and options for another one
            are given.
        MissingDependencyError: The tracker is not installed.
        FairSumError: The tracker failed; the message gives its reason.
    """
    if not isinstance(results, Mapping) or not all(isinstance(result, Mapping) for result in results.values()):
        raise InputError(f"{_MODULE}: results must be what score or compare returns, found {describe(results)}")
    if not isinstance(worst, Worst):
        worst = Worst(results, check_count(_MODULE, "worst", worst, least=0))
        for result in results.values():
            worst.add(result.get("samples", ()))
    tracker = require_tracker(to)
    contents = contents_of(results, name=name, tables={"worst_samples": worst.table(texts)})
    active = tracker.active()
    if active is not None and (options or name is not None):
        given = ", ".join([*(["name"] if name is not None else []), *options])
        raise InputError(f"{_MODULE}: a run of {to} is active, which gets the results; leave out {given}, or finish it")
    try:
        # Messages of a tracker must not stand among results.
        with contextlib.redirect_stdout(sys.stderr):
            where = tracker.log(contents, active, step, options)
    except FairSumError:
        raise
    except Exception as error:
        raise FairSumError(f"{_MODULE}: {to} refuses: {type(error).__name__}: {error}") from without_secrets(error)
    return masked(f"{to}: {where}")


def contents_of(
    results: Mapping[str, Mapping[str, Any]], *, name: str | None = None, tables: Mapping[str, Table] | None = None
) -> Contents:
    """Turn results into the contents of a run.

    A number is named after its measure and key, as in ``fairness/bur``, ``fairness/bur_ci/low``,
    ``fairness/bur_by_value/<value>`` and ``fairness/bur_n_samples``; ``warnings`` is the number of warnings. Undefined
    numbers are left out, because a chart would show none, or a wrong one.

    Example:
        >>> uer = {"uer": 0.25, "uer_ci": [0.0, 0.5], "uer_by_value": {"pos": 0.5}, "warnings": [], "signature": "k:1"}
        >>> found = contents_of({"uer": uer})
        >>> found.numbers
        {'fairness/uer': 0.25, 'fairness/uer_ci/low': 0.0, 'fairness/uer_ci/high': 0.5,
        'fairness/uer_by_value/pos': 0.5, 'fairness/uer_warnings': 0}
        >>> found.config["uer_signature"]
        'k:1'
    """
    numbers: dict[str, float] = {}
    config = {"fairsum": __version__}
    for measure, result in results.items():
        for key, entry in result.items():
            full = key if f"{key}_".startswith(f"{measure}_") else f"{measure}_{key}"
            if isinstance(entry, str):
                config[full] = entry
            elif key == "warnings":
                numbers[f"{_PREFIX}/{full}"] = len(entry)
            elif key not in ("samples", "settings"):
                numbers.update(_numbers(f"{_PREFIX}/{full}", entry))
    shown = {"warnings": _warnings(results), **(tables or {})}
    return Contents(name, numbers, config, {title: table for title, table in shown.items() if table.rows})


def _numbers(name: str, entry: Any) -> Iterator[tuple[str, float]]:
    """Yield the finite numbers of an entry by name; a list of two is an interval."""
    if isinstance(entry, (int, float)):
        if math.isfinite(entry):
            yield name, float(entry) if isinstance(entry, float) else int(entry)
    elif isinstance(entry, Mapping):
        for label, part in entry.items():
            yield from _numbers(f"{name}/{label}", part)
    elif isinstance(entry, (list, tuple)) and len(entry) == 2:
        yield from _numbers(name, dict(zip(("low", "high"), entry, strict=True)))


def _warnings(results: Mapping[str, Mapping[str, Any]]) -> Table:
    columns = ("code", "count", "share", "message")
    rows = [
        [measure, *(warning[column] for column in columns)]
        for measure, result in results.items()
        for warning in result.get("warnings", ())
    ]
    return Table(["measure", *columns], rows)


class Worst:
    """Keeps the worst samples; memory does not grow with the data.

    Args:
        measures: names of measures; those without scores of samples, such as SOF, have no rows.
        count: samples to keep for each measure; fair ones are left out, and of equal ones the first are kept.

    Example:
        >>> worst = Worst(["uer"], count=1)
        >>> worst.add([{"index": 0, "id": "a", "uer": 0.1}, {"index": 1, "id": "b", "uer": 0.4}])
        >>> worst.table().rows
        [['uer', 'b', 0.4]]
    """

    def __init__(self, measures: Iterable[str], count: int = 20) -> None:
        self._count = count
        self._kept: dict[str, list[tuple[float, int, float, str]]] = {name: [] for name in measures}

    def add(self, records: Iterable[Mapping[str, Any]]) -> None:
        """Add records of samples, with ``index`` and perhaps ``id``."""
        for record in records:
            for name, heap in self._kept.items():
                score = family_of(name).part_of(record).get(name)
                if isinstance(score, bool) or not isinstance(score, (int, float)):
                    continue
                badness = get_measure(name).unfairness(score)
                if not badness > 0:  # fair, or NaN
                    continue
                index = record["index"]
                heapq.heappush(heap, (badness, -index, score, str(record.get("id", index))))
                if len(heap) > self._count:
                    heapq.heappop(heap)

    @property
    def indices(self) -> set[int]:
        """Return the indices of the kept samples."""
        return {-index for heap in self._kept.values() for _, index, _, _ in heap}

    def table(self, texts: Mapping[int, str] | Sequence[str] | None = None) -> Table:
        """Return the samples, worst first; `texts` by index adds a column."""
        rows: list[list[Cell]] = [
            [name, identity, score, *([] if texts is None else [texts[-index]])]
            for name, heap in self._kept.items()
            for _, index, score, identity in sorted(heap, reverse=True)
        ]
        return Table(["measure", "id", "score", *([] if texts is None else ["text"])], rows)
