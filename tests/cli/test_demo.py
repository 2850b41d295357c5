"""The demo, and chance levels: shown unless they are switched off, the same everywhere."""

from __future__ import annotations

import json

from fairsum_utils import score
from fairsum_utils.cli.demo import load_demo


def test_the_demo_saves_what_it_scores(fairsum, tmp_path):
    status, printed, _ = fairsum("demo", "--save", tmp_path / "demo")
    assert status == 0
    _, again, _ = fairsum("score", tmp_path / "demo" / "system_b.jsonl")
    system_b = printed[printed.index("System B: 8") : printed.index("2 systems")].strip().splitlines()[1:]
    assert again.strip().splitlines()[1 : len(system_b) + 1] == system_b


def test_the_demo_gives_each_reason_once_and_no_notes_if_quiet(fairsum):
    head, _, few = fairsum("demo")[1].partition("\nNotes:\n")
    assert few.splitlines()[3:] == ["- (1 more note: --verbose)"]
    notes = fairsum("demo", "--verbose")[1].partition("\nNotes:\n")[2]
    assert notes.count("Only 8 samples were scored; treat the scores as unreliable.") == 1
    lines = [line for line in notes.splitlines() if "it takes at least 200 samples" in line]
    assert [line.partition(": it takes")[0] for line in lines] == [
        "- SOF has no interval",
        "- SOF: the difference has no interval and no p-value",
    ]
    assert fairsum("demo", "--quiet") == (0, f"{head.rstrip()}\n", "")


def test_chance_levels_unless_they_are_switched_off(fairsum, write_jsonl, demo_rows):
    file, metric = write_jsonl(demo_rows), ("--metrics", "uer")
    demo = load_demo()
    level = score(demo["system_a"], demo["sources"], demo["values"], metrics="uer")["uer"]["uer_at_random"]
    printed = fairsum("score", file, *metric, "--format", "json")[1]
    assert json.loads(printed)["metrics"]["uer"]["uer_at_random"] == level
    systems = fairsum("compare", file, file, "--labels", "a,b", *metric, "--format", "json")[1]
    assert json.loads(systems)["metrics"]["uer"]["systems"]["a"]["at_random"] == level
    scores = json.loads(fairsum("explain", "uer", "--format", "json")[1])["scores"]
    assert scores["random summaries, as long as those of system A"] == level
    for command in (("score", file), ("compare", file, file, "--labels", "a,b")):
        assert "at random" in fairsum(*command, *metric)[1]
        assert "random" not in fairsum(*command, *metric, "--set", "at_random=false")[1]
