import json
import logging
from pathlib import Path

import pytest

from fairsum_utils.cli import main, run_command
from fairsum_utils.corpora import iter_rows
from fairsum_utils.errors import DataSourceError, InputError


def fairsum(*words: object) -> int:
    return run_command(["data", *map(str, words)])


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert fairsum("list") == 0
    text = capsys.readouterr().out
    assert "claritin: tweets about the drug Claritin; gender; 1,350 rows" in text
    assert "yelp: reviews of businesses; sentiment or rating; 1,500 rows" in text
    fairsum("list", "--format", "json")
    entries = json.loads(capsys.readouterr().out)
    assert [entry["config"] for entry in entries][:2] == ["claritin", "us_election"]
    fairsum("list", "coverage_sets")
    text = capsys.readouterr().out
    assert text.startswith("coverage_sets\n  amazon: product reviews; sentiment; 300 rows\n")
    assert "  options:\n    attribute: attribute the values are of; " in text
    assert "    min_words: fewest words of a text\n" in text
    with pytest.raises(InputError, match="there is no data set 'x'"):
        fairsum("list", "x")


def test_build(tweets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "rows.jsonl"
    words = ["perspectivesumm", "--config", "claritin", "--data-dir", tweets, "--seed", 0, "--origin", "raw"]
    settings = ["--set", "sizes=[4]", "--set", "min_tokens=1", "--set", "samples_per_cell=2"]
    assert fairsum("build", *words, *settings, "--output", output) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out) == {
        "name": "perspectivesumm",
        "config": "claritin",
        "rows": 6,
        "output": str(output),
    }
    assert printed.err == ""  # not a terminal: no progress
    options = {"data_dir": tweets, "seed": 0, "sizes": [4], "min_tokens": 1, "samples_per_cell": 2}
    rows = list(iter_rows("perspectivesumm", "claritin", **options))
    assert [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()] == rows


def test_prompts(tweets: Path, tmp_path: Path) -> None:
    words = ["perspectivesumm", "--config", "claritin", "--data-dir", tweets, "--set", "sizes=[4]"]
    words += ["--set", "min_tokens=1", "--set", "samples_per_cell=1"]
    prompts = {}
    for name in ("plain", "fair_instruction+sentence_control=3"):
        output = tmp_path / "rows.jsonl"
        assert fairsum("build", *words, "--prompt", name, "--output", output) == 0
        prompts[name] = json.loads(output.read_text(encoding="utf-8").splitlines()[0])["prompt"]
    assert "% of the reviews are written by males" in prompts["fair_instruction+sentence_control=3"]
    assert prompts["fair_instruction+sentence_control=3"].endswith("is: Summary it in 3 sentences.")
    assert prompts["plain"].endswith("is:")
    with pytest.raises(InputError, match="claritin: prompt must be plain, fair_instruction"):
        fairsum("build", *words, "--prompt", "short", "--output", tmp_path / "rows.jsonl")


def test_export(tweets: Path, reviews: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        fairsum("export", "perspectivesumm", "--output", tmp_path / "o", "--config", "yelp", "--data-dir", reviews) == 0
    )
    assert json.loads(capsys.readouterr().out) == {
        "name": "perspectivesumm",
        "rows": {"yelp": 2},
        "to": str(tmp_path / "o"),
    }
    assert (tmp_path / "o/yelp/test-00000-of-00001.parquet").is_file()
    with pytest.raises(DataSourceError, match="but only 0 of 12 have 10 to 70 tokens"):
        fairsum("export", "perspectivesumm", "--output", tmp_path / "o", "--data-dir", tweets)


def test_a_folder_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["data", "build", "bold", "--config", "gender", "--data-dir", "none", "--output", f"{tmp_path}/r.jsonl"]
    assert main(words) == 2
    assert "error: --data-dir must be a folder, but 'none' does not exist" in capsys.readouterr().err


@pytest.mark.parametrize(("action", "name", "key"), [("build", "rows.jsonl", "output"), ("export", "folder", "to")])
def test_a_key_in_the_name_of_the_output_is_not_printed(
    reviews: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    action: str,
    name: str,
    key: str,
) -> None:
    monkeypatch.setenv("HF_TOKEN", "a-secret-0123456789")
    (tmp_path / "a-secret-0123456789").mkdir()
    output = tmp_path / "a-secret-0123456789" / name
    assert fairsum(action, "perspectivesumm", "--config", "yelp", "--data-dir", reviews, "--output", output) == 0
    assert output.exists()
    assert json.loads(capsys.readouterr().out)[key] == str(tmp_path / "***" / name)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--set", "seed"], "--set needs KEY=VALUE, such as .* but is 'seed'"),
        (["--seed", "1", "--set", "seed=2"], "seed is given twice"),
        (["--set", "sise=2"], "claritin has no option sise"),
        (["--set", "sizes=10"], "sizes must be a list"),
    ],
)
def test_mistakes(tweets: Path, tmp_path: Path, words: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        fairsum(
            "build",
            "perspectivesumm",
            "--config",
            "claritin",
            "--data-dir",
            tweets,
            "--output",
            tmp_path / "a.csv",
            *words,
        )
    assert not (tmp_path / "a.csv").exists()


def test_quiet_silences_notes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(logging.getLogger("fairsum_utils"), "propagate", False)  # as where nothing else listens
    sets = tmp_path / "sets.csv"
    sets.write_text('id;sources;values\n1;"[""Good."", ""Cold.""]";"[""a"", ""b""]"\n')
    command = ["data", "build", "orders", "--from", str(sets), "--set", "orders=2", "--output"]
    assert main([*command, str(tmp_path / "one.jsonl")]) == 0
    assert "columns are separated by" in capsys.readouterr().err
    assert main([*command, str(tmp_path / "two.jsonl"), "--quiet"]) == 0
    assert capsys.readouterr().err == ""
