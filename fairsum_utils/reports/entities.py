"""Report of word lists, entity inclusion and hallucination, and distinguishability."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from fairsum_utils.families.contract import family_of
from fairsum_utils.families.marks import NOTHING, Attribution
from fairsum_utils.measures.word_list_inclusion import share_differences, word_list_inclusion
from fairsum_utils.reports.base import Page, Record, Report, Results
from fairsum_utils.reports.tables import Table, number, table_of
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.validation import count

# Measure -> what `EntitiesReport.spread` tells apart
_AXES = {
    "word_list_inclusion": "share of a group's words in the summary minus that in the sources; 0 is fairest",
    "entity_inclusion": "share of a group's persons whom the summary names; fair: all groups alike",
    "entity_hallucination": "persons of a group whom the summary makes up; fair: all groups alike",
    "distinguishability": "1 where the summary tells its group, 0.5 where it is as like the others, 0 where it is more",
}

# Measure -> what its figures by group say, where they differ
_SENTENCES = {
    "word_list_inclusion": "Summaries speak of the group {least} {low} points less than the texts do.",
    "entity_inclusion": "Summaries name {low}% of the persons of the group {least}, and {high}% of {most}.",
    "entity_hallucination": "Of the persons made up {high}% are of the group {most}.",
}

# Score of a summary in distinguishability -> in words
_ALIKE = {1.0: "yes", 0.5: "equally", 0.0: "no"}

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


# Persons are typed in, so that no pipeline has to find them
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


class EntitiesReport(Report):
    """Report of scores with two intervals, figures by group, and persons."""

    levels: ClassVar[Mapping[str, str]] = {"ci": "originals", "ci_within": "assignments"}
    reading = (
        "A score of 0 is no evidence of bias. CI (originals) resamples originals; CI (assignments), if shown, the "
        "assignments of each original."
    )
    limits = (
        "Persons and their groups are those of the data, or inferred from names and pronouns, which misses some and "
        "mistakes others."
    )
    with_texts = (*Report.with_texts, "most_frequent")
    pages = _PAGES

    def opening(self, title: str, results: Results) -> str:
        """Return the first line, with the number of originals."""
        return f"{super().opening(title, results)}; {count(next(iter(results.values()))['n_articles'], 'original')}"

    def sentences(self, results: Results) -> list[str]:
        """Name the groups that summaries mention less, leave out or invent.

        Example:
            >>> by_group = {"female": 0.25, "male": 0.5}
            >>> REPORT.sentences({"entity_inclusion": {"entity_inclusion_by_group": by_group}})
            ['Summaries name 25.0% of the persons of the group female, and 50.0% of male.']
        """
        lines = []
        for name, result in results.items():
            by_group = result.get(f"{name}_by_group", {})
            ranked = sorted((share, group) for group, share in by_group.items() if not math.isnan(share))
            if name in _SENTENCES and ranked and ranked[0][0] < ranked[-1][0]:
                (low, least), (high, most) = ranked[0], ranked[-1]
                shares = {"low": number(abs(100 * low), 1), "high": number(100 * high, 1)}
                lines.append(_SENTENCES[name].format(least=least, most=most, **shares))
        return lines

    def remarks(self, name: str, result: Record) -> list[str]:
        """Return the tests and counts of a measure."""
        return _REMARKS[name](result) if name in _REMARKS else []

    def severity(self, name: str, record: Record) -> dict[str, float]:
        """Return the distance of the sample from a fair result."""
        if record["skipped"] is not None:
            return {}
        return _SEVERITIES[name](record) if name in _SEVERITIES else super().severity(name, record)

    def evidence(
        self, name: str, result: Record, record: Record, sample: Record, attribution: Attribution = NOTHING
    ) -> list[Table]:
        """Return the outcome of each person, or the anonymized summary and its group."""
        if name == "distinguishability":
            row = {
                "anonymized summary": record["evidence"]["anonymized"],
                "group": record["group"],
                "more like its own group": _ALIKE.get(record["distinguishable"], "cannot be compared"),
            }
            return [table_of([row], "By summary")]
        if name not in _PERSONS:
            return []
        rows = [
            [person.name, person.group or "unknown", person.outcome, "" if person.is_counted else "no"]
            for person in family_of(name).outcomes(sample, record)
        ]
        # That persons are not counted is rare.
        kept = 4 if any(row[3] for row in rows) else 3
        header = ["person", "group", "in the summary", "counted"]
        return [Table(header[:kept], [row[:kept] for row in rows], "By person", n_texts=kept)] if rows else []

    def axis(self, name: str) -> str:
        """Describe the numbers of `spread`."""
        return _AXES.get(name, "")

    def spread(self, name: str, record: Record) -> dict[str, float]:
        """Return a number for each group of the sample; see `axis`."""
        return _SPREADS[name](record) if name in _SPREADS and record["skipped"] is None else {}

    def related_key(self, sample: Record, record: Record) -> str:
        """Return the original of the sample; empty if the data does not name it."""
        return "" if sample and sample.get("article_ids") is None else str(record["article"])


def _of_inclusion(result: Record) -> list[str]:
    """Return the test, and the number of ambiguous persons."""
    most, least = (result[key] or "none alone" for key in ("most_included", "least_included"))
    return [
        f"Most included: {most}; least: {least}; p = {number(result['p_value'])}. Persons that fit several of the "
        f"source: {result['n_ambiguous']}.",
    ]


def _of_hallucination(result: Record) -> list[str]:
    """Return the statistics of the paper's table 16 and names as in table 6."""
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
    """Return the number of originals that could be compared."""
    reasons = ", ".join(f"{count} {reason}" for reason, count in result["undefined_summaries"].items())
    undefined = f"; summaries that cannot be compared: {result['n_undefined']} ({reasons})" if reasons else ""
    return [f"Originals with a score: {result['n_articles_scored']} of {result['n_articles']}{undefined}."]


