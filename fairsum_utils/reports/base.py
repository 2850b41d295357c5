"""Reports of results; other modules of this package define those of their families."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, NamedTuple, TypeAlias

from fairsum_utils.cleaning import texts_as_read
from fairsum_utils.families import family_of
from fairsum_utils.families.columns import UNITS
from fairsum_utils.families.marks import NOTHING, Attribution
from fairsum_utils.families.warnings import as_sentence, notes_of
from fairsum_utils.measures import Figures, get_measure
from fairsum_utils.reports.tables import (
    Cell,
    Marked,
    Notes,
    Part,
    Signatures,
    Table,
    by_group,
    certain_digits,
    chance_level,
    ci_heading,
    figures_of,
    interval,
    number,
)
from fairsum_utils.reports.wording import fairer, has_number, listed, opening, short_name, why_undefined, without_chance
from fairsum_utils.validation import as_float

# A result, what it says of a sample, or the sample: key -> entry
Record: TypeAlias = Mapping[str, Any]
# Measure -> its result, of one family
Results: TypeAlias = Mapping[str, dict[str, Any]]

# An example for measures of a summary and its sources: a summary that leaves one value out
REVIEWS: Mapping[str, Sequence[Any]] = {
    "predictions": ["Guests praise the tasty soup and the kind staff."],
    "sources": [
        ["The soup was tasty.", "Kind staff, tasty bread, great evening!", "The soup was cold and we waited an hour."]
    ],
    "values": [["positive", "positive", "negative"]],
}


class Page(NamedTuple):
    """Introduction and example of a Space."""

    question: str = ""
    note: str = ""  # what to know about the answer
    example: Mapping[str, Sequence[Any]] = {}  # column -> its entries; the page asks for these columns
    # setting -> value, where it is another one than the default: the first one of a setting that the page shows, and
    # the only one of any other
    settings: Mapping[str, Any] = {}


class Report:
    """Report of results and of the evidence behind them, for any family.

    Example:
        >>> result = {"uer": 0.25, "uer_by_value": {"neg": 0.5}, "n_samples": 2, "n_skipped": 0, "skipped": {}}
        >>> Report().parts("a.jsonl", {"uer": result | {"signature": "v:1"}})[1:]
        [Table(header=['measure', 'score'], rows=[['UER (Unfair Error Rate)', 0.25]], title='', below=[],
        n_texts=1), Table(header=['group', 'mean shortfall'], rows=[['neg', 0.5]], title='', below=(),
        n_texts=1), [], [], ['uer: v:1']]
    """

    # Meaning of the numbers of `spread`, and the fairer direction
    spread_axis: ClassVar[str] = ""
    # Which number of `spread` tells who is underrepresented: 1 for the highest above 0, -1 for the lowest below 0; 0
    # for none
    spread_side: ClassVar[int] = 0
    # Ending of the key of an interval -> unit that it resamples, where there are several kinds
    levels: ClassVar[Mapping[str, str]] = {"ci": ""}
    # Why a sample has no score -> in words
    skipped: ClassVar[dict[str, str]] = {
        "empty_prediction": "the summary is empty",
        "foreign_language": "the text is in another language, which this measure cannot read",
        "unlabelled": "it has no label",
    }
    # True if the measures share one table by group
    one_table: ClassVar[bool] = False
    # Number of the sentences that a page begins with
    n_answers: ClassVar[int] = 2
    # How to read the numbers
    reading: ClassVar[str] = ""
    # Title of the panel of figures on a page; empty for one by value or group
    figures_title: ClassVar[str] = ""
    # Limits of the numbers
    limits: ClassVar[str] = ""
    # Keys of results that hold texts, or words of them
    with_texts: ClassVar[tuple[str, ...]] = ("samples",)
    # Measure -> what its Space shows at first; under an empty name, for all others
    pages: ClassVar[Mapping[str, Page]] = {}

    def parts(self, title: str, results: Results) -> list[Part]:
        """Everything there is to see of results."""
        scores, others = self.undefined_reasons(results)
        return [
            [self.opening(title, results)],
            *self.scores(results),
            *self.tables(results),
            Notes(notes_of(results.values(), others, ("skipped",), without_score=scores)),
            self.closing(results),
            _signatures(results),
        ]

    def explain(
        self, name: str, result: Record, columns: Mapping[str, Sequence[Any]] = {}, settings: Any = None
    ) -> list[Part]:
        """Return the score in one line, its figures, and the evidence behind it.

        Tables of several samples that have the same title and columns become one.
        """
        scored = [place for place, record in enumerate(result["samples"]) if record["skipped"] is None]
        if not scored:
            return [[self.headline(name, result)]]
        evidence: dict[tuple[str, ...], list[Table]] = {}  # by title and columns
        for place in scored if columns else ():
            sample = texts_as_read({column: entries[place] for column, entries in columns.items()}, settings)
            leading = self.leading_cells(sample)
            record, attribution = result["samples"][place], NOTHING
            if settings is not None:
                attribution = family_of(name).attribution((name,), settings, sample, record)
            for table in self.evidence(name, result, record, sample, attribution):
                header, rows = [*leading, *table.header], [[*leading.values(), *row] for row in table.rows]
                evidence.setdefault((table.title, *header), []).append(table._replace(header=header, rows=rows))
        results = {name: dict(result)}
        # One sample is what a page is for.
        few = [unit.few for unit in UNITS]
        _, undefined = self.undefined_reasons(results)
        notes = notes_of([result], undefined, ("skipped", *few))
        figures = [*self.tables(results), *self.details(name, result)]
        together = [alike[-1]._replace(rows=[*chain(*(table.rows for table in alike))]) for alike in evidence.values()]
        last = [Notes(notes), self.closing(results), _signatures(results)]
        return [[self.headline(name, result)], *figures, *together, *last]

    def headline(self, name: str, result: Record) -> str:
        """Return the score of a measure in one line, or why it has none.

        Example:
            >>> Report().headline("uer", {"uer": 0.25, "samples": [{"skipped": None}]})
            'UER = 0.2500 (lower is fairer; 0 at best)'
        """
        reasons = dict.fromkeys(record["skipped"] for record in result.get("samples", ()))
        if reasons and None not in reasons:
            return f"No score: {'; '.join(self.skipped.get(reason, reason) for reason in reasons)}."
        if math.isnan(result[name]):
            return f"{short_name(name)} is undefined: {result.get('undefined', 'no sample has a score')}."
        return f"{short_name(name)} = {number(result[name])} ({fairer(name)})"

    def opening(self, title: str, results: Results) -> str:
        """Return the first line: the numbers of scored and skipped samples."""
        return opening(title, next(iter(results.values())))

    def scores(self, results: Results) -> list[Part]:
        """Return the table of scores, unless `tables` contains them."""
        present = {key for result in results.values() for key in result}
        levels = [level for level in self.levels if present & {f"{name}_{level}" for name in results}]
        # Where every sample holds several values, this is the score itself.
        multi = ["multi-value"] * any(
            result.get("n_multi_value", math.inf) < result["n_samples"] for result in results.values()
        )
        levels_of = ((name, chance_level(result, f"{name}_at_random")) for name, result in results.items())
        at_random = {name: level for name, level in levels_of if level is not None}
        beyond = ["at random"] * bool(at_random)
        rows = []
        for name, result in results.items():
            title, short = get_measure(name).title, short_name(name)
            ends = [interval(result.get(f"{name}_{level}")) for level in levels]
            beside = [result.get(f"{name}_multi_value")] * len(multi)
            beside += [at_random.get(name)] * len(beyond)
            rows.append([title if short == title else f"{short} ({title})", result[name], *ends, *beside])
        headings = [ci_heading(results.values(), self.levels[level]) for level in levels]
        header = ["measure", "score", *headings, *multi, *beyond]
        return [Table(header, rows, below=_chance(at_random, results))]

    def undefined_reasons(self, results: Results) -> tuple[list[str], list[str]]:
        """Return sentences on undefined scores, each reason once, and on infinite ones and intervals."""
        scores: dict[str, list[str]] = {}  # reason -> measures without a score
        others: list[str] = []
        for name, result in results.items():
            score = as_float(result.get(name))
            what = short_name(name) + ("" if math.isinf(score) else ", undefined")
            for reason in filter(None, re.split(f"; (?={name}_ci: )", result.get("undefined", ""))):
                if math.isnan(score) and not reason.startswith(f"{name}_ci: "):
                    scores.setdefault(reason, []).append(short_name(name))
                else:
                    others.append(why_undefined(name, reason, what))
        return [as_sentence(f"{listed(names)}, undefined: {reason}") for reason, names in scores.items()], others

    def tables(self, results: Results) -> list[Part]:
        """Return the tables that measures declare, each measure's with its remarks."""
        shown = self.completed(results)
        views = [shown] if self.one_table else [{name: result} for name, result in shown.items()]
        return [part for view in views for part in (*self._tables(view), *self._remarks(view))]

    def _tables(self, results: Results) -> list[Part]:
        """Return the tables of measures, which share those with the same title."""
        found: dict[tuple[str, str], dict[str, Mapping[str, Any]]] = {}
        for name, figures, shown in figures_of(results):
            if figures.kind == "curve":
                continue
            columns = found.setdefault(figures.place, {})
            for heading, column in self._columns(name, figures, shown, results[name]):
                columns.setdefault(heading, column)
        return [by_group(columns, *place) for place, columns in found.items()]

    def _remarks(self, results: Results) -> list[Part]:
        return [lines for name, result in results.items() if (lines := self.remarks(name, result))]

    def _columns(
        self, name: str, figures: Figures, shown: Record, result: Record
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield the columns of a table, with intervals and rounded chance levels."""
        pairs = (*figures.counts, *figures.columns)
        for heading, key in pairs:
            column = shown.get(key)
            if not column:
                continue
            if key.endswith("_at_random"):
                digits = min(2, certain_digits(result.get(f"{name}_at_random_error", math.nan)))
                column = {group: _rounded(level, digits) for group, level in column.items()}
            if any(isinstance(entry, Mapping) for entry in column.values()):
                for what in dict.fromkeys(what for entry in column.values() for what in entry):
                    is_taken = any(what == other for other, _ in pairs)  # a label may be named as a column
                    yield what + " " * is_taken, {group: entry.get(what) for group, entry in column.items()}
            else:
                yield heading, column
                for level, unit in self.levels.items():
                    if ends := shown.get(f"{key}_{level}"):
                        yield ci_heading([result], unit), {group: interval(each) for group, each in ends.items()}

    def completed(self, results: Results) -> Results:
        """Add the numbers by group that follow from results, for declared figures."""
        return results

    def remarks(self, name: str, result: Record) -> list[str]:
        """Return the lines below the tables of a measure."""
        return []

    def closing(self, results: Results) -> list[str]:
        """Return the lines that explain how to read the numbers."""
        return [self.reading] if self.reading else []

    def details(self, name: str, result: Record) -> list[Table]:
        """Return tables that appear on a page but not in a report."""
        return []

    def evidence(
        self, name: str, result: Record, record: Record, sample: Record, attribution: Attribution = NOTHING
    ) -> list[Table]:
        """Return the evidence behind the score of a sample."""
        return []

    def leading_cells(self, sample: Record) -> dict[str, Cell]:
        """Return leading columns that distinguish samples in a shared table: column -> cell."""
        return {}

    def severity(self, name: str, record: Record) -> dict[str, float]:
        """Return how bad a sample is, by criterion; the first one decides.

        Example:
            >>> Report().severity("uer", {"uer": 0.25, "skipped": None}), Report().severity("uer", {"skipped": "x"})
            ({'UER': 0.25}, {})
        """
        return {short_name(name): record[name]} if record.get(name) is not None else {}

    def spread(self, name: str, record: Record) -> dict[str, float]:
        """Return group -> number of a sample, for the distribution on a page."""
        return {}

    def axis(self, name: str) -> str:
        """Describe the numbers of `spread` and their fair direction."""
        return self.spread_axis

    def has_marks(self, record: Record) -> bool:
        """Return whether any words of the sample can be marked."""
        return False

    def related_key(self, sample: Record, record: Record) -> str:
        """Return the common key of related samples, such as their original; else empty."""
        return ""

    def sentences(self, results: Results) -> list[str]:
        """Describe results in plain sentences; empty if the score says it all."""
        return []

    def answers(self, results: Results) -> list[str]:
        """Return one or two lines on the result, with the chance level.

        Example:
            >>> Report().answers({"uer": {"uer": 0.25, "uer_at_random": 0.3, "uer_at_random_error": 0.004}})
            ['UER is 0.2500 (lower is fairer; 0 at best), 0.30 for random summaries of the same length.']
        """
        lines, (name, result) = self.sentences(results)[: self.n_answers], next(iter(results.items()))
        level = chance_level(result, f"{name}_at_random")
        if level is None or not has_number(result, name):
            return lines or [as_sentence(self.headline(name, result))]
        chance = f"{level} for random summaries of the same length"
        score = f"{short_name(name)} is {number(result[name])} ({fairer(name)}), {chance}."
        return [f"{lines[0]} {score}", *lines[1:]] if lines else [score]

    def redacted_result(self, result: Record) -> dict[str, Any]:
        """Return a result without its texts."""
        return {key: [] if key in self.with_texts else entry for key, entry in result.items()}

    def page(self, name: str) -> Page:
        """Return the introduction of the Space of a measure."""
        return self.pages.get(name) or self.pages.get("", Page())


def _rounded(level: Any, digits: int) -> Any:
    """Round a chance level, or those of several labels."""
    if isinstance(level, Mapping):
        return {label: _rounded(each, digits) for label, each in level.items()}
    return Marked(level, digits=digits)


def _signatures(results: Results) -> Signatures:
    return Signatures(f"{name}: {result['signature']}" for name, result in results.items())


def _chance(at_random: Mapping[str, Marked], results: Results) -> list[str]:
    """Describe the chance level in one sentence, or give the reason for its absence."""
    reasons = [f"No chance level: {reason}." for reason in without_chance(results.values())]
    for name, level in at_random.items():
        return [
            f"At random: the score of random summaries of this length, {level} for {short_name(name)}.",
            *reasons,
        ]
    return reasons
