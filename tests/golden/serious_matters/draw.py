"""Draws of the units that were judged by hand."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import NamedTuple

from fairsum_utils.text.splitting import get_splitter

SEED = 35
N_UNITS, N_REVIEWS = 300, 400


class Review(NamedTuple):
    """A negative review and its place in the file."""

    id: str
    source: int
    sentences: list[str]


def negative_reviews(path: Path) -> list[Review]:
    """Read the distinct negative reviews, in file order."""
    split = get_splitter("english").sentences
    found: dict[str, tuple[str, int]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            for source, (text, value) in enumerate(zip(row["sources"], row["values"], strict=True)):
                if value == "neg":
                    found.setdefault(text, (row["id"], source))
    return [Review(*place, split(text)) for text, place in found.items()]


def draw(reviews: list[Review]) -> tuple[list[tuple[Review, int]], list[Review]]:
    """Draw single sentences at random, then whole reviews among those without a drawn sentence."""
    rng = random.Random(SEED)
    units = [(review, index) for review in reviews for index in range(len(review.sentences))]
    single = rng.sample(units, N_UNITS)
    used = {review[:2] for review, _ in single}
    whole = rng.sample([review for review in reviews if review[:2] not in used], N_REVIEWS)
    return single, whole
