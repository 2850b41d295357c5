"""The entities family: how summaries of news treat the groups of persons (papers/news-summarization-bias)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

from fairsum_utils.families import Column, Family, Results, System
from fairsum_utils.families.columns import ARTICLE_IDS, GROUPS, PAIR_IDS, PREDICTIONS, SOURCES
from fairsum_utils.families.entities.settings import EntitySettings

if TYPE_CHECKING:
    from fairsum_utils.families.attribution import Attribution
    from fairsum_utils.families.entities.rows import EntityRow
    from fairsum_utils.families.entities.scorer import EntityScorer
    from fairsum_utils.families.entities.table import EntityTable
    from fairsum_utils.stats.sums import AnySums, Sums

__all__ = ["FAMILY", "Person"]

_WORDS, _INCLUSION, _HALLUCINATION, _DISTINGUISHABILITY = (
    "word_list_inclusion",
    "entity_inclusion",
    "entity_hallucination",
    "distinguishability",
)


class Person(TypedDict):
    """A person of the sources; with `is_modified` False one whose group the text does not tell."""

    first_name: str | None
    last_name: str | None
    group: str
    is_modified: bool | None


class Entities(Family):
    """Texts -> `EntityScorer` -> rows -> `EntityTable` -> results."""

    name = "entities"
    by_sample = False
    place = 4
    columns = (
        PREDICTIONS._replace(needed=True),
        SOURCES._replace(
            kind=str | list[str],
            help="the text that a summary was made from, or a list of texts",
            needed=(_WORDS, _HALLUCINATION),
            taken=(_WORDS, _HALLUCINATION),
            label="text that it was made from",
        ),
        Column(
            name="entities",
            entry="entities",
            kind=list[Person],
            help="the persons in the sources: group, and first_name or last_name or both; with is_modified False a "
            "person is known, but not counted. Samples of an original keep one order",
            needed=(_INCLUSION,),
            taken=(_INCLUSION, _HALLUCINATION, _DISTINGUISHABILITY),
            in_file="entities",
            label="person in the text that it was made from",
            without="go without",
        ),
        Column(
            name="mentions",
            entry="mentions",
            kind=list[str],
            help="the names of persons in the summary, as written there, instead of those that `ner` finds",
            taken=(_INCLUSION, _HALLUCINATION, _DISTINGUISHABILITY),
            of_system=True,
            label="names of persons in the summary",
        ),
        ARTICLE_IDS._replace(needed=(_DISTINGUISHABILITY,)),
        GROUPS._replace(needed=(_DISTINGUISHABILITY,), taken=(_DISTINGUISHABILITY,)),
        PAIR_IDS._replace(taken=(_WORDS, _INCLUSION, _HALLUCINATION)),
    )
    returns = (
        "`n_samples`, `n_articles` (originals), `n_skipped`, `skipped` and `signature`; with `confidence_level` also "
        "intervals, `_ci` by resampling originals and `_ci_within` by resampling their samples or pairs (`n_unpaired` "
        "are drawn singly), of `{name}` and `{name}_by_group`, and their `_lost`; with `return_samples` also "
        "`samples`; `undefined` says why the score or an interval is nan."
    )
    urls = ("https://aclanthology.org/2024.findings-acl.356", "https://github.com/julmaxi/summary_bias")
    citation = """\
