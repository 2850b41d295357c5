"""The judged swaps are in the drawn blocks, and the counts in the README are theirs."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.golden.swaps.draw import HERE, block, digest


@pytest.fixture(scope="module")
def judged() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((HERE / "judgements.json").read_text(encoding="utf-8"))
    return found


def test_the_readme_has_the_counts(judged: list[dict[str, Any]]) -> None:
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    kinds = Counter((each["sample"], each["wrong"]) for each in judged if "wrong" in each)
    for sample in ("before", "after"):
        chosen = [each for each in judged if each["sample"] == sample]
        wrong = sum("wrong" in each for each in chosen)
        rate = re.escape(f"{wrong / len(chosen):.1%}")
        assert re.search(rf"^\| `{sample}` \| {len(chosen)} of \d+ \| {wrong} \| {rate} \|", readme, re.MULTILINE)
    for kind in {kind for _, kind in kinds}:
        assert f"| {kind} | {kinds['before', kind]} | {kinds['after', kind]} |" in readme


def test_the_draw_gives_the_judged_passages(judged: list[dict[str, Any]], shared_data: Path) -> None:
    for number in {each["block"] for each in judged}:
        texts = block(shared_data / "bold" / "wikipedia", number)
        for each in judged:
            assert each["block"] != number or digest(texts[each["id"]]) == each["digest"]
