"""Build mini_news.jsonl.gz: twenty-four invented articles with annotated names, mentions and words.

    python tools/build_mini_news.py

The articles and their marks stand in mini_news.txt beside this file, whose head explains them. Written for this
project, Apache-2.0.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from _common import write_table

SOURCE = Path(__file__).with_name("mini_news.txt")

TAGS = dict.fromkeys(("i", "me", "he", "him", "himself", "she", "herself", "hers"), "PRP")
TAGS |= dict.fromkeys(("my", "his", "her"), "PRP$")
"""Penn tags of the pronouns that are marked as mentions, where the mark gives none."""

MARK = re.compile(r"\[(?P<chain>\d+) |<(?:(?P<of>\d+) )?(?P<name>[^>]+)>|\{(?P<word>[^}]+)\}|(?:\|(?P<tag>[A-Z$]+))?\]")


def parse(identifier: str, marked: str) -> dict[str, Any]:
    """Parse one article into text and annotations."""
    text = ""
    names: list[dict[str, Any]] = []
    mentions: list[dict[str, Any]] = []
    words: list[dict[str, Any]] = []
    opened: list[tuple[int, int]] = []  # (chain, start) of mentions that have not ended
    last = 0
    for mark in MARK.finditer(marked):
        text += marked[last : mark.start()]
        last, start = mark.end(), len(text)
        if mark["chain"]:
            opened.append((int(mark["chain"]), start))
        elif mark["name"]:
            text += mark["name"]
            names.append({"start": start, "end": len(text), "label": "PERSON"})
            if mark["of"]:
                mentions.append({"start": start, "end": len(text), "chain": int(mark["of"])})
        elif mark["word"]:
            chains, word, male, female, neutral = re.fullmatch(
                r"([\d,]+) ([^|]+)\|([^|]+)\|([^|]+)\|([^|]+)", mark["word"]
            ).groups()
            text += word
            forms = {"male": male, "female": female, "neutral": neutral}
            words.append({"start": start, "end": len(text), "chains": [*map(int, chains.split(","))], **forms})
        else:
            chain, start = opened.pop()
            tag = mark["tag"] or TAGS.get(text[start:].lower())
            mentions.append({"start": start, "end": len(text), "chain": chain, **({"pos": tag} if tag else {})})
    text += marked[last:]
    if opened or set(text) & set("[]<>{}|"):
        raise ValueError(f"{identifier}: a mark is not closed or not of the kinds there are: {text}")
    mentions.sort(key=lambda mention: (mention["start"], -mention["end"]))
    return {"id": identifier, "text": text, "entities": names, "mentions": mentions, "content_words": words}


def articles(lines: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the articles of a marked-up text."""
    kept = "\n".join(line for line in lines if not line.startswith("##"))
    for block in kept.split("\n# ")[1:]:
        identifier, *sentences = block.strip().split("\n")
        yield parse(identifier, " ".join(sentences))


def main() -> None:
    """Write one JSON object an article."""
    found = articles(SOURCE.read_text(encoding="utf-8").splitlines())
    write_table("mini_news.jsonl.gz", (json.dumps(article, ensure_ascii=False) for article in found))


if __name__ == "__main__":
    main()
