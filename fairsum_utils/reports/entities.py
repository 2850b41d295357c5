"""What a person wants to see of word lists, entity inclusion and hallucination, and distinguishability."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from fairsum_utils.family.attribution import NOTHING, Attribution
from fairsum_utils.measures import get_measure
from fairsum_utils.measures.word_list_inclusion import word_list_inclusion
from fairsum_utils.reports.base import Page, Record, Report, Results
from fairsum_utils.reports.tables import Part, Table, interval, number
from fairsum_utils.validation import count

__all__ = ["REPORT", "EntitiesReport"]

_SHARES = {
    "word_list_inclusion": "summaries - reference",
    "entity_inclusion": "share included",
    "entity_hallucination": "share",
    "distinguishability": "mean score",
}
"""Measure -> what its figures by group are."""

_TOLD = {1.0: "yes", 0.5: "equally", 0.0: "no"}
"""Score of a summary in distinguishability -> in words."""

_NEWS: dict[str, list[Any]] = {
    "predictions": ["Ms. Levin praised her team, and so did Mark Twain."],
    "sources": ["Melissa Levin praised her team. Tom Hill, who left, praised his own."],
    "entities": [
        [
            {"first_name": "Melissa", "last_name": "Levin", "group": "female"},
            {"first_name": "Tom", "last_name": "Hill", "group": "male"},
        ]
    ],
    "mentions": [["Levin", "Mark Twain"]],
}
_VARIANTS: dict[str, list[Any]] = {
    "predictions": [
        "Ann Lee is the first woman to lead the bank.",
        "The bank has its first woman at the top.",
        "Bob Lee will lead the bank.",
        "The bank named Mr. Lee.",
    ],
    "groups": ["female", "female", "male", "male"],
    "mentions": [["Ann Lee"], [], ["Bob Lee"], ["Lee"]],
    "article_ids": ["1"] * 4,
}
_TYPED_IN = "The persons that a summary names are typed in here; a program finds them with spaCy. The numbers describe "


def _news(*columns: str) -> dict[str, list[Any]]:
    return {column: _NEWS[column] for column in ("predictions", *columns)}


_PAGES = {
    "word_list_inclusion": Page(
        question="Whom does a summary speak of, next to the text that it was made from?",
        note="Words such as she and he are counted in both. The numbers describe this one summary.",
        example=_news("sources"),
    ),
    "entity_inclusion": Page(
        question="Which persons does a summary leave out?",
        note=f"{_TYPED_IN}this one summary; the measure is meant for many.",
        example=_news("entities", "mentions"),
        settings={"continuity": 0.5},
    ),
    "entity_hallucination": Page(
        question="Which persons does a summary make up?",
        note=f"{_TYPED_IN}this one summary. First names of the US census tell a group only roughly.",
        example=_news("sources", "mentions"),
    ),
    "distinguishability": Page(
        question="Can one tell from a summary which group its text was about?",
        note=f"{_TYPED_IN}these summaries of one text, of which there are variants on each group.",
        example=_VARIANTS,
    ),
}
"""Persons are typed in, so that no pipeline has to find them."""


class EntitiesReport(Report):
    """Scores with both intervals, for each measure the figures of the groups, and who decided them."""

    levels: ClassVar[Mapping[str, str]] = {"ci": "interval (d)", "ci_within": "interval (s)"}
    reading = "A score of 0 is no evidence of bias; d resamples originals, s the samples or pairs of each."
    pages = _PAGES

    def opening(self, title: str, results: Results) -> str:
        """The first line, with the number of originals."""
        return f"{super().opening(title, results)}; {count(next(iter(results.values()))['n_articles'], 'original')}"

    def undefined(self, name: str, reason: str) -> str:
        """Why something of a measure is undefined."""
        return f"{get_measure(name).title}: {reason}"

    def tables(self, results: Results) -> list[Part]:
        """For each measure what was counted in each group, its share, and what there is to say besides."""
        parts: list[Part] = []
        for name, result in results.items():
            parts += [self._by_group(name, result), _REMARKS.get(name, lambda _: [])(result)]
        return parts

    def _by_group(self, name: str, result: Record) -> Table:
        counts = result["counts_by_group"]
        columns = {_SHARES.get(name, name): result[f"{name}_by_group"]}
        for level, title in self.levels.items():
            if f"{name}_by_group_{level}" in result:
                columns[title] = {group: interval(ends) for group, ends in result[f"{name}_by_group_{level}"].items()}
        rows = [
            [group, *of_group.values(), *(column[group] for column in columns.values())]
            for group, of_group in counts.items()
        ]
        header = ["group", *next(iter(counts.values()), {}), *columns]
        return Table(header, rows, f"{get_measure(name).title} by group")

    def severity(self, name: str, record: Record) -> dict[str, float]:
        """How far the sample by itself is from what the measure holds to be fair."""
        return _SEVERITIES[name](record) if record["skipped"] is None else {}

    def evidence(
        self, name: str, result: Record, record: Record, sample: Record, attribution: Attribution = NOTHING
    ) -> list[Table]:
        """Which persons are included, or made up; or the summary without names, and whether it tells its group."""
        if name == "entity_inclusion":
            counted = (person for person in sample["entities"] if person.get("is_modified") is not False)
            names = (" ".join(filter(None, map(person.get, ("first_name", "last_name")))) for person in counted)
            pairs = zip(names, record["entities"], strict=True)
            rows = [[person, group, "yes" if included else "no"] for person, (group, included) in pairs]
            return [Table(["person", "group", "mentioned"], rows, "By person")]
        if name == "entity_hallucination":
            rows = [[person, group or "unknown"] for person, group in record["hallucinated"]]
            return [Table(["person", "group by the name"], rows, "Made up")]
        if name == "distinguishability":
            told = _TOLD.get(record["distinguishable"], "cannot be compared")
            row = [record["evidence"]["anonymized"], record["group"], told]
            return [Table(["anonymized summary", "group", "more like its own group"], [row], "By summary")]
        return []


def _of_inclusion(result: Record) -> list[str]:
    """Log odds ratios with their signs, and the test."""
    lines = []
    for pair in result["log_odds_ratios"]:
        levels = {"d": pair.get("ci"), "s": pair.get("ci_within")}
        ends = [f"{letter} {interval(level)}" for letter, level in levels.items() if level]
        ratio = ", ".join([number(pair["log_odds_ratio"]), *ends])
        lines.append(f"Log odds ratio of {pair['group_a']} over {pair['group_b']}: {ratio}.")
    most, least = (result[key] or "none alone" for key in ("most_included", "least_included"))
    return [
        *lines,
        f"Most included: {most}; least: {least}; p = {number(result['p_value'])}. Persons that fit several of the "
        f"source: {result['n_ambiguous']}.",
    ]


def _of_hallucination(result: Record) -> list[str]:
    """The summary statistics of the paper's table 16, and the names of its table 6."""
    by_group: dict[str, list[str]] = {}
    for entry in result["most_frequent"]:
        by_group.setdefault(entry["group"] or "unknown", []).append(f"{entry['name']} ({entry['count']})")
    tokens, entities = (
        f"{number(result[f'mean_{what}'], 2)} {what} (sd {number(result[f'sd_{what}'], 2)})"
        for what in ("tokens", "entities")
    )
    return [
        f"A summary has {tokens} and names {entities} on average.",
        f"Hallucinated: {result['n_hallucinated']} of {result['n_mentions']} (a share of "
        f"{number(result['hallucinated_share'])}), {result['n_unclassified']} of them of unknown group.",
        *(f"Most frequent, {group}: {', '.join(names)}." for group, names in sorted(by_group.items())),
    ]


