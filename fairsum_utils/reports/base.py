"""What a person wants to see of the measures of any family; one with more to say has a module of its name here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from fairsum_utils.measures import get_measure
from fairsum_utils.reports.tables import Part, Table, interval, opening, short_name

__all__ = ["REVIEWS", "Page", "Report", "Results"]

Results = Mapping[str, Mapping[str, Any]]
"""Measure -> its result, of one family."""


REVIEWS: Mapping[str, Sequence[Any]] = {
    "predictions": ["Guests praise the tasty soup and the kind staff."],
    "sources": [
        [
            "The soup was tasty.",
            "Kind staff, tasty bread, great evening!",
            "The soup was cold and we waited an hour.",
        ]
    ],
    "values": [["positive", "positive", "negative"]],
}
"""An example for measures of a summary and its sources: a summary that leaves one value out."""


class Page(NamedTuple):
    """What a Space shows before anything is scored.

    Attributes:
        question: that the measure answers.
        note: what to know about the answer.
        example: column -> its entries; the page asks for these columns.
        settings: setting -> value, where it is another one than the default: the first one of a setting that the page
            shows, and the only one of any other.
    """

    question: str = ""
    note: str = ""
    example: Mapping[str, Sequence[Any]] = {}
    settings: Mapping[str, Any] = {}


class Report:
    """The report of results, and of what decided a sample. As it is, it does for any family.

    Example:
        >>> result = {"uer": 0.25, "uer_by_value": {"neg": 0.5}, "n_samples": 2, "n_skipped": 0, "skipped": {}}
        >>> Report().parts("a.jsonl", {"uer": result | {"signature": "v:1"}})[1:]
        [Table(header=['measure', 'score'], rows=[['UER (Unfair Error Rate)', 0.25]], title='', below=[]),
        Table(header=['', 'neg'], rows=[['uer', 0.5]], title='', below=()), ['uer: v:1']]
    """

    levels: ClassVar[Mapping[str, str]] = {"ci": "interval"}
    """Ending of the key of an interval -> what it is called."""
    skipped: ClassVar[Mapping[str, str]] = {"empty_prediction": "the summary is empty"}
    """Why a sample has no score -> in words."""

    def parts(self, title: str, results: Results) -> list[Part]:
        """Everything there is to see of results.

        Args:
            title: what was scored, such as a file.
            results: measure -> result.
        """
        scores = self.scores(results)
        first = [self.opening(title, results), *self.cautions(results)]
        return [first, *([scores] if scores else []), *self.tables(results), self.closing(results)]

    def opening(self, title: str, results: Results) -> str:
        """The first line: what was scored, and what was left out."""
        return opening(title, next(iter(results.values())))

    def cautions(self, results: Results) -> list[str]:
        """What makes the numbers less than they seem."""
        return []

    def scores(self, results: Results) -> Table | None:
        """The scores with their intervals, and why any is undefined; None where `tables` has them."""
        levels = [
            level for level in self.levels if any(f"{name}_{level}" in result for name, result in results.items())
        ]
        rows = []
        for name, result in results.items():
            title, short = get_measure(name).title, short_name(name)
            ends = [interval(result.get(f"{name}_{level}")) for level in levels]
            rows.append([title if short == title else f"{short} ({title})", result[name], *ends])
        undefined = [
            self.undefined(name, result["undefined"]) for name, result in results.items() if "undefined" in result
        ]
        return Table(["measure", "score", *map(self.levels.__getitem__, levels)], rows, below=undefined)

    def undefined(self, name: str, reason: str) -> str:
        """Why something of a measure is undefined."""
        return f"undefined: {reason}"

    def tables(self, results: Results) -> list[Part]:
        """The figures that scores consist of, by value or group, with what there is to say of them."""
        figures = (
            (name, result[f"{name}_{ending}"])
            for name, result in results.items()
            for ending in ("by_value", "by_group")
            if f"{name}_{ending}" in result
        )
        return [Table(["", *by_value], [[name, *by_value.values()]]) for name, by_value in figures]

    def closing(self, results: Results) -> list[str]:
        """How to read it all, and the signatures."""
        return [f"{name}: {result['signature']}" for name, result in results.items()]

    def details(self, name: str, result: Mapping[str, Any]) -> list[Table]:
        """Figures of a measure that a page has room for, and a report has not."""
        return []

    def sample_tables(
        self, name: str, result: Mapping[str, Any], record: Mapping[str, Any], sample: Mapping[str, Any]
    ) -> list[Table]:
        """What decided the score of a sample.

        Args:
            name: the measure.
            result: of all samples.
            record: of the sample, as `return_samples` gives it; one that was not skipped.
            sample: column -> entry, of the columns that were given.
        """
        return []

    def page(self, name: str) -> Page:
        """What a Space shows before anything is scored.

        Args:
            name: the measure.
        """
        return Page()
