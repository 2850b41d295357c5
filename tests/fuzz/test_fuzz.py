"""A short run with fixed seeds; that nothing is left out of it; and that the oracles find what they are for."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fairsum_utils
from fairsum_utils.errors import InputError
from fairsum_utils.families import all_measures, family_of
from fairsum_utils.io.names import ENDINGS
from tests.fuzz import (
    containers,
    measures,
    mutations,
    options,
    oracles,
    readers,
    reproducing,
    resources,
    running,
    strategies,
)
from tests.fuzz.oracles import Found

pytest.importorskip("pandas")
pytest.importorskip("polars")
pytest.importorskip("datasets")

SHORT = settings(
    max_examples=12, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
)
PLAIN = {
    "predictions": ["Tasty soup.", "Cold.", "Cold, cold, tasty.", "Tasty"],
    "sources": [["Tasty!", "Cold."]] * 4,
    "values": [["pos", "neg"]] * 4,
}


@pytest.mark.parametrize("measure", all_measures())
@SHORT
@given(data=st.data())
def test_measures(measure: str, data: st.DataObject) -> None:
    case = data.draw(strategies.cases(measure))
    with running.limited(), resources.fakes():
        measures.check(case, Random(0))


@pytest.mark.parametrize("name", readers.READERS)
def test_readers(name: str) -> None:
    for number in range(4):
        with running.limited():
            readers.run(name, Random(f"{name}/{number}"))


@pytest.mark.parametrize("name", readers.READERS)
def test_what_is_whole_is_read(name: str, tmp_path: Path) -> None:
    reader = readers.readers()[name]
    path, files = reader.make(tmp_path)
    assert files
    found = readers.read(reader, path)
    assert not readers.is_refusal(found)
    assert reader.right is None or reader.right(path, found)


def test_every_format_is_read() -> None:
    assert {f"rows{ending}" for ending in ENDINGS} <= {*readers.READERS}


@pytest.mark.parametrize("measure", all_measures())
def test_every_setting_is_given_values_that_it_takes_and_such_that_it_refuses(measure: str) -> None:
    for name, info in family_of(measure).taken(measure).items():
        good, bad = options.sorted_out(measure, name)
        assert good
        assert bad or info.check is None
        assert {*info.choices} <= {value for value in good if isinstance(value, str)}


@pytest.mark.parametrize("measure", all_measures())
def test_most_valid_input_scores(measure: str) -> None:
    with resources.fakes():
        drawn = (Random(f"{measure} {number}") for number in range(60))
        cases = [(strategies.samples.columns(rng, measure), options.valid(rng, measure)) for rng in drawn]
        outcomes = [oracles.outcome(lambda c=c, s=s: measures.call(measure, c, s)) for c, s in cases]
    refused = [str(outcome) for outcome in outcomes if isinstance(outcome, InputError)]
    assert len(refused) < 30, refused


def held(case: measures.Case) -> None:
    measures.check(case, Random(3))


@pytest.mark.parametrize(
    ("change", "oracle"),
    [
        (lambda result, columns: {**result, "uer": 0.7}, "range"),
        (lambda result, columns: {**result, "uer": math.nan}, "range"),
        (lambda result, columns: {**result, "uer_ci": [0.3, 0.2]}, "range"),
        (lambda result, columns: {**result, "n_skipped": 1}, "counts"),
        (lambda result, columns: {**result, "odd": {1, 2}}, "json"),
        (lambda result, columns: {**result, "odd": (1, 2)}, None),
        (lambda result, columns: {**result, "uer": len(columns["predictions"][0]) / 99}, "order of samples"),
        (lambda result, columns: {**result, "uer": time.perf_counter_ns() % 1000 / 2000}, "determinism"),
        (lambda result, columns: {**result, "uer": ord(str(columns["values"][0][0])[0]) / 999}, "renaming"),
        (lambda result, columns: {**result, "uer": len(columns["values"]) / 99}, "duplicates"),
        (lambda result, columns: columns["predictions"].append("x") or result, "untouched"),
        (lambda result, columns: {}["x"], "traceback"),
        (lambda result, columns: 1 / 0, "traceback"),
    ],
)
def test_oracles_find_what_they_are_for(
    change: Callable[..., Any], oracle: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    compute = fairsum_utils.compute
    monkeypatch.setattr(fairsum_utils, "compute", lambda name, **given: change(compute(name, **given), given))
    found = set()
    for held_to in ("again", "order of samples", "renaming", "twice"):
        try:
            held(measures.Case("uer", {name: list(column) for name, column in PLAIN.items()}, {}, held_to))
        except Found as error:
            found.add(error.oracle)
    assert oracle in found if oracle else not found


@pytest.mark.parametrize(
    "message", ["", "two\nlines", "red \x1b[31m", "turned \u202e", "uer: " + "x" * 4000, "sof: no"]
)
def test_messages_are_held_to_what_they_should_be(message: str) -> None:
    error = InputError("uer: fine")
    oracles.check_message(error, "uer")
    error.args = (message,)
    with pytest.raises(Found, match="message"):
        oracles.check_message(error, "uer")


def test_a_sample_at_fault_must_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = {**PLAIN, "predictions": ["Tasty.", 3, "Cold.", "x"]}
    case = measures.Case("uer", columns, {}, "wrong", sample=1)
    held(case)
    compute = fairsum_utils.compute

    def mute(name: str, **given: Any) -> Any:
        try:
            return compute(name, **given)
        except InputError:
            raise InputError("uer: something is wrong") from None

    monkeypatch.setattr(fairsum_utils, "compute", mute)
    with pytest.raises(Found, match="names no sample 1"):
        held(case)


def for_ever() -> None:
    while True:
        pass


def test_what_hangs_is_stopped() -> None:
    with pytest.raises(running.Hang), running.limited(0.05):
        for_ever()


def test_a_failure_is_made_small_and_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compute = fairsum_utils.compute

    def broken(name: str, **given: Any) -> Any:
        return 1 / 0 if any("o" in text for text in given["predictions"]) else compute(name, **given)

    monkeypatch.setattr(fairsum_utils, "compute", broken)
    columns = {name: column * 2 for name, column in PLAIN.items()}
    case = measures.Case("uer", columns, {"n_resamples": 3, "tau": 1}, "again")
    failure = running.Failure("uer", 0, 7, "traceback", "ZeroDivisionError: division by zero", "", case)
    small = reproducing.smaller(failure)
    assert "predictions=['o']" in small.case
    assert "n_resamples" not in small.case
    path, is_new = reproducing.save(small, tmp_path)
    assert is_new
    assert not reproducing.save(small, tmp_path)[1]
    with pytest.raises(Found, match="ZeroDivisionError"):
        exec(compile(path.read_text(), str(path), "exec"), {})


def test_damage_is_done() -> None:
    content = json.dumps(readers.ROWS).encode()
    damaged = {mutations.mutated(Random(number), content) for number in range(200)}
    assert len(damaged) > 150


def test_containers_hold_the_same() -> None:
    columns: dict[str, list[Any]] = {"predictions": ["a", "b"], "values": [["x"], ["y", "z"]]}
    names = {made[0] for number in range(300) if (made := containers.contained(Random(number), columns))}
    assert names == {*containers.CHEAP, *containers.DEAR}
    with_sources = {**columns, "sources": [["c"], ["d", "e"]]}
    names = {made[0] for number in range(100) if (made := containers.contained(Random(number), with_sources))}
    assert names >= {*containers.LAYOUTS}


def test_a_long_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    lines: list[str] = []
    for _ in range(2):
        counts = running.run(["reader/state"], 5, 0.12, tmp_path, say=lines.append)
        assert counts.cases["reader/state"] > 0
        assert not counts.found, lines
    first, second = map(json.loads, (tmp_path / "runs.jsonl").read_text().splitlines())
    reached = json.loads((tmp_path / "reached-5.json").read_text())
    assert reached["reader/state"] >= first["cases"]["reader/state"] + second["cases"]["reader/state"]
