"""Command, call, fixture and action decide alike, and as a few lines of arithmetic do, on random results."""

from __future__ import annotations

import json
import math
import operator
import os
import random
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fairsum_utils import check
from fairsum_utils.cli import main
from fairsum_utils.gate import EXIT_STATUS
from tests._gate import FEW, TRUNCATED, compared, entries, of_systems, scored

N = 120
SIGNS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


class Case(NamedTuple):
    """Results, held to rules.

    Attributes:
        results: of any kind.
        baseline: None where no rule names it.
        rules: all of one case.
        expected: the outcome of each rule.
    """

    results: Any
    baseline: Any
    rules: list[str]
    expected: list[str]


class Known(NamedTuple):
    """A number that a rule can be about."""

    name: str
    number: float
    ends: tuple[float, float] | None
    few: bool


def drawn(rng: random.Random, label: str) -> tuple[dict[str, Any], list[Known]]:
    """A result, with decimals of two digits, so that numbers meet bounds."""
    score = math.nan if rng.random() < 0.1 else rng.randrange(0, 101) / 100
    ends = sorted(rng.randrange(0, 101) / 100 for _ in "ab") if rng.random() < 0.8 else None
    if ends and (math.isnan(score) or rng.random() < 0.05):
        ends[rng.randrange(2)] = math.nan
    few = rng.random() < 0.2
    n = rng.randrange(1, 20) if few else rng.randrange(20, 200)
    warnings = [FEW] * few + [TRUNCATED] * (rng.random() < 0.3)
    by_value = {value: rng.randrange(0, 101) / 100 for value in ("pos", "neg é", "n_x")}
    result = entries("bur", score, ends, n=n, warnings=warnings, bur_by_value=by_value)
    name = f"'{label}'"
    interval = None if ends is None else (ends[0], ends[1])
    known = [
        Known(name, score, interval, few),
        *(Known(f'{name}.by_value["{value}"]', number, None, few) for value, number in by_value.items()),
        Known(f"{name}.n_samples", n, None, False),
        Known(f"{name}.warnings", len(warnings), None, False),
    ]
    return result, known


def rule_on(rng: random.Random, known: Known) -> tuple[str, str]:
    """A rule, and its outcome by arithmetic of its own."""
    bound = rng.randrange(0, 101) / 100 if known.number <= 1 or math.isnan(known.number) else rng.randrange(200)
    has_ends = known.name.count("'") == 2 and known.name.endswith("'") and rng.random() < 0.6
    sign = rng.choice(list(SIGNS)[: 4 if has_ends else 6])
    if not has_ends:
        rule, numbers = f"{known.name} {sign} {bound}", (known.number, known.number)
    else:
        place = rng.randrange(2)
        ends = known.ends or (math.nan, math.nan)
        rule, numbers = f"{known.name}.ci_{('low', 'high')[place]} {sign} {bound}", (ends[place], ends[1 - place])
    return rule, expected(numbers, sign, bound, known.few)


def expected(numbers: tuple[float, float], sign: str, bound: float, few: bool) -> str:
    if any(math.isnan(number) for number in numbers) or few:
        return "undecided"
    holds, holds_at_other = (SIGNS[sign](Fraction(str(number)), Fraction(str(bound))) for number in numbers)
    return "pass" if holds else "undecided" if holds_at_other else "fail"


def case(seed: int) -> Case:
    """A random case."""
    rng = random.Random(seed)
    kind = rng.choice(["score", "score", "baseline", "compare", "compare many"])
    if kind.startswith("compare"):
        return case_of_comparison(rng, kind == "compare")
    labels = rng.sample(["bur", "bur@0.9", "a|b", "x y", "é"], rng.randrange(1, 4))
    pairs = {label: drawn(rng, label) for label in labels}
    results = scored(**{label: result for label, (result, _) in pairs.items()})
    rules = [rule_on(rng, rng.choice(pairs[rng.choice(labels)][1])) for _ in range(rng.randrange(1, 4))]
    least, more = min(result["n_samples"] for result, _ in pairs.values()), rng.randrange(2)
    rules.append((f"n_samples >= {least + more}", "fail" if more else "pass"))
    baseline = None
    if kind == "baseline":
        result, (before, *_) = drawn(rng, labels[0])
        baseline = scored(**{labels[0]: result})
        rules += rules_on_change(rng, pairs[labels[0]][1][0], before)
    return Case(results, baseline, [rule for rule, _ in rules], [outcome for _, outcome in rules])


def case_of_comparison(rng: random.Random, two: bool) -> Case:
    """A random comparison of two systems or of several."""
    few, difference = rng.random() < 0.2, rng.randrange(-100, 101) / 100
    low, high = sorted(rng.randrange(-100, 101) / 100 for _ in "ab")
    if rng.random() < 0.1:
        difference = low = high = math.nan
    results: Any
    if two:
        name, results = (
            "bur.difference",
            compared(difference, (low, high), n_samples=4 if few else 100, warnings=[FEW] * few),
        )
    else:
        name, results = "bur['gpt-4'].difference", of_systems(n_samples=4 if few else 100, warnings=[FEW] * few)
        results["bur"]["differences"][0] |= {"difference": difference, "difference_ci": [low, high]}
    sign, bound = rng.choice(list(SIGNS)[:4]), rng.randrange(-100, 101) / 100
    rules = {
        f"{name} {sign} {bound}": expected((difference, difference), sign, bound, few),
        f"{name}_ci_high {sign} {bound}": expected((high, low), sign, bound, few),
        f"warnings == {int(few)}": "pass",
    }
    return Case(results, None, list(rules), list(rules.values()))


