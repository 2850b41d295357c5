"""The representation family: whose voice a summary carries. BUR, UER, AUC and SOF (papers/fairsumm-v1, -v2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsum_utils.families import Column, Family, Results, System
from fairsum_utils.families.columns import PREDICTIONS, SOURCES, VALUES
from fairsum_utils.families.representation.settings import RepresentationSettings
from fairsum_utils.validation import check_sample

if TYPE_CHECKING:
    from fairsum_utils.families.attribution import Attribution
    from fairsum_utils.families.cautions import Caution
    from fairsum_utils.families.chance import ChanceLevel
    from fairsum_utils.families.representation.rows import DistributionRow
    from fairsum_utils.families.representation.scorer import DistributionScorer
    from fairsum_utils.families.representation.table import DistributionTable
    from fairsum_utils.stats.sums import AnySums, Sums

__all__ = ["FAMILY"]


class Representation(Family):
    """Texts -> `DistributionScorer` -> rows -> `DistributionTable` -> results."""

    name = "representation"
    place = 1
    columns = (
        *(column._replace(needed=True) for column in (PREDICTIONS, SOURCES, VALUES)),
        Column(
            name="target_distributions",
            entry="distribution",
            kind=dict[str, float],
            help="value -> share or whole count of the summary, as annotators give it, say, instead of matching",
            of_system=True,
            stored=False,
        ),
    )
    citation = """\
