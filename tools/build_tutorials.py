"""Build the tutorials' raw files: reviews, summaries of five systems, and minutes.

    python tools/build_tutorials.py

All sentences are put together from lists that we wrote for this project, Apache-2.0; no person or place is meant.
"""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "docs" / "pages" / "tutorials"

# Subject of a review -> words of praise, words of complaint.
ASPECTS = {
    "soup": (["tasty", "rich", "comforting"], ["watery", "lukewarm", "oversalted"]),
    "staff": (["attentive", "cheerful", "patient"], ["rude", "distracted", "impatient"]),
    "terrace": (["sunny", "quiet", "lovely"], ["noisy", "cramped", "smoky"]),
    "bread": (["crusty", "fresh", "warm"], ["stale", "burnt", "soggy"]),
    "prices": (["fair", "modest", "honest"], ["steep", "absurd", "outrageous"]),
    "service": (["swift", "smooth", "thoughtful"], ["slow", "chaotic", "careless"]),
    "dessert": (["heavenly", "delicate", "generous"], ["tasteless", "tiny", "sugary"]),
    "music": (["gentle", "charming", "lively"], ["deafening", "tiresome", "grating"]),
    "fish": (["tender", "fragrant", "crisp"], ["dry", "bony", "greasy"]),
    "tables": (["spotless", "roomy", "elegant"], ["sticky", "wobbly", "crowded"]),
}

NAMES = ("Harbour", "Garden", "Lantern", "Mill", "Olive", "Station", "Corner", "River")
KINDS = ("Kitchen", "Table", "House", "Room", "Grill")

# Subject of a meeting -> what residents say first, what the administration answers.
TOPICS = {
    "bus line": ("Residents wait forty minutes at the school stop.", "A second bus costs ninety thousand a year."),
    "playground": (
        "Children cross a busy street to reach the swings.",
        "The lot is reserved for parking until spring.",
    ),
    "library hours": ("Shift workers cannot come before six.", "Evening staff would need a new contract."),
    "market square": ("Stalls bring customers to the old shops.", "Deliveries block the fire lane every Saturday."),
    "street lights": ("Elderly neighbours stay home after dark.", "New lamps must follow the heritage rules."),
    "swimming pool": ("The club teaches two hundred pupils each winter.", "Heating the pool has doubled in price."),
    "bicycle path": ("Commuters ride between lorries on the bridge.", "The bridge cannot carry another lane."),
    "composting": ("Bins overflow every week in the new quarter.", "Collection twice a week needs another truck."),
}

RESIDENTS = ("We asked for this last year already.", "Many families signed the petition.", "We offer to help with it.")
ADMINISTRATION = ("The budget is closed until June.", "We will examine two offers.", "The council decides in autumn.")


def reviews(draw: random.Random, n: int = 40) -> list[dict[str, str | int]]:
    """Return review rows: place, stars, and a text about two things."""
    places = [f"{name} {kind}" for kind in KINDS for name in NAMES][:n]
    rows: list[dict[str, str | int]] = []
    for place in places:
        liked = draw.uniform(0.45, 0.85)
        for _ in range(draw.randint(6, 10)):
            praise = draw.random() < liked
            one, other = draw.sample(sorted(ASPECTS), 2)
            words = [draw.choice(ASPECTS[about][not praise]) for about in (one, other)]
            text = f"{words[0].capitalize()} {one} and {words[1]} {other}."
            rows.append({"place": place, "stars": draw.choice((4, 5) if praise else (1, 2)), "review": text})
    return rows


def systems(draw: random.Random) -> dict[str, Callable[[Sequence[dict[str, str | int]]], str]]:
    """Map summarizers to their summaries of a place's reviews."""

    def joined(rows: Sequence[dict[str, str | int]]) -> str:
        return " ".join(str(row["review"]) for row in rows)

    def of(rows: Sequence[dict[str, str | int]], *, praise: bool) -> list[dict[str, str | int]]:
        return [row for row in rows if (int(row["stars"]) > 3) is praise]

    def balanced(rows: Sequence[dict[str, str | int]]) -> str:
        share = len(of(rows, praise=True)) / len(rows)
        n_praise = round(4 * share)
        return joined([*of(rows, praise=True)[:n_praise], *of(rows, praise=False)[: 4 - n_praise]])

    return {
        "balanced": balanced,
        "lead": lambda rows: joined(rows[:4]),
        "random": lambda rows: joined(draw.sample(list(rows), 4)),
        "cheerful": lambda rows: joined((of(rows, praise=True) + of(rows, praise=False))[:4]),
        "one-liner": lambda rows: joined(rows[-1:]),
    }


def meetings(draw: random.Random) -> list[dict[str, str]]:
    """Return meetings as speaker turns; every second summary leaves residents out."""
    rows = []
    for place, (topic, (plea, answer)) in enumerate(TOPICS.items()):
        residents = draw.sample(RESIDENTS, 2)
        replies = draw.sample(ADMINISTRATION, 2)
        turns = [
            ("CHAIR", f"Next is the {topic}."),
            ("RESIDENT", plea),
            ("ADMINISTRATION", answer),
            ("RESIDENT", residents[0]),
            ("ADMINISTRATION", replies[0]),
            ("RESIDENT", residents[1]),
            ("CHAIR", f"The {topic} goes to the committee."),
        ]
        minutes = [turns[-1][1], answer, replies[0]] if place % 2 else [turns[-1][1], plea, answer, residents[0]]
        rows.append(
            {
                "meeting": topic,
                "transcript": "\n".join(f"{speaker}: {text}" for speaker, text in turns),
                "minutes": " ".join(minutes),
            }
        )
    return rows


def main() -> None:
    """Write the files."""
    draw = random.Random(0)
    FOLDER.mkdir(exist_ok=True)
    given = reviews(draw)
    tables = {"reviews": given}
    for name, summarize in systems(draw).items():
        by_place: dict[str | int, list[dict[str, str | int]]] = {}
        for row in given:
            by_place.setdefault(row["place"], []).append(row)
        tables[name] = [{"place": place, "summary": summarize(rows)} for place, rows in by_place.items()]
    for name, rows in tables.items():
        with (FOLDER / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in meetings(draw)]
    (FOLDER / "meetings.jsonl").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
