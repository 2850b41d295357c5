"""The contract that each family fulfils: its measures, columns and settings, and the verbs that score with them."""

from __future__ import annotations

import importlib
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias, TypeVar, cast

from fairsum_utils.errors import InputError
from fairsum_utils.families.columns import Column
from fairsum_utils.families.settings import MeasureSettings, Setting
from fairsum_utils.measures import get_measure, measures_of
from fairsum_utils.validation import as_float

if TYPE_CHECKING:
    from fairsum_utils.families.chance import ChanceLevel
    from fairsum_utils.families.table import Table
    from fairsum_utils.families.warnings import WarningRecord
    from fairsum_utils.stats.intervals import Estimate
    from fairsum_utils.stats.sums import AnySums, Sums


_Result = TypeVar("_Result")
_Held = TypeVar("_Held")
Results: TypeAlias = dict[str, dict[str, Any]]
"""Measure -> its result."""


class System(NamedTuple):
    """One of several systems on the same samples: its sums, and its scores with their bootstrap replicates.

    Attributes:
        sums: sums of its rows.
        drawn: measure -> its score and replicates; all systems have theirs from the same draws.
        details: data of the family for comparisons.
        name: name of the system, for messages.
    """

    sums: AnySums
    drawn: Mapping[str, Estimate]
    details: Any = None
    name: str = ""


