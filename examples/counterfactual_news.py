"""Change the gender of persons in the news, summarize, and compare the summaries.

    python examples/counterfactual_news.py

The package has twenty-four articles. Three summarizers take the place of yours: two ignore persons, and one prefers
sentences about women. Nothing is downloaded, and no model is needed, since the names in copied sentences are known. If
your summarizer writes its own sentences, leave `mentions` out, and spaCy finds them (pip install ".[ner]").

How to read the result: if the interval of a log odds ratio excludes 0, one gender is named more often, and its sign
shows which. Distinguishability above 0 means that summaries reveal the gender even without names and pronouns.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from fairsum_utils import score
from fairsum_utils.corpora.counterfactual_ontonotes import CounterfactualCorpus, CounterfactualRow
from fairsum_utils.counterfactual.assignment import make_setting
from fairsum_utils.counterfactual.documents import mini_news
from fairsum_utils.families.entities.alignment import Aligner
from fairsum_utils.reports.formats import as_text
from fairsum_utils.reports.tables import Table
from fairsum_utils.text.person_names import Name
from fairsum_utils.text.punkt import sentences


def lead(index: int, row: CounterfactualRow) -> str:
    """Return the first three sentences."""
    return " ".join(sentences(row["text"])[:3])


def drawn(index: int, row: CounterfactualRow) -> str:
    """Draw three sentences at random."""
    split = sentences(row["text"])
    places = np.random.default_rng((0, index)).choice(len(split), min(3, len(split)), replace=False)
    return " ".join(split[place] for place in sorted(places))


def focus(index: int, row: CounterfactualRow) -> str:
    """Return the three sentences with most names of women, and fewest of men."""
    split, persons = sentences(row["text"]), row["entities"]
    aligner = Aligner([Name(person["first_name"], person["last_name"]) for person in persons])

    def order(place: int) -> tuple[int, int]:
        named = {aligner.align(name).entity for name in names_in(split[place], persons)} - {None}
        n_women = sum(persons[person]["group"] == "female" for person in named if person is not None)
        return -n_women, len(named) - n_women

    best = sorted(range(len(split)), key=order)[:3]
    return " ".join(split[place] for place in sorted(best))


def names_in(text: str, persons: Sequence[Mapping[str, str | None]]) -> list[str]:
    """Find the names of known persons in a text: full, last or first names."""
    forms: set[str] = set()
    for person in persons:
        parts = [part for part in (person["first_name"], person["last_name"]) if part]
        forms.update(parts, [" ".join(parts)])
    longest_first = "|".join(map(re.escape, sorted(forms - {""}, key=len, reverse=True)))
    return re.findall(rf"(?<!\w)(?<!\w['’-])(?:{longest_first})(?!\w|-\w|['’](?!s\b)\w)", text) if longest_first else []


SYSTEMS: dict[str, Callable[[int, CounterfactualRow], str]] = {"lead": lead, "random": drawn, "focus on women": focus}


def corpus(layout: str) -> list[CounterfactualRow]:
    """Make twenty inputs of each article: half, all or no persons are women.

    In the latter, words such as "mother" are not changed, as in the paper's main experiments: otherwise summaries that
    copy them would differ between genders by grammar alone.
    """
    articles = mini_news()
    if layout == "global":
        articles = [replace(article, content_words=()) for article in articles]
    return list(CounterfactualCorpus(articles, make_setting("gender", layout), name=f"gender_{layout}").rows())


def columns(rows: Sequence[CounterfactualRow], summaries: Sequence[str]) -> dict[str, Any]:
    """Return the columns that all measures need."""
    pairs = list(zip(rows, summaries, strict=True))
    return {
        "predictions": summaries,
        "entities": [row["entities"] for row in rows],
        "mentions": [names_in(summary, row["entities"]) for row, summary in pairs],
        "article_ids": [row["article_id"] for row in rows],
        "pair_ids": [row["pair_id"] for row in rows],
    }


def results(system: str, local: Sequence[CounterfactualRow], uniform: Sequence[CounterfactualRow]) -> dict[str, Any]:
    """Compute the four measures of a system.

    Inclusion and hallucination use the inputs with both genders, distinguishability those with one.
    """
    summarize = SYSTEMS[system]
    mixed, single = ([summarize(index, row) for index, row in enumerate(rows)] for rows in (local, uniform))
    inclusion = ("word_list_inclusion", "entity_inclusion", "entity_hallucination")
    return {
        **score(
            **columns(local, mixed),
            sources=[row["text"] for row in local],
            metrics=inclusion,
            confidence_level=0.95,
        ),
        **score(
            **columns(uniform, single),
            groups=[row["text_group"] for row in uniform],
            metrics=["distinguishability"],
            confidence_level=0.95,
        ),
    }


def cells(found: dict[str, Any]) -> Iterator[str]:
    """Return a system's column of the table: scores with intervals over originals."""
    [ratio] = found["entity_inclusion"]["log_odds_ratios"]
    for name, result in found.items():
        yield _cell(result[name], result[f"{name}_ci"])
        if name == "entity_inclusion":
            yield _cell(ratio["log_odds_ratio"], ratio["ci"])


def _cell(value: float, interval: Sequence[float]) -> str:
    if math.isnan(value):
        return "undefined"
    return f"{value:.2f}" + ("" if math.isnan(interval[0]) else f" [{interval[0]:.2f}, {interval[1]:.2f}]")


def main() -> None:
    """Build the inputs, summarize, score, print."""
    local, uniform = corpus("local"), corpus("global")
    found = {system: results(system, local, uniform) for system in SYSTEMS}
    titles = [
        "word list inclusion",
        "entity inclusion",
        "  log odds ratio (female : male)",
        "entity hallucination",
        "distinguishability",
    ]
    print(f"{len(local)} inputs of {len(mini_news())} articles; 95% intervals over articles\n")
    rows = [list(row) for row in zip(titles, *map(cells, found.values()), strict=True)]
    print(as_text([Table(["", *SYSTEMS], rows)]))
    reasons = {result["undefined"] for own in found.values() for result in own.values() if "undefined" in result}
    print("\n".join(["", *(f"undefined: {reason}" for reason in sorted(reasons))]))


if __name__ == "__main__":
    main()
