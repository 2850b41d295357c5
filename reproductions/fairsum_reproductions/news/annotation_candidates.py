"""Articles with words that may depend on a person's group, for annotation."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fairsum_reproductions.contract import Input, Seed
from fairsum_reproductions.news.diagnosis import Lists
from fairsum_utils.errors import InputError
from fairsum_utils.measures.word_list_inclusion import WordListInclusion
from fairsum_utils.reports.tables import Part, Table
from fairsum_utils.settings import Count, Resampling, Settings, override, setting
from fairsum_utils.text.wordlists import check_word_lists, find_identifiers
from fairsum_utils.validation import describe

INPUTS = (
    Input(
        "articles",
        "originals, from a file of documents or the configuration original",
        columns={"text": "the article"},
        optional={"id": "its name", "content_words": "words already annotated by people"},
        lists=("content_words",),
    ),
)

# Candidates that a table lists.
_SHOWN = 20


class AnnotationCandidatesSettings(Settings):
    """Word lists, and the draw of candidates."""

    word_lists: Lists = override(
        WordListInclusion,
        "word_lists",
        default="extended",
        help="helm or extended (mother, chairman, ...); or group -> its words (a .json file on the command line)",
    )
    n: Count | None = setting(None, "candidates to draw at random; none: all, in random order", key="n")
    seed: Seed = override(Resampling, "seed")


SETTINGS = AnnotationCandidatesSettings


def compute(articles: Sequence[Mapping[str, Any]], *, settings: AnnotationCandidatesSettings) -> dict[str, Any]:
    """Return candidates in random order, with the number of articles per word."""
    word_lists = check_word_lists(settings.module, settings.word_lists)
    candidates: list[dict[str, Any]] = []
    annotated: list[bool] = []
    n_words: Counter[str] = Counter()
    n_articles: Counter[str] = Counter()
    for place, row in enumerate(articles):
        if not isinstance(row["text"], str):
            raise InputError(
                f"{settings.module}: row {place + 1}: text must be a string, found {describe(row['text'])}"
            )
        found = [each._asdict() for each in find_identifiers(row["text"], word_lists)]
        listed = [each["word"] for each in found]
        n_words.update(listed)
        n_articles.update(set(listed))
        annotated.append(bool(row.get("content_words")))
        if found:
            name = str(place if row.get("id") is None else row["id"])
            candidates.append({"id": name, "words": found, "is_annotated": annotated[-1]})
    order = np.random.default_rng(settings.seed).permutation(len(candidates))[: settings.n]
    result: dict[str, Any] = {
        "n_samples": len(articles),
        "n_candidates": len(candidates),
        "share": len(candidates) / len(articles) if articles else math.nan,
        "words": {
            word: {"group": group, "n_articles": n_articles[word], "n": n_words[word]}
            for group, listed in word_lists.items()
            for word in listed
            if n_words[word]
        },
        "candidates": [candidates[place] for place in order.tolist()],
        "undefined": {},
    }
    if any(annotated):
        n_found = sum(each["is_annotated"] for each in candidates)
        result |= {"n_annotated": sum(annotated), "n_missed": sum(annotated) - n_found}
    return result


def parts(result: dict[str, Any]) -> list[Part]:
    """Number of candidates, the first of the draw, and their words."""
    lines = [f"{result['n_candidates']} of {result['n_samples']} articles are candidates ({result['share']:.0%})"]
    if "n_annotated" in result:
        lines.append(f"{result['n_annotated']} articles are already annotated; the filter misses {result['n_missed']}")
    words = sorted(result["words"].items(), key=lambda entry: (-entry[1]["n_articles"], entry[0]))
    counted = [[word, *count.values()] for word, count in words]
    drawn = [
        [number, each["id"], ", ".join(dict.fromkeys(found["word"] for found in each["words"]))]
        for number, each in enumerate(result["candidates"][:_SHOWN], start=1)
    ]
    more = len(result["candidates"]) - len(drawn)
    below = [f"and {more} more in the JSON output, with word positions"] if more else []
    return [
        lines,
        Table(["number", "article", "words"], drawn, "Candidates, in random order", below, n_texts=3),
        Table(["word", "group", "articles", "times"], counted, "Words found", n_texts=2),
    ]
