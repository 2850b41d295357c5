"""Interface of families: measures, columns, settings and scoring functions."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from importlib.util import find_spec
from itertools import compress, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias, TypeVar, cast

from fairsum_utils.cleaning import cleaned
from fairsum_utils.errors import InputError
from fairsum_utils.families.columns import ORIGINAL, SAMPLE, Column, Unit
from fairsum_utils.families.marks import Attribution, PersonOutcome
from fairsum_utils.families.reading import EMPTY, FOREIGN, UNLABELLED, LeftOut, check_row, drop_unlabelled
from fairsum_utils.measures import get_measure, measures_of
from fairsum_utils.measures._measure import Reads

if TYPE_CHECKING:
    from fairsum_utils.families.arrow import Recorded
    from fairsum_utils.families.table import Table
    from fairsum_utils.families.warnings import WarningRecord
    from fairsum_utils.stats.intervals import Estimate
    from fairsum_utils.stats.sums import Sums


_Result = TypeVar("_Result")
_Held = TypeVar("_Held")
Results: TypeAlias = dict[str, dict[str, Any]]
"""Measure -> its result."""


class System(NamedTuple):
    """One of several compared systems: its sums and bootstrap replicates.

    Attributes:
        sums: sums of its rows.
        scores: measure -> the measure on these sums, see `fairsum_utils.families.engine.Score`.
        drawn: measure -> score and replicates, from the same draws for all systems.
        name: name of the system, for messages.
        withheld: name and reason, if its scores are withheld.
    """

    sums: Sums
    scores: Mapping[str, Any]
    drawn: Mapping[str, Estimate]
    name: str = ""
    withheld: str = ""


class Scorer(ABC):
    """Base class of scorers, which convert texts to rows.

    Args:
        measures: measures of the family.
        settings: checked settings.

    Attributes:
        module: name used in messages.
        evidence: rows include evidence.
        window: number of samples scored together, for batches of texts with similar lengths.
        leaves_out: leave out texts in another language; False if the language of the texts is a setting.
    """

    window: int = 1
    leaves_out: bool = True

    def __init__(self, measures: Sequence[str], settings: Any) -> None:
        self.measures = tuple(measures)
        self.settings = settings
        self.module: str = settings.module
        self._held: dict[str, Any] = {}
        self.evidence = False

    @cached_property
    def joins_dashes(self) -> bool:
        """Return whether a dash without blanks joins two words, as published."""
        reads_words = getattr(self.settings, "entailer", "lexical") == "lexical"
        return reads_words and getattr(self.settings, "chosen_normalizer", "simple") != "simple"

    @cached_property
    def family(self) -> Family:
        """Family of the measures."""
        return family_of(self.measures[0])

    @cached_property
    def reads(self) -> Reads:
        """Needed words of the texts; a session, which knows all settings, sets them."""
        reads: Reads = self.settings.reads
        return reads

    def checked(self, index: int, row: Mapping[str, Any]) -> Any:
        """Check a row, column -> entry, and return it as a sample."""
        return self.family.check_sample(self.module, index, row)

    def is_empty(self, sample: Any) -> bool:
        """Check whether the summary of a sample is blank."""
        return not sample.prediction.strip()

    def why_not(self, sample: Any) -> str | None:
        """Return why a sample has no score, if that is known in advance."""
        return EMPTY if self.is_empty(sample) else None

    def read(self, columns: Mapping[str, Iterable[Any]], *, start: int = 0) -> Iterator[Any]:
        """Clean and check samples without computing anything.

        All texts, labels and ids of all callers pass through here.

        Args:
            columns: column -> entries, all of equal length.
            start: index of the first sample.

        Raises:
            InputError: a sample is malformed.
        """
        drops = self.settings.unlabelled == "drop"
        for index, entries in enumerate(zip(*columns.values(), strict=True), start):
            where, entry_of = f"{self.module}: sample {index}", dict(zip(columns, entries, strict=True))
            row, notes = cleaned(where, entry_of, reasoning=self.settings.reasoning, dashes=self.joins_dashes)
            n_dropped = 0
            if drops:
                labelled = drop_unlabelled(self.family.columns, row)
                if labelled is None:
                    yield LeftOut(index, UNLABELLED, notes=notes)
                    continue
                row, n_dropped = labelled
            sample = self.checked(index, row)
            sample = replace(sample, notes=notes, n_dropped=n_dropped) if notes or n_dropped else sample
            if self.settings.empty == "error" and self.is_empty(sample):
                others = (choice for choice in self.settings.infos()["empty"].choices if choice != "error")
                raise InputError(
                    f"{self.module}: sample {index}: the prediction is empty; remove the sample, or choose "
                    f"empty={' or '.join(map(repr, others))}"
                )
            yield sample

    def spaced_texts(self, sample: Any) -> Sequence[str]:
        """Return texts of a sample whose words must be separated by spaces."""
        return ()

    def english_texts(self, sample: Any) -> Sequence[str]:
        """Return texts of a sample whose words must be English."""
        return ()

    def left_out(self, index: int, reason: str, sample: Any | None) -> Any:
        """Return the row of a sample that is left out, checked or not."""
        return self.family.table.row(index, skipped=reason)

    def score(self, samples: Sequence[Any]) -> list[Any]:
        """Return a row for each sample of `read`, scored together."""
        reasons = list(map(self.why_not, samples))
        ready = [sample for sample, reason in zip(samples, reasons, strict=True) if reason is None]
        rows = iter(self.scored(ready) if ready else ())
        return [
            next(rows) if reason is None else self.left_out(sample.index, reason, sample)
            for sample, reason in zip(samples, reasons, strict=True)
        ]

    @abstractmethod
    def scored(self, samples: Sequence[Any]) -> Iterable[Any]:
        """Yield the rows of samples; a model receives all texts together."""

    @abstractmethod
    def signature(self, measure: str, given: Collection[str]) -> dict[str, object]:
        """Return the settings that change the rows of a measure; may load a model.

        Args:
            measure: name of the measure.
            given: given columns.
        """

    def check(self, samples: Sequence[Any]) -> None:  # noqa: B027 (most have nothing to check)
        """Reject a complete set of samples, before scoring, that `results` would reject."""

    def rows(self, samples: Iterable[Any]) -> Iterator[Any]:
        """Yield the rows of samples window by window."""
        from fairsum_utils.stats.sums import content_digest
        from fairsum_utils.text.languages import notice

        waiting = iter(samples)
        while together := list(islice(waiting, self.window)):
            noticed = [
                None
                if isinstance(sample, LeftOut) or self.is_empty(sample)
                else notice(self.spaced_texts(sample), self.english_texts(sample))
                for sample in together
            ]
            is_foreign = [self.leaves_out and each is not None and each.leaves_out for each in noticed]
            is_scored = [
                not (foreign or isinstance(sample, LeftOut))
                for sample, foreign in zip(together, is_foreign, strict=True)
            ]
            scored = iter(self.score(list(compress(together, is_scored))))
            for sample, language, foreign in zip(together, noticed, is_foreign, strict=True):
                if isinstance(sample, LeftOut):
                    row = self.left_out(sample.index, sample.reason, None)
                else:
                    row = self.left_out(sample.index, FOREIGN, sample) if foreign else next(scored)
                # The row is new and used nowhere else; `replace` takes 20 times as long.
                object.__setattr__(row, "content", content_digest(sample.content))
                object.__setattr__(row, "notes", sample.notes)
                object.__setattr__(row, "language", None if language is None else language.language)
                object.__setattr__(row, "n_dropped", 0 if row.skipped else sample.n_dropped)
                yield row

    def held(self, name: str, load: Callable[[], _Held]) -> _Held:
        """Load a resource such as a model once and keep it until `close`."""
        if name not in self._held:
            self._held[name] = load()
        return cast(_Held, self._held[name])

    def close(self) -> None:
        """Release models and other resources; they are reloaded on demand."""
        while self._held:
            _, held = self._held.popitem()
            if hasattr(held, "close"):
                held.close()


# Function of a family -> where it is defined, in one of the family's files.
FUNCTIONS: Mapping[str, str] = {
    "check_sample": "samples.check_row",
    "scorer": "scorer.make_scorer",
    "table": "rows.make_table",
    "sums": "results.sums_of",
    "results": "results.results_of",
    "recorded": "results.recorded",
    "marks": "attribution.attribution",
    "outcomes": "attribution.outcomes",
    "warnings_of": "results.warnings_of",
    "quality": "results.quality",
    "draw": "results.draw_systems",
    "compare": "results.compare_systems",
}
# Function that a family may lack -> what stands in for it.
INSTEAD: Mapping[str, Callable[..., Any]] = {
    "check_sample": check_row,
    "outcomes": lambda sample, record: [],
    "warnings_of": lambda sums, settings: [],
    "quality": lambda sums: {},
}


class Family:
    """Data and rules of a family; every family's folder has the same files.

    Attributes:
        name: name of the family and its folder.
        place: position among the families in lists.
        columns: columns of its samples, in the order of positional arguments.
        urls: URLs of the paper and its code.
        citation: BibTeX entry of the paper.
        returns: keys of all results, for documentation; ``{name}`` is replaced by the measure's name.
        task: Hub task of its texts.
        comparable: two systems can be compared on the same samples.
        by_sample: samples add to the sums independently; if not, all samples of an original must come together.
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

    # Check a sample (module, index, column -> entry), whatever the settings, and return it.
    check_sample: Callable[[str, int, Mapping[str, Any]], Any]
    # Make a scorer whose rows are to serve these measures under these settings.
    scorer: Callable[[Sequence[str], Any], Scorer]
    # Put the rows of a data set in columns.
    table: type[Table[Any]]
    # Sum up what `results` needs of a table, by samples or originals (table, measures, settings, scorer of the rows);
    # the settings are seeded and sized, and buckets add up with those of others.
    sums: Callable[[Any, Sequence[str], Any, Any], Sums]
    # Compute measures from the sums of a data set whose samples had the given columns; the scorer is for signatures.
    results: Callable[[Sums, Sequence[str], Any, Any, Collection[str]], Results]
    # Return the keys of a sample's record for these measures, with their types and how they are computed.
    recorded: Callable[[Sequence[str], Any], Recorded]
    # Find where in the texts of a sample (column -> entry) the scorer found what it counted, see `attribution`.
    marks: Callable[[Sequence[str], Any, Mapping[str, Any], Mapping[str, Any]], Attribution]
    # List the outcome of each person of a sample, from the sample and its record; empty without persons.
    outcomes: Callable[[Mapping[str, Any], Mapping[str, Any]], list[PersonOutcome]]
    # List what speaks against the scores of a system, besides what any result shows; see `WarningRecord`.
    warnings_of: Callable[[Sums, Any], list[WarningRecord]]
    # Return shares that describe a system's summaries besides fairness, by name; more is better.
    quality: Callable[[Sums], dict[str, float]]
    # Compute the scores of several systems, of the same samples in the same order, and their bootstrap replicates, all
    # from the same draws; the settings have a confidence level.
    draw: Callable[[Sequence[Sums], Sequence[str], Any], list[System]]
    # Compare two systems of one `draw`: a, b, scorer, given columns.
    compare: Callable[[System, System, Any, Collection[str]], Results]

    @property
    def measures(self) -> tuple[str, ...]:
        """Names of its measures, in the order of the paper."""
        return measures_of(self.name)

    @property
    def unit(self) -> Unit:
        """Unit of scores and of the bootstrap."""
        return SAMPLE if self.by_sample else ORIGINAL

    @cache  # noqa: B019 (families live as long as the process)
    def columns_of(self, measure: str) -> tuple[Column, ...]:
        """Return the columns a measure can use; those it needs are not sparse."""
        kind, found = get_measure(measure), []
        for column in self.columns:
            if column.name in kind.needs:
                column = column._replace(sparse=False, without=None) if column.sparse else column
                found.append(column._replace(needed=True))
            elif column.name in kind.takes:
                found.append(column)
        return tuple(found)

    def attribution(
        self, measures: Sequence[str], settings: Any, sample: Mapping[str, Any], record: Mapping[str, Any]
    ) -> Attribution:
        """Find the places in a sample's texts that counted, without a model.

        Args:
            measures: names of measures with the same settings.
            settings: their settings.
            sample: entries of the sample by column, as they were read (see `texts_as_read`).
            record: record of the sample.
        """
        # A scored sample may only lack labels if texts without a label were dropped.
        labelled = drop_unlabelled(self.columns, sample)
        return self.marks(measures, settings, sample if labelled is None else labelled[0], record)

    def records(self, rows: Sequence[Any], measures: Sequence[str], settings: Any) -> list[dict[str, Any]]:
        """Make the record of each row for these measures, also of skipped samples."""
        return self.recorded(measures, settings).of(rows, self.table().row)

    def record_types(self, measures: Sequence[str], settings: Any) -> dict[str, Any]:
        """Return the type of each key of `records`."""
        return self.recorded(measures, settings).types(self.table().row)

    def __getattr__(self, name: str) -> Any:
        """Import a scoring function on first use."""
        if name not in FUNCTIONS:
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        file, _, function = FUNCTIONS[name].partition(".")
        path = f"{__package__}.{self.name}.{file}"
        module = importlib.import_module(path) if find_spec(path) else None
        found = getattr(module, function, None) or getattr(getattr(module, "ENGINE", None), function, None)
        if found is None and name not in INSTEAD:
            raise TypeError(f"the family {self.name} has no function {function} in {path}; add it")
        vars(self)[name] = found or INSTEAD[name]
        return vars(self)[name]


