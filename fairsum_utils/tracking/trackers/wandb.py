"""Weights & Biases: offline runs, unless its own settings say otherwise."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from typing import Any

from fairsum_utils.tracking.track import Contents, cells_of

PACKAGES = ("wandb",)


def prepare() -> None:
    """Let the package report no errors of its own to anybody."""
    os.environ.setdefault("WANDB_ERROR_REPORTING", "false")


def active() -> Any:
    """The run of this process."""
    return importlib.import_module("wandb").run


def log(contents: Contents, run: Any, step: int | None, options: Mapping[str, Any]) -> str:
    """Log to a run, or to one that begins and ends here."""
    wandb = importlib.import_module("wandb")
    begun = run is None
    if begun:
        asked = {
            "project": os.environ.get("WANDB_PROJECT", "fairsum"),
            "mode": os.environ.get("WANDB_MODE", "offline"),
            **options,
        }
        run = wandb.init(name=contents.name, **asked)
    try:
        run.config.update(dict(contents.config), allow_val_change=True)
        tables = {
            f"fairness/{name}": wandb.Table(columns=list(table.header), data=cells_of(table), allow_mixed_types=True)
            for name, table in contents.tables.items()
        }
        run.log({**contents.numbers, **tables}, step=step)
        if run.offline:
            folder = os.path.relpath(run.settings.sync_dir)
            return f"{folder} (wandb sync {folder} would send it)"
        return str(run.url)
    finally:
        if begun:
            run.finish()
