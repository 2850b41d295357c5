"""Run a command in a folder of its own, disturb it, look at what is left, run it again, compare.

What is told apart: files that are there by name and whole, or not there (anything else is half-written); what an ended
run leaves for the next one to go on after; litter, which only a kill may leave; and processes.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ..conftest import ROOT, ChatServer
from .cases import MADE_BY, Case, write_inputs

SAID = {signal.SIGINT: (130, "interrupted"), signal.SIGTERM: (143, "terminated")}
"""Signal -> the exit status that is documented, and the line that is said."""

PATIENCE = 60.0
"""Seconds after which a run that was told to end counts as one that hangs."""

GONE = 60.0
"""Seconds after the end of a command in which its other processes have to end."""

AGENTS = ("ray::RuntimeEnv", "ray::DashboardA")
"""Processes of a killed Ray that end by themselves when they have looked for it for a minute."""

OLD = b"what was there before\n"
"""Content of outputs that a run is to replace."""


class Bench:
    """Inputs, a chat server, and what undisturbed runs make of them."""

    def __init__(self, folder: Path, chat: ChatServer) -> None:
        self.folder, self.chat = folder, chat
        self.ray = tempfile.mkdtemp(prefix="ray-")  # with names of sockets, which may have 107 characters
        atexit.register(shutil.rmtree, self.ray, ignore_errors=True)
        self._undisturbed: dict[str, Undisturbed] = {}
        self.template = folder / "template"
        (self.template / "in").mkdir(parents=True)
        write_inputs(self.template / "in")
        self._has_made = False
        self._seconds: dict[str, float] = {}

    def seconds(self, case: Case) -> float:
        """Seconds of an undisturbed run, the least that was seen."""
        return self._seconds[case.name]

    def took(self, case: Case, seconds: float) -> None:
        """Take in the seconds of an undisturbed run."""
        self._seconds[case.name] = min(seconds, self._seconds.get(case.name, seconds))

    def scratch(self, case: Case) -> Scratch:
        """Make a folder with the inputs of a case, and a server that remembers nothing."""
        reads_results = "in/results.json" in case.line
        if reads_results and not self._has_made:
            done = Run(self, Scratch(self, self.template), MADE_BY.split()).wait()
            assert done.status == 0, done.err
            self._has_made = True
        folder = Path(tempfile.mkdtemp(prefix="run-", dir=self.folder))
        made = () if reads_results else ("results.json", "samples.parquet")
        shutil.copytree(self.template / "in", folder / "in", ignore=shutil.ignore_patterns(*made))
        for name in ("out", "tmp", "cache", "home"):
            (folder / name).mkdir()
        self.chat.requests.clear()
        self.chat.keys.clear()
        return Scratch(self, folder)

    def undisturbed(self, case: Case) -> Undisturbed:
        """Run a case that nothing disturbs; the second time it is remembered."""
        if case.name not in self._undisturbed:
            with self.scratch(case) as scratch:
                done = Run(self, scratch, case.words).wait()
                assert done.status in (0, 1), f"{case.name}: {done.err}"
                self.took(case, done.seconds)
                files = set(scratch.files())
                sizes = [(scratch.folder / name).stat().st_size for name in files if name.startswith("out/")]
                more = scratch.finish(case)
                made = Undisturbed(done, more, scratch.content(), files, max(sizes, default=1000))
            self._undisturbed[case.name] = made
        return self._undisturbed[case.name]


@dataclass
class Scratch:
    """A folder in which a command runs, away from whatever belongs to the user.

    Attributes:
        bench: of which it is.
        folder: its path.
    """

    bench: Bench
    folder: Path

    def __enter__(self) -> Scratch:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def environment(self) -> dict[str, str]:
        """Variables of the commands: nothing is read or written elsewhere."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "LD_LIBRARY_PATH") if name in os.environ}
        places = {"HOME": "home", "TMPDIR": "tmp", "HF_HOME": "cache/hf", "FAIRSUM_CACHE": "cache/fairsum"}
        kept |= {name: str(self.folder / place) for name, place in places.items()}
        kept["RAY_TMPDIR"] = self.bench.ray
        kept |= {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "no_proxy": "127.0.0.1", "NO_PROXY": "127.0.0.1"}
        return {**kept, "HF_HUB_OFFLINE": "1", "OPENAI_API_KEY": ChatServer.key}

    def finish(self, case: Case) -> list[Done]:
        """Run what makes use of what a case has written."""
        return [Run(self.bench, self, line.split()).wait() for line in case.then]

    def named(self, word: str) -> str:
        """Name the only run in a folder, where a word leaves that open."""
        path = self.folder / word
        if path.name != "RUN":
            return word
        [run] = path.parent.iterdir()
        return run.relative_to(self.folder).as_posix()

    def files(self) -> list[str]:
        """Names of the files that are there."""
        found = (path for path in self.folder.rglob("*") if path.is_file() or path.parent == self.folder / "tmp")
        names = (path.relative_to(self.folder).as_posix() for path in found)
        return sorted(name for name in names if not _PROBE.fullmatch(name) and not name.startswith(_LIBRARY))

    def content(self) -> dict[str, str]:
        """Name -> digest of what a file holds, without times; databases and locks by their name alone."""
        files = (name for name in self.files() if (self.folder / name).is_file())
        return {name: "" if _is_opaque(name) else self.digest(name) for name in files}

    def digest(self, name: str) -> str:
        """A digest of what a file holds, without times."""
        return hashlib.sha256(self.timeless((self.folder / name).read_bytes())).hexdigest()

    def timeless(self, content: bytes) -> bytes:
        """Content without what differs from run to run: times, the folder, and which packages were needed."""
        content = content.replace(str(self.folder).encode(), b"SCRATCH")
        for pattern in (_TIME, _SECONDS, _VERSIONS):
            content = pattern.sub(b"...", content)
        return content

    def place_old(self, case: Case) -> None:
        """Put older outputs where the case will write."""
        for name in case.files():
            (self.folder / name).write_bytes(OLD)


