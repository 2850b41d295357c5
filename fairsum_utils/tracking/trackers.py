"""The trackers: each begins a run, writes contents into a run, and ends the run that it began."""

from __future__ import annotations

import importlib
import itertools
import math
import os
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from fairsum_utils.reports.formats import as_markdown
from fairsum_utils.reports.tables import Table


class Contents(NamedTuple):
    """What a run gets, the same for every tracker.

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


_LONGEST = 200
"""Letters of a name; trackers take 250 and more."""


def plain_names(names: Iterable[str]) -> dict[str, str]:
    """Map names to distinct file names of letters, digits, ``_``, ``-``, ``.`` and ``/``.

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
    """An experiment tracker.

    Attributes:
        packages: names of packages by import, any of which it can use.
        environment: environment variables to set before the package is imported, if they are not set.
    """

    packages: ClassVar[tuple[str, ...]]
    environment: ClassVar[Mapping[str, str]] = {}

    def active(self) -> Any:
        """Return the active run of this process, or None."""

    def begin(self, contents: Contents, options: Mapping[str, Any]) -> Any:
        """Begin a run."""
        raise NotImplementedError

    def write(self, run: Any, contents: Contents, step: int | None, *, begun: bool) -> str:
        """Write contents into a run, which `begin` has made or which was active; return where it is."""
        raise NotImplementedError

    def end(self, run: Any, status: str) -> None:
        """End a run that `begin` has made."""
        raise NotImplementedError

    def log(self, contents: Contents, run: Any, step: int | None, options: Mapping[str, Any]) -> str:
        """Write contents into an active run, or a new one that ends here; return where it is."""
        begun = run is None
        if begun:
            run = self.begin(contents, options)
        status = "FAILED"
        try:
            where = self.write(run, contents, step, begun=begun)
            status = "FINISHED"
        finally:
            if begun:
                self.end(run, status)
        return where

    def _module(self) -> Any:
        return importlib.import_module(self.packages[0])


class MLflow(Tracker):
    """MLflow: the store in ``MLFLOW_TRACKING_URI``, or a local one."""

    packages = ("mlflow",)
    environment: ClassVar = {"MLFLOW_DISABLE_TELEMETRY": "true"}

    def active(self) -> Any:
        """Return the active run."""
        return self._module().active_run()

    def begin(self, contents: Contents, options: Mapping[str, Any]) -> Any:
        """Begin a run, in the store and experiment of the options."""
        given = dict(options)
        if (uri := given.pop("tracking_uri", None)) is not None:
            self._module().set_tracking_uri(uri)
        if (experiment := given.pop("experiment", None)) is not None:
            self._module().set_experiment(experiment)
        return self._module().start_run(run_name=contents.name, **given)

    def write(self, run: Any, contents: Contents, step: int | None, *, begun: bool) -> str:
        """Write metrics, parameters and tables."""
        mlflow = self._module()
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
        self._module().end_run(status)


class TensorBoard(Tracker):
    """TensorBoard: event files in a folder, written by tensorboardX, or else by torch."""

    packages = ("tensorboardX", "torch.utils.tensorboard")

    def begin(self, contents: Contents, options: Mapping[str, Any]) -> Any:
        """Make a writer, in the folder ``logdir`` or a new one of the run's name."""
        # Files are named after the second, and two of one name would overwrite each other.
        given = {"filename_suffix": f".{time.time_ns()}", **options}
        folder = given.pop("logdir", None)
        if folder is None and contents.name is not None:
            name = plain_names([contents.name])[contents.name].replace("/", "_")
            paths = (Path("runs", name if number == 1 else f"{name}-{number}") for number in itertools.count(1))
            folder = next(path for path in paths if not path.exists())  # two runs in a folder would be one
        return self._module().SummaryWriter(None if folder is None else str(folder), **given)

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

    def _module(self) -> Any:
        try:
            return super()._module()
        except ImportError:
            return importlib.import_module(self.packages[1])


class Trackio(Tracker):
    """Trackio: a database in Hugging Face's cache or ``TRACKIO_DIR``, unless a Space or server is named."""

    packages = ("trackio",)

    def active(self) -> Any:
        """Return the active run."""
        return self._module().context_vars.current_run.get()

    def begin(self, contents: Contents, options: Mapping[str, Any]) -> Any:
        """Begin a run without measurements of the machine."""
        given = {
            "project": os.environ.get("TRACKIO_PROJECT", "fairsum"),
            "auto_log_gpu": False,
            "auto_log_cpu": False,
            "embed": False,
            **options,
        }
        return self._module().init(name=contents.name, config=dict(contents.config), **given)

    def write(self, run: Any, contents: Contents, step: int | None, *, begun: bool) -> str:
        """Write numbers and tables."""
        tables = _tables(contents, self._module().Table)
        if not begun:  # the configuration of a run stays as it began
            rows = [list(pair) for pair in contents.config.items()]
            tables["fairness/config"] = self._module().Table(columns=["name", "text"], data=rows)
        self._module().log({**contents.numbers, **tables}, step=step)
        return f"run {run.name} of project {run.project} (trackio show --project {run.project})"

    def end(self, run: Any, status: str) -> None:
        """Finish the run."""
        self._module().finish()


class WandB(Tracker):
    """Weights & Biases: offline runs, unless its own settings say otherwise."""

    packages = ("wandb",)
    environment: ClassVar = {"WANDB_ERROR_REPORTING": "false"}

    def active(self) -> Any:
        """Return the active run."""
        return self._module().run

    def begin(self, contents: Contents, options: Mapping[str, Any]) -> Any:
        """Begin a run, offline unless ``WANDB_MODE`` or the options say otherwise."""
        given = {
            "project": os.environ.get("WANDB_PROJECT", "fairsum"),
            "mode": os.environ.get("WANDB_MODE", "offline"),
            **options,
        }
        return self._module().init(name=contents.name, **given)

    def write(self, run: Any, contents: Contents, step: int | None, *, begun: bool) -> str:
        """Write the configuration, numbers and tables."""
        run.config.update(dict(contents.config), allow_val_change=True)
        tables = _tables(contents, self._module().Table, allow_mixed_types=True)
        run.log({**contents.numbers, **tables}, step=step)
        if run.offline:
            folder = os.path.relpath(run.settings.sync_dir)
            return f"{folder} (wandb sync {folder} would send it)"
        return str(run.url)

    def end(self, run: Any, status: str) -> None:
        """Finish the run."""
        run.finish()


TRACKERS: dict[str, Tracker] = {
    "mlflow": MLflow(),
    "tensorboard": TensorBoard(),
    "trackio": Trackio(),
    "wandb": WandB(),
}
"""Name -> tracker; the extra in ``setup.py`` has the same name."""
