"""What a tracker is given of results: numbers by name, what decided them, and tables."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fairsum_utils._version import __version__
from fairsum_utils.reports.tables import Table

__all__ = ["Contents", "contents_of", "plain_names"]

_PREFIX = "fairness"


class Contents(NamedTuple):
    """A run, whatever the tracker.

    Attributes:
        name: of the run; None leaves it to the tracker.
        numbers: ``fairness/<name>`` -> number, all of them finite.
        config: what decided the numbers, and why any is undefined: name -> text.
        tables: name -> table, of those that have rows.
    """

    name: str | None
    numbers: Mapping[str, float]
    config: Mapping[str, str]
    tables: Mapping[str, Table]


def contents_of(
    results: Mapping[str, Mapping[str, Any]], *, name: str | None = None, tables: Mapping[str, Table] | None = None
) -> Contents:
    """What a run gets of results.

    Every number of a result has the name of its key after that of its measure, as in ``fairness/bur``,
    ``fairness/bur_ci/low``, ``fairness/bur_by_value/<value>`` and ``fairness/bur_n_samples``; ``warnings`` counts as
    many as there are. What is undefined has no number: a chart would show none, or a wrong one.

    Args:
        results: measure -> result, of `fairsum_utils.score` or `fairsum_utils.compare`.
        name: of the run.
        tables: more tables, by name.

    Example:
        >>> uer = {"uer": 0.25, "uer_ci": [0.0, 0.5], "uer_by_value": {"pos": 0.5}, "warnings": [], "signature": "k:1"}
        >>> found = contents_of({"uer": uer})
        >>> found.numbers
        {'fairness/uer': 0.25, 'fairness/uer_ci/low': 0.0, 'fairness/uer_ci/high': 0.5,
        'fairness/uer_by_value/pos': 0.5, 'fairness/uer_warnings': 0}
        >>> found.config["uer_signature"]
        'k:1'
    """
    numbers: dict[str, float] = {}
    config = {"fairsum": __version__}
    for measure, result in results.items():
        for key, entry in result.items():
            full = key if f"{key}_".startswith(f"{measure}_") else f"{measure}_{key}"
            if isinstance(entry, str):
                config[full] = entry
            elif key == "warnings":
                numbers[f"{_PREFIX}/{full}"] = len(entry)
            elif key != "samples":
                numbers.update(_numbers(f"{_PREFIX}/{full}", entry))
    shown = {"warnings": _warnings(results), **(tables or {})}
    return Contents(name, numbers, config, {title: table for title, table in shown.items() if table.rows})


def _numbers(name: str, entry: Any) -> Iterator[tuple[str, float]]:
    """The finite numbers of an entry, by name; of two in a list the first is the lower end of an interval."""
    if isinstance(entry, (int, float)):
        if math.isfinite(entry):
            yield name, float(entry) if isinstance(entry, float) else int(entry)
    elif isinstance(entry, Mapping):
        for label, part in entry.items():
            yield from _numbers(f"{name}/{label}", part)
    elif isinstance(entry, (list, tuple)) and len(entry) == 2:
        yield from _numbers(name, dict(zip(("low", "high"), entry, strict=True)))


def _warnings(results: Mapping[str, Mapping[str, Any]]) -> Table:
    columns = ("code", "count", "share", "message")
    rows = [
        [measure, *(caution[column] for column in columns)]
        for measure, result in results.items()
        for caution in result.get("warnings", ())
    ]
    return Table(["measure", *columns], rows)


_LONGEST = 200
"""Letters of a name; trackers take 250 and more."""


def plain_names(names: Iterable[str]) -> dict[str, str]:
    """Names as trackers take them that keep files by these names: letters, digits, ``_``, ``-``, ``.`` and ``/``.

    Args:
        names: that differ from each other.

    Returns:
        Name -> plain name, which differ as well.

    Example:
        >>> plain_names(["bur_by_value/C#", "bur_by_value/C+"])
        {'bur_by_value/C#': 'bur_by_value/C_', 'bur_by_value/C+': 'bur_by_value/C__2'}
    """
    plain: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        parts = re.sub(r"[^\w./-]", "_", name[:_LONGEST]).split("/")
        base = "/".join(part if part.strip(".") else "_" for part in parts)
        chosen, number = base, 1
        while chosen.casefold() in taken:
            number += 1
            chosen = f"{base}_{number}"
        taken.add(chosen.casefold())
        plain[name] = chosen
    return plain


def cells_of(table: Table) -> list[Sequence[Any]]:
    """The rows of a table with texts, numbers and None only."""
    return [[None if isinstance(cell, float) and math.isnan(cell) else cell for cell in row] for row in table.rows]
