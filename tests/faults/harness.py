"""Run a command in a folder of its own, disturb it, look at what is left, run it again, compare.

Files are there by name and whole, or not there (anything else is half-written); an ended run may also leave what the
next one goes on after, and a killed one hidden files. No process may stay.
"""

from __future__ import annotations

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
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..conftest import ROOT, ChatServer
from .cases import MADE_BY, Case, write_inputs

ENDS = {signal.SIGINT: (130, "interrupted"), signal.SIGTERM: (143, "terminated")}
"""Signal -> the documented exit status and message."""

PATIENCE = 60.0
"""Seconds in which a command and its other processes have to end."""

HANGS = 1000
"""Exit status of a command that does not end."""

AGENTS = ("ray::RuntimeEnv", "ray::DashboardA")
"""Processes of a killed Ray that end by themselves after a minute."""

OLD = b"what was there before\n"
"""Content of outputs that a run is to replace."""

_LIBRARY = ("home/.ray/", "home/.cache/matplotlib/")  # files that packages keep
_PROBE = re.compile(r"tmp/[a-z0-9_]{8}")  # by which Python finds out whether a folder can be used
_OF_OTHERS = re.compile(r"(B|it)/s\]$|resource_tracker")  # bars, and Python's line after a killed process with workers
# Times, and the packages that a run needed: one that finds every answer in the cache loads fewer.
_CHANGING = re.compile(
    rb'\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?|("seconds": |<td>seconds</td><td>)[0-9.e-]+|"versions": \{[^}]*\}'
)


class Done(NamedTuple):
    """How a run has ended."""

    status: int
    out: str
    err: str
    seconds: float
    orphans: list[str]


class Undisturbed(NamedTuple):
    """What a run does that nothing disturbs; `largest` is the size of its largest output."""

    done: Done
    then: list[Done]
    content: dict[str, str]
    files: set[str]
    largest: int


