"""A short run with fixed seeds; that nothing is left out of it; and that the oracles find what they are for."""

from __future__ import annotations

import itertools
import json
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest

import fairsum_utils
from fairsum_utils.errors import InputError
from fairsum_utils.families import all_measures, family_of
from fairsum_utils.measures import get_measure
from tests.conftest import LONG, takes_long
from tests.fuzz import measures, mutations, options, oracles, readers, resources, samples
from tests.fuzz.oracles import Found

pytest.importorskip("pandas")
pytest.importorskip("datasets")

MEASURES = all_measures()
# By day those of one measure of each family, and every third reader.
CHOSEN = MEASURES if LONG else {family_of(measure).name: measure for measure in reversed(MEASURES)}.values()
CASES = [(measures.run, name) for name in CHOSEN]
CASES += [(readers.run, name) for name in (readers.READERS if LONG else readers.READERS[::3])]
PLAIN = {
    "predictions": ["Tasty soup.", "Cold.", "Cold, cold, tasty.", "Tasty"],
    "sources": [["Tasty!", "Cold."]] * 4,
    "values": [["pos", "neg"]] * 4,
}


@contextmanager
def limited(seconds: float = 20) -> Iterator[None]:
    """Raise an error after so many seconds of processor time."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"more than {seconds} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@pytest.mark.parametrize(("run", "name"), CASES, ids=[name for _, name in CASES])
def test_cases_of_each(run: Any, name: str, request: pytest.FixtureRequest) -> None:
    """The same ones by day, others each night; the seed repeats a finding."""
    for number in range(100 if LONG else 1):
        seed = f"{date.today().toordinal() if LONG else 0}/{name}/{number}"
        try:
            with limited():
                assert isinstance(run(name, Random(seed)), bool)
        except Exception as error:
            raise AssertionError(f"{request.node.name}, Random({seed!r})") from error


@takes_long
@pytest.mark.parametrize("name", readers.READERS if LONG else readers.READERS[:1])
def test_what_is_whole_is_read(name: str, tmp_path: Path) -> None:
    reader = readers.readers()[name]
    path, files = reader.make(tmp_path)
    assert files
    found = readers.read(reader, path)
    assert not readers.is_refusal(found)
    readers.check_right(name, path, found)


@takes_long
@pytest.mark.parametrize("measure", MEASURES if LONG else MEASURES[:1])
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


def test_oracles_find_what_they_are_for(monkeypatch: pytest.MonkeyPatch) -> None:
    compute = fairsum_utils.compute
    for change, oracle in (
        (lambda result, columns: {**result, "uer": 0.7}, "range"),
        (lambda result, columns: {**result, "n_skipped": 1}, "counts"),
        (lambda result, columns: {**result, "odd": {1, 2}}, "json"),
        (lambda result, columns: {**result, "uer_ci": [0.3, 0.2]}, "range"),
        (lambda result, columns: {**result, "p_value": 1.5}, "range"),
        (lambda result, columns: {**result, "uer": time.perf_counter_ns() % 1000 / 2000}, "determinism"),
        (lambda result, columns: columns["predictions"].append("x") or result, "untouched"),
        (lambda result, columns: 1 / 0, "traceback"),
    ):
        changed = lambda name, change=change, **given: change(compute(name, **given), given)  # noqa: E731
        monkeypatch.setattr(fairsum_utils, "compute", changed)
        case = measures.Case("uer", {name: list(column) for name, column in PLAIN.items()}, {"n_resamples": 5})
        with pytest.raises(Found, match=f"^{oracle}: "):
            measures.check(case)
    monkeypatch.setattr(fairsum_utils, "compute", compute)
    assert measures.check(measures.Case("uer", PLAIN, {"n_resamples": 5}))
    result = {**compute("uer", **PLAIN, n_resamples=5), "uer": 0.99}
    oracles.check_result("uer", result, 4, {"unmatched": "unfair"})  # its range is wider then
    with pytest.raises(Found, match=r"^range: "):
        oracles.check_result("uer", result, 4)


def test_messages_are_held_to_what_they_should_be() -> None:
    error = InputError("uer: fine")
    oracles.check_message(error, "uer")
    for message in ("", "two\nlines", "red \x1b[31m", "uer: " + "x" * 4000, "sof: no"):
        error.args = (message,)
        with pytest.raises(Found, match="message"):
            oracles.check_message(error, "uer")


def test_what_hangs_is_found() -> None:
    with pytest.raises(TimeoutError), limited(0.05):
        sum(1 for _ in itertools.repeat(0))


def test_damage_is_done() -> None:
    content = json.dumps(readers.ROWS).encode()
    assert len({mutations.mutated(Random(number), content) for number in range(200)}) > 150
