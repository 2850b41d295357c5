"""Sample sizes: how many samples a rule needs to be decided."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from fairsum_utils.errors import InputError
from fairsum_utils.families.contract import UNITS, Unit
from fairsum_utils.families.effective import settings_of
from fairsum_utils.families.settings import USUAL_LEVEL
from fairsum_utils.gate.claims import Claim, Mean, Source, claim_of, mean_of, refuse, unit_of
from fairsum_utils.gate.rules import Name, Rule, read_rules
from fairsum_utils.gate.sheet import sheet_of
from fairsum_utils.measures import get_measure, measure_names
from fairsum_utils.results.gate import Needs
from fairsum_utils.stats.power import PValue
from fairsum_utils.validation import as_float, check_fraction, did_you_mean

_KEYS = ("p_value", "p_value_corrected")


def is_on_p_value(rule: Rule) -> bool:
    """Return whether a rule concerns a p-value.

    Example:
        >>> from fairsum_utils.gate.rules import parse_rule
        >>> is_on_p_value(parse_rule("order_sensitivity.p_value < 0.05")), is_on_p_value(parse_rule("bur < 0.05"))
        (True, False)
    """
    return any(name.keys[-1:] == (key,) for name in rule.names for key in _KEYS)


def p_value_claim(rule: Rule, source: Source) -> Claim:
    """Return a rule's claim on a permutation test's p-value.

    In the long run the p-value of any effect goes to 0; of an effect below 0 that of a test for one above goes to 1.
    """
    [(sign, name), *more] = rule.terms
    if more or sign < 0 or name.of != "results":
        refuse(rule, "uses more than one p-value; write a separate rule for each")
    if idle := rule.idle([(0.0, 1.0)]):
        refuse(rule, idle)
    entries, measure, null = _told(rule, name, source)
    tests = get_measure(measure).tests if measure in measure_names() else ""
    if name.keys[-1] == "p_value_corrected" or (tests == "any" and len(name.keys) == 1):
        refuse(
            rule,
            "uses a p-value corrected for several tests, whose joint variation is unknown; use one test, such as "
            "outcomes.length.p_value, and divide the bound by the number of tests",
        )
    if not tests or null is None:
        refuse(
            rule,
            "uses a p-value without a standard deviation (null_sd); use an end of an interval, such as ci_low > 0",
        )
    mean = mean_of(rule, replace(name, keys=name.keys[:-1]), source)
    # Without results an upper bound: permuted, a unit is about as far from 0 as it really is, at most.
    null = math.hypot(mean.deviation, mean.score) if mean.n is None else null * math.sqrt(mean.n)
    two_sided = tests != "greater"
    bound = PValue(mean.score, mean.deviation, null, rule.bound, two_sided)
    flipped = rule.operator in (">", ">=")
    _check_ways(rule, entries, flipped)
    return Claim(rule, mean, None, _in_the_long_run(mean, two_sided), bound, None, flipped)


def _in_the_long_run(mean: Mean, two_sided: bool) -> float:
    """Return the limit of the p-value; NaN without an effect."""
    if not mean.score:
        return math.nan if mean.deviation else 1.0
    return float(mean.score < 0 and not two_sided)


def _told(rule: Rule, name: Name, source: Source) -> tuple[Mapping[str, Any], str, float | None]:
    """Return entries, measure and null deviation of a label.

    Without results: no entries, the label, and 0. The standard deviation is None if unknown.
    """
    if source.results is None:
        return {}, name.label, 0.0
    null = as_float(source.results.find(rule, name).around.get("null_sd"))
    result = source.results.results[name.label]
    return result.entries, result.measure, None if math.isnan(null) else null


def _check_ways(rule: Rule, entries: Mapping[str, Any], flipped: bool) -> None:
    """Refuse a bound that no p-value reaches, however many units there are."""
    ways = settings_of(entries).get("n_permutations")
    if ways and not flipped and rule.bound * (ways + 1) < 1:
        refuse(
            rule,
            f"is impossible with {ways} permutations, because no p-value is below 1/{ways + 1}; use more permutations",
        )


# Numbers of summaries per input for which the required originals are computed.
REPLICATES = (1, 2, 3, 5, 10)


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
    """Compute the number of samples that decides rules with a given power.

    Measures that are made from originals with several samples each, such as the counterfactual gap, need originals.
    The truth is taken to be the estimate, or what is expected. Shares of samples, such as BUR, are counted exactly, by
    the binomial distribution; other scores are taken as normal, with the standard deviation that their interval tells.
    So is what a permutation test makes of a p-value. With fewer than 30 samples or originals no rule decides anything.

    Args:
        results: Results that `fairsum_utils.check` accepts; None if you have none yet and give `expected`.
        rules: such as ``"uer.ci_high < 0.05"``, one or several, or files of them, as `fairsum_utils.check` takes them.
        baseline: results that rules compare with.
        expected: the score in the long run, where it is not that of the results: a number, or label -> number.
        sd: standard deviation of what one sample or original adds, also by label; None for that of the results, and
            without any for the largest there can be.
        power: the chance that is wanted, in [0.5, 1).
        confidence_level: Confidence level of intervals, without results.

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
    """Return the need of one rule."""
    if count := _count_need(rule, source):
        return count
    if rule.operator in ("==", "!="):
        unit = unit_of(rule.names[0].label, source)
        return _never(math.nan, "a score almost never equals a number exactly; use <, <=, > or >=", unit)
    claim = p_value_claim(rule, source) if is_on_p_value(rule) else claim_of(rule, source)
    unit = claim.mean.unit
    if claim.varies and (claim.total == rule.bound or math.isnan(claim.total)):
        where = "is 0, so the p-value is random" if math.isnan(claim.total) else "equals the bound"
        return _never(claim.total, f"the expected value {where}; no number of {unit.several} decides the rule", unit)
    n, n_each, now = claim.fewest(wanted), claim.fewest_each(wanted), claim.now()
    reason = None if claim.holds else _why_broken(rule)
    if n is None and n_each is not None:
        reason = f"the baseline has too few {unit.several}; {n_each} on each side would be enough"
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
        return "with enough data every effect is found; use ci_high to show that it is small"
    return "the expected value violates the rule"


