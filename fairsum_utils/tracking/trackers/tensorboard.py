"""TensorBoard: event files in a folder, written by tensorboardX, or by torch where that is what there is."""

from __future__ import annotations

import importlib
import itertools
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairsum_utils.reports.formats import as_markdown
from fairsum_utils.reports.tables import Table
from fairsum_utils.tracking.track import Contents, plain_names

PACKAGES = ("tensorboardX", "torch.utils.tensorboard")


def prepare() -> None:
    """Nothing is to be said beforehand."""


def active() -> None:
    """A writer is nobody's but its maker's; write into its folder with ``logdir=``."""


def log(contents: Contents, run: Any, step: int | None, options: Mapping[str, Any]) -> str:
    """Write the events of a run."""
    # Files are named after the second, and two of one name would overwrite each other.
    asked = {"filename_suffix": f".{time.time_ns()}", **options}
    folder = asked.pop("logdir", None)
    if folder is None and contents.name is not None:
        folder = _free_folder(plain_names([contents.name])[contents.name].replace("/", "_"))
    writer = _writer()(None if folder is None else str(folder), **asked)
    try:
        names = plain_names(contents.numbers)
        for name, number in contents.numbers.items():
            writer.add_scalar(names[name], number, step)
        tables = {"config": Table(["name", "text"], list(map(list, contents.config.items()))), **contents.tables}
        for name, table in tables.items():
            writer.add_text(f"fairness/{name}", as_markdown([table]), step)
        return f"{writer.logdir if hasattr(writer, 'logdir') else writer.log_dir} (tensorboard --logdir shows it)"
    finally:
        writer.close()


def _free_folder(name: str) -> Path:
    """A folder of the name below ``runs``, with a number where there is one: two runs in a folder would be one."""
    paths = (Path("runs", name if number == 1 else f"{name}-{number}") for number in itertools.count(1))
    return next(path for path in paths if not path.exists())


def _writer() -> Any:
    for package in PACKAGES[:-1]:
        try:
            return importlib.import_module(package).SummaryWriter
        except ImportError:
            continue
    return importlib.import_module(PACKAGES[-1]).SummaryWriter
