"""Cells and tables of reports, with rounded numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from fairsum_utils.measures import Figures, get_measure
from fairsum_utils.reports.wording import has_number
from fairsum_utils.settings import USUAL_LEVEL

# Group of all samples
ALL = "(all)"


class Interval(NamedTuple):
    """The two ends of an interval.

    Example:
        >>> str(Interval(0.25, 1.0)), str(Interval(math.nan, math.nan))
        ('[0.2500, 1.0000]', 'undefined')
    """

    low: float
    high: float

    def __str__(self) -> str:
        return self.rounded(4)

    def rounded(self, digits: int) -> str:
        """Write both ends with some digits after the point."""
        if math.isnan(self.low) and math.isnan(self.high):
            return "undefined"
        return f"[{number(self.low, digits)}, {number(self.high, digits)}]"


class Marked(NamedTuple):
    """A number with a mark, such as a star, or with other digits.

    In the terminal it has `certain` digits, if they are known.

    Example:
        >>> str(Marked(0.20266, "*")), str(Marked(68.8204, digits=1))
        ('0.2027*', '68.8')
    """

    number: float
    mark: str = ""
    digits: int = 4
    certain: int | None = None

    def __str__(self) -> str:
        return f"{number(self.number, self.digits)}{self.mark}"


class Shade(NamedTuple):
    """A share shown in HTML as a background of that strength.

    Example:
        >>> str(Shade(0.834)), Shade(0.834).level
        ('0.83', 8)
    """

    number: float  # in [0, 1]

    def __str__(self) -> str:
        return number(self.number, 2)

    @property
    def level(self) -> int:
        """Strength from 0 to 10, for the CSS classes ``fs-shade-0`` to ``fs-shade-10``."""
        return round(10 * self.number)


# Text; whole number, shown in full; other number or interval, rounded for display; or nothing
Cell: TypeAlias = "str | float | Interval | Marked | Shade | None"


# Columns of shares that can be read where they are not shaded
_IN_A_LINE = 10


class Table(NamedTuple):
    """A table of a report.

    Attributes:
        header: a name for each column.
        rows: a cell for each column.
        title: above it; empty where the report needs none.
        below: lines directly below it.
        n_texts: number of leading columns that are left-aligned; the others are right-aligned.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    title: str = ""
    below: Sequence[str] = ()
    n_texts: int = 1

    @property
    def is_picture(self) -> bool:
        """True if the table is a picture: many columns of shares."""
        return len(self.header) > _IN_A_LINE and any(isinstance(cell, Shade) for row in self.rows for cell in row)


def table_of(
    rows: Iterable[Mapping[str, Cell]], title: str = "", *, below: Sequence[str] = (), n_texts: int = 1
) -> Table:
    """Return the table of rows by column; cells that a row lacks are empty.

    Example:
        >>> table_of([{"group": "neg", "share": 0.5}, {"group": "pos", "n": 2}]).rows
        [['neg', 0.5, None], ['pos', None, 2]]
    """
    rows = list(rows)
    header = list(dict.fromkeys(name for row in rows for name in row))
    return Table(header, [[row.get(name) for name in header] for row in rows], title, below, n_texts)


def by_group(columns: Mapping[str, Mapping[str, Any]], title: str = "", heading: str = "group") -> Table:
    """Return the table of figures by group, in the order of the first column.

    Example:
        >>> by_group({"samples": {"neg": 2, "pos": 4}, "share": {"pos": 0.75, "neg": 0.25}}).rows
        [['neg', 2, 0.25], ['pos', 4, 0.75]]
    """
    groups = next(iter(columns.values()))
    rows = [[group, *(column[group] for column in columns.values())] for group in groups]
    return Table([heading, *columns], rows, title)


class Trusted(str):
    """A line of our own, such as a citation, which is not escaped."""

    __slots__ = ()


class Notes(list[str]):
    """Notes on the reliability of numbers, under their own heading."""


class Signatures(list[str]):
    """Signatures of measures; the terminal shows them only if asked."""


# A table, or the lines of a paragraph
Part: TypeAlias = Table | Sequence[str]


def number(value: float, digits: int = 4) -> str:
    """Write a rounded number, or "undefined".

    Example:
        >>> number(0.20266), number(float("nan"))
        ('0.2027', 'undefined')
    """
    return "undefined" if math.isnan(value) else f"{value:.{digits}f}"


def certain_digits(error: float) -> int:
    """Count the digits that a standard error leaves certain, 1 to 4.

    Example:
        >>> [certain_digits(error) for error in (0.2, 0.025, 0.004, 0.002, 0.0, float("nan"))]
        [1, 2, 2, 3, 4, 1]
    """
    return next((digits for digits in (4, 3, 2) if error * 10**digits <= 3), 1)


def with_certain_digits(table: Table) -> Table:
    """Round numbers to the digits that their intervals leave certain.

    Example:
        >>> with_certain_digits(Table(["score", "95% CI", "n"], [[0.0635, Interval(0.0352, 0.1244), 8]])).rows
        [[Marked(number=0.0635, mark='', digits=2, certain=None), '[0.04, 0.12]', 8]]
    """
    return table._replace(rows=[_certain(row) for row in table.rows])


