"""Claims of rules, and the chance that new samples confirm them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import NormalDist
from typing import Any, NoReturn

from fairsum_utils.errors import InputError
from fairsum_utils.families import family_of
from fairsum_utils.families.contract import SAMPLE, Unit
from fairsum_utils.families.settings import USUAL_LEVEL
from fairsum_utils.families.warnings import FEW
from fairsum_utils.gate.rules import MIRRORED, Name, Rule, named_rule
from fairsum_utils.gate.sheet import Found, Sheet
from fairsum_utils.measures import get_measure, measure_names
from fairsum_utils.stats.intervals import (
    Moments,
    deviation_of,
    difference_interval,
    mean_interval,
    reach_of,
    share_interval,
)
from fairsum_utils.stats.power import (
    Bound,
    Chances,
    PValue,
    Replicated,
    fewest,
    fewest_of_share,
    largest_deviation,
    share_chances,
)
from fairsum_utils.validation import as_float, did_you_mean

_END = {"": 0, "low": -1, "high": 1}
# Samples from which on a share is as good as normal.
_MANY = 100_000


@dataclass(frozen=True)
class Source:
    """Knowledge before the samples are drawn.

    Attributes:
        results: there are; None for none.
        baseline: Baseline for rules; None without one.
        expected: label -> score in the long run, where it is not that of the results.
        deviations: label -> standard deviation of what one unit adds, where it is not that of the results.
        level: Confidence level without results.
    """

    results: Sheet | None
    baseline: Sheet | None
    expected: Mapping[str, float]
    deviations: Mapping[str, float]
    level: float


@dataclass(frozen=True)
class Replicates:
    """Several summaries of each input, exchangeable for more inputs.

    Attributes:
        n: Average number of summaries per input.
        parts: Variance parts that they average out; None if unknown.
        undefined: why not; empty where it can be.
    """

    n: float
    parts: Replicated | None = None
    undefined: str = ""


@dataclass(frozen=True)
class Mean:
    """A score in the long run.

    Attributes:
        score: Expected score.
        deviation: Standard deviation of one unit.
        n: units there are; None where there are none yet.
        reach: standard errors from it to the ends of its interval.
        is_share: True for a share of samples.
        limits: between which it always lies; None where that is not known.
        unit: Name of one unit.
        replicates: Summaries per input; None without inputs.
        skews: Excess width of each interval end over a normal one, as a share, times root n.
    """

    score: float
    deviation: float
    n: int | None
    reach: float
    is_share: bool
    limits: tuple[float, float] | None
    unit: Unit
    replicates: Replicates | None = None
    skews: tuple[float, float] = (0.0, 0.0)

    def widening(self, n: float) -> tuple[float, float]:
        """Return the width of both interval ends relative to normal."""
        low, high = (max(0.5, 1 + skew / math.sqrt(n)) for skew in self.skews)
        return low, high


@dataclass(frozen=True)
class Claim:
    """The claim of a rule.

    Attributes:
        rule: Rule with the claim.
        mean: the score that it is about.
        base: Baseline's score; None without a baseline.
        total: Long-run value of the rule's left side.
        bound: Bound on it, for normal scores.
        exactly: the chances of a share by the number of samples; None of what is none.
        flipped: True if the chances are those of violating the bound.
    """

    rule: Rule
    mean: Mean
    base: Mean | None
    total: float
    bound: Bound | PValue
    exactly: Callable[[Any], Any] | None
    flipped: bool = False

    @property
    def varies(self) -> bool:
        """Return whether samples differ at all."""
        return self.mean.deviation > 0 or (self.base is not None and self.base.deviation > 0)

    @cached_property
    def holds(self) -> bool:
        """Return whether the claim is true in the long run."""
        return self.rule.holds(self.total)

    def fewest(self, power: float) -> int | None:
        """Return the fewest units for a given power; None if impossible."""
        n = fewest(lambda n: self._answer(n, self._n_base), power)
        if self.exactly is not None and n is not None:
            exactly, part = self.exactly, self._part
            n = fewest_of_share(lambda ns: exactly(ns)[part], max(n, FEW), power)
        return None if n is None else max(n, FEW)

    def fewest_each(self, power: float) -> int | None:
        """Return the units per side, if equal; None without a baseline."""
        n = None if self.base is None else fewest(lambda n: self._answer(n, n), power)
        return None if n is None else max(n, FEW)

    def with_replicates(self, n: int) -> Claim | None:
        """Return the claim for `n` summaries of each input; None if unknown."""
        replicates = self.mean.replicates
        if replicates is None or replicates.parts is None:
            return None
        factor = replicates.parts.factor(n)
        bound = self.bound._replace(deviation=self.bound.deviation * factor)
        if isinstance(bound, PValue):
            bound = bound._replace(null=bound.null * factor)
        return replace(self, mean=replace(self.mean, deviation=self.mean.deviation * factor), bound=bound)

    def now(self) -> Chances | None:
        """Return the chances with the present number of units, or None."""
        n = self.mean.n
        if n is None or n < FEW:
            return None if n is None else Chances(0.0, 0.0)
        met, broken = self._chances(n, self._n_base) if self.exactly is None else self.exactly(n)
        return Chances(float(met), float(broken))

    @property
    def _n_base(self) -> int | None:
        return None if self.base is None else self.base.n

    @property
    def _part(self) -> int:
        """Index of the chance that belongs to the truth."""
        return 0 if self.holds else 1

    def _answer(self, n: float, n_base: float | None) -> float:
        return self._chances(n, n_base)[self._part]

    def _of_equal_scores(self, n: float) -> Chances:
        """Return the chances if all scores are equal."""
        [(sign, name)] = self.rule.terms
        assert self.mean.limits is not None
        level = math.erf(self.mean.reach / math.sqrt(2))
        ends = [sign * end for end in mean_interval(Moments(n, self.mean.score, 0.0, 0.0), level, self.mean.limits)]
        met = [self.rule.holds(end) for end in ends] if name.end else [self.rule.holds(sign * self.mean.score)]
        return Chances(float(met[0 if name.end == "low" else -1]), float(not any(met)))

    def _chances(self, n: float, n_base: float | None) -> Chances:
        if not self.varies and isinstance(self.bound, Bound) and self.base is None and self.mean.limits is not None:
            return self._of_equal_scores(n)
        if isinstance(self.bound, PValue):
            below, above = self.bound.chances(n)
            return Chances(above, below) if self.flipped else Chances(below, above)
        error = 0.0 if self.base is None else self.base.deviation / math.sqrt(n_base or math.inf)
        joint_reach = self.bound.joint_reach
        if joint_reach and self.mean.is_share and self.base is not None and n_base:
            joint_reach *= self._widening(n, n_base)
        bound = self.bound._replace(other=error, joint_reach=joint_reach)
        if not bound.reach or self.mean.is_share:
            return bound.chances(n)
        # A rule is met by one end of the interval, and broken by the other.
        low, high = (bound._replace(reach=bound.reach * wider).chances(n) for wider in self.mean.widening(n))
        asked = next(name.end for _, name in self.rule.terms if name.of == "results")
        return Chances(high.met, low.broken) if asked == "high" else Chances(low.met, high.broken)

    def _widening(self, n: float, n_base: float) -> float:
        """Return the relative width of the interval for a change of shares."""
        assert self.base is not None
        [(_, name)] = self.rule.terms
        shares = (self.mean.score, n), (self.base.score, n_base)
        if max(n, n_base) > _MANY or not all(0 < share < 1 for share, _ in shares):
            return 1.0
        level = math.erf(self.mean.reach / math.sqrt(2))
        (a, of_a), (b, of_b) = ((share, share_interval(share * size, size, level)) for share, size in shares)
        ends = difference_interval(a, of_a, b, of_b)
        normal = self.mean.reach * math.hypot(*(math.sqrt(share * (1 - share) / size) for share, size in shares))
        return abs(ends[name.end == "high"] - (a - b)) / normal


def claim_of(rule: Rule, source: Source) -> Claim:
    """Return a rule's claim on one score, with or without baseline."""
    results = [(sign, name) for sign, name in rule.terms if name.of != "baseline"]
    others = [(sign, name) for sign, name in rule.terms if name.of == "baseline"]
    if len(results) != 1 or len(others) > 1:
        refuse(rule, "adds several numbers, and their joint variation is unknown; write a separate rule for each")
    if any(each.end and each.keys[-1:] and each.keys[-1].endswith("ci_within") for each in rule.names):
        refuse(rule, "uses ci_within, an interval over other summaries of the same inputs; use ci_low or ci_high")
    (sign, name), (base_sign, base_name) = results[0], others[0] if others else (0, results[0][1])
    is_change = name.of == "change"
    mean = mean_of(rule, name, source)
    base = mean_of(rule, base_name, source, of_baseline=True) if is_change or others else None
    if base is None and (idle := rule.idle([mean.limits])):
        refuse(rule, idle)
    total = sign * mean.score
    if base is not None:
        total += (-sign if is_change else base_sign) * base.score
    way = 1 if rule.operator in ("<", "<=") else -1
    reach = way * sign * _END[name.end] * mean.reach
    bound = Bound(
        way * (rule.bound - total),
        mean.deviation,
        reach=0.0 if is_change else reach,
        other_reach=way * base_sign * _END[base_name.end] * base.reach if base is not None else 0.0,
        joint_reach=reach if is_change else 0.0,
    )
    exactly = _counted(rule, name, sign, mean) if mean.is_share and base is None else None
    return Claim(rule, mean, base, float(f"{total:.12g}"), bound, exactly)