_LIBRARY = ("home/.ray/", "home/.cache/matplotlib/")  # files that packages keep
_PROBE = re.compile(r"tmp/[a-z0-9_]{8}")
"""What Python writes to find out whether a folder for temporary files can be used, and removes at once."""

_OF_OTHERS = re.compile(r"(B|it)/s\]$|resource_tracker")
"""Bars, and Python's line after clearing up behind a killed process with workers."""


def is_of_others(line: str) -> bool:
    """Return whether a line is from another package."""
    return bool(_OF_OTHERS.search(line))


_VERSIONS = re.compile(rb'"versions": \{[^}]*\}')
"""A run that finds every answer in the cache does not load the package that asks for them."""

_TIME = re.compile(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?")
_SECONDS = re.compile(rb'("seconds": |<td>seconds</td><td>)[0-9.e-]+')


def _is_opaque(name: str) -> bool:
    """Whether the bytes of a file differ from run to run."""
    return name.endswith((".lock", ".sqlite", ".pyc", "auth_token"))


class Done(NamedTuple):
    """How a run has ended."""

    status: int
    out: str
    err: str
    seconds: float
    orphans: list[str]


class Undisturbed(NamedTuple):
    """What a run does that nothing disturbs."""

    done: Done
    then: list[Done]
    content: dict[str, str]
    files: set[str]
    largest: int


class Run:
    """A command at work, in a session of its own."""

    def __init__(
        self,
        bench: Bench,
        scratch: Scratch,
        words: Sequence[str],
        *,
        prefix: Sequence[str] = (),
        **options: Any,
    ) -> None:
        self.scratch = scratch
        self.began = time.monotonic()
        streams = [tempfile.NamedTemporaryFile(dir=bench.folder) for _ in range(2)]  # noqa: SIM115 (see `_said`)
        self._streams = streams
        words = [scratch.named(re.sub(r"\bURL$", bench.chat.url, word)) for word in words]
        where = (scratch.folder, scratch.environment())
        given = {"stdout": streams[0], "stderr": streams[1], "stdin": subprocess.DEVNULL, **options}
        module = "tests.faults.at_once" if "--workers" in words else "fairsum_utils"
        command = [*prefix, sys.executable, "-m", module, *words]
        self.process: subprocess.Popen[bytes] = subprocess.Popen(
            command, cwd=where[0], env=where[1], start_new_session=True, **given
        )

    def send(self, number: int, *, to_all: bool = False) -> None:
        """Send a signal to the command, or as a terminal does to all its processes."""
        if self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                (os.killpg if to_all else os.kill)(self.process.pid, number)

    def wait(self, seconds: float = PATIENCE) -> Done:
        """Its end, and what it has said; processes that it leaves are counted, and ended."""
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = HANGS
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        took = time.monotonic() - self.began
        orphans = processes_of(self.process.pid)
        end = time.monotonic() + GONE
        while (others := {pid: name for pid, name in orphans.items() if name not in AGENTS}) and time.monotonic() < end:
            time.sleep(0.01)
            orphans = processes_of(self.process.pid)
        for pid in orphans:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        process = self.process
        pipes = (process.stdout, process.stderr)
        out, err = (
            self._said(stream if pipe is None else pipe) for stream, pipe in zip(self._streams, pipes, strict=True)
        )
        return Done(status, out, err, took, list(others.values()))

    def _said(self, stream: Any) -> str:
        with contextlib.suppress(OSError):  # a pipe, of which all there is to read is in its buffer
            stream.seek(0)
        with stream:
            return self.scratch.timeless(stream.read()).decode("utf-8", "replace")


HANGS = 1000
"""What stands for the exit status of a command that does not end."""


def processes_of(session: int) -> dict[int, str]:
    """The processes of a session that have not ended, and their names."""
    found = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = place.read_text().rpartition(")")
        except OSError:  # it has ended
            continue
        state, _, _, of, *_ = rest.split()
        if int(of) == session and state not in "ZX":
            found[int(place.parent.name)] = name.partition("(")[2]
    return found


@dataclass
class Outcome:
    """What was found of one disturbance and the run after it.

    Attributes:
        case: that was disturbed.
        how: by what.
        statuses: of the disturbed runs.
        wrong: what is not as it should be; empty if all is well.
        litter: temporary files that disturbed runs left, before the next one.
        orphans: processes that were left.
    """

    case: str
    how: str
    statuses: list[int] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    litter: int = 0
    orphans: int = 0


def is_hidden(name: str) -> bool:
    """Whether a file is one that a killed process may leave: hidden beside an output, or in the temporary folder."""
    return name.startswith("tmp/") or any(part.startswith(".") for part in name.split("/"))


class Judge:
    """Compares what was disturbed with what was not."""

    def __init__(self, bench: Bench, case: Case, outcome: Outcome) -> None:
        self.bench, self.case, self.outcome = bench, case, outcome
        self.expected = bench.undisturbed(case)

    def wrong(self, what: str) -> None:
        """Note what is not as it should be."""
        self.outcome.wrong.append(what)

    def lines(self, done: Done, *more: str) -> None:
        """Nothing is said but what an undisturbed run says, and some lines more."""
        known = self.expected.done.err.splitlines()
        others = [
            line
            for line in done.err.splitlines()
            if line not in known and not line.startswith(more or ("\0",)) and not is_of_others(line)
        ]
        if others:
            self.wrong(f"said {' | '.join(others)[-600:]!r} (status {done.status})")

    def ended(self, done: Done, number: int) -> None:
        """A run that was sent a signal has ended as is documented."""
        self.outcome.statuses.append(done.status)
        self._orphans(done)
        if number == signal.SIGKILL:
            allowed = (-number, self.expected.done.status)
            self.lines(done)
        else:
            status, word = SAID[signal.Signals(number)]
            allowed = (status, -number, self.expected.done.status)
            has_begun = "fairsum_utils/__main__" in done.err or "Traceback" not in done.err
            if has_begun:
                self.lines(done, f"fairsum: {word}")
            else:  # Python itself had not come to the command yet
                allowed = (*allowed, 1)
            if done.status == status and done.err.count(f"fairsum: {word}") != 1:
                self.wrong(f"status {status}, and said {done.err!r}")
        if done.status not in allowed:
            self.wrong("hangs" if done.status == HANGS else f"status {done.status}; said {done.err[-300:]!r}")

    def _orphans(self, done: Done) -> None:
        self.outcome.orphans += len(done.orphans)
        if done.orphans:
            self.wrong(f"processes left: {', '.join(done.orphans)}")

    def refused(self, scratch: Scratch, done: Done, said: Sequence[str]) -> None:
        """A run that could not write something has ended as is documented, and left nothing but what was there."""
        self.outcome.statuses.append(done.status)
        self._orphans(done)
        if done.status == self.expected.done.status:  # what could not be written was none of its outputs
            self.lines(done, "fairsum: ")
        else:
            lines = [line for line in done.err.splitlines() if line not in self.expected.done.err.splitlines()]
            if done.status not in (1, 2) or len(lines) != 1 or not any(word in lines[0] for word in said):
                self.wrong(f"status {done.status}, and said {done.err[-600:]!r}")
        self.between(scratch)
        if self.outcome.litter:
            self.wrong(f"litter: {', '.join(sorted(set(scratch.files()) - self.expected.files))}")

    def between(self, scratch: Scratch) -> None:
        """What an ended run has left is whole, or old, or what the next one goes on after, or hidden."""
        files = scratch.files()
        for name in self.case.files():
            if name in files:
                content = (scratch.folder / name).read_bytes()
                if content != OLD and not self.case.then and scratch.digest(name) != self.expected.content[name]:
                    self.wrong(f"{name} is half-written")
        others = set(files) - self.expected.files - set(self.case.files())
        others = {name for name in others if not name.startswith(self.case.goes_on or "\0")}
        self.outcome.litter += len(others)
        for name in others:
            if not is_hidden(name):
                self.wrong(f"left {name}")

    def finished(self, scratch: Scratch, done: Done) -> None:
        """A run that was not disturbed has made what it always makes, whatever came before it."""
        expected = self.expected
        if done.status != expected.done.status:
            self.wrong(f"the next run ended with {done.status}: {done.err[-400:]!r}")
            return
        self._orphans(done)
        if "Traceback" in done.err:
            self.wrong(f"the next run said {done.err[-400:]!r}")
        if done.out != expected.done.out:
            self.wrong("the next run printed something else")
        files = set(scratch.files())
        if more := {name for name in files - expected.files if not is_hidden(name)}:
            self.wrong(f"litter: {', '.join(sorted(more))}")
        for then, undisturbed in zip(scratch.finish(self.case), expected.then, strict=True):
            if (then.status, then.out) != (undisturbed.status, undisturbed.out):
                self.wrong(f"what comes after it printed something else: {then.err[-300:]!r}")
        found = scratch.content()
        differ = [name for name, digest in expected.content.items() if found.get(name, "none") != digest]
        if differ:
            self.wrong(f"differ: {', '.join(differ)}")


def disturb(run: Run, number: int, chance: random.Random, seconds: float) -> None:
    """Send a signal at a random moment: of all the time that a run takes, or just when it has written something."""
    to_all = number == signal.SIGINT or chance.random() < 0.3
    if chance.random() < 0.5:
        _wait_until(lambda: False, run, chance.random() * seconds * 0.95)
    else:
        n_changes = chance.choice((1, 1, 2, 3))
        seen = _marks(run.scratch.folder)
        for _ in range(n_changes):
            _wait_until(lambda seen=seen: _marks(run.scratch.folder) != seen, run, PATIENCE)
            seen = _marks(run.scratch.folder)
        _wait_until(lambda: False, run, chance.random() ** 2 * 0.05)
    run.send(number, to_all=to_all)


def _wait_until(is_so: Callable[[], bool], run: Run, seconds: float) -> None:
    end = time.monotonic() + seconds
    while run.process.poll() is None and not is_so() and (left := end - time.monotonic()) > 0:
        time.sleep(min(left, 0.003))


def _marks(folder: Path) -> frozenset[tuple[str, int]]:
    """What tells that something was written; inputs stay as they are."""
    found = set()
    waiting = [os.fspath(folder / name) for name in ("out", "tmp", "cache")]
    while waiting:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                found.add((entry.path, entry.stat(follow_symlinks=False).st_size))
    return frozenset(found)


def killed(bench: Bench, case: Case, number: int, chance: random.Random, n_kills: int = 1) -> Outcome:
    """Send a signal to a command again and again, then let it come to its end."""
    outcome = Outcome(case.name, signal.Signals(number).name)
    judge = Judge(bench, case, outcome)
    with bench.scratch(case) as scratch:
        if chance.random() < 0.5:
            scratch.place_old(case)
        for _ in range(n_kills):
            run = Run(bench, scratch, case.words)
            disturb(run, number, chance, bench.seconds(case))
            judge.ended(run.wait(), number)
            judge.between(scratch)
        done = Run(bench, scratch, case.words).wait()
        judge.finished(scratch, done)
        if done.status == judge.expected.done.status and not case.goes_on:
            bench.took(case, done.seconds)
        if outcome.wrong and (kept := os.environ.get("FAIRSUM_FAULTS_KEEP")):
            shutil.copytree(scratch.folder, Path(kept, scratch.folder.name))
            outcome.wrong.append(f"kept as {scratch.folder.name}")
    return outcome


def limited(n_bytes: int) -> Callable[[], None]:
    """For a new process: no file grows beyond so many bytes, as on a disk that is full."""

    def limit() -> None:
        import resource

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, n_bytes))

    return limit


def refused(bench: Bench, case: Case, how: str, scratch: Scratch, *said: str, **options: Any) -> Outcome:
    """Run a command that cannot write something: it says so in one line and leaves nothing; later it can."""
    outcome = Outcome(case.name, how)
    judge = Judge(bench, case, outcome)
    done = Run(bench, scratch, case.words, **options).wait()
    judge.refused(scratch, done, said)
    return outcome