class Bench:
    """Inputs, a chat server, and what undisturbed runs make of them."""

    def __init__(self, folder: Path, chat: ChatServer, ray: Path) -> None:
        self.folder, self.chat, self.ray = folder, chat, ray
        self._undisturbed: dict[str, Undisturbed] = {}
        self._template = folder / "template"
        (self._template / "in").mkdir(parents=True)
        write_inputs(self._template / "in")

    def inputs(self, case: Case) -> Path:
        """Return a new folder with the inputs of a case, and a server that remembers nothing."""
        made = self._template / "in/results.json"
        if made.name in case.line and not made.exists():
            done = Run(self, self._template, MADE_BY.split()).wait()
            assert done.status == 0, done.err
        left_out = () if made.name in case.line else ("results.json", "samples.parquet")
        folder = Path(tempfile.mkdtemp(prefix="run-", dir=self.folder))
        shutil.copytree(self._template / "in", folder / "in", ignore=shutil.ignore_patterns(*left_out))
        for name in ("out", "tmp", "cache", "home"):
            (folder / name).mkdir()
        self.chat.requests.clear()
        self.chat.keys.clear()
        return folder

    def environment(self, folder: Path) -> dict[str, str]:
        """Variables of the commands: nothing is read or written elsewhere."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "LD_LIBRARY_PATH") if name in os.environ}
        places = {"HOME": "home", "TMPDIR": "tmp", "HF_HOME": "cache/hf", "FAIRSUM_CACHE": "cache/fairsum"}
        kept |= {name: str(folder / place) for name, place in places.items()}
        kept |= {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "no_proxy": "127.0.0.1", "NO_PROXY": "127.0.0.1"}
        return {**kept, "RAY_TMPDIR": str(self.ray), "HF_HUB_OFFLINE": "1", "OPENAI_API_KEY": ChatServer.key}

    def undisturbed(self, case: Case) -> Undisturbed:
        """Run a case that nothing disturbs; the second time it is remembered."""
        if case.name not in self._undisturbed:
            with Trial(self, case) as trial:
                done = trial.start().wait()
                assert done.status in (0, 1), f"{case.name}: {done.err}"
                files = set(trial.files())
                sizes = [(trial.folder / name).stat().st_size for name in files if name.startswith("out/")]
                then = trial.then()
                made = Undisturbed(done, then, trial.content(), files, max(sizes, default=1000))
            self._undisturbed[case.name] = made
        return self._undisturbed[case.name]


class Run:
    """A command at work, in a session of its own."""

    def __init__(self, bench: Bench, folder: Path, words: Sequence[str], **options: Any) -> None:
        self.folder = folder
        self._began = time.monotonic()
        self._streams = [tempfile.NamedTemporaryFile(dir=bench.folder) for _ in range(2)]  # noqa: SIM115 (see `_text`)
        words = [self._named(re.sub(r"\bURL$", bench.chat.url, word)) for word in words]
        module = "tests.faults.at_once" if "--workers" in words else "fairsum_utils"
        command = [*options.pop("prefix", ()), sys.executable, "-m", module, *words]
        given = {"stdout": self._streams[0], "stderr": self._streams[1], "stdin": subprocess.DEVNULL, **options}
        self.process: subprocess.Popen[bytes] = subprocess.Popen(
            command, cwd=folder, env=bench.environment(folder), start_new_session=True, **given
        )

    def _named(self, word: str) -> str:
        """Name the only run in a folder, where a word leaves that open."""
        path = self.folder / word
        return next(path.parent.iterdir()).relative_to(self.folder).as_posix() if path.name == "RUN" else word

    def disturb(self, number: int, chance: random.Random, seconds: float) -> None:
        """Send a signal at a random moment of a run of so many seconds, or just after it has written something."""
        to_all = number == signal.SIGINT or chance.random() < 0.3  # as a terminal does
        n_changes = chance.choice((0, 0, 0, 0, 1, 1, 2, 3))
        for _ in range(n_changes):
            seen = _marks(self.folder)
            end = time.monotonic() + PATIENCE
            while self.process.poll() is None and _marks(self.folder) == seen and time.monotonic() < end:
                time.sleep(0.003)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(chance.random() ** 2 * 0.05 if n_changes else chance.random() * seconds * 0.95)
        if self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                (os.killpg if to_all else os.kill)(self.process.pid, number)

    def wait(self) -> Done:
        """Wait for its end; processes that it leaves are counted, and ended."""
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            status = HANGS
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        seconds = time.monotonic() - self._began
        end = time.monotonic() + PATIENCE
        while (others := _processes_of(self.process.pid)) and time.monotonic() < end:
            if not set(others.values()) - set(AGENTS):
                break
            time.sleep(0.01)
        for pid in others:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        pipes = zip((self.process.stdout, self.process.stderr), self._streams, strict=True)
        out, err = (self._text(stream if pipe is None else pipe) for pipe, stream in pipes)
        return Done(status, out, err, seconds, [name for name in others.values() if name not in AGENTS])

    def _text(self, stream: Any) -> str:
        with contextlib.suppress(OSError):  # a pipe, of which all there is to read is in its buffer
            stream.seek(0)
        with stream:
            return timeless(stream.read(), self.folder).decode("utf-8", "replace")


def timeless(content: bytes, folder: Path) -> bytes:
    """Remove from content what differs from run to run."""
    return _CHANGING.sub(b"...", content.replace(str(folder).encode(), b"SCRATCH"))


def _processes_of(session: int) -> dict[int, str]:
    """List the processes of a session that have not ended, and their names."""
    found = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended
            name, _, rest = place.read_text().rpartition(")")
            state, _, _, of, *_ = rest.split()
            if int(of) == session and state not in "ZX":
                found[int(place.parent.name)] = name.partition("(")[2]
    return found


def _marks(folder: Path) -> set[tuple[str, int]]:
    """List the files and folders there, with their sizes."""
    found = set()
    for place, _, names in os.walk(folder):
        for path in (place, *(f"{place}/{name}" for name in names)):
            with contextlib.suppress(OSError):
                found.add((path, Path(path).lstat().st_size))
    return found


def others_of(lines: str, known: str) -> list[str]:
    """Lines that are neither known nor from another package."""
    return [line for line in lines.splitlines() if line not in known.splitlines() and not _OF_OTHERS.search(line)]


class Trial:
    """A command in a folder of its own, disturbed, and what is not as it should be.

    Attributes:
        folder: where it runs.
        wrong: faults that were found; empty if all is well.
        statuses: exit statuses of the disturbed runs.
        n_left: temporary files that disturbed runs left, before the next one.
    """

    def __init__(self, bench: Bench, case: Case) -> None:
        self.bench, self.case, self.folder = bench, case, bench.inputs(case)
        self.wrong: list[str] = []
        self.statuses: list[int] = []
        self.n_left = 0

    def __enter__(self) -> Trial:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def expected(self) -> Undisturbed:
        """What an undisturbed run does."""
        return self.bench.undisturbed(self.case)

    def start(self, **options: Any) -> Run:
        """Start the command."""
        return Run(self.bench, self.folder, self.case.words, **options)

    def then(self) -> list[Done]:
        """Run what makes use of what the case has written."""
        return [Run(self.bench, self.folder, line.split()).wait() for line in self.case.then]

    def files(self) -> list[str]:
        """List the names of the files that are there."""
        found = (path for path in self.folder.rglob("*") if path.is_file() or path.parent == self.folder / "tmp")
        names = (path.relative_to(self.folder).as_posix() for path in found)
        return sorted(name for name in names if not _PROBE.fullmatch(name) and not name.startswith(_LIBRARY))

    def content(self) -> dict[str, str]:
        """Map the names of files to digests without times; databases and locks count by their name alone."""
        files = [name for name in self.files() if (self.folder / name).is_file()]
        opaque = (".lock", ".sqlite", ".pyc", "auth_token")
        return {name: "" if name.endswith(opaque) else self.digest(name) for name in files}

    def digest(self, name: str) -> str:
        """Return a digest of the content of a file, without times."""
        return hashlib.sha256(timeless((self.folder / name).read_bytes(), self.folder)).hexdigest()

    def place_old(self) -> None:
        """Put older outputs where the case will write."""
        for name in self.case.files():
            (self.folder / name).write_bytes(OLD)

    def check_lines(self, done: Done, *more: str) -> None:
        """Accept no lines but those of an undisturbed run, and some more by their beginning."""
        others = [line for line in others_of(done.err, self.expected.done.err) if not line.startswith(more or ("\0",))]
        if others:
            self.wrong.append(f"printed {' | '.join(others)[-600:]!r} (status {done.status})")

    def _took_note(self, done: Done) -> None:
        self.statuses.append(done.status)
        if done.orphans:
            self.wrong.append(f"processes left: {', '.join(done.orphans)}")

    def kill(self, number: int, chance: random.Random) -> None:
        """Send a signal to the command; it ends as documented, and leaves nothing half-written."""
        run = self.start()
        run.disturb(number, chance, self.expected.done.seconds)
        done = run.wait()
        self._took_note(done)
        allowed = (-number, self.expected.done.status)
        if number == signal.SIGKILL:
            self.check_lines(done)
        else:
            status, word = ENDS[signal.Signals(number)]
            allowed = (*allowed, status)
            if "fairsum_utils/__main__" in done.err or "Traceback" not in done.err:
                self.check_lines(done, f"fairsum: {word}")
            else:  # Python itself had not come to the command yet
                allowed = (*allowed, 1)
            if done.status == status and done.err.count(f"fairsum: {word}") != 1:
                self.wrong.append(f"status {status}, and printed {done.err!r}")
        if done.status not in allowed:
            self.wrong.append("hangs" if done.status == HANGS else f"status {done.status}: {done.err[-300:]!r}")
        self.check_left()

    def refuse(self, *messages: str, **options: Any) -> None:
        """Run the command, which cannot write something: one line tells so, and nothing new is left."""
        done = self.start(**options).wait()
        self._took_note(done)
        if done.status == self.expected.done.status:  # what could not be written was none of its outputs
            self.check_lines(done, "fairsum: ")
        else:
            lines = [line for line in done.err.splitlines() if line not in self.expected.done.err.splitlines()]
            if done.status not in (1, 2) or len(lines) != 1 or not any(word in lines[0] for word in messages):
                self.wrong.append(f"status {done.status}, and printed {done.err[-600:]!r}")
        self.check_left()
        if self.n_left:
            self.wrong.append(f"litter: {', '.join(sorted(set(self.files()) - self.expected.files))}")

    def check_left(self) -> None:
        """An ended run leaves what is whole, or old, or what the next one goes on after, or hidden."""
        files = set(self.files())
        for name in files.intersection(self.case.files()):
            is_old = (self.folder / name).read_bytes() == OLD
            if not is_old and not self.case.then and self.digest(name) != self.expected.content[name]:
                self.wrong.append(f"{name} is half-written")
        others = files - self.expected.files - set(self.case.files())
        others = {name for name in others if not name.startswith(self.case.goes_on or "\0")}
        self.n_left += len(others)
        self.wrong += [f"left {name}" for name in others if not _is_hidden(name)]

    def finish(self, done: Done | None = None) -> None:
        """Let a run come to its end: it has made what it always makes, whatever came before it."""
        done, expected = done or self.start().wait(), self.expected
        if done.status != expected.done.status or "Traceback" in done.err:
            self.wrong.append(f"the next run ended with {done.status}: {done.err[-400:]!r}")
            return
        self._took_note(done)
        if done.out != expected.done.out:
            self.wrong.append("the next run printed something else")
        if more := {name for name in set(self.files()) - expected.files if not _is_hidden(name)}:
            self.wrong.append(f"litter: {', '.join(sorted(more))}")
        if [(then.status, then.out) for then in self.then()] != [(then.status, then.out) for then in expected.then]:
            self.wrong.append("what comes after it printed something else")
        found = self.content()
        if differ := [name for name, digest in expected.content.items() if found.get(name, "none") != digest]:
            self.wrong.append(f"differ: {', '.join(differ)}")


def _is_hidden(name: str) -> bool:
    """Whether a file is one that a killed process may leave: hidden beside an output, or in the temporary folder."""
    return name.startswith("tmp/") or any(part.startswith(".") for part in name.split("/"))
