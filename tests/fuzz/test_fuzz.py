"""A short run with fixed seeds; that nothing is left out of it; and that the oracles find what they are for."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest

import fairsum_utils
from fairsum_utils.errors import InputError
from fairsum_utils.families import all_measures
from fairsum_utils.measures import get_measure
from tests.conftest import LONG, takes_long
from tests.fuzz import measures, mutations, options, oracles, readers, resources, running, samples
from tests.fuzz.oracles import Found

pytest.importorskip("pandas")
pytest.importorskip("datasets")

PLAIN = {
    "predictions": ["Tasty soup.", "Cold.", "Cold, cold, tasty.", "Tasty"],
    "sources": [["Tasty!", "Cold."]] * 4,
    "values": [["pos", "neg"]] * 4,
}


@pytest.mark.parametrize("target", running.targets())
def test_cases_of_each(target: str) -> None:
    """The same ones in the short run, others each night; their numbers repeat a finding."""
    seed = date.today().toordinal() if LONG else 0
    for number in range(100 if LONG else 1):
        found = running.run_case(target, seed, number)
        assert isinstance(found, bool), f"run_case({target!r}, {seed}, {number}): {found}"


@takes_long
@pytest.mark.parametrize("name", readers.READERS)
def test_what_is_whole_is_read(name: str, tmp_path: Path) -> None:
    reader = readers.readers()[name]
    path, files = reader.make(tmp_path)
    assert files
    found = readers.read(reader, path)
    assert not readers.is_refusal(found)
    assert reader.right is None or reader.right(path, found)


@takes_long
@pytest.mark.parametrize("measure", all_measures())
def test_settings_and_samples_are_valid(measure: str) -> None:
    for name, info in get_measure(measure).infos().items():
        good, bad = options.sorted_out(measure, name)
        assert good
        assert bad or "Any" in info.type or "Mapping" in info.type
        if name != "language" and "Sequence" not in info.type:  # some measures read English only
            assert {*info.choices} <= {value for value in good if isinstance(value, str)}
    with resources.fakes():
        drawn = (Random(f"{measure} {number}") for number in range(20))
        cases = [(samples.columns(rng, measure), options.valid(rng, measure)) for rng in drawn]
        outcomes = [oracles.outcome(lambda c=c, s=s: measures.call(measure, c, s)) for c, s in cases]
    refused = [str(outcome) for outcome in outcomes if isinstance(outcome, InputError)]
    assert len(refused) < 12, refused


@pytest.mark.parametrize(
    ("change", "oracle"),
    [
        (lambda result, columns: {**result, "uer": 0.7}, "range"),
        (lambda result, columns: {**result, "n_skipped": 1}, "counts"),
        (lambda result, columns: {**result, "odd": {1, 2}}, "json"),
        (lambda result, columns: {**result, "uer": time.perf_counter_ns() % 1000 / 2000}, "determinism"),
        (lambda result, columns: columns["predictions"].append("x") or result, "untouched"),
        (lambda result, columns: 1 / 0, "traceback"),
        (lambda result, columns: result, None),
    ],
)
def test_oracles_find_what_they_are_for(
    change: Callable[..., Any], oracle: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    compute = fairsum_utils.compute
    monkeypatch.setattr(fairsum_utils, "compute", lambda name, **given: change(compute(name, **given), given))
    case = measures.Case("uer", {name: list(column) for name, column in PLAIN.items()}, {})
    if oracle is None:
        assert measures.check(case)
        return
    with pytest.raises(Found, match=f"^{oracle}: "):
        measures.check(case)


def test_the_range_of_uer_is_wider_where_unmatched_are_unfair() -> None:
    result = {**fairsum_utils.compute("uer", **PLAIN, n_resamples=5), "uer": 0.99}
    oracles.check_result("uer", result, 4, {"unmatched": "unfair"})
    with pytest.raises(Found, match=r"^range: "):
        oracles.check_result("uer", result, 4)


@pytest.mark.parametrize("message", ["", "two\nlines", "red \x1b[31m", "uer: " + "x" * 4000, "sof: no"])
def test_messages_are_held_to_what_they_should_be(message: str) -> None:
    error = InputError("uer: fine")
    oracles.check_message(error, "uer")
    error.args = (message,)
    with pytest.raises(Found, match="message"):
        oracles.check_message(error, "uer")


def test_what_hangs_or_is_wrong_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(name: str, rng: Random) -> bool:
        raise Found("wrong", "1 row", ("rows.csv", b"id"))

    def hangs(name: str, rng: Random) -> bool:
        while True:
            pass

    monkeypatch.setattr(readers, "run", wrong)
    assert running.run_case("reader/run", 0, 0)[:2] == ("wrong", "wrong: 1 row")  # type: ignore[index]
    monkeypatch.setattr(readers, "run", hangs)
    monkeypatch.setattr(running.limited.__wrapped__, "__defaults__", (0.05,))  # type: ignore[attr-defined]
    assert running.run_case("reader/run", 0, 0)[0] == "hang"  # type: ignore[index]


def test_damage_is_done() -> None:
    content = json.dumps(readers.ROWS).encode()
    assert len({mutations.mutated(Random(number), content) for number in range(200)}) > 150
