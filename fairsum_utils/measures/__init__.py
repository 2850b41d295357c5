"""One file a measure, named as its module: the only place where a formula lives; `_shares` and the other private files
have what several share.

Every file defines its formula as pure functions over arrays, and in one statement ``MEASURE = Measure(...)`` what the
rest of the package needs to know about it. Measures are found by looking into this folder; there is no second list to
keep. The statements are read without importing the files, so that measures can be listed without NumPy.
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
    "About",
    "Figures",
    "Measure",
    "get_about",
    "get_formula",
    "get_measure",
    "measure_names",
    "measures_of",
]

DEFAULT_METRICS = ("bur", "uer", "auc", "sof")
"""Measures to compute when none are named; by name, so that a new measure changes no default."""

_STATEMENT = re.compile(r"^MEASURE = (Measure\((?:.*\)|\n(?:    .*\n)+\)))$", re.MULTILINE)


class Figures(NamedTuple):
    """Figures by value or group that stand beside the score of a measure.

    Attributes:
        columns: heading of each column of a table -> key of the result, as pairs.
        title: heading of the drawing.
        axis: numbers of the drawing; ``{tau}`` and the like stand for settings.
        fair: text at the number where all is fair, which is 0, or an equal share; empty for no such number.
        are_shares: whether the figures are shares that add up to 1.
        drawn: key of the result that is drawn; the first of the columns by default.
        counts: key of the sizes of values in the drawing.
        over_tau: whether the rate of unfair samples over the tolerance is drawn too.
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
    """What is known about a measure without computing it.

    Attributes:
        name: name of the measure, of its module and of its file.
        title: name in words, as a heading has it.
        family: name of the family that scores it.
        low: the smallest score there can be.
        high: the largest score there can be.
        lower_is_fairer: whether a lower score is fairer.
        place: the measure's place among those of its family in the order of their paper, from 1.
        averages: what the score is the mean of: ``"shares"`` of samples that count 1 where others count 0, ``"scores"``
            that each sample has (in families that are made from originals, each original), or empty for what is no
            such mean.
        tests: what the p-value of the result says of the score: ``"greater"`` than 0, ``"other"`` than 0, or
            ``"any"``: it is the smallest of those of several tests of the latter kind; empty for none of these.
        unit: unit of a score without an upper bound.
        figures: figures by value or group beside the score; None for ``<name>_by_value`` or ``<name>_by_group`` alone.
    """

    name: str
    title: str
    family: str
    low: float
    high: float
    lower_is_fairer: bool
    place: int
    averages: Literal["shares", "scores", ""] = ""
    tests: Literal["greater", "other", "any", ""] = ""
    unit: str = "a number"
    figures: Figures | None = None

    @property
    def is_signed(self) -> bool:
        """Whether scores lie on both sides of 0, where it is fair."""
        return self.low < 0

    def unfairness(self, score: float) -> float:
        """How far a score is from the fairest one; the lower, the fairer.

        Example:
            >>> get_measure("distinguishability").unfairness(-0.5), get_measure("uer").unfairness(0.25)
            (0.5, 0.25)
        """
        return abs(score) if self.is_signed else score


class About(NamedTuple):
    """What a person wants to know of a measure before choosing it, besides what its card says.

    Attributes:
        formula: in plain text.
        example: gives an example worked out step by step, a line each, with numbers that the formula computes.
        instead: which measure to use instead, and when.
        at_random: gives what is drawn at random, and the score that it has on average; None where a data set tells.
    """

    formula: str
    example: Callable[[], list[str]]
    instead: str
    at_random: Callable[[Any], tuple[str, float]] | None = None


def get_about(name: str) -> About:
    """What there is to know of a measure, from its file, which is imported for it.

    Raises:
        KeyError: there is no measure of that name.

    Example:
        >>> get_about("bur").example()[-1]
        'BUR over 4 such summaries of which this one alone is unfair: 1/4 = 0.2500.'
    """
    about: About = importlib.import_module(f"{__name__}.{get_measure(name).name}").ABOUT
    return about


def get_measure(name: str) -> Measure:
    """The description of a measure.

    Raises:
        KeyError: there is no measure of that name.

    Example:
        >>> get_measure("uer").title
        'Unfair Error Rate'
    """
    return _measures()[name]


@cache
def get_formula(name: str) -> Callable[..., Any]:
    """The function that computes the number under a measure's name: the one of that name in the measure's file.

    It takes sums over samples, for which each measure says what is added up, and gives the measure of each set of sums.

    Raises:
        KeyError: there is no measure of that name.

    Example:
        >>> float(get_formula("bur")(3, n=4))
        0.75
    """
    formula: Callable[..., Any] = getattr(importlib.import_module(f"{__name__}.{get_measure(name).name}"), name)
    return formula


def measure_names() -> tuple[str, ...]:
    """Names of all measures, in alphabetical order.

    Example:
        >>> "bur" in measure_names()
        True
    """
    return tuple(_measures())


@cache
def measures_of(family: str) -> tuple[str, ...]:
    """Names of the measures of a family, in the order of their paper.

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
