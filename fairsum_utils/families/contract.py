"""The contract that each family fulfils: its measures, columns and settings, and the verbs that score with them."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias, TypeVar

from fairsum_utils.families.columns import Column
from fairsum_utils.families.settings import MeasureSettings, Setting
from fairsum_utils.families.units import ORIGINAL, SAMPLE, Unit
from fairsum_utils.measures import get_measure, measures_of

if TYPE_CHECKING:
    from fairsum_utils.families.attribution import Attribution
    from fairsum_utils.families.cautions import Caution
    from fairsum_utils.families.chance import ChanceLevel
    from fairsum_utils.families.table import Table
    from fairsum_utils.stats.intervals import Estimate
    from fairsum_utils.stats.sums import BucketSums, Sums

__all__ = [
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

_Result = TypeVar("_Result")
Results: TypeAlias = dict[str, dict[str, Any]]
"""Measure -> its result."""


class System(NamedTuple):
    """One of several systems on the same samples: its sums, and its scores with their bootstrap replicates.

    Attributes:
        sums: of its rows.
        drawn: measure -> its score and replicates; all systems have theirs from the same draws.
        details: what else the family needs to compare it with another.
        name: of the system, for reasons why something is undefined.
    """

    sums: Sums | BucketSums
    drawn: Mapping[str, Estimate]
    details: Any = None
    name: str = ""


class Scorer(ABC):
    """Texts to rows, for some measures of a family. What is heavy is loaded when the first sample needs it.

    Args:
        measures: of the family.
        settings: of these measures; they were checked.

    Attributes:
        module: name used in messages.
        evidence: keep what decided in the rows.
        window: samples that are scored together, so that the batches of a model hold texts of like length.
    """

    window: int = 1

    def __init__(self, measures: Sequence[str], settings: Any) -> None:
        self.measures = tuple(measures)
        self.settings = settings
        self.module: str = settings.module
        self.evidence = False

    @abstractmethod
    def read(self, columns: Mapping[str, Iterable[Any]], *, start: int = 0) -> Iterator[Any]:
        """Check samples; nothing is computed.

        Args:
            columns: column -> its entries, of equal lengths.
            start: index of the first sample.

        Raises:
            InputError: a sample is not as described.
        """

    @abstractmethod
    def score(self, samples: Sequence[Any]) -> list[Any]:
        """A row for each sample of `read`, scored together."""

    @abstractmethod
    def signature(self, measure: str, given: Collection[str]) -> dict[str, object]:
        """What changes the rows of a measure: key -> value. May load what is heavy.

        Args:
            measure: whose rows.
            given: the columns that were given.
        """

    def check(self, samples: Sequence[Any]) -> None:  # noqa: B027 (most have nothing to check)
        """Refuse samples that `results` would refuse, before any is scored; called only if there are no others."""

    def rows(self, samples: Iterable[Any]) -> Iterator[Any]:
        """The rows of samples, window by window, as they come."""
        from fairsum_utils.stats.sums import content_digest

        waiting = iter(samples)
        while together := list(islice(waiting, self.window)):
            for sample, row in zip(together, self.score(together), strict=True):
                yield replace(row, content=content_digest(sample.content))

    def close(self) -> None:  # noqa: B027 (most have nothing to let go of)
        """Let go of what is heavy; it is loaded again when it is needed."""


class Family(ABC):
    """What is to be known of a family. Its folder holds the same files in every family, named as the verbs here.

    Attributes:
        name: of the family and its folder.
        place: among the families, wherever they are listed.
        columns: what its samples consist of, in the order of positional arguments.
        urls: the paper and its code.
        citation: of the paper, as BibTeX.
        returns: what the results of all its measures hold, for their documentation; ``{name}`` is the measure's.
        task: what the Hub calls that which its texts come from.
        comparable: whether two systems can be compared on the same samples.
        by_sample: whether each sample adds to the sums by itself; if not, those of an original must come together.
    """

    name: ClassVar[str]
    place: ClassVar[int]
    columns: ClassVar[tuple[Column, ...]]
    urls: ClassVar[tuple[str, ...]]
    citation: ClassVar[str]
    returns: ClassVar[str]
    task: ClassVar[str] = "summarization"
    comparable: ClassVar[bool] = True
    by_sample: ClassVar[bool] = True

    @property
    def measures(self) -> tuple[str, ...]:
        """Its measures, in the order of the paper."""
        return measures_of(self.name)

    @property
    def unit(self) -> Unit:
        """What its scores are made from, and what the bootstrap draws."""
        return SAMPLE if self.by_sample else ORIGINAL

    @abstractmethod
    def settings(self, measure: str) -> type[MeasureSettings]:
        """The class of a measure's settings."""

    def taken(self, measure: str) -> dict[str, Setting]:
        """The settings that a measure takes, by name."""
        return self.settings(measure).infos(measure)

    def columns_of(self, measure: str) -> tuple[Column, ...]:
        """The columns that a measure can use; one that only others can do without is as any that is needed."""
        return tuple(
            column._replace(sparse=False, without=None) if column.sparse and column.needed_by(measure) else column
            for column in self.columns
            if column.takes(measure)
        )

    def needed(self, measure: str, given: Collection[str]) -> tuple[str, ...]:
        """The columns that a measure cannot do without.

        Args:
            measure: of the family.
            given: columns that are there, some of which stand for others.
        """
        return tuple(column.name for column in self.columns_of(measure) if column.needed_by(measure))

    def uses_model(self, measures: Collection[str], settings: Any, given: Collection[str]) -> bool:
        """Whether a neural model scores the samples.

        Args:
            measures: that are asked for.
            settings: of these.
            given: columns that are there.
        """
        return False

    @abstractmethod
    def check_sample(self, module: str, index: int, sample: Mapping[str, Any]) -> None:
        """Refuse a sample that is not as described, whatever the settings.

        Args:
            module: name used in messages.
            index: of the sample.
            sample: column -> entry, of the columns that are given.

        Raises:
            InputError: an entry is not as described.
        """

    @abstractmethod
    def scorer(self, measures: Sequence[str], settings: Any) -> Scorer:
        """A scorer.

        Args:
            measures: that its rows are to serve.
            settings: of these.

        Raises:
            InputError: a setting that takes a look at a file, say, is not as described.
        """

    @abstractmethod
    def table(self, rows: Iterable[Any] = ()) -> Table[Any]:
        """The rows of a data set in columns."""

    @abstractmethod
    def sums(self, table: Any, measures: Sequence[str], settings: Any, scorer: Any) -> Sums:
        """What `results` needs of a table, by samples or originals; its buckets add up with those of others.

        Args:
            table: of the rows.
            measures: to compute.
            settings: of these; seeded and sized.
            scorer: that made the rows.

        Raises:
            InputError: a row that lacks what a measure needs.
        """

    @abstractmethod
    def results(
        self,
        sums: Sums | BucketSums,
        measures: Sequence[str],
        settings: Any,
        scorer: Any,
        given: Collection[str],
    ) -> Results:
        """The measures of what `sums` made of rows.

        Args:
            sums: of the rows.
            measures: to compute.
            settings: of these; seeded and sized.
            scorer: that made the rows, for the signature.
            given: the columns that the samples had.
        """

    @abstractmethod
    def records(self, rows: Sequence[Any], measures: Sequence[str], settings: Any) -> list[dict[str, Any]]:
        """One record a sample, skipped ones included: what its row says for these measures, as JSON has it."""

    def file_records(self, rows: Sequence[Any], measures: Sequence[str], settings: Any) -> list[dict[str, Any]]:
        """The same records as a file of samples has them: every key has one type, see `record_types`."""
        return self.records(rows, measures, settings)

    def part_of(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """The family's part of a row of a file of samples: the row, or what stands under the family's name.

        Args:
            row: as JSON or Arrow has it.
        """
        part = row.get(self.name)
        return part if isinstance(part, Mapping) else row

    def read_record(self, row: Mapping[str, Any], measure: str, settings: Any) -> dict[str, Any]:
        """A record of `records` from a row of a file of samples, which `file_records` made; keys may be missing.

        Args:
            row: as JSON or Arrow has it; of a file of several families the family's part, see `part_of`.
            measure: of the family.
            settings: of the measure.
        """
        from fairsum_utils.families.table import as_annotated

        types = self.record_types((measure,), settings)
        return {key: as_annotated(row[key], kind) for key, kind in types.items() if key in row}

    @abstractmethod
    def record_types(self, measures: Sequence[str], settings: Any) -> dict[str, Any]:
        """Key of a record in a file of samples -> its type, whatever a record lacks."""

    def attribution(
        self, measures: Sequence[str], settings: Any, sample: Mapping[str, Any], record: Mapping[str, Any]
    ) -> Attribution:
        """Where in the texts of a sample that stands which the measures counted; nothing where no words decide.

        What it marks is what the scorer counted, no more and no less. No model is asked again.

        Args:
            measures: of the family, under the same settings.
            settings: of these.
            sample: column -> entry.
            record: what `records` says of it.
        """
        from fairsum_utils.families.attribution import NOTHING

        return NOTHING

    def at_random(
        self, sums: Sums | BucketSums, measures: Sequence[str], settings: Any, given: Collection[str]
    ) -> dict[str, ChanceLevel]:
        """Measure -> its chance level; empty if none were asked for, or the family has none.

        Args:
            sums: of the rows.
            measures: to compute.
            settings: of these.
            given: the columns that the samples had.
        """
        return {}

    def cautions(self, sums: Sums | BucketSums, settings: Any) -> list[Caution]:
        """What the rows of a system have against its scores, besides what any result shows; see `Caution`.

        Args:
            sums: of the rows.
            settings: of the measures.
        """
        return []

    def needs_all_rows(self, measures: Collection[str]) -> bool:
        """Whether the record of a sample needs the rows of all samples."""
        return False

    def quality(self, sums: Sums | BucketSums) -> dict[str, float]:
        """What the rows of a system say of its summaries besides fairness: name -> share, in which more is better.

        Args:
            sums: of the rows.
        """
        return {}

    def draw(
        self, systems: Sequence[Sums | BucketSums], measures: Sequence[str], settings: Any, scorer: Any
    ) -> list[System]:
        """The scores of several systems and their bootstrap replicates, all from the same draws.

        Time grows with the number of systems, as if each were scored alone with an interval.

        Args:
            systems: the sums of each, of the same samples in the same order.
            measures: to score.
            settings: of these, with a confidence level; seeded and sized.
            scorer: that made the rows.

        Raises:
            InputError: the systems do not have the same samples, or none.
        """
        raise NotImplementedError

    def compare(
        self,
        a: System,
        b: System,
        measures: Sequence[str],
        settings: Any,
        scorer: Any,
        given: Collection[str],
        n_skipped: int,
    ) -> Results:
        """Two systems on the same samples, by a paired bootstrap.

        Args:
            a: system A, of `draw`.
            b: system B, of the same call.
            measures: to compare.
            settings: of these, with a confidence level; seeded and sized.
            scorer: that made the rows.
            given: the columns that the samples had.
            n_skipped: samples that were left out because a system left them without a score.
        """
        raise NotImplementedError


@cache
def families() -> dict[str, Family]:
    """All families by name, in the order of their places: the folders of this package with a file ``family.py``.

    Example:
        >>> list(families())[:2]
        ['representation', 'coverage']
    """
    folders = [path.parent.name for path in Path(__file__).parent.glob("*/family.py")]
    found: list[Family] = [importlib.import_module(f"{__package__}.{name}.family").FAMILY for name in folders]
    return {family.name: family for family in sorted(found, key=lambda family: (family.place, family.name))}


def all_measures() -> tuple[str, ...]:
    """All measures, family by family, in the order of the papers.

    Example:
        >>> all_measures()[:4]
        ('bur', 'uer', 'auc', 'sof')
    """
    return tuple(name for family in families().values() for name in family.measures)


def family_of(measure: str) -> Family:
    """The family of a measure.

    Example:
        >>> family_of("uer").name
        'representation'
    """
    return families()[get_measure(measure).family]


def by_family(results: Mapping[str, _Result]) -> Iterator[tuple[Family, dict[str, _Result]]]:
    """Results of measures, family by family, those families left out that have none.

    Args:
        results: measure -> result.

    Example:
        >>> [(family.name, [*results]) for family, results in by_family({"regard": {}, "uer": {}, "bur": {}})]
        [('representation', ['uer', 'bur']), ('polarity', ['regard'])]
    """
    for family in families().values():
        chosen = {name: result for name, result in results.items() if name in family.measures}
        if chosen:
            yield family, chosen


def summary_measures() -> tuple[str, ...]:
    """Measures of a summary and its sources, with a value each: those that a training loop can ask for.

    Example:
        >>> summary_measures()[:2]
        ('bur', 'uer')
    """
    columns = {"predictions", "sources", "values"}
    return tuple(name for name in all_measures() if set(family_of(name).needed(name, ())) == columns)
