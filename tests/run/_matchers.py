"""Matchers that say in files when they were called, take their time, or kill their process; workers import them."""

from __future__ import annotations

import os
import re
import signal
import time
from pathlib import Path

import numpy as np


class Counting:
    """Weighs texts that have the first word of a summary, and keeps the number of each sample in a file."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)

    def __call__(self, texts: list[str], summary: str) -> np.ndarray:
        with Path(self.folder, f"called-{os.getpid()}").open("a") as file:
            file.writelines(f"{number}\n" for number in re.findall(r"\d+", " ".join(texts)))
        return np.array([float(summary.split()[0] in text) if summary.split() else 0.0 for text in texts])

    def calls(self) -> list[int]:
        """Return the numbers of the samples that all processes scored, and forget them."""
        files = list(Path(self.folder).glob("called-*"))
        numbers = [int(line) for file in files for line in file.read_text().splitlines()]
        for file in files:
            file.unlink()
        return numbers


class Deadly(Counting):
    """Kills its process at a word, unless a file is there."""

    def __call__(self, texts: list[str], summary: str) -> np.ndarray:
        if "Deadly" in summary and not Path(self.folder, "harmless").exists():
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(texts, summary)


class Slow(Counting):
    """Takes its time."""

    def __call__(self, texts: list[str], summary: str) -> np.ndarray:
        time.sleep(0.05)
        return super().__call__(texts, summary)


def good(texts: list[str], summary: str) -> list[float]:
    return [float("soup" in text) for text in texts]
