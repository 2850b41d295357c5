"""Sets of texts and values: whatever shape they come in, a study sees the same ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas
import pytest

from fairsum_reproductions import find_study
from fairsum_reproductions.inputs import read_inputs

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
