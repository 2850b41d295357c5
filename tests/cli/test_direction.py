"""A difference is the system minus the baseline: a worse system fails the documented rule, a better one passes it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import read_results
from fairsum_utils.errors import InputError

SOURCES = ["Tasty soup and kind staff.", "A long cold wait outside tonight."]
FAIR, UNFAIR = "Tasty soup, kind staff, a long cold wait.", "Tasty soup and kind staff."
# An unfair summary leaves the second value out, a fair one none. BUR is the share of unfair summaries of 60: 0.2 of
# main, 0 of better, 1 of worse.
N, UNFAIR_OF = 60, {"main": 12, "better": 0, "worse": 60}
BUR = {name: n / N for name, n in UNFAIR_OF.items()}
RULE = "difference_ci_high < 0.02"


@pytest.fixture
def files(write_jsonl: Any) -> dict[str, Path]:
    found = {}
    for name, n in UNFAIR_OF.items():
        texts = [UNFAIR] * n + [FAIR] * (N - n)
        rows = [
            {"id": str(place), "prediction": text, "sources": SOURCES, "values": ["a", "b"]}
            for place, text in enumerate(texts)
        ]
        found[name] = write_jsonl(rows, f"{name}.jsonl")
    return found


@pytest.fixture
def checked(fairsum: Any, files: dict[str, Path], tmp_path: Path) -> Any:
    """Compare files in an order, and hold the comparison to a rule."""

    def run(order: tuple[str, ...], rule: str, *more: str) -> tuple[int, dict[str, Any], str]:
        output = tmp_path / "comparison.json"
        paths = [files[name] for name in order]
        status, _, err = fairsum(
            "compare", *paths, "--metrics", "bur", "--output", output, "--set", f"n_resamples={200}", *more
        )
        assert status == 0, err
        status, printed, _ = fairsum("check", output, "--rules", rule, "--format", "json")
        [verdict] = json.loads(printed)["verdicts"]
        return status, verdict, fairsum("check", output, "--rules", rule)[1]

    return run


@pytest.mark.parametrize(
    ("order", "more", "system"),
    [
        (("main", "worse"), (), "worse"),
        (("main", "worse"), ("--baseline", "worse"), "main"),
        (("worse", "main"), ("--pairs",), "main"),
        (("better", "main"), ("--pairs", "--baseline", "better"), "main"),
    ],
)
def test_two_systems(checked: Any, order: tuple[str, ...], more: tuple[str, ...], system: str) -> None:
    status, verdict, printed = checked(order, f"bur.{RULE}", *more)
    [baseline] = {*order} - {system}
    change = BUR[system] - BUR[baseline]
    assert status == (1 if change > 0 else 0)
    assert verdict["interval"][0] <= change <= verdict["interval"][1]
    assert [verdict[key] for key in ("system", "baseline")] == [system, baseline]
    assert f"{verdict['system']} minus {verdict['baseline']}" in printed


def test_three_systems(checked: Any) -> None:
    order = ("worse", "main", "better")
    for rule in (f"bur['worse'].{RULE}", f"bur['worse'].main.{RULE}"):
        status, verdict, _ = checked(order, rule, "--baseline", "main")
        assert (status, verdict["system"], verdict["baseline"]) == (1, "worse", "main")
    # Of all pairs a rule says itself which system is subtracted.
    status, verdict, _ = checked(order, f"bur.better.worse.{RULE}", "--pairs")
    assert (status, verdict["system"], verdict["baseline"]) == (0, "better", "worse")


def test_reports_and_rules_name_both(fairsum: Any, files: dict[str, Path], tmp_path: Path) -> None:
    asked = ("compare", files["worse"], files["main"], "--metrics", "bur", "--labels", "new,old", "--baseline", "old")
    _, printed, _ = fairsum(*asked, "--output", tmp_path / "c.json")
    rows = [line.split() for line in printed.splitlines()]
    assert ["BUR", "new", "old", "0.80"] in [row[:4] for row in rows]
    assert "Differences are the system minus old (the baseline)." in printed
    junit = tmp_path / "check.xml"
    status, _, _ = fairsum("check", tmp_path / "c.json", "--rules", f"bur.{RULE}", "--junit", junit)
    assert (status, "new minus old: found" in junit.read_text(encoding="utf-8")) == (1, True)
    result = read_results(tmp_path / "c.json")["bur"]
    assert (result["system"], result["baseline"]) == ("new", "old")
    assert {name: system["score"] for name, system in result["systems"].items()} == {"new": 1.0, "old": 0.2}


def test_a_comparison_by_an_earlier_version_is_refused(fairsum: Any, files: dict[str, Path], tmp_path: Path) -> None:
    output, paths = tmp_path / "comparison.json", [str(files["main"]), str(files["better"])]
    of_two = {"a": paths[0], "b": paths[1], "metrics": {"bur": {"a": 0.2, "b": 0.0, "difference": -0.2}}}
    pair = {"a": "main", "b": "better", "difference": -0.2}
    systems = {Path(path).stem: {"file": path} for path in paths}
    of_many = {"baseline": None, "systems": systems, "metrics": {"bur": {"differences": [pair]}}, "warnings": []}
    again = "is a comparison by an earlier version, .* run fairsum compare again"
    for old in (of_two, of_many, {**of_two, "format_version": 2}, {**of_many, "format_version": 2}):
        output.write_text(json.dumps(old), encoding="utf-8")
        for asked in (
            ("check", output, "--rules", "n_samples > 0"),
            ("report", output, "-o", tmp_path / "r.html"),
            ("export", output, "--to", "hf-eval", "--model", "me/x", "--output", tmp_path / "x.yaml"),
        ):
            status, _, err = fairsum(*asked)
            assert status == 2
            assert re.search(again, err)
        with pytest.raises(InputError, match=again):
            read_results(output)
    # Scores of an earlier version are read.
    assert fairsum("score", files["main"], "--metrics", "bur", "--output", output)[0] == 0
    output.write_text(json.dumps({**json.loads(output.read_text()), "format_version": 1}), encoding="utf-8")
    assert fairsum("check", output, "--rules", "bur < 0.5")[0] == 0
