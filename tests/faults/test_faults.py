"""Kills, full disks, folders that vanish, readers that go away, and two runs at once; all but a few run nightly."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ..conftest import takes_long
from .cases import BY_NAME, Case
from .conftest import cases
from .harness import Bench, Judge, Outcome, Run, Scratch, is_of_others, killed, limited, refused

SHORT = "score lines"
"""The case that is also disturbed where little time is."""

FULL = ("cannot be written", "File too large", "No space left", "cannot write", "No usable temporary directory")
FULL += ("cannot use the cache folder",)


@cases(SHORT)
@pytest.mark.parametrize("number", [signal.SIGKILL, *(pytest.param(n, marks=takes_long) for n in (15, 2))])
def test_killed_at_random_moments_then_run_again(bench: Bench, case: Case, number: int) -> None:
    assert killed(bench, case, number, random.Random(case.name), 3 if "FAIRSUM_LONG" in os.environ else 1).wrong == []


@takes_long
def test_a_harness_that_finds_nothing_would_be_none(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that differ or are half-written are found."""
    case, original = BY_NAME["annotate"], Scratch.content
    name = "out/corpus.jsonl.gz"

    def spoilt(scratch: Scratch, *_: Case) -> dict[str, str]:
        (scratch.folder / name).write_text("{")
        return original(scratch)

    bench.undisturbed(case)
    with monkeypatch.context() as patch:
        patch.setattr(Scratch, "content", spoilt)
        assert killed(bench, case, signal.SIGKILL, random.Random(1)).wrong == [f"differ: {name}"]
    monkeypatch.setattr(Scratch, "place_old", spoilt)
    chance = random.Random(1)
    monkeypatch.setattr(chance, "random", lambda: 0.1)
    assert killed(bench, case, signal.SIGKILL, chance).wrong == [f"{name} is half-written"]


@pytest.mark.parametrize("part", [0.0, *(pytest.param(part, marks=takes_long) for part in (0.3, 0.9))])
@cases(SHORT)
def test_no_file_grows_beyond_a_size(bench: Bench, case: Case, part: float) -> None:
    if case.needs == "ray":
        pytest.skip("Ray needs files of its own to start")
    largest = bench.undisturbed(case).largest
    with bench.scratch(case) as scratch:
        scratch.place_old(case)
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}  # for what is printed
        outcome = refused(bench, case, "full", scratch, *FULL, preexec_fn=limited(int(part * largest)), **pipes)
        Judge(bench, case, outcome).finished(scratch, Run(bench, scratch, case.words).wait())
    assert outcome.wrong == []


@pytest.mark.parametrize("mode", ["folder", "file"])
@cases()
def test_folders_that_may_only_be_read(bench: Bench, case: Case, mode: str) -> None:
    prefix: list[str] = []
    if os.geteuid() == 0:  # who may write everywhere, unless that right is given away
        setpriv = shutil.which("setpriv") or pytest.skip("setpriv is not there, and root may write everywhere")
        prefix = [setpriv, "--bounding-set", "-dac_override,-dac_read_search,-fowner", "--inh-caps", "-all"]
    with bench.scratch(case) as scratch:
        if mode == "file":  # of which the folder may be written: it is replaced
            scratch.place_old(case)
            for name in case.files():
                (scratch.folder / name).chmod(0o444)
            outcome = Outcome(case.name, "read-only files")
        else:
            (scratch.folder / "out").chmod(0o555)
            outcome = refused(bench, case, "read-only", scratch, "Permission denied", prefix=prefix)
            (scratch.folder / "out").chmod(0o755)
            assert outcome.statuses != [0] or "out/" not in case.line
            prefix = []
        Judge(bench, case, outcome).finished(scratch, Run(bench, scratch, case.words, prefix=prefix).wait())
    assert outcome.wrong == []


@pytest.mark.parametrize("seed", range(3))
@cases()
def test_a_folder_that_disappears(bench: Bench, case: Case, seed: int) -> None:
    outcome = Outcome(case.name, "vanished")
    judge = Judge(bench, case, outcome)
    with bench.scratch(case) as scratch:
        run = Run(bench, scratch, case.words)
        try:
            run.process.wait(random.Random(f"{case.name} {seed}").random() * bench.seconds(case))
        except subprocess.TimeoutExpired:
            shutil.rmtree(scratch.folder / "out", ignore_errors=True)
        done = run.wait()
        assert done.orphans == []
        assert "Traceback" not in done.err
        if done.status != judge.expected.done.status:
            lines = [line for line in done.err.splitlines() if line not in judge.expected.done.err.splitlines()]
            assert (done.status in (1, 2), len(lines)) == (True, 1), done.err
        shutil.rmtree(scratch.folder / "out", ignore_errors=True)
        (scratch.folder / "out").mkdir()
        if not any(name.startswith("cache/") for name in case.goes_on):
            judge.finished(scratch, Run(bench, scratch, case.words).wait())
    assert outcome.wrong == []


@takes_long
def test_a_device_is_no_file_to_be_replaced(bench: Bench) -> None:
    case = BY_NAME["annotate"]
    with bench.scratch(case) as scratch:
        (scratch.folder / "out/corpus.jsonl.gz").symlink_to("/dev/full")
        outcome = refused(bench, case, "device", scratch, *FULL)
        assert Path("/dev/full").is_char_device()
    assert outcome.wrong == []


@pytest.mark.parametrize("turn", range(3))
@cases()
def test_two_at_once(bench: Bench, case: Case, turn: int) -> None:
    outcome = Outcome(case.name, f"two at once, {turn}")
    judge = Judge(bench, case, outcome)
    with bench.scratch(case) as scratch:
        ends = [run.wait() for run in [Run(bench, scratch, case.words) for _ in range(2)]]
        done = [end for end in ends if end.status == judge.expected.done.status]
        assert done, [end.err for end in ends]
        for end in ends:
            if end not in done:
                lines = [line for line in end.err.splitlines() if not is_of_others(line)]
                assert (end.status, len(lines)) == (2, 1), end.err
                assert "was changed by someone else while this ran" in end.err or "run the same command" in end.err
        judge.finished(scratch, done[0])
    assert outcome.wrong == []


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
@cases()
def test_nobody_reads_a_stream(bench: Bench, case: Case, stream: str) -> None:
    """All is done and written."""
    read, write = os.pipe()
    os.close(read)
    outcome = Outcome(case.name, stream)
    judge = Judge(bench, case, outcome)
    with bench.scratch(case) as scratch:
        options: dict[str, Any] = {stream: write}
        done = Run(bench, scratch, case.words, **options).wait()
        os.close(write)
        judge.lines(done, "fairsum: ")
        judge.finished(scratch, done._replace(out=judge.expected.done.out) if stream == "stdout" else done)
    assert outcome.wrong == []


@cases(SHORT)
def test_the_output_is_full(bench: Bench, case: Case) -> None:
    with bench.scratch(case) as scratch, open("/dev/full", "wb") as full:  # noqa: PTH123
        outcome = refused(bench, case, "full", scratch, "the standard output cannot be written", stdout=full)
        expected = bench.undisturbed(case)
        assert outcome.statuses == ([2] if expected.done.out else [expected.done.status])
        if not case.then:  # what goes to files is there
            assert {name: scratch.content().get(name) for name in expected.content} == expected.content
    assert outcome.wrong == []
