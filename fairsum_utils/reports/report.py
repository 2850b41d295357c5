"""The report of any results, in the form that each family gives it."""

from __future__ import annotations

import importlib
import math
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from fairsum_utils.family import families, family_of
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.base import Report, Results
from fairsum_utils.reports.tables import Part, Table, as_text, short_name

__all__ = ["explain", "headline", "report", "report_of"]


def report_of(family: str) -> Report:
    """The report of a family: that of the module of this package which is named like it, or else the one for any.

    Example:
        >>> type(report_of("coverage")).__name__
        'CoverageReport'
    """
    name = f"{__package__}.{family}"
    made: Report = importlib.import_module(name).REPORT if find_spec(name) else Report()
    return made


def report(title: str, results: Results, *, markdown: bool = False) -> str:
    """Results as text.

    Args:
        title: what was scored, such as a file.
        results: measure -> result, of one family or several.
        markdown: tables as Markdown, instead of aligned text.
    """
    shown = []
    for family in families().values():
        chosen = {name: result for name, result in results.items() if name in family.measures}
        if chosen:
            shown.append(as_text(report_of(family.name).parts(title, chosen), markdown=markdown))
    return "\n\n\n".join(shown)


def headline(name: str, result: Mapping[str, Any]) -> str:
    """The score of a measure in a line, or why there is none.

    Args:
        name: the measure.
        result: with the record of each sample.

    Example:
        >>> headline("uer", {"uer": 0.25, "samples": [{"skipped": None}]})
        'UER = 0.2500 (lower is fairer; 0 at best)'
    """
    reasons = [record["skipped"] for record in result["samples"]]
    if all(reasons):
        words = report_of(get_measure(name).family).skipped
        return f"No score: {'; '.join(words.get(reason, reason) for reason in dict.fromkeys(reasons))}."
    if math.isnan(result[name]):
        return f"{short_name(name)} is undefined: {result['undefined']}."
    fairer = "closer to 0 is fairer" if get_measure(name).low < 0 else "lower is fairer; 0 at best"
    return f"{short_name(name)} = {result[name]:.4f} ({fairer})"


def explain(name: str, result: Mapping[str, Any], columns: Mapping[str, Sequence[Any]]) -> list[Part]:
    """The score of a measure in a line, its figures, and what decided.

    Tables of several samples that have the same title become one.

    Args:
        name: the measure.
        result: with the record of each sample.
        columns: that were given, by name.

    Example:
        >>> from fairsum_utils import compute
        >>> columns = {"predictions": ["Tasty."], "sources": [["Tasty!", "Awful."]], "values": [["pos", "neg"]]}
        >>> explain("bur", compute("bur", **columns, return_samples=True), columns)[-2].rows
        [['neg', 0.5, 0.5, 0.0, 0.0, 'yes', ''], ['pos', 0.5, 0.5, 1.0, 2.0, 'no', 'tasti']]
    """
    said, results = report_of(family_of(name).name), {name: result}
    scored = [place for place, record in enumerate(result["samples"]) if record["skipped"] is None]
    if not scored:
        return [[headline(name, result)]]
    tables: dict[str, Table] = {}
    for place in scored:
        sample = {column: entries[place] for column, entries in columns.items()}
        for table in said.sample_tables(name, result, result["samples"][place], sample):
            rows = [*tables.get(table.title, table._replace(rows=[])).rows, *table.rows]
            tables[table.title] = table._replace(rows=rows)
    first = [headline(name, result), *said.cautions(results)]
    if "undefined" in result and not math.isnan(result[name]):
        first.append(said.undefined(name, result["undefined"]))
    return [first, *said.tables(results), *said.details(name, result), *tables.values(), said.closing(results)]
