"""Sentences judged by hand: the claims that the extractor finds, and the rates that the README states."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.families.misattribution.claims import extract_claims
from fairsum_utils.families.misattribution.names import Roster

HERE = Path(__file__).parent / "claims"
JUDGED: dict[str, Any] = json.loads((HERE / "sentences.json").read_text(encoding="utf-8"))


def is_right(sentence: dict[str, Any]) -> bool:
    found = extract_claims(sentence["text"], Roster(JUDGED["speakers"], JUDGED["aliases"]))
    claims = [[JUDGED["speakers"][claim.speaker], claim.statement] for claim in found.claims]
    return claims == sentence["claims"] and found.left_out == Counter(sentence["left_out"])


@pytest.fixture(scope="module")
def right() -> list[bool]:
    return list(map(is_right, JUDGED["sentences"]))


def test_what_was_right_stays_right(right: list[bool]) -> None:
    wrong = [sentence for sentence, is_right in zip(JUDGED["sentences"], right, strict=True) if not is_right]
    assert [each["text"] for each in wrong if each["first_run"] and "given_up" not in each] == []


def test_the_readme_has_the_rates(right: list[bool]) -> None:
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    sentences = JUDGED["sentences"]
    for draw in (1, 2):
        chosen = [place for place, each in enumerate(sentences) if each["draw"] == draw]
        first = sum(sentences[place]["first_run"] for place in chosen)
        row = re.search(rf"^\| {draw}: .* \| (\d+) \| (\d+) \| (\d+) \|$", readme, re.MULTILINE)
        assert row is not None
        assert [*map(int, row.groups())] == [len(chosen), first, sum(right[place] for place in chosen)]
    first = sum(each["first_run"] for each in sentences)
    rate = f"{first} of {len(sentences)} ({100 * first / len(sentences):.0f}%)"
    assert rate in readme
