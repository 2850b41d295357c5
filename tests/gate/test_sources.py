from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.gate.sources import read_rules


def written(folder: Path, text: str) -> Path:
    path = folder / "rules.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "text",
    ['[check]\nrules = ["uer < 1", "warnings == 0"]\n[score]\ntau = 0.9', 'rules = ["uer < 1", "warnings == 0"]'],
)
def test_rules_of_a_file(text: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    for given in (path, str(path), [path], f" {path} "):
        assert list(map(str, read_rules(given))) == ["uer < 1", "warnings == 0"]
    assert list(map(str, read_rules(["bur < 2", path]))) == ["bur < 2", "uer < 1", "warnings == 0"]


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ([], "check: there is no rule"),
        (None, "check: a rule must be a text such as 'uer.ci_high < 0.05', found None"),
        ([["uer < 1"]], "found list ['uer < 1']"),
        ("no-such.toml", "check: there is no file no-such.toml"),
        ("uer.toml < 1 x.toml", "there is no file"),
    ],
)
def test_what_are_no_rules(rules: Any, said: str) -> None:
    with pytest.raises(InputError) as raised:
        read_rules(rules)
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no list of rules, found None"),
        ("[check]\nrules = []", "there is no rule"),
        ("[check]\nrules = 3", "has no list of rules, found int 3"),
        ("check = 3", "has no list of rules"),
        ("[check]\nrules = [0.05]", "rules.toml: a rule must be a text"),
        ("[check]\nrules = ['uer = 1']", "rules.toml: rule 'uer = 1': '=' compares nothing"),
        ("[check", "cannot be read as TOML"),
        ("x = \x00", "cannot be read as TOML"),
        ("x = " + "[" * 9999, "cannot be read as TOML"),
    ],
)
def test_what_is_no_file_of_rules(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        read_rules(written(tmp_path, text))
    assert said in str(raised.value)
    assert len(str(raised.value).splitlines()) == 1


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="cannot be read as TOML"):
        read_rules(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(InputError, match="cannot be read as TOML"):
        read_rules(path)


def test_a_single_rule_needs_no_list(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text("[check]\nrules = 'uer < 0.05'", encoding="utf-8")
    assert [rule.text for rule in read_rules(str(tmp_path / "rules.toml"))] == ["uer < 0.05"]
