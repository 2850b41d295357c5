"""How many samples a rule needs, to pass or to fail with some power."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any, NoReturn

from fairsum_utils.errors import InputError
from fairsum_utils.family.cautions import FEW
from fairsum_utils.family.settings import USUAL_LEVEL
from fairsum_utils.gate.reading import sheet_of
from fairsum_utils.gate.rules import MIRRORED, Name, Rule, named_rule
from fairsum_utils.gate.sheet import Sheet
from fairsum_utils.gate.sources import read_rules
from fairsum_utils.measures import get_measure, measure_names
from fairsum_utils.results.needs import Needs
from fairsum_utils.stats.power import Bound, Chances, fewest, fewest_of_share, largest_deviation, share_chances
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
        ('pass', 286)
    """
    parsed = list({str(rule): rule for rule in read_rules(rules, "power")}.values())
    wanted = check_fraction("power", "power", power)
    if not 0.5 <= wanted < 1:
        raise InputError(f"power: power must be at least 0.5 and below 1, found {power!r}")
    level = check_fraction("power", "confidence_level", confidence_level)
    if not 0 < level < 1:
        raise InputError(f"power: confidence_level must lie between 0 and 1, found {confidence_level!r}")
    source = _Source(
        None if results is None else sheet_of(results, "power"),
        None if baseline is None else sheet_of(baseline, "power", "the baseline"),
        _by_label("expected", expected, parsed),
        _by_label("sd", sd, parsed),
        level,
    )
    needs = {rule.text: _need(rule, source, wanted) for rule in parsed}
    title = "no results yet" if source.results is None else source.results.where
    return Needs(needs, title=title, power=wanted)


@dataclass(frozen=True)
class _Source:
    """What is known before the samples are drawn."""

    results: Sheet | None
    baseline: Sheet | None
    expected: Mapping[str, float]
    deviations: Mapping[str, float]
    level: float


@dataclass(frozen=True)
class _Mean:
    """A score in the long run.

    Attributes:
        score: that is expected.
        deviation: of one sample.
        n: samples there are; None where there are none yet.
        reach: standard errors from it to the ends of its interval.
        is_share: whether it is a share of samples.
    """

    score: float
    deviation: float
    n: int | None
    reach: float
    is_share: bool = False


def _need(rule: Rule, source: _Source, wanted: float) -> dict[str, Any]:
    """What a rule needs."""
    if count := _count_need(rule, source):
        return count
    own = [(sign, name) for sign, name in rule.terms if name.of != "baseline"]
    other = [(sign, name) for sign, name in rule.terms if name.of == "baseline"]
    if len(own) != 1 or len(other) > 1:
        _fail(rule, "adds up several numbers, and how these vary together is not known; write a rule for each")
    if rule.operator in ("==", "!="):
        return _never(math.nan, "a score is hardly ever equal to a number; use <, <=, > or >=")
    (sign, name), mean = own[0], _mean(rule, own[0][1], source)
    base = None
    if name.of == "change" or other:
        base = _mean(rule, other[0][1] if other else name, source, of_baseline=True)
        if base.n is None:
            _fail(rule, "names the baseline; give its results")
    factor = -sign if name.of == "change" else other[0][0] if other else 0
    total = sign * mean.score + factor * (base.score if base else 0.0)
    is_less = rule.operator in ("<", "<=")
    exact_total = float(f"{total:.12g}")
    varies = mean.deviation > 0 or (base is not None and base.deviation > 0)
    if exact_total == rule.bound and varies:
        return _never(exact_total, "the expected value lies on the bound itself; no number of samples tells its side")
    holds = rule.holds(exact_total)
    way = 1 if is_less else -1
    bound = Bound(
        way * (rule.bound - total),
        mean.deviation,
        reach=0.0 if name.of == "change" else way * sign * _END[name.end] * mean.reach,
        other_reach=way * other[0][0] * _END[other[0][1].end] * base.reach if other and base else 0.0,
        joint_reach=way * sign * _END[name.end] * mean.reach if name.of == "change" else 0.0,
    )
    exactly = _share_of(rule, name, sign, mean) if base is None else None

    def answer(n: float, n_base: float | None) -> Chances:
        error = 0.0 if base is None else base.deviation / math.sqrt(n_base or math.inf)
        return bound._replace(other=error).chances(n)

    def enough(chance: Any) -> int | None:
        about = fewest(chance, wanted)
        return None if about is None else max(about, FEW)

    part = 0 if holds else 1
    n_base = None if base is None else base.n
    n = enough(lambda n: answer(n, n_base)[part]) if varies else FEW
    if exactly is not None and varies:
        n = fewest_of_share(lambda ns: exactly(ns)[part], n, wanted)
        n = None if n is None else max(n, FEW)
    n_each = None if base is None else enough(lambda n: answer(n, n)[part])
    now = None
    if mean.n is not None:
        now = exactly(mean.n) if exactly is not None else answer(mean.n, n_base)
        now = Chances(0.0, 0.0) if mean.n < FEW else Chances(float(now[0]), float(now[1]))
    reason = None
    if not holds:
        reason = "the expected value does not hold the rule"
    if n is None:
        reason = f"the baseline has too few samples; with {n_each} on both sides it would do" if n_each else reason
    return {
        "expected": exact_total,
        "outcome": "never" if n is None else "pass" if holds else "fail",
        "n": n,
        "n_each": n_each,
        "n_now": mean.n,
        "now": None if now is None else {"pass": now.met, "fail": now.broken, "undecided": now.neither},
        "reason": reason,
        "method": "normal" if exactly is None else "binomial",
        "deviation": mean.deviation,
    }


