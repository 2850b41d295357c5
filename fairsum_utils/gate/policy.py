"""What a rule says of results: the one place where it is decided.

A rule on numbers passes or fails by the numbers. A rule on ends of intervals is a claim about what is certain: it
passes if it holds, fails if it does not even hold at the other ends, and between these there are too few samples to
tell. What is undefined decides nothing, and neither do results of too few samples, but for how many there are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from fairsum_utils.gate.rules import Name, Rule, exact
from fairsum_utils.gate.sheet import Found, Sheet
from fairsum_utils.reports.tables import interval
from fairsum_utils.stats.intervals import difference_interval

__all__ = ["EXIT_STATUS", "Outcome", "Verdict", "decide", "overall"]

Outcome: TypeAlias = Literal["pass", "fail", "undecided"]

EXIT_STATUS: dict[Outcome, int] = {"pass": 0, "fail": 1, "undecided": 3}
"""Outcome -> exit status of the command; 2 is that of bad input."""


@dataclass(frozen=True)
class Verdict:
    """What a rule says of results.

    Attributes:
        rule: as it was written.
        outcome: ``"pass"``, ``"fail"`` or ``"undecided"``.
        found: what the names of the rule add up to; NaN where that is undefined.
        interval: of that, where the rule is about an interval, or about one number that has one.
        reason: why the rule does not pass; empty where it does.
    """

    rule: str
    outcome: Outcome
    found: float
    interval: tuple[float, float] | None
    reason: str

    def number(self) -> float | int:
        """What was found, as it is shown: counts are whole."""
        return int(self.found) if self.found.is_integer() and self.interval is None else self.found

    def said(self) -> str:
        """What was found and why the rule does not pass, on one line."""
        found = "" if math.isnan(self.found) else f"found {self.found:.6g}"
        if self.interval is not None:
            found += f", interval [{self.interval[0]:.6g}, {self.interval[1]:.6g}]"
        return ": ".join(filter(None, (found, self.reason)))


def decide(rule: Rule, results: Sheet, baseline: Sheet | None = None) -> Verdict:
    """Hold results to a rule.

    Args:
        rule: see `fairsum_utils.gate.rules.parse_rule`.
        results: that are to meet it.
        baseline: what they are compared with, where the rule names it.

    Raises:
        InputError: the rule names what is not there, is no number, or was scored in another way in the baseline; or
            its bound is one that no score can reach.

    Example:
        >>> from fairsum_utils.gate.rules import parse_rule
        >>> from fairsum_utils.gate.reading import sheet_of
        >>> sheet = sheet_of({"uer": {"uer": 0.04, "uer_ci": [0.03, 0.06], "n_samples": 100}})
        >>> decide(parse_rule("uer < 0.05"), sheet).outcome, decide(parse_rule("uer.ci_high < 0.02"), sheet).outcome
        ('pass', 'fail')
        >>> decide(parse_rule("uer.ci_high < 0.05"), sheet).reason
        'too few samples to tell: it holds at one end of [0.0300, 0.0600] only; see fairsum power'
    """
    terms = [_Term(sign, name, _look_up(rule, name, results, baseline)) for sign, name in rule.terms]
    if idle := rule.idle([term.found.limits for term in terms]):
        results.refuse(rule, idle)
    given = _total(term.value(term.name) for term in terms)
    other = _total(term.value(term.name.other_end()) for term in terms)
    has_ends = any(term.name.end for term in terms)
    outcome, reason = _outcome(rule, terms, given, other)
    around = _sorted(given, other) if has_ends else terms[0].interval() if len(terms) == 1 else None
    return Verdict(rule.text, outcome, _float(given), around, reason)


def overall(outcomes: Iterable[Outcome]) -> Outcome:
    """What all rules together say: one that fails makes all fail, and one that is undecided leaves the rest so.

    Example:
        >>> overall(["pass", "undecided", "fail"]), overall(["pass", "undecided"]), overall(["pass"])
        ('fail', 'undecided', 'pass')
    """
    return max(outcomes, key=("pass", "undecided", "fail").index)


@dataclass(frozen=True)
class _Term:
    """A name of a rule, with its sign, and what it stands for."""

    sign: int
    name: Name
    found: Found

    def value(self, name: Name) -> float | Fraction:
        """The number, or the end that a name names, with the sign."""
        low, high = self.found.interval or (math.nan, math.nan)
        return self.sign * exact({"": self.found.number, "low": low, "high": high}[name.end])

    def interval(self) -> tuple[float, float] | None:
        """With the sign."""
        return None if self.found.interval is None else _sorted(*(self.sign * end for end in self.found.interval))

    def undefined(self) -> str:
        """Why there is no number; empty where there is one."""
        if not math.isnan(self.value(self.name)) and not math.isnan(self.value(self.name.other_end())):
            return ""
        if self.found.undefined:
            return f"undefined: {self.found.undefined}"
        if self.name.end and self.found.interval is None:
            return "undefined: there is no interval; score with a confidence level, if the measure has one"
        return "undefined"


def _outcome(
    rule: Rule, terms: Sequence[_Term], given: float | Fraction, other: float | Fraction
) -> tuple[Outcome, str]:
    """What the rule says, and why it does not pass."""
    if nothing := next(filter(None, (term.found.nothing for term in terms)), ""):
        return "undecided", f"says nothing: {nothing.partition(':')[0]}"
    if reason := next(filter(None, (term.undefined() for term in terms)), ""):
        return "undecided", reason
    if math.isnan(given) or math.isnan(other):  # infinity less infinity
        return "undecided", "undefined"
    if few := next((term.found for term in terms if term.found.few), None):
        return "undecided", f"too few {few.unit.several} to tell: {few.few.partition(':')[0]}; {_POWER}"
    if rule.holds(given):
        return "pass", ""
    if given == other:
        return "fail", ""
    ends = interval(_sorted(given, other))
    if not rule.holds(other):
        return "fail", f"it holds at neither end of {ends}"
    return "undecided", f"too few {terms[0].found.unit.several} to tell: it holds at one end of {ends} only; {_POWER}"


_POWER = "see fairsum power"


def _look_up(rule: Rule, name: Name, results: Sheet, baseline: Sheet | None) -> Found:
    """What a name stands for, in the results, the baseline or between them."""
    if name.of == "results":
        return results.find(rule, name)
    if baseline is None:
        results.refuse(rule, "names the baseline; give its results (--baseline FILE)")
    after, before = results.find(rule, name), baseline.find(rule, name)
    results.check_comparable(baseline, rule, name)
    if name.of == "baseline":
        return before
    ends = None
    if after.interval is not None and before.interval is not None:
        if after.level != before.level:
            levels = f"{after.level or 'none'} in {results.where}, {before.level or 'none'} in {baseline.where}"
            results.refuse(rule, f"the intervals have different levels of confidence, {levels}; score both with one")
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


_DIGITS = 12
"""Of an interval that was computed from others, after the point: 0.07 - 0.05 is 0.02."""


def _total(numbers: Iterable[float | Fraction]) -> float | Fraction:
    """The sum, exact where all numbers are finite."""
    return sum(numbers, start=Fraction(0))


def _float(number: float | Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _sorted(one: float | Fraction, other: float | Fraction) -> tuple[float, float] | None:
    """The interval with these ends; none where one is undefined."""
    ends = _float(one), _float(other)
    return None if any(map(math.isnan, ends)) else (min(ends), max(ends))
