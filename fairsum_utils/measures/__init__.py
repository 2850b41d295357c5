"""Measures, one file each with its formula.

Every file defines its formula as pure functions over arrays, and a class: what the measure says about itself, and its
settings. Measures are found by listing this folder.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from fairsum_utils.measures._measure import About, Figures, Measure

__all__ = [
    "DEFAULT_METRICS",
    "NAMESPACE",
    "NAMESPACE_IS_OURS",
    "About",
    "Figures",
    "Measure",
    "get_about",
    "get_formula",
    "get_measure",
    "measure_names",
    "measures_of",
]

NAMESPACE = "fairsum"
"""Owner of the modules and data sets on the Hub."""

NAMESPACE_IS_OURS = False
"""This project owns the namespace on the Hub; until then no hint may load from it. Set it with
`installation.REGISTERED`, and run ``tools/build_documents.py``."""

DEFAULT_METRICS = ("bur", "uer", "auc", "sof")
"""Measures to compute when none are named; by name, so that a new measure changes no default."""


def get_about(name: str) -> About:
    """Return the guidance for a measure from its file.

    Raises:
        KeyError: unknown measure.

    Example:
        >>> get_about("bur").example()[-1]
        'BUR of 4 summaries, if only this one is unfair: 1/4 = 0.2500.'
    """
    about: About = importlib.import_module(f"{__name__}.{get_measure(name).name}").ABOUT
    return about


@cache
def get_measure(name: str) -> type[Measure]:
    """Return the class of a measure.

    Raises:
        KeyError: unknown measure.

    Example:
        >>> get_measure("uer").title
        'Unfair Error Rate'
    """
    if name not in measure_names():
        raise KeyError(name)
    found = vars(importlib.import_module(f"{__name__}.{name}")).values()
    return next(each for each in found if isinstance(each, type) and vars(each).get("name") == name)


@cache
def get_formula(name: str) -> Callable[..., Any]:
    """Return the function that computes a measure.

    The function takes sums over samples; its docstring says what is summed.

    Raises:
        KeyError: unknown measure.

    Example:
        >>> float(get_formula("bur")(3, n=4))
        0.75
    """
    formula: Callable[..., Any] = getattr(importlib.import_module(f"{__name__}.{get_measure(name).name}"), name)
    return formula


@cache
def measure_names() -> tuple[str, ...]:
    """List the names of all measures in alphabetical order.

    Example:
        >>> "bur" in measure_names()
        True
    """
    return tuple(sorted(path.stem for folder in __path__ for path in Path(folder).glob("[!_]*.py")))


@cache
def measures_of(family: str) -> tuple[str, ...]:
    """List the measures of a family in the order of the paper.

    Example:
        >>> measures_of("representation")[:2]
        ('bur', 'uer')
    """
    members = (measure for measure in _measures().values() if measure.family == family)
    return tuple(measure.name for measure in sorted(members, key=lambda measure: measure.place))


@cache
def _measures() -> Mapping[str, type[Measure]]:
    return MappingProxyType({name: get_measure(name) for name in measure_names()})
