"""Fairness and bias measures for summaries and generated text.

The names below are imported when they are first used, so that ``import fairsum_utils`` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from fairsum_utils._version import __version__

if TYPE_CHECKING:
    from fairsum_utils.api import compare, compare_systems, compute, score
    from fairsum_utils.combining import combine
    from fairsum_utils.corpora.loading import export_dataset, load_dataset
    from fairsum_utils.errors import CheckFailed, FairSumError, InputError
    from fairsum_utils.gate import check
    from fairsum_utils.integrations.modules import load
    from fairsum_utils.results import read_results

__all__ = [
    "CheckFailed",
    "FairSumError",
    "InputError",
    "__version__",
    "check",
    "combine",
    "compare",
    "compare_systems",
    "compute",
    "export_dataset",
    "load",
    "load_dataset",
    "read_results",
    "score",
]

_HOMES = {
    "CheckFailed": "fairsum_utils.errors",
    "FairSumError": "fairsum_utils.errors",
    "InputError": "fairsum_utils.errors",
    "check": "fairsum_utils.gate",
    "combine": "fairsum_utils.combining",
    "compare": "fairsum_utils.api",
    "compare_systems": "fairsum_utils.api",
    "compute": "fairsum_utils.api",
    "export_dataset": "fairsum_utils.corpora.loading",
    "load": "fairsum_utils.integrations.modules",
    "load_dataset": "fairsum_utils.corpora.loading",
    "read_results": "fairsum_utils.results",
    "score": "fairsum_utils.api",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
