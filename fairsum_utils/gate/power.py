"""How many samples a rule needs, to pass or to fail with some power."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from fairsum_utils.errors import InputError
from fairsum_utils.family.settings import USUAL_LEVEL
from fairsum_utils.gate.claims import Source, claim_of, refuse
from fairsum_utils.gate.reading import sheet_of
from fairsum_utils.gate.rules import Rule
from fairsum_utils.gate.sources import read_rules
from fairsum_utils.results.needs import Needs
from fairsum_utils.validation import as_float, check_fraction, did_you_mean

__all__ = ["power"]


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

    The truth is taken to be the estimate, or what is expected. Shares of samples, such as BUR, are counted exactly, by
    the binomial distribution; other scores are taken as normal, with the standard deviation that their interval tells.
    With fewer than 30 samples no rule decides anything.

    Args:
        results: of any kind that `fairsum_utils.check` takes; None where there are none yet, and something is expected.
        rules: such as ``"uer.ci_high < 0.05"``, one or several, or files of them, as `fairsum_utils.check` takes them.
        baseline: results that rules compare with.
        expected: the score in the long run, where it is not that of the results: a number, or label -> number.
        sd: standard deviation of what one sample adds, also by label; None for that of the results, and without any for
            the largest there can be.
        power: the chance that is wanted, in [0.5, 1).
        confidence_level: of intervals, without results.

    Returns:
        For each rule what it needs, see `fairsum_utils.results.Needs`.

    Raises:
        InputError: a rule that cannot be read, or names what is not there; or an expectation that cannot be.

    Example:
        >>> need = power(rules="bur.ci_high < 0.05", expected=0.02)["bur.ci_high < 0.05"]
        >>> need["outcome"], need["n"]
        ('pass', 281)
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
        return _never(math.nan, "a score is hardly ever equal to a number; use <, <=, > or >=")
    claim = claim_of(rule, source)
    if claim.total == rule.bound and claim.varies:
        return _never(claim.total, "the expected value lies on the bound itself; no number of samples tells its side")
    n, n_each, now = claim.fewest(wanted), claim.fewest_each(wanted), claim.now()
    reason = None if claim.holds else "the expected value does not hold the rule"
    if n is None and n_each is not None:
        reason = f"the baseline has too few samples; with {n_each} on both sides it would do"
    return {
        "expected": claim.total,
        "outcome": "never" if n is None else "pass" if claim.holds else "fail",
        "n": n,
        "n_each": n_each,
        "n_now": claim.mean.n,
        "now": None if now is None else {"pass": now.met, "fail": now.broken, "undecided": now.neither},
        "reason": reason,
        "method": "normal" if claim.exactly is None else "binomial",
        "deviation": claim.mean.deviation,
    }


def _never(expected: float, reason: str) -> dict[str, Any]:
    empty = dict.fromkeys(("n", "n_each", "n_now", "now"))
    return {"expected": expected, "outcome": "never", **empty, "reason": reason, "method": None, "deviation": None}


def _count_need(rule: Rule, source: Source) -> dict[str, Any] | None:
    """What a rule needs that is about how many there are, which no chance decides; None if it is about something else.

    Raises:
        InputError: it is about warnings, or about several things.
    """
    last = {(name.keys or ("",))[-1] for name in rule.names}
    if not last & {"n_samples", "warnings"}:
        return None
    if last != {"n_samples"} or len(rule.terms) > 1 or rule.terms[0][0] < 0:
        refuse(rule, "is not about scores; how many samples it needs cannot be said")
    n = next((n for n in _near(rule.bound) if rule.holds(n)), None) if rule.operator[0] in ">=" else None
    if n is None:
        return _never(math.nan, "more samples do not help")
    now = None if source.results is None else source.results.find(rule, rule.names[0]).number
    told = None if now is None or math.isnan(now) else int(now)
    chances = None
    if told is not None:
        met = float(rule.holds(told))
        chances = {"pass": met, "fail": 1 - met, "undecided": 0.0}
    found = {"expected": rule.bound, "outcome": "pass", "n": n, "n_now": told, "now": chances}
    return {**_never(rule.bound, ""), **found, "reason": None}


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
