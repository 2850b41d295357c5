"""The report of any results, in the form that each family gives it."""

from __future__ import annotations

import importlib
from importlib.util import find_spec

from fairsum_utils.family import families
from fairsum_utils.reports.base import Report, Results
from fairsum_utils.reports.tables import as_text

__all__ = ["report", "report_of"]


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
