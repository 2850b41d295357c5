"""Python processes that need not import what takes seconds: forks of one that has, each then like any other.

That one is a forkserver of the standard library. What tests give a process by its environment counts from there on: a
variable that a library reads when it is imported is that of the server, whose `HF_HOME` is a folder of the session.
"""

from __future__ import annotations

import io
import json
import multiprocessing
import os
import runpy
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from multiprocessing import forkserver
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any
from unittest.mock import patch

MODELS = ("evaluate", "transformers.models.bart.modeling_bart", "transformers.models.gpt2.modeling_gpt2")
MODELS += ("transformers.models.roberta.modeling_roberta", "transformers.trainer_seq2seq")
# What `evaluate` and `datasets` stand on, for processes that are to import these themselves.
ARRAYS = ("aiohttp", "httpx", "multiprocess", "pandas", "pyarrow.dataset", "pyarrow.parquet", "requests", "scipy.stats")


class Server:
    """A process that has imported modules, and starts others.

    Args:
        imports: the modules.
    """

    def __init__(self, imports: Sequence[str]) -> None:
        fresh = [sys.executable, "-c", "import json, sys; print(json.dumps(sys.path[1:]))"]
        plain = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        self._path = json.loads(subprocess.check_output(fresh, env=plain))
        self._server = forkserver.ForkServer()
        self._server.set_forkserver_preload([*imports])
        self._server.ensure_running()

    def start(
        self,
        words: Sequence[object],
        folder: Path,
        *,
        text: str = "",
        env: Mapping[str, str] | None = None,
        **more: str,
    ) -> Forked:
        """Start `python WORDS`.

        Args:
            words: command line after `python`: `-c CODE`, `-m MODULE` or a script, then arguments.
            folder: where it runs.
            text: standard input.
            env: its variables; None for those of this process.
            **more: variables beside these.
        """
        job = {
            "words": [str(word) for word in words],
            "folder": folder,
            "environment": {**(os.environ if env is None else env), **more},
            "path": self._path,
        }
        # The standard library has one server a process.
        with patch.object(forkserver, "connect_to_new_process", self._server.connect_to_new_process):
            return Forked(job, text)

    def in_two_processes(self, words: Sequence[object], folder: Path) -> list[CompletedProcess[str]]:
        """What `accelerate launch` starts on several devices; on processors alone it would need MPI."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        shared = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2"}
        started = [self.start(words, folder, **shared, RANK=rank, LOCAL_RANK=rank) for rank in "01"]
        return [process.wait() for process in started]


class Forked:
    """A process that `Server.start` has started."""

    def __init__(self, job: dict[str, Any], text: str) -> None:
        self.words = job["words"]
        self._streams = Path(tempfile.mkdtemp())
        paths = [self._streams / name for name in ("in", "out", "err")]
        for path in paths:
            path.write_text(text if path.name == "in" else "", encoding="utf-8")
        self.process = multiprocessing.get_context("forkserver").Process(
            target=runpy.run_path, args=(__file__, {"job": {**job, "streams": paths}}, "forked")
        )
        self.process.start()

    def lines(self) -> list[str]:
        """What it has printed so far."""
        return (self._streams / "out").read_text(encoding="utf-8").splitlines()

    def wait(self, seconds: float = 300) -> CompletedProcess[str]:
        """Its end, as `subprocess.run` tells it; one that takes longer is killed."""
        self.process.join(seconds)
        self.process.kill()
        self.process.join()
        assert self.process.exitcode is not None
        messages = [(self._streams / name).read_text(encoding="utf-8") for name in ("out", "err")]
        shutil.rmtree(self._streams)
        return CompletedProcess(self.words, self.process.exitcode, *messages)


def become(words: list[str], folder: Path, environment: dict[str, str], path: list[str], streams: list[Path]) -> None:
    """Go on as if this process had just been started."""
    for number, stream in enumerate(streams):
        os.dup2(os.open(stream, os.O_RDWR), number)
    sys.stdin = io.TextIOWrapper(io.FileIO(0), encoding="utf-8")
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    kind, rest = words[0], words[1:]
    first = {"-c": "", "-m": str(folder)}.get(kind, str(Path(kind).parent))
    given = filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))
    sys.path[:] = [first, *map(os.path.abspath, given), *path]
    if kind == "-c":
        sys.argv = ["-c", *rest[1:]]
        exec(compile(rest[0], "<string>", "exec"), {"__name__": "__main__"})
    elif kind == "-m":
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv = words
        runpy.run_path(kind, run_name="__main__")


if __name__ == "forked":
    job: Any = globals()["job"]
    become(**job)
