"""The judged units are the drawn ones, and the counts in the README are theirs."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.text.serious import LIST_PRECISION, LIST_RECALL, SERIOUS, mentions
from tests.golden.serious_matters.draw import HERE, REVIEWS, all_reviews, draw, negative_reviews, read_recall


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
    for stratum in ("sentences", "reviews"):
        chosen = [record for record in records if record["stratum"] == stratum]
        notes = [[note for note in record["notes"] if note["serious"]] for record in chosen]
        serious = [note for found in notes for note in found]
        units = sum(len(record["judged"]) for record in chosen)
        counts = (units, len(serious), sum("why" not in note for note in serious), sum(map(bool, notes)))
        row = re.search(rf"^\| `{stratum}` \| .* \| ([\d,]+) \| (\d+) \| (\d+) \| (\d+) \|$", readme, re.MULTILINE)
        assert row
        assert tuple(int(count.replace(",", "")) for count in row.groups()) == counts


def test_the_draw_gives_the_judged_units(records: list[dict[str, Any]], shared_data: Path) -> None:
    single, whole = draw(negative_reviews(shared_data / REVIEWS))
    drawn = [("sentences", *review.place, review.digest, index) for review, index in single]
    drawn += [("reviews", *review.place, review.digest, i) for review in whole for i in range(len(review.sentences))]
    judged = [(r["stratum"], r["id"], r["source"], r["digest"], index) for r in records for index in r["judged"]]
    assert Counter(judged) == Counter(drawn)
    assert len(list(read_recall(shared_data / REVIEWS))) == len(drawn)


def test_precision_and_recall_of_the_list_are_those_of_the_judgements(shared_data: Path) -> None:
    """The constants that results print are recomputed from the judgements and the list."""
    judged = json.loads((HERE / "precision.json").read_text(encoding="utf-8"))
    counts = Counter((each["sample"], each["serious"]) for each in judged)
    assert counts == {(1, True): 87, (1, False): 113, (2, True): 43, (2, False): 55}
    assert counts[2, True] / (counts[2, True] + counts[2, False]) == LIST_PRECISION
    reviews = {review.place: review for review in all_reviews(shared_data / REVIEWS)}
    for each in judged:
        review = reviews[each["id"], each["source"]]
        assert review.digest == each["digest"]
        assert each["sample"] == 1 or is_serious(review.sentences[each["sentence"]])
    serious = [is_serious(unit.sentence) for unit in read_recall(shared_data / REVIEWS) if unit.serious]
    assert sum(serious) / len(serious) == LIST_RECALL


def test_the_readme_has_the_counts_of_precision() -> None:
    judged = json.loads((HERE / "precision.json").read_text(encoding="utf-8"))
    counts = Counter((each["sample"], each["why"]) for each in judged if not each["serious"])
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    for why in {why for _, why in counts}:
        assert re.search(rf"^\| {why}[^|]*\| {counts[1, why]} \| {counts[2, why]} \|$", readme, re.MULTILINE)


def is_serious(sentence: str) -> bool:
    return any(mention.use == SERIOUS for mention in mentions(sentence))
