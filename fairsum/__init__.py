"""The package `fairsum_utils` by the name of its command: ``fairsum.score is fairsum_utils.score``.

Importing costs nothing. Submodules are imported from `fairsum_utils`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import fairsum_utils

if TYPE_CHECKING:
    from fairsum_utils import *  # noqa: F403

__all__ = fairsum_utils.__all__


def __getattr__(name: str) -> object:
    return getattr(fairsum_utils, name)


def __dir__() -> list[str]:
    return dir(fairsum_utils)
