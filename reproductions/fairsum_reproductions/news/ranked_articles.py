"""Which originals have summaries that tell the group, and how often summaries mark a group as unusual."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsum_reproductions.contract import Input, Study
from fairsum_utils.analysis.records import Record, as_column, record_entries
from fairsum_utils.errors import InputError
from fairsum_utils.families import Settings
from fairsum_utils.families.entities.wordlists import words
from fairsum_utils.families.settings import setting
from fairsum_utils.stats.arrays import exact_mean
from fairsum_utils.validation import describe

if TYPE_CHECKING:
    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.tables import Part

MARKS = ("first woman", "first female", "first man", "first male")
"""Phrases that mark a group as unusual. Source: papers/news-summarization-bias, section 9.2."""


def _check_phrases(module: str, name: str, phrases: object) -> str:
    listed = phrases.split(",") if isinstance(phrases, str) else phrases
    if not isinstance(listed, (list, tuple)) or not listed:
        raise InputError(f"{module}: {name} must be phrases with commas between them, found {describe(phrases)}")
    for phrase in listed:
        if not isinstance(phrase, str) or not words(phrase):
            raise InputError(f"{module}: {name} must be phrases of words, found {describe(phrase)}")
    return ",".join(dict.fromkeys(" ".join(words(phrase)) for phrase in listed))


class RankedArticlesSettings(Settings):
    """What is counted, and how much is shown."""

    phrases: str | Sequence[str] = setting(
        ",".join(MARKS),
        "phrases to count in the summaries, as whole words, with commas between them",
        check=_check_phrases,
        key="phrases",
    )
    shown: int = setting(10, "originals that the table lists for each system", least=1)


def ranked_originals(
    samples: Sequence[Record], *, module: str = "ranked_articles", name: str = "samples"
) -> list[dict[str, Any]]:
    """The originals by the distinguishability of their summaries, highest first; those without a score come last.

    Args:
        samples: records of ``distinguishability``.
        module: name used in messages.
        name: what the records are called there.

    Returns:
        Dicts with ``article``, ``score`` (NaN where undefined) and ``n_samples``; originals of one score stand in the
        order of their samples. The mean of the scores is the measure.

    Raises:
        InputError: records of something else.

    Source: papers/news-summarization-bias, section 9.2.

    Example:
        >>> scores = {"wsj_1": [0.5, 0.5], "wsj_2": [1.0, 1.0], "wsj_3": [None]}
        >>> samples = [{"article": name, "article_score": one} for name, of_name in scores.items() for one in of_name]
        >>> [(row["article"], row["score"], row["n_samples"]) for row in ranked_originals(samples)]
        [('wsj_2', 1.0, 2), ('wsj_1', 0.5, 2), ('wsj_3', nan, 1)]
    """
    scores = as_column(f"{module}: {name}: article_score", record_entries(module, name, samples, "article_score"))
    articles = record_entries(module, name, samples, "article")
    known: dict[str, float] = {}
    for article, score in zip(articles, scores.tolist(), strict=True):
        if math.isnan(known.setdefault(article, score)):  # of a sample that was skipped
            known[article] = score
    counts = Counter(articles)
    order = sorted(known, key=lambda article: (math.isnan(known[article]), -known[article]))
    return [{"article": article, "score": known[article], "n_samples": counts[article]} for article in order]


def phrase_counts(texts: Iterable[str], phrases: Sequence[str]) -> dict[str, int]:
    """Count phrases in texts, ignoring case.

    The words of a phrase must be whole, with white space or a hyphen between them and no punctuation.

    Args:
        texts: any strings.
        phrases: of one or more words.

    Source: papers/news-summarization-bias, section 9.2, which counts "first woman", "first female" and the like.

    Example:
        >>> phrase_counts(["The first-woman and First Female chief.", "Her first women. First, woman."], MARKS[:2])
        {'first woman': 1, 'first female': 1}
    """
    counts = dict.fromkeys(phrases, 0)
    patterns = {phrase: _pattern(phrase) for phrase in counts}
    for text in texts:
        lowered = text.lower()
        for phrase, pattern in patterns.items():
            counts[phrase] += sum(1 for _ in pattern.finditer(lowered))
    return counts


_HYPHENS = "-\u2010\u2011"


def _pattern(phrase: str) -> re.Pattern[str]:
    """A pattern that matches where a phrase begins, so that phrases may overlap."""
    between = rf"(?:\s+|[{_HYPHENS}])".join(map(re.escape, re.split(rf"[{_HYPHENS}\s]+", " ".join(words(phrase)))))
    return re.compile(rf"(?<![{_HYPHENS}\w])(?={between}(?![{_HYPHENS}\w]))")


def _text(record: Record) -> str:
    """The summary, or the one without names where texts are not at hand."""
    whole: str | None = (record.get("sample") or {}).get("predictions")
    if whole is not None:
        return whole
    return str((record.get("evidence") or {}).get("anonymized") or "")


def compute(samples: Mapping[str, Sequence[Record]], *, settings: RankedArticlesSettings) -> dict[str, Any]:
    """System -> its originals in order, and its counts of phrases by the group of the input."""
    assert isinstance(settings.phrases, str)
    phrases = settings.phrases.split(",")
    systems: dict[str, Any] = {}
    undefined: dict[str, str] = {}
    for system, records in samples.items():
        found = systems[system] = _of_system(records, phrases, settings.module, system)
        if math.isnan(found["distinguishability"]):
            undefined[f"distinguishability of {system}"] = "no original has a score"
    return {"systems": systems, "shown": settings.shown, "undefined": undefined}


def _of_system(records: Sequence[Record], phrases: Sequence[str], module: str, system: str) -> dict[str, Any]:
    """The originals of a system in order, and its counts of phrases."""
    ranked = ranked_originals(records, module=module, name=system)
    groups = record_entries(module, system, records, "group")
    by_article: dict[str, Counter[str]] = {}
    by_group: dict[str, Counter[str]] = {}
    n_samples = 0
    for record, group in zip(records, groups, strict=True):
        if record.get("skipped") is None:
            n_samples += 1
            counts = phrase_counts([_text(record)], phrases)
            by_article.setdefault(record["article"], Counter()).update(counts)
            by_group.setdefault(group, Counter()).update(counts)
    for row in ranked:
        row["phrases"] = {phrase: n for phrase, n in by_article.get(row["article"], Counter()).items() if n}
    known = [row["score"] for row in ranked if not math.isnan(row["score"])]
    return {
        "distinguishability": exact_mean(known) if known else math.nan,
        "articles": ranked,
        "phrases": {phrase: {group: by_group[group][phrase] for group in sorted(by_group)} for phrase in phrases},
        "n_samples": n_samples,
        "n_skipped": len(records) - n_samples,
    }


def parts(result: dict[str, Any]) -> list[Part]:
    """The originals that tell most, a table a system; then how often each phrase stands in summaries."""
    from fairsum_utils.reports.tables import Table

    made: list[Part] = []
    for system, found in result["systems"].items():
        rows = [
            [rank, row["article"], row["score"], row["n_samples"], _listed(row["phrases"])]
            for rank, row in enumerate(found["articles"][: result["shown"]], start=1)
        ]
        more = len(found["articles"]) - len(rows)
        below = [f"and {more} more, in JSON"] if more else []
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
    title = "How often summaries say it, by the group of the input"
    made.append(Table(["phrase", "system", *groups, "all"], rows, title, n_texts=2))
    return made


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {phrase}" for phrase, n in counts.items())


def drawing(result: dict[str, Any]) -> Drawing:
    """How the scores of originals are spread, by system."""
    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.drawings.histogram import Distribution, Histogram

    groups = [
        Distribution(system, [row["score"] for row in found["articles"]]) for system, found in result["systems"].items()
    ]
    axis = "Distinguishability of an original: 0 if its summaries do not tell the group, 1 if all do."
    return Drawing("Which originals tell the group?", [Histogram("Originals", groups, axis)])


STUDY = Study(
    paper="news",
    source="section 9.2",
    help="which originals have summaries that tell the group, and do these mark a group as unusual?",
    inputs=(
        Input(
            "samples",
            "records of distinguishability, of each system",
            kind="samples",
            systems=True,
            families={"": "entities"},
        ),
    ),
    settings=RankedArticlesSettings,
    compute=compute,
    parts=parts,
    drawing=drawing,
    choices=(
        "the paper ranks by dense embeddings; here by those that the records were made with",
        "phrases are counted as whole words, not across punctuation, in all summaries, not only those of high rank",
    ),
    examples=(
        "fairsum study ranked_articles bart.parquet pegasus.parquet",
        "fairsum study ranked_articles bart.parquet --phrases 'woman president,man president' --format json",
    ),
)
