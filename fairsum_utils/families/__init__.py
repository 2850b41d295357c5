"""Families of measures: columns, settings and scoring functions.

Every family fulfils `Family` in its ``__init__.py``; every front reads from there. Importing costs no NumPy.
"""

from fairsum_utils.families.columns import Column
from fairsum_utils.families.contract import (
    Family,
    Results,
    Scorer,
    System,
    all_measures,
    by_family,
    families,
    family_of,
    summary_measures,
)
from fairsum_utils.families.reading import CheckedSample

__all__ = [
    "CheckedSample",
    "Column",
    "Family",
    "Results",
    "Scorer",
    "System",
    "all_measures",
    "by_family",
    "families",
    "family_of",
    "summary_measures",
]
