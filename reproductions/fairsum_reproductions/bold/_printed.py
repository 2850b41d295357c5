"""What BOLD prints: the numbers that others are compared with, once.

Source: papers/bold (Dhamala et al. 2021); each with its section or table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

TABLE_1: Mapping[str, tuple[int, int]] = {
    "profession": (18, 10_195),
    "gender": (2, 3_204),
    "race": (4, 7_657),
    "religious_ideology": (7, 639),
    "political_ideology": (12, 1_984),
}
"""Domain -> groups and prompts."""

TOTALS: Mapping[str, Mapping[str, int]] = {
    "race": {
        "Hispanic_and_Latino_Americans": 103,
        "European_Americans": 4839,
        "Asian_Americans": 861,
        "African_Americans": 1854,
    },
    "political_ideology": {
        "socialism": 259,
        "populism": 59,
        "nationalism": 453,
        "liberalism": 92,
        "fascism": 115,
        "democracy": 342,
        "conservatism": 92,
        "communism": 131,
        "capitalism": 88,
        "anarchism": 158,
        "left-wing": 113,
        "right-wing": 82,
    },
}
"""Domain -> group -> texts of each system. Source: tables 9 to 11, columns "Total"."""

N_SYSTEMS = 6
"""Wikipedia, BERT, GPT-2 and CTRL with three control codes."""

MEAN_RATIOS: Mapping[str, float] = {
    "WIKI": 2.29,
    "BERT": 1.25,
    "GPT-2": 3.18,
    "CTRL-WIKI": 2.94,
    "CTRL-OPN": 1.85,
    "CTRL-THT": 2.15,
}
"""System -> mean of male : female over professions. Source: section 6.2."""

CLASSIFIED = 0.0657
"""Of all texts on professions, so many are male or female. Source: section 6.1.1."""

GENDER_PROMPTS = (2048, 1156)
"""Prompts on men and on women; table 1 has their sum."""

POSITIVE_BY_GENDER, POSITIVE_P = (0.17041, 0.17763), 0.204
"""Shares of the texts of all systems on men and on women with positive sentiment, and p. Source: section 6.1.2."""
NEGATIVE_BY_GENDER, NEGATIVE_P = (0.069, 0.047), 0.01
"""The same for negative sentiment; p is below."""

RACES = ("African_Americans", "Asian_Americans", "European_Americans", "Hispanic_and_Latino_Americans")
RACE_PROMPTS = tuple(TOTALS["race"][race] for race in RACES)

NEGATIVE_BY_RACE = (0.08154, 0.04917, 0.07484, 0.06958)
"""Shares of the texts of all systems with negative sentiment, races as above; p < .001. Source: section 6.1.3."""
TOXIC_BY_RACE = (0.00297, 0.00077, 0.00193, 0.00162)
"""Shares of toxic texts; p < .001. Source: section 6.1.3."""
RACE_P = 0.001

REGARD_PROMPTS = (*GENDER_PROMPTS, TOTALS["race"]["African_Americans"], TOTALS["race"]["European_Americans"])
"""Prompts on men, women, African and European Americans."""
POSITIVE_REGARD: Mapping[str, tuple[float, ...]] = {
    "GPT-2": (0.218, 0.186, 0.171, 0.183),
    "CTRL-WIKI": (0.359, 0.293, 0.218, 0.225),
    "CTRL-OPN": (0.265, 0.162, 0.120, 0.121),
    "CTRL-THT": (0.351, 0.276, 0.105, 0.105),
}
"""System -> shares of texts of positive regard, groups as above. Source: table 5."""
REGARD_P = 0.0002
"""That these systems are alike, p is below. Source: section 6.2."""

_TABLE_3 = """
arts & entertainment: 3009
WIKI       145 101  1.43  114  77  1.48  102  66  1.54
BERT       133 153  0.86  122 104  1.17  104  68  1.52
GPT-2      338 156  2.16  289 139  2.07  276 125  2.20
CTRL-WIKI  329 148  2.22  287 124  2.31  279  88  3.17
CTRL-OPN   215 127  1.69  190  93  2.04  179  75  2.38
CTRL-THT   157  75  2.09  140  65  2.15  121  41  2.95
science & technology: 4153
WIKI        66  10  6.60   64   5 12.80   54   6  9.00
BERT        58  20  2.90   57  15  3.80   55   8  6.87
GPT-2      146  19  7.68  133  19  7.00  127  17  7.47
CTRL-WIKI  145  18  8.05  140  16  8.75  126  13  9.69
CTRL-OPN    92  20  4.60   88  16  5.50   78  17  4.58
CTRL-THT    74  16  4.62   71  11  6.45   61  12  5.08
industrial & manufacturing: 1699
WIKI        29  36  0.80   25  31  0.80   23  17  1.35
BERT        49  59  0.83   45  47  0.95   38  41  0.92
GPT-2      102  45  2.26   93  37  2.51   91  33  2.75
CTRL-WIKI   90  89  1.01   81  78  1.03   74  71  1.04
CTRL-OPN    66  78  0.84   58  66  0.87   60  59  1.01
CTRL-THT    69  48  1.43   66  40  1.65   58  31  1.87
healthcare & medicine: 1173
WIKI        11  31  0.35    6  28  0.21    3  19  0.15
BERT        24  58  0.41   17  43  0.39   18  37  0.48
GPT-2       43  68  0.63   31  63  0.49   31  52  0.59
CTRL-WIKI   27  56  0.48   26  52  0.50   20  42  0.47
CTRL-OPN    15  50  0.30   11  45  0.24    8  41  0.19
CTRL-THT    16  36  0.44   14  32  0.43   13  30  0.43
"""
"""A group and its texts of each system; then by system male, female and their ratio, by Gender-Max, Gender-Wavg and
unigram matching."""


class Cell(NamedTuple):
    """Texts that are male and female by one metric.

    Attributes:
        male: how many.
        female: how many.
        ratio: male : female, as it is printed.
    """

    male: int
    female: int
    ratio: str


class Row(NamedTuple):
    """A row of table 3.

    Attributes:
        total: texts.
        max: by Gender-Max.
        wavg: by Gender-Wavg.
        unigram: by unigram matching.
    """

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
    rows: dict[str, dict[str, Row]] = {}
    group, total = "", 0
    for line in _TABLE_3.strip().splitlines():
        if ":" in line:
            group, total = line.split(":")[0], int(line.split(":")[1])
            continue
        system, *cells = line.split()
        male, female, ratio = cells[::3], cells[1::3], cells[2::3]
        found = (Cell(int(m), int(f), r) for m, f, r in zip(male, female, ratio, strict=True))
        rows.setdefault(system, {})[group] = Row(total, *found)
    return rows
