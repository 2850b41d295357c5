"""Originals ranked by distinguishability, and phrases that mark a group as unusual."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any

from fairsum_reproductions.contract import Input
from fairsum_reproductions.records import Record, as_column, record_entries
from fairsum_utils.errors import InputError
from fairsum_utils.reports.panels import Distribution, Drawing, Histogram
from fairsum_utils.reports.tables import Part, Table
from fairsum_utils.settings import Checked, Count, Settings, setting
from fairsum_utils.stats.arrays import exact_mean
from fairsum_utils.text.wordlists import words
from fairsum_utils.validation import describe

INPUTS = (
    Input(
        "samples",
        "distinguishability records of each system",
        kind="samples",
        systems=True,
        families={"": "entities"},
    ),
)

_HYPHENS = "-\u2010\u2011"
# Phrases that mark a group as unusual. Source: Steen and Markert 2024, section 9.2.
MARKS = ("first woman", "first female", "first man", "first male")


def _check_phrases(module: str, name: str, phrases: object) -> str:
    listed = phrases.split(",") if isinstance(phrases, str) else phrases
    if not isinstance(listed, (list, tuple)) or not listed:
        raise InputError(f"{module}: {name} must be phrases separated by commas, found {describe(phrases)}")
    for phrase in listed:
        if not isinstance(phrase, str) or not words(phrase):
            raise InputError(f"{module}: {name} must be phrases of words, found {describe(phrase)}")
    return ",".join(dict.fromkeys(" ".join(words(phrase)) for phrase in listed))


class RankedArticlesSettings(Settings):
    """Phrases to count, and rows to show."""

    phrases: Annotated[str | Sequence[str], Checked(_check_phrases)] = setting(
        ",".join(MARKS),
        "phrases to count in the summaries as whole words, separated by commas",
        key="phrases",
    )
    shown: Count = setting(10, "number of originals listed for each system")


SETTINGS = RankedArticlesSettings


def phrase_counts(text: str, phrases: Sequence[str]) -> Counter[str]:
    """Count phrases in a text, ignoring case.

    The words of a phrase must be whole, with white space or a hyphen between them and no punctuation.

    Source: Steen and Markert 2024, section 9.2, which counts "first woman", "first female" and the like.

    Example:
        >>> text = "The first-woman and First Female chief. Her first women. First, woman."
        >>> dict(phrase_counts(text, MARKS[:2]))
        {'first woman': 1, 'first female': 1}
    """
    return Counter({phrase: len(_pattern(phrase).findall(text.lower())) for phrase in phrases})


@cache
def _pattern(phrase: str) -> re.Pattern[str]:
    """Compile a pattern for the start of a phrase, so phrases may overlap."""
    between = rf"(?:\s+|[{_HYPHENS}])".join(map(re.escape, re.split(rf"[{_HYPHENS}\s]+", " ".join(words(phrase)))))
    return re.compile(rf"(?<![{_HYPHENS}\w])(?={between}(?![{_HYPHENS}\w]))")


def _text(record: Record) -> str:
    """Return the summary, or the one without names if texts are missing."""
    whole = (record.get("sample") or {}).get("predictions")
    return str((record.get("evidence") or {}).get("anonymized") or "") if whole is None else str(whole)


def compute(samples: Mapping[str, Sequence[Record]], *, settings: RankedArticlesSettings) -> dict[str, Any]:
    """Rank each system's originals by distinguishability, and count phrases by group."""
    phrases = str(settings.phrases).split(",")
    systems = {system: _of_system(records, phrases, settings.module, system) for system, records in samples.items()}
    undefined = {
        f"distinguishability of {system}": "no original has a score"
        for system, found in systems.items()
        if math.isnan(found["distinguishability"])
    }
    return {"systems": systems, "shown": settings.shown, "undefined": undefined}


def _of_system(records: Sequence[Record], phrases: Sequence[str], module: str, system: str) -> dict[str, Any]:
    """Rank one system's originals, highest first, and count its phrases."""
    scores = as_column(f"{module}: {system}: article_score", record_entries(module, system, records, "article_score"))
    articles = record_entries(module, system, records, "article")
    groups = record_entries(module, system, records, "group")
    known: dict[str, float] = {}
    by_article: dict[str, Counter[str]] = {article: Counter() for article in articles}
    by_group: dict[str, Counter[str]] = {}
    n_samples = 0
    for record, article, group, score in zip(records, articles, groups, scores.tolist(), strict=True):
        if math.isnan(known.setdefault(article, score)):  # the sample was skipped
            known[article] = score
        if record.get("skipped") is None:
            n_samples += 1
            counts = phrase_counts(_text(record), phrases)
            by_article[article].update(counts)
            by_group.setdefault(group, Counter()).update(counts)
    n_by_article = Counter(articles)
    order = sorted(known, key=lambda article: (math.isnan(known[article]), -known[article]))
    return {
        "distinguishability": exact_mean([score for score in known.values() if not math.isnan(score)]),
        "articles": [
            {
                "article": article,
                "score": known[article],
                "n_samples": n_by_article[article],
                "phrases": {phrase: n for phrase, n in by_article[article].items() if n},
            }
            for article in order
        ],
        "phrases": {phrase: {group: by_group[group][phrase] for group in sorted(by_group)} for phrase in phrases},
        "n_samples": n_samples,
        "n_skipped": len(records) - n_samples,
    }


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out the most revealing originals by system, then phrase counts."""
    made: list[Part] = []
    for system, found in result["systems"].items():
        rows = []
        for rank, row in enumerate(found["articles"][: result["shown"]], start=1):
            listed = ", ".join(f"{n} {phrase}" for phrase, n in row["phrases"].items())
            rows.append([rank, row["article"], row["score"], row["n_samples"], listed])
        more = len(found["articles"]) - len(rows)
        below = [f"and {more} more in the JSON output"] if more else []
        title = f"Originals by distinguishability: {system}"
        made.append(Table(["rank", "original", "score", "summaries", "phrases"], rows, title, below, n_texts=2))
    groups = sorted(
        {group for found in result["systems"].values() for row in found["phrases"].values() for group in row}
    )
    rows = [
        [phrase, system, *(counts.get(group, 0) for group in groups), sum(counts.values())]
        for system, found in result["systems"].items()
        for phrase, counts in found["phrases"].items()
    ]
    title = "Phrase counts in summaries, by the input's group"
    made.append(Table(["phrase", "system", *groups, "all"], rows, title, n_texts=2))
    return made


def drawing(result: dict[str, Any]) -> Drawing:
    """Histogram of the scores of originals, by system."""
    groups = [
        Distribution(system, [row["score"] for row in found["articles"]]) for system, found in result["systems"].items()
    ]
    axis = "Distinguishability of an original: 0 if no summary reveals the group, 1 if all do."
    return Drawing("Which originals reveal the group?", [Histogram("Originals", groups, axis)])