def _by_replicates(claim: Claim, wanted: float) -> dict[str, Any] | None:
    """Return the need with several summaries of each input; None without inputs."""
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
    """Return the need of a rule on a count, otherwise None."""
    last = {(name.keys or ("",))[-1] for name in rule.names}
    if not last & {*_COUNTED, "warnings"}:
        return None
    if not last <= _COUNTED.keys() or len(rule.terms) > 1 or rule.terms[0][0] < 0:
        refuse(rule, "is not about scores, so it has no required number of samples")
    unit = _COUNTED[last.pop()]
    n = next((n for n in _near(rule.bound) if rule.holds(n)), None) if rule.operator[0] in ">=" else None
    if n is None:
        return _never(math.nan, f"more {unit.several} would not help", unit)
    now = None if source.results is None else source.results.find(rule, rule.names[0]).number
    told = None if now is None or math.isnan(now) else int(now)
    chances = None
    if told is not None:
        met = float(rule.holds(told))
        chances = {"pass": met, "fail": 1 - met, "undecided": 0.0}
    found = {"expected": rule.bound, "outcome": "pass", "n": n, "n_now": told, "now": chances}
    return {**_never(rule.bound, "", unit), **found, "reason": None}


# Key of a result that says how many there are -> of what.
_COUNTED = {key: unit for unit in UNITS for key in unit.counted}


def _near(bound: float) -> range:
    return range(max(math.floor(bound), 0), max(math.floor(bound), 0) + 2)


def _by_label(what: str, given: float | Mapping[str, float] | None, rules: Sequence[Rule]) -> dict[str, float]:
    """Label -> number."""
    if given is None:
        return {}
    labels = list(dict.fromkeys(name.label for rule in rules for name in rule.names if name.label))
    if not isinstance(given, Mapping):
        if len(labels) != 1:
            raise InputError(
                f"power: {what} is one number, but the rules name {', '.join(labels)}; give one number for each"
            )
        given = {labels[0]: given}
    numbers = {}
    for label, number in given.items():
        if label not in labels:
            guess = did_you_mean(label, labels) or f"; the rules use {', '.join(labels) or 'none'}"
            raise InputError(f"power: {what} is given for {label!r}, but no rule uses {label!r}{guess}")
        numbers[label] = as_float(number)
        if not math.isfinite(numbers[label]) or (what == "sd" and numbers[label] <= 0):
            raise InputError(
                f"power: {what} of {label} must be a {'positive ' * (what == 'sd')}number, found {number!r}"
            )
    return numbers
