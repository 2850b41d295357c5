"""`fairsum power`: options, outputs, and lines for what cannot be said."""

from __future__ import annotations

import json

import pytest

from fairsum_utils import power

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
    assert out.splitlines()[0] == f"{results}: 2 rules, each to decide with a power of 90 %"
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
        (["--rules", "uer"], "a comparison is missing"),
        (["--rules", "sof < 0.1"], "nothing is called sof"),
        (["--rules", "uer < 0.1", "--power", "2"], "power"),
    ],
)
def test_bad_input_gets_a_line(fairsum, results, flags, said):
    status, out, err = fairsum("power", results, *flags)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
