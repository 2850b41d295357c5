"""TOML files: printed figures, texts of studies, and reproduced items."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def read_toml(folder: str, name: str) -> dict[str, Any]:
    """Read a file of a folder of this package."""
    return tomllib.loads((files(__package__) / folder / name).read_text(encoding="utf-8"))


def printed_figures(paper: str) -> dict[str, Any]:
    """Read `printed.toml` of a paper; its comments give tables and sections.

    Example:
        >>> printed_figures("coverage")["overall"]["r_ec"]["GPT-4"]
        0.469
    """
    return read_toml(paper, "printed.toml")
