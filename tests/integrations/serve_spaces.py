"""Starts the demos of Spaces in one process, each as its Space does, without a network.

``python serve_spaces.py LOG FOLDER...`` prints where they are as a line of JSON and serves until its input ends. Every
host that was asked for and is not this machine is refused and gets a line in LOG.
"""

from __future__ import annotations

import contextlib
import json
import os
import runpy
import socket
import sys
from pathlib import Path
from typing import Any

HERE = ("127.0.0.1", "localhost", "::1", "0.0.0.0", None)


def refuse_network(log: Path) -> None:
    """Connections to other machines fail from now on."""
    connect, resolve = socket.socket.connect, socket.getaddrinfo

    def check(host: Any) -> None:
        if host not in HERE:
            with log.open("a", encoding="utf-8") as lines:
                lines.write(f"{host}\n")
            raise OSError(f"no network here: {host}")

    def guarded_connect(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX:
            check(address[0])
        connect(self, address)

    def guarded_resolve(host: Any, *arguments: Any, **options: Any) -> Any:
        check(host.decode() if isinstance(host, bytes) else host)
        return resolve(host, *arguments, **options)

    socket.socket.connect, socket.getaddrinfo = guarded_connect, guarded_resolve  # type: ignore[method-assign]


def start(folder: str, gradio: Any) -> tuple[str, list[str]]:
    """Run the demo of a Space as its main program; its address, and the names of what it can be asked."""
    os.chdir(folder)
    sys.path.insert(0, folder)
    try:
        demo = runpy.run_path("app.py", run_name="__main__")["demo"]
    finally:
        sys.path.remove(folder)
    assert isinstance(demo, gradio.Blocks)
    return str(demo.local_url), [function.api_name for function in demo.fns.values()]


def main(log: str, *folders: str) -> None:
    """Start all, say where they are, and wait."""
    refuse_network(Path(log))
    import gradio

    import fairsum_utils

    gradio.Blocks.block_thread = lambda self: None  # each would serve until the end of the process
    with contextlib.redirect_stdout(sys.stderr):
        started = {Path(folder).name: start(folder, gradio) for folder in folders}
    print(json.dumps({"library": fairsum_utils.__file__, "started": started}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
