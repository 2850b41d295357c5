"""Results checked against rules: one verdict per rule, and one outcome."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias
from xml.etree import ElementTree

from fairsum_utils._util.terminal import on_one_line, printable
from fairsum_utils.errors import CheckFailed
from fairsum_utils.gate.rules import Name, Rule, exact, read_rules
from fairsum_utils.gate.sheet import Found, Sheet, sheet_of
from fairsum_utils.reports.tables import Part, Table, interval
from fairsum_utils.stats.intervals import difference_interval
from fairsum_utils.validation import count

Outcome: TypeAlias = Literal["pass", "fail", "undecided"]

# Outcome -> exit status of the command; 2 is that of bad input.
EXIT_STATUS: dict[Outcome, int] = {"pass": 0, "fail": 1, "undecided": 3}


@dataclass(frozen=True)
class Verdict:
    """The verdict of one rule.

    Attributes:
        rule: Rule as written.
        outcome: ``"pass"``, ``"fail"`` or ``"undecided"``.
        found: Sum of the rule's names; NaN if undefined.
        interval: Its interval, if the rule has one.
        reason: why the rule does not pass; empty where it does.
        level: Confidence level of the interval; None if unknown.
    """

    rule: str
    outcome: Outcome
    found: float
    interval: tuple[float, float] | None
    reason: str
    level: float | None = None

    def number(self) -> float | int:
        """Return the number for display: counts are integers."""
        return int(self.found) if self.found.is_integer() and self.interval is None else self.found

    def said(self) -> str:
        """Return the number and the reason on one line."""
        found = "" if math.isnan(self.found) else f"found {self.found:.6g}"
        if self.interval is not None:
            found += f", interval [{self.interval[0]:.6g}, {self.interval[1]:.6g}]"
        return ": ".join(filter(None, (found, self.reason)))


def decide(rule: Rule, results: Sheet, baseline: Sheet | None = None) -> Verdict:
    """Return the verdict of a rule on results.

    Example:
        >>> from fairsum_utils.gate.rules import parse_rule
        >>> from fairsum_utils.gate.sheet import sheet_of
        >>> sheet = sheet_of({"uer": {"uer": 0.04, "uer_ci": [0.03, 0.06], "n_samples": 100}})
        >>> decide(parse_rule("uer < 0.05"), sheet).outcome, decide(parse_rule("uer.ci_high < 0.02"), sheet).outcome
        ('pass', 'fail')
        >>> decide(parse_rule("uer.ci_high < 0.05"), sheet).reason
        'too few samples: the rule is true at only one end of [0.0300, 0.0600]; score more samples'
    """
    terms = [_Term(sign, name, _look_up(rule, name, results, baseline)) for sign, name in rule.terms]
    if idle := rule.idle([term.found.limits for term in terms]):
        results.refuse(rule, idle)
    given = _total(term.value(term.name) for term in terms)
    other = _total(term.value(term.name.other_end()) for term in terms)
    has_ends = any(term.name.end for term in terms)
    outcome, reason = _outcome(rule, terms, given, other)
    around = _sorted(given, other) if has_ends else terms[0].interval() if len(terms) == 1 else None
    return Verdict(rule.text, outcome, _float(given), around, reason, terms[0].found.level)


def overall(outcomes: Iterable[Outcome]) -> Outcome:
    """Combine outcomes: fail if any fails, else undecided if any is undecided.

    Example:
        >>> overall(["pass", "undecided", "fail"]), overall(["pass", "undecided"]), overall(["pass"])
        ('fail', 'undecided', 'pass')
    """
    return max(outcomes, key=("pass", "undecided", "fail").index)


@dataclass(frozen=True)
class _Term:
    """A signed name in a rule, with its number."""

    sign: int
    name: Name
    found: Found

    def value(self, name: Name) -> float | Fraction:
        """Return the signed number or interval end."""
        low, high = self.found.interval or (math.nan, math.nan)
        return self.sign * exact({"": self.found.number, "low": low, "high": high}[name.end])

    def interval(self) -> tuple[float, float] | None:
        """Return the signed interval."""
        return None if self.found.interval is None else _sorted(*(self.sign * end for end in self.found.interval))

    def undefined(self) -> str:
        """Why there is no number; empty where there is one."""
        if not math.isnan(self.value(self.name)) and not math.isnan(self.value(self.name.other_end())):
            return ""
        if self.found.undefined:
            return f"undefined: {self.found.undefined}"
        if self.name.end and self.found.interval is None:
            return "undefined: there is no interval; score with a confidence level, if the measure supports one"
        return "undefined"


def _outcome(
    rule: Rule, terms: Sequence[_Term], given: float | Fraction, other: float | Fraction
) -> tuple[Outcome, str]:
    """Return the outcome of a rule, with a reason unless it passes."""
    if nothing := next(filter(None, (term.found.nothing for term in terms)), ""):
        return "undecided", f"no conclusion: {re.split('[:;]', nothing)[0]}"
    if reason := next(filter(None, (term.undefined() for term in terms)), ""):
        return "undecided", reason
    if math.isnan(given) or math.isnan(other):  # infinity less infinity
        return "undecided", "undefined"
    if few := next((term.found for term in terms if term.found.few), None):
        return "undecided", f"too few {few.unit.several}: {re.split('[:;]', few.few)[0]}; score more"
    if rule.holds(given):
        return "pass", ""
    if given == other:
        return "fail", ""
    ends = interval(_sorted(given, other))
    if not rule.holds(other):
        return "fail", f"the rule is false at both ends of {ends}"
    return (
        "undecided",
        f"too few {terms[0].found.unit.several}: the rule is true at only one end of {ends}; score more",
    )


def _look_up(rule: Rule, name: Name, results: Sheet, baseline: Sheet | None) -> Found:
    """Return a name's entry in results, baseline or their difference."""
    if name.of == "results":
        return results.find(rule, name)
    if baseline is None:
        results.refuse(rule, "uses the baseline, but there is none; add --baseline FILE")
    after, before = results.find(rule, name), baseline.find(rule, name)
    results.check_comparable(baseline, rule, name)
    if name.of == "baseline":
        return before
    ends = None
    if after.interval is not None and before.interval is not None:
        if after.level != before.level:
            levels = f"{after.level or 'none'} in {results.where}, {before.level or 'none'} in {baseline.where}"
            results.refuse(
                rule, (f"the intervals have different confidence levels, {levels}; score both with the same level")
            )
        low, high = difference_interval(after.number, after.interval, before.number, before.interval)
        ends = (round(low, _DIGITS), round(high, _DIGITS))
    change = _float(exact(after.number) - exact(before.number))
    undefined = after.undefined or before.undefined
    limits = after.limits and (after.limits[0] - after.limits[1], after.limits[1] - after.limits[0])
    return Found(
        change,
        ends,
        undefined,
        after.few or before.few,
        after.level,
        limits,
        unit=after.unit,
        nothing=after.nothing or before.nothing,
    )


