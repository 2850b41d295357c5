"""Which precision a processor computes fast: a line in the log where another one would save much time."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from fairsum_utils.errors import require

logger = logging.getLogger(__name__)

MANY = 1_000
"""Fewer inputs are done soon whatever the precision."""

_ARITHMETIC = {"bfloat16": ("avx512_bf16", "amx_bf16"), "float16": ("avx512_fp16", "amx_fp16")}
"""Precision -> the instructions that compute in it, as PyTorch names them."""


def faster(dtype: str, instructions: Mapping[str, Any], n: int) -> str | None:
    """What a run on a processor would gain in another precision, as it was measured; None where it would gain little.

    Args:
        dtype: that the model runs in.
        instructions: what the processor can do, as `torch.cpu.get_capabilities` says it.
        n: how many inputs there are to run.

    Example:
        >>> faster("bfloat16", {"architecture": "x86_64", "avx512_bf16": False}, 1000)
        'this processor has no arithmetic for bfloat16, which takes about 8 times as long as dtype="float32"'
    """
    if n < MANY or instructions.get("architecture") != "x86_64":  # nothing else was measured
        return None
    has = {name: any(map(instructions.get, needed)) for name, needed in _ARITHMETIC.items()}
    if dtype == "float32" and has["bfloat16"]:
        return (
            'dtype="bfloat16" would be about 1.8 times as fast on this processor; probabilities come within about 0.02'
        )
    if not has.get(dtype, True):
        return f'this processor has no arithmetic for {dtype}, which takes about 8 times as long as dtype="float32"'
    return None


def say_faster(module: str, device: Any, dtype: str, n: int) -> None:
    """Write in the log, once a process, what another precision would gain.

    Args:
        module: name used in the line.
        device: where the model runs, a ``torch.device``.
        dtype: that it runs in.
        n: how many inputs there are to run.
    """
    if device.type != "cpu":
        return
    capabilities = getattr(require("torch", extra="neural", purpose="run a model").cpu, "get_capabilities", None)
    line = faster(dtype, capabilities(), n) if capabilities is not None else None  # not in every supported release
    if line is not None:
        _say_once(module, line)


@lru_cache
def _say_once(module: str, line: str) -> None:
    logger.warning("%s: %s", module, line)
