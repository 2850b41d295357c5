"""Two runs of the same command at the same time, on the same files."""

from __future__ import annotations

import pytest

from ..conftest import takes_long
from .cases import Case
from .conftest import cases
from .harness import Bench, Judge, Outcome, Run, is_of_others

REFUSED = ("was changed by someone else while this ran", "run the same command again")


@pytest.mark.parametrize("turn", [0, *(pytest.param(turn, marks=takes_long) for turn in range(1, 4))])
@cases("score rows")
def test_two_at_once(bench: Bench, case: Case, turn: int) -> None:
    outcome = Outcome(case.name, "two at once")
    judge = Judge(bench, case, outcome)
    with bench.scratch(case) as scratch:
        ends = [run.wait() for run in [Run(bench, scratch, case.words) for _ in range(2)]]
        refused = [end for end in ends if end.status != judge.expected.done.status]
        assert len(refused) < 2, [end.err for end in ends]
        for end in refused:
            lines = [line for line in end.err.splitlines() if not is_of_others(line)]
            assert (end.status, len(lines), any(message in end.err for message in REFUSED)) == (2, 1, True), end.err
        last = next(end for end in ends if end.status == judge.expected.done.status)
        judge.finished(scratch, last)
        assert outcome.wrong == []
