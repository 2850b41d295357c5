"""What a person wants to see of sentiment, toxicity, regard, gender polarity and psycholinguistic norms."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

from fairsum_utils.family.attribution import NOTHING, Attribution
from fairsum_utils.measures import get_measure
from fairsum_utils.polarity.results import domain_table
from fairsum_utils.reports.base import Page, Record, Report, Results
from fairsum_utils.reports.tables import Cell, Part, Table, interval, number

__all__ = ["REPORT", "PolarityReport"]

_RATIOS = {"male_to_female": "male : female", "male_minus_female": "male - female"}
"""What `domain_table` says besides -> its column."""
_WORST = {"sentiment": ("compound", -1), "regard": ("negative", 1)}
"""Measure -> the score of a text that tells how bad it is, and whether high or low is."""


class PolarityReport(Report):
    """For each measure its score, shares by group as in the paper's tables, and tests; and what decided each text."""

    reading = "Lower is fairer; all are fractions. A score is the largest difference of a label between two groups."
    pages: ClassVar[Mapping[str, Page]] = {
        "": Page(
            question="Of whom do generated texts speak, and how?",
            note="Every text gets labels, and groups are compared by how many of their texts have each. Every group "
            "needs two texts at least; so few show nothing, as the p-values tell. The numbers describe these texts "
            "only.",
            example={
                "predictions": [
                    "She became a doctor, and her patients loved her.",
                    "She was born in Ohio.",
                    "He was arrested after the brutal fight.",
                    "He was born in Ohio.",
                ],
                "groups": ["women", "women", "men", "men"],
            },
        )
    }

    def scores(self, results: Results) -> list[Part]:
        """Nothing: each score stands above its tables."""
        return []

    def tables(self, results: Results) -> list[Part]:
        """For each measure its score, the shares of labels by group, the tests, and what else was counted."""
        parts: list[Part] = []
        for name, result in results.items():
            score = f"{get_measure(name).title}: {number(result[name])}"
            parts.append(_shares(result, f"{score} ({result['undefined']})" if "undefined" in result else score))
            if result["tests"]:
                parts.append(_tests(result))
            counts = {key.removeprefix("n_").replace("_", " "): result[key] for key in result if key.startswith("n_")}
            besides = [f"{what} {n}" for what, n in counts.items() if what not in ("by group", "samples", "skipped")]
            if besides:
                parts.append([f"Counted: {', '.join(besides)}."])
        return parts

    def details(self, name: str, result: Record) -> list[Table]:
        """A row for each label and group, with intervals."""
        rows = [
            [label, group, n, *(result[f"{key}_by_group"][group][label] for key in ("counts", "proportions")), ends]
            for label in result["proportions"]
            for group, n in result["n_by_group"].items()
            for ends in [interval(result["intervals_by_group"][group].get(label))]
        ]
        return [Table(["label", "group", "texts", "with the label", "share", "interval"], rows, "By label and group")]

    def severity(self, name: str, record: Record) -> dict[str, float]:
        """How toxic or negative a text is; for other measures how far its scores are from nothing."""
        scores = {label: score for label, score in record["scores"].items() if not math.isnan(score)}
        if record["skipped"] is not None or not scores:
            return {}
        if name in _WORST:
            label, sign = _WORST[name]
            return {f"{'minus ' if sign < 0 else ''}{label}": sign * scores[label]} if label in scores else {}
        label = max(scores, key=lambda label: abs(scores[label]))
        return {f"|{label}|": abs(scores[label])}

    def evidence(
        self, name: str, result: Record, record: Record, sample: Record, attribution: Attribution = NOTHING
    ) -> list[Table]:
        """The labels of a text, and the words or the scores that decided."""
        evidence = record["evidence"]
        if evidence is None:
            decided = [(label, score) for label, score in record["scores"].items() if not math.isnan(score)]
        elif isinstance(evidence, dict):
            decided = [(f"{norm}: {word}", score) for norm, (word, score) in evidence.items() if score]
        else:
            decided = evidence
        said = ", ".join(f"{what} {score:.2f}" for what, score in decided)
        row = [sample["predictions"], record["group"], ", ".join(record["labels"]) or "none", said]
        return [Table(["text", "group", "labels", "what decided"], [row], "By text")]


REPORT = PolarityReport()


def _shares(result: Record, title: str) -> Table:
    """A row a group, and one of all texts."""
    labels = list(result["proportions"])
    groups = domain_table(result) if result["n_by_group"] else []
    ratios = [key for key in _RATIOS if groups and key in groups[0]]
    rows = [[row[key] for key in ("group", "n", *labels, *ratios)] for row in groups]
    of_all = ["(all)", result["n_samples"], *result["proportions"].values(), *[None] * len(ratios)]
    return Table(["group", "texts", *labels, *map(_RATIOS.__getitem__, ratios)], [*rows, of_all], title)


def _tests(result: Record) -> Table:
    """A row a label: the two groups that differ most, and the test of all."""
    rows: list[list[Cell]] = []
    for label, test in result["tests"].items():
        pairs = [pair for pair in result["differences"] if pair["label"] == label]
        widest = max(pairs, key=lambda pair: abs(pair["difference"]))
        ends = [widest["group_a"], widest["group_b"]]
        between = " - ".join(ends if widest["difference"] > 0 else ends[::-1]) if widest["difference"] else ""
        p_values = ("< 0.0001" if p < 0.0001 else p for p in (test["p_value"], test["p_value_corrected"]))
        rows.append([label, abs(widest["difference"]), between, test["test"] or "none", test["statistic"], *p_values])
    return Table(["label", "largest difference", "of groups", "test", "statistic", "p", "p (Holm)"], rows)
