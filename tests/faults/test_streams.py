"""Readers that go away, and standard streams that are closed or full."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from .cases import Case
from .conftest import cases
from .harness import Bench, Judge, Outcome, Run, refused


def closed(*numbers: int) -> Callable[[], None]:
    """For a new process: streams that it does not have."""
    return lambda: [os.close(number) for number in numbers] and None


def gone() -> int:
    """The end of a pipe that nobody reads."""
    read, write = os.pipe()
    os.close(read)
    return write


def lasting(bench: Bench, case: Case, **options: Any) -> None:
    """All is done and written, whatever has become of the streams."""
    outcome = Outcome(case.name, "streams")
    judge = Judge(bench, case, outcome)
    with bench.scratch(case) as scratch:
        done = Run(bench, scratch, case.words, **options).wait()
        judge.lines(done, "fairsum: ")
        judge.finished(scratch, done._replace(out=judge.expected.done.out if "stdout" in options else done.out))
    assert outcome.wrong == []


@cases("demo")
def test_nobody_reads_the_output(bench: Bench, case: Case) -> None:
    end = gone()
    lasting(bench, case, stdout=end)
    os.close(end)


@cases()
def test_nobody_reads_what_is_said(bench: Bench, case: Case) -> None:
    end = gone()
    lasting(bench, case, stderr=end)
    os.close(end)


@cases("people")
def test_there_is_nowhere_to_say_anything(bench: Bench, case: Case) -> None:
    lasting(bench, case, preexec_fn=closed(2))


def test_nobody_reads_an_error(bench: Bench) -> None:
    case = Case("missing", "score in/missing.jsonl")
    end = gone()
    with bench.scratch(case) as scratch:
        assert Run(bench, scratch, case.words, stderr=end).wait().status == 2
    os.close(end)


@cases("people")
def test_there_are_no_streams_at_all(bench: Bench, case: Case) -> None:
    lasting(bench, case, preexec_fn=closed(0, 1, 2), stdout=subprocess.DEVNULL)


@cases("demo")
def test_the_output_is_full(bench: Bench, case: Case) -> None:
    with bench.scratch(case) as scratch, open("/dev/full", "wb") as full:  # noqa: PTH123
        outcome = refused(bench, case, "full", scratch, "the standard output cannot be written", stdout=full)
        expected = bench.undisturbed(case)
        assert outcome.statuses == ([2] if expected.done.out else [expected.done.status])
        if not case.then:  # what goes to files is there
            assert {name: scratch.content().get(name) for name in expected.content} == expected.content
    assert outcome.wrong == []


@pytest.mark.parametrize("words", [["--help"], ["score", "--help-all"], ["data", "list"], ["explain"]])
def test_nobody_reads_the_help(bench: Bench, words: list[str]) -> None:
    case = Case("help", " ".join(words))
    end = gone()
    with bench.scratch(case) as scratch:
        done = Run(bench, scratch, words, stdout=end).wait()
    os.close(end)
    assert (done.status, done.err) == (0, "")