def _counted(rule: Rule, name: Name, sign: int, mean: Mean) -> Callable[[Any], Any]:
    """Return the exact chances of a share by number of samples."""
    operator = rule.operator if sign > 0 else MIRRORED[rule.operator]
    share, number, tail = mean.score, sign * rule.bound, NormalDist().cdf(mean.reach)
    end = {"": 0.5, "low": 1 - tail, "high": tail}[name.end]
    if operator in (">", ">="):  # of the samples that do not count, less than the rest
        share, number, end = 1 - share, 1 - number, 1 - end
    return lambda n: share_chances(n, share, number, end=end, strict=operator in ("<", ">"))


def mean_of(rule: Rule, name: Name, source: Source, *, of_baseline: bool = False) -> Mean:
    """Return the expected score behind a name of a rule."""
    sheet = source.baseline if of_baseline else source.results
    expected = None if of_baseline else source.expected.get(name.label)
    deviation = None if of_baseline else source.deviations.get(name.label)
    if sheet is None:
        if of_baseline:
            refuse(rule, "uses the baseline, but there is none; give its results")
        return _supposed(rule, name, source, expected, deviation)
    score_name = replace(name, keys=_without_ends(name.keys), end="", of="results")
    found = sheet.find(rule, score_name)
    result = sheet.results[name.label]
    unit = result.unit
    own = unit.number(found.around) if score_name.keys else math.nan  # of a part, such as a pair of variants
    n = unit.number(result.entries) if math.isnan(own) else own
    level = float(found.level or USUAL_LEVEL)
    reach = reach_of(level)
    score = found.number if expected is None else expected
    if math.isnan(n) or math.isnan(score) or not n:
        refuse(
            rule,
            f"{score_name} is undefined in {sheet.where}; give results of {unit.several} where it is defined, or an "
            "expected value",
        )
    is_share = not score_name.keys and result.measure in measure_names() and _averages(result.measure) == "shares"
    if is_share:
        if not 0 <= score <= 1:
            refuse(rule, f"expects {score:g}, but {score_name} is a share between 0 and 1")
        deviation = math.sqrt(score * (1 - score))
    elif deviation is None:
        said = math.nan if score_name.keys else as_float(result.entries.get(f"{result.measure}_sd"))
        deviation = _deviation(rule, score_name, found, n, level) if math.isnan(said) else said
    replicates = _replicates(result.entries, found, deviation, n, level)
    skews = _skews(found, deviation, n, reach) if found.interval_kind == "two-point" else (0.0, 0.0)
    return Mean(score, deviation, int(n), reach, is_share, found.limits, unit, replicates, skews)


