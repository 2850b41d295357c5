"""Draw of the Wikipedia passages whose swaps were judged by hand."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path

HERE = Path(__file__).parent
SEED = 37
#: Stratum -> files of BOLD below `shared/data/bold/wikipedia`, and passages in one block.
STRATA = {
    "persons": (("gender_wiki", "race_wiki"), 150),
    "topics": (("political_ideology_wiki", "profession_wiki", "religious_ideology_wiki"), 50),
}


def passages(folder: Path, stratum: str) -> list[tuple[str, str]]:
    """Return all passages of a stratum in random order, each with its id."""
    found: dict[str, str] = {}
    for name in STRATA[stratum][0]:
        groups = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        for group, pages in groups.items():
            for page, sentences in pages.items():
                found.setdefault(" ".join(sentences).replace("\n", " "), f"{name}/{group}/{page}")
    ordered = sorted((name, text) for text, name in found.items())
    random.Random(SEED).shuffle(ordered)
    return ordered


def block(folder: Path, number: int) -> dict[str, str]:
    """Return a block of passages: id -> text."""
    drawn: list[tuple[str, str]] = []
    for stratum, (_, size) in STRATA.items():
        drawn += passages(folder, stratum)[number * size : (number + 1) * size]
    return dict(drawn)


def digest(text: str) -> str:
    """Return the first 12 digits of SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]
