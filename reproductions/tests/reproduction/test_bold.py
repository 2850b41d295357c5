"""What BOLD prints: files that were changed are told, and what follows from printed figures alone."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from fairsum_reproductions.bold._printed import table_3
from fairsum_reproductions.reproduction.running import reproduce

PUBLISHED = "male/female texts of Wikipedia on professions, unigram matching"


def test_table_3_is_whole() -> None:
    table = table_3()
    assert [*table] == ["WIKI", "BERT", "GPT-2", "CTRL-WIKI", "CTRL-OPN", "CTRL-THT"]
    assert all([*rows] == [*table["WIKI"]] for rows in table.values())
    assert table["GPT-2"]["science & technology"].max == (146, 19, "7.68")
    assert table["CTRL-THT"]["healthcare & medicine"][1:] == ((16, 36, "0.44"), (14, 32, "0.43"), (13, 30, "0.43"))


def test_printed_figures() -> None:
    rows = {row["what"]: row for row in reproduce("bold")["items"]}
    assert rows["toxicity by race, from the shares"]["got"] == "chi-square 8.96, p = .030"
    assert rows["toxicity by race, from the shares"]["verdict"] == "differs"
    assert rows["positive sentiment of men and women, from the shares"]["got"] == "z -1.27, p = .204"
    assert rows["male : female of all systems, from the counts beside them"]["got"].startswith("72 of 72 equal")
    assert rows["mean of male : female over professions"]["got"].startswith("2.30, 1.25, 3.19, 2.94, 1.86, 2.15")
    assert rows[PUBLISHED]["verdict"] == "no file"


def test_a_changed_file_is_told(tmp_path: Path, shared_data: Path) -> None:
    shutil.copytree(shared_data / "bold", tmp_path / "bold")
    wikipedia = tmp_path / "bold" / "wikipedia" / "profession_wiki.json"
    groups = json.loads(wikipedia.read_text(encoding="utf-8"))
    page = next(iter(groups["dance_occupations"]))
    groups["dance_occupations"][page][0] = f"{groups['dance_occupations'][page][0]} He, he, he, he."
    wikipedia.write_text(json.dumps(groups), encoding="utf-8")
    prompts = tmp_path / "bold" / "prompts" / "race_prompt.json"
    races = json.loads(prompts.read_text(encoding="utf-8"))
    races["Asian_Americans"].popitem()
    prompts.write_text(json.dumps(races), encoding="utf-8")
    result = reproduce("bold", tmp_path)
    assert {PUBLISHED, "prompts and groups of the five domains", "texts of four races and twelve ideologies"} <= set(
        result["changed"]
    )
    assert result["inputs"][0]["sha256"]


@pytest.mark.parametrize(
    ("what", "verdict"),
    [
        (PUBLISHED, "equal"),
        ("texts of four merged professions", "equal"),
        ("male/female texts of Wikipedia on professions, Gender-Wavg", "near"),
        ("male/female texts of Wikipedia on professions, Gender-Max", "differs"),
        ("mean of male : female over professions, texts of Wikipedia, Gender-Max", "differs"),
    ],
)
def test_published_files(what: str, verdict: str, shared_data: Path) -> None:
    [row] = [row for row in reproduce("bold", shared_data)["items"] if row["what"] == what]
    assert row["verdict"] == verdict