# Of an interval that was computed from others, after the point: 0.07 - 0.05 is 0.02.
_DIGITS = 12


def _total(numbers: Iterable[float | Fraction]) -> float | Fraction:
    """Return the sum, exact if all numbers are finite."""
    return sum(numbers, start=Fraction(0))


def _float(number: float | Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _sorted(one: float | Fraction, other: float | Fraction) -> tuple[float, float] | None:
    """Return a sorted interval; None if an end is undefined."""
    ends = _float(one), _float(other)
    return None if any(map(math.isnan, ends)) else (min(ends), max(ends))


@dataclass(frozen=True)
class CheckResult:
    """Result of `fairsum_utils.check`: one verdict per rule, and the overall outcome.

    Attributes:
        verdicts: Verdicts in rule order; each has ``rule``, ``outcome``, ``found``, ``interval`` and ``reason``.
        title: Name of the checked results.
        warnings: Warnings about the results, whether or not a rule concerns them.

    Example:
        >>> from fairsum_utils import check, score
        >>> results = score(["Tasty."], [["Tasty.", "Awful."]], [["pos", "neg"]], metrics=["uer"])
        >>> checked = check(results, ["uer.n_samples == 1", "uer < 0.5"])
        >>> checked.passed, checked.outcome, checked.exit_status, [verdict.outcome for verdict in checked.verdicts]
        (False, 'undecided', 3, ['pass', 'undecided'])
    """

    verdicts: tuple[Verdict, ...]
    title: str
    warnings: tuple[str, ...] = ()

    @property
    def outcome(self) -> Outcome:
        """``"fail"`` if any rule fails, else ``"undecided"`` if any is, else ``"pass"``."""
        return overall(verdict.outcome for verdict in self.verdicts)

    @property
    def passed(self) -> bool:
        """Return whether every rule passes."""
        return self.outcome == "pass"

    @property
    def exit_status(self) -> int:
        """Return the exit status: 0 pass, 1 fail, 3 undecided."""
        return EXIT_STATUS[self.outcome]

    def raise_unless_passed(self) -> None:
        """Do nothing if every rule passes.

        Raises:
            CheckFailed: one fails or is undecided; the message has the table.
        """
        if not self.passed:
            raise CheckFailed(self.report())

    def report(self) -> str:
        """Return the table of verdicts as text."""
        return self._in("text")

    def to_markdown(self) -> str:
        """Return the verdicts as Markdown, for example for a pull request."""
        return self._in("markdown")

    def to_junit(self) -> str:
        """Return the verdicts as JUnit XML: failures, and errors if undecided."""
        return as_junit(self.title, self.verdicts)

    def to_dict(self) -> dict[str, Any]:
        """Return outcome and verdicts as JSON values: None if undefined, ``"inf"``."""
        verdicts = [
            {
                "rule": each.rule,
                "outcome": each.outcome,
                "found": _plain(each.found),
                "interval": None if each.interval is None else list(map(_plain, each.interval)),
                "reason": each.reason,
            }
            for each in self.verdicts
        ]
        return {
            "outcome": self.outcome,
            "checked": self.title,
            "verdicts": verdicts,
            "warnings": list(self.warnings),
        }

    def __str__(self) -> str:
        """Return the table of verdicts."""
        return self.report()

    def _repr_html_(self) -> str:
        from fairsum_utils.reports.formats import notebook_page

        return notebook_page(None, self.parts())

    def _in(self, format: str) -> str:
        from fairsum_utils.reports.formats import FORMATS

        return FORMATS[format](self.parts())

    def parts(self) -> list[Part]:
        """Return the report's parts: outcome line, table and warnings."""

        n = {outcome: sum(each.outcome == outcome for each in self.verdicts) for outcome in EXIT_STATUS}
        told = [f"{n['pass']} of {count(len(self.verdicts), 'rule')} passed"]
        told += [f"{n['fail']} failed"] * (n["fail"] > 0) + [f"{n['undecided']} undecided"] * (n["undecided"] > 0)
        rows = [
            [" ".join(each.rule.split()), each.outcome, each.number(), interval(each.interval), each.reason]
            for each in self.verdicts
        ]
        header = ["rule", "outcome", "found", _ci_heading(self.verdicts), "reason"]
        table = Table(header, rows, n_texts=len(header))
        warnings = [[f"warning: {on_one_line(message)}" for message in self.warnings]] * bool(self.warnings)
        return [[f"{self.outcome}: {self.title}: {', '.join(told)}"], table, *warnings]


def _ci_heading(verdicts: Sequence[Verdict]) -> str:
    """Return the heading of the intervals, with their confidence level if they share one."""
    levels = {each.level for each in verdicts if each.interval is not None}
    level = levels.pop() if len(levels) == 1 else None
    return "CI" if level is None else f"{100 * level:g}% CI"


def _plain(number: float) -> float | str | None:
    return number if math.isfinite(number) else None if math.isnan(number) else str(number)


def check(results: Any, rules: str | os.PathLike[str] | Sequence[Any], baseline: Any = None) -> CheckResult:
    """Check results against rules, like ``fairsum check``.

    A rule is a comparison such as ``uer.ci_high < 0.05``; `fairsum_utils.gate.rules.parse_rule` tells what it may name.
    A rule on a number passes or fails. A rule on an end of an interval passes if it is true, fails if it is false
    at both ends, and is otherwise undecided. A rule is also undecided if its number is undefined,
    or if fewer than 30 samples have a score, unless it is about the number of samples.

    Args:
        results: Result of `score`, `compute`, `compare`, `compare_systems` or `combine`; a file written by ``save`` or
            ``--output``; the dict in such a file; or a list of these with different labels.
        rules: a rule, the path of a file with one rule per line or of a ``.toml`` file with ``rules = [...]``
            under ``[check]``, or a list of these.
        baseline: Results that ``baseline`` means in a rule, in the form of `results`.

    Returns:
        A result with ``verdicts``, ``outcome``, ``passed``, ``exit_status``, ``report()``, ``to_markdown()``,
        ``to_junit()``, ``to_dict()`` and ``raise_unless_passed()``; a notebook shows its table.

    Raises:
        InputError: there is no rule, something is no rule or no results, or a rule names what is not there, or has a
            bound that no score can reach.

    Example:
        >>> sources, values = [["Tasty soup.", "Awful soup."]] * 40, [["pos", "neg"]] * 40
        >>> from fairsum_utils import score
        >>> results = score(["Tasty."] * 40, sources, values, metrics=["uer"], confidence_level=0.95)
        >>> print(check(results, ["uer.ci_high < 0.3", "uer < 0.2"]).report())
        fail: the results: 1 of 2 rules passed, 1 failed
        <BLANKLINE>
        rule               outcome  found   95% CI            reason
        uer.ci_high < 0.3  pass     0.2749  [0.2251, 0.2749]
        uer < 0.2          fail     0.2500  [0.2251, 0.2749]
    """
    read = read_rules(rules)
    sheet = sheet_of(results)
    before = None if baseline is None else sheet_of(baseline, what="baseline")
    title = sheet.where
    if before is not None and any(rule.needs_baseline for rule in read):
        title = f"{title}, against {before.where}"
    return CheckResult(tuple(decide(rule, sheet, before) for rule in read), title, tuple(sheet.warnings))


# Outcome -> element of a test that has it. An undecided rule is an error, for a skipped one would look like a pass.
_TAGS: dict[Outcome, str] = {"fail": "failure", "undecided": "error"}

_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_junit(title: str, verdicts: Sequence[Verdict]) -> str:
    """Return a test suite with one test case per rule.

    Example:
        >>> print(as_junit("results.json", [Verdict("uer < 0.05", "fail", 0.25, None, "")]))
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="fairsum check" tests="1" failures="1" errors="0">
          <testsuite name="results.json" tests="1" failures="1" errors="0">
            <testcase classname="fairsum.check" name="uer &lt; 0.05">
              <failure message="found 0.25" type="fail" />
            </testcase>
          </testsuite>
        </testsuites>
    """
    counts = {
        "tests": str(len(verdicts)),
        "failures": str(sum(verdict.outcome == "fail" for verdict in verdicts)),
        "errors": str(sum(verdict.outcome == "undecided" for verdict in verdicts)),
    }
    root = ElementTree.Element("testsuites", {"name": "fairsum check", **counts})
    suite = ElementTree.SubElement(root, "testsuite", {"name": _xml_text(title), **counts})
    for verdict in verdicts:
        case = ElementTree.SubElement(
            suite, "testcase", {"classname": "fairsum.check", "name": _xml_text(verdict.rule)}
        )
        if verdict.outcome in _TAGS:
            said = {"message": _xml_text(verdict.said()), "type": verdict.outcome}
            ElementTree.SubElement(case, _TAGS[verdict.outcome], said)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}'


def _xml_text(text: str) -> str:
    """Return a text on one line, without characters invalid in XML."""
    return _NO_XML.sub("\ufffd", printable(" ".join(text.split())))
