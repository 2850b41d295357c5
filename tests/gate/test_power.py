"""What rules need: numbers by hand, and what cannot be said."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairsum_utils import InputError, power, read_results
from fairsum_utils.results import Needs
from fairsum_utils.stats.power import share_chances


def result(measure: str, score: float, n: int, half: float, **more: Any) -> dict[str, Any]:
    return {
        measure: score, f"{measure}_ci": [score - half, score + half], "n_samples": n, "n_skipped": 0, "skipped": {},
        "signature": "ci:0.95|v:0", "warnings": [], **more,
    }  # fmt: skip


UER = {"uer": result("uer", 0.1, 100, 1.959964 * 0.03)}
"""A standard deviation of 0.3 of a sample."""
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
    assert found["reason"] == "the expected value does not hold the rule"
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


@pytest.mark.parametrize(
    ("rule", "mirrored", "share"),
    [("bur.ci_high < 0.25", "bur.ci_low > 0.75", 0.125), ("bur <= 0.25", "bur >= 0.75", 0.125)],
)
def test_a_rule_and_its_mirror_need_as_many(rule: str, mirrored: str, share: float) -> None:
    assert need(rule, expected=share)["n"] == need(mirrored, expected=1 - share)["n"]


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
    assert found["reason"] == "the baseline has too few samples; with 566 on both sides it would do"
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
        (lambda: need("bur.ci_high < 0.05"), "needs results, or what is expected of bur"),
        (lambda: need("sof < 0.05", expected=0.1), "is no mean over samples"),
        (lambda: need("bur < 0.05", expected=1.5), "bur lies between 0 and 1"),
        (lambda: need("uer < 0.05", BUR), "nothing is called uer"),
        (lambda: need("uer + bur < 0.05", {**UER, **BUR}), "how these vary together is not known"),
        (lambda: need("warnings == 0", UER), "is not about scores"),
        (lambda: need("uer - baseline < 0.1", UER), "names the baseline; give its results"),
        (lambda: need("bur < 0.05", expected={"uer": 0.1}), "which no rule names; did you mean bur"),
        (lambda: power({**UER, **BUR}, rules=["bur < 1", "uer < 1"], expected=0.1), "give one for each"),
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
    assert "uer.ci_high < 0.05: it never passes: the expected value does not hold the rule" in report
    assert "Scores are taken as normal, with a standard deviation of a sample of 0.3." in report
    needs.save(tmp_path / "needs.json")
    again = read_results(tmp_path / "needs.json")
    assert isinstance(again, Needs)
    assert (again, again.report()) == (needs, report)
    pytest.importorskip("pandas")
    table = needs.to_pandas()
    assert table["n"].tolist() == [71, 283]
    assert table["outcome"].tolist() == ["pass", "fail"]
