"""Strategies for Hypothesis: what measures take, valid and wrong, drawn as in long runs."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.fuzz import measures, options, samples, wrong

RANDOMS = st.randoms(use_true_random=True)
"""Seeds: a draw for each character would be too slow; `reproducing` makes small what is found."""


def columns(measure: str) -> st.SearchStrategy[samples.Columns]:
    """Columns of valid samples, nasty as they are."""
    return RANDOMS.map(lambda rng: samples.columns(rng, measure))


def settings(measure: str) -> st.SearchStrategy[dict[str, Any]]:
    """Settings that go together."""
    return RANDOMS.map(lambda rng: options.valid(rng, measure))


def wrong_settings(measure: str) -> st.SearchStrategy[dict[str, Any]]:
    """Settings of which one is wrong."""
    return RANDOMS.map(lambda rng: options.invalid(rng, measure))


def wrong_columns(measure: str) -> st.SearchStrategy[wrong.Spoiled]:
    """Columns of which something is wrong."""
    return RANDOMS.map(lambda rng: wrong.spoil(rng, samples.columns(rng, measure)))


def cases(measure: str) -> st.SearchStrategy[measures.Case]:
    """Calls, valid and wrong."""
    return RANDOMS.map(lambda rng: measures.draw(rng, measure))
