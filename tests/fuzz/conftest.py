"""The suite is a package, so that `python -m tests.fuzz` can run it; pytest finds it from the root."""

import sys
from pathlib import Path

ROOT = str(Path(__file__).parents[2])
if ROOT not in sys.path:
    sys.path.append(ROOT)
