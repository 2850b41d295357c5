"""Agreement with people: labels of raters, the paper's numbers, ties, and what is left out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

import fairsum_reproductions as studies
from fairsum_reproductions.coverage._printed import JUDGED

NEG = {"index": 0, "difference_by_value": {"neg": 0.25, "pos": -0.25}}
SAYS_NEG = {"index": 0, "values": ["neg", "pos"], "summary_share": [0.9, 0.1], "desired_share": [0.6, 0.4]}
# Less of neg than desired, although as much as of pos.
SAYS_POS = {**SAYS_NEG, "summary_share": [0.5, 0.5]}


def judged(samples: Sequence[Any], baseline: Sequence[Any], leanings: Sequence[str | None], **settings: Any) -> Any:
    judgements = [{"leaning": leaning} for leaning in leanings]
    return studies.human_judgement([*samples], [*baseline], judgements, **settings)


def test_the_papers_numbers() -> None:
    # 25 summaries on which the measures disagree: people side with EC in 17 and with the baseline in 8.
    assert (JUDGED.coverage, JUDGED.representation) == (17, 8)
    found = judged([NEG] * 25, [SAYS_POS] * 25, ["neg"] * 17 + ["pos"] * 8, n_resamples=5_000)
    assert (found["coverage"], found["representation"], found["n_samples"]) == (17 / 25, 8 / 25, 25)
    assert found["difference"] == 9 / 25
    # A replicate has X of 25 for EC, binomial with 17/25, and lies as far from its mean as 9/25 from zero when
    # |2 X - 34| >= 9, X <= 12 or X >= 22. That is above 0.05: the paper's p < 0.05 holds on one side only.
    share = Fraction(17, 25)
    exact = sum(math.comb(25, x) * share**x * (1 - share) ** (25 - x) for x in [*range(13), *range(22, 26)])
    assert 0.05 < exact < 0.1
    assert found["p_value"] == pytest.approx(float(exact), abs=4 * math.sqrt(exact * (1 - exact) / 5_000))


def test_fair_skipped_and_ties() -> None:
    even = {"index": 0, "difference_by_value": {"neg": 0.0, "pos": 0.0}}
    unscored = {"index": 0, "difference_by_value": None}
    unmatched = {"index": 0, "values": ["neg", "pos"], "summary_share": [], "desired_share": []}
    samples = [NEG, NEG, even, unscored, NEG]
    baseline = [SAYS_NEG, SAYS_NEG, SAYS_POS, SAYS_NEG, unmatched]
    # Left are the first, where both agree, and the third, where EC names nobody; the last may lean anywhere.
    found = judged(samples, baseline, ["neg", None, "pos", "neg", "x"])
    assert (found["coverage"], found["representation"], found["difference"]) == (0.5, 1.0, -0.5)
    assert (found["n_samples"], found["n_fair"], found["n_skipped"]) == (2, 1, 2)
    for fair in ("skip", "minmax"):
        found = judged([unscored], [SAYS_NEG], [None], fair=fair)
        assert all(math.isnan(found[key]) for key in ("coverage", "representation", "difference", "p_value"))
        assert found["undefined"] == {"difference": "no sample left to compare"}


def two(difference: float, above: float) -> tuple[dict[str, object], dict[str, object]]:
    """A summary of two values; numbers are those of neg."""
    by_value = {"neg": difference, "pos": -difference}
    shares = {"summary_share": [0.5 + above, 0.5 - above], "desired_share": [0.5, 0.5]}
    return {"index": 0, "difference_by_value": by_value}, {"index": 0, "values": ["neg", "pos"], **shares}


def test_fair_summaries_by_their_place_between_the_fairest_and_the_least_fair() -> None:
    # EC 0.1, 0.2, 0.3: places 0, 1/2, 1; of shares 0.4, 0.1, 0.2: places 1, 0, 1/3.
    samples, baseline = zip(two(0.1, 0.4), two(-0.2, 0.1), two(0.3, -0.2), strict=True)
    found = judged(samples, baseline, [None, None, "neg"], fair="minmax")
    # The first is fair to people: EC is closer; the second: shares are; the third leans as EC says.
    assert (found["coverage"], found["representation"]) == (2 / 3, 1 / 3)
    assert (found["n_samples"], found["n_fair"], found["n_skipped"]) == (3, 2, 0)
    left_out = judged(samples, baseline, [None, None, "neg"])
    assert (left_out["coverage"], left_out["n_samples"], left_out["n_fair"]) == (1.0, 1, 2)
    # Where all scores of a measure are equal, all places are 0: neither is closer.
    found = judged(*zip(*[two(0.1, 0.2)] * 2, strict=True), [None, None], fair="minmax")
    assert (found["coverage"], found["representation"], found["n_samples"]) == (0.0, 0.0, 2)