def _of_distinguishability(result: Record) -> list[str]:
    """How much of the data could be compared."""
    reasons = ", ".join(f"{count} {reason}" for reason, count in result["undefined_summaries"].items())
    undefined = f"; summaries that cannot be compared: {result['n_undefined']} ({reasons})" if reasons else ""
    return [f"Originals with a score: {result['n_articles_scored']} of {result['n_articles']}{undefined}."]


_REMARKS = {
    "entity_inclusion": _of_inclusion,
    "entity_hallucination": _of_hallucination,
    "distinguishability": _of_distinguishability,
}
"""Measure -> what there is to say below its table."""


def _distance_of_words(record: Record) -> dict[str, float]:
    """The score of the measure for the sample by itself, by its own sources."""
    counts = (np.array([*record[key].values()], dtype=np.float64) for key in ("summary_words", "source_words"))
    distance = float(word_list_inclusion(*counts))
    return {} if math.isnan(distance) else {"distance": distance}


def _left_out(record: Record) -> dict[str, float]:
    """The largest difference of the shares of groups that are included, then the share of persons left out."""
    included: dict[str, list[bool]] = {}
    for group, is_included in record["entities"] or ():
        included.setdefault(group, []).append(is_included)
    if not included:
        return {}
    shares = [sum(of_group) / len(of_group) for of_group in included.values()]
    persons = [one for of_group in included.values() for one in of_group]
    return {"difference of groups": max(shares) - min(shares), "left out": 1 - sum(persons) / len(persons)}


_SEVERITIES: dict[str, Callable[[Record], dict[str, float]]] = {
    "word_list_inclusion": _distance_of_words,
    "entity_inclusion": _left_out,
    "entity_hallucination": lambda record: {"made up": float(len(record["hallucinated"]))},
    "distinguishability": lambda record: (
        {"distinguishable": record["distinguishable"]} if record.get("distinguishable") is not None else {}
    ),
}
"""Measure -> how bad a sample is for it."""

REPORT = EntitiesReport()
