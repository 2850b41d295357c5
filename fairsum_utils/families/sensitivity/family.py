"""The sensitivity family: does a summary change when only the person is changed, or only the order?"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsum_utils.families import Column, Family, Results, System
from fairsum_utils.families.columns import ARTICLE_IDS, PREDICTIONS, SOURCES, VALUES
from fairsum_utils.families.sensitivity.settings import SensitivitySettings

if TYPE_CHECKING:
    from fairsum_utils.families.attribution import Attribution
    from fairsum_utils.families.cautions import Caution
    from fairsum_utils.families.sensitivity.rows import SensitivityRow
    from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
    from fairsum_utils.families.sensitivity.table import SensitivityTable
    from fairsum_utils.stats.sums import AnySums, Sums

__all__ = ["FAMILY"]

_ORDER = ("order_sensitivity",)


class Sensitivity(Family):
    """Texts -> `SensitivityScorer` -> rows -> `SensitivityTable` -> results."""

    name = "sensitivity"
    by_sample = False
    place = 5
    columns = (
        PREDICTIONS._replace(needed=True),
        ARTICLE_IDS._replace(
            needed=True,
            help="the original that the input of a summary was made from, a string or a whole number",
            without=None,
        ),
        Column(
            name="variants",
            entry="variant",
            kind=str,
            help="the group, or the order, that the input of the summary had",
            needed=True,
            in_file="variant",
        ),
        Column(
            name="replicates",
            entry="replicate",
            kind=str,
            help="which of the summaries of one input this is: a string or a whole number, None if that is not known",
            in_file="replicate",
            without="tell the summaries of an input apart by their place",
            sparse=True,
        ),
        Column(
            name="controls",
            entry="control",
            kind=str,
            help="an edit of the input that should not matter, such as another place or date, by its id: a string or a "
            "whole number, None for an input without one",
            in_file="control",
            without="take each input for one without such an edit",
            sparse=True,
        ),
        Column(
            name="changed",
            entry="changed",
            kind=list[str],
            help="the words that stand in the input because of its variant or its control edit, such as names, titles, "
            "places and dates: they are no difference",
            taken=("counterfactual_gap", "counterfactual_outcomes"),
            in_file="changed",
            label="word that the variant or the control edit put in",
            without="know of no such words",
            sparse=True,
        ),
        SOURCES._replace(
            help="the source texts of an input, in its order, at least one",
            needed=_ORDER,
            taken=(*_ORDER, "counterfactual_gap", "counterfactual_outcomes"),
            without="show no inputs beside the summaries",
            sparse=True,
        ),
        VALUES._replace(needed=_ORDER, taken=_ORDER),
    )
    returns = (
        "`variants` (variant -> its inputs), `n_samples`, `n_articles` (originals), `n_inputs`, `n_controls`, "
        "`n_replicated`, `n_repeated`, `n_skipped`, `skipped` and `signature`; with `confidence_level` also intervals "
        "of `{name}`, `_ci` by resampling originals, expanded for how few they are, and `_ci_within` by resampling the "
        "summaries of each input, and their `_lost`; with `return_samples` also `samples`; `undefined` says why the "
        "score or an interval is nan."
    )
    urls = ("https://arxiv.org/abs/2506.19028",)
    citation = """\
