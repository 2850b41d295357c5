"""What rules need: numbers by hand, and what cannot be said."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from fairsum_utils import InputError, power, read_results
from fairsum_utils.results import Needs
from fairsum_utils.stats.intervals import difference_interval, share_interval
from fairsum_utils.stats.power import share_chances


def result(measure: str, score: float, n: int, half: float, **more: Any) -> dict[str, Any]:
    return {
        measure: score, f"{measure}_ci": [score - half, score + half], "n_samples": n, "n_skipped": 0, "skipped": {},
        "signature": "ci:0.95|v:0", "warnings": [], **more,
    }  # fmt: skip


# A standard deviation of 0.3 of a sample.
UER = {"uer": result("uer", 0.1, 100, 1.959964 * 0.03)}
BUR = {"bur": result("bur", 0.1, 400, 0.03)}
PAIRED = {
    "a": "A", "b": "B", "kind": "compare",
    "metrics": {"uer": {"a": 0.1, "b": 0.1, "difference": 0.0, "difference_ci": [-0.196, 0.196], "p_value": 1.0,
                        "lost": 0.0, "n_samples": 100, "n_skipped": 0, "signature": "ci:0.95", "warnings": []}},
}  # fmt: skip


def need(rule: str, results: Any = None, **options: Any) -> dict[str, Any]:
    return dict(power(results, rules=rule, **options)[rule])


def test_an_end_of_an_interval_by_hand() -> None:
    found = need("uer.ci_high < 0.2", UER)
    # (1.95996 + 0.84162)^2 * 0.3^2 / 0.1^2 = 70.64; of 100 the power is Phi(0.1 / 0.03 - 1.95996) = 0.9152.
    assert (found["outcome"], found["n"], found["n_now"], found["method"]) == ("pass", 71, 100, "normal")
    assert found["now"] == pytest.approx({"pass": 0.91518, "fail": 0, "undecided": 0.08482}, abs=1e-5)
    assert found["deviation"] == pytest.approx(0.3)
    assert need("0.2 > uer.ci_high", UER)["n"] == 71
    assert need("uer.ci_low > 0", UER)["n"] == 71
    assert need("uer.ci_high < 0.2", UER, power=0.9)["n"] == 95  # (1.95996 + 1.28155)^2 * 9 = 94.57


def test_a_broken_rule_fails_and_says_that_it_never_passes() -> None:
    found = need("uer.ci_high < 0.05", UER)
    assert (found["outcome"], found["n"]) == ("fail", 283)  # 7.8489 * 0.3^2 / 0.05^2 = 282.56
    assert found["reason"] == "the expected value violates the rule"
    assert found["now"]["pass"] == pytest.approx(0.00014, abs=2e-5)  # Phi(-0.05 / 0.03 - 1.95996)
    assert found["now"]["fail"] == pytest.approx(0.38465, abs=1e-5)  # Phi(0.05 / 0.03 - 1.95996)


def test_no_rule_decides_with_fewer_than_30() -> None:
    assert need("uer < 0.5", UER)["n"] == 30
    few = {"uer": result("uer", 0.1, 29, 0.1)}
    assert need("uer < 0.5", few)["now"] == {"pass": 0, "fail": 0, "undecided": 1}


def test_a_share_is_counted_before_there_are_results() -> None:
    found = need("bur.ci_high < 0.05", expected=0.02)
    assert (found["method"], found["n_now"], found["now"]) == ("binomial", None, None)
    chances = share_chances(np.arange(found["n"] - 1, found["n"] + 500), 0.02, 0.05, end=0.975)[0]
    assert chances[0] < 0.8 <= chances[1:].min()
    wider = need("bur.ci_high < 0.05", expected=0.02, confidence_level=0.99)
    assert wider["n"] > found["n"]
    now = need("bur.ci_high < 0.15", BUR)["now"]
    met, broken = share_chances(400, 0.1, 0.15, end=0.975)
    assert (now["pass"], now["fail"]) == (pytest.approx(float(met)), pytest.approx(float(broken)))


def test_means_without_results_spread_as_far_as_they_can() -> None:
    # UER lies between 0 and 0.5: at 0.1 the deviation is sqrt(0.4 * 0.1) = 0.2; 7.8489 * 0.2^2 / 0.05^2 = 125.58.
    found = need("uer.ci_high < 0.15", expected=0.1)
    assert (found["n"], found["deviation"]) == (126, pytest.approx(0.2))
    assert need("uer.ci_high < 0.15", expected=0.1, sd=0.1)["n"] == 32  # a quarter of it


def test_a_baseline_as_it_is_and_both_sides() -> None:
    base = {"uer": result("uer", 0.1, 100, 1.959964 * 0.03)}
    # A difference of 0 with both n: 2 * 0.3^2 / n; below 0.1 with power 0.8: n = 2 * 0.70833 * 0.09 / 0.01 = 12.75.
    assert need("uer - baseline < 0.1", UER, baseline=base)["n_each"] == 30
    found = need("(uer - baseline).ci_high < 0.1", UER, baseline=base)
    assert found["n_each"] == 142  # 2 * 70.64
    # 0.09 / n + 0.0009 = (0.1 / 2.80158)^2 gives 0.09 / 0.00037409 = 240.6.
    assert found["n"] == 241
    found = need("(uer - baseline).ci_high < 0.05", UER, baseline=base)
    assert (found["outcome"], found["n"], found["n_each"]) == ("never", None, 566)
    assert found["reason"] == "the baseline has too few samples; 566 on each side would be enough"
    assert need("uer.ci_high + baseline < 0.5", UER, baseline=base)["outcome"] == "pass"


def test_differences_of_paired_systems() -> None:
    # The interval of 100 samples is +-0.196: a deviation of 1; 7.8489 / 0.1^2 = 784.9.
    assert need("uer.difference_ci_high < 0.1", PAIRED)["n"] == 785
    assert need("uer.difference < 0.1", PAIRED)["n"] == 71  # 0.70833 / 0.01 = 70.8


@pytest.mark.parametrize(
    ("rule", "n", "outcome"),
    [
        ("n_samples >= 500", 500, "pass"),
        ("uer.n_samples > 500", 501, "pass"),
        ("n_samples < 500", None, "never"),
        ("uer < 0.1", None, "never"),
        ("uer == 0.1", None, "never"),
    ],
)
def test_what_no_chance_decides(rule: str, n: int | None, outcome: str) -> None:
    found = need(rule, UER)
    assert (found["n"], found["outcome"]) == (n, outcome)
    assert outcome == "pass" or found["reason"]


@pytest.mark.parametrize(
    ("rule", "outcome"), [("bur <= 0", "pass"), ("bur < 0", "fail"), ("bur.ci_high < 0.1", "pass")]
)
def test_what_never_varies_needs_no_more_than_30(rule: str, outcome: str) -> None:
    found = need(rule, expected=0.0)
    assert (found["outcome"], found["n"]) == (outcome, 30)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: need("bur.ci_high < 0.05"), "needs results or an expected value of bur"),
        (lambda: need("sof < 0.05", expected=0.1), "is not a mean over samples"),
        (lambda: need("bur < 0.05", expected=1.5), "bur lies between 0 and 1"),
        (lambda: need("uer < 0.05", BUR), "there is no uer"),
        (lambda: need("uer + bur < 0.05", {**UER, **BUR}), "their joint variation is unknown"),
        (lambda: need("warnings == 0", UER), "is not about scores"),
        (lambda: need("uer - baseline < 0.1", UER), "uses the baseline, but there is none; give its results"),
        (lambda: need("bur < 0.05", expected={"uer": 0.1}), "but no rule uses 'uer'; did you mean bur"),
        (lambda: power({**UER, **BUR}, rules=["bur < 1", "uer < 1"], expected=0.1), "give one number for each"),
        (lambda: need("bur < 0.05", expected=math.nan), "must be a number"),
        (lambda: need("uer < 0.05", UER, sd=0), "must be a positive number"),
        (lambda: need("uer < 0.05", UER, power=0.2), "power must be at least 0.5"),
        (lambda: need("uer < 0.05", UER, power=1), "power must be at least 0.5"),
        (lambda: need("bur < 0.05", expected=0.1, confidence_level=1), "confidence_level must lie between"),
        (lambda: power(UER, rules=[]), "there is no rule"),
        (lambda: need("uer < 0.05", {"uer": result("uer", math.nan, 0, 0.1)}), "is undefined"),
        (lambda: need("uer < 0.2", {"uer": {"uer": 0.1, "n_samples": 50, "signature": ""}}), "has no interval"),
    ],
)
def test_what_is_refused(made: Callable[[], Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        made()


def test_needs_show_and_save_themselves(tmp_path: Path) -> None:
    needs = power(UER, rules=["uer.ci_high < 0.2", "uer.ci_high < 0.05"])
    assert isinstance(needs, Needs)
    report = needs.report()
    assert "uer.ci_high < 0.05: it never passes: the expected value violates the rule" in report
    assert "Scores are taken as normal, with a standard deviation of a sample of 0.3." in report
    needs.save(tmp_path / "needs.json")
    again = read_results(tmp_path / "needs.json")
    assert isinstance(again, Needs)
    assert (again, again.report()) == (needs, report)
    pytest.importorskip("pandas")
    table = needs.to_pandas()
    assert table["n"].tolist() == [71, 283]
    assert table["outcome"].tolist() == ["pass", "fail"]


# Standard errors from a score to the ends of its interval.
HALF = 1.959964


def gap(score: float = 0.02, sd: float = 0.1, n: int = 100, **more: Any) -> dict[str, Any]:
    """Results of a gap over originals, each with six inputs of which each has two summaries."""
    half, within = HALF * sd / n**0.5, HALF * 0.06 / n**0.5
    told = {
        "counterfactual_gap_ci_within": [score - within, score + within], "floor": "controls", "within": 0.1,
        "p_value": 0.1, "null_sd": 0.08 / n**0.5, "pair_noise": 0.02 / n**0.5, "n_articles": n + 1,
        "n_articles_scored": n, "n_inputs": 6 * n, "n_replicated": 6 * n, "signature": "perms:1000|ci:0.95|v:0",
    }  # fmt: skip
    return {"counterfactual_gap": result("counterfactual_gap", score, 12 * n, half, **{**told, **more})}


def outcomes(*names: str) -> dict[str, Any]:
    """Results of outcomes over 100 originals, each with a difference of 0.2 and the standard deviation 1."""
    leaves = [
        {
            "outcome": name, "variant_a": "f", "variant_b": "m", "mean_a": 1.2, "mean_b": 1.0, "difference": 0.2,
            "difference_ci": [0.2 - HALF / 10, 0.2 + HALF / 10], "n_articles": 100, "p_value": 0.01 + place / 10,
            "p_method": "drawn", "null_sd": 0.102, "p_value_corrected": 0.1,
        }
        for place, name in enumerate(names)
    ]  # fmt: skip
    more = {"n_articles": 100, "n_articles_scored": 100, "n_inputs": 200, "n_replicated": 0, "p_value": 0.02}
    return {"counterfactual_outcomes": result("counterfactual_outcomes", 0.2, 200, 0.1, outcomes=leaves, **more)}


def test_a_part_has_originals_of_its_own() -> None:
    """Of 100 originals 10 have the variant z; the standard deviation is read from the interval of these ten."""
    half = HALF * 0.1 / 10**0.5
    pair = {"variant_a": "x", "variant_b": "z", "gap": 0.02, "ci": [0.02 - half, 0.02 + half], "n_articles": 10}
    found = need('counterfactual_gap.pairs["x"]["z"].ci_high < 0.05', gap(pairs=[pair]))
    assert (found["n"], found["n_now"], found["now"]["undecided"]) == (88, 10, 1.0)


def test_originals_are_what_is_counted() -> None:
    found = need("counterfactual_gap.ci_high < 0.05", gap())
    # 7.84888 * 0.1^2 / 0.03^2 = 87.2, of the 100 originals that have a gap, not of 1,200 samples.
    assert (found["unit"], found["n"], found["n_now"]) == ("original", 88, 100)
    assert found["deviation"] == pytest.approx(0.1)
    assert need("uer.ci_high < 0.2", UER)["unit"] == "sample"
    assert need("counterfactual_gap.n_articles_scored >= 200", gap())["unit"] == "original"
    assert need("n_samples >= 200", gap())["unit"] == "sample"
    for name in ("entity_inclusion", "distinguishability"):
        of_entities = {name: result(name, 0.02, 2000, HALF * 0.01, n_articles=100)}
        found = need(f"{name}.ci_high < 0.05", of_entities)
        assert (found["unit"], found["n"], found["n_now"]) == ("original", 88, 100)


def test_originals_are_traded_for_replicates() -> None:
    found = need("counterfactual_gap.ci_high < 0.05", gap())["by_replicates"]
    # Of 0.01 summaries make 0.0036: 0.0004 of pairs and 0.0032 of means; 0.0064 is there however many there are.
    expected = {
        number: math.ceil(7.84888 * (0.0064 + 0.0032 * 2 / number + 0.0004 * 4 / number**2) / 0.03**2)
        for number in (1, 2, 3, 5, 10)
    }
    assert {each["replicates"]: each["n"] for each in found["needs"]} == expected
    assert (expected[1], expected[2], expected[10]) == (126, 88, 62)
    assert (found["now"], found["undefined"]) == (2, None)
    tested = need("counterfactual_gap.p_value < 0.05", gap())["by_replicates"]["needs"]
    assert tested[0]["n"] == math.ceil((1.644854 * 0.08 + 0.841621 * 0.1) ** 2 / 0.02**2 * 1.44)  # 0.0144 for 0.01


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"n_replicated": 0}, "no input has several summaries, so their variation is unknown"),
        ({"n_replicated": 599}, "only 599 of 600 inputs have several summaries"),
        ({"counterfactual_gap_ci_within": None}, "it has no interval over summaries (ci_within)"),
    ],
)
def test_what_replicates_would_do_may_be_unknown(more: dict[str, Any], said: str) -> None:
    given = gap(**more)
    if more.get("counterfactual_gap_ci_within", "") is None:
        del given["counterfactual_gap"]["counterfactual_gap_ci_within"]
    needs = power(given, rules=["counterfactual_gap.ci_high < 0.05"])
    found = needs["counterfactual_gap.ci_high < 0.05"]["by_replicates"]
    assert found["needs"] == []
    assert said in found["undefined"]
    assert said in needs.report()
    assert need("uer.ci_high < 0.2", UER)["by_replicates"] is None


def test_without_control_edits_replicates_are_the_floor() -> None:
    found = need("counterfactual_gap.ci_high < 0.05", gap(floor="replicates"))["by_replicates"]
    assert found["needs"] == []
    assert "add controls" in found["undefined"]


def test_an_expanded_interval_is_read_as_one() -> None:
    # Of 36 originals Student's t reaches 2.0301 standard errors: 1.959964 / 2.0301 = 0.96545 of the deviation.
    expanded = gap(n=36, signature="ci:0.95|interval:expanded")
    assert need("counterfactual_gap.ci_high < 0.05", expanded)["deviation"] == pytest.approx(0.096545, abs=1e-5)


def test_p_values_by_hand() -> None:
    found = need("counterfactual_gap.p_value < 0.05", gap())
    # (1.64485 * 0.08 + 0.84162 * 0.1)^2 / 0.02^2 = 116.4; of 100 the chance is Phi((0.2 - 1.64485 * 0.08) / 0.1).
    assert (found["outcome"], found["n"], found["unit"]) == ("pass", 117, "original")
    assert found["now"] == pytest.approx({"pass": 0.7530, "fail": 0.2470, "undecided": 0}, abs=1e-3)
    assert (found["expected"], found["effect"]) == (0, 0.02)
    length = need("counterfactual_outcomes.outcomes.length.p_value < 0.05", outcomes("length"))
    assert length["n"] == 202  # two-sided: (1.95996 * 1.02 + 0.84162)^2 / 0.2^2 = 201.8


def test_a_p_value_that_is_to_be_large_fails_in_the_end() -> None:
    found = need("counterfactual_gap.p_value > 0.05", gap())
    assert (found["outcome"], found["n"]) == ("fail", 117)
    assert found["reason"].startswith("with enough data every effect is found; use ci_high")
    below = need("counterfactual_gap.p_value > 0.05", gap(-0.02))  # tested for gaps above 0 only
    assert (below["outcome"], below["expected"], below["n"]) == ("pass", 1, 30)
    none = need("counterfactual_gap.p_value < 0.05", gap(0.0))
    assert (none["outcome"], none["n"]) == ("never", None)
    same = gap(0.0, sd=0.0, null_sd=0.0)  # all summaries are alike, and p is 1
    assert need("counterfactual_gap.p_value > 0.05", same)["outcome"] == "pass"
    assert need("counterfactual_gap.p_value < 0.05", same)["now"]["fail"] == 1


def test_p_values_before_there_are_results() -> None:
    found = need("counterfactual_gap.p_value < 0.05", expected=0.02, sd=0.1)
    # By chance it spreads by sqrt(0.1^2 + 0.02^2) at most: (1.64485 * 0.10198 + 0.084162)^2 / 0.02^2 = 158.6.
    assert (found["n"], found["unit"], found["by_replicates"]) == (159, "original", None)
    two_sided = need("order_sensitivity.p_value < 0.05", expected=0.02, sd=0.1)
    assert two_sided["n"] == 202  # (1.95996 * 0.10198 + 0.084162)^2 / 0.02^2 = 201.8
    # A gap lies between -1 and 1: the largest deviation is sqrt(1.02 * 0.98).
    assert need("counterfactual_gap.ci_high < 0.05", expected=0.02)["deviation"] == pytest.approx(0.9998)


def test_a_difference_of_an_outcome() -> None:
    rule = "counterfactual_outcomes.outcomes.length.difference_ci_low > 0"
    found = need(rule, outcomes("length", "hedges"))
    assert (found["n"], found["n_now"], found["unit"]) == (197, 100, "original")  # 7.84888 / 0.04 = 196.2


@pytest.mark.parametrize(
    ("rule", "results", "said"),
    [
        (
            "counterfactual_outcomes.p_value < 0.05",
            outcomes("length", "hedges"),
            "corrected for several tests.*the bound by the number",
        ),
        (
            "counterfactual_outcomes.outcomes.hedges.p_value_corrected < 0.05",
            outcomes("length", "hedges"),
            "corrected for several tests",
        ),
        ("counterfactual_gap.p_value < 0.0005", gap(), "is impossible with 1000 permutations"),
        ("counterfactual_gap.p_value < 5", gap(), "lies between 0 and 1"),
        ("counterfactual_gap.p_value < baseline", gap(), "more than one p-value"),
        ("counterfactual_gap.p_value < 0.05", gap(null_sd=None), r"\(null_sd\); use an end of an interval"),
        ("counterfactual_gap.ci_within_high < 0.1", gap(), "other summaries of the same inputs"),
        ("uer.p_value < 0.05", PAIRED, "; use an end of an interval"),
        ("order_sensitivity < 0.1", {"order_sensitivity": result("order_sensitivity", 0.1, 9, 0.1)}, "of originals"),
    ],
)  # fmt: skip
def test_what_is_refused_of_originals(rule: str, results: Any, said: str) -> None:
    with pytest.raises(InputError, match=said) as raised:
        need(rule, results)
    assert "\n" not in str(raised.value)


def test_the_table_says_what_is_counted(tmp_path: Path) -> None:
    needs = power({**gap(), **UER}, rules=["counterfactual_gap.p_value < 0.05", "uer.ci_high < 0.2"])
    report = needs.report()
    assert "needs         of" in report
    assert "counterfactual_gap.p_value < 0.05: the p-value goes to 0 with ever more originals" in report
    assert "Scores are taken as normal, with a standard deviation of an original of 0.1." in report
    assert "with a standard deviation of a sample of 0.3." in report
    needs.save(tmp_path / "needs.json")
    again = read_results(tmp_path / "needs.json")
    assert (again, again.report()) == (needs, report)
    alone = power(gap(), rules="counterfactual_gap.ci_high < 0.05").report()
    assert "originals  now" in alone
    assert "Originals that are needed with so many summaries of each input" in alone
    assert "samples" not in alone.replace("so many summaries", "")


def test_a_skewed_interval_by_hand() -> None:
    # Of 100 samples the upper end reaches 1.5 times as far as normal and the lower one 0.8 times: 1 + 5 / sqrt(n) and
    # 1 - 2 / sqrt(n). The deviation of a sample is 0.3, told by the results.
    normal = 1.959964 * 0.03
    skewed = result("uer", 0.1, 100, normal, uer_sd=0.3) | {
        "uer_ci": [0.1 - 0.8 * normal, 0.1 + 1.5 * normal],
        "signature": "ci:0.95|interval:two-point|v:0",
    }

    def reached(n: int) -> float:
        error = 0.3 / math.sqrt(n)
        return NormalDist().cdf((0.1 - 1.959964 * (1 + 5 / math.sqrt(n)) * error) / error)

    n = need("uer.ci_high < 0.2", {"uer": skewed})["n"]
    assert reached(n) >= 0.8 > reached(n - 1)
    # It fails where the lower end is above the bound.
    n = need("uer.ci_high < 0.05", {"uer": skewed})["n"]
    error, before = 0.3 / math.sqrt(n), 0.3 / math.sqrt(n - 1)
    chances = [
        NormalDist().cdf((0.05 - 1.959964 * (1 - 2 / math.sqrt(size)) * each) / each)
        for size, each in ((n, error), (n - 1, before))
    ]
    assert chances[0] >= 0.8 > chances[1]


def test_a_change_of_small_shares_reaches_what_it_promises() -> None:
    rule = "(bur - baseline).ci_high < 0.05"
    bur = {"bur": result("bur", 0.02, 1_000, 0.01)}
    n = need(rule, bur, baseline=bur)["n_each"]
    ends = [share_interval(k, n) for k in range(n + 1)]
    counts = np.random.default_rng(3).binomial(n, 0.02, size=(2, 4_000)).tolist()
    met = [difference_interval(a / n, ends[a], b / n, ends[b])[1] < 0.05 for a, b in zip(*counts, strict=True)]
    assert np.mean(met) == pytest.approx(0.8, abs=0.04)
