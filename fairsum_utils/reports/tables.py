"""Building blocks of reports: tables, and sentences with rounded numbers."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from fairsum_utils.families import family_of
from fairsum_utils.families.warnings import as_sentence
from fairsum_utils.measures import Figures, get_measure
from fairsum_utils.settings import USUAL_LEVEL
from fairsum_utils.stats.intervals import FEWEST, differs
from fairsum_utils.validation import as_float, count

# Group of all samples
ALL = "(all)"
# Explains the columns of chance levels in comparisons
OF_CHANCE = "At random: the score of random summaries of the same length as those of the system."


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


def listed(names: Sequence[str]) -> str:
    """Join names for a sentence.

    Example:
        >>> listed(["BUR", "UER", "AUC"]), listed(["BUR"])
        ('BUR, UER and AUC', 'BUR')
    """
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


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


def opening(title: str, result: dict[str, Any]) -> str:
    """Return the first line of a report: samples scored and skipped.

    Example:
        >>> opening("a.jsonl", {"n_samples": 1, "n_skipped": 0, "skipped": {}})
        'a.jsonl: 1 sample scored, 0 skipped'
        >>> opening("a.jsonl", {"n_samples": 3, "n_skipped": 1, "skipped": {"empty_prediction": 1}})
        'a.jsonl: 3 samples scored, 1 skipped (1 empty_prediction)'
    """
    skipped = ", ".join(f"{n} {reason}" for reason, n in result["skipped"].items())
    line = f"{title}: {count_samples(result)}"
    return f"{line} ({skipped})" if skipped else line


def count_samples(result: Mapping[str, Any], done: str = "scored") -> str:
    """Count the samples that were processed and skipped.

    Example:
        >>> count_samples({"n_samples": 1, "n_skipped": 0}), count_samples({"n_samples": 2, "n_skipped": 1}, "compared")
        ('1 sample scored, 0 skipped', '2 samples compared, 1 skipped')
    """
    return f"{count(result['n_samples'], 'sample')} {done}, {result['n_skipped']} skipped"


def compared_counts(results: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Count the compared and skipped samples, with a line per distinct count.

    Example:
        >>> compared_counts({"bur": {"n_samples": 1, "n_skipped": 0}, "sof": {"n_samples": 1, "n_skipped": 0}})
        ['1 sample compared, 0 skipped']
    """
    lines: dict[str, list[str]] = {}
    for name, result in results.items():
        lines.setdefault(count_samples(result, "compared"), []).append(name)
    return [f"{line} ({', '.join(names)})" if len(lines) > 1 else line for line, names in lines.items()]


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


def fairer(*names: str) -> str:
    """Describe the fair direction of measures.

    Example:
        >>> fairer("bur", "uer"), fairer("bur", "distinguishability")
        ('lower is fairer; 0 at best', 'closer to 0 is fairer')
    """
    is_signed = any(get_measure(name).is_signed for name in names)
    return "closer to 0 is fairer" if is_signed else "lower is fairer; 0 at best"


def is_tested(measure: str, result: Mapping[str, Any], difference: Mapping[str, Any]) -> bool:
    """Return whether a difference has an interval and enough samples for a verdict."""
    is_defined = not any(math.isnan(as_float(end)) for end in difference["difference_ci"])
    return is_defined and family_of(measure).unit.number(result) >= FEWEST


def is_significant(measure: str, result: Mapping[str, Any], difference: Mapping[str, Any]) -> bool:
    """Decide whether two systems differ by a measure, as `differs` does.

    Args:
        measure: Name of the measure.
        result: Its comparison.
        difference: One of its differences.

    Example:
        >>> difference = {"difference_ci": [0.1, 0.3], "p_value_corrected": 0.01}
        >>> [is_significant("bur", {"n_samples": n, "alpha": 0.05}, difference) for n in (40, 8)]
        [True, False]
    """
    ends = [as_float(end) for end in difference["difference_ci"]]
    p_value = as_float(difference["p_value_corrected"])
    return differs(family_of(measure).unit.number(result), p_value, ends, result["alpha"])


