"""Verdicts of rules on results, and the forms they are printed in."""

from __future__ import annotations

import json
import math
from typing import Any
from xml.etree import ElementTree

import pytest

import fairsum_utils
from fairsum_utils import CheckFailed, check
from fairsum_utils.errors import InputError
from fairsum_utils.gate import Verdict, as_junit
from tests._gate import FEW, HOSTILE, SETTINGS, compared, entries, of_systems, scored, uer

RULES = ["uer.ci_high < 0.05", "uer < 0.05", "warnings == 0"]
NAN, INFINITE = math.nan, math.inf


def verdict(rule: str, results: Any, baseline: Any = None) -> Verdict:
    [found] = check(results, rule, baseline).verdicts
    return found


def refusal(rule: str, results: Any, baseline: Any = None) -> str:
    with pytest.raises(InputError) as raised:
        verdict(rule, results, baseline)
    return str(raised.value)


def test_what_it_gives() -> None:
    checked = check(uer(0.04, (0.03, 0.06)), RULES)
    assert (checked.outcome, checked.exit_status, checked.passed) == ("undecided", 3, False)
    assert [verdict.outcome for verdict in checked.verdicts] == ["undecided", "pass", "pass"]
    assert check(uer(0.04, (0.03, 0.05)), RULES[1:]).passed
    assert check(uer(0.06, (0.03, 0.07)), RULES).exit_status == 1
    assert [line.split()[3:5] for line in checked.report().splitlines()[4:]] == [["pass", "0.0400"], ["pass", "0"]]
    assert json.loads(json.dumps(checked.to_dict()))["verdicts"][0]["interval"] == [0.03, 0.06]


@pytest.mark.parametrize(
    ("rule", "title"), [("uer < 1", "the results"), ("uer - baseline < 1", "the results, against the baseline")]
)
def test_the_title_names_a_baseline_that_is_used(rule: str, title: str) -> None:
    assert check(uer(0.1), rule, uer(0.1)).title == title


@pytest.mark.parametrize(("level", "title"), [(0.9, " 90% CI "), (0.95, " 95% CI "), (None, " CI ")])
def test_the_heading_names_the_level_if_the_intervals_share_one(level: float | None, title: str) -> None:
    results = uer(0.04, (0.03, 0.06), settings={} if level is None else {"confidence_level": level})
    assert title in check(results, "uer < 0.05").report().splitlines()[2]


def test_it_raises_unless_passed() -> None:
    check(uer(0.04), "uer < 0.05").raise_unless_passed()
    for rule in ("uer > 0.05", "uer.ci_high < 0.05"):
        with pytest.raises(CheckFailed, match="0 of 1 rule passed") as raised:
            check(uer(0.04), rule).raise_unless_passed()
        assert isinstance(raised.value, AssertionError)


def test_json_has_no_infinity_and_no_nan() -> None:
    results = scored(uer=entries("uer", INFINITE, (0.0, INFINITE)), bur=entries("bur", NAN))
    record = check(results, ["uer > 0.3", "uer.ci_high > 0.3", "bur < 0.3"]).to_dict()
    assert json.loads(json.dumps(record, allow_nan=False)) == record
    found = [(each["found"], each["interval"]) for each in record["verdicts"]]
    assert found == [("inf", [0.0, "inf"])] * 2 + [(None, None)]


def test_warnings_are_shown_whether_a_rule_asks_or_not() -> None:
    message = "1 of 10 (10%)\nsamples have <b>long</b> texts"
    warning = {"code": "x", "count": 1, "share": 0.1, "message": message}
    checked = check(scored(uer=entries("uer", 0.04, warnings=[warning] * 2)), "uer < 0.05")
    assert checked.passed
    assert checked.warnings == (message,)
    assert checked.to_dict()["warnings"] == [message]
    assert checked.report().endswith("\n\nwarning: 1 of 10 (10%) samples have <b>long</b> texts")
    assert "<b>" not in checked.to_markdown()


