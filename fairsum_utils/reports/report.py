"""Reports of results, family by family."""

from __future__ import annotations

import importlib
from importlib.util import find_spec

from fairsum_utils.families import by_family
from fairsum_utils.reports.base import Report, Results
from fairsum_utils.reports.formats import FORMATS
from fairsum_utils.reports.tables import Part
from fairsum_utils.validation import count


def report_of(family: str) -> Report:
    """Return the report of a family, by default the generic one.

    Example:
        >>> type(report_of("coverage")).__name__
        'CoverageReport'
    """
    name = f"{__package__}.{family}"
    made: Report = importlib.import_module(name).REPORT if find_spec(name) else Report()
    return made


def parts_of(title: str, results: Results) -> list[Part]:
    """Return the parts of the report, family by family."""
    parts: list[Part] = []
    for family, chosen in by_family(results):
        parts += report_of(family.name).parts(title, chosen)
    return [*parts, *_counts(results)]


def _counts(results: Results) -> list[Part]:
    """Why measures scored different numbers of samples, if they did."""
    measures: dict[int, list[str]] = {}
    for name, result in results.items():
        measures.setdefault(result["n_samples"], []).append(name)
    if len(measures) < 2:
        return []
    counts = "; ".join(f"{', '.join(names)}: {count(n, 'sample')}" for n, names in measures.items())
    return [[f"Scored were {counts}. Each measure skips the samples that it cannot score, so these are not the same."]]


def report(title: str, results: Results, *, format: str = "text") -> str:
    """Write results as one text.

    Args:
        title: name of the scored data, such as a file.
        results: measure -> result, of one family or several.
        format: a key of `fairsum_utils.reports.formats.FORMATS`.
    """
    return FORMATS[format](parts_of(title, results))