@inproceedings{xu-etal-2025-fisco,
  title     = {Quantifying Fairness in {LLM}s Beyond Tokens: A Semantic and Statistical Perspective},
  author    = {Xu, Weijie and Wang, Yiwen and Xue, Chi and Hu, Xiangkun and Fang, Xi and Dong, Guimin and
               Reddy, Chandan K.},
  booktitle = {Second Conference on Language Modeling (COLM)},
  year      = {2025},
  url       = {https://arxiv.org/abs/2506.19028}
}
"""

    def settings(self, measure: str) -> type[SensitivitySettings]:
        """The class of the settings, which is one for all measures."""
        return SensitivitySettings

    def uses_model(self, measures: Collection[str], settings: SensitivitySettings, given: Collection[str]) -> bool:
        """Whether a neural model scores or compares the summaries."""
        from fairsum_utils.families.sensitivity.tally import tally_of

        return any(tally_of(measure).asks_model(settings) for measure in measures)

    def check_sample(self, module: str, index: int, sample: Mapping[str, Any]) -> None:
        """Refuse a sample that is not as described, see `check_row`."""
        from fairsum_utils.families.sensitivity.samples import check_row

        check_row(module, index, sample)

    def scorer(self, measures: Sequence[str], settings: SensitivitySettings) -> SensitivityScorer:
        """A scorer, see `SensitivityScorer`."""
        from fairsum_utils.families.sensitivity.scorer import SensitivityScorer

        return SensitivityScorer(measures, settings)

    def table(self, rows: Iterable[SensitivityRow] = ()) -> SensitivityTable:
        """A table of rows, see `SensitivityTable`."""
        from fairsum_utils.families.sensitivity.table import SensitivityTable

        return SensitivityTable(rows)

    def sums(
        self,
        table: SensitivityTable,
        measures: Sequence[str],
        settings: SensitivitySettings,
        scorer: SensitivityScorer,
    ) -> Sums:
        """What the results need of a table, see `sums_of`."""
        from fairsum_utils.families.sensitivity.results import sums_of

        return sums_of(table, measures, settings, scorer)

    def results(
        self,
        sums: AnySums,
        measures: Sequence[str],
        settings: SensitivitySettings,
        scorer: SensitivityScorer,
        given: Collection[str],
    ) -> Results:
        """The measures of a data set, see `aggregate`."""
        from fairsum_utils.families.sensitivity.results import aggregate

        there = _there(given, sums)
        return {name: aggregate(sums, name, settings, scorer.signature(name, there)) for name in measures}

    def records(
        self, rows: Sequence[SensitivityRow], measures: Sequence[str], settings: SensitivitySettings
    ) -> list[dict[str, Any]]:
        """One record a sample, see `sample_records`."""
        from contextlib import closing

        from fairsum_utils.families.sensitivity.results import sample_records

        with closing(self.scorer(measures, settings)) as scorer:
            return sample_records(rows, measures, settings, scorer)

    def record_types(self, measures: Sequence[str], settings: SensitivitySettings) -> dict[str, Any]:
        """Key of a record in a file -> its type."""
        from fairsum_utils.families.sensitivity.results import record_types

        return record_types(measures)

    def attribution(
        self,
        measures: Sequence[str],
        settings: SensitivitySettings,
        sample: Mapping[str, Any],
        record: Mapping[str, Any],
    ) -> Attribution:
        """The words that the variant put in, and those that another variant's summary lacks; see `attribution`."""
        from fairsum_utils.families.sensitivity.attribution import attribution

        return attribution(settings, sample, record)

    def cautions(self, sums: AnySums, settings: SensitivitySettings) -> list[Caution]:
        """What the rows have against the scores of the measures that were asked for, see `Tally.cautions`."""
        from dataclasses import replace

        from fairsum_utils.families.sensitivity import junk
        from fairsum_utils.families.sensitivity.tally import tally_of

        of_measures = [
            replace(caution, measure=measure)
            for measure in self.measures
            for caution in tally_of(measure).cautions(sums)
        ]
        return [*junk.cautions(sums), *of_measures]

    def needs_all_rows(self, measures: Collection[str]) -> bool:
        """Whether summaries are compared with those of other samples."""
        from fairsum_utils.families.sensitivity.tally import tally_of

        return any(tally_of(measure).compares for measure in measures)

    def draw(
        self,
        systems: Sequence[AnySums],
        measures: Sequence[str],
        settings: SensitivitySettings,
        scorer: SensitivityScorer,
    ) -> list[System]:
        """The scores of several systems and their replicates, see `draw_systems`."""
        from fairsum_utils.families.sensitivity.results import draw_systems

        return draw_systems(systems, measures, settings)

    def compare(
        self,
        a: System,
        b: System,
        measures: Sequence[str],
        settings: SensitivitySettings,
        scorer: SensitivityScorer,
        given: Collection[str],
        n_skipped: int,
    ) -> Results:
        """Two systems on the same samples, see `compare_originals`."""
        from fairsum_utils.families.comparing import compare_originals

        there = _there(given, a.sums, b.sums)
        return {
            name: compare_originals(a, b, name, scorer.signature(name, there), n_skipped=n_skipped) for name in measures
        }


def _there(given: Collection[str], *systems: AnySums) -> set[str]:
    """The columns without `changed` if no sample has an entry there, as in a file without it."""
    return {name for name in given if name != "changed" or any(sums.counts[("changed",)] for sums in systems)}


FAMILY = Sensitivity()
