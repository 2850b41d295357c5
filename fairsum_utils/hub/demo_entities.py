"""The demos of the measures of entities. Persons are typed in, so that no pipeline has to find them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from fairsum_utils.api import compute
from fairsum_utils.errors import InputError
from fairsum_utils.hub.page import Page, editable_table
from fairsum_utils.measures import get_measure

__all__ = [
    "PAGES",
    "TABLES",
    "headline",
    "score_hallucination",
    "score_inclusion",
    "score_summaries",
    "score_words",
]

Cells = list[list[Any]]

TABLES = {
    "word_list_inclusion": {
        "By group": ["group", "words in the summary", "words in the source", "share minus reference"]
    },
    "entity_inclusion": {
        "By group": ["group", "persons in the source", "mentioned", "share, with continuity"],
        "By person": ["person", "group", "mentioned"],
    },
    "entity_hallucination": {
        "By group": ["group", "made up", "share"],
        "Made up": ["person", "group by the name"],
    },
    "distinguishability": {
        "By group": ["group", "summaries", "score"],
        "By summary": ["anonymized summary", "group", "more like its own group"],
    },
}
"""Measure -> title -> columns of the tables below the score."""

_TOLD = {1.0: "yes", 0.5: "equally", 0.0: "no"}


def headline(name: str, result: dict[str, Any]) -> str:
    """The score in a line, or why there is none."""
    title = get_measure(name).title
    if math.isnan(result[name]):
        return f"{title} is undefined: {result['undefined']}."
    return f"{title} = {result[name]:.4f} (closer to 0 is fairer)"


def score_words(
    name: str, summary: str, source: str, word_lists: str = "helm", reference: str = "source"
) -> tuple[str, Cells]:
    """Count identifiers in a summary and its source, for people to read.

    Args:
        name: the measure.
        summary: the summary.
        source: the text it was made from.
        word_lists: ``"helm"`` or ``"extended"``.
        reference: ``"source"`` or ``"uniform"``.

    Returns:
        A headline, and a row for each group, see `TABLES`.

    Example:
        >>> score_words("word_list_inclusion", "She won.", "She and he ran.")
        ('Word List Inclusion = 0.5000 (closer to 0 is fairer)', [['female', 1, 1, 0.5], ['male', 0, 1, -0.5]])
    """
    settings = {"word_lists": word_lists, "reference": reference}
    result = compute(name, predictions=[summary], sources=[source], **settings, return_samples=True)
    [sample] = result["samples"]
    counts = [sample["summary_words"] or {}, sample["source_words"] or {}]
    differences = result[f"{name}_by_group"].items()
    return headline(name, result), [
        [group, *(own[group] for own in counts), round(difference, 4)] for group, difference in differences
    ]


def score_inclusion(
    name: str, summary: str, persons: Sequence[Sequence[str | None]], named: str, continuity: float = 0.5
) -> tuple[str, Cells, Cells]:
    """Look for the persons of a source in a summary, for people to read.

    Args:
        name: the measure.
        summary: the summary.
        persons: rows of first name, last name and group; rows with none are passed over.
        named: the names in the summary, with commas between.
        continuity: added to counts; 0 adds nothing.

    Returns:
        A headline, a row for each group and one for each person, see `TABLES`.

    Raises:
        InputError: a person without a name or a group.

    Example:
        >>> score_inclusion("entity_inclusion", "Lee won.", [["Ann", "Lee", "f"], ["Bob", "Ray", "m"]], "Lee")
        ('Entity Inclusion = 8.0000 (closer to 0 is fairer)',
         [['f', 1, 1, 0.75], ['m', 1, 0, 0.25]], [['Ann Lee', 'f', 'yes'], ['Bob Ray', 'm', 'no']])
    """
    found = [dict(zip(("first_name", "last_name", "group"), row, strict=True)) for row in persons if any(row)]
    columns = {"predictions": [summary], "entities": [found], "mentions": [_names(named)]}
    result = compute(name, **columns, continuity=continuity or None, return_samples=True)
    by_group = [
        [group, own["entities"], own["included"], round(result[f"{name}_by_group"][group], 4)]
        for group, own in result["counts_by_group"].items()
    ]
    by_person = [
        [" ".join(filter(None, (person["first_name"], person["last_name"]))), group, "yes" if included else "no"]
        for person, (group, included) in zip(found, result["samples"][0]["entities"] or [], strict=False)
    ]
    return headline(name, result), by_group, by_person


def score_hallucination(name: str, summary: str, source: str, named: str) -> tuple[str, Cells, Cells]:
    """Look for the persons of a summary in its source, for people to read.

    Args:
        name: the measure.
        summary: the summary.
        source: the text it was made from.
        named: the names in the summary, with commas between.

    Returns:
        A headline, a row for each group and one for each person who is made up, see `TABLES`.

    Example:
        >>> score_hallucination("entity_hallucination", "Bob Lee won.", "Lee won.", "Bob Lee")
        ('Entity Hallucination = 0.5000 (closer to 0 is fairer)',
         [['female', 0, 0.0], ['male', 1, 1.0]], [['Bob Lee', 'male']])
    """
    columns = {"predictions": [summary], "sources": [source], "mentions": [_names(named)]}
    result = compute(name, **columns, return_samples=True)
    by_group = [
        [group, own["hallucinated"], round(result[f"{name}_by_group"][group], 4)]
        for group, own in result["counts_by_group"].items()
    ]
    made_up = [[person, group or "unknown"] for person, group in result["samples"][0]["hallucinated"] or []]
    return headline(name, result), by_group, made_up


def score_summaries(name: str, table: Sequence[Sequence[str | None]]) -> tuple[str, Cells, Cells]:
    """Compare the summaries of the variants of one original, for people to read.

    Args:
        name: the measure.
        table: rows of summary, group, and the names in the summary with commas between; empty rows are passed over.

    Returns:
        A headline, a row for each group and one for each summary, see `TABLES`.

    Raises:
        InputError: no row, or one without a group.

    Example:
        >>> table = [["Ann hid her car.", "f", "Ann"], ["Eve hid.", "f", "Eve"], ["Bob sang.", "m", "Bob"]]
        >>> headline, by_group, by_summary = score_summaries("distinguishability", table)
        >>> headline, by_summary[0]
        ('Distinguishability = 1.0000 (closer to 0 is fairer)', ['LAST_NAME hid their car.', 'f', 'yes'])
    """
    rows = [[(cell or "").strip() for cell in row] for row in table]
    rows = [row for row in rows if row[0]]
    if not rows:
        raise InputError("There is no summary; fill in at least one row.")
    summaries, groups, named = zip(*rows, strict=True)
    columns = {"predictions": summaries, "groups": groups, "article_ids": ["1"] * len(rows)}
    result = compute(name, **columns, mentions=[*map(_names, named)], return_samples=True)
    by_group = [
        [group, own["summaries"], round(result[f"{name}_by_group"][group], 4)]
        for group, own in result["counts_by_group"].items()
    ]
    by_summary = [
        [sample["evidence"]["anonymized"], sample["group"], _TOLD.get(sample["distinguishable"], "cannot be compared")]
        for sample in result["samples"]
    ]
    return headline(name, result), by_group, by_summary


def _names(named: str | None) -> list[str]:
    return [name.strip() for name in (named or "").split(",") if name.strip()]


_NEWS = (
    "Ms. Levin praised her team, and so did Mark Twain.",
    "Melissa Levin praised her team. Tom Hill, who left, praised his own.",
    [["Melissa", "Levin", "female"], ["Tom", "Hill", "male"]],
    "Levin, Mark Twain",
)
_VARIANTS = [
    ["Ann Lee is the first woman to lead the bank.", "female", "Ann Lee"],
    ["The bank has its first woman at the top.", "female", ""],
    ["Bob Lee will lead the bank.", "male", "Bob Lee"],
    ["The bank named Mr. Lee.", "male", "Lee"],
]
_NEWS_NOTE = (
    "The persons that a summary names are typed in here; a program finds them with spaCy. The numbers describe "
)


def _news(gr: Any, *parts: str) -> list[Any]:
    """The sample of a measure of entities: its summary, and those parts that the measure needs."""
    made = {
        "source": lambda: gr.Textbox(_NEWS[1], label="Text that it was made from", lines=3),
        "persons": lambda: editable_table(
            gr, _NEWS[2], ["first name", "last name", "group"], "Persons in the text that it was made from"
        ),
        "named": lambda: gr.Textbox(_NEWS[3], label="Persons that the summary names, with commas between"),
    }
    return [gr.Textbox(_NEWS[0], label="Summary", lines=3), *(made[part]() for part in parts)]


PAGES = {
    "word_list_inclusion": Page(
        question="Whom does a summary speak of, next to the text that it was made from?",
        note="Words such as she and he are counted in both. The numbers describe this one summary.",
        score=score_words,
        sample=lambda gr: _news(gr, "source"),
        settings=lambda gr, _: [
            gr.Radio(
                ["helm", "extended"], value="helm", label="word lists", info="HELM's, or more words and no pronouns"
            ),
            gr.Radio(
                ["source", "uniform"], value="source", label="reference", info="the source's shares, or equal ones"
            ),
        ],
        tables=TABLES["word_list_inclusion"],
    ),
    "entity_inclusion": Page(
        question="Which persons does a summary leave out?",
        note=f"{_NEWS_NOTE}this one summary; the measure is meant for many.",
        score=score_inclusion,
        sample=lambda gr: _news(gr, "persons", "named"),
        settings=lambda gr, _: [gr.Slider(0, 1, 0.5, step=0.5, label="continuity", info="added to counts")],
        tables=TABLES["entity_inclusion"],
    ),
    "entity_hallucination": Page(
        question="Which persons does a summary make up?",
        note=f"{_NEWS_NOTE}this one summary. First names of the US census tell a group only roughly.",
        score=score_hallucination,
        sample=lambda gr: _news(gr, "source", "named"),
        settings=lambda gr, _: [],
        tables=TABLES["entity_hallucination"],
    ),
    "distinguishability": Page(
        question="Can one tell from a summary which group its text was about?",
        note=f"{_NEWS_NOTE}these summaries of one text, of which there are variants on each group.",
        score=score_summaries,
        sample=lambda gr: [
            editable_table(gr, _VARIANTS, ["summary", "group", "names in it"], "Summaries of one original")
        ],
        settings=lambda gr, _: [],
        tables=TABLES["distinguishability"],
    ),
}
"""Measure of entities -> its page, for their inputs differ."""
