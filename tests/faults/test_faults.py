"""Kills, full disks, folders that vanish, readers that go away, and two runs at once; all but one run nightly."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..conftest import LONG, takes_long
from .cases import Case
from .conftest import cases
from .harness import Trial, others_of

FULL = ("cannot be written", "File too large", "No space left", "cannot write", "No usable temporary directory")
FULL += ("cannot use the cache folder",)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT] if LONG else [signal.SIGKILL])
@cases()
def test_killed_at_random_moments_then_run_again(trial: Trial, case: Case, number: int) -> None:
    chance = random.Random(case.name)
    if chance.random() < 0.5:
        trial.place_old()
    for _ in range(3 if LONG else 1):
        trial.kill(number, chance)
    trial.finish()


@takes_long
@cases("annotate")
def test_a_harness_that_finds_nothing_would_be_none(trial: Trial, case: Case) -> None:
    """Files that differ or are half-written are found."""
    [name] = case.files()
    (trial.folder / name).write_text("{")
    trial.check_left()
    trial.finish(trial.expected.done)
    assert trial.wrong == [f"{name} is half-written", f"differ: {name}"]
    trial.wrong.clear()


def limited(n_bytes: int) -> Callable[[], None]:
    """Let no file of a new process grow beyond so many bytes, as on a full disk."""

    def limit() -> None:
        import resource

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, n_bytes))

    return limit


@takes_long
@pytest.mark.parametrize("part", [0.0, 0.3, 0.9])
@cases()
def test_no_file_grows_beyond_a_size(trial: Trial, case: Case, part: float) -> None:
    if case.needs == "ray":
        pytest.skip("Ray needs files of its own to start")
    trial.place_old()
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}  # for what is printed
    trial.refuse(*FULL, preexec_fn=limited(int(part * trial.expected.largest)), **pipes)
    trial.finish()


@takes_long
@pytest.mark.parametrize("mode", ["folder", "file"])
@cases()
def test_folders_that_may_only_be_read(trial: Trial, case: Case, mode: str) -> None:
    prefix: list[str] = []
    if os.geteuid() == 0:  # who may write everywhere, unless that right is given away
        setpriv = shutil.which("setpriv") or pytest.skip("setpriv is not there, and root may write everywhere")
        prefix = [setpriv, "--bounding-set", "-dac_override,-dac_read_search,-fowner", "--inh-caps", "-all"]
    if mode == "file":  # of which the folder may be written: it is replaced
        trial.place_old()
        for name in case.files():
            (trial.folder / name).chmod(0o444)
        trial.finish(trial.start(prefix=prefix).wait())
        return
    (trial.folder / "out").chmod(0o555)
    trial.refuse("Permission denied", prefix=prefix)
    (trial.folder / "out").chmod(0o755)
    assert trial.statuses != [0] or "out/" not in case.line
    trial.finish()


@takes_long
@pytest.mark.parametrize("seed", range(3))
@cases()
def test_a_folder_that_disappears(trial: Trial, case: Case, seed: int) -> None:
    expected = trial.expected.done
    run = trial.start()
    try:
        run.process.wait(random.Random(f"{case.name} {seed}").random() * expected.seconds)
    except subprocess.TimeoutExpired:
        shutil.rmtree(trial.folder / "out", ignore_errors=True)
    done = run.wait()
    assert done.orphans == []
    assert "Traceback" not in done.err
    if done.status != expected.status:
        lines = [line for line in done.err.splitlines() if line not in expected.err.splitlines()]
        assert (done.status in (1, 2), len(lines)) == (True, 1), done.err
    shutil.rmtree(trial.folder / "out", ignore_errors=True)
    (trial.folder / "out").mkdir()
    if not any(name.startswith("cache/") for name in case.goes_on):
        trial.finish()


@takes_long
@cases("annotate")
def test_a_device_is_no_file_to_be_replaced(trial: Trial, case: Case) -> None:
    (trial.folder / "out/corpus.jsonl.gz").symlink_to("/dev/full")
    trial.refuse(*FULL)
    assert Path("/dev/full").is_char_device()


@takes_long
@pytest.mark.parametrize("turn", range(3))
@cases()
def test_two_at_once(trial: Trial, case: Case, turn: int) -> None:
    expected = trial.expected.done
    ends = [run.wait() for run in [trial.start(), trial.start()]]
    done = [end for end in ends if end.status == expected.status]
    assert done, [end.err for end in ends]
    for end in ends:
        if end not in done:
            assert (end.status, len(others_of(end.err, ""))) == (2, 1), end.err
            assert "was changed by someone else while this ran" in end.err or "run the same command" in end.err
    trial.finish(done[0])


@takes_long
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
@cases()
def test_nobody_reads_a_stream(trial: Trial, case: Case, stream: str) -> None:
    """All is done and written."""
    read, write = os.pipe()
    os.close(read)
    options: dict[str, Any] = {stream: write}
    done = trial.start(**options).wait()
    os.close(write)
    trial.check_lines(done, "fairsum: ")
    trial.finish(done._replace(out=trial.expected.done.out) if stream == "stdout" else done)


@takes_long
@cases()
def test_the_output_is_full(trial: Trial, case: Case) -> None:
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        trial.refuse("the standard output cannot be written", stdout=full)
    expected = trial.expected
    assert trial.statuses == ([2] if expected.done.out else [expected.done.status])
    if not case.then:  # what goes to files is there
        content = trial.content()
        assert {name: content.get(name) for name in expected.content} == expected.content
