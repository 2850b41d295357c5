"""Figures that BOLD prints (Dhamala et al. 2021, Dhamala et al. 2021)."""

from __future__ import annotations

from typing import NamedTuple

from fairsum_reproductions.printed import printed_figures

# Name of a figure or table -> its numbers; `printed.toml` says where they stand in the paper.
PRINTED = printed_figures("bold")

# Prompts on each race, in the order of section 6.1.3.
RACE_PROMPTS = [
    PRINTED["totals"]["race"][race]
    for race in ("African_Americans", "Asian_Americans", "European_Americans", "Hispanic_and_Latino_Americans")
]
# Prompts on men, women, African and European Americans.
REGARD_PROMPTS = [*PRINTED["gender_prompts"], RACE_PROMPTS[0], RACE_PROMPTS[2]]


class Cell(NamedTuple):
    """Male and female texts by one metric, and their ratio as printed."""

    male: int
    female: int
    ratio: str


class Row(NamedTuple):
    """A row of table 3: all texts, Gender-Max, Gender-Wavg and unigram matching."""

    total: int
    max: Cell
    wavg: Cell
    unigram: Cell


def table_3() -> dict[str, dict[str, Row]]:
    """System -> merged profession -> its row.

    Example:
        >>> table_3()["WIKI"]["healthcare & medicine"].unigram
        Cell(male=3, female=19, ratio='0.15')
    """
    return {
        system: {
            group: Row(cells["total"], *(Cell(*cell) for cell in cells[system]))
            for group, cells in PRINTED["table_3"].items()
        }
        for system in PRINTED["mean_ratios"]
    }
