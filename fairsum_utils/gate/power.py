"""How many samples or originals a rule needs, to pass or to fail with some power."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from fairsum_utils.errors import InputError
from fairsum_utils.families.contract import UNITS, Unit
from fairsum_utils.families.settings import USUAL_LEVEL
from fairsum_utils.gate.claims import Claim, Source, claim_of, refuse, unit_of
from fairsum_utils.gate.p_values import is_on_p_value, p_value_claim
from fairsum_utils.gate.reading import sheet_of
from fairsum_utils.gate.rules import Rule
from fairsum_utils.gate.sources import read_rules
from fairsum_utils.results.gate import Needs
from fairsum_utils.validation import as_float, check_fraction, did_you_mean

__all__ = ["REPLICATES", "power"]

REPLICATES = (1, 2, 3, 5, 10)
"""Summaries of each input with which it is told how many originals are needed."""


def power(
    results: Any = None,
    *,
    rules: Any,
    baseline: Any = None,
    expected: float | Mapping[str, float] | None = None,
    sd: float | Mapping[str, float] | None = None,
    power: float = 0.8,
    confidence_level: float = USUAL_LEVEL,
) -> Needs:
    """How many samples rules need, so that each of them passes, or fails where the truth breaks it, with some power.

    Measures that are made from originals with several samples each, such as the counterfactual gap, need originals.
    The truth is taken to be the estimate, or what is expected. Shares of samples, such as BUR, are counted exactly, by
    the binomial distribution; other scores are taken as normal, with the standard deviation that their interval tells.
    So is what a permutation test makes of a p-value. With fewer than 30 samples or originals no rule decides anything.

    Args:
        results: of any kind that `fairsum_utils.check` takes; None where there are none yet, and something is expected.
        rules: such as ``"uer.ci_high < 0.05"``, one or several, or files of them, as `fairsum_utils.check` takes them.
        baseline: results that rules compare with.
        expected: the score in the long run, where it is not that of the results: a number, or label -> number.
        sd: standard deviation of what one sample or original adds, also by label; None for that of the results, and
            without any for the largest there can be.
        power: the chance that is wanted, in [0.5, 1).
        confidence_level: of intervals, without results.

    Returns:
        For each rule what it needs, see `fairsum_utils.results.Needs`.

    Raises:
        InputError: a rule that cannot be read, or names what is not there; or an expectation that cannot be.

    Example:
        >>> need = power(rules="bur.ci_high < 0.05", expected=0.02)["bur.ci_high < 0.05"]
        >>> need["outcome"], need["n"]
        ('pass', 327)
        >>> rule = "counterfactual_gap.p_value < 0.05"
        >>> need = power(rules=rule, expected=0.02, sd=0.1)[rule]
        >>> need["unit"], need["n"]
        ('original', 159)
    """
    parsed = list({str(rule): rule for rule in read_rules(rules, "power")}.values())
    wanted = check_fraction("power", "power", power)
    if not 0.5 <= wanted < 1:
        raise InputError(f"power: power must be at least 0.5 and below 1, found {power!r}")
    level = check_fraction("power", "confidence_level", confidence_level)
    if not 0 < level < 1:
        raise InputError(f"power: confidence_level must lie between 0 and 1, found {confidence_level!r}")
    source = Source(
        None if results is None else sheet_of(results, "power"),
        None if baseline is None else sheet_of(baseline, "power", "the baseline"),
        _by_label("expected", expected, parsed),
        _by_label("sd", sd, parsed),
        level,
    )
    needs = {rule.text: _need(rule, source, wanted) for rule in parsed}
    title = "no results yet" if source.results is None else source.results.where
    return Needs(needs, title=title, power=wanted)


def _need(rule: Rule, source: Source, wanted: float) -> dict[str, Any]:
    """What a rule needs."""
    if count := _count_need(rule, source):
        return count
    if rule.operator in ("==", "!="):
        unit = unit_of(rule.names[0].label, source)
        return _never(math.nan, "a score is hardly ever equal to a number; use <, <=, > or >=", unit)
    claim = p_value_claim(rule, source) if is_on_p_value(rule) else claim_of(rule, source)
    unit = claim.mean.unit
    if claim.varies and (claim.total == rule.bound or math.isnan(claim.total)):
        where = "is 0, where p-values are any" if math.isnan(claim.total) else "lies on the bound itself"
        return _never(claim.total, f"the expected value {where}; no number of {unit.several} tells its side", unit)
    n, n_each, now = claim.fewest(wanted), claim.fewest_each(wanted), claim.now()
    reason = None if claim.holds else _why_broken(rule)
    if n is None and n_each is not None:
        reason = f"the baseline has too few {unit.several}; with {n_each} on both sides it would do"
    return {
        "unit": unit.name,
        "expected": claim.total,
        "effect": claim.mean.score if is_on_p_value(rule) else None,
        "outcome": "never" if n is None else "pass" if claim.holds else "fail",
        "n": n,
        "n_each": n_each,
        "n_now": claim.mean.n,
        "now": None if now is None else {"pass": now.met, "fail": now.broken, "undecided": now.neither},
        "reason": reason,
        "method": "normal" if claim.exactly is None else "binomial",
        "deviation": claim.mean.deviation,
        "by_replicates": _by_replicates(claim, wanted),
    }


def _why_broken(rule: Rule) -> str:
    if is_on_p_value(rule) and rule.operator in (">", ">="):
        return "any effect, however small, is found in the end; ask for ci_high to show that it is small"
    return "the expected value does not hold the rule"


def _by_replicates(claim: Claim, wanted: float) -> dict[str, Any] | None:
    """What it needs with several summaries of each input; None of what knows no inputs."""
    replicates = claim.mean.replicates
    if replicates is None:
        return None
    claims = [(number, claim.with_replicates(number)) for number in REPLICATES]
    needs = [{"replicates": number, "n": each.fewest(wanted)} for number, each in claims if each is not None]
    return {"now": replicates.n, "needs": needs, "undefined": replicates.undefined or None}


def _never(expected: float, reason: str, unit: Unit) -> dict[str, Any]:
    empty = dict.fromkeys(("n", "n_each", "n_now", "now"))
    others = dict.fromkeys(("method", "deviation", "by_replicates"))
    told = {"unit": unit.name, "expected": expected, "effect": None, "outcome": "never"}
    return {**told, **empty, "reason": reason, **others}


def _count_need(rule: Rule, source: Source) -> dict[str, Any] | None:
    """What a rule needs that is about how many there are, which no chance decides; None if it is about something else.

    Raises:
        InputError: it is about warnings, or about several things.
    """
    last = {(name.keys or ("",))[-1] for name in rule.names}
    if not last & {*_COUNTED, "warnings"}:
        return None
    if not last <= _COUNTED.keys() or len(rule.terms) > 1 or rule.terms[0][0] < 0:
        refuse(rule, "is not about scores; how many samples it needs cannot be said")
    unit = _COUNTED[last.pop()]
    n = next((n for n in _near(rule.bound) if rule.holds(n)), None) if rule.operator[0] in ">=" else None
    if n is None:
        return _never(math.nan, f"more {unit.several} do not help", unit)
    now = None if source.results is None else source.results.find(rule, rule.names[0]).number
    told = None if now is None or math.isnan(now) else int(now)
    chances = None
    if told is not None:
        met = float(rule.holds(told))
        chances = {"pass": met, "fail": 1 - met, "undecided": 0.0}
    found = {"expected": rule.bound, "outcome": "pass", "n": n, "n_now": told, "now": chances}
    return {**_never(rule.bound, "", unit), **found, "reason": None}


_COUNTED = {key: unit for unit in UNITS for key in unit.counted}
"""Key of a result that says how many there are -> of what."""


def _near(bound: float) -> range:
    return range(max(math.floor(bound), 0), max(math.floor(bound), 0) + 2)


def _by_label(what: str, given: float | Mapping[str, float] | None, rules: Sequence[Rule]) -> dict[str, float]:
    """Label -> number.

    Raises:
        InputError: a number for several labels, one for none of them, or none.
    """
    if given is None:
        return {}
    labels = list(dict.fromkeys(name.label for rule in rules for name in rule.names if name.label))
    if not isinstance(given, Mapping):
        if len(labels) != 1:
            raise InputError(f"power: {what} is one number, and the rules name {', '.join(labels)}; give one for each")
        given = {labels[0]: given}
    numbers = {}
    for label, number in given.items():
        if label not in labels:
            guess = did_you_mean(label, labels) or f"; they name {', '.join(labels) or 'none'}"
            raise InputError(f"power: {what} is given for {label!r}, which no rule names{guess}")
        numbers[label] = as_float(number)
        if not math.isfinite(numbers[label]) or (what == "sd" and numbers[label] <= 0):
            raise InputError(
                f"power: {what} of {label} must be a {'positive ' * (what == 'sd')}number, found {number!r}"
            )
    return numbers