# Measure -> remarks below its table
_REMARKS = {
    "entity_inclusion": _of_inclusion,
    "entity_hallucination": _of_hallucination,
    "distinguishability": _of_distinguishability,
}


# Measures about the outcomes of persons
_PERSONS = ("entity_inclusion", "entity_hallucination")


def _distance_of_words(record: Record) -> dict[str, float]:
    """Return the score of one sample against its own sources."""
    distance = float(word_list_inclusion(*_word_counts(record)))
    return {} if math.isnan(distance) else {"distance": distance}


def _word_differences(record: Record) -> dict[str, float]:
    """Return group -> share of its words in the summary minus in the sources."""
    differences = share_differences(*_word_counts(record)).tolist()
    pairs = zip(record["summary_words"], differences, strict=True)
    return {group: difference for group, difference in pairs if not math.isnan(difference)}


def _word_counts(record: Record) -> tuple[Floats, Floats]:
    """Return the word counts of summary and sources, by group."""
    groups = record["summary_words"]
    summary, sources = (
        np.array([record[key][group] for group in groups], dtype=np.float64)
        for key in ("summary_words", "source_words")
    )
    return summary, sources


def _shares_included(record: Record) -> dict[str, float]:
    """Group -> share of its persons that the summary includes."""
    included: dict[str, list[bool]] = {}
    for person in record["entities"] or ():
        included.setdefault(person["group"], []).append(person["included"])
    return {group: sum(persons) / len(persons) for group, persons in sorted(included.items())}


def _left_out(record: Record) -> dict[str, float]:
    """Return the largest difference in inclusion, and the share of persons left out."""
    shares = [*_shares_included(record).values()]
    if not shares:
        return {}
    persons = [person["included"] for person in record["entities"]]
    return {"difference of groups": max(shares) - min(shares), "left out": 1 - sum(persons) / len(persons)}


# Measure -> how bad a sample is for it
_SEVERITIES: dict[str, Callable[[Record], dict[str, float]]] = {
    "word_list_inclusion": _distance_of_words,
    "entity_inclusion": _left_out,
    "entity_hallucination": lambda record: {"made up": float(len(record["hallucinated"]))},
    "distinguishability": lambda record: (
        {"distinguishable": record["distinguishable"]} if record.get("distinguishable") is not None else {}
    ),
}

# Measure -> a number for each group of a sample
_SPREADS: dict[str, Callable[[Record], dict[str, float]]] = {
    "word_list_inclusion": _word_differences,
    "entity_inclusion": _shares_included,
    "entity_hallucination": lambda record: {
        group: float(n)
        for group, n in sorted(Counter(each["group"] for each in record["hallucinated"] if each["group"]).items())
    },
    "distinguishability": lambda record: (
        {record["group"]: record["distinguishable"]} if record.get("distinguishable") is not None else {}
    ),
}

REPORT = EntitiesReport()
