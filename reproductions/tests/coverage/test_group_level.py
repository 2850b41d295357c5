"""Groups of summaries: by hand, the paper's share, and a plain loop over the same draws."""

from __future__ import annotations

import math
from typing import Any

import pytest

import fairsum_reproductions as studies

Columns = tuple[list[dict[str, Any]], list[dict[str, Any]], list[str | None]]


def columns(*summaries: tuple[str | None, dict[str, float], dict[str, float]]) -> Columns:
    """Of summaries with their leaning, c_k and share above the desired one, by value."""
    samples = [{"index": i, "difference_by_value": differences} for i, (_, differences, _) in enumerate(summaries)]
    baseline = [
        {
            "index": i,
            "values": list(above),
            "summary_share": [1 / len(above) + share for share in above.values()],
            "desired_share": [1 / len(above)] * len(above),
        }
        for i, (_, _, above) in enumerate(summaries)
    ]
    return samples, baseline, [leaning for leaning, _, _ in summaries]


def agreement(given: Columns, **settings: Any) -> Any:
    samples, baseline, leanings = given
    return studies.group_level(samples, baseline, [{"leaning": leaning} for leaning in leanings], **settings)


def two(leaning: str | None, difference: float, above: float) -> tuple[str | None, dict[str, float], dict[str, float]]:
    """A summary of two values; numbers are those of neg."""
    return leaning, {"neg": difference, "pos": -difference}, {"neg": above, "pos": -above}


def test_two_samples_by_hand() -> None:
    # Groups of two: twice the first (1/4), twice the second (1/4), or both (1/2), where people tie.
    # C_neg is {1/4}, {-1/8}, {1/4, -1/8}: CP names neg, pos, neg. Shortfalls of neg 1/10, 0, mean 1/20; of pos 0, 3/10,
    # mean 3/20: second-order fairness names pos, neg, neg.
    both = columns(two("neg", 0.25, -0.1), two("pos", -0.125, 0.3))
    found = agreement(both, n_groups=4_000)
    assert (found["coverage_parity"], found["second_order"], found["difference"]) == (1.0, 0.0, 1.0)
    assert found["named_none"] == {"people": 0.0, "coverage_parity": 0.0, "second_order": 0.0}
    assert found["named"]["people"] == found["named"]["coverage_parity"]
    assert found["named"]["second_order"] == {
        "neg": found["named"]["people"]["pos"],
        "pos": found["named"]["people"]["neg"],
    }
    assert found["n_tied"] == pytest.approx(2_000, abs=4 * math.sqrt(4_000) / 2)
    assert (found["n_compared"] + found["n_tied"], found["n_groups"], found["group_size"]) == (4_000, 4_000, 2)
    assert (found["n_samples"], found["n_fair"], found["n_skipped"], found["undefined"]) == (2, 0, 0, {})
    tied = found["n_tied"] / 4_000
    disagree = agreement(both, n_groups=4_000, ties="disagree")
    assert disagree["coverage_parity"] == (4_000 - found["n_tied"]) / 4_000
    assert disagree["named_none"]["people"] == tied
    assert disagree.to_pandas().columns.tolist() == ["by", "agrees with people", "neg", "pos", "none"]
    assert disagree.to_pandas()["none"].tolist() == [tied, 0.0, 0.0]
    assert disagree["signature"].startswith("study:group_level|groups:4000|ties:disagree|second:shortfall|raters:most|")
    either = agreement(both, n_groups=4_000, ties="either")
    assert (either["coverage_parity"], either["second_order"], either["n_compared"]) == (1.0, tied, 4_000)
    # A group of one is one of the two: nobody ties.
    single = agreement(both, group_size=1, n_groups=50)
    assert (single["n_tied"], single["group_size"], single["coverage_parity"]) == (0, 1, 1.0)
