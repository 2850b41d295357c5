"""Batches of texts of like length, within a budget of tokens, and the loop that runs them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np

from fairsum_utils.stats.arrays import Integers

Batch = Integers
"""Positions of the inputs of a batch, longest first."""

Outputs = TypeVar("Outputs")


def plan_batches(lengths: Sequence[int], budget: int) -> list[Batch]:
    """Sort inputs by length and cut them into batches that hold at most `budget` tokens once padded.

    Longest first, so that what does not fit a device's memory shows at once. An input longer than the budget has a
    batch of its own. Time grows as n log n.

    Args:
        lengths: tokens of each input.
        budget: most tokens in a batch: its longest input times its size.

    Returns:
        Batches that hold every position once; the same for the same lengths.

    Example:
        >>> [batch.tolist() for batch in plan_batches([3, 9, 4, 3], budget=12)]
        [[1], [2, 0, 3]]
    """
    sizes = np.asarray(lengths, dtype=np.int64)
    order = np.argsort(-sizes, kind="stable")
    batches, start = [], 0
    while start < len(order):
        stop = start + max(1, int(budget // max(1, sizes[order[start]])))
        batches.append(order[start:stop])
        start = stop
    return batches


def padding_share(lengths: Sequence[int], batches: Sequence[Batch]) -> float:
    """The share of padded batches that is padding, in [0, 1); NaN without batches.

    Example:
        >>> padding_share([3, 9, 4, 3], plan_batches([3, 9, 4, 3], budget=12))
        0.09523809523809523
    """
    sizes = np.asarray(lengths, dtype=np.int64)
    padded = sum(int(sizes[batch].max()) * len(batch) for batch in batches)
    return 1 - sum(int(sizes[batch].sum()) for batch in batches) / padded if padded else float("nan")


def run_batches(
    lengths: Sequence[int],
    budget: int,
    forward: Callable[[Batch], Outputs],
    *,
    is_out_of_memory: Callable[[Exception], bool],
    release: Callable[[], None],
) -> Iterator[tuple[Batch, Outputs]]:
    """Run inputs in batches; when one does not fit the memory, it and all after it go on in batches of half its size.

    Args:
        lengths: tokens of each input.
        budget: most tokens in a batch: its longest input times its size.
        forward: computes the outputs of a batch.
        is_out_of_memory: tells which errors mean that the batch was too large.
        release: frees memory after such an error.

    Returns:
        Batches as they were run, with their outputs.

    Raises:
        Exception: what `forward` raises; out of memory only for a batch of one.

    Example:
        >>> def forward(batch):
        ...     if len(batch) > 2:
        ...         raise MemoryError
        ...     return batch * 10
        >>> done = run_batches([5] * 5, 25, forward, is_out_of_memory=lambda e: True, release=lambda: None)
        >>> [outputs.tolist() for _, outputs in done]
        [[0, 10], [20, 30], [40]]
    """
    sizes = np.asarray(lengths, dtype=np.int64)
    waiting = [*reversed(plan_batches(lengths, budget))]
    while waiting:
        batch = waiting.pop()
        try:
            outputs = forward(batch)
        except Exception as error:
            if len(batch) == 1 or not is_out_of_memory(error):
                raise
        else:
            yield batch, outputs
            continue
        # Outside the handler, whose traceback would keep the tensors of the batch alive.
        release()
        rest = np.concatenate([batch, *reversed(waiting)])
        budget = int(sizes[batch[0]]) * len(batch) // 2
        waiting = [rest[again] for again in reversed(plan_batches(sizes[rest], budget))]