@pytest.mark.parametrize(
    ("rule", "low", "high", "outcome"),
    [
        # It is certain that UER is below 0.05: its interval lies below.
        ("uer.ci_high < 0.05", 0.01, 0.049, "pass"),
        ("uer.ci_high < 0.05", 0.01, 0.05, "undecided"),
        ("uer.ci_high < 0.05", 0.049, 0.5, "undecided"),
        ("uer.ci_high < 0.05", 0.05, 0.5, "fail"),
        ("uer.ci_high <= 0.05", 0.05, 0.5, "undecided"),
        ("uer.ci_high <= 0.05", 0.01, 0.05, "pass"),
        # It is certain that it is above.
        ("uer.ci_low > 0.05", 0.06, 0.1, "pass"),
        ("uer.ci_low > 0.05", 0.05, 0.1, "undecided"),
        ("uer.ci_low > 0.05", 0.01, 0.05, "fail"),
        # It is not certain that it is above: the other end says nothing more.
        ("uer.ci_low < 0.05", 0.01, 0.9, "pass"),
        ("uer.ci_low < 0.05", 0.05, 0.9, "fail"),
    ],
)
def test_what_is_certain(rule: str, low: float, high: float, outcome: str) -> None:
    assert verdict(rule, uer((low + high) / 2, (low, high))).outcome == outcome


def test_reasons() -> None:
    decided = verdict("uer.ci_high < 0.05", uer(0.05, (0.03, 0.07)))
    assert (decided.found, decided.interval) == (0.07, (0.03, 0.07))
    assert decided.reason == "too few samples: the rule is true at only one end of [0.0300, 0.0700]; score more"
    decided = verdict("uer.ci_high < 0.05", uer(0.07, (0.06, 0.08)))
    assert decided.reason == "the rule is false at both ends of [0.0600, 0.0800]"
    assert verdict("uer.ci_high < 0.05", uer(0.01, (0.0, 0.04))).reason == ""


@pytest.mark.parametrize(
    ("outcome", "rules"),
    [
        ("undecided", "uer < 0.05; uer.ci_high < 0.05; uer.by_value.a == 0; uer > 0.5; uer - baseline < 1"),
        # A group may be called like a count.
        ("undecided", "uer.by_value['n_a'] == 0; uer.by_value['warnings'] == 0"),
        ("pass", "warnings == 1; n_samples == 4; uer.warnings == 1; uer.n_samples == 4; uer.n_skipped == 0"),
        ("fail", "uer.n_by_value.a >= 20; n_samples >= 20"),
    ],
)
def test_of_few_samples_only_counts_decide(outcome: str, rules: str) -> None:
    by_value = {"a": 0.0, "n_a": 0.0, "warnings": 0.0}
    few = uer(0.01, (0.0, 0.02), n=4, warnings=[FEW], uer_by_value=by_value, n_by_value={"a": 4})
    for rule in rules.split("; "):
        decided = verdict(rule, few, few)
        assert decided.outcome == outcome
        if outcome == "undecided":
            assert decided.reason == "too few samples: only 4 behind this number; score more"


@pytest.mark.parametrize("rule", ["uer < 1", "uer > -1", "uer != 0", "uer.ci_high < 1", "uer - baseline > -1"])
def test_nothing_passes_by_nan(rule: str) -> None:
    decided = verdict(rule, uer(NAN, (NAN, NAN)), uer(0.1, (0.0, 0.2)))
    assert (decided.outcome, decided.reason) == ("undecided", "undefined: no sample has a score")
    assert math.isnan(decided.found)


def test_a_figure_has_the_reason_of_its_interval() -> None:
    reasons = {"uer_by_value_ci": "a: too few samples", "uer_mixed_ci": "no sample counts for uer_mixed"}
    decided = verdict("uer.uer_mixed < 0.5", uer(0.1, (0.0, 0.2), uer_mixed=NAN, reasons=reasons))
    assert (decided.outcome, decided.reason) == ("undecided", "undefined: no sample counts for uer_mixed")


