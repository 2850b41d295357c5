"""Tables and figures of the papers, from your own data and results.

Each study is a function, such as ``fairsum_reproductions.dominance(...)``, and a command, ``fairsum study dominance``.
"""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsum_reproductions.contract import PAPERS, Study

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["find_study", "studies"]


@cache
def _places() -> dict[str, str]:
    """Map names of studies to modules, paper by paper."""
    folder = Path(__file__).parent
    return {
        path.stem: f"{__name__}.{paper}.{path.stem}"
        for paper in PAPERS
        for path in sorted((folder / paper).glob("[!_]*.py"))
    }


def studies() -> Sequence[str]:
    """List the names of all studies, paper by paper.

    Example:
        >>> "dominance" in studies()
        True
    """
    return tuple(_places())


def find_study(name: str) -> Study:
    """Find a study by its name.

    Args:
        name: name of the study.

    Raises:
        InputError: there is none of that name.

    Example:
        >>> find_study("dominance").paper
        'coverage'
    """
    if name not in _places():
        from fairsum_utils.errors import InputError
        from fairsum_utils.validation import did_you_mean

        guess = did_you_mean(name, studies()) or f"; the studies are {', '.join(studies())}"
        raise InputError(f"study: unknown study {name!r}{guess}")
    return Study.of_module(importlib.import_module(_places()[name]))


def __getattr__(name: str) -> Any:
    if name not in _places():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from fairsum_reproductions.running import as_call

    return as_call(find_study(name))


def __dir__() -> list[str]:
    return sorted([*__all__, *_places()])
