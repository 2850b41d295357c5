"""Chance levels of framing and position bias, from random extracts.

A random extract consists of sentences of the sample's sources, about as long as the summary. For position bias it has
at most as many sentences as the summary has matched ones: fewer sentences are spread less evenly.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fairsum_utils.families.chance import DRAWN, N_DRAWS, put_draws
from fairsum_utils.families.framing.rows import FramingTable
from fairsum_utils.measures.framing import CLASSES
from fairsum_utils.measures.position_bias import THIRDS
from fairsum_utils.stats.arrays import Floats, Integers
from fairsum_utils.stats.sums import Sums


def put_random_framing(
    sums: Sums, table: FramingTable, source: Integers, groups: Integers, classify: Callable[[Floats], Integers]
) -> None:
    """Add the classes of random extracts to the sums of a table.

    Args:
        sums: sums of the table.
        table: rows of framing.
        source: class of the sources of each scored sample.
        groups: class of each entry of `FramingTable.groups`.
        classify: score -> class, element by element.
    """
    n_drawn, drawn = table.drawn()
    sums.counts[DRAWN] = n_drawn
    if n_drawn < sums.n_units or not n_drawn:
        return
    classes = classify(drawn)
    shift = classes - source[:, None]
    changed = (shift != 0).astype(np.float64)
    put_draws(sums, "framing", changed)
    sums.put_total(("at_random_shift",), shift.mean(axis=1))
    is_mixed = table.is_mixed(classify)
    sums.put_total(("at_random_mixed",), changed[is_mixed].mean(axis=1))
    for start, of_start in enumerate(CLASSES):
        for end, of_end in enumerate(CLASSES):
            is_pair = (source[:, None] == start) & (classes == end)
            sums.put_total(("at_random_from_to", of_start, of_end), is_pair.mean(axis=1))
    names, codes, samples, _ = table.groups()
    of_groups = (classes[samples] != groups[:, None]).mean(axis=1)
    for code, name in enumerate(names):
        sums.put_total(("at_random_framing", name), of_groups[codes == code])


def put_random_positions(sums: Sums, table: FramingTable) -> None:
    """Add the positions of random extracts to the sums of a table."""
    n_drawn, of_draws = table.drawn()
    sums.counts[DRAWN] = n_drawn
    if n_drawn < sums.n_units or not n_drawn:
        return
    drawn, thirds = table.drawn_positions(), of_draws.reshape(-1, N_DRAWS, len(THIRDS))
    for place, third in enumerate(THIRDS):
        for draw in range(N_DRAWS):
            sums.put_total(("at_random_third", third, str(draw)), thirds[:, draw, place])
    for tenth, shares in enumerate(drawn.tenths.T):
        sums.put_total(("at_random_tenth", str(tenth)), shares)
    for third, is_most in zip(THIRDS, most_from(thirds.reshape(-1, len(THIRDS))).T, strict=True):
        sums.put_total(("at_random_most", third), is_most / N_DRAWS)
    sums.put_total(("at_random_mean_position",), drawn.mean)


def most_from(thirds: Floats) -> Floats:
    """Mark the third with the largest share of each summary; none if several tie.

    Example:
        >>> most_from(np.array([[0.5, 0.25, 0.25], [0.5, 0.5, 0.0]])).tolist()
        [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    is_most = thirds >= thirds.max(axis=1, keepdims=True, initial=0.0) - 1e-12
    return np.asarray(is_most & (is_most.sum(axis=1, keepdims=True) == 1), dtype=np.float64)
