"""Report of Equal Coverage and Coverage Parity."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Mapping
from typing import ClassVar

from fairsum_utils.families.marks import NOTHING, Attribution
from fairsum_utils.reports.base import REVIEWS, Page, Record, Report, Results
from fairsum_utils.reports.tables import Cell, Shade, Table, by_group, interval, number, table_of
from fairsum_utils.validation import count

# Characters of a statement that name it in a table of numbers
_START = 60


class CoverageReport(Report):
    """Report of scores, significance, figures by group, and the coverage of each statement."""

    spread_axis = "coverage of a group's sources minus that of all; 0 is fairest"
    skipped = Report.skipped | {
        "single_value": "all sources belong to one group, so there is nothing to compare",
        "no_units": "no sentence of the summary holds a word that counts; stop words and punctuation do not",
        "no_covered_unit": "no source covers any sentence of the summary",
    }
    reading = "Lower is fairer; all scores are fractions. Difference: coverage of a group's sources over that of all."
    limits = (
        "Whether a text covers a statement is what the entailer says, and it errs; shared words, where they stand in "
        "for a model of natural language inference, are not meaning."
    )
    spread_side: ClassVar[int] = -1
    one_table: ClassVar[bool] = True
    pages: ClassVar[Mapping[str, Page]] = {
        "": Page(
            question="Whose source texts does a summary draw on?",
            note="A source text covers a sentence of the summary as far as it holds its words, after normalization: "
            "lower case, no stop words, stemmed. Shared words stand in here for a model of natural language inference, "
            "which the measure is meant for: they are not meaning. The numbers describe this one summary.",
            example=REVIEWS,
            settings={"entailer": "lexical"},
        )
    }

    def sentences(self, results: Results) -> list[str]:
        """Name the groups with the lowest and the highest coverage.

        Example:
            >>> figures = {"difference_by_value": {"neg": -0.125, "pos": 0.05}, "n_by_value": {"neg": 1, "pos": 9}}
            >>> REPORT.sentences({"equal_coverage": figures})
            ['Sources of neg cover the summaries least, 12.5 points less than all sources (1 sample); those of pos
            most, 5.0 more (9 samples).']
        """
        result = results.get("equal_coverage")
        if result is None:
            return []
        figures = result["difference_by_value"]
        ranked = sorted((figure, value) for value, figure in figures.items() if not math.isnan(figure))
        if not ranked or ranked[0][0] >= 0:
            return []
        (low, least), (high, most) = ranked[0], ranked[-1]
        of_least, of_most = (count(result["n_by_value"][value], "sample") for value in (least, most))
        points = f"{number(-100 * low, 1)} points less than all sources ({of_least})"
        more = f"; those of {most} most, {number(100 * high, 1)} more ({of_most})" if high > 0 else ""
        return [f"Sources of {least} cover the summaries least, {points}{more}."]

    def closing(self, results: Results) -> list[str]:
        """Add the significance test and the groups at either end."""
        lines = []
        equal, parity = results.get("equal_coverage"), results.get("coverage_parity")
        if equal is not None:
            shown = " ".join(
                [number(equal["r_ec"]), *(str(interval(equal[key])) for key in ("r_ec_ci",) if key in equal)]
            )
            lines.append(
                f"Expected with random labels: {number(equal['expected_equal_coverage'])}. Significantly unequal (R_EC)"
                f": {shown}; {equal['n_can_reach_significance']} of {equal['n_samples']} samples have enough sources "
                "to become so."
            )
        if parity is not None and parity["most_overrepresented"] is not None:
            most, least = parity["most_overrepresented"], parity["most_underrepresented"]
            lines.append(f"Most overrepresented: {most}; most underrepresented: {least}.")
        return [*lines, *super().closing(results)]

    def severity(self, name: str, record: Record) -> dict[str, float]:
        """Return the score of the sample, or its largest difference in coverage."""
        if record["skipped"] is not None:
            return {}
        differences = record["difference_by_value"].values()
        return super().severity(name, record) or {"largest difference": max(map(abs, differences))}

    def spread(self, name: str, record: Record) -> dict[str, float]:
        """Return the coverage of each group minus that of all sources."""
        return dict(record["difference_by_value"] or {})

    def evidence(
        self, name: str, result: Record, record: Record, sample: Record, attribution: Attribution = NOTHING
    ) -> list[Table]:
        """Return tables of coverage by group, the test, and coverage by statement."""
        differences = record["difference_by_value"]
        columns = {
            "sources": {value: record["values"].count(value) for value in differences},
            "coverage": record["coverage_by_value"],
            "difference": differences,
            "represented": {value: _represented(difference) for value, difference in differences.items()},
        }
        tables = [by_group(columns, "How far the sources of each group cover the summary")]
        if "p_value" in record:
            expected = record["expected_equal_coverage"]
            test = {"score": record["equal_coverage"], "with random labels": expected, "p": record["p_value"]}
            tables.append(table_of([test], "Could it be chance?"))
        if record.get("unit_coverage"):
            tables.append(_matrix(record))
        if record.get("units"):
            tables.append(_best(record))
        return tables


REPORT = CoverageReport()


def _represented(difference: float) -> str:
    side = round(difference, 4)
    return "over" if side > 0 else "under" if side < 0 else "as all"


def _numbered(record: Record) -> list[str]:
    """Number the statements of a summary; return bare numbers if they are unknown."""
    units = record["units"] or [""] * record["n_units"]
    return [f"{place}. {unit}".strip() for place, unit in enumerate(units, start=1)]


def _source_names(record: Record) -> list[str]:
    """Name each source by its group and its number in this group."""
    numbers: dict[str, itertools.count[int]] = defaultdict(lambda: itertools.count(1))
    return [f"{value} {next(numbers[value])}" for value in record["values"]]


def _best(record: Record) -> Table:
    """Return a table of the source and text that cover each statement best."""
    names = _source_names(record)
    rows: list[list[Cell]] = [
        [unit, best["probability"], *([names[best["document"]], best["text"]] if best["probability"] else ["", ""])]
        for unit, best in zip(_numbered(record), record["evidence"], strict=True)
    ]
    header = ["statement of the summary", "probability", "source", "best text of it"]
    return Table(header, rows, "What covers each statement best")


def _matrix(record: Record) -> Table:
    """Return a table of coverage: statements as rows, sources as columns."""
    names = _source_names(record)
    order = sorted(range(len(names)), key=record["values"].__getitem__)
    rows: list[list[Cell]] = [
        [f"{unit[:_START]}…" if len(unit) > _START else unit, *(Shade(shares[place]) for place in order)]
        for unit, shares in zip(_numbered(record), record["unit_coverage"], strict=True)
    ]
    return Table(["statement", *(names[place] for place in order)], rows, "Which source covers which statement")
