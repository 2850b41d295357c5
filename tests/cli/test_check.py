"""The command `check`: exit statuses, what it prints and writes, rules of the file of settings, mistakes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fairsum_utils import check
from fairsum_utils.results.record import FORMAT_VERSION
from tests._gate import compared, entries, scored, uer

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    uer(0.04, (0.03, 0.06)).save("results.json")
    uer(0.03, (0.02, 0.04)).save("main.json")
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("rules", "status"),
    [
        (["uer < 0.05"], 0),
        (["uer < 0.05", "uer.ci_high < 0.05"], 3),
        (["uer < 0.05", "uer.ci_high < 0.05", "uer > 1"], 1),
        (["uer - baseline < 0.02", "n_samples == 100"], 0),
        (["(uer - baseline).ci_high < 0.02"], 3),
        (["uer = 0.05"], 2),
    ],
)
def test_exit_statuses(rules: list[str], status: int, fairsum: Run) -> None:
    words = [word for rule in rules for word in ("--rules", rule)]
    assert fairsum("check", "results.json", "--baseline", "main.json", *words)[0] == status


def test_what_it_prints_and_writes(folder: Path, fairsum: Run) -> None:
    words = ("check", "results.json", "--rules", "uer.ci_high < 0.05")
    checked = check("results.json", "uer.ci_high < 0.05")
    files = ("--output", "out.json", "--junit", "out.xml")
    assert fairsum(*words, *files) == (3, f"{checked.report()}\n", "")
    assert fairsum(*words, "--format", "markdown")[1] == f"{checked.to_markdown()}\n"
    printed = json.loads(fairsum(*words, "--format", "json")[1])
    assert printed == {"format_version": FORMAT_VERSION, "kind": "check", **checked.to_dict()}
    written = json.loads((folder / "out.json").read_text(encoding="utf-8"))
    assert {key: written[key] for key in printed} == printed
    assert (written["run"]["command"]["name"], written["run"]["inputs"][0]["path"]) == ("check", "results.json")
    assert (folder / "out.xml").read_text(encoding="utf-8") == f"{checked.to_junit()}\n"
    assert ElementTree.parse(folder / "out.xml").getroot().get("errors") == "1"


def test_rules_of_the_file_of_settings(folder: Path, fairsum: Run) -> None:
    settings = folder / "fairsum.toml"
    settings.write_text('[check]\nrules = ["uer < 0.05", \'uer.ci_high < 0.05\']\nformat = "csv"\n', encoding="utf-8")
    status, printed, err = fairsum("check", "results.json", "--quiet")
    assert (status, err) == (3, "")
    assert printed.splitlines()[0] == "rule,outcome,found,95% CI low,95% CI high,reason"
    # What the command line says goes first, and it may name the file itself.
    assert fairsum("check", "results.json", "--rules", "uer < 0.05")[0] == 0
    assert fairsum("check", "results.json", "--rules", "fairsum.toml", "--rules", "uer > 1")[0] == 1
    settings.rename(folder / "gate.toml")
    assert fairsum("check", "results.json", "--config", "gate.toml")[0] == 3


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "there is no rule; give one with --rules, or in the section [check] of fairsum.toml"),
        (["--rules", "urr < 1"], "there is no urr in results.json; did you mean uer?"),
        (["--rules", "uer.ci_hgh < 1"], "uer has no ci_hgh; did you mean"),
        (["--rules", "uer < 1 < 2"], "combines several rules; write a separate rule for each"),
        (["--rules", "uer - baseline < 0"], "uses the baseline, but there is none; add --baseline FILE"),
        (["main.json", "--rules", "uer < 1"], "'uer' is in results.json and main.json"),
        (["no.json", "--rules", "uer < 1"], "there is no file no.json"),
        (["--rules", "uer < 1", "--output", "results.json"], "this is the input"),
        (["--rules", "uer < 1", "--junit", "a.json"], "a.json"),
        (["--rules", "r.toml", "--output", "r.toml"], "r.toml"),
        (["--rules", "uer < 1", "--baseline", "main.json", "--output", "main.json"], "this is the input"),
        (["--rule", "uer < 1"], "unknown option --rule; did you mean --rules?"),
        (["--rules", "\x1b]0;x\x07 < 1"], "a rule is a name, an operator and a number"),
    ],
)
def test_bad_input_is_one_line(words: list[str], message: str, fairsum: Run) -> None:
    status, printed, err = fairsum("check", "results.json", *words)
    assert (status, printed) == (2, "")
    assert message in err
    assert err.removesuffix("\n").isprintable()


def test_several_files_and_comparisons(folder: Path, fairsum: Run) -> None:
    scored(bur=entries("bur", 0.3)).save("bur.json")
    assert fairsum("check", "results.json", "bur.json", "--rules", "uer < 0.05", "--rules", "bur < 0.31")[0] == 0
    compared(0.01, (-0.01, 0.03)).save("comparison.json")
    assert fairsum("check", "comparison.json", "--rules", "bur.difference_ci_high < 0.02")[0] == 3
    (folder / "results.json").rename(folder / "--x.json")
    assert fairsum("check", "--rules=uer < 1", "--", "--x.json")[0] == 0


@pytest.mark.usefixtures("folder")
def test_what_the_commands_before_it_write(write_jsonl: Callable[..., Path], demo_rows: list, fairsum: Run) -> None:
    a, b = (write_jsonl(demo_rows, f"{name}.jsonl") for name in "ab")
    fairsum("score", a, "--output", "a.json", "--metrics", "bur")
    fairsum("compare", a, b, "--output", "two.json", "--metrics", "bur")
    # What is printed has no list of what is NaN.
    printed = fairsum("score", a, "--format", "json", "--metrics", "bur")[1]
    Path("printed.json").write_text(printed, encoding="utf-8")
    for file, rules in (
        ("a.json", ["bur.ci_high <= 1", "bur.by_value.positive < 1"]),
        ("two.json", ["bur.difference == 0"]),
        ("printed.json", ["bur.ci_high <= 1"]),
    ):
        assert [each.outcome for each in check(file, rules).verdicts] == ["undecided"] * len(rules)  # of 8 samples
        assert fairsum("check", file, "--rules", "n_samples == 8")[0] == 0