@pytest.mark.parametrize(
    ("rule", "results", "baseline", "outcome"),
    [
        # without an interval, or with one that has no end
        ("uer.ci_high < 0.05", uer(0.01), None, "undecided"),
        ("uer.ci_high < 0.05", uer(0.01, (0.0, NAN)), None, "undecided"),
        ("uer.ci_high < 0.05", uer(0.01, uer_ci=None), None, "undecided"),
        ("uer.ci_low < 0.05", uer(0.01, (0.0, NAN)), None, "undecided"),
        ("uer < 0.05", uer(0.01, (0.0, NAN)), None, "pass"),
        # infinity
        ("uer > 0.3", uer(INFINITE), None, "pass"),
        ("uer < 0.3", uer(INFINITE, (0.5, INFINITE)), None, "fail"),
        ("uer.ci_low > 0.3", uer(INFINITE, (0.5, INFINITE)), None, "pass"),
        ("uer - baseline < 1", uer(INFINITE), uer(INFINITE), "undecided"),
        ("uer - baseline > 1", uer(INFINITE), uer(0.1), "pass"),
        # From an infinite score to one whose interval has no end, nothing is known.
        ("(uer - baseline).ci_low > 1", uer(INFINITE, (0.5, INFINITE)), uer(0.1, (0.0, INFINITE)), "undecided"),
        # points of a change, as decimals
        ("uer - baseline <= 0.02", uer(0.07, (0.0, 0.9)), uer(0.05, (0.0, 0.9)), "pass"),
        ("uer - baseline < 0.02", uer(0.07, (0.0, 0.9)), uer(0.05, (0.0, 0.9)), "fail"),
        ("n_samples - baseline == 0", uer(0.07), uer(0.05), "pass"),
        ("(uer - baseline).ci_high <= 0.02", uer(0.07, (0.07, 0.07)), uer(0.05, (0.05, 0.05)), "pass"),
        # Other draws and versions are not other settings.
        ("uer - baseline == 0", uer(0.1), uer(0.1, settings=SETTINGS | {"n_resamples": 9, "seed": 7}), "pass"),
        ("uer - baseline == 0", uer(0.1), uer(0.1, settings=SETTINGS | {"version": "0.2.0"}), "pass"),
        ("uer - baseline <= 0", uer(0.1), uer(0.1, settings=SETTINGS | {"confidence_level": 0.9}), "pass"),
    ],
)
def test_undefined_numbers_and_changes(rule: str, results: Any, baseline: Any, outcome: str) -> None:
    decided = verdict(rule, results, baseline)
    assert decided.outcome == outcome
    if "undecided" in outcome and "ci_high" in rule:
        assert decided.reason.startswith("undefined: there is no interval; score with a confidence level")


def test_intervals_are_combined_as_of_independent_samples() -> None:
    # 0.15 and 0.2 are the legs of a right triangle, whose hypotenuse is 0.25; and 0.3, 0.4 and 0.5.
    after, before = uer(0.5, (0.35, 0.8)), uer(0.25, (-0.15, 0.45))
    decided = verdict("(uer - baseline).ci_high < 0.8", after, before)
    assert (decided.outcome, decided.found, decided.interval) == ("pass", 0.75, (0.0, 0.75))
    assert verdict("(uer - baseline).ci_high < 0.75", after, before).outcome == "undecided"
    assert verdict("(uer - baseline).ci_high < 0", after, before).outcome == "fail"
    assert verdict("(uer - baseline).ci_low > -0.1", after, before).outcome == "pass"


def test_a_change_from_or_to_what_is_undefined_or_of_few_decides_nothing() -> None:
    fine, undefined = uer(0.1, (0.0, 0.2)), uer(NAN, (NAN, NAN))
    for other in (undefined, uer(0.1, (0.0, 0.2), n=4, warnings=[FEW]), uer(0.1)):
        for pair in ((fine, other), (other, fine)):
            decided = verdict("(uer - baseline).ci_high < 1", *pair)
            assert decided.outcome == "undecided"
            if other is undefined:
                assert decided.reason == verdict("uer - baseline < 1", *pair).reason
                assert decided.reason == "undefined: no sample has a score"


