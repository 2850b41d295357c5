"""MLflow: the store that ``MLFLOW_TRACKING_URI`` names, or a local one."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from typing import Any

from fairsum_utils.tracking.track import Contents, cells_of, plain_names

PACKAGES = ("mlflow",)


def prepare() -> None:
    """Let the package tell nobody that it is used."""
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")


def active() -> Any:
    """The run of this process."""
    return importlib.import_module("mlflow").active_run()


def log(contents: Contents, run: Any, step: int | None, options: Mapping[str, Any]) -> str:
    """Log to a run, or to one that begins and ends here."""
    mlflow = importlib.import_module("mlflow")
    begun = run is None
    if begun:
        asked = dict(options)
        if (uri := asked.pop("tracking_uri", None)) is not None:
            mlflow.set_tracking_uri(uri)
        if (experiment := asked.pop("experiment", None)) is not None:
            mlflow.set_experiment(experiment)
        run = mlflow.start_run(run_name=contents.name, **asked)
    status = "FAILED"
    try:
        names = plain_names(contents.numbers)
        mlflow.log_metrics({names[name]: number for name, number in contents.numbers.items()}, step=step)
        # A parameter is written once a run; a training run has many results, whose signatures are tags.
        (mlflow.log_params if begun else mlflow.set_tags)(dict(contents.config))
        for name, table in contents.tables.items():
            rows = {"columns": list(table.header), "data": cells_of(table)}
            mlflow.log_dict(rows, f"fairness/{name}{'' if step is None else f'_{step}'}.json")
        if renamed := {plain: name for name, plain in names.items() if plain != name}:
            mlflow.log_dict(renamed, "fairness/names.json")
        status = "FINISHED"
        return f"run {run.info.run_id} in {mlflow.get_tracking_uri()}"
    finally:
        if begun:
            mlflow.end_run(status)
