"""Trackio: a database in Hugging Face's cache or ``TRACKIO_DIR``, unless a Space or server is named."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from typing import Any

from fairsum_utils.tracking.track import Contents, cells_of

PACKAGES = ("trackio",)


def prepare() -> None:
    """Nothing is to be said beforehand."""


def active() -> Any:
    """The run of this process."""
    return importlib.import_module("trackio").context_vars.current_run.get()


def log(contents: Contents, run: Any, step: int | None, options: Mapping[str, Any]) -> str:
    """Log to a run, or to one that begins and ends here."""
    trackio = importlib.import_module("trackio")
    begun = run is None
    if begun:
        asked = {
            "project": os.environ.get("TRACKIO_PROJECT", "fairsum"),
            "auto_log_gpu": False,
            "auto_log_cpu": False,
            "embed": False,
            **options,
        }
        run = trackio.init(name=contents.name, config=dict(contents.config), **asked)
    try:
        tables = {
            f"fairness/{name}": trackio.Table(columns=list(table.header), data=cells_of(table))
            for name, table in contents.tables.items()
        }
        if not begun:  # the configuration of a run stays as it began
            config = trackio.Table(columns=["name", "text"], data=[list(pair) for pair in contents.config.items()])
            tables["fairness/config"] = config
        trackio.log({**contents.numbers, **tables}, step=step)
        return f"run {run.name} of project {run.project} (trackio show --project {run.project})"
    finally:
        if begun:
            trackio.finish()
