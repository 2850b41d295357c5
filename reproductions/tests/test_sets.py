"""Sets of texts and values: whatever shape they come in, a study sees the same ones."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas
import pytest

import fairsum_reproductions as studies
from fairsum_reproductions import find_study
from fairsum_reproductions.inputs import read_inputs
from fairsum_utils import score
from fairsum_utils.cli import main

SETS = [
    {"sources": ["Good soup.", "Bad soup."], "values": ["pos", "neg"]},
    {"sources": ["Good bread.", "Nice staff.", "Slow staff."], "values": ["pos", "pos", "neg"]},
]
PAIRS = [[*zip(each["sources"], each["values"], strict=True)] for each in SETS]
ROWS = [{"place": f"p{n}", "review": t, "stars": v} for n, pairs in enumerate(PAIRS) for t, v in pairs]
TURNS = [{"sources": [{"speaker": v, "text": t} for t, v in pairs]} for pairs in PAIRS]
SCRIPTS = [{"sources": "\n".join(f"{v}: {t}" for t, v in pairs)} for pairs in PAIRS]
NAMED = {"sources": "review", "values": "stars"}

SHAPES: dict[str, tuple[list[dict[str, Any]], dict[str, str], dict[str, Any]]] = {
    "lists": (SETS, {}, {}),
    "a row a text": (ROWS, NAMED, {"group_by": "place"}),
    "turns": (TURNS, {}, {}),
    "transcripts": (SCRIPTS, {}, {"transcript": True}),
}


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_holds_the_same_sets(name: str, tmp_path: Path) -> None:
    rows, columns, shape = SHAPES[name]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for source in (path, rows, pandas.DataFrame(rows)):
        read = read_inputs(find_study("oracle"), [source], columns=columns, shape=shape)
        assert read.inputs == (SETS,)


def test_what_is_missing_is_named(refusal: Callable[..., str]) -> None:
    assert refusal(studies.oracle, ROWS, columns=NAMED, group_by="town") == (
        "oracle: data has no column 'town' to group by; found place, review, stars"
    )
    assert refusal(studies.oracle, ROWS, group_by="place", columns={"values": "stars"}) == (
        "oracle: data has no column 'sources'; found place, review, stars; name it, as in "
        "columns={'sources': 'my_sources'}"
    )
    assert refusal(studies.oracle, ROWS, columns={"sources": "text", "values": "stars"}).startswith(
        "oracle: data has no column 'text'; found place, review, stars; "
    )
    assert refusal(studies.oracle, [{"sources": ["Good soup."]}]).startswith("oracle: data has no column 'values'; ")
    assert refusal(studies.oracle, SETS, group_by=3).startswith("oracle: group_by must be a name, found int 3")
    assert refusal(studies.oracle, {"sources": [], "values": []}) == "oracle: data holds no row; give at least one"


def test_a_breakdown_counts_the_texts_of_the_sets_that_were_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two texts, one of them negative, and three, one of them negative: unevenness 1/2 and 1/3."""
    scored = score(["Good soup.", "Nice staff."], **{k: [s[k] for s in SETS] for k in NAMED}, return_samples=True)
    found = studies.breakdown(ROWS, {"a": scored}, columns=NAMED, group_by="place")
    assert found["sizes"] == [[2.0, 2.0], [3.0, 3.0]]
    assert found["ratios"] == [[pytest.approx(1 / 3)] * 2, [0.5, 0.5]]
    samples, data, output = (tmp_path / name for name in ("samples.jsonl", "rows.csv", "out.json"))
    samples.write_text("".join(json.dumps(record) + "\n" for record in scored["bur"]["samples"]))
    with data.open("w", newline="") as file:
        writer = csv.DictWriter(file, ROWS[0])
        writer.writeheader()
        writer.writerows(ROWS)
    shape = ["--group-by", "place", "--sources-column", "review", "--values-column", "stars"]
    assert main(["study", "breakdown", str(data), f"a={samples}", *shape, "--output", str(output)]) == 0
    assert "2 samples scored by all systems, 0 skipped" in capsys.readouterr().out
    document = json.loads(output.read_text())
    assert document["metrics"]["breakdown"]["cells"] == found["cells"]
    assert document["run"]["inputs"][0]["path"] == str(data)
