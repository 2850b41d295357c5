"""Script that kills leftover Ray processes when the driver process ends."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from typing import Any


def main(driver: str, packages: str) -> None:
    """Wait until standard input closes with the driver, then kill."""
    sys.path.append(packages)
    psutil = import_module("psutil")
    sys.stdin.read()
    session = re.compile(rf"/session_[\d_-]+_{driver}/")
    while found := [one for one in psutil.process_iter() if one.pid != int(driver) and _is_of(one, session, psutil)]:
        for process in found:
            process.kill()
        psutil.wait_procs(found, timeout=1)  # children of the driver remain as zombies


def _is_of(process: Any, session: re.Pattern[str], psutil: Any) -> bool:
    """Return whether a process belongs to a Ray session."""
    try:
        return any(map(session.search, [*process.cmdline(), *(file.path for file in process.open_files())]))
    except (psutil.Error, OSError):
        return False


if __name__ == "__main__":
    main(*sys.argv[1:])
