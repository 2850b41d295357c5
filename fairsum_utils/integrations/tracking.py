"""Results in an experiment tracker, next to training metrics: `track`.

Nothing is sent to a server unless the tracker's own settings say so.
"""

from __future__ import annotations

import contextlib
import heapq
import importlib
import itertools
import math
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from fairsum_utils._util.secrets import masked, without_secrets
from fairsum_utils._version import __version__
from fairsum_utils.errors import FairSumError, InputError, require
from fairsum_utils.families import family_of
from fairsum_utils.families.settings import unknown_setting
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.formats import as_markdown
from fairsum_utils.reports.tables import Cell, Table
from fairsum_utils.validation import check_count, describe

_MODULE = "track"
_PREFIX = "fairness"


class Contents(NamedTuple):
    """Contents of a run, the same for every tracker.

    Attributes:
        name: name of the run; None leaves it to the tracker.
        numbers: ``fairness/<name>`` -> number, all of them finite.
        config: settings behind the numbers, and why any is undefined: name -> text.
        tables: name -> table with rows.
    """

    name: str | None
    numbers: Mapping[str, float]
    config: Mapping[str, str]
    tables: Mapping[str, Table]


# Letters of a name; trackers take 250 and more.
_LONGEST = 200


def plain_names(names: Iterable[str]) -> dict[str, str]:
    """Return distinct file names with safe characters.

    Example:
        >>> plain_names(["bur_by_value/C#", "bur_by_value/C+"])
        {'bur_by_value/C#': 'bur_by_value/C_', 'bur_by_value/C+': 'bur_by_value/C__2'}
    """
    plain: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        parts = re.sub(r"[^\w./-]", "_", name[:_LONGEST]).split("/")
        base = "/".join(part if part.strip(".") else "_" for part in parts)
        numbered = itertools.chain([base], (f"{base}_{number}" for number in itertools.count(2)))
        plain[name] = next(each for each in numbered if each.casefold() not in taken)
        taken.add(plain[name].casefold())
    return plain


def _cells(table: Table) -> list[Sequence[Any]]:
    """Return the rows of a table with None in place of NaN."""
    return [[None if isinstance(cell, float) and math.isnan(cell) else cell for cell in row] for row in table.rows]


def _tables(contents: Contents, make: Any, **options: Any) -> dict[str, Any]:
    """Make the tables of a package that takes columns and data."""
    return {
        f"fairness/{name}": make(columns=list(table.header), data=_cells(table), **options)
        for name, table in contents.tables.items()
    }


class Tracker:
    """An experiment tracker, made of its imported package.

    Attributes:
        packages: import names, of which the first that is installed is taken.
        environment: environment variables to set before the package is imported, if they are not set.
    """

    packages: ClassVar[tuple[str, ...]]
    environment: ClassVar[Mapping[str, str]] = {}

    def __init__(self, library: Any) -> None:
        self.library = library

    def active(self) -> Any:
        """Return the active run of this process, or None."""

    def begin(self, contents: Contents, options: Mapping[str, Any]) -> Any:
        """Begin a run."""
        raise NotImplementedError

    def write(self, run: Any, contents: Contents, step: int | None, *, begun: bool) -> str:
        """Write contents into a started or active run; return its location."""
        raise NotImplementedError

    def end(self, run: Any, status: str) -> None:
        """End a run that `begin` has made."""
        raise NotImplementedError

    def log(self, contents: Contents, run: Any, step: int | None, options: Mapping[str, Any]) -> str:
        """Write contents into the active or a new run; return its location."""
        if run is not None:
            return self.write(run, contents, step, begun=False)
        run, status = self.begin(contents, options), "FAILED"
        try:
            where = self.write(run, contents, step, begun=True)
            status = "FINISHED"
        finally:
            self.end(run, status)
        return where


class MLflow(Tracker):
    """MLflow: the store in ``MLFLOW_TRACKING_URI``, or a local one."""

    packages = ("mlflow",)
    environment: ClassVar = {"MLFLOW_DISABLE_TELEMETRY": "true"}

    def active(self) -> Any:
        """Return the active run."""
        return self.library.active_run()

    def begin(self, contents: Contents, options: Mapping[str, Any]) -> Any:
        """Begin a run, in the store and experiment of the options."""
        given = dict(options)
        if (uri := given.pop("tracking_uri", None)) is not None:
            self.library.set_tracking_uri(uri)
        if (experiment := given.pop("experiment", None)) is not None:
            self.library.set_experiment(experiment)
        return self.library.start_run(run_name=contents.name, **given)

    def write(self, run: Any, contents: Contents, step: int | None, *, begun: bool) -> str:
        """Write metrics, parameters and tables."""
        mlflow = self.library
        names = plain_names(contents.numbers)
        mlflow.log_metrics({names[name]: number for name, number in contents.numbers.items()}, step=step)
        # A parameter is written once a run; a training run has many results, whose signatures are tags.
        (mlflow.log_params if begun else mlflow.set_tags)(dict(contents.config))
        for name, table in contents.tables.items():
            rows = {"columns": list(table.header), "data": _cells(table)}
            mlflow.log_dict(rows, f"fairness/{name}{'' if step is None else f'_{step}'}.json")
        if renamed := {plain: name for name, plain in names.items() if plain != name}:
            mlflow.log_dict(renamed, "fairness/names.json")
        return f"run {run.info.run_id} in {mlflow.get_tracking_uri()}"

    def end(self, run: Any, status: str) -> None:
        """End the run with its status."""
        self.library.end_run(status)