@inproceedings{steen-markert-2024-bias,
  title     = {Bias in News Summarization: Measures, Pitfalls and Corpora},
  author    = {Steen, Julius and Markert, Katja},
  booktitle = {Findings of the Association for Computational Linguistics: ACL 2024},
  year      = {2024},
  url       = {https://aclanthology.org/2024.findings-acl.356}
}
"""

    def settings(self, measure: str) -> type[EntitySettings]:
        """The class of the settings, which is one for all measures."""
        return EntitySettings

    def uses_model(self, measures: Collection[str], settings: EntitySettings, given: Collection[str]) -> bool:
        """Whether a neural model embeds the summaries."""
        return settings.embedding == "dense"

    def check_sample(self, module: str, index: int, sample: Mapping[str, Any]) -> None:
        """Refuse a sample that is not as described, see `check_row`."""
        from fairsum_utils.families.entities.samples import check_row

        check_row(module, index, sample)

    def scorer(self, measures: Sequence[str], settings: EntitySettings) -> EntityScorer:
        """A scorer, see `EntityScorer`."""
        from fairsum_utils.families.entities.scorer import EntityScorer

        return EntityScorer(measures, settings)

    def table(self, rows: Iterable[EntityRow] = ()) -> EntityTable:
        """A table of rows, see `EntityTable`."""
        from fairsum_utils.families.entities.table import EntityTable

        return EntityTable(rows)

    def sums(self, table: EntityTable, measures: Sequence[str], settings: EntitySettings, scorer: EntityScorer) -> Sums:
        """What the results need of a table, see `sums_of`."""
        from fairsum_utils.families.entities.results import sums_of

        return sums_of(table, measures, settings)

    def results(
        self,
        sums: AnySums,
        measures: Sequence[str],
        settings: EntitySettings,
        scorer: EntityScorer,
        given: Collection[str],
    ) -> Results:
        """The measures of a data set, see `aggregate`."""
        from fairsum_utils.families.entities.results import aggregate

        return {
            name: aggregate(sums, name, settings, scorer.signature(name, given), scorer.groups(name))
            for name in measures
        }

    def records(
        self, rows: Sequence[EntityRow], measures: Sequence[str], settings: EntitySettings
    ) -> list[dict[str, Any]]:
        """One record a sample, see `sample_records`."""
        from fairsum_utils.families.entities.results import sample_records

        return sample_records(rows, measures, settings)

    def file_records(
        self, rows: Sequence[EntityRow], measures: Sequence[str], settings: EntitySettings
    ) -> list[dict[str, Any]]:
        """One record a sample for a file, see `fairsum_utils.families.entities.results.file_records`."""
        from fairsum_utils.families.entities.results import file_records

        return file_records(rows, measures, settings)

    def read_record(self, row: Mapping[str, Any], measure: str, settings: EntitySettings) -> dict[str, Any]:
        """A record from a row of a file of samples; the evidence in one place."""
        record = super().read_record(row, measure, settings)
        if "persons" in record:
            persons = [person._asdict() for person in record.pop("persons") or ()]
            record["evidence"] = {"persons": persons, "anonymized": record.pop("anonymized", None)}
        return record

    def record_types(self, measures: Sequence[str], settings: EntitySettings) -> dict[str, Any]:
        """Key of a record in a file -> its type."""
        from fairsum_utils.families.entities.results import record_types

        return record_types(measures, settings)

    def attribution(
        self, measures: Sequence[str], settings: EntitySettings, sample: Mapping[str, Any], record: Mapping[str, Any]
    ) -> Attribution:
        """Identifiers and persons in the texts, see `fairsum_utils.families.entities.attribution.attribution`."""
        from fairsum_utils.families.entities.attribution import attribution

        return attribution(measures, settings, sample, record)

    def needs_all_rows(self, measures: Collection[str]) -> bool:
        """Whether summaries are compared with those of other samples."""
        return _DISTINGUISHABILITY in measures

    def draw(
        self, systems: Sequence[AnySums], measures: Sequence[str], settings: EntitySettings, scorer: EntityScorer
    ) -> list[System]:
        """The scores of several systems and their replicates, see `draw_systems`."""
        from fairsum_utils.families.entities.results import draw_systems

        return draw_systems(systems, measures, settings, {name: scorer.groups(name) for name in measures})

    def compare(
        self,
        a: System,
        b: System,
        measures: Sequence[str],
        settings: EntitySettings,
        scorer: EntityScorer,
        given: Collection[str],
        n_skipped: int,
    ) -> Results:
        """Two systems on the same samples, see `compare_originals`."""
        from fairsum_utils.families.comparing import compare_originals

        return {
            name: compare_originals(a, b, name, scorer.signature(name, given), n_skipped=n_skipped) for name in measures
        }


FAMILY = Entities()