@pytest.mark.parametrize(
    ("rule", "baseline", "message"),
    [
        ("uer - baseline < 0", None, "uses the baseline, but there is none; add --baseline FILE"),
        (
            "uer - baseline < 0",
            uer(0.1, settings=SETTINGS | {"k": 2}),
            "uer was scored with k:1 in the results, but with k:2 in the baseline",
        ),
        (
            "(uer - baseline).ci_low < 0",
            uer(0.1, (0.0, 0.2), settings=SETTINGS | {"confidence_level": 0.9}),
            "0.95 in the results, 0.9 in the baseline",
        ),
        ("uer - baseline < 0", scored(bur=entries("bur", 0.1)), "there is no uer in the baseline"),
    ],
)
def test_what_cannot_be_compared(rule: str, baseline: Any, message: str) -> None:
    assert message in refusal(rule, uer(0.1, (0.0, 0.2)), baseline)


@pytest.mark.parametrize(("n_single", "outcome"), [(29, "fail"), (30, "undecided"), (41, "undecided")])
def test_data_with_one_group_a_sample_decide_nothing(n_single: int, outcome: str) -> None:
    values = [["a", "a"]] * n_single + [["a", "b"]] * (60 - n_single)
    columns = ["Tasty soup."] * 60, [["Tasty soup.", "Kind staff."]] * 60
    results = fairsum_utils.score(*columns, values, metrics=["bur"], confidence_level=0.95)
    rules = ["bur < 0.1", "bur.ci_high < 0.1", "bur - baseline < 0"]
    outcomes = [verdict(rule, results, results).outcome for rule in rules]
    assert outcomes == [outcome, outcome, outcome if outcome == "undecided" else "fail"]
    if n_single == 30:
        reason = "30 of 60 (50%) scored samples have sources of one group only and cannot be unfair"
        assert verdict("bur < 0.1", results).reason == f"no conclusion: {reason}"
    assert verdict("bur.n_samples == 60", results).outcome == "pass"
    # The score over the samples of several groups decides, if these are 20.
    decided = verdict("bur.multi_value < 0.1", results)
    assert decided.outcome == ("undecided" if n_single == 41 else "fail")
    assert ("only 19 behind this number" in decided.reason) == (n_single == 41)


def test_a_comparison_of_two() -> None:
    results = compared(0.01, (-0.01, 0.03))
    for rule, outcome in (
        ("bur.difference_ci_high < 0.04", "pass"),
        ("bur.difference_ci_high < 0.02", "undecided"),
        ("bur.difference_ci_high < -0.02", "fail"),
        ("bur.old == 0.5", "pass"),
        ("bur.p_value < 0.05", "pass"),
    ):
        assert verdict(rule, results).outcome == outcome
    assert verdict("bur.difference < 0.02", results).interval == (-0.01, 0.03)
    assert "bur is not a number; use one of old, new, n_tests, alpha" in refusal("bur < 1", results)


@pytest.mark.parametrize(
    ("rule", "found"),
    [
        ("bur.lead > 0", 0.5),
        ("bur['gpt-4'] > 0", 0.3),
        ("bur['gpt-4'].ci_high > 0", 0.4),
        ("bur.systems.lead.ci_low > 0", 0.4),
        ("bur['gpt-4'].difference < 0", -0.2),
        ("bur['gpt-4'].difference_ci_high < 0", -0.15),
        ("bur['gpt-4'].p_value_corrected < 0.05", 0.02),
        ("bur['gpt-4'].lead < 0", -0.2),
        ("bur.lead['gpt-4'] > 0", 0.2),
        ("bur.lead['gpt-4'].difference_ci_high > 0", 0.25),
        ("bur['gpt-4'].minus.lead.ci_low < 0", -0.25),
        ("bur.alpha > 0", 0.05),  # the key of the result
        ("bur.systems.alpha > 0", 0.1),
        ("bur.n_tests > 0", 2),
    ],
)
def test_a_comparison_of_many(rule: str, found: float) -> None:
    decided = verdict(rule, of_systems())
    assert (decided.outcome, decided.found) == ("pass", found)


