"""The coverage family: whose documents a summary draws on. Equal Coverage and Coverage Parity (coverage-fairness)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fairsum_utils.coverage.settings import CoverageSettings
from fairsum_utils.family import Column, Family, Results
from fairsum_utils.family.columns import PREDICTIONS, SOURCES, VALUES

if TYPE_CHECKING:
    from fairsum_utils.coverage.rows import CoverageRow
    from fairsum_utils.coverage.scorer import CoverageScorer
    from fairsum_utils.coverage.table import CoverageTable

__all__ = ["FAMILY"]


class Coverage(Family):
    """Texts -> `CoverageScorer` -> rows -> `CoverageTable` -> results."""

    name = "coverage"
    place = 2
    columns = (
        *(replace(column, needed=True) for column in (PREDICTIONS, SOURCES, VALUES)),
        Column(
            name="summary_units",
            entry="units",
            kind=list[str],
            help="the simple statements of a summary, instead of splitting it",
            of_system=True,
            stored=False,
        ),
        Column(
            name="coverage",
            entry="coverage",
            kind=list[list[float]],
            help="a (documents x units) matrix of probabilities in [0, 1], instead of judging texts; predictions and "
            "sources may then be left out",
            of_system=True,
            stored=False,
        ),
    )
    urls = ("https://aclanthology.org/2025.naacl-long.494", "https://github.com/leehaoyuan/coverage_fairness")

    def settings(self, measure: str) -> type[CoverageSettings]:
        """The class of the settings, which is one for both measures."""
        return CoverageSettings

    def needed(self, measure: str, given: Collection[str]) -> tuple[str, ...]:
        """The columns that a measure cannot do without: where the coverage is given, no texts."""
        return ("values",) if "coverage" in given else super().needed(measure, given)

    def uses_model(self, measures: Collection[str], settings: CoverageSettings, given: Collection[str]) -> bool:
        """Whether a model judges the texts, or splits the summaries."""
        return "coverage" not in given and (settings.entailer != "lexical" or settings.splitter != "sentence")

    def scorer(self, measures: Sequence[str], settings: CoverageSettings) -> CoverageScorer:
        """A scorer, see `CoverageScorer`."""
        from fairsum_utils.coverage.scorer import CoverageScorer

        return CoverageScorer(measures, settings)

    def table(self, rows: Iterable[CoverageRow] = ()) -> CoverageTable:
        """A table of rows, see `CoverageTable`."""
        from fairsum_utils.coverage.table import CoverageTable

        return CoverageTable(rows)

    def results(
        self,
        table: CoverageTable,
        measures: Sequence[str],
        settings: CoverageSettings,
        scorer: CoverageScorer,
        given: Collection[str],
    ) -> Results:
        """The measures of a table, see `aggregate`."""
        from fairsum_utils.coverage.results import aggregate

        return aggregate(table, measures, settings, scorer.signature(measures[0], given))

    def records(
        self, rows: Sequence[CoverageRow], measures: Sequence[str], settings: CoverageSettings
    ) -> list[dict[str, Any]]:
        """One record a sample, see `sample_records`."""
        from fairsum_utils.coverage.results import sample_records

        return sample_records(rows, measures, settings)

    def record(self, measures: Sequence[str], settings: CoverageSettings) -> dict[str, Any]:
        """Key of a record -> its type."""
        from fairsum_utils.coverage.results import record_types

        return record_types(measures)

    def same_sample(self, a: CoverageRow, b: CoverageRow) -> bool:
        """Whether the rows of two systems can be of the same sample."""
        return a.values == b.values

    def compare(
        self,
        a: CoverageTable,
        b: CoverageTable,
        measures: Sequence[str],
        settings: CoverageSettings,
        scorer: CoverageScorer,
        given: Collection[str],
        n_skipped: int,
    ) -> Results:
        """Two systems on the same samples, see `compare_tables`."""
        from fairsum_utils.coverage.results import compare_tables

        return compare_tables(a, b, measures, settings, scorer.signature(measures[0], given), n_skipped=n_skipped)


FAMILY = Coverage()