@inproceedings{zhang-etal-2024-fair,
  title     = {Fair Abstractive Summarization of Diverse Perspectives},
  author    = {Zhang, Yusen and Zhang, Nan and Liu, Yixin and Fabbri, Alexander and Liu, Junru and Kamoi, Ryo and
               Lu, Xiaoxin and Xiong, Caiming and Zhao, Jieyu and Radev, Dragomir and McKeown, Kathleen and Zhang, Rui},
  booktitle = {Proceedings of NAACL-HLT 2024},
  year      = {2024},
  url       = {https://aclanthology.org/2024.naacl-long.187}
}
"""
    returns = (
        "`{name}_multi_value`, `n_multi_value`, `n_by_value`, `ratio_by_value`, `n_samples`, `n_skipped`, `skipped`, "
        "`n_unmatched`, `signature` and `warnings`; with a neural matcher also `n_truncated`; with `confidence_level` "
        "also `{name}_ci` and `{name}_ci_lost`; with `at_random` also `{name}_at_random`, the chance level, and "
        "`{name}_at_random_range` (not of sof); with `return_samples` also `samples`; `undefined` says why a score is "
        "nan."
    )
    urls = ("https://aclanthology.org/2024.naacl-long.187", "https://github.com/psunlpgroup/FairSumm")

    def settings(self, measure: str) -> type[RepresentationSettings]:
        """The class of the settings, which is one for all measures."""
        return RepresentationSettings

    def needed(self, measure: str, given: Collection[str]) -> tuple[str, ...]:
        """Columns the measure needs; given distributions or a given matcher replace the summary."""
        if PREDICTIONS.name not in given and {"target_distributions", "matcher"} & {*given}:
            return SOURCES.name, VALUES.name
        return super().needed(measure, given)

    def uses_model(self, measures: Collection[str], settings: RepresentationSettings, given: Collection[str]) -> bool:
        """Whether a neural model matches the summaries."""
        return settings.matcher != "ngram" and "target_distributions" not in given

    def check_sample(self, module: str, index: int, sample: Mapping[str, Any]) -> None:
        """Refuse a sample that is not a summary, its source texts and one value for each."""
        check_sample(module, index, sample["predictions"], sample["sources"], sample["values"])

    def scorer(self, measures: Sequence[str], settings: RepresentationSettings) -> DistributionScorer:
        """A scorer, see `DistributionScorer`."""
        from fairsum_utils.families.representation.scorer import DistributionScorer

        return DistributionScorer(measures, settings)

    def table(self, rows: Iterable[DistributionRow] = ()) -> DistributionTable:
        """A table of rows, see `DistributionTable`."""
        from fairsum_utils.families.representation.table import DistributionTable

        return DistributionTable(rows)

    def sums(
        self, table: DistributionTable, measures: Sequence[str], settings: RepresentationSettings, scorer: Any
    ) -> Sums:
        """What the results need of a table, see `sums_of`."""
        from fairsum_utils.families.representation.chance import put_at_random
        from fairsum_utils.families.representation.results import sums_of

        sums = sums_of(table, measures, settings)
        if settings.at_random:
            put_at_random(sums, table, measures, settings)
        return sums

    def results(
        self,
        sums: AnySums,
        measures: Sequence[str],
        settings: RepresentationSettings,
        scorer: DistributionScorer,
        given: Collection[str],
    ) -> Results:
        """The measures of a data set, see `aggregate`."""
        from fairsum_utils.families.chance import beside_scores
        from fairsum_utils.families.representation.results import aggregate

        results = aggregate(sums, measures, settings, scorer.signature(measures[0], given))
        return beside_scores(results, self.at_random(sums, measures, settings, given))

    def records(
        self, rows: Sequence[DistributionRow], measures: Sequence[str], settings: RepresentationSettings
    ) -> list[dict[str, Any]]:
        """One record a sample, see `sample_records`."""
        from fairsum_utils.families.representation.results import sample_records

        return sample_records(rows, measures, settings)

    def attribution(
        self,
        measures: Sequence[str],
        settings: RepresentationSettings,
        sample: Mapping[str, Any],
        record: Mapping[str, Any],
    ) -> Attribution:
        """Where the k-grams stand that were counted, see `attribute`."""
        from fairsum_utils.families.representation.attribution import attribute

        return attribute(settings, sample, record)

    def at_random(
        self, sums: AnySums, measures: Sequence[str], settings: RepresentationSettings, given: Collection[str]
    ) -> dict[str, ChanceLevel]:
        """The chance level of each measure: summaries of random words."""
        from fairsum_utils.families.representation.chance import levels

        return levels(sums, measures, settings, given) if settings.at_random else {}

    def cautions(self, sums: AnySums, settings: RepresentationSettings) -> list[Caution]:
        """Summaries that match nothing, and samples that cannot be unfair."""
        from fairsum_utils.families.representation.results import cautions

        return cautions(sums, settings)

    def record_types(self, measures: Sequence[str], settings: RepresentationSettings) -> dict[str, Any]:
        """Key of a record -> its type."""
        from fairsum_utils.families.representation.results import record_types

        return record_types(measures, settings)

    def quality(self, sums: AnySums) -> dict[str, float]:
        """The share of the scored summaries that have something in common with their sources."""
        from fairsum_utils.families.representation.results import share_unmatched

        return {"share_matched": 1 - share_unmatched(sums)}

    def draw(
        self,
        systems: Sequence[AnySums],
        measures: Sequence[str],
        settings: RepresentationSettings,
        scorer: Any,
    ) -> list[System]:
        """The scores of several systems and their replicates, see `draw_systems`."""
        from fairsum_utils.families.representation.results import draw_systems

        return draw_systems(systems, measures, settings)

    def compare(
        self,
        a: System,
        b: System,
        measures: Sequence[str],
        settings: RepresentationSettings,
        scorer: DistributionScorer,
        given: Collection[str],
        n_skipped: int,
    ) -> Results:
        """Two systems on the same samples, see `compare_systems`."""
        from fairsum_utils.families.chance import beside_systems
        from fairsum_utils.families.representation.results import compare_systems

        results = compare_systems(a, b, measures, settings, scorer.signature(measures[0], given), n_skipped=n_skipped)
        of_a, of_b = (self.at_random(system.sums, measures, settings, given) for system in (a, b))
        return beside_systems(results, of_a, of_b)


FAMILY = Representation()
