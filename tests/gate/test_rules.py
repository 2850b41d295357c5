"""Rules as texts and in files."""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.gate.rules import MIRRORED, OPERATORS, Name, Rule, parse_rule, read_rules

UER = Name("uer")
HIGH = Name("uer", ("ci",), "high")


@pytest.mark.parametrize(
    ("text", "terms", "sign", "bound"),
    [
        ("uer < 0.05", [(1, UER)], "<", 0.05),
        ("  uer.ci_high<.05 ", [(1, HIGH)], "<", 0.05),
        ("0.05 >= uer.ci_high", [(1, HIGH)], "<=", 0.05),
        ("uer.ci_low > 5e-3", [(1, Name("uer", ("ci",), "low"))], ">", 0.005),
        ("-uer > -1", [(-1, UER)], ">", -1.0),
        ("uer + 0.1 - 0.3 != bur", [(1, UER), (-1, Name("bur"))], "!=", 0.2),
        ("uer - baseline <= 0.02", [(1, UER), (-1, Name("uer", of="baseline"))], "<=", 0.02),
        ("uer < baseline + 0.02", [(1, UER), (-1, Name("uer", of="baseline"))], "<", 0.02),
        ("(uer - baseline).ci_high < 0", [(1, Name("uer", end="high", of="change"))], "<", 0.0),
        ("warnings == 0", [(1, Name("", ("warnings",)))], "==", 0.0),
        ("100 <= n_samples", [(1, Name("", ("n_samples",)))], ">=", 100.0),
        ('"warnings" < 1', [(1, Name("warnings"))], "<", 1.0),
        ("'bur@0.9'.ci_high < 1", [(1, Name("bur@0.9", ("ci",), "high"))], "<", 1.0),
        (r'"a\"b\\" < 1', [(1, Name('a"b\\'))], "<", 1.0),
        ("(uer - baseline) < 1", [(1, UER), (-1, Name("uer", of="baseline"))], "<", 1.0),
        ("bur.bur_by_value['very_low'] < 1", [(1, Name("bur", ("bur_by_value", "very_low")))], "<", 1.0),
        ("bur.difference_ci_high < 0", [(1, Name("bur", ("difference_ci",), "high"))], "<", 0.0),
        ('bur["gpt-4"].ci_high < 1', [(1, Name("bur", ("gpt-4", "ci"), "high"))], "<", 1.0),
        ('bur.by_group_ci["male"].high < 1', [(1, Name("bur", ("by_group_ci", "male"), "high"))], "<", 1.0),
    ],
)
def test_what_a_rule_says(text: str, terms: list[tuple[int, Name]], sign: str, bound: float) -> None:
    assert parse_rule(text) == Rule(text, tuple(terms), sign, bound)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        *(
            (text, "a rule compares numbers and names")
            for text in (
                "",
                "uer",
                "uer 0.05",
                "uer = 0",
                "uer \u2264 0",
                "uer << 0 < 1",
                "uer < 5%",
                "bur@0.9 < 1",
                "'uer < 1",
                "uer * 2 < 1",
                "uer.'x' < 1",
                "True < uer",
                '"" < 1',
                "uer\x1b[31m < 1",
                "uer < None",
                "f'{uer}' < 1",
                "uer() < 1",
                "uer < 1j",
                "(" * 5000 + "uer < 1",
                "uer" + "+ uer" * 5000 + " < 1",
            )
        ),
        ("uer < 0,05", "a rule compares numbers"),
        ("uer in bur", "use one of the operators <, <="),
        ("0 < uer < 1", "write a separate rule for each"),
        ("1 < 2", "does not name a result"),
        ("uer < 1e999", "too large"),
        ("uer.by_value[0] < 1", "brackets in quotes"),
        ("uer.ci_low.x < 1", "ci_low is the end of an interval"),
        ("baseline < 1", "baseline after the name that it"),
        ("uer - baseline.ci_low < 1", "baseline after the name that it"),
        ("(uer - bur).ci_high < 1", "parentheses are only allowed in (NAME - baseline).ci_low"),
        ("(uer - baseline).ci_hihg < 1", "parentheses are only allowed in (NAME - baseline).ci_low"),
        ("uer.ci_high == 0", "almost never equals"),
        ("uer.ci_high - baseline < 0.02", "use (NAME - baseline).ci_low or .ci_high"),
        ("uer.ci_high + bur.ci_low < 1", "combines ends of intervals"),
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


def test_numbers_are_the_decimals_that_are_written() -> None:
    rule = parse_rule("uer - baseline <= 0.02")
    assert rule.holds(Fraction("0.07") - Fraction("0.05"))
    assert 0.07 - 0.05 > 0.02  # as floats are subtracted
    assert parse_rule("uer <= 0.1 + 0.2").bound == 0.3


keys = st.lists(st.text(max_size=5), min_size=1, max_size=3).map(tuple)
names = st.builds(Name, st.text(min_size=1, max_size=5), st.just(()) | keys, st.just(""))
ends = st.builds(Name, st.text(min_size=1, max_size=5), keys, st.just("high"))
numbers = st.floats(allow_nan=False, allow_infinity=False)


@given(
    st.lists(names | st.just(Name("", ("warnings",))), min_size=1, max_size=3) | ends.map(lambda name: [name]),
    st.sampled_from(OPERATORS[:4]),
    numbers,
)
def test_a_rule_reads_as_it_is_shown(named: list[Name], sign: str, bound: float) -> None:
    rule = Rule("", tuple((1, name) for name in named), sign, bound)
    again = parse_rule(str(rule))
    assert (again.terms, again.operator, again.bound) == (rule.terms, sign, bound)


@given(st.text(alphabet="uer.ci_high<>=!+-()[]'\"\\ 0.5e\n", max_size=30))
def test_any_text_is_a_rule_or_an_error(text: str) -> None:
    rule, said = read(text)
    if rule is None:
        assert len(said.splitlines()) == 1
    else:
        assert rule.names
        assert parse_rule(str(rule)).terms == rule.terms


def read(text: str) -> tuple[Rule | None, str]:
    try:
        return parse_rule(text), ""
    except InputError as error:
        return None, str(error)


@given(numbers, st.floats(), st.sampled_from(OPERATORS))
def test_operators_are_those_of_numbers(bound: float, number: float, sign: str) -> None:
    table = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}
    holds = Rule("", ((1, UER),), sign, bound).holds(number)
    assert holds == (not math.isnan(number) and getattr(operator, table[sign])(number, bound))
    assert holds == Rule("", ((-1, UER),), MIRRORED[sign], -bound).holds(-number)


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
        assert list(map(str, read_rules(form))) == ["uer < 1", "warnings == 0"]
    assert list(map(str, read_rules(["bur < 2", path]))) == ["bur < 2", "uer < 1", "warnings == 0"]
    assert list(map(str, read_rules(written(tmp_path, "[check]\nrules = 'uer < 1'")))) == ["uer < 1"]  # without a list


@pytest.mark.parametrize("name", ["rules.txt", "rules"])
def test_a_rule_per_line(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / name).write_text("# the summarizer\nuer < 1\n\n  warnings == 0  \n", encoding="utf-8-sig")
    monkeypatch.chdir(tmp_path)
    assert list(map(str, read_rules(name))) == ["uer < 1", "warnings == 0"]
    (tmp_path / name).write_text("uer < 1\nuer = 1\n")
    with pytest.raises(InputError, match=rf"^check: {name}: rule 'uer = 1': a rule compares"):
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
        ("[check]\nrules = ['uer = 1']", "rules.toml: rule 'uer = 1': a rule compares"),
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
