"""The polarity family: how generated texts sound, and how far groups of them differ in that (papers/bold)."""

from __future__ import annotations

import importlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsum_utils.families import Family, Results
from fairsum_utils.families.columns import GROUPS, PREDICTIONS
from fairsum_utils.families.polarity.settings import PolaritySettings
from fairsum_utils.inference.settings import InferenceSettings
from fairsum_utils.validation import check_group, check_text

if TYPE_CHECKING:
    from fairsum_utils.families.attribution import Attribution
    from fairsum_utils.families.polarity.rows import PolarityRow
    from fairsum_utils.families.polarity.scorer import PolarityScorer
    from fairsum_utils.families.polarity.table import PolarityTable
    from fairsum_utils.stats.sums import AnySums, Sums

__all__ = ["FAMILY"]


class Polarity(Family):
    """Texts -> a `PolarityScorer` for each measure -> rows -> `PolarityTable` -> results."""

    name = "polarity"
    place = 3
    columns = (PREDICTIONS._replace(needed=True, label="text"), GROUPS)
    urls = ("https://doi.org/10.1145/3442188.3445924", "https://github.com/amazon-science/bold")
    citation = """\
@inproceedings{dhamala-etal-2021-bold,
  title     = {{BOLD}: Dataset and Metrics for Measuring Biases in Open-Ended Language Generation},
  author    = {Dhamala, Jwala and Sun, Tony and Kumar, Varun and Krishna, Satyapriya and Pruksachatkun, Yada and
               Chang, Kai-Wei and Gupta, Rahul},
  booktitle = {Proceedings of the 2021 ACM Conference on Fairness, Accountability, and Transparency (FAccT)},
  year      = {2021},
  url       = {https://doi.org/10.1145/3442188.3445924}
}
"""
    returns = (
        "`proportions` and `intervals` by label; `proportions_by_group`, `intervals_by_group`, `counts_by_group` and "
        "`n_by_group`; `differences` and ratios of proportions between groups; `tests` by label, with p-values "
        "corrected by Holm; `n_samples`, `n_skipped`, `skipped` and `signature`; with `return_samples` also `samples`; "
        "`undefined` says why the score is nan."
    )
    task = "text-generation"
    comparable = False

    def settings(self, measure: str) -> type[PolaritySettings]:
        """The class of a measure's settings; each measure has one."""
        return PolaritySettings.by_measure[measure]

    def uses_model(self, measures: Collection[str], settings: PolaritySettings, given: Collection[str]) -> bool:
        """Whether a classifier labels the texts."""
        return isinstance(settings, InferenceSettings)

    def check_sample(self, module: str, index: int, sample: Mapping[str, Any]) -> None:
        """Refuse a sample that is not a text and, if there are groups, the group of the text."""
        if "groups" in sample:
            check_group(f"{module}: sample {index}", "group", sample["groups"])
        check_text(module, index, "prediction", sample["predictions"])

    def scorer(self, measures: Sequence[str], settings: PolaritySettings) -> PolarityScorer:
        """A scorer of one measure, see `PolarityScorer`."""
        file, _, name = settings.scorer.partition(".")
        scorer: PolarityScorer = getattr(importlib.import_module(f"{__package__}.{file}"), name)(measures, settings)
        return scorer

    def table(self, rows: Iterable[PolarityRow] = ()) -> PolarityTable:
        """A table of rows, see `PolarityTable`."""
        from fairsum_utils.families.polarity.table import PolarityTable

        return PolarityTable(rows)

    def sums(self, table: PolarityTable, measures: Sequence[str], settings: Any, scorer: Any) -> Sums:
        """What the results need of a table, see `sums_of`."""
        from fairsum_utils.families.polarity.results import sums_of

        return sums_of(table)

    def results(
        self,
        sums: AnySums,
        measures: Sequence[str],
        settings: PolaritySettings,
        scorer: PolarityScorer,
        given: Collection[str],
    ) -> Results:
        """The measure of a data set, see `aggregate`."""
        from fairsum_utils.families.polarity.results import aggregate

        [name] = measures
        made = scorer.signature(name, given)
        return {name: aggregate(sums, settings, labels=scorer.labels, counted=scorer.counted, made=made)}

    def records(
        self, rows: Sequence[PolarityRow], measures: Sequence[str], settings: PolaritySettings
    ) -> list[dict[str, Any]]:
        """One record a text, see `sample_records`."""
        from fairsum_utils.families.polarity.results import sample_records

        return sample_records(rows)

    def file_records(
        self, rows: Sequence[PolarityRow], measures: Sequence[str], settings: PolaritySettings
    ) -> list[dict[str, Any]]:
        """One record a text, in which what the measure says stands under its name; see `file_records`."""
        from fairsum_utils.families.polarity.results import file_records

        return file_records(rows, settings)

    def read_record(self, row: Mapping[str, Any], measure: str, settings: PolaritySettings) -> dict[str, Any]:
        """A record from a row of a file of samples, of what stands there under the name of the measure."""
        from fairsum_utils.families.polarity.results import plain_words

        read = super().read_record(row, measure, settings)
        record = read | (read.pop(measure, None) or {})
        if record.get("evidence") is not None:
            record["evidence"] = plain_words(record["evidence"])
        return record

    def record_types(self, measures: Sequence[str], settings: PolaritySettings) -> dict[str, Any]:
        """Key of a record of `file_records` -> its type."""
        from fairsum_utils.families.polarity.results import record_types

        return record_types(settings)

    def attribution(
        self,
        measures: Sequence[str],
        settings: PolaritySettings,
        sample: Mapping[str, Any],
        record: Mapping[str, Any],
    ) -> Attribution:
        """The words that decided, see `attribution`."""
        from fairsum_utils.families.polarity.attribution import attribution

        return attribution(settings, sample, record)


FAMILY = Polarity()
