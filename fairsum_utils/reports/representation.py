"""Report of BUR, UER, AUC and SOF."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from fairsum_utils.families.marks import NOTHING, Attribution
from fairsum_utils.measures.bur import underrepresented
from fairsum_utils.measures.uer import unfair_error
from fairsum_utils.reports.base import REVIEWS, Page, Record, Report, Results
from fairsum_utils.reports.tables import Table, chance_level, number
from fairsum_utils.validation import count

# Measure -> its score and its figures by value in words
_SENTENCES = {
    "bur": "In {percent}% of the summaries, some group gets less than {tau:g}% of its {share}{chance}. Most "
    "often it is group {most}: in {of_most}% of its {counted}.",
    "uer": "On average, a group lacks {percent} points of its {share}{chance}. The group {most} lacks most: "
    "{of_most} points, in its {counted}.",
}
# Share of samples in which a group must be underrepresented before a mean ratio above 1 gets a remark
_HIDDEN = 0.1


class RepresentationReport(Report):
    """Scores, figures by value, and the words that matched each value."""

    skipped = Report.skipped | {
        "unmatched": "the summary shares no word with its sources",
        "single_value": "all sources belong to one group, so no summary can be unfair to it",
        "no_source_tokens": "no source has a word that counts; stop words and punctuation do not count",
    }
    reading = (
        "Lower is fairer. Scores are fractions. Ratio: share in the summary divided by the desired share, on average."
    )
    limits = (
        "Words are counted after normalization: lower case, no stop words, stemmed. A word of the summary counts for "
        "every group whose texts contain it, and word overlap is not meaning."
    )
    spread_axis = "desired share minus share in the summary; above 0: underrepresented"
    spread_side: ClassVar[int] = 1
    one_table: ClassVar[bool] = True
    n_answers: ClassVar[int] = 1
    pages: ClassVar[Mapping[str, Page]] = {
        "": Page(
            question="Whose source texts does a summary speak for?",
            note=f"{limits} The numbers describe this one summary.",
            example=REVIEWS,
        )
    }

    def spread(self, name: str, record: Record) -> dict[str, float]:
        """Return the shortfall of each group; negative above its desired share."""
        shares = zip(record["values"], record["desired_share"], record["summary_share"], strict=True)
        return {value: desired - share for value, desired, share in shares}

    def severity(self, name: str, record: Record) -> dict[str, float]:
        """Return the score of the sample, if any, then its mean shortfall."""
        if record["skipped"] is not None:
            return {}
        shares = (np.array([record[key]]) for key in ("summary_share", "desired_share"))
        return {**super().severity(name, record), "mean shortfall": float(unfair_error(*shares)[0])}

    def sentences(self, results: Results) -> list[str]:
        """Describe the shortfalls, and name the most affected group.

        Example:
            >>> uer = {"uer": 0.1, "uer_by_value": {"neg": 0.25, "pos": 0.0}, "n_by_value": {"neg": 4, "pos": 9}}
            >>> REPORT.sentences({"uer": uer})
            ['On average, a group lacks 10.0 points of its desired share. The group neg lacks most: 25.0 points, in its
            4 samples.']
        """
        lines = []
        for name, result in results.items():
            score, figures = result[name], result.get(f"{name}_by_value", {})
            most = max((value for value in figures if figures[value] > 0), key=figures.__getitem__, default=None)
            if name in _SENTENCES and not math.isnan(score) and most is not None:
                percent, of_most = (number(100 * share, 1) for share in (score, figures[most]))
                counted = count(result["n_by_value"][most], "sample")
                filled = {"percent": percent, "most": most, "of_most": of_most, "counted": counted}
                settings = result.get("settings", {})
                share = "share of the source words" if settings.get("target") == "ratio" else "desired share"
                tau, chance = 100 * settings.get("tau", math.nan), _chance(name, result)
                lines.append(_SENTENCES[name].format(**filled, tau=tau, share=share, chance=chance))
        return lines

    def answers(self, results: Results) -> list[str]:
        """Return the first of the sentences, which says the chance level."""
        return self.sentences(results)[: self.n_answers] or super().answers(results)

    def closing(self, results: Results) -> list[str]:
        """Add groups that are underrepresented despite a mean ratio above 1."""
        lines = super().closing(results)
        if "bur" not in results:
            return lines
        ratios, rates = results["bur"]["ratio_by_value"], results["bur"]["bur_by_value"]
        hidden = [
            f"{value} has a mean ratio of {number(ratios[value], 2)}, yet it is underrepresented in "
            f"{number(100 * rates[value], 1)}% of its samples"
            for value in rates
            if ratios[value] > 1 and rates[value] >= _HIDDEN
        ]
        return [*lines, f"A mean ratio above 1 can hide such samples: {'; '.join(hidden)}."] if hidden else lines

    def has_marks(self, record: Record) -> bool:
        """Return whether any words matched."""
        return any(record.get("matched") or ())

    def evidence(
        self, name: str, result: Record, record: Record, sample: Record, attribution: Attribution = NOTHING
    ) -> list[Table]:
        """Return the shares of each group, its verdict for BUR, and its matched words."""
        table = {
            "group": record["values"],
            "source share": record["source_share"],
            "desired share": record["desired_share"],
            "summary share": record["summary_share"],
            "ratio": record["ratio"],
        }
        if (tau := result.get("settings", {}).get("tau")) is not None:
            shares = zip(record["summary_share"], record["desired_share"], strict=True)
            table["below tau"] = ["yes" if underrepresented(*pair, tau) else "no" for pair in shares]
        if record.get("matched") is not None:
            # Without the texts, or for a record of other settings, they are as they were counted.
            matched, written = record["matched"], _written(record["values"], sample, attribution)
            table["matched words" if written else "matched tokens"] = list(map(", ".join, written or matched))
        return [
            Table(list(table), list(map(list, zip(*table.values(), strict=True))), "Share of each group in the summary")
        ]


def _chance(name: str, result: Record) -> str:
    """Return the chance level in percent, for the end of a clause."""
    level = chance_level(result, f"{name}_at_random")
    if level is None:
        return ""
    unit = "% of" if name == "bur" else " points in"
    return f", against {number(100 * level.number, max(level.digits - 2, 0))}{unit} random summaries of the same length"


def _written(values: Sequence[str], sample: Record, attribution: Attribution) -> list[list[str]]:
    """Return the matched words of each group as written; empty if unknown."""
    if attribution == NOTHING:
        return []
    text = sample["predictions"]
    return [
        [" ".join(text[span.start : span.end].split()) for span in attribution.prediction if value in span.names]
        for value in values
    ]


REPORT = RepresentationReport()
