"""Report of omission: omitted matters next to the texts that raise them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from fairsum_utils.families.marks import NOTHING, Attribution
from fairsum_utils.families.omission.attribution import STATES
from fairsum_utils.reports.base import Page, Record, Report, Results
from fairsum_utils.reports.tables import Cell, Part, Table, chance_level, intervals, number, table_of
from fairsum_utils.validation import count

_HOTEL: dict[str, list[Any]] = {
    "predictions": ["Guests love the rooms and the pool. One found mice."],
    "sources": [["Lovely rooms and pool.", "We had mice in our room.", "The fish gave us food poisoning."]],
    "values": [["positive", "negative", "negative"]],
}


class OmissionReport(Report):
    """Report of omitted matters by category, by group and by number of texts."""

    spread_axis = "share of the group's serious matters that the summary omits; 0 is best"
    skipped = Report.skipped | {
        "no_serious_matter": "no source raises a serious matter",
        "not_english": "the sources are not recognized as English, and the list finds no serious matter in them",
    }
    reading = (
        "Lower is better. A matter is omitted if no sentence of the summary names it or entails a sentence that raises "
        "it."
    )
    limits = (
        "A list of words finds the matters: it misses some and finds some that are harmless. Read the omitted matters "
        "before you judge a system."
    )
    with_texts = (*Report.with_texts, "to_read")
    pages: ClassVar[Mapping[str, Page]] = {
        "": Page(
            question="Which serious matters does a summary leave out?",
            note="A list of English words finds the serious sentences. Without a model that reads meaning there is no "
            "score: the page lists the sentences that share few words with the summary, to be read.",
            example=_HOTEL,
        )
    }

    def tables(self, results: Results) -> list[Part]:
        """Return the figures of a score, or the sentences to read."""
        [result] = results.values()
        if "not_found" in result:
            return _to_read(result)
        ordinary = {
            "ordinary sentences omitted": result["ordinary_omission"],
            "difference": result["ordinary_difference"],
            **intervals(result, {"ordinary_difference_ci": ""}, result),
        }
        return [
            *super().tables(results),
            table_of([ordinary], "Serious matters beside ordinary sentences of like length"),
        ]

    def sentences(self, results: Results) -> list[str]:
        """Count the omitted matters.

        Example:
            >>> by_n_texts = {"1": {"n_matters": 3, "omission": 1.0}, "2": {"n_matters": 1, "omission": 1.0}}
            >>> REPORT.sentences({"omission": {"n_matters": 9, "n_omitted": 4, "by_n_texts": by_n_texts}})
            ['4 of 9 serious matters leave no trace in the summaries; several texts raise 1 of them.']
        """
        [result] = results.values()
        if not result["n_matters"]:
            return []
        matters = count(result["n_matters"], "serious matter")
        if "not_found" in result:
            return [f"{result['n_not_found']} of {matters} have no near-literal trace in the summaries. Read them."]
        several = sum(
            round(figures["n_matters"] * figures["omission"])
            for key, figures in result["by_n_texts"].items()
            if key != "1"
        )
        also = f"; several texts raise {several} of them" if several else ""
        return [f"{result['n_omitted']} of {matters} leave no trace in the summaries{also}."]

    def closing(self, results: Results) -> list[str]:
        """Add the quality of the list."""
        [result] = results.values()
        if "not_found" in result:
            lines = ["Read the sentences and the summaries. What the summary says in other words is not found here."]
        else:
            lines = [self.reading]
        if "list_recall" in result:
            lines.append(
                f"On low-star reviews, the list finds {result['list_recall']:.0%} of the serious sentences; "
                f"{result['list_precision']:.0%} of what it finds in reviews is serious."
            )
        return lines

    def severity(self, name: str, record: Record) -> dict[str, float]:
        """Return the omitted share and the largest number of texts behind an omitted matter."""
        if record["skipped"] is not None:
            return {}
        state = "omitted" if record["not_found"] is None else "not found"
        share = record["omission"] if record["not_found"] is None else record["not_found"]
        texts = [matter["n_texts"] for matter in record["matters"] if matter["is_omitted"] is not False]
        return {state: share, f"texts behind a matter {state}": max(texts, default=0)}

    def spread(self, name: str, record: Record) -> dict[str, float]:
        """Return the share of omitted matters of each group, if there is a score."""
        if record["omission"] is None:
            return {}
        by_value: dict[str, list[bool]] = {}
        for matter in record.get("matters") or ():
            for value in matter["values"]:
                by_value.setdefault(value, []).append(matter["is_omitted"])
        return {value: sum(omitted) / len(omitted) for value, omitted in by_value.items()}

    def evidence(
        self, name: str, result: Record, record: Record, sample: Record, attribution: Attribution = NOTHING
    ) -> list[Table]:
        """Return the matters with their sentences and traces, omitted ones first."""
        matters = sorted(
            record.get("matters") or (), key=lambda matter: (matter["is_omitted"] is False, -matter["n_texts"])
        )
        rows: list[dict[str, Cell]] = [
            {
                "matter": matter["entry"] or matter["category"],
                "in the summary": STATES[matter["is_omitted"]],
                "texts": matter["n_texts"],
                "groups": ", ".join(matter["values"]),
                "sentences of the sources": " / ".join(matter.get("sentences") or ()),
                "trace": matter.get("trace") or "",
            }
            for matter in matters
        ]
        return [table_of(rows, "Serious matters", n_texts=2)] if rows else []


def _to_read(result: Record) -> list[Part]:
    """Return the sentences without a near-literal trace, with what their share means."""
    if not result["n_matters"]:
        return []
    rows: list[list[Cell]] = [[each["matter"], each["sentence"], each["n_texts"]] for each in result["to_read"]]
    share = f"{number(result['not_found'], 2)} of the serious matters are not found"
    if (level := chance_level(result, "not_found_at_random")) is not None:
        share += f"; of random extracts of this length, {level}"
    more = result["n_to_read"] - len(rows)
    below = [f"{share}. This is a list to read, no measure of what the summaries leave out."]
    below += [f"Further sentences: {more}. Score with return_samples=True (--samples FILE) to see all."] * (more > 0)
    return [Table(["matter", "sentence", "texts"], rows, "Sentences to read", below=below, n_texts=2)]


REPORT = OmissionReport()