def _deviation(rule: Rule, name: Name, found: Found, n: float, level: float) -> float:
    """Read the standard deviation of one unit from an interval."""
    if found.interval is None or not all(map(math.isfinite, found.interval)):
        why = found.undefined or "score it with a confidence level"
        refuse(
            rule,
            f"{name} has no interval to estimate the variation of {found.unit.several} ({why}); or give the standard "
            f"deviation of {found.unit.several} (sd)",
        )
    return deviation_of(n, found.interval, level, expanded=bool(found.interval_kind))


def _skews(found: Found, deviation: float, n: float, reach: float) -> tuple[float, float]:
    """Estimate an interval's skew, which falls with root n."""
    normal = reach * deviation / math.sqrt(n)
    if found.interval is None or not all(map(math.isfinite, found.interval)) or not normal:
        return 0.0, 0.0
    low, high = (abs(end - found.number) / normal - 1 for end in found.interval)
    return low * math.sqrt(n), high * math.sqrt(n)


def _replicates(
    entries: Mapping[str, Any], found: Found, deviation: float, n: float, level: float
) -> Replicates | None:
    """Return the effect of several summaries of each input; None without inputs."""
    if "n_inputs" not in entries:
        return None
    n_inputs, n_several = entries["n_inputs"], entries["n_replicated"]
    each = entries["n_samples"] / n_inputs
    if n_several < n_inputs:
        some = f"only {n_several} of {n_inputs} inputs have" if n_several else "no input has"
        return Replicates(each, undefined=f"{some} several summaries, so their variation is unknown")
    if entries.get("floor") == "replicates" and "within" in entries:  # of a gap, whose floor gets another one, too
        return Replicates(each, undefined="summaries are compared with others of the same input; add controls")
    if found.within is None or not all(map(math.isfinite, found.within)):
        return Replicates(each, undefined="it has no interval over summaries (ci_within)")
    noise = as_float(found.around.get("pair_noise", 0.0))
    return Replicates(each, Replicated(deviation**2, deviation_of(n, found.within, level) ** 2, n * noise**2, each))


