"""The demo, and chance levels: shown unless they are switched off, the same everywhere."""

from __future__ import annotations

import json

from fairsum_utils import score
from fairsum_utils.cli.demo import load_demo
from fairsum_utils.measures import DEFAULT_METRICS


def test_demo_prints_scores_and_comparison_and_saves_files(fairsum, tmp_path):
    status, printed, _ = fairsum("demo", "--save", tmp_path / "demo")
    assert status == 0
    assert "System A: 8 samples scored, 0 skipped" in printed
    assert "8 samples compared" in printed
    assert printed.count("Only 8 samples were scored; treat the scores as unreliable.") == 1
    assert "norm:fairsumm" not in printed
    status, again, _ = fairsum("score", tmp_path / "demo" / "system_b.jsonl")
    assert status == 0
    system_b = printed[printed.index("System B: 8") : printed.index("2 systems")].strip().splitlines()[1:]
    assert again.strip().splitlines()[1 : len(system_b) + 1] == system_b


def test_the_demo_gives_each_reason_once_and_no_notes_if_quiet(fairsum):
    head, _, few = fairsum("demo")[1].partition("\nNotes:\n")
    assert few.splitlines()[3:] == ["- (1 more note: --verbose)"]
    notes = fairsum("demo", "--verbose")[1].partition("\nNotes:\n")[2]
    lines = [line for line in notes.splitlines() if "it takes at least 200 samples" in line]
    assert [line.partition(": it takes")[0] for line in lines] == [
        "- SOF has no interval",
        "- SOF: the difference has no interval and no p-value",
    ]
    assert fairsum("demo", "--quiet") == (0, f"{head.rstrip()}\n", "")


def levels(printed):
    metrics = json.loads(printed)["metrics"]
    return {name: {key: entry for key, entry in result.items() if "random" in key} for name, result in metrics.items()}


def test_score_has_it_unless_it_is_switched_off(fairsum, write_jsonl, demo_rows, tmp_path):
    file = write_jsonl(demo_rows)
    _, printed, _ = fairsum("score", file)
    assert "at random" in printed
    _, without, _ = fairsum("score", file, "--set", "at_random=false")
    assert "random" not in without
    _, as_json, _ = fairsum("score", file, "--format", "json")
    columns = {column: [row[name] for row in demo_rows] for column, name in NAMES.items()}
    results = score(**columns)
    for name, found in levels(as_json).items():
        assert found == {key: entry for key, entry in results[name].items() if "random" in key}
    fairsum("score", file, "--output", tmp_path / "results.json")
    settings = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))["run"]["settings"]["bur"]
    assert (settings["given"], settings["effective"]["at_random"]) == ({}, True)


NAMES = {"predictions": "prediction", "sources": "sources", "values": "values"}


def test_compare_and_demo(fairsum, write_jsonl, demo_rows):
    other = [{**row, "prediction": row["prediction"].split()[0]} for row in demo_rows]
    files = write_jsonl(demo_rows, "a.jsonl"), write_jsonl(other, "b.jsonl")
    _, printed, _ = fairsum("compare", *files, "--format", "json")
    for result in json.loads(printed)["metrics"].values():
        assert all({"at_random", "at_random_error"} <= system.keys() for system in result["systems"].values())
    _, printed, _ = fairsum("compare", *files, "--set", "at_random=false")
    assert "random" not in printed
    _, printed, _ = fairsum("demo")
    assert printed.count("At random: the score of random summaries of this length, ") == 2


def test_explain_shows_the_same_number(fairsum):
    demo = load_demo()
    results = score(demo["system_a"], demo["sources"], demo["values"])
    for name in DEFAULT_METRICS:
        _, printed, _ = fairsum("explain", name, "--format", "json")
        record = json.loads(printed)["scores"]
        assert record["random summaries, as long as those of system A"] == results[name][f"{name}_at_random"]
