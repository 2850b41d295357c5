"""Scoring of files on any number of processes and machines.

Rows are what is kept: workers answer with them, a folder of a run holds them, and results are made of them. `job` says
what is scored, `engines` where, `rows` writes and reads rows, and `scoring` runs all steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairsum_utils.run.api import compare, from_rows, score

__all__ = ["compare", "from_rows", "score"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from fairsum_utils.run import api

    return getattr(api, name)
