"""Report of framing and position bias: sentiments and positions of the content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from fairsum_utils.families.marks import NOTHING, Attribution
from fairsum_utils.measures import get_formula
from fairsum_utils.reports.base import REVIEWS, Page, Record, Report, Results
from fairsum_utils.reports.tables import Table, table_of


class FramingReport(Report):
    """Report of changed sentiments and of the parts of the sources that summaries use."""

    skipped: ClassVar[dict[str, str]] = Report.skipped | {
        "empty_sources": "the sources are empty",
        "foreign_language": "the text is in another language, which VADER cannot read",
        "single_sentence": "the sources are one sentence, so there is no position to prefer",
        "unmatched": "no sentence of the summary matches a source sentence",
    }
    reading = "Lower is better. Compare each score with its chance level: the score of random extracts of the sources."
    limits = (
        "VADER looks words up in an English list. Positions come from shared words, so paraphrases have no position. "
        "Neither score tells why a system prefers a sentiment or a part of its sources."
    )

    pages: ClassVar[Mapping[str, Page]] = {
        "framing": Page(
            question="Does a summary have the sentiment of its sources?",
            note="VADER scores each sentence. The numbers describe this one summary.",
            example=REVIEWS,
        ),
        "position_bias": Page(
            question="Which part of its sources does a summary use?",
            note="Sentences are matched by their words. The numbers describe this one summary.",
            example={name: REVIEWS[name] for name in ("predictions", "sources")},
        ),
    }

    def completed(self, results: Results) -> Results:
        """Add the scores of all samples and of those with mixed sources."""
        return {name: {**result, "by_sources": _by_sources(result)} for name, result in results.items()}

    def sentences(self, results: Results) -> list[str]:
        """Count the changed summaries.

        Example:
            >>> REPORT.sentences({"framing": {"framing": 0.25, "n_samples": 8}})
            ['2 of 8 summaries have another sentiment than their sources.']
            >>> REPORT.sentences({"framing": {"framing": float("nan"), "n_samples": 0}})
            []
        """
        result = results.get("framing")
        if not result or not result["n_samples"]:
            return []
        n, changed = result["n_samples"], round(result["framing"] * result["n_samples"])
        return [f"{changed} of {n} summaries have another sentiment than their sources."]

    def severity(self, name: str, record: Record) -> dict[str, float]:
        """Return the change of the sentiment, or the distance of the thirds."""
        if record["skipped"] is not None:
            return {}
        if name == "framing":
            moved = abs(record["summary_sentiment"] - record["source_sentiment"])
            return {"framing": record["framing"], "change of the sentiment": moved}
        return {"distance of the thirds": float(get_formula("position_bias")(record["thirds"], 1))}

    def has_marks(self, record: Record) -> bool:
        """Return whether sentences can be marked."""
        return bool(record.get("summary_scores") or record.get("matches"))

    def evidence(
        self, name: str, result: Record, record: Record, sample: Record, attribution: Attribution = NOTHING
    ) -> list[Table]:
        """Return the sentiments of a sample, or the shares of its thirds."""
        if name == "framing":
            rows = [
                {"": what, "class": record[f"{what}_class"], "mean score": record[f"{what}_sentiment"]}
                for what in ("source", "summary")
            ]
            return [table_of(rows, "Sentiment")]
        first, middle, last = record["thirds"]
        row = {"first third": first, "middle third": middle, "last third": last, "unmatched": record["n_unmatched"]}
        return [table_of([row], "Positions of the content")]


def _by_sources(result: Record) -> Record:
    """Return sources -> score, shift and number of samples; nothing for other measures."""
    if "framing" not in result:
        return {}
    every = {"framing": result["framing"], "shift": result["shift"], "n": result["n_samples"]}
    mixed = {"framing": result["framing_mixed"], "n": result["n_mixed"]}
    ends = ((every, "framing_ci"), (mixed, "framing_mixed_ci"))
    for row, key in ends:
        row |= {"ci": result[key]} if key in result else {}
    return {"all": every, "mixed": mixed}


REPORT = FramingReport()
