"""Disks that are full, folders that may not be written or disappear."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from ..conftest import takes_long
from .cases import Case
from .conftest import BY_NAME, cases
from .harness import Bench, Judge, Outcome, Run, limited, refused

FULL = ("cannot be written", "File too large", "No space left", "cannot write", "No usable temporary directory")
FULL += ("cannot use the cache folder",)
PIPES = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
"""For what is printed where no file can grow."""


@pytest.mark.parametrize("part", [0.0, pytest.param(0.3, marks=takes_long), pytest.param(0.9, marks=takes_long)])
@cases("annotate")
def test_no_file_grows_beyond_a_size(bench: Bench, case: Case, part: float) -> None:
    if "ray" in case.needs:
        pytest.skip("Ray needs files of its own to start")
    bench.undisturbed(case)
    with bench.scratch(case) as scratch:
        assert Run(bench, scratch, case.words).wait().status in (0, 1)
        written = [name for name in scratch.files() if name.startswith("out/")]
        largest = max(((scratch.folder / name).stat().st_size for name in written), default=1000)
    with bench.scratch(case) as scratch:
        scratch.place_old(case)
        limit = limited(int(part * largest))
        outcome = refused(bench, case, "full", scratch, *FULL, preexec_fn=limit, **PIPES)
        assert outcome.wrong == []
        judge = Judge(bench, case, outcome)
        judge.finished(scratch, Run(bench, scratch, case.words).wait())
        assert outcome.wrong == []


@pytest.mark.parametrize("mode", ["folder", "file"])
@cases("annotate")
def test_folders_that_may_only_be_read(bench: Bench, case: Case, mode: str) -> None:
    prefix: list[str] = []
    if os.geteuid() == 0:  # who may write everywhere, unless that right is given away
        setpriv = shutil.which("setpriv")
        if setpriv is None:
            pytest.skip("setpriv is not there, and root may write everywhere")
        prefix = [setpriv, "--bounding-set", "-dac_override,-dac_read_search,-fowner", "--inh-caps", "-all"]
    with bench.scratch(case) as scratch:
        folder = scratch.folder / "out"
        if mode == "file":  # of which the folder may be written: it is replaced
            scratch.place_old(case)
            for name in case.files():
                (scratch.folder / name).chmod(0o444)
            done = Run(bench, scratch, case.words, prefix=prefix).wait()
            outcome = Outcome(case.name, "read-only files")
            Judge(bench, case, outcome).finished(scratch, done)
        else:
            folder.chmod(0o555)
            message = ("Permission denied",)
            outcome = refused(bench, case, "read-only", scratch, *message, prefix=prefix)
            folder.chmod(0o755)
            if case.files() or case.outputs():
                assert outcome.statuses != [0] or "out/" not in case.line
            Judge(bench, case, outcome).finished(scratch, Run(bench, scratch, case.words).wait())
        assert outcome.wrong == []


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=takes_long) for seed in range(1, 6))])
@cases("annotate")
def test_a_folder_that_disappears(bench: Bench, case: Case, seed: int) -> None:
    chance = random.Random(f"{case.name} {seed}")
    outcome = Outcome(case.name, "vanished")
    judge = Judge(bench, case, outcome)
    with bench.scratch(case) as scratch:
        run = Run(bench, scratch, case.words)
        try:
            run.process.wait(chance.random() * bench.seconds(case))
        except subprocess.TimeoutExpired:
            shutil.rmtree(scratch.folder / "out", ignore_errors=True)
        done = run.wait()
        assert done.orphans == []
        lines = [line for line in done.err.splitlines() if line not in judge.expected.done.err.splitlines()]
        assert "Traceback" not in done.err
        if done.status != judge.expected.done.status:
            assert done.status in (1, 2)
            assert len(lines) == 1, done.err
        shutil.rmtree(scratch.folder / "out", ignore_errors=True)
        (scratch.folder / "out").mkdir()
        if not any(name.startswith("cache/") for name in case.goes_on) and case.says_same:
            judge.finished(scratch, Run(bench, scratch, case.words).wait())
            assert outcome.wrong == []


def test_a_device_is_no_file_to_be_replaced(bench: Bench) -> None:
    case = BY_NAME["annotate"]
    with bench.scratch(case) as scratch:
        (scratch.folder / "out/corpus.jsonl.gz").symlink_to("/dev/full")
        outcome = refused(bench, case, "device", scratch, *FULL)
        assert Path("/dev/full").is_char_device()
        assert outcome.wrong == []
