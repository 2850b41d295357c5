from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fairsum_utils import check, score
from fairsum_utils.cli import main
from fairsum_utils.results.record import FORMAT_VERSION
from tests._gate import compared, entries, scored, uer
from tests._results import LEVEL, SUMMARIES, A


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    uer(0.04, (0.03, 0.06)).save("results.json")
    uer(0.03, (0.02, 0.04)).save("main.json")
    return tmp_path


def error(capsys: pytest.CaptureFixture[str]) -> str:
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err.rstrip()


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
def test_exit_statuses(rules: list[str], status: int, folder: Path) -> None:
    words = [word for rule in rules for word in ("--rules", rule)]
    assert main(["check", "results.json", "--baseline", "main.json", *words]) == status


def test_what_it_prints_and_writes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["check", "results.json", "--rules", "uer.ci_high < 0.05", "--output", "out.json", "--junit", "out.xml"]
    assert main(words) == 3
    checked = check("results.json", "uer.ci_high < 0.05")
    assert capsys.readouterr().out == f"{checked.report()}\n"
    assert main([*words[:4], "--format", "markdown"]) == 3
    assert capsys.readouterr().out == f"{checked.to_markdown()}\n"
    assert main([*words[:4], "--format", "json"]) == 3
    printed = json.loads(capsys.readouterr().out)
    run = printed.pop("run")
    assert printed == {"format_version": FORMAT_VERSION, "kind": "check", **checked.to_dict()}
    assert run["command"]["options"]["format"] == "json"
    written = json.loads((folder / "out.json").read_text(encoding="utf-8"))
    assert {key: written[key] for key in printed} == printed
    assert written["run"]["command"]["name"] == "check"
    assert [entry["path"] for entry in written["run"]["inputs"]] == ["results.json"]
    assert (folder / "out.xml").read_text(encoding="utf-8") == f"{checked.to_junit()}\n"
    assert ElementTree.parse(folder / "out.xml").getroot().get("errors") == "1"


def test_rules_of_the_file_of_settings(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = folder / "fairsum.toml"
    settings.write_text('[check]\nrules = ["uer < 0.05", \'uer.ci_high < 0.05\']\nformat = "csv"\n', encoding="utf-8")
    assert main(["check", "results.json", "--quiet"]) == 3
    captured = capsys.readouterr()
    assert captured.out.splitlines()[0] == "rule,outcome,found,95% CI low,95% CI high,reason"
    assert captured.err == ""
    # What the command line says goes first, and it may name the file itself.
    assert main(["check", "results.json", "--rules", "uer < 0.05"]) == 0
    assert main(["check", "results.json", "--rules", "fairsum.toml", "--rules", "uer > 1"]) == 1
    settings.rename(folder / "gate.toml")
    assert main(["check", "results.json", "--config", "gate.toml"]) == 3
    assert main(["check", "results.json", "--rules", "gate.toml"]) == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["results.json"], "there is no rule; give one with --rules, or in the section [check] of fairsum.toml"),
        (["results.json", "--rules", "no.toml"], "there is no file no.toml"),
        (["results.json", "--rules", "urr < 1"], "there is no urr in results.json; did you mean uer?"),
        (
            ["results.json", "--rules", "uer.ci_hgh < 1"],
            "uer has no ci_hgh; did you mean",
        ),
        (["results.json", "--rules", "uer < 1 < 2"], "combines several rules; write a separate rule for each"),
        (["results.json", "--rules", "uer < 1, bur < 2"], "combines several rules; write a separate rule for each"),
        (
            ["results.json", "--rules", "uer - baseline < 0"],
            "uses the baseline, but there is none; add --baseline FILE",
        ),
        (["results.json", "main.json", "--rules", "uer < 1"], "'uer' is in results.json and main.json"),
        (["no.json", "--rules", "uer < 1"], "there is no file no.json"),
        (["results.json", "--rules", "uer < 1", "--output", "results.json"], "this is the input"),
        (["results.json", "--rules", "uer < 1", "--junit", "a.json"], "a.json"),
        (["results.json", "--rules", "r.toml", "--output", "r.toml"], "r.toml"),
        (
            ["results.json", "--rules", "uer < 1", "--baseline", "main.json", "--output", "main.json"],
            "this is the input",
        ),
        (["results.json", "--rule", "uer < 1"], "unknown option --rule; did you mean --rules?"),
        (["results.json", "--rules", "\x1b]0;x\x07 < 1"], "a rule is a name, an operator and a number"),
    ],
)
def test_bad_input_is_one_line(words: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status = main(["check", *words])
    except SystemExit as left:
        status = int(str(left.code))
    assert status == 2
    message = error(capsys)
    assert said in message
    assert message.isprintable()


def test_several_files_and_comparisons(folder: Path) -> None:
    scored(bur=entries("bur", 0.3)).save("bur.json")
    assert main(["check", "results.json", "bur.json", "--rules", "uer < 0.05", "--rules", "bur < 0.31"]) == 0
    compared(0.01, (-0.01, 0.03)).save("comparison.json")
    assert main(["check", "comparison.json", "--rules", "bur.difference_ci_high < 0.04"]) == 0
    assert main(["check", "comparison.json", "--rules", "bur.difference_ci_high < 0.02"]) == 3


def test_what_the_commands_before_it_write(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        dict(zip(("prediction", "sources", "values"), row, strict=True))
        for row in zip(A, *SUMMARIES.values(), strict=True)
    ]
    rows *= 10
    for name in ("a.jsonl", "b.jsonl", "c.jsonl"):
        (folder / name).write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    assert main(["score", "a.jsonl", "--output", "a.json", "--set", "n_resamples=200"]) == 0
    results = score(A * 10, *(column * 10 for column in SUMMARIES.values()), **LEVEL)
    rules = ["bur.ci_high <= 1", "uer < 0.1", "warnings == 0", "uer.ci_high < 0.05", "bur.by_value.pos < 0.5"]
    assert [each.outcome for each in check("a.json", rules).verdicts] == [
        each.outcome for each in check(results, rules).verdicts
    ]
    assert main(["check", "a.json", "--rules", "bur.ci_high <= 1", "--rules", "warnings == 0"]) == 0
    assert main(["compare", "a.jsonl", "b.jsonl", "--output", "two.json"]) == 0
    assert main(["check", "two.json", "--rules", "bur.difference == 0", "--rules", "uer.difference_ci_high < 0.1"]) == 0
    assert main(["compare", "a.jsonl", "b.jsonl", "c.jsonl", "--output", "three.json"]) == 0
    assert main(["check", "three.json", "--rules", "bur.b.difference == 0", "--rules", "uer.c.ci_high < 0.5"]) == 0
    # What is printed has no list of what is NaN.
    capsys.readouterr()
    assert main(["score", "a.jsonl", "--format", "json"]) == 0
    (folder / "printed.json").write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["check", "printed.json", "--rules", "bur.ci_high <= 1"]) == 0


def test_files_after_two_dashes(folder: Path) -> None:
    (folder / "results.json").rename(folder / "--x.json")
    assert main(["check", "--rules=uer < 1", "--", "--x.json"]) == 0