def _supposed(rule: Rule, name: Name, source: Source, expected: float | None, deviation: float | None) -> Mean:
    """Return an expected score, before any results."""
    reach = reach_of(source.level)
    label, keys = name.label, _without_ends(name.keys)
    if label not in measure_names() or keys or not _averages(label):
        able = [each for each in measure_names() if _averages(each)]
        guess = did_you_mean(label, able) or f"; without results, fairsum power supports {', '.join(able)}"
        units = unit_of(label, source).several
        refuse(rule, f"{replace(name, end='', keys=keys)} is not a mean over {units}{guess}")
    if expected is None:
        refuse(rule, f"needs results or an expected value of {label}")
    measure = get_measure(label)
    if not measure.low <= expected <= measure.high:
        refuse(rule, f"expects {expected:g}, but {label} lies between {measure.low:g} and {measure.high:g}")
    is_share = measure.averages == "shares"
    if deviation is None or is_share:
        deviation = largest_deviation(expected, measure.low, measure.high)
    limits = measure.low, measure.high
    return Mean(expected, deviation, None, reach, is_share, limits, family_of(label).unit)


def unit_of(label: str, source: Source) -> Unit:
    """Return the unit of a score."""
    if source.results is not None and label in source.results.results:
        return source.results.results[label].unit
    return family_of(label).unit if label in measure_names() else SAMPLE


def _averages(measure: str) -> str:
    return get_measure(measure).averages


def _without_ends(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return the keys of a number from those of its interval."""
    if not keys:
        return keys
    *before, last = keys
    name = "" if last == "ci" else last.removesuffix("_ci")
    return (*before, name) if name else tuple(before)


def refuse(rule: Rule, message: str) -> NoReturn:
    """Refuse a rule."""
    raise InputError(f"{named_rule(rule.text, 'power')}: {message}")
