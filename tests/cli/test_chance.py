"""The chance level on the command line: shown unless it is switched off, and the same however the work is shared."""

from __future__ import annotations

import json

from fairsum_utils import score
from fairsum_utils.cli.demo import load_demo
from fairsum_utils.measures import DEFAULT_METRICS


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
