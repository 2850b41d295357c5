"""Figures that the papers print."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def printed_figures(paper: str) -> dict[str, Any]:
    """Read `printed.toml` of a paper; its comments give tables and sections.

    Example:
        >>> printed_figures("coverage")["overall"]["r_ec"]["GPT-4"]
        0.469
    """
    return tomllib.loads((files(__package__) / paper / "printed.toml").read_text(encoding="utf-8"))
