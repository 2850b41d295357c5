"""Rules as texts and in files."""

from __future__ import annotations

import operator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.gate import Rule, parse_rule, read_rules

COMPARISONS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


@pytest.mark.parametrize(
    ("text", "label", "keys", "end", "is_change", "sign", "bound"),
    [
        ("uer < 0.05", "uer", (), "", False, "<", 0.05),
        ("  uer.ci_high<.05 ", "uer", ("ci",), "high", False, "<", 0.05),
        ("uer.ci_low > 5e-3", "uer", ("ci",), "low", False, ">", 0.005),
        ("uer > -1", "uer", (), "", False, ">", -1.0),
        ("uer - baseline <= 0.02", "uer", (), "", True, "<=", 0.02),
        ("(uer - baseline) < 1", "uer", (), "", True, "<", 1.0),
        ("(uer - baseline).ci_high < 0", "uer", (), "high", True, "<", 0.0),
        ("(uer.by_value.pos - baseline).ci_low > 0", "uer", ("by_value", "pos"), "low", True, ">", 0.0),
        ("n_samples - baseline == 0", "", ("n_samples",), "", True, "==", 0.0),
        ("warnings == 0", "", ("warnings",), "", False, "==", 0.0),
        ("n_samples >= 100", "", ("n_samples",), "", False, ">=", 100.0),
        ('"warnings" < 1', "warnings", (), "", False, "<", 1.0),
        ("'bur@0.9'.ci_high < 1", "bur@0.9", ("ci",), "high", False, "<", 1.0),
        (r'"a\"b\\" < 1', 'a"b\\', (), "", False, "<", 1.0),
        ("bur.bur_by_value['very_low'] != 1", "bur", ("bur_by_value", "very_low"), "", False, "!=", 1.0),
        ("bur.difference_ci_high < 0", "bur", ("difference_ci",), "high", False, "<", 0.0),
        ('bur["gpt-4"].ci_high < 1', "bur", ("gpt-4", "ci"), "high", False, "<", 1.0),
        ('bur.by_group_ci["male"].high < 1', "bur", ("by_group_ci", "male"), "high", False, "<", 1.0),
    ],
)
def test_what_a_rule_says(
    text: str, label: str, keys: tuple[str, ...], end: str, is_change: bool, sign: str, bound: float
) -> None:
    assert parse_rule(text) == Rule(text, label, keys, end, is_change, COMPARISONS[sign], bound)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        *(
            (text, "a rule is a name, an operator and a number")
            for text in (
                "",
                "uer",
                "uer 0.05",
                "uer < 5%",
                "bur@0.9 < 1",
                '"" < 1',
                "uer\x1b[31m < 1",
                "uer < None",
                "uer < 1j",
                "(" * 5000 + "uer < 1",
                "uer" + "+ uer" * 5000 + " < 1",
                "0.05 > uer",
                "uer in bur",
                "1 < 2",
                "uer < 1e999",
                "uer < 1" + "0" * 400,
                "uer.by_value[0] < 1",
                "(uer - bur).ci_high < 1",
                "(uer - baseline).ci_hihg < 1",
            )
        ),
        ("uer < 0,05", "write 5% as 0.05"),
        ("uer < 1, bur < 1", "write a separate rule for each"),
        ("0 < uer < 1", "write a separate rule for each"),
        ("uer < 1 and bur < 1", "write a separate rule for each"),
        ("uer.ci_high == 0", "almost never equals"),
        ("(uer - baseline).ci_high != 0", "almost never equals"),
        ("uer.ci_high - baseline < 0.02", "use (NAME - baseline).ci_low"),
        (0.05, "must be a text such as 'uer.ci_high < 0.05', found float 0.05"),
    ],
)
def test_what_is_no_rule(text: str, said: str) -> None:
    with pytest.raises(InputError) as raised:
        parse_rule(text)
    message = str(raised.value)
    assert message.startswith("check: ")
    assert said in message
    assert message.isprintable()


@given(st.text(alphabet="uer.ci_high<>=!+-()[]'\"\\ 0.5e\n", max_size=30))
def test_any_text_is_a_rule_or_an_error(text: str) -> None:
    rule, message = read(text)
    assert len(message.splitlines()) == 1 if rule is None else rule.label or rule.keys


def read(text: str) -> tuple[Rule | None, str]:
    try:
        return parse_rule(text), ""
    except InputError as error:
        return None, str(error)


def texts(rules: list[Rule]) -> list[str]:
    return [rule.text for rule in rules]


def written(folder: Path, text: str | bytes | None) -> Path:
    path = folder / "rules.toml"
    if text is None:
        path.mkdir()
    else:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    "text",
    ['[check]\nrules = ["uer < 1", "warnings == 0"]\n[score]\ntau = 0.9', 'rules = ["uer < 1", "warnings == 0"]'],
)
def test_rules_of_a_file(text: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    for form in (path, str(path), [path], f" {path} "):
        assert texts(read_rules(form)) == ["uer < 1", "warnings == 0"]
    assert texts(read_rules(["bur < 2", path])) == ["bur < 2", "uer < 1", "warnings == 0"]
    assert texts(read_rules(written(tmp_path, "[check]\nrules = 'uer < 1'"))) == ["uer < 1"]  # without a list


@pytest.mark.parametrize("name", ["rules.txt", "rules"])
def test_a_rule_per_line(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / name).write_text("# the summarizer\nuer < 1\n\n  warnings == 0  \n", encoding="utf-8-sig")
    monkeypatch.chdir(tmp_path)
    assert texts(read_rules(name)) == ["uer < 1", "warnings == 0"]
    (tmp_path / name).write_text("uer < 1\nuer = 1\n")
    with pytest.raises(InputError, match=rf"^check: {name}: rule 'uer = 1': a rule is a name"):
        read_rules(name)


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ([], "check: there is no rule"),
        ("no-such.txt", "check: there is no file no-such.txt"),
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
        ("[check]\nrules = ['uer = 1']", "rules.toml: rule 'uer = 1': a rule is a name"),
        ("[check", "rules.toml cannot be read as rules"),
        ("x = \x00", "rules.toml cannot be read as rules"),
        ("x = " + "[" * 9999, "rules.toml cannot be read as rules"),
        (b"\xff\xfe", "rules.toml cannot be read as rules"),
        (None, "rules.toml cannot be read as rules"),  # a folder
    ],
)
def test_what_is_no_file_of_rules(text: str | bytes | None, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        read_rules(written(tmp_path, text))
    assert said in str(raised.value)
    assert len(str(raised.value).splitlines()) == 1