def test_a_comparison_of_all_pairs() -> None:
    results = of_systems(pairs=True)
    turned = verdict("bur.systems.alpha['gpt-4'].difference_ci_low > -0.36", results)
    assert (turned.found, turned.difference) == (-0.35, "alpha minus gpt-4")
    problem = refusal("bur['gpt-4'].difference < 0", results)
    assert problem.startswith("check: rule \"bur['gpt-4'].difference < 0\": ")
    assert problem.endswith('bur["gpt-4"] has no difference; it has score, ci_low, ci_high, ci_lost, rank, n_skipped, '
                            "lead, alpha")  # fmt: skip
    assert "did you mean gpt-4?" in refusal("bur['gpt4'] < 0", results)
    assert refusal("bur.difference_ci_high < 0.02", of_systems()).endswith(
        "bur has no difference_ci_high; name one of its systems, as in bur.alpha.difference_ci_high"
    )


def test_an_undefined_difference() -> None:
    results = of_systems()
    undefined = {"difference": NAN, "difference_ci": [NAN, NAN], "undefined": "a value is missing"}
    results["bur"]["differences"][0] |= undefined
    for rule in ("bur['gpt-4'].difference < 0", "bur['gpt-4'].difference_ci_high < 0", "bur.lead['gpt-4'] < 0"):
        assert verdict(rule, results).reason == "undefined: a value is missing"


@pytest.mark.parametrize(
    "rule",
    ["uer.ci_high < 5", "uer > -5", "uer.ci_low < 20", "uer - baseline < 5", "(uer - baseline).ci_high < 2"],
)
def test_a_percentage_for_a_bound_is_refused(rule: str) -> None:
    results = uer(0.04, (0.03, 0.06))
    assert "scores are fractions, so write 5% as 0.05" in refusal(rule, results, results)


@pytest.mark.parametrize("rule", ["uer.n_samples >= 30", "uer.warnings < 5", "uer.n_by_value.uer > 5", "uer < 1"])
def test_counts_may_be_large(rule: str) -> None:
    assert verdict(rule, uer(0.04, n_by_value={"uer": 50})).outcome == "pass"


@pytest.mark.parametrize(
    ("name", "outcome"),
    [("by_value.pos", "pass"), ("by_value.neg", "undecided"), ("by_value.old", "pass"), ("by_value.new", "pass")],
)
def test_a_group_of_few_samples_decides_nothing(name: str, outcome: str) -> None:
    """Nothing says how many samples the new group has."""
    by_value = dict.fromkeys(("pos", "neg", "new", "old"), 0.0)
    results = uer(0.04, uer_by_value=by_value, n_by_value={"pos": 100, "neg": 19, "old": 20})
    decided = verdict(f"uer.{name} < 0.1", results)
    assert decided.outcome == outcome
    assert ("only 19 behind this number" in decided.reason) == (outcome == "undecided")


@pytest.mark.parametrize("text", HOSTILE)
def test_any_text_is_xml(text: str) -> None:
    document = as_junit(text, [Verdict(text, "fail", float("nan"), None, text)])
    [suite] = ElementTree.fromstring(document.encode("utf-8"))
    assert suite.get("tests") == "1"
    assert all(character.isprintable() or character == "\n" for character in document)


def test_junit_counts_failures_and_errors() -> None:
    rules = ["uer.ci_high < 0.05", "uer < 0.05", "warnings == 0", "uer > 0.05"]
    root = ElementTree.fromstring(check(uer(0.04, (0.03, 0.06)), rules).to_junit())
    [suite] = root
    counts = {"tests": "4", "failures": "1", "errors": "1"}
    assert (root.attrib, suite.attrib) == ({"name": "fairsum check", **counts}, {"name": "the results", **counts})
    assert [case.get("name") for case in suite] == rules
    assert [[child.tag for child in case] for case in suite] == [["error"], [], [], ["failure"]]
    [error] = suite[0]
    assert str(error.get("message")).startswith("found 0.06, interval [0.03, 0.06]: too few samples")
