"""Measures, one file each with its formula.

Every file defines its formula as pure functions over arrays, and describes itself in one statement, ``MEASURE =
Measure(...)``. Measures are found by listing this folder. The statements are parsed without importing the files, so
listing measures does not need NumPy.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Callable, Mapping
from functools import cache
from math import inf
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

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

_STATEMENT = re.compile(r"^MEASURE = (Measure\((?:.*\)|\n(?:    .*\n)+\)))$", re.MULTILINE)


class Figures(NamedTuple):
    """Figures by group shown with the score of a measure.

    Attributes:
        columns: table columns as pairs: heading -> key of the result.
        title: heading of the plot.
        axis: label of the plot's axis; ``{tau}`` and the like are replaced by settings.
        fair: label of the fair point, which is 0 or an equal share; empty for no such point.
        are_shares: the figures are shares with sum 1.
        drawn: key of the plotted figures; the first column by default.
        counts: key of the group sizes in the plot.
        over_tau: also plot the rate of unfair samples over the tolerance.
    """

    columns: tuple[tuple[str, str], ...]
    title: str
    axis: str
    fair: str = ""
    are_shares: bool = False
    drawn: str = ""
    counts: str = "n_by_value"
    over_tau: bool = False


class Measure(NamedTuple):
    """Description of a measure, available without computing it.

    Attributes:
        name: name of the measure, its module and its file.
        title: name for headings.
        family: name of its family.
        low: lowest possible score.
        high: highest possible score.
        lower_is_fairer: a lower score is fairer.
        place: position in its family, in the order of the paper, from 1.
        averages: kind of mean over samples or originals: ``"shares"`` of samples that count 1 or 0, ``"scores"`` of
            samples or originals; empty if the score is not a mean.
        unit: unit of a score without an upper bound.
        figures: figures by group; None for ``<name>_by_value`` or ``<name>_by_group`` alone.
    """

    name: str
    title: str
    family: str
    low: float
    high: float
    lower_is_fairer: bool
    place: int
    averages: Literal["shares", "scores", ""] = ""
    unit: str = "a number"
    figures: Figures | None = None

    @property
    def is_signed(self) -> bool:
        """Check whether the fair score, 0, lies inside the range."""
        return self.low < 0

    def unfairness(self, score: float) -> float:
        """Return the distance of a score from the fairest one; lower is fairer.

        Example:
            >>> get_measure("distinguishability").unfairness(-0.5), get_measure("uer").unfairness(0.25)
            (0.5, 0.25)
        """
        return abs(score) if self.is_signed else score


class About(NamedTuple):
    """Guidance for choosing a measure, beyond its card.

    Attributes:
        formula: formula in plain text.
        example: function that returns a worked example, one step a line, with computed numbers.
        instead: advice about alternative measures.
        at_random: function that describes a random draw and returns its mean score; None if it depends on the data.
    """

    formula: str
    example: Callable[[], list[str]]
    instead: str
    at_random: Callable[[Any], tuple[str, float]] | None = None


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


def get_measure(name: str) -> Measure:
    """Return the description of a measure.

    Raises:
        KeyError: unknown measure.

    Example:
        >>> get_measure("uer").title
        'Unfair Error Rate'
    """
    return _measures()[name]


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


def measure_names() -> tuple[str, ...]:
    """List the names of all measures in alphabetical order.

    Example:
        >>> "bur" in measure_names()
        True
    """
    return tuple(_measures())


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
def _measures() -> Mapping[str, Measure]:
    paths = sorted(path for path in Path(__file__).parent.glob("*.py") if not path.name.startswith("_"))
    return MappingProxyType({path.stem: _description(path) for path in paths})


def _description(path: Path) -> Measure:
    statement = _STATEMENT.search(path.read_text(encoding="utf-8"))
    assert statement is not None, f"{path.name} has no statement MEASURE = Measure(...)"
    call = ast.parse(statement[1], mode="eval").body
    assert isinstance(call, ast.Call)
    return Measure(*map(_argument, call.args), **{str(each.arg): _argument(each.value) for each in call.keywords})


def _argument(node: ast.expr) -> Any:
    if isinstance(node, ast.Call):
        return Figures(**{str(each.arg): _argument(each.value) for each in node.keywords})
    return inf if isinstance(node, ast.Name) and node.id == "inf" else ast.literal_eval(node)
