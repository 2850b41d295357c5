"""What a rule on a p-value claims: that a test finds an effect, or that it does not."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from fairsum_utils.gate.claims import Claim, Mean, Source, mean_of, refuse
from fairsum_utils.gate.rules import Name, Rule
from fairsum_utils.gate.sheet import Parted
from fairsum_utils.measures import get_measure, measure_names
from fairsum_utils.signature import settings_of
from fairsum_utils.stats.power import PValue
from fairsum_utils.validation import as_float

__all__ = ["is_on_p_value", "p_value_claim"]

_KEYS = ("p_value", "p_value_corrected")


def is_on_p_value(rule: Rule) -> bool:
    """Whether a rule is about a p-value.

    Example:
        >>> from fairsum_utils.gate.rules import parse_rule
        >>> is_on_p_value(parse_rule("order_sensitivity.p_value < 0.05")), is_on_p_value(parse_rule("bur < 0.05"))
        (True, False)
    """
    return any(name.keys[-1:] == (key,) for name in rule.names for key in _KEYS)


def p_value_claim(rule: Rule, source: Source) -> Claim:
    """What a rule on a p-value of a permutation test claims.

    In the long run the p-value of any effect goes to 0; of an effect below 0 that of a test for one above goes to 1.

    Args:
        rule: on the p-value of one test.
        source: what is known.

    Raises:
        InputError: the p-value is no such one, or nothing tells how far the score spreads.
    """
    [(sign, name), *more] = rule.terms
    if more or sign < 0 or name.of != "results":
        refuse(rule, "is about more than one p-value of the results; write a rule for each")
    if idle := rule.idle([(0.0, 1.0)]):
        refuse(rule, idle)
    entries, measure, null = _told(rule, name, source)
    tests = get_measure(measure).tests if measure in measure_names() else ""
    if name.keys[-1] == "p_value_corrected" or (tests == "any" and len(name.keys) == 1):
        refuse(rule, _one_of_several(rule, name, entries))
    if not tests or null is None:
        refuse(
            rule, f"is about a p-value whose test does not tell how far it spreads (null_sd); {_instead(name, entries)}"
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
    """What the p-value goes to; NaN where there is no effect, and it is any number."""
    if not mean.score:
        return math.nan if mean.deviation else 1.0
    return float(mean.score < 0 and not two_sided)


def _told(rule: Rule, name: Name, source: Source) -> tuple[Mapping[str, Any], str, float | None]:
    """What the results hold under the name's label, of which measure, and the standard deviation that the test tells.

    Without results nothing, the label, and 0; None for a standard deviation that is not told.
    """
    if source.results is None:
        return {}, name.label, 0.0
    null = as_float(source.results.find(rule, name).around.get("null_sd"))
    result = source.results.results[name.label]
    return result.entries, result.measure, None if math.isnan(null) else null


def _instead(name: Name, entries: Mapping[str, Any]) -> str:
    """What can be asked in place of a p-value."""
    keys = ("difference_ci",) if "difference_ci" in entries else (*name.keys[:-1], "ci")
    return f"ask for an end of an interval, such as {Name(name.label, keys, 'low')} > 0"


def _one_of_several(rule: Rule, name: Name, entries: Mapping[str, Any]) -> str:
    """Why a corrected p-value cannot be told, and which rule can be."""
    why = "is about a p-value that is corrected for several tests, which vary together in a way that is not known"
    tests = {path: leaf["p_value"] for path, leaf in _leaves(entries) if "p_value_corrected" in leaf}
    if not tests:
        return f"{why}; ask for one test, with the bound divided by their number"
    path = name.keys[:-1] or min(tests, key=lambda each: tests[each])
    one = Name(name.label, (*path, "p_value"))
    return f"{why}; of {len(tests)} tests ask for one: {one} {rule.operator} {rule.bound / len(tests):.4g}"


def _leaves(entries: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The entries of lists, with the words that are needed to name them."""
    for key, entry in entries.items():
        at = path if isinstance(entries, Parted) and len(entries) == 1 else (*path, key)
        if isinstance(entry, Parted):
            yield from _leaves(entry, at)
        elif isinstance(entries, Parted):
            yield at, entry


def _check_ways(rule: Rule, entries: Mapping[str, Any], flipped: bool) -> None:
    """Refuse a bound that no p-value reaches, however many units there are."""
    ways = settings_of(entries).get("n_permutations")
    if ways and not flipped and rule.bound * (ways + 1) < 1:
        refuse(rule, f"is never met with {ways} permutations, of which no p-value is below 1/{ways + 1}; draw more")