class Scorer(ABC):
    """Turns texts into rows, for some measures of a family; models are loaded with the first sample.

    Args:
        measures: measures of the family.
        settings: their settings, checked.

    Attributes:
        module: name used in messages.
        evidence: whether rows hold evidence.
        window: samples that are scored together, so that the batches of a model hold texts of like length.
    """

    window: int = 1

    def __init__(self, measures: Sequence[str], settings: Any) -> None:
        self.measures = tuple(measures)
        self.settings = settings
        self.module: str = settings.module
        self._held: dict[str, Any] = {}
        self.evidence = False

    @abstractmethod
    def checked(self, index: int, row: Mapping[str, Any]) -> Any:
        """Make a sample of a row, column -> entry; refuse one that is not as described."""

    def is_empty(self, sample: Any) -> bool:
        """Tell whether the summary of a sample is blank."""
        return not sample.prediction.strip()

    def read(self, columns: Mapping[str, Iterable[Any]], *, start: int = 0) -> Iterator[Any]:
        """Check samples; nothing is computed.

        Args:
            columns: column -> its entries, of equal lengths.
            start: index of the first sample.

        Raises:
            InputError: a sample is not as described.
        """
        for index, entries in enumerate(zip(*columns.values(), strict=True), start):
            sample = self.checked(index, dict(zip(columns, entries, strict=True)))
            if self.settings.empty == "error" and self.is_empty(sample):
                others = (choice for choice in self.settings.infos()["empty"].choices if choice != "error")
                raise InputError(
                    f"{self.module}: sample {index}: the prediction is empty; drop it, or choose "
                    f"empty={' or '.join(map(repr, others))}"
                )
            yield sample

    @abstractmethod
    def score(self, samples: Sequence[Any]) -> list[Any]:
        """A row for each sample of `read`, scored together."""

    @abstractmethod
    def signature(self, measure: str, given: Collection[str]) -> dict[str, object]:
        """Return the settings that change the rows of a measure, by key; may load a model.

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

    def held(self, name: str, load: Callable[[], _Held]) -> _Held:
        """Load something heavy, such as a model, when it is first asked for, and keep it until `close`."""
        if name not in self._held:
            self._held[name] = load()
        return cast(_Held, self._held[name])

    def close(self) -> None:
        """Drop what is heavy; it is loaded again when it is needed."""
        while self._held:
            _, held = self._held.popitem()
            if hasattr(held, "close"):
                held.close()


# Verb of a family -> the function in one of its files.
VERBS: Mapping[str, str] = {
    "check_sample": "scorer.check_row",
    "scorer": "scorer.make_scorer",
    "table": "rows.make_table",
    "sums": "results.sums_of",
    "results": "results.results_of",
    "records": "results.sample_records",
    "file_records": "results.file_records",
    "from_file": "results.from_file",
    "record_types": "results.record_types",
    "attribution": "attribution.attribution",
    "fates": "attribution.fates",
    "at_random": "chance.at_random",
    "warnings_of": "results.warnings_of",
    "quality": "results.quality",
    "draw": "results.draw_systems",
    "compare": "results.compare_systems",
}
# Verb that a family may lack -> the answer then.
INSTEAD: Mapping[str, Callable[..., Any]] = {
    "from_file": lambda record, measure: record,
    "fates": lambda sample, record: [],
    "at_random": lambda sums, measures, settings, given: {},
    "warnings_of": lambda sums, settings: [],
    "quality": lambda sums: {},
}


class Family:
    """Data and rules of a family. Its folder holds the same files in every family, in which the verbs are found.

    Attributes:
        name: name of the family and its folder.
        place: position among the families, wherever they are listed.
        columns: columns of its samples, in the order of positional arguments.
        urls: addresses of the paper and its code.
        citation: BibTeX entry of the paper.
        settings_class: class of its settings.
        returns: keys that the results of all its measures hold, for their documentation; ``{name}`` is the measure's.
        task: task of the Hub that its texts come from.
        comparable: whether two systems can be compared on the same samples.
        by_sample: whether each sample adds to the sums by itself; if not, those of an original must come together.
    """

    name: ClassVar[str]
    place: ClassVar[int]
    columns: ClassVar[tuple[Column, ...]]
    urls: ClassVar[tuple[str, ...]]
    citation: ClassVar[str]
    settings_class: ClassVar[type[MeasureSettings]]
    returns: ClassVar[str]
    task: ClassVar[str] = "summarization"
    comparable: ClassVar[bool] = True
    by_sample: ClassVar[bool] = True

    # Refuse a sample (module, index, column -> entry) that is not as described, whatever the settings.
    check_sample: Callable[[str, int, Mapping[str, Any]], None]
    # Make a scorer whose rows are to serve these measures under these settings.
    scorer: Callable[[Sequence[str], Any], Scorer]
    # Put the rows of a data set in columns.
    table: Callable[..., Table[Any]]
    # Sum up what `results` needs of a table, by samples or originals (table, measures, settings, scorer of the rows);
    # the settings are seeded and sized, and buckets add up with those of others.
    sums: Callable[[Any, Sequence[str], Any, Any], Sums]
    # Compute measures from the sums of a data set whose samples had the given columns; the scorer is for signatures.
    results: Callable[[AnySums, Sequence[str], Any, Any, Collection[str]], Results]
    # Make one JSON record a sample, skipped ones included, with what its row says for these measures.
    records: Callable[[Sequence[Any], Sequence[str], Any], list[dict[str, Any]]]
    # Make the same records for a file of samples, where every key has one type, see `record_types`.
    file_records: Callable[[Sequence[Any], Sequence[str], Any], list[dict[str, Any]]]
    # Turn a record of `file_records` into one of `records`, of a measure.
    from_file: Callable[[dict[str, Any], str], dict[str, Any]]
    # Return the type of each key of a record in a file of samples.
    record_types: Callable[[Sequence[str], Any], dict[str, Any]]
    # Find where in the texts of a sample (column -> entry) the scorer found what it counted, without a model: measures
    # of the same settings, settings, sample and its record.
    attribution: Callable[[Sequence[str], Any, Mapping[str, Any], Mapping[str, Any]], Attribution]
    # Tell the fate of each person of a sample from it and its record; nothing where no persons are counted.
    fates: Callable[[Mapping[str, Any], Mapping[str, Any]], list[Fate]]
    # Compute the chance level of each measure; none if none were asked for, or the family has none.
    at_random: Callable[[AnySums, Sequence[str], Any, Collection[str]], dict[str, ChanceLevel]]
    # List what speaks against the scores of a system, besides what any result shows; see `WarningRecord`.
    warnings_of: Callable[[AnySums, Any], list[WarningRecord]]
    # Return shares that describe a system's summaries besides fairness, by name; more is better.
    quality: Callable[[AnySums], dict[str, float]]
    # Compute the scores of several systems, of the same samples in the same order, and their bootstrap replicates, all
    # from the same draws; the settings have a confidence level.
    draw: Callable[[Sequence[AnySums], Sequence[str], Any, Any], list[System]]
    # Compare two systems of one `draw`: a, b, measures, settings, scorer, given columns, samples that were left out.
    compare: Callable[[System, System, Sequence[str], Any, Any, Collection[str], int], Results]

    @property
    def measures(self) -> tuple[str, ...]:
        """Names of its measures, in the order of the paper."""
        return measures_of(self.name)

    @property
    def unit(self) -> Unit:
        """Units that its scores are made from and that the bootstrap draws."""
        return SAMPLE if self.by_sample else ORIGINAL

    def settings(self, measure: str) -> type[MeasureSettings]:
        """Return the class of a measure's settings."""
        return self.settings_class

    @cache  # noqa: B019
    def taken(self, measure: str) -> Mapping[str, Setting]:
        """Return the settings that a measure takes, by name."""
        return self.settings(measure).infos(measure)

    @cache  # noqa: B019 (families live as long as the process)
    def columns_of(self, measure: str) -> tuple[Column, ...]:
        """Return the columns that a measure can use; a sparse one that it needs is no longer sparse."""
        return tuple(
            column._replace(sparse=False, without=None) if column.sparse and column.needed_by(measure) else column
            for column in self.columns
            if column.takes(measure)
        )

    def needed(self, measure: str, given: Collection[str]) -> tuple[str, ...]:
        """Return the columns that a measure cannot do without.

        Args:
            measure: name of the measure.
            given: columns that are there, some of which stand for others.
        """
        return self._always_needed(measure)

    @cache  # noqa: B019
    def _always_needed(self, measure: str) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns_of(measure) if column.needed_by(measure))

    def uses_model(self, measures: Collection[str], settings: Any, given: Collection[str]) -> bool:
        """Tell whether a neural model scores the samples.

        Args:
            measures: names of the measures asked for.
            settings: their settings.
            given: columns that are there.
        """
        return False

    def needs_all_rows(self, measures: Collection[str]) -> bool:
        """Tell whether the record of a sample needs the rows of all samples."""
        return False

    def part_of(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the family's part of a row of a file of samples: the row, or the entry under the family's name."""
        part = row.get(self.name)
        return part if isinstance(part, Mapping) else row

    def read_record(self, row: Mapping[str, Any], measure: str, settings: Any) -> dict[str, Any]:
        """Read a record of `records` from a row of a file of samples; keys may be missing.

        Args:
            row: the row, from JSON or Arrow; in a file of several families the family's part, see `part_of`.
            measure: name of the measure.
            settings: its settings.
        """
        from fairsum_utils.families.table import as_annotated

        types = self.record_types((measure,), settings)
        return self.from_file({key: as_annotated(row[key], kind) for key, kind in types.items() if key in row}, measure)

    def __getattr__(self, verb: str) -> Any:
        """Import the function of a verb where it is first used; later calls go to it directly."""
        if verb not in VERBS:
            raise AttributeError(f"{type(self).__name__} has no attribute {verb!r}")
        file, _, function = VERBS[verb].partition(".")
        path = f"{__package__}.{self.name}.{file}"
        found = getattr(importlib.import_module(path), function, None) if find_spec(path) else None
        if found is None and verb == "file_records":
            found = self.records
        elif found is None and verb not in INSTEAD:
            raise TypeError(f"the family {self.name} needs a function {function} in {path}")
        vars(self)[verb] = found or INSTEAD[verb]
        return vars(self)[verb]


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
    """The family of a measure.

    Example:
        >>> family_of("uer").name
        'representation'
    """
    return families()[get_measure(measure).family]


def by_family(results: Mapping[str, _Result]) -> Iterator[tuple[Family, dict[str, _Result]]]:
    """Results of measures, family by family, those families left out that have none.

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


class Span(NamedTuple):
    """A stretch of a text.

    Attributes:
        start: its first character, in the text as it was given.
        end: the character after its last one.
        names: values or groups that it counts for, sorted; may be empty.
        kind: ``"word"``, or ``"unit"`` for a statement, ``"chunk"`` for what covers it, ``"person"``; measures of
            polarity have ``"plus"`` and ``"minus"``.
        key: stretches of a sample with the same key belong together, such as all of the word "soup"; empty for none.
        said: remark, such as ``"counted as soup"``.
    """

    start: int
    end: int
    names: tuple[str, ...] = ()
    kind: str = "word"
    key: str = ""
    said: str = ""


class Attribution(NamedTuple):
    """Stretches of a sample that counted, in the order of their starts; they may overlap.

    Attributes:
        prediction: stretches of the summary, or of the generated text.
        sources: stretches of each source text.
    """

    prediction: Sequence[Span] = ()
    sources: Sequence[Sequence[Span]] = ()


NOTHING = Attribution()
"""Attribution of samples without known words that decided."""


class Fate(NamedTuple):
    """The fate of a person.

    Attributes:
        name: name of the source's person, or as the summary has it.
        group: group of the person, or of the name of one who is made up; None if unknown.
        fate: ``"named"`` or ``"left out"`` for persons of the sources, ``"made up"``, ``"ambiguous"`` or ``"no match"``
            for others whom the summary names; empty where nothing is known.
        is_counted: whether the person counts for the group.
    """

    name: str
    group: str | None
    fate: str
    is_counted: bool = True


class Unit(NamedTuple):
    """Unit of scores.

    Attributes:
        name: name in words, as in keys of results.
        counted: keys of a result with their number; the first one present counts.
        few: code of the warning about few of them.
    """

    name: str
    counted: tuple[str, ...]
    few: str

    @property
    def several(self) -> str:
        """The name of more than one."""
        return f"{self.name}s"

    def number(self, result: Mapping[str, Any]) -> float:
        """Read the number of units from a result; NaN if it has none.

        Example:
            >>> result = {"n_samples": 240, "n_articles": 40, "n_articles_scored": 38}
            >>> ORIGINAL.number(result), SAMPLE.number(result), ORIGINAL.number({"n_samples": 240})
            (38.0, 240.0, nan)
        """
        return next((as_float(result[key]) for key in self.counted if key in result), math.nan)


SAMPLE = Unit("sample", ("n_samples",), "few_samples")
ORIGINAL = Unit("original", ("n_articles_scored", "n_articles"), "few_originals")
UNITS = (SAMPLE, ORIGINAL)
