"""`fairsum power`: options, outputs, and lines for what cannot be said."""

from __future__ import annotations

import json

import pytest

from fairsum_utils import power, score

RESULTS = {
    "metrics": {
        "uer": {"uer": 0.1, "uer_ci": [0.04, 0.16], "n_samples": 100, "n_skipped": 0, "signature": "ci:0.95"},
        "bur": {"bur": 0.1, "bur_ci": [0.04, 0.16], "n_samples": 100, "n_skipped": 0, "signature": "ci:0.95"},
    }
}


@pytest.fixture
def results(tmp_path):
    path = tmp_path / "results.json"
    path.write_text(json.dumps(RESULTS))
    return path


def test_it_prints_and_writes_what_the_call_gives(fairsum, results, tmp_path):
    rules, output = ["uer.ci_high < 0.2", "bur < 0.05"], tmp_path / "needs.json"
    flags = [word for rule in rules for word in ("--rules", rule)]
    status, out, _ = fairsum("power", results, *flags, "--power", 0.9, "--output", output)
    needs = power(RESULTS, rules=rules, power=0.9)
    assert status == 0
    assert out.splitlines()[0] == f"{results}: 2 rules, each to decide with a power of 90%"
    assert out.splitlines()[1:] == needs.report().splitlines()[1:]
    assert json.loads(output.read_text())["metrics"] == dict(needs)
    status, out, _ = fairsum("power", results, *flags, "--power", 0.9, "--format", "json")
    assert json.loads(out)["metrics"] == dict(needs)


def test_rules_may_stand_in_a_file(fairsum, results, tmp_path):
    (tmp_path / "rules.toml").write_text('[check]\nrules = ["uer.ci_high < 0.2"]\n')
    _, out, _ = fairsum("power", results, "--rules", tmp_path / "rules.toml")
    assert "uer.ci_high < 0.2" in out


def test_without_results(fairsum):
    status, out, _ = fairsum("power", "--rules", "bur.ci_high < 0.05", "--expected", 0.02)
    n = power(rules="bur.ci_high < 0.05", expected=0.02)["bur.ci_high < 0.05"]["n"]
    assert status == 0
    assert str(n) in out


def test_numbers_by_label(fairsum, results):
    flags = ["--rules", "uer.ci_high < 0.2", "--rules", "bur < 0.2", "--expected", "uer=0.15", "--expected", "bur=0.12"]
    _, out, _ = fairsum("power", results, *flags, "--sd", "uer=0.5", "--format", "json")
    rules = ["uer.ci_high < 0.2", "bur < 0.2"]
    needs = power(RESULTS, rules=rules, expected={"uer": 0.15, "bur": 0.12}, sd={"uer": 0.5})
    assert json.loads(out)["metrics"] == dict(needs)


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ([], "power: error: there is no rule; give one with --rules"),
        (["--rules", "uer < 0.1", "--expected", "much"], "--expected takes a number, or LABEL=NUMBER, found 'much'"),
        (["--rules", "uer < 0.1", "--expected", "1", "--expected", "2"], "--expected is given twice"),
        (["--rules", "uer < 0.1", "--expected", "uer=1", "--expected", "uer=2"], "--expected is given twice"),
        (["--rules", "uer"], "a rule compares numbers and names"),
        (["--rules", "sof < 0.1"], "there is no sof"),
        (["--rules", "uer < 0.1", "--power", "2"], "power"),
    ],
)
def test_bad_input_gets_a_line(fairsum, results, flags, said):
    status, out, err = fairsum("power", results, *flags)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_measures_of_originals(fairsum, tmp_path):
    status, out, _ = fairsum("power", "--rules", "counterfactual_gap.ci_low > 0", "--expected", 0.02, "--sd", 0.1)
    assert status == 0
    assert "originals" in out.splitlines()[2]
    assert " 197" in out  # (1.95996 + 0.84162)^2 * 0.1^2 / 0.02^2 = 196.2
    words = ["bank", "cuts", "rates", "city", "growth", "votes", "school", "plan"]
    texts = [
        f"{place} {words[(3 * place + 5 * edit + 7 * replicate) % 8]} {words[(place + replicate) % 8]} {variant[0]}"
        + " again" * (variant == "male" and place % 3 == 0)
        for place in range(40)
        for variant in ("female", "male")
        for edit in range(2)
        for replicate in range(2)
    ]
    columns = {
        "article_ids": [str(place // 8) for place in range(len(texts))],
        "variants": [("female", "male")[place // 4 % 2] for place in range(len(texts))],
        "controls": [("", "city")[place // 2 % 2] or None for place in range(len(texts))],
    }
    metrics = ["counterfactual_gap", "counterfactual_outcomes"]
    results = score(predictions=texts, **columns, metrics=metrics, confidence_level=0.95)
    results.save(tmp_path / "pilot.json")
    rules = [
        "counterfactual_gap.ci_high < 0.9",
        'counterfactual_outcomes.outcomes["length"].difference_ci_high < 1',
        "counterfactual_gap.p_value < 0.05",
    ]
    flags = [word for rule in rules for word in ("--rules", rule)]
    needs = power(results, rules=rules)
    status, out, _ = fairsum("power", tmp_path / "pilot.json", *flags, "--format", "json")
    assert (status, json.loads(out)["metrics"]) == (0, dict(needs))
    assert {need["unit"] for need in needs.values()} == {"original"}
    assert needs[rules[0]]["n_now"] == 40
    assert [each["replicates"] for each in needs[rules[0]]["by_replicates"]["needs"]] == [1, 2, 3, 5, 10]
    assert fairsum("check", tmp_path / "pilot.json", *flags[:4])[0] == 0
