"""Readers that go away, and standard streams that are full."""

from __future__ import annotations

import os
from typing import Any

from .cases import Case
from .conftest import cases
from .harness import Bench, Judge, Outcome, Run, refused


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


@cases("score lines")
def test_nobody_reads_the_output(bench: Bench, case: Case) -> None:
    end = gone()
    lasting(bench, case, stdout=end)
    os.close(end)


@cases()
def test_nobody_reads_what_is_said(bench: Bench, case: Case) -> None:
    end = gone()
    lasting(bench, case, stderr=end)
    os.close(end)


@cases("score lines")
def test_the_output_is_full(bench: Bench, case: Case) -> None:
    with bench.scratch(case) as scratch, open("/dev/full", "wb") as full:  # noqa: PTH123
        outcome = refused(bench, case, "full", scratch, "the standard output cannot be written", stdout=full)
        expected = bench.undisturbed(case)
        assert outcome.statuses == ([2] if expected.done.out else [expected.done.status])
        if not case.then:  # what goes to files is there
            assert {name: scratch.content().get(name) for name in expected.content} == expected.content
    assert outcome.wrong == []
