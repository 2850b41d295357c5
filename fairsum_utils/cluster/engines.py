"""What does the work of a run, as people name it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairsum_utils.cluster.launched import world_size
from fairsum_utils.errors import InputError
from fairsum_utils.validation import check_choice

if TYPE_CHECKING:
    from fairsum_utils.cluster.callers import Caller

__all__ = ["ENGINES", "engine_named"]

ENGINES = ("ray",)
"""Beside the processes of this machine."""


def engine_named(
    engine: str | None,
    *,
    address: str | None = None,
    gpus_per_worker: float | None = None,
    workers: int | None = None,
) -> Caller | None:
    """The caller that goes by a name.

    Args:
        engine: one of `ENGINES`; None for processes of this machine.
        address: of a cluster, see `fairsum_utils.cluster.ray.OnRay`.
        gpus_per_worker: GPUs of each worker.
        workers: at a time; None for as many as fit.

    Returns:
        None where no engine is named.

    Raises:
        InputError: there is no such engine, or what an engine takes is given without one.

    Example:
        >>> engine_named(None) is None
        True
        >>> engine_named("ray", gpus_per_worker=0.5)
        OnRay(address=None, gpus_per_worker=0.5, n_workers=None)
    """
    if engine is not None:
        check_choice("score", "engine", engine, ENGINES)
        if world_size() > 1:
            raise InputError(f"score: {engine} starts processes of its own; run this without accelerate launch")
        from fairsum_utils.cluster.ray import OnRay

        return OnRay(address=address, gpus_per_worker=gpus_per_worker or 0, n_workers=workers)
    for name, value in (("address", address), ("gpus_per_worker", gpus_per_worker)):
        if value is not None:
            raise InputError(f"score: {name} is for an engine; add engine ray, or leave it out")
    return None
