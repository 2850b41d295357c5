"""Distributions with their exact shares beside them."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st


class Distributions(NamedTuple):
    """A batch of samples, each with between one and all of its values present.

    Attributes:
        p_y: shares in the summary, shape (n, r); NaN where a value is absent.
        p_g: desired shares, the same shape.
        exact: for each sample the (p_y, p_g) of its present values.
        places: for each sample the columns of its present values.
    """

    p_y: npt.NDArray[np.float64]
    p_g: npt.NDArray[np.float64]
    exact: list[list[tuple[Fraction, Fraction]]]
    places: list[list[int]]


@st.composite
def distributions(draw: st.DrawFn) -> Distributions:
    n, r = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    p_y, p_g = np.full((n, r), np.nan), np.full((n, r), np.nan)
    exact, all_places = [], []
    for row in range(n):
        places = sorted(draw(st.sets(st.integers(0, r - 1), min_size=1)))
        # Token counts of the sources, and matches of the summary; no match at all means an even summary.
        tokens = draw(st.lists(st.integers(1, 60), min_size=len(places), max_size=len(places)))
        matches = draw(st.lists(st.integers(0, 60), min_size=len(places), max_size=len(places)))
        matches = matches if any(matches) else [1] * len(places)
        p_y[row, places] = np.array(matches) / sum(matches)
        p_g[row, places] = np.array(tokens) / sum(tokens)
        exact.append(
            [(Fraction(m, sum(matches)), Fraction(t, sum(tokens))) for m, t in zip(matches, tokens, strict=True)]
        )
        all_places.append(places)
    return Distributions(p_y, p_g, exact, all_places)
