"""The judged units are the drawn ones, and the counts in the README are theirs."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.text.serious import LIST_PRECISION, LIST_RECALL, SERIOUS, mentions
from tests.golden.serious_matters.draw import (
    HERE,
    REVIEWS,
    draw,
    draw_halves,
    gold_reviews,
    negative_reviews,
    other_halves,
    read_recall,
)

STRATA = ("sentences", "reviews", "develop", "test", "other file")
#: Strata that the list was not revised on.
UNSEEN = ("test", "other file")


@pytest.fixture(scope="module")
def records() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((HERE / "recall.json").read_text(encoding="utf-8"))
    return found


def test_categories_are_those_of_the_rule(records: list[dict[str, Any]]) -> None:
    rule = set(re.findall(r"^\| `(\w+)` \|", (HERE / "README.md").read_text(encoding="utf-8"), re.MULTILINE))
    for record in records:
        for note in record["notes"]:
            assert note["sentence"] in record["judged"]
            assert note["serious"] == ("category" in note)
            assert note.get("category") is None or note["category"] in rule
            assert note["serious"] or note["why"]


def test_the_readme_has_the_counts(records: list[dict[str, Any]]) -> None:
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    for stratum in STRATA:
        chosen = [record for record in records if record["stratum"] == stratum]
        notes = [[note for note in record["notes"] if note["serious"]] for record in chosen]
        serious = [note for found in notes for note in found]
        units = sum(len(record["judged"]) for record in chosen)
        counts = (units, len(serious), sum("why" not in note for note in serious), sum(map(bool, notes)))
        row = re.search(rf"^\| `{stratum}` \| .* \| ([\d,]+) \| (\d+) \| (\d+) \| (\d+) \|$", readme, re.MULTILINE)
        assert row
        assert tuple(int(count.replace(",", "")) for count in row.groups()) == counts


def test_the_draw_gives_the_judged_units(records: list[dict[str, Any]], shared_data: Path) -> None:
    negative = negative_reviews(shared_data / REVIEWS)
    single, whole = draw(negative)
    drawn = [("sentences", *review.place, review.digest, index) for review, index in single]
    develop, test = draw_halves(negative)
    strata = {"reviews": whole, "develop": develop, "test": test, "other file": gold_reviews(shared_data)}
    for stratum, reviews in strata.items():
        drawn += [(stratum, *each.place, each.digest, i) for each in reviews for i in range(len(each.sentences))]
    judged = [(r["stratum"], r["id"], r["source"], r["digest"], index) for r in records for index in r["judged"]]
    assert Counter(judged) == Counter(drawn)
    assert len(list(read_recall(shared_data))) == len(drawn)


def test_precision_and_recall_of_the_list_are_those_of_the_judgements(shared_data: Path) -> None:
    """The constants that results print are recomputed from the judgements and the list."""
    judged = json.loads((HERE / "precision.json").read_text(encoding="utf-8"))
    counts = Counter((each["sample"], each["serious"]) for each in judged)
    assert counts == {(1, True): 87, (1, False): 113, (2, True): 43, (2, False): 55, (3, True): 28, (3, False): 24}
    units = [(unit.serious, is_serious(unit.sentence)) for unit in read_recall(shared_data) if unit.stratum in UNSEEN]
    found, missed, wrong = units.count((True, True)), units.count((True, False)), units.count((False, True))
    assert found / (found + missed) == LIST_RECALL
    others = [*other_halves(shared_data / REVIEWS)[1], *gold_reviews(shared_data, frozenset({"pos", "neu"}))]
    places = {
        (*review.place, review.digest, index)
        for review in others
        for index, sentence in enumerate(review.sentences)
        if is_serious(sentence)
    }
    assert places == {(e["id"], e["source"], e["digest"], e["sentence"]) for e in judged if e["sample"] == 3}
    assert (found + counts[3, True]) / (found + wrong + len(places)) == LIST_PRECISION


def test_the_readme_has_the_counts_of_precision() -> None:
    judged = json.loads((HERE / "precision.json").read_text(encoding="utf-8"))
    counts = Counter((each["sample"], each["why"]) for each in judged if not each["serious"])
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    for why in {why for _, why in counts}:
        assert re.search(
            rf"^\| {why}[^|]*\| {counts[1, why]} \| {counts[2, why]} \| {counts[3, why]} \|$", readme, re.MULTILINE
        )


def test_the_card_prints_both() -> None:
    card = (HERE.parents[2] / "metrics" / "omission" / "README.md").read_text(encoding="utf-8")
    text = " ".join(card.split())
    assert f"it finds {LIST_RECALL:.0%} of the serious sentences (`list_recall`)" in text
    assert f"{LIST_PRECISION:.0%} of what it finds is serious (`list_precision`)" in text


def is_serious(sentence: str) -> bool:
    return any(mention.use == SERIOUS for mention in mentions(sentence))