_END = {"": 0, "low": -1, "high": 1}


def _share_of(rule: Rule, name: Name, sign: int, mean: _Mean) -> Any:
    """The exact chances of a share by the number of samples; None of what is none."""
    if not mean.is_share:
        return None
    operator = rule.operator if sign > 0 else MIRRORED[rule.operator]
    number = sign * rule.bound
    tail = NormalDist().cdf(mean.reach)
    quantile = {"": 0.5, "low": 1 - tail, "high": tail}[name.end]
    strict = operator in ("<", ">")
    share = mean.score
    if operator in (">", ">="):  # of the samples that do not count, less than the rest
        share, number, quantile = 1 - share, 1 - number, 1 - quantile
    return lambda n: share_chances(n, share, number, end=quantile, strict=strict)


def _never(expected: float, reason: str) -> dict[str, Any]:
    empty = dict.fromkeys(("n", "n_each", "n_now", "now"))
    return {"expected": expected, "outcome": "never", **empty, "reason": reason, "method": None, "deviation": None}


def _count_need(rule: Rule, source: _Source) -> dict[str, Any] | None:
    """What a rule needs that is about how many there are, which no chance decides; None if it is about something else.

    Raises:
        InputError: it is about warnings, or about several things.
    """
    last = {(name.keys or ("",))[-1] for name in rule.names}
    if not last & {"n_samples", "warnings"}:
        return None
    if last != {"n_samples"} or len(rule.terms) > 1 or rule.terms[0][0] < 0:
        _fail(rule, "is not about scores; how many samples it needs cannot be said")
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


def _mean(rule: Rule, name: Name, source: _Source, *, of_baseline: bool = False) -> _Mean:
    """The score that a name of a rule is about, as it is expected."""
    sheet = source.baseline if of_baseline else source.results
    expected = None if of_baseline else source.expected.get(name.label)
    deviation = None if of_baseline else source.deviations.get(name.label)
    if sheet is None:
        if of_baseline:
            _fail(rule, "names the baseline; give its results")
        return _supposed(rule, name, expected, deviation, source.level)
    score_name = replace(name, keys=_without_ends(name.keys), end="", of="results")
    found = sheet.find(rule, score_name)
    result = sheet.results[name.label]
    n = as_float(result.entries.get("n_samples"))
    level = float(found.level or USUAL_LEVEL)
    reach = NormalDist().inv_cdf((1 + level) / 2)
    is_share = not score_name.keys and result.measure in measure_names() and _averages(result.measure) == "shares"
    score = found.number if expected is None else expected
    if math.isnan(score) or math.isnan(n) or not n:
        _fail(rule, f"{score_name} is undefined in {sheet.where}; give results of samples that have it, or expect one")
    if deviation is None and is_share:
        if not 0 <= score <= 1:
            _fail(rule, f"expects {score:g}, and {score_name} is a share, from 0 to 1")
        deviation = math.sqrt(score * (1 - score))
    if deviation is None:
        if found.interval is None or not all(map(math.isfinite, found.interval)):
            _fail(
                rule,
                f"{score_name} has no interval in {sheet.where}, which tells how far samples spread; score it "
                "with a confidence level, or give the standard deviation of a sample",
            )
        deviation = math.sqrt(n) * (found.interval[1] - found.interval[0]) / (2 * reach)
    return _Mean(score, deviation, int(n), reach, is_share)


def _supposed(rule: Rule, name: Name, expected: float | None, deviation: float | None, level: float) -> _Mean:
    """A score of which there are no results yet."""
    reach = NormalDist().inv_cdf((1 + level) / 2)
    label, keys = name.label, _without_ends(name.keys)
    if label not in measure_names() or keys or not _averages(label):
        able = [each for each in measure_names() if _averages(each)]
        guess = did_you_mean(label, able) or f"; without results it can be said of {', '.join(able)}"
        _fail(rule, f"{replace(name, end='', keys=keys)} is no mean over samples{guess}")
    if expected is None:
        _fail(rule, f"needs results, or what is expected of {label}")
    measure = get_measure(label)
    if not measure.low <= expected <= measure.high:
        _fail(rule, f"expects {expected:g}, and {label} lies between {measure.low:g} and {measure.high:g}")
    is_share = measure.averages == "shares"
    if deviation is None or is_share:
        deviation = largest_deviation(expected, measure.low, measure.high)
    return _Mean(expected, deviation, None, reach, is_share)


def _averages(measure: str) -> str:
    return get_measure(measure).averages


def _without_ends(keys: tuple[str, ...]) -> tuple[str, ...]:
    """The keys of a number, from those of its interval."""
    if not keys:
        return keys
    *before, last = keys
    name = "" if last == "ci" else last.removesuffix("_ci")
    return (*before, name) if name else tuple(before)


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


def _fail(rule: Rule, message: str) -> NoReturn:
    raise InputError(f"{named_rule(rule.text, 'power')} {message}")