def reading_of_differences(names: Collection[str], system: str, baseline: str) -> list[str]:
    """Explain the sign of differences between systems.

    Example:
        >>> reading_of_differences(["bur", "order_sensitivity"], "B", "A (the baseline)")[:2]
        ['Differences are B minus A (the baseline).', 'Lower is fairer: a difference below 0 speaks for B.']
        >>> reading_of_differences(["order_sensitivity"], "B", "A")[1]
        'Order Sensitivity: closer to 0 is fairer, on either side; the scores tell for whom a difference speaks.'
    """
    signed = [short_name(name) for name in names if get_measure(name).is_signed]
    lines = [f"Differences are {system} minus {baseline}."]
    if len(signed) < len(names):
        lines.append(f"Lower is fairer: a difference below 0 speaks for {system}.")
    if signed:
        own = listed(signed)
        lines.append(f"{own}: closer to 0 is fairer, on either side; the scores tell for whom a difference speaks.")
    return lines


def short_name(name: str) -> str:
    """Return the title of a measure, or its abbreviation if it has one.

    Example:
        >>> short_name("bur"), short_name("equal_coverage")
        ('BUR', 'Equal Coverage')
    """
    title = get_measure(name).title
    return title if title.replace(" ", "_").lower() == name else name.upper()


def why_undefined(name: str, reason: str, otherwise: str, difference: str = "the difference has") -> str:
    """Explain an undefined score, interval or p-value in one sentence.

    Args:
        name: Measure.
        reason: Reason in its result, which may begin with the key of what is undefined.
        otherwise: Beginning of the sentence if the reason names no interval.
        difference: Subject and verb for differences.

    Example:
        >>> why_undefined("sof", "sof_ci: few samples", "")
        'SOF has no interval: few samples.'
        >>> why_undefined("sof", "difference_ci and p_value: few samples", "")
        'SOF: the difference has no interval and no p-value: few samples.'
    """
    short = short_name(name)
    for key, problem in (
        (f"{name}_ci: ", f"{short} has no interval"),
        ("difference_ci and p_value: ", f"{short}: {difference} no interval and no p-value"),
    ):
        if reason.startswith(key):
            return f"{problem}: {reason.removeprefix(key)}."
    return as_sentence(f"{otherwise}: {reason}")


def figures_of(results: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, Figures, Mapping[str, Any]]]:
    """Return measures, the figures in their results and their columns, shared figures last.

    Example:
        >>> results = {name: {f"{name}_by_value": {"a": 0.5}, "ratio_by_value": {"a": 1.0}} for name in ("bur", "uer")}
        >>> [(name, figures.key) for name, figures, _ in figures_of(results)]
        [('bur', 'bur_by_value'), ('uer', 'uer_by_value'), ('bur', 'ratio_by_value'), ('uer', 'ratio_by_value')]
    """
    found = []
    for name, result in results.items():
        usual = Figures(
            ((short_name(name), f"{name}_by_value"),), f"{short_name(name)} by group", axis="Mean of its samples"
        )
        declared = enumerate(get_measure(name).figures or (usual,))
        shown = ((place, figures, figures.columns_in(result)) for place, figures in declared)
        found += [(place, name, figures, columns) for place, figures, columns in shown if columns.get(figures.key)]
    return [(name, figures, columns) for _, name, figures, columns in sorted(found, key=itemgetter(0))]


def has_number(result: Mapping[str, Any], key: str) -> bool:
    """Tell whether a result has a number that is defined.

    Example:
        >>> has_number({"a": 0.5}, "a"), has_number({"a": math.nan}, "a"), has_number({}, "a")
        (True, False, False)
    """
    found = result.get(key)
    return found is not None and not math.isnan(found)


def without_chance(results: Iterable[Mapping[str, Any]]) -> list[str]:
    """Explain why results have no chance level, each reason once.

    Example:
        >>> without_chance([{"at_random_undefined": "no words"}, {}, {"at_random_undefined": "no words"}])
        ['no words']
    """
    return list(dict.fromkeys(result["at_random_undefined"] for result in results if "at_random_undefined" in result))
