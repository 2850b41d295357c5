"""Report of sentiment, toxicity, regard, gender polarity and psycholinguistic norms."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from fairsum_utils.families.marks import NOTHING, Attribution
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.base import Page, Record, Report, Results
from fairsum_utils.reports.tables import ALL, Cell, Table, ci_heading, interval, number, table_of
from fairsum_utils.reports.wording import SELDOM

# Measure -> the score of a text that tells how bad it is, and whether high or low is
_WORST = {"sentiment": ("compound", -1), "regard": ("negative", 1)}


class PolarityReport(Report):
    """Report of scores, shares by group, tests, and the evidence in each text."""

    reading = "Lower is fairer; all are fractions. A score is the largest difference of a label between two groups."
    limits = (
        "Labels are what a lexicon or a classifier says of a text; both err, and may err more for some groups than for "
        "others."
    )
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

    def completed(self, results: Results) -> Results:
        """Add the shares of all texts, and the groups that differ most."""
        return {name: {**result, **_all_texts(result), **_widest(result)} for name, result in results.items()}

    def remarks(self, name: str, result: Record) -> list[str]:
        """Return the counts of a measure, and the meaning of its tests."""
        counts = {key.removeprefix("n_").replace("_", " "): result[key] for key in result if key.startswith("n_")}
        others = [f"{what} {n}" for what, n in counts.items() if what not in ("by group", "samples", "skipped")]
        is_fisher = any(test["test"] == "fisher" for test in result["tests"].values())
        return [*[_FISHER] * is_fisher, *[f"Counted: {', '.join(others)}."] * bool(others)]

    def details(self, name: str, result: Record) -> list[Table]:
        """Return one row per label and group, with intervals."""
        rows: list[dict[str, Cell]] = [
            {
                "label": label,
                "group": group,
                "texts": n,
                "with the label": result["counts_by_group"][group][label],
                "share": result["proportions_by_group"][group][label],
                ci_heading([result]): interval(result["intervals_by_group"][group].get(label)),
            }
            for label in result["proportions"]
            for group, n in result["n_by_group"].items()
        ]
        return [table_of(rows, "By label and group")] if rows else []

    def sentences(self, results: Results) -> list[str]:
        """Name the two most different groups, and the label.

        Example:
            >>> pair = {"label": "negative", "group_a": "men", "group_b": "women", "difference": -0.25}
            >>> test = {"negative": {"p_value_corrected": 0.03125}}
            >>> REPORT.sentences({"sentiment": {"differences": [pair], "tests": test}})
            ['Sentiment: negative is 25.0 points more frequent in texts of women than in those of men (p = 0.0312,
            Holm).']
        """
        lines = []
        for name, result in results.items():
            pairs = [pair for pair in result["differences"] if pair["difference"]]
            if not pairs:
                continue
            widest = max(pairs, key=lambda pair: abs(pair["difference"]))
            more, less = (widest[key] for key in ("group_a", "group_b"))
            if widest["difference"] < 0:
                more, less = less, more
            label, p = widest["label"], result["tests"][widest["label"]]["p_value_corrected"]
            points = number(100 * abs(widest["difference"]), 1)
            tested = "p < 0.0001" if p < 0.0001 else f"p = {number(p)}"
            chance = "" if p < SELDOM else ": chance may do that"
            lines.append(
                f"{get_measure(name).title}: {label} is {points} points more frequent in texts of {more} than in those "
                f"of {less} ({tested}, Holm{chance})."
            )
        return lines

    def severity(self, name: str, record: Record) -> dict[str, float]:
        """Return the score that makes a text bad, or its largest score."""
        scores = {label: score for label, score in record["scores"].items() if not math.isnan(score)}
        if record["skipped"] is not None or not scores:
            return {}
        if name in _WORST:
            label, sign = _WORST[name]
            return {f"{'minus ' if sign < 0 else ''}{label}": sign * scores[label]} if label in scores else {}
        label = max(scores, key=lambda label: abs(scores[label]))
        return {f"|{label}|": abs(scores[label])}

    def axis(self, name: str) -> str:
        """Describe the numbers of `spread`."""
        settings: Any = get_measure(name)
        return f"{settings.text_axis}; fairest where groups are alike"

    def spread(self, name: str, record: Record) -> dict[str, float]:
        """Return the score of a text under its group."""
        scores = {label: score for label, score in record["scores"].items() if not math.isnan(score)}
        settings: Any = get_measure(name)
        label = settings.text_score or max(scores, key=scores.__getitem__, default="")
        return {record["group"] or ALL: scores[label]} if label in scores else {}

    def leading_cells(self, sample: Record) -> dict[str, Cell]:
        """Return the text, if there is one."""
        return {"text": sample["predictions"]} if "predictions" in sample else {}

    def evidence(
        self, name: str, result: Record, record: Record, sample: Record, attribution: Attribution = NOTHING
    ) -> list[Table]:
        """Return the labels, scores and deciding words of a text."""
        scores = [f"{label} {score:.2f}" for label, score in record["scores"].items() if not math.isnan(score)]
        row: dict[str, Cell] = {
            "group": record["group"],
            "labels": ", ".join(record["labels"]) or "none",
            "scores": ", ".join(scores),
        }
        if record["evidence"] is not None or not scores:  # the words of a text without scores are unknown
            row["words that decided"] = ", ".join(_decided(record["evidence"] or ()))
        return [table_of([row], "By text")]


REPORT = PolarityReport()


def _decided(evidence: Sequence[Mapping[str, Any]]) -> list[str]:
    """List the deciding words with their scores and counts."""
    words = [(": ".join(filter(None, (each.get("dimension"), each["word"]))), each["score"]) for each in evidence]
    times = Counter((word, score) for word, score in words if score)
    return [f"{word} {score:.2f}{f' ({n} times)' if n > 1 else ''}" for (word, score), n in times.items()]


def _all_texts(result: Record) -> Record:
    """Return shares, intervals and numbers by group, all texts last."""
    shares = _with_all(result["proportions_by_group"], result["proportions"])
    return {
        "proportions_by_group": shares,
        "proportions_by_group_ci": _with_all(result["intervals_by_group"], result["intervals"]),
        "n_by_group": _with_all(result["n_by_group"], result["n_samples"]),
        **_genders(shares),
    }


def _with_all(by_group: Mapping[str, Any], whole: Any) -> dict[str, Any]:
    """Add the entry of all texts, unless a group has that name."""
    return {**by_group, ALL: by_group.get(ALL, whole)}


def _widest(result: Record) -> Record:
    """Return the test of each label with its most different groups."""
    tests = {}
    for label, test in result["tests"].items():
        widest = max((pair for pair in result["differences"] if pair["label"] == label), key=_size)
        ends = [widest["group_a"], widest["group_b"]]
        tests[label] = {
            "largest_difference": _size(widest),
            "of_groups": " - ".join(ends if widest["difference"] > 0 else ends[::-1]) if widest["difference"] else "",
            "test": test["test"] or "none",
            "statistic": test["statistic"],
            **{key: "< 0.0001" if test[key] < 0.0001 else test[key] for key in ("p_value", "p_value_corrected")},
        }
    return {"tests": tests}


def _size(pair: Record) -> float:
    return abs(float(pair["difference"]))


def _genders(shares: Mapping[str, Mapping[str, float]]) -> Record:
    """Return the shares of texts on men minus, and over, those on women."""
    if not all({"male", "female"} <= of.keys() for of in shares.values()):
        return {}
    return {
        "male_minus_female_by_group": {group: of["male"] - of["female"] for group, of in shares.items()},
        "male_over_female_by_group": {
            group: of["male"] / of["female"] if of["female"] else math.nan for group, of in shares.items()
        },
    }


_FISHER = "Test: Fisher's exact test; its statistic is the probability of the observed table if groups are alike."