def rules_on_change(rng: random.Random, after: Known, before: Known) -> list[tuple[str, str]]:
    """Rules on a score and on its interval, less those of the baseline; and their outcomes."""
    few, change = after.few or before.few, math.nan
    if not math.isnan(after.number) and not math.isnan(before.number):
        change = float(Fraction(str(after.number)) - Fraction(str(before.number)))
    sign, bound = rng.choice(list(SIGNS)), rng.choice([0, 0.1, -0.1, 0 if math.isnan(change) else change])
    rules = [(f"{after.name} - baseline {sign} {bound}", expected((change, change), sign, bound, few))]
    ends = after.ends or (math.nan, math.nan), before.ends or (math.nan, math.nan)
    low = high = math.nan
    if not any(map(math.isnan, (change, *ends[0], *ends[1]))):
        low = change - math.hypot(max(0, after.number - ends[0][0]), max(0, ends[1][1] - before.number))
        high = change + math.hypot(max(0, ends[0][1] - after.number), max(0, before.number - ends[1][0]))
    rules.append((f"({after.name} - baseline).ci_high < 0.123", expected((high, low), "<", 0.123, few)))
    return rules


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Case]]:
    """The folder with the files of all cases, and the cases."""
    folder = tmp_path_factory.mktemp("cases")
    made = [case(seed) for seed in range(N)]
    with pytest.MonkeyPatch.context() as patch:
        # Hundreds of files need neither survive a power cut nor tell the versions of all packages.
        patch.setattr(os, "fsync", lambda _: None)
        patch.setattr("fairsum_utils.results.record.versions", dict)
        for place, each in enumerate(made):
            each.results.save(folder / f"{place}.json")
            if each.baseline is not None:
                each.baseline.save(folder / f"{place}-baseline.json")
    asked = [[each.rules, each.baseline is not None] for each in made]
    (folder / "asked.json").write_text(json.dumps(asked), encoding="utf-8")
    return folder, made


@pytest.fixture(scope="module")
def outcomes(cases: tuple[Path, list[Case]]) -> list[str]:
    """What `fairsum_utils.check` says of the results in memory."""
    return [check(each.results, each.rules, each.baseline).outcome for each in cases[1]]


def files(folder: Path, place: int, each: Case) -> tuple[str, str | None]:
    """The files of a case."""
    return str(folder / f"{place}.json"), None if each.baseline is None else str(folder / f"{place}-baseline.json")


def test_the_cases_are_of_all_kinds(cases: tuple[Path, list[Case]], outcomes: list[str]) -> None:
    assert all(outcomes.count(outcome) > N / 20 for outcome in EXIT_STATUS)
    assert {each.results.kind for each in cases[1]} == {"score", "compare"}
    assert sum(each.baseline is not None for each in cases[1]) > N / 10


def test_the_call_decides_as_arithmetic_does(cases: tuple[Path, list[Case]]) -> None:
    folder, made = cases
    for place, each in enumerate(made):
        verdicts = check(each.results, each.rules, each.baseline).verdicts
        assert [(verdict.rule, verdict.outcome) for verdict in verdicts] == list(
            zip(each.rules, each.expected, strict=True)
        ), place
        path, baseline = files(folder, place, each)
        read = check(path, each.rules, baseline).verdicts
        assert [repr(verdict) for verdict in read] == [repr(verdict) for verdict in verdicts]  # NaN is not itself


def test_so_does_the_command(
    cases: tuple[Path, list[Case]], outcomes: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, made = cases
    for place, each in enumerate(made[:20]):
        path, baseline = files(folder, place, each)
        words = ["check", path, "--format", "json", *(f"--rules={rule}" for rule in each.rules)]
        status = main([*words, *([] if baseline is None else ["--baseline", baseline])])
        record = json.loads(capsys.readouterr().out)
        assert (status, record["outcome"]) == (EXIT_STATUS[outcomes[place]], outcomes[place])
        assert [verdict["outcome"] for verdict in record["verdicts"]] == each.expected


@pytest.mark.parametrize(
    ("status", "outcome"), [*((n, name) for name, n in EXIT_STATUS.items()), (2, "error"), (130, "error")]
)
def test_the_action_takes_the_outcome_from_the_exit_status(status: int, outcome: str, tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    from tests._action import run_step

    done = run_step("Check", {"results": "x.json"}, tmp_path, tmp_path, fairsum=f"echo verdicts; exit {status}")
    assert (done.status, done.outputs["outcome"]) == (status, outcome)