def _certain(row: Sequence[Cell]) -> list[Cell]:
    """Round marked numbers, and others before intervals with the digits of the first."""
    cells, digits = list[Cell](), 0
    for cell in row:
        if isinstance(cell, Interval):
            if cells and isinstance(last := cells[-1], float):
                digits = digits_of(cell)
                cells[-1] = Marked(last, digits=digits)
            cells.append(cell.rounded(digits) if digits else cell)
        else:
            digits = 0
            cells.append(cell._replace(digits=cell.certain or cell.digits) if isinstance(cell, Marked) else cell)
    return cells


def digits_of(ends: Sequence[float]) -> int:
    """Count the digits that an interval leaves certain, 2 to 4.

    Example:
        >>> digits_of((0.18, 0.82)), digits_of((0.5, 0.508))
        (2, 3)
    """
    low, high = ends
    return max(2, certain_digits((high - low) / 4))  # about a standard error


def chance_level(result: Mapping[str, Any], key: str) -> Marked | None:
    """Return a chance level with its certain digits; None without one.

    Example:
        >>> str(chance_level({"bur_at_random": 0.05375, "bur_at_random_error": 0.008}, "bur_at_random"))
        '0.05'
    """
    if not has_number(result, key):
        return None
    return Marked(result[key], digits=certain_digits(result.get(f"{key}_error", math.nan)))


def ci_heading(results: Iterable[Mapping[str, Any]], of: str = "") -> str:
    """Return the heading of a column of intervals.

    Args:
        results: results with their settings.
        of: resampled unit, where there are intervals of several kinds.

    Example:
        >>> ci_heading([{"settings": {"confidence_level": 0.9}}]), ci_heading([], "originals")
        ('90% CI', '95% CI (originals)')
    """
    levels = {result.get("settings", {}).get("confidence_level") or USUAL_LEVEL for result in results} or {USUAL_LEVEL}
    level = f"{100 * float(levels.pop()):g}% " if len(levels) == 1 else ""
    return f"{level}CI{of and f' ({of})'}"


def interval(ends: Sequence[float] | None) -> Interval | None:
    """Return the interval with these ends; None without ends."""
    return None if ends is None else Interval(*ends)


def intervals(entry: Mapping[str, Any], levels: Mapping[str, str], result: Mapping[str, Any]) -> dict[str, Cell]:
    """Return the columns of the intervals that an entry has.

    Args:
        entry: figures, with intervals under the keys of `levels`.
        levels: key of an interval -> unit that it resamples; empty where there is one kind.
        result: result of the figures, with its settings.

    Example:
        >>> intervals({"ci": [0.25, 1.0]}, {"ci": "originals", "ci_within": "summaries"}, {})
        {'95% CI (originals)': Interval(low=0.25, high=1.0)}
    """
    return {ci_heading([result], unit): interval(entry[key]) for key, unit in levels.items() if key in entry}


def p_values(entry: Mapping[str, Any]) -> dict[str, Cell]:
    """Return the columns of a p-value and of its correction."""
    return {"p": entry["p_value"], "p (Holm)": entry["p_value_corrected"]}


def notes_last(parts: Iterable[Part]) -> list[Part]:
    """Merge all notes at the end, and drop repeated lines.

    Example:
        >>> notes_last([["a"], Notes(["Few."]), ["a", "b"], Notes(["Few."]), Signatures(["k:1"])])
        [['a'], ['b'], ['Few.'], ['k:1']]
    """
    seen: set[str] = set()
    texts: list[Part] = []
    last: dict[type, list[str]] = {Notes: Notes(), Signatures: Signatures()}
    for part in parts:
        if isinstance(part, Table):
            texts.append(part)
            continue
        new = [line for line in dict.fromkeys(part) if line not in seen]
        seen.update(new)
        if type(part) in last:
            last[type(part)] += new
        elif new:
            texts.append(new)
    return [*texts, *last.values()]


def figures_of(results: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, Figures, Mapping[str, Any]]]:
    """Return measures, the figures in their results and their columns, shared figures last.

    Example:
        >>> results = {name: {f"{name}_by_value": {"a": 0.5}, "ratio_by_value": {"a": 1.0}} for name in ("bur", "uer")}
        >>> [(name, figures.key) for name, figures, _ in figures_of(results)]
        [('bur', 'bur_by_value'), ('uer', 'uer_by_value'), ('bur', 'ratio_by_value'), ('uer', 'ratio_by_value')]
    """
    found = []
    for name, result in results.items():
        declared = enumerate(get_measure(name).figures)
        shown = ((place, figures, figures.columns_in(result)) for place, figures in declared)
        found += [(place, name, figures, columns) for place, figures, columns in shown if columns.get(figures.key)]
    return [(name, figures, columns) for _, name, figures, columns in sorted(found, key=itemgetter(0))]
