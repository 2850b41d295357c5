"""Which articles have words that may have to change with the group of a person, for people to annotate."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fairsum_reproductions.contract import Input, Study
from fairsum_utils.errors import InputError
from fairsum_utils.families import Settings
from fairsum_utils.families.entities.settings import EntitySettings
from fairsum_utils.families.entities.wordlists import EXTENDED_GENDER, WordLists, check_word_lists, find_identifiers
from fairsum_utils.families.settings import Resampling, override, setting
from fairsum_utils.validation import describe

if TYPE_CHECKING:
    from fairsum_utils.reports.tables import Part

_SHOWN = 20
"""Candidates that a table lists."""


class AnnotationCandidatesSettings(Settings):
    """Which words make a candidate, and how candidates are drawn."""

    word_lists: str | Mapping[str, Sequence[str]] = override(
        EntitySettings,
        "word_lists",
        default="extended",
        only=(),
        help="helm or extended (mother, chairman, ...); or group -> its words (a .json file on the command line)",
    )
    n: int | None = setting(
        None, "candidates to draw at random; none: all, in random order", least=1, key="n", read=int
    )
    seed: int | None = override(Resampling, "seed")


def candidate_words(text: str, word_lists: WordLists = EXTENDED_GENDER) -> list[dict[str, Any]]:
    """The words of an article that may have to change with the group of a person; an article with one is a candidate.

    Args:
        text: of the article.
        word_lists: group -> its words.

    Returns:
        Dicts with ``start``, ``end``, ``word`` (in lower case) and ``group``, in the order of the text.

    Source: papers/news-summarization-bias, appendix J.2, with the words of table 18.

    Example:
        >>> [(found["word"], found["start"]) for found in candidate_words("Chairman Diane Sasser met her mother.")]
        [('chairman', 0), ('mother', 30)]
    """
    return [found._asdict() for found in find_identifiers(text, word_lists)]


def compute(articles: Sequence[Mapping[str, Any]], *, settings: AnnotationCandidatesSettings) -> dict[str, Any]:
    """The candidates in random order, and in how many articles each word stands."""
    word_lists = check_word_lists(settings.module, settings.word_lists)
    counts: dict[str, dict[str, Any]] = {
        word: {"group": group, "n_articles": 0, "n": 0} for group, listed in word_lists.items() for word in listed
    }
    candidates: list[dict[str, Any]] = []
    n_annotated = n_missed = 0
    for place, row in enumerate(articles):
        if not isinstance(row["text"], str):
            raise InputError(
                f"{settings.module}: row {place + 1}: text must be a string, found {describe(row['text'])}"
            )
        found = candidate_words(row["text"], word_lists)
        is_annotated = bool(row.get("content_words"))
        n_annotated += is_annotated
        n_missed += is_annotated and not found
        if found:
            name = row.get("id")
            candidates.append(
                {"id": str(place if name is None else name), "words": found, "is_annotated": is_annotated}
            )
        for each in found:
            counts[each["word"]]["n"] += 1
        for word in {each["word"] for each in found}:
            counts[word]["n_articles"] += 1
    order = np.random.default_rng(settings.seed).permutation(len(candidates))[: settings.n]
    result: dict[str, Any] = {
        "n_samples": len(articles),
        "n_candidates": len(candidates),
        "share": len(candidates) / len(articles) if articles else math.nan,
        "words": {word: count for word, count in counts.items() if count["n"]},
        "candidates": [candidates[place] for place in order.tolist()],
        "undefined": {},
    }
    if n_annotated:
        result |= {"n_annotated": n_annotated, "n_missed": n_missed}
    return result


def parts(result: dict[str, Any]) -> list[Part]:
    """How many articles are left for people, which words they have, and the first that were drawn."""
    from fairsum_utils.reports.tables import Table

    said = [f"{result['n_candidates']} of {result['n_samples']} articles are candidates ({result['share']:.0%})"]
    if "n_annotated" in result:
        said.append(f"{result['n_annotated']} articles are annotated already; the filter misses {result['n_missed']}")
    words = sorted(result["words"].items(), key=lambda entry: (-entry[1]["n_articles"], entry[0]))
    drawn = [
        [number, each["id"], ", ".join(dict.fromkeys(found["word"] for found in each["words"]))]
        for number, each in enumerate(result["candidates"][:_SHOWN], start=1)
    ]
    more = len(result["candidates"]) - len(drawn)
    below = [f"and {more} more, in JSON, where the places of words stand"] if more else []
    return [
        said,
        Table(["number", "article", "words"], drawn, "Candidates, in random order", below, n_texts=3),
        Table(
            ["word", "group", "articles", "times"],
            [[word, count["group"], count["n_articles"], count["n"]] for word, count in words],
            "Words that were found",
            n_texts=2,
        ),
    ]


STUDY = Study(
    paper="news",
    source="appendix J.2, table 18",
    help="which articles have words that may have to change with the gender of a person?",
    inputs=(
        Input(
            "articles",
            "the originals, as a file of documents or the configuration original has them",
            columns={"text": "the article"},
            optional={"id": "its name", "content_words": "words that people have annotated already"},
            lists=("content_words",),
        ),
    ),
    settings=AnnotationCandidatesSettings,
    compute=compute,
    parts=parts,
    choices=(
        "the paper draws candidates until 100 of them needed to be changed, which only people can tell; here they are "
        "given in random order",
        "words are whole words: those within others, as in vice-chairman or stepmother, make no candidate",
    ),
    examples=(
        "fairsum study annotation_candidates corpus.jsonl --n 100",
        "fairsum study annotation_candidates corpus.jsonl --word-lists mine.json --format json --output drawn.json",
    ),
)