@cache
def families() -> dict[str, Family]:
    """Return all families by name, ordered by `place`.

    Example:
        >>> list(families())[:2]
        ['representation', 'coverage']
    """
    folders = [path.parent.name for path in Path(__file__).parent.glob("*/__init__.py")]
    found: list[Family] = [importlib.import_module(f"{__package__}.{name}").FAMILY for name in folders]
    return {family.name: family for family in sorted(found, key=lambda family: (family.place, family.name))}


@cache
def all_measures() -> tuple[str, ...]:
    """All measures, family by family, in the order of the papers.

    Example:
        >>> all_measures()[:4]
        ('bur', 'uer', 'auc', 'sof')
    """
    return tuple(name for family in families().values() for name in family.measures)


@cache
def family_of(measure: str) -> Family:
    """Return the family of a measure.

    Example:
        >>> family_of("uer").name
        'representation'
    """
    return families()[get_measure(measure).family]


def by_family(results: Mapping[str, _Result]) -> Iterator[tuple[Family, dict[str, _Result]]]:
    """Group results of measures by family, without empty families.

    Example:
        >>> [(family.name, [*results]) for family, results in by_family({"regard": {}, "uer": {}, "bur": {}})]
        [('representation', ['uer', 'bur']), ('polarity', ['regard'])]
    """
    for family in families().values():
        chosen = {name: result for name, result in results.items() if name in family.measures}
        if chosen:
            yield family, chosen


def summary_measures() -> tuple[str, ...]:
    """List the measures of a summary and its grouped sources, for training loops.

    Example:
        >>> summary_measures()[:2]
        ('bur', 'uer')
    """
    columns = {"predictions", "sources", "values"}
    return tuple(name for name in all_measures() if set(get_measure(name).needs) == columns)
