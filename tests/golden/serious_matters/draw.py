"""Draws of the units that were judged by hand, and what was judged."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from fairsum_utils.text.splitting import get_splitter

HERE = Path(__file__).parent
#: The file of reviews, below `shared/data`.
REVIEWS = "perspectivesumm/yelp_gpt4.jsonl.gz"
#: Another file of the same source.
GOLD = "perspectivesumm/yelp_gold.json"
SEED = 35
N_UNITS, N_REVIEWS = 300, 400


class Review(NamedTuple):
    """A review, its place in the file and its sentences."""

    id: str
    source: int
    text: str
    sentences: list[str]

    @property
    def place(self) -> tuple[str, int]:
        """The sample and the position among its sources."""
        return self.id, self.source

    @property
    def digest(self) -> str:
        """The first 12 digits of SHA-256."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:12]


class Judgement(NamedTuple):
    """A judged sentence with its review; borderline judgements have a reason."""

    sentence: str
    review: str
    stratum: str
    serious: bool
    category: str | None
    borderline: bool


@cache
def negative_reviews(path: Path) -> list[Review]:
    """Read the distinct negative reviews, in file order."""
    split = get_splitter("english").sentences
    found: dict[str, tuple[str, int]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            for source, (text, value) in enumerate(zip(row["sources"], row["values"], strict=True)):
                if value == "neg":
                    found.setdefault(text, (row["id"], source))
    return [Review(*place, text, split(text)) for text, place in found.items()]


def all_reviews(path: Path) -> Iterator[Review]:
    """Yield all reviews of the file."""
    split = get_splitter("english").sentences
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            yield from (Review(row["id"], source, text, split(text)) for source, text in enumerate(row["sources"]))


@cache
def gold_reviews(shared: Path, values: frozenset[str] = frozenset({"neg"})) -> list[Review]:
    """Read the distinct reviews of the other file that the first one lacks; spacing and marks do not count."""
    split = get_splitter("english").sentences
    known = {_letters(review.text) for review in all_reviews(shared / REVIEWS)}
    found = []
    for row, record in enumerate(json.loads((shared / GOLD).read_text(encoding="utf-8"))):
        for source, unit in enumerate(record["units"]):
            text = unit["text"]
            if unit["value"]["sentiment"] in values and _letters(text) not in known:
                known.add(_letters(text))
                found.append(Review(f"gold-{row:04d}", source, text, split(text)))
    return found


def _letters(text: str) -> str:
    return re.sub(r"\W", "", text.lower())


def draw(reviews: list[Review]) -> tuple[list[tuple[Review, int]], list[Review]]:
    """Draw single sentences, then whole reviews among those without a drawn sentence."""
    rng = random.Random(SEED)
    units = [(review, index) for review in reviews for index in range(len(review.sentences))]
    single = rng.sample(units, N_UNITS)
    used = {review.place for review, _ in single}
    whole = rng.sample([review for review in reviews if review.place not in used], N_REVIEWS)
    return single, whole


def draw_halves(reviews: list[Review]) -> tuple[list[Review], list[Review]]:
    """Split all reviews that the first draw left at random: a half to develop the list on, a half to test it on."""
    single, whole = draw(reviews)
    used = {review.place for review in [*whole, *(review for review, _ in single)]}
    rest = [review for review in reviews if review.place not in used]
    random.Random(SEED + 1).shuffle(rest)
    return rest[: len(rest) // 2], rest[len(rest) // 2 :]


def other_halves(path: Path) -> tuple[list[Review], list[Review]]:
    """Split the distinct reviews that are not negative at random, to develop and to test."""
    negative = {review.text for review in negative_reviews(path)}
    distinct = {review.text: review for review in reversed(list(all_reviews(path))) if review.text not in negative}
    others = [distinct[text] for text in dict.fromkeys(review.text for review in all_reviews(path)) if text in distinct]
    random.Random(SEED + 2).shuffle(others)
    return others[: len(others) // 2], others[len(others) // 2 :]


def read_recall(shared: Path) -> Iterator[Judgement]:
    """Yield the judgements of `recall.json` with their text from the files of reviews."""
    both = [*negative_reviews(shared / REVIEWS), *gold_reviews(shared)]
    reviews = {review.place: review for review in both}
    for record in json.loads((HERE / "recall.json").read_text(encoding="utf-8")):
        review = reviews[record["id"], record["source"]]
        notes = {note["sentence"]: note for note in record["notes"]}
        for index in record["judged"]:
            note = notes.get(index, {})
            yield Judgement(
                review.sentences[index],
                review.text,
                record["stratum"],
                note.get("serious", False),
                note.get("category"),
                "why" in note,
            )
