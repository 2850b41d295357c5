"""Python processes that need not import what takes seconds: forks of one that has, each then like any other.

That one is the forkserver of the standard library. What tests give a process by its environment counts from there on: a
variable that a library reads when it is imported is that of the server, whose `HF_HOME` is a folder of the session.
"""

from __future__ import annotations

import io
import multiprocessing
import os
import runpy
import shutil
import socket
import sys
import tempfile
from collections.abc import Sequence
from multiprocessing import forkserver
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

IMPORTED = ("evaluate", "transformers.models.bart.modeling_bart", "transformers.models.gpt2.modeling_gpt2")
IMPORTED += ("transformers.models.roberta.modeling_roberta", "transformers.trainer_seq2seq")


def start_server() -> None:
    """Begin with the imports."""
    multiprocessing.set_forkserver_preload([*IMPORTED])
    forkserver.ensure_running()


class Forked:
    """`python WORDS` in a process that was started."""

    def __init__(self, words: Sequence[object], folder: Path, *, text: str = "", **environment: str) -> None:
        """Start it.

        Args:
            words: command line after `python`: `-c CODE`, `-m MODULE` or a script, then arguments.
            folder: where it runs.
            text: standard input.
            **environment: variables beside those of this process.
        """
        self.words = [str(word) for word in words]
        self._streams = Path(tempfile.mkdtemp())
        paths = [self._streams / name for name in ("in", "out", "err")]
        for path in paths:
            path.write_text(text if path.name == "in" else "", encoding="utf-8")
        job = {
            "words": self.words,
            "folder": folder,
            "environment": {**os.environ, **environment},
            "paths": paths,
        }
        self.process = multiprocessing.get_context("forkserver").Process(
            target=runpy.run_path, args=(__file__, {"job": job}, "forked")
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
        said = [(self._streams / name).read_text(encoding="utf-8") for name in ("out", "err")]
        shutil.rmtree(self._streams)
        return CompletedProcess(self.words, self.process.exitcode, *said)


def in_two_processes(words: Sequence[object], folder: Path) -> list[CompletedProcess[str]]:
    """What `accelerate launch` starts on several devices; on processors alone it would need MPI."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    shared = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2"}
    started = [Forked(words, folder, **shared, RANK=rank, LOCAL_RANK=rank) for rank in "01"]
    return [process.wait() for process in started]


def become(words: list[str], folder: Path, environment: dict[str, str], paths: list[Path]) -> None:
    """Go on as if this process had just been started."""
    for number, path in enumerate(paths):
        os.dup2(os.open(path, os.O_RDWR), number)
    sys.stdin = io.TextIOWrapper(io.FileIO(0), encoding="utf-8")
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    kind, rest = words[0], words[1:]
    if kind == "-c":
        sys.argv = ["-c", *rest[1:]]
        exec(compile(rest[0], "<string>", "exec"), {"__name__": "__main__"})
    elif kind == "-m":
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv = words
        sys.path.insert(0, str(Path(kind).parent))
        runpy.run_path(kind, run_name="__main__")


if __name__ == "forked":
    job: Any = globals()["job"]
    become(**job)
