"""Commands as forks of a process that has imported what they need: ten of them in the time in which one starts afresh.

A fork has a session of its own, and its own exit status; it runs ``python -m fairsum_utils`` to its end, as a process
that was just started does, but for what happens while Python and the libraries are imported.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import re
import runpy
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

WITHOUT = re.compile(r"fairsum_utils[.](adapters|hub|tracking|cluster[.]ray|__main__)")
"""Modules of ours that stay out of it."""

LIGHT = ("numpy", "pyarrow.parquet", "pyarrow.dataset", "pyarrow.feather", "scipy.stats", "fsspec", "http.client")
LIGHT += ("concurrent.futures.process", "multiprocessing.connection", "openai", "httpx", "sqlite3", "xml.sax")
HEAVY = ("torch", "transformers.models.roberta.modeling_roberta", "transformers.models.gpt2.modeling_gpt2")
"""What is imported before a fork, if it is there; nothing that reads a variable of the Hub."""


class Nest:
    """Starts forks, one at a time.

    Args:
        environment: variables of the process that is forked.
        imports: names of modules.
    """

    def __init__(self, environment: Mapping[str, str], imports: Sequence[str] = LIGHT) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-W", "ignore", __file__, *imports],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=dict(environment),
            start_new_session=True,
        )
        assert self._ask(None) == "ready"

    def _ask(self, job: Any) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        if job is not None:
            self._process.stdin.write(json.dumps(job).encode() + b"\n")
            self._process.stdin.flush()
        return self._process.stdout.readline().decode().strip()

    def start(
        self, words: Sequence[str], folder: Path, environment: Mapping[str, str], streams: Sequence[Path]
    ) -> Fork:
        """Start a command.

        Args:
            words: after ``fairsum``.
            folder: where it works.
            environment: its variables.
            streams: files for what it prints and says.
        """
        job = {"words": [*words], "folder": str(folder), "environment": dict(environment)}
        return Fork(int(self._ask({**job, "streams": [str(path) for path in streams]})), self._process)

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


class Fork:
    """A command at work, as much of `subprocess.Popen` as the harness needs.

    Attributes:
        pid: of its process.
        returncode: its exit status, or the signal that ended it below 0; None while it works.
    """

    def __init__(self, pid: int, nest: subprocess.Popen[bytes]) -> None:
        self.pid, self._nest = pid, nest
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Whether it has ended, and how."""
        return self._look(0)

    def wait(self, seconds: float | None = None) -> int:
        """Its end.

        Raises:
            subprocess.TimeoutExpired: it takes longer.
        """
        found = self._look(seconds)
        if found is None:
            raise subprocess.TimeoutExpired("fork", seconds or 0)
        return found

    def _look(self, seconds: float | None) -> int | None:
        stream = self._nest.stdout
        assert stream is not None
        if self.returncode is None and select.select([stream], [], [], seconds)[0]:
            self.returncode = int(stream.readline())
        return self.returncode


def serve(imports: Sequence[str]) -> dict[str, Any]:
    """Import, then start one fork after another; returns in the fork what it is to do."""
    import fairsum_utils

    ours = (found.name for found in pkgutil.walk_packages(fairsum_utils.__path__, "fairsum_utils."))
    for name in (*imports, *(name for name in ours if not WITHOUT.match(name))):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    gc.collect()
    gc.freeze()
    say("ready")
    for line in sys.stdin.buffer:
        signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))  # until it is what it shall be
        pid = os.fork()
        if pid == 0:
            return dict(json.loads(line))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM))
        say(pid)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        say(status)
    os._exit(0)


def say(what: object) -> None:
    """A line to the harness."""
    os.write(1, f"{what}\n".encode())


def become(words: list[str], folder: str, environment: dict[str, str], streams: list[str]) -> None:
    """Go on as a process that has just been started with a command line."""
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, stream in enumerate(streams, start=1):
        os.dup2(os.open(stream, os.O_WRONLY | os.O_APPEND), number)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["fairsum", *words]
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM))
    try:
        runpy.run_module("fairsum_utils", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        threading._shutdown()  # type: ignore[attr-defined]  # as Python does at the end; what it takes down then is long
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(int(end.code or 0))


if __name__ == "__main__":
    sys.path[0] = str(Path.cwd())
    signal.signal(signal.SIGINT, signal.default_int_handler)
    job = serve(sys.argv[1:])
    become(**job)