class TensorBoard(Tracker):
    """TensorBoard event files, written with tensorboardX or torch."""

    packages = ("tensorboardX", "torch.utils.tensorboard")

    def begin(self, contents: Contents, options: Mapping[str, Any]) -> Any:
        """Return a writer for ``logdir`` or a new folder."""
        # Files are named after the second, and two of one name would overwrite each other.
        given = {"filename_suffix": f".{time.time_ns()}", **options}
        folder = given.pop("logdir", None)
        if folder is None and contents.name is not None:
            name = plain_names([contents.name])[contents.name].replace("/", "_")
            paths = (Path("runs", name if number == 1 else f"{name}-{number}") for number in itertools.count(1))
            folder = next(path for path in paths if not path.exists())  # two runs in a folder would be one
        return self.library.SummaryWriter(None if folder is None else str(folder), **given)

    def write(self, run: Any, contents: Contents, step: int | None, *, begun: bool) -> str:
        """Write scalars, and tables as texts."""
        names = plain_names(contents.numbers)
        for name, number in contents.numbers.items():
            run.add_scalar(names[name], number, step)
        tables = {"config": Table(["name", "text"], list(map(list, contents.config.items()))), **contents.tables}
        for name, table in tables.items():
            run.add_text(f"fairness/{name}", as_markdown([table]), step)
        return f"{run.logdir if hasattr(run, 'logdir') else run.log_dir} (tensorboard --logdir shows it)"

    def end(self, run: Any, status: str) -> None:
        """Close the writer."""
        run.close()


class Trackio(Tracker):
    """Trackio database, in the local cache, a Space or a server."""

    packages = ("trackio",)

    def active(self) -> Any:
        """Return the active run."""
        return self.library.context_vars.current_run.get()

    def begin(self, contents: Contents, options: Mapping[str, Any]) -> Any:
        """Begin a run without measurements of the machine."""
        given = {
            "project": os.environ.get("TRACKIO_PROJECT", "fairsum"),
            "auto_log_gpu": False,
            "auto_log_cpu": False,
            "embed": False,
            **options,
        }
        return self.library.init(name=contents.name, config=dict(contents.config), **given)

    def write(self, run: Any, contents: Contents, step: int | None, *, begun: bool) -> str:
        """Write numbers and tables."""
        tables = _tables(contents, self.library.Table)
        if not begun:  # the configuration of a run stays as it began
            rows = [list(pair) for pair in contents.config.items()]
            tables["fairness/config"] = self.library.Table(columns=["name", "text"], data=rows)
        self.library.log({**contents.numbers, **tables}, step=step)
        return f"run {run.name} of project {run.project} (trackio show --project {run.project})"

    def end(self, run: Any, status: str) -> None:
        """Finish the run."""
        self.library.finish()


class WandB(Tracker):
    """Weights & Biases: offline runs, unless its own settings say otherwise."""

    packages = ("wandb",)
    environment: ClassVar = {"WANDB_ERROR_REPORTING": "false"}

    def active(self) -> Any:
        """Return the active run."""
        return self.library.run

    def begin(self, contents: Contents, options: Mapping[str, Any]) -> Any:
        """Begin a run, offline unless ``WANDB_MODE`` or the options say otherwise."""
        given = {
            "project": os.environ.get("WANDB_PROJECT", "fairsum"),
            "mode": os.environ.get("WANDB_MODE", "offline"),
            **options,
        }
        return self.library.init(name=contents.name, **given)

    def write(self, run: Any, contents: Contents, step: int | None, *, begun: bool) -> str:
        """Write the configuration, numbers and tables."""
        run.config.update(dict(contents.config), allow_val_change=True)
        tables = _tables(contents, self.library.Table, allow_mixed_types=True)
        run.log({**contents.numbers, **tables}, step=step)
        if run.offline:
            folder = os.path.relpath(run.settings.sync_dir)
            return f"{folder} (wandb sync {folder} would send it)"
        return str(run.url)

    def end(self, run: Any, status: str) -> None:
        """Finish the run."""
        run.finish()


# Name -> tracker; the extra in `setup.py` has the same name.
TRACKERS: dict[str, type[Tracker]] = {
    "mlflow": MLflow,
    "tensorboard": TensorBoard,
    "trackio": Trackio,
    "wandb": WandB,
}


def tracker_names() -> tuple[str, ...]:
    """Return the names of all trackers.

    Example:
        >>> tracker_names()
        ('mlflow', 'tensorboard', 'trackio', 'wandb')
    """
    return tuple(TRACKERS)


def require_tracker(name: str) -> Tracker:
    """Return a tracker; raise if its package is missing.

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
    for package in tracker.packages:
        with contextlib.suppress(ImportError):
            return tracker(importlib.import_module(package))
    return tracker(require(tracker.packages[0], extra=name, purpose=f"track results with {name}"))


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
    """Log results, intervals, warnings and worst samples to a tracker.

    A run that is active in this process gets them, and stays active; otherwise one is made and finished. By default
    nothing leaves the machine: runs of wandb are offline ones unless ``WANDB_MODE`` or ``mode=`` says otherwise, and
    trackio, mlflow and tensorboard write to a folder unless their own variables name a server.

    Args:
        results: results of `fairsum_utils.score` or `fairsum_utils.compare`.
        to: ``"trackio"``, ``"wandb"``, ``"mlflow"`` or ``"tensorboard"``.
        name: name of the run; None leaves it to the tracker.
        step: step of a training run; None for the next one.
        worst: Number of worst samples of each measure in a table, from the records that
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
        # Messages of a tracker must not mix with results.
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
    """Yield finite numbers by name; a list of two is an interval."""
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
