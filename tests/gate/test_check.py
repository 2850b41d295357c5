from __future__ import annotations

import json
import math
from xml.etree import ElementTree

import pytest

import fairsum_utils
from fairsum_utils import CheckFailed, check
from tests._gate import HOSTILE, entries, scored, uer

RULES = ["uer.ci_high < 0.05", "uer < 0.05", "warnings == 0"]


def test_what_it_gives() -> None:
    checked = check(uer(0.04, (0.03, 0.06)), RULES)
    assert (checked.outcome, checked.exit_status, checked.passed) == ("undecided", 3, False)
    assert [verdict.outcome for verdict in checked.verdicts] == ["undecided", "pass", "pass"]
    assert check(uer(0.04, (0.03, 0.05)), RULES[1:]).passed
    assert check(uer(0.06, (0.03, 0.07)), RULES).exit_status == 1
    assert json.loads(json.dumps(checked.to_dict()))["verdicts"][0]["interval"] == [0.03, 0.06]
    assert "check" in fairsum_utils.__all__


def test_the_table() -> None:
    checked = check(uer(0.04, (0.03, 0.06)), [*RULES, "uer > 0.05"])
    assert str(checked).splitlines() == [
        "fail: the results: 2 of 4 rules passed, 1 failed, 1 undecided",
        "",
        "rule                outcome    found   interval          reason",
        "uer.ci_high < 0.05  undecided  0.0600  [0.0300, 0.0600]  "
        "too few samples to tell: it holds at one end of [0.0300, 0.0600] only; see fairsum power",
        "uer < 0.05          pass       0.0400  [0.0300, 0.0600]",
        "warnings == 0       pass       0",
        "uer > 0.05          fail       0.0400  [0.0300, 0.0600]",
    ]
    assert "| warnings == 0      | pass      | 0      |" in checked.to_markdown()
    assert "<td>undecided</td>" in checked._repr_html_()


def test_it_raises_unless_passed() -> None:
    check(uer(0.04), "uer < 0.05").raise_unless_passed()
    for rule in ("uer > 0.05", "uer.ci_high < 0.05"):
        with pytest.raises(CheckFailed, match="0 of 1 rule passed") as raised:
            check(uer(0.04), rule).raise_unless_passed()
        assert isinstance(raised.value, AssertionError)


def test_json_has_no_infinity_and_no_nan() -> None:
    results = scored(uer=entries("uer", math.inf, (0.0, math.inf)), bur=entries("bur", math.nan))
    told = check(results, ["uer > 0.3", "uer.ci_high > 0.3", "bur < 0.3"]).to_dict()
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert [(each["found"], each["interval"]) for each in told["verdicts"]] == [
        ("inf", [0.0, "inf"]),
        ("inf", [0.0, "inf"]),
        (None, None),
    ]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_break_no_format(text: str) -> None:
    quoted = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    results = scored(**{text: entries("uer", float("nan"), undefined=f"because of {text}")})
    checked = check(results, [f"{quoted} < 0.05", f"{quoted}.n_samples == 100"])
    assert [verdict.outcome for verdict in checked.verdicts] == ["undecided", "pass"]
    for shown in (checked.report(), checked.to_markdown()):
        assert all(character.isprintable() or character in "\n\ufffe" for character in shown)
        assert len(shown.splitlines()) == {checked.report(): 5, checked.to_markdown(): 6}[shown]
    *_, first, second = checked.to_markdown().splitlines()
    for line in (first, second):
        bars = [place for place, character in enumerate(line) if character == "|" and line[place - 1] != "\\"]
        assert len(bars) == 6
        assert "\\\\|" not in line
    assert "<img" not in checked.to_markdown()
    assert "<img" not in checked._repr_html_()
    suite = ElementTree.fromstring(checked.to_junit())[0]
    assert [child.tag for child in suite[0]] == ["error"]
    assert json.loads(json.dumps(checked.to_dict()))


def test_warnings_are_told_whether_a_rule_asks_or_not() -> None:
    message = "1 of 10 (10 %)\nsamples have <b>long</b> texts"
    results = scored(
        uer=entries("uer", 0.04, warnings=[{"code": "x", "count": 1, "share": 0.1, "message": message}] * 2)
    )
    checked = check(results, "uer < 0.05")
    assert checked.passed
    assert checked.warnings == (message,)
    assert checked.to_dict()["warnings"] == [message]
    assert checked.report().endswith("\n\nwarning: 1 of 10 (10 %) samples have <b>long</b> texts")
    assert "<b>" not in checked.to_markdown()


def test_a_baseline_that_no_rule_names_is_not_named() -> None:
    results = scored(uer=entries("uer", 0.04))
    assert check(results, "uer < 0.05", results).title == "the results"
    assert check(results, "uer - baseline < 0.05", results).title == "the results, against the baseline"
