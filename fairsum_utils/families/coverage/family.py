"""The coverage family: whose documents a summary draws on. Equal Coverage and Coverage Parity (coverage-fairness)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsum_utils.families import Column, Family, Results, System
from fairsum_utils.families.columns import PREDICTIONS, SOURCES, VALUES
from fairsum_utils.families.coverage.settings import CoverageSettings
from fairsum_utils.validation import check_sample

if TYPE_CHECKING:
    from fairsum_utils.families.attribution import Attribution
    from fairsum_utils.families.cautions import Caution
    from fairsum_utils.families.chance import ChanceLevel
    from fairsum_utils.families.coverage.rows import CoverageRow
    from fairsum_utils.families.coverage.scorer import CoverageScorer
    from fairsum_utils.families.coverage.table import CoverageTable
    from fairsum_utils.stats.sums import AnySums, Sums

__all__ = ["FAMILY"]


class Coverage(Family):
    """Texts -> `CoverageScorer` -> rows -> `CoverageTable` -> results."""

    name = "coverage"
    place = 2
    columns = (
        *(column._replace(needed=True) for column in (PREDICTIONS, SOURCES, VALUES)),
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
    citation = """\
@inproceedings{li-etal-2025-coverage,
  title     = {Coverage-based Fairness in Multi-document Summarization},
  author    = {Li, Haoyuan and Zhang, Yusen and Zhang, Rui and Chaturvedi, Snigdha},
  booktitle = {Proceedings of NAACL-HLT 2025},
  year      = {2025},
  url       = {https://aclanthology.org/2025.naacl-long.494}
}
"""
    returns = (
        "`by_dominant_value`, `n_by_value`, `mean_coverage`, `n_samples`, `n_skipped`, `skipped`, `n_truncated` and "
        "`signature`; with `confidence_level` also `{name}_ci` and `{name}_ci_lost`; with `at_random` also "
        "`{name}_at_random`, the chance level, and `{name}_at_random_range` (not of coverage_parity); with "
        "`return_samples` also `samples`; `undefined` says why a score is nan."
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

    def check_sample(self, module: str, index: int, sample: Mapping[str, Any]) -> None:
        """Refuse a sample that is not a summary, its documents and one value for each; texts may be left out."""
        from fairsum_utils.families.coverage.scorer import with_texts

        whole = with_texts(sample)
        check_sample(module, index, whole["predictions"], whole["sources"], whole["values"])

    def scorer(self, measures: Sequence[str], settings: CoverageSettings) -> CoverageScorer:
        """A scorer, see `CoverageScorer`."""
        from fairsum_utils.families.coverage.scorer import CoverageScorer

        return CoverageScorer(measures, settings)

    def table(self, rows: Iterable[CoverageRow] = ()) -> CoverageTable:
        """A table of rows, see `CoverageTable`."""
        from fairsum_utils.families.coverage.table import CoverageTable

        return CoverageTable(rows)

    def sums(self, table: CoverageTable, measures: Sequence[str], settings: CoverageSettings, scorer: Any) -> Sums:
        """What the results need of a table, see `sums_of`."""
        from fairsum_utils.families.coverage.chance import put_at_random
        from fairsum_utils.families.coverage.results import sums_of

        sums = sums_of(table, measures, settings)
        if settings.at_random:
            put_at_random(sums, table, measures, settings)
        return sums

    def results(
        self,
        sums: AnySums,
        measures: Sequence[str],
        settings: CoverageSettings,
        scorer: CoverageScorer,
        given: Collection[str],
    ) -> Results:
        """The measures of a data set, see `aggregate`."""
        from fairsum_utils.families.chance import beside_scores
        from fairsum_utils.families.coverage.results import aggregate

        results = aggregate(sums, measures, settings, scorer.signature(measures[0], given))
        return beside_scores(results, self.at_random(sums, measures, settings, given))

    def records(
        self, rows: Sequence[CoverageRow], measures: Sequence[str], settings: CoverageSettings
    ) -> list[dict[str, Any]]:
        """One record a sample, see `sample_records`."""
        from fairsum_utils.families.coverage.results import sample_records

        return sample_records(rows, measures, settings)

    def read_record(self, row: Mapping[str, Any], measure: str, settings: CoverageSettings) -> dict[str, Any]:
        """A record from a row of a file of samples; the evidence in dicts."""
        record = super().read_record(row, measure, settings)
        if record.get("evidence") is not None:
            record["evidence"] = [unit._asdict() for unit in record["evidence"]]
        return record

    def attribution(
        self,
        measures: Sequence[str],
        settings: CoverageSettings,
        sample: Mapping[str, Any],
        record: Mapping[str, Any],
    ) -> Attribution:
        """The units of a summary and the chunks that cover them best, see `attribution`."""
        from fairsum_utils.families.coverage.attribution import attribution

        return attribution(settings, sample, record)

    def at_random(
        self, sums: AnySums, measures: Sequence[str], settings: CoverageSettings, given: Collection[str]
    ) -> dict[str, ChanceLevel]:
        """The chance level of each measure: summaries of random sentences."""
        from fairsum_utils.families.coverage.chance import levels

        return levels(sums, measures, settings, given) if settings.at_random else {}

    def cautions(self, sums: AnySums, settings: CoverageSettings) -> list[Caution]:
        """Summaries that no document covers."""
        from fairsum_utils.families.coverage.results import cautions

        return cautions(sums)

    def record_types(self, measures: Sequence[str], settings: CoverageSettings) -> dict[str, Any]:
        """Key of a record -> its type."""
        from fairsum_utils.families.coverage.results import record_types

        return record_types(measures)

    def quality(self, sums: AnySums) -> dict[str, float]:
        """How far the documents cover a summary, on average."""
        from fairsum_utils.families.coverage.results import mean_coverage

        return {"mean_coverage": mean_coverage(sums)}

    def draw(
        self, systems: Sequence[AnySums], measures: Sequence[str], settings: CoverageSettings, scorer: Any
    ) -> list[System]:
        """The scores of several systems and their replicates, see `draw_systems`."""
        from fairsum_utils.families.coverage.results import draw_systems

        return draw_systems(systems, measures, settings)

    def compare(
        self,
        a: System,
        b: System,
        measures: Sequence[str],
        settings: CoverageSettings,
        scorer: CoverageScorer,
        given: Collection[str],
        n_skipped: int,
    ) -> Results:
        """Two systems on the same samples, see `compare_systems`."""
        from fairsum_utils.families.chance import beside_systems
        from fairsum_utils.families.coverage.results import compare_systems

        results = compare_systems(a, b, measures, settings, scorer.signature(measures[0], given), n_skipped=n_skipped)
        of_a, of_b = (self.at_random(system.sums, measures, settings, given) for system in (a, b))
        return beside_systems(results, of_a, of_b)


FAMILY = Coverage()
