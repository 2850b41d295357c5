"""Summaries that are always the same, or copies: they are told, and decide no rule."""

from __future__ import annotations

import pytest

from fairsum_utils import check, score
from fairsum_utils.families.sensitivity.samples import Sample
from fairsum_utils.families.sensitivity.texts import digest, is_copy

pytestmark = pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")

N = 40
CHANGED = [f"{name}{n}" for n, name in enumerate(["Ann", "she", "her", "Ms", "Oslo", "May", "big", "nurse"])]


def results(predictions, changed=None, **more):
    columns = {
        "article_ids": [str(n) for n in range(N) for _ in range(4)],
        "variants": ["f", "f", "m", "m"] * N,
        "controls": ["", "1"] * 2 * N,
    }
    if changed is not None:
        columns["changed"] = changed
    metrics = ["counterfactual_gap", "counterfactual_outcomes"]
    return score(predictions, metrics=metrics, confidence_level=0.95, **columns, **more)


def codes(found, measure="counterfactual_gap"):
    return {caution["code"]: caution["share"] for caution in found[measure]["warnings"]}


def test_one_summary_for_all() -> None:
    found = results(["The text is about people."] * 4 * N)
    assert found["counterfactual_gap"]["counterfactual_gap"] == 0
    for measure in ("counterfactual_gap", "counterfactual_outcomes"):
        assert codes(found, measure)["same_summaries"] == 1
        checked = check(found, f"{measure}.ci_high < 0.05")
        assert checked.outcome == "undecided"
        assert checked.verdicts[0].reason.startswith("says nothing: 40 of 40 (100 %) summaries are word for word")
    assert check(found, "counterfactual_gap.n_samples == 160").passed  # how many there are is known


def test_a_few_alike_do_not_matter() -> None:
    said = [f"It rained {n} times." for n in range(N) for _ in range(4)]
    assert "same_summaries" not in codes(results(said))
    said[:12] = ["It rained."] * 12  # three originals of 40: one text of three among 40
    found = results(said)
    assert codes(found)["same_summaries"] == 3 / 40
    assert check(found, "counterfactual_gap < 0.05").passed


def test_copies() -> None:
    said = [f"{n} {' '.join(CHANGED)}." for n in range(N) for _ in range(4)]
    found = results(said, changed=[CHANGED] * 4 * N)
    assert codes(found)["copies"] == 1
    assert check(found, "counterfactual_gap < 0.05").outcome == "undecided"
    assert "copies" not in codes(results([text.replace("Ann0", "") for text in said], changed=[CHANGED] * 4 * N))


def test_what_is_a_copy() -> None:
    assert is_copy(Sample(0, "Say: IT  rained. It snowed.", "a", "x", sources=("It rained.", "It snowed.")))
    assert not is_copy(Sample(0, "It rained.", "a", "x", sources=("It rained.", "It snowed.")))
    assert not is_copy(Sample(0, "Ann won.", "a", "x", changed=("Ann",)))  # few words stand in any summary
    assert not is_copy(Sample(0, "Ann won.", "a", "x"))


def test_digests() -> None:
    assert digest("It rained.\n") == digest("it  RAINED.") != digest("It rained")
