"""Fixtures, most from the package's own tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.stats.bootstrap import bootstrap_draws
from tests.cli.conftest import fairsum, write_jsonl
from tests.conftest import chat_server, examples, repository, shared_data, tiny_model

__all__ = [
    "chat_server",
    "examples",
    "fairsum",
    "refusal",
    "replicates",
    "repository",
    "shared_data",
    "tiny_model",
    "write_jsonl",
]


@pytest.fixture
def replicates() -> Callable[[int, int, int], list[list[int]]]:
    """How often each of n samples was drawn in each replicate."""

    def draw(n: int, times: int, seed: int) -> list[list[int]]:
        return np.concatenate(list(bootstrap_draws(n, times, seed))).astype(int).tolist()  # type: ignore[no-any-return]

    return draw


@pytest.fixture
def refusal() -> Callable[..., str]:
    """The message with which a call is refused."""

    def message(call: Callable[..., Any], *arguments: Any, **options: Any) -> str:
        with pytest.raises(InputError) as error:
            call(*arguments, **options)
        return str(error.value)

    return message
