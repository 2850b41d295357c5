"""A matcher that kills the process it runs in, as often as it is told to; imported by workers, as any module is."""

import os
import signal
import time
from pathlib import Path

import numpy as np


class Deadly:
    """Counts values that occur in a summary; dies where it finds a word."""

    def __init__(self, folder, word, times):
        self.folder, self.word, self.times = str(folder), word, times

    def __call__(self, texts, summary):
        if self.word in summary and len(list(Path(self.folder).glob("died-*"))) < self.times:
            Path(self.folder, f"died-{os.getpid()}-{time.monotonic_ns()}").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return np.array([float(summary.split()[0] in text) if summary.split() else 0.0 for text in texts])


class Broken(Deadly):
    """Raises what no input explains."""

    def __call__(self, texts, summary):
        if self.word in summary:
            raise RuntimeError("the device is lost")
        return super().__call__(texts, summary)


class Slow(Deadly):
    """Takes its time, and says in a file that it has begun."""

    def __call__(self, texts, summary):
        Path(self.folder, f"at-work-{os.getpid()}").touch()
        time.sleep(0.05)
        return super().__call__(texts, summary)
