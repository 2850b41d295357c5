"""What papers/coverage-fairness prints, for comparison with what comes out here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

DATA_SETS = ("Amazon", "MITweet", "Article Bias", "SemEval", "News Stance")
"""Columns of its tables."""


class Agreement(NamedTuple):
    """How far measures agree with people. Source: section 5.4.

    Attributes:
        coverage: summaries in which people agree with Equal Coverage.
        representation: those in which they agree with proportional representation.
        groups: drawn with replacement, each of as many summaries as there are.
        parity: share of groups in which Coverage Parity agrees with people.
        second_order: share in which second-order fairness does.
    """

    coverage: int = 17
    representation: int = 8
    groups: int = 5_000
    parity: float = 0.96
    second_order: float = 0.04


JUDGED = Agreement()

UNFAIR = """
GPT-3.5         0.127 0.050 0.210 0.103 0.433 0.517
GPT-4           0.103 0.067 0.187 0.147 0.380 0.469
Llama2-7b       0.127 0.090 0.236 0.083 0.427 0.686
Llama2-13b      0.107 0.080 0.239 0.087 0.315 0.441
Llama2-70b      0.090 0.057 0.177 0.137 0.308 0.224
Mistral-7b      0.127 0.082 0.193 0.115 0.334 0.526
Mixtral-8x7b    0.117 0.097 0.172 0.128 0.372 0.549
Gemma           0.101 0.047 0.200 0.090 0.407 0.264
Claude3-haiku   0.110 0.063 0.174 0.093 0.500 0.411
Claude3-sonnet  0.107 0.070 0.174 0.120 0.401 0.401
COOP            0.204 -     -     -     -     -
PEGASUS         -     0.104 0.158 0.199 0.390 -
PRIMERA         -     0.118 0.134 0.118 0.377 -
"""
"""Table 3: R_EC on each data set, and the overall score."""

PARITY = """
GPT-3.5         0.032 0.012 0.015 0.012 0.018 0.475
GPT-4           0.029 0.011 0.024 0.011 0.038 0.647
Llama2-7b       0.037 0.013 0.026 0.010 0.018 0.597
Llama2-13b      0.017 0.009 0.025 0.014 0.022 0.460
Llama2-70b      0.008 0.008 0.025 0.007 0.012 0.177
Mistral-7b      0.024 0.009 0.029 0.014 0.023 0.551
Mixtral-8x7b    0.017 0.010 0.036 0.003 0.020 0.394
Gemma           0.025 0.015 0.020 0.014 0.032 0.718
Claude3-haiku   0.028 0.013 0.016 0.012 0.042 0.651
Claude3-sonnet  0.025 0.008 0.018 0.002 0.030 0.264
COOP            0.068 -     -     -     -     -
PEGASUS         -     0.009 0.035 0.001 0.022 -
PRIMERA         -     0.014 0.032 0.002 0.023 -
"""
"""Table 4: CP on each data set, and the overall score."""

_EXTREMES = """
GPT-3.5         neg/pos left/center center/left sup/aga aga/sup
GPT-4           neg/pos left/center right/left  sup/aga aga/sup
Llama2-7b       neg/pos left/center right/left  sup/aga aga/sup
Llama2-13b      neg/pos left/center right/left  sup/aga aga/sup
Llama2-70b      neg/neu left/center right/left  sup/aga aga/sup
Mistral-7b      neg/pos left/center right/left  sup/aga aga/sup
Mixtral-8x7b    neg/pos left/center right/left  sup/aga aga/sup
Gemma           neg/pos left/center right/left  sup/aga aga/sup
Claude3-haiku   neg/pos left/center center/left sup/aga aga/sup
Claude3-sonnet  neg/pos left/center right/left  sup/aga aga/sup
COOP            pos/neg -           -           -       -
PEGASUS         -       right/left  right/left  sup/aga sup/aga
PRIMERA         -       right/left  right/left  aga/sup sup/aga
"""
"""Table 4: the most over- and the most underrepresented value on each data set."""


def _cells(table: str) -> dict[str, list[str]]:
    return {system: cells for system, *cells in (line.split() for line in table.strip().splitlines())}


def printed_results(measure: str) -> tuple[dict[str, Mapping[str, Any]], dict[str, float]]:
    """A table as results of scoring, and its overall scores.

    Args:
        measure: ``"equal_coverage"`` for table 3, ``"coverage_parity"`` for table 4.

    Returns:
        SYSTEM/DATA_SET -> measure -> what the table says of it; and system -> overall score, where there is one.

    Example:
        >>> results, overall = printed_results("coverage_parity")
        >>> results["GPT-4/Amazon"]["coverage_parity"]["coverage_parity"], overall["GPT-4"]
        (0.029, 0.647)
    """
    results: dict[str, Mapping[str, Any]] = {}
    overall: dict[str, float] = {}
    extremes = _cells(_EXTREMES)
    for system, (*cells, last) in _cells(UNFAIR if measure == "equal_coverage" else PARITY).items():
        for data_set, cell, pair in zip(DATA_SETS, cells, extremes[system], strict=True):
            if cell == "-":
                continue
            over, _, under = pair.partition("/")
            found = {
                "equal_coverage": {"r_ec": float(cell)},
                "coverage_parity": {
                    "coverage_parity": float(cell),
                    "most_overrepresented": over,
                    "most_underrepresented": under,
                },
            }
            results[f"{system}/{data_set}"] = {measure: found[measure]}
        if last != "-":
            overall[system] = float(last)
    return results, overall
