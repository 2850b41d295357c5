"""Rules such as ``uer.ci_high < 0.05``, and verdicts on results."""

from __future__ import annotations

import ast
import json
import math
import operator
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeAlias
from xml.etree import ElementTree

from fairsum_utils._util.terminal import on_one_line, printable
from fairsum_utils.errors import CheckFailed, FileError, InputError
from fairsum_utils.families import family_of
from fairsum_utils.families.columns import SAMPLE, UNITS, Unit
from fairsum_utils.families.effective import differing
from fairsum_utils.families.warnings import some_of, why_uninformative
from fairsum_utils.measures import Measure, get_measure
from fairsum_utils.reports.tables import Marked, Part, Table, interval
from fairsum_utils.stats.intervals import FEWEST, difference_interval
from fairsum_utils.validation import as_float, count, describe, did_you_mean, is_missing

if TYPE_CHECKING:
    from fairsum_utils.results.results import Shown

Outcome: TypeAlias = Literal["pass", "fail", "undecided"]
Ends: TypeAlias = tuple[float, float]

EXIT_STATUS: dict[Outcome, int] = {"pass": 0, "fail": 1, "undecided": 3}
"""Outcome -> exit status of the command; 2 means bad input."""


# Rules

_COMPARISONS: dict[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_OVERALL = ("warnings", "n_samples")
"""Names about all results: their warnings, and the samples of the result with the fewest."""
_END = re.compile(r"(?:(.+)_)?(low|high)")
_FORM = (
    "a rule is a name, an operator and a number, such as 'uer.ci_high < 0.05' or 'uer - baseline < 0.02'; put labels "
    'and keys with special characters in quotes, as in bur.by_value["5"], and write 5% as 0.05'
)
_LONGEST = 120


@dataclass(frozen=True)
class Rule:
    """A name in results, or its change from a baseline, compared with a number.

    Attributes:
        text: text as written.
        label: label of the result; empty for a number of all results.
        keys: keys from the result to the number or interval; none for the score.
        end: end of the interval, ``"low"`` or ``"high"``; empty for a number.
        is_change: True for the name minus the same name in the baseline.
        compare: comparison of the number that it names with the bound.
        bound: number on the right side.
    """

    text: str
    label: str
    keys: tuple[str, ...]
    end: str
    is_change: bool
    compare: Callable[[float, float], bool]
    bound: float

    def holds(self, number: float) -> bool:
        """Return whether the rule is true for a number."""
        return self.compare(number, self.bound)

    def refuse(self, message: str) -> NoReturn:
        """Raise an error about the rule."""
        raise InputError(f"{_named('check', self.text)}: {message}")


def parse_rule(text: object, module: str = "check") -> Rule:
    """Read a rule.

    Example:
        >>> rule = parse_rule("uer.ci_high < 0.05")
        >>> rule.label, rule.keys, rule.end, rule.bound, rule.holds(0.04)
        ('uer', ('ci',), 'high', 0.05, True)
        >>> parse_rule('bur.by_value["pos"] - baseline <= 0.02').is_change
        True
    """
    if not isinstance(text, str):
        raise InputError(f"{module}: a rule must be a text such as 'uer.ci_high < 0.05', found {describe(text)}")
    where = _named(module, text)
    try:
        tree: Any = ast.parse(f"({text}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError(f"{where}: {_FORM}") from None
    if text.strip() and (isinstance(tree, (ast.BoolOp, ast.Tuple)) or len(getattr(tree, "ops", ())) > 1):
        raise InputError(f"{where}: combines several rules; write a separate rule for each")
    if not isinstance(tree, ast.Compare) or type(tree.ops[0]) not in _COMPARISONS:
        raise InputError(f"{where}: {_FORM}")
    node, of_change, is_change = tree.left, "", False
    match node:
        case ast.Attribute(ast.BinOp(name, ast.Sub(), ast.Name("baseline")), "ci_low" | "ci_high" as attribute):
            node, of_change, is_change = name, attribute.removeprefix("ci_"), True
        case ast.BinOp(name, ast.Sub(), ast.Name("baseline")):
            node, is_change = name, True
    bound, found = _number(tree.comparators[0]), _path(node)
    if bound is None or found is None:
        raise InputError(f"{where}: {_FORM}")
    label, keys, end = found
    if is_change and end:
        raise InputError(f"{where}: use (NAME - baseline).ci_low or (NAME - baseline).ci_high")
    if (end or of_change) and isinstance(tree.ops[0], (ast.Eq, ast.NotEq)):
        raise InputError(f"{where}: an end of an interval almost never equals a number exactly; use <, <=, > or >=")
    return Rule(text, label, keys, end or of_change, is_change, _COMPARISONS[type(tree.ops[0])], bound)


def _named(module: str, text: str) -> str:
    """Name a rule at the start of a message."""
    shown = repr(text)
    return f"{module}: rule {shown if len(shown) <= _LONGEST else f'{shown[:_LONGEST]}...'}"


def _number(node: ast.expr) -> float | None:
    """Return a finite number, or None."""
    try:
        number = ast.literal_eval(node)
        return float(number) if type(number) in (int, float) and math.isfinite(number) else None
    except (ValueError, TypeError, OverflowError, RecursionError):
        return None


def _path(node: ast.expr) -> tuple[str, tuple[str, ...], str] | None:
    """Return the label, keys and interval end of a name, or None."""
    keys: list[str] = []
    end = ""
    while True:
        match node:
            case ast.Attribute(inner, key):
                if not keys and not end and (found := _END.fullmatch(key)):
                    key, end = found[1], found[2]
                keys += [key] if key else []
                node = inner
            case ast.Subscript(inner, ast.Constant(str(key))):
                keys.append(key)
                node = inner
            case ast.Name(label) if label in _OVERALL and not keys and not end:
                return "", (label,), ""
            case ast.Name(label) | ast.Constant(str(label)) if label:
                return label, tuple(reversed(keys)), end
            case _:
                return None


def read_rules(rules: Any) -> list[Rule]:
    """Return rules from texts and files.

    Example:
        >>> [rule.label for rule in read_rules(["uer.ci_high < 0.05", "bur < 0.1"])]
        ['uer', 'bur']
    """
    several = isinstance(rules, Sequence) and not isinstance(rules, (str, bytes))
    found: list[Rule] = []
    for each in rules if several else [rules]:
        name = os.fspath(each).strip() if isinstance(each, (str, os.PathLike)) else ""
        if isinstance(each, os.PathLike) or name.endswith((".toml", ".txt")) or _is_there(name):
            found += [parse_rule(rule, f"check: {name}") for rule in _listed(name)]
        else:
            found.append(parse_rule(each))
    if not found:
        raise InputError("check: there is no rule; give at least one")
    return found


def _is_there(name: str) -> bool:
    """Return whether a file or a pipe has this name."""
    return os.path.exists(name) and not os.path.isdir(name)  # noqa: PTH110, PTH112


def _listed(path: str) -> list[Any]:
    """Read rules from TOML, or from lines of text with # comments."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
        if not path.endswith(".toml"):
            lines = (line.strip() for line in text.splitlines())
            return [line for line in lines if line and not line.startswith("#")]
        table: Any = tomllib.loads(text)
    except FileNotFoundError:
        raise FileError(f"check: there is no file {path}; a rule is text such as 'uer.ci_high < 0.05'") from None
    except (OSError, ValueError, RecursionError) as error:
        raise FileError(f"check: {path} cannot be read as rules: {error}") from None
    section = table.get("check", table)
    rules = section.get("rules") if isinstance(section, Mapping) else None
    rules = [rules] if isinstance(rules, str) else rules
    if not isinstance(rules, list):
        raise InputError(
            f"check: {path} has no list of rules, found {describe(rules)}; add [check] and, below it, "
            'rules = ["uer.ci_high < 0.05"]'
        )
    return rules


# Names in results

_INSIDE = ("systems", "minus")
"""Optional keys: ``bur["lead"]`` is ``bur.systems["lead"]``."""
_BY_CI = ("score", "gap", "primacy", "gain", "ratio", "log_odds_ratio")
"""Numbers whose interval is called ``ci``; the default if only their parent is named."""
_DIFFERENCE = ("difference", "difference_ci", "p_value", "p_value_corrected")
"""Numbers about a system and its baseline."""
_COMPARED = "system - baseline"
"""Key of the names of both beside their difference."""
_DIGITS = 12
"""Digits of a computed interval: 0.07 - 0.05 is 0.02."""

Place: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True)
class _Found:
    """A number or an interval in results.

    Attributes:
        number: number; NaN if undefined or if only the interval was named.
        interval: interval around it; None without one.
        level: confidence level; None if unknown.
        unit: unit that it is computed from.
        limits: range of possible values; None if unknown.
        undefined: reason why the number or its interval is undefined.
        few: message that too few samples are behind it; empty if there are enough.
        nothing: warning that makes it meaningless.
        systems: names of the system and the baseline, if it is a difference between systems.
    """

    number: float
    interval: Ends | None = None
    level: float | None = None
    unit: Unit = SAMPLE
    limits: Ends | None = None
    undefined: str = ""
    few: str = ""
    nothing: str = ""
    systems: tuple[str, str] | None = None


@dataclass(frozen=True)
class _Result:
    """The result under a label: entries, key of its score, and measure, if known."""

    entries: Mapping[str, Any]
    key: str
    measure: type[Measure] | None = None

    @property
    def unit(self) -> Unit:
        return SAMPLE if self.measure is None else family_of(self.measure.name).unit


@dataclass(frozen=True)
class _Sheet:
    """Results by label, their warnings, and where they are from."""

    results: Mapping[str, _Result]
    warnings: Sequence[str]
    where: str

    def find(self, rule: Rule) -> _Found:
        """Look up the name of a rule."""
        if not rule.label:
            counts = [as_float(each.entries.get("n_samples")) for each in self.results.values()]
            fewest = min((number for number in counts if not math.isnan(number)), default=math.nan)
            return _Found(len(self.warnings) if rule.keys == ("warnings",) else fewest)
        if rule.label not in self.results:
            known = [*self.results, *_OVERALL]
            guess = did_you_mean(rule.label, known) or f"; found {some_of([*map(_quoted, known)])}"
            rule.refuse(f"there is no {_quoted(rule.label)} in {self.where}{guess}")
        return _look_up(rule, self.results[rule.label])


def _look_up(rule: Rule, result: _Result) -> _Found:
    place, entry = _walk(rule, result)
    spelled = _spelled(rule.label, rule.keys)
    of_change = rule.is_change and rule.end
    if isinstance(entry, Mapping) and (not rule.end or of_change):
        headline = _headline(result, place, entry)
        if headline not in entry:
            rule.refuse(f"{spelled} is not a number; use one of {_known(entry)}" if entry else f"{spelled} is empty")
        place, entry = (*place, headline), entry[headline]
    number, ends = math.nan, _ends(entry)
    if not rule.end or of_change:
        if ends:
            rule.refuse(f"{spelled} is an interval; use one of its ends, such as {spelled}_high")
        number, ends = as_float(entry), _beside(result.entries, place)
        if math.isnan(number) and not is_missing(entry):
            rule.refuse(f"{spelled} is not a number, found {describe(entry)}")
    elif ends is None and not is_missing(entry):
        rule.refuse(f"{spelled} is not an interval, so it has no {rule.end} end; found {describe(entry)}")
    last = str(place[-1])
    is_count = _is_count(place)
    return _Found(
        number,
        None if ends is None or any(map(math.isnan, ends)) else ends,
        result.entries.get("settings", {}).get("confidence_level"),
        result.unit,
        _limits(result, place),
        _undefined(result.entries, place),
        "" if is_count else _few(result, place),
        "" if is_count or last.endswith("multi_value") else why_uninformative(result.entries),
        _of_difference(result.entries, place),
    )


def _walk(rule: Rule, result: _Result) -> tuple[Place, Any]:
    """Return an entry and its place, with the keys that a rule may omit."""
    place: Place = ()
    entry: Any = result.entries
    keys = list(rule.keys)
    while True:
        if place[-1:] == ("warnings",) and isinstance(entry, (list, tuple)):
            entry = len(entry)
        if isinstance(entry, (list, tuple)) and entry and all(isinstance(each, Mapping) for each in entry):
            index = _pick(rule, entry, keys)
            place, entry = (*place, index), entry[index]
        if not keys:
            return place, entry
        key = keys.pop(0)
        if not isinstance(entry, Mapping):
            rule.refuse(f"there is no {_quoted(key)} in {describe(entry)}")
        headline = _headline(result, place, entry)
        has_inside = not place or (len(place) == 2 and place[0] == _INSIDE[0])
        inside = [each for each in _INSIDE if has_inside and key in (entry.get(each) or ())]
        if key in entry or f"{headline}_{key}" in entry:
            steps: Place = (key if key in entry else f"{headline}_{key}",)
        elif inside:
            steps = (inside[0], key)
        elif key == "ci" and not keys and rule.end and headline:
            return (*place, key), None  # scored without intervals
        else:
            spelled = f"{key}_{rule.end}" if rule.end and not keys else key
            parent = _spelled(rule.label, rule.keys[: len(rule.keys) - len(keys) - 1])
            guess = did_you_mean(spelled, list(_names(entry, headline))) or f"; it has {_known(entry)}"
            if key in _DIFFERENCE and not place and _INSIDE[0] in entry:
                guess = (
                    f"; name one of its systems, as in {_spelled(rule.label, (list(entry[_INSIDE[0]])[-1],))}.{spelled}"
                )
            rule.refuse(f"{parent} has no {_quoted(spelled)}{guess}")
        place, entry = (*place, *steps), _at(entry, steps)


def _pick(rule: Rule, entries: Sequence[Mapping[str, Any]], keys: list[str]) -> int:
    """Choose the list entry whose leading words include the next keys; remove these."""
    words: list[list[str]] = [[*takewhile(lambda each: isinstance(each, str), entry.values())] for entry in entries]
    left = dict(enumerate(words))
    while keys and any(keys[0] in words for words in left.values()):
        key = keys.pop(0)
        left = {index: words[words.index(key) + 1 :] for index, words in left.items() if key in words}
    if len(left) > 1:
        known = dict.fromkeys(word for words in left.values() for word in words[:1])
        spelled = _spelled(rule.label, rule.keys[: len(rule.keys) - len(keys)])
        rule.refuse(f"{spelled} is one of {len(left)} entries of a list; name one of {', '.join(map(_quoted, known))}")
    return next(iter(left))


def _at(entries: Any, place: Place) -> Any:
    """Return the entry at a place; None if there is none."""
    entry = entries
    for step in place:
        try:
            entry = entry[step]
        except (KeyError, IndexError, TypeError):
            return None
    return entry


def _headline(result: _Result, place: Place, entries: Mapping[str, Any]) -> str:
    """Return the number that is meant if only its parent is named."""
    if not place:
        return result.key
    if len(place) > 1 and place[-2] in _INSIDE:
        known: tuple[str, ...] = ("score", "difference")
    else:
        known = _BY_CI if "ci" in entries else ("difference",) if "difference_ci" in entries else ()
    return next((key for key in known if key in entries), "")


def _ends(entry: Any) -> Ends | None:
    """Return the ends of an interval, NaN if undefined; None for anything else."""
    if not isinstance(entry, (list, tuple)) or len(entry) != 2:
        return None
    low, high = map(as_float, entry)
    if any(math.isnan(end) and not is_missing(each) for end, each in zip((low, high), entry, strict=True)):
        return None
    return low, high


def _beside(entries: Mapping[str, Any], place: Place) -> Ends | None:
    """Return the interval of a number, which is stored under a parallel key."""
    for turn, key in reversed(list(enumerate(map(str, place)))):
        for other in (f"{key}_ci", "ci" if key in _BY_CI else "", key.replace("proportions", "intervals")):
            if other != key and (ends := _ends(_at(entries, (*place[:turn], other, *place[turn + 1 :])))):
                return ends
    return None


def _undefined(entries: Mapping[str, Any], place: Place) -> str:
    """Return why an entry is undefined, from the innermost reason."""
    reasons_by_key = _at(entries, (*place[:-1], "reasons"))
    if isinstance(reasons_by_key, Mapping) and (reason := reasons_by_key.get(f"{place[-1]}_ci")):
        return str(reason)
    parts = (_at(entries, place[:depth]) for depth in range(len(place), -1, -1))
    reasons = (part.get("undefined") for part in parts if isinstance(part, Mapping))
    return next((reason for reason in reasons if isinstance(reason, str)), "")


def _is_count(place: Place) -> bool:
    """Return whether a number is a count, which few samples decide, too."""
    steps = [*map(str, place)]
    while len(steps) > 2 and steps[0] in _INSIDE:
        del steps[:2]
    counted = {key for unit in UNITS for key in unit.counted}
    return steps[0].startswith("n_") or steps[0] in ("warnings", "skipped") or steps[-1] in counted


def _of_difference(entries: Mapping[str, Any], place: Place) -> tuple[str, str] | None:
    """Return the names of the system and the baseline of a difference between systems."""
    systems: tuple[str, str] | None = _at(entries, (*place[:-1], _COMPARED))
    return systems if str(place[-1]) in _DIFFERENCE else None


def _few(result: _Result, place: Place) -> str:
    """Return a message if fewer than `FEWEST` samples are behind an entry."""
    parts = [_at(result.entries, place[:depth]) for depth in range(len(place))]
    numbers = [result.unit.number(part) for part in parts if isinstance(part, Mapping)]
    for key, name in pairwise(map(str, place)):
        counts = result.entries.get(f"n_by_{key.rpartition('_by_')[2]}") if "_by_" in key else None
        numbers += [as_float(counts.get(name))] if isinstance(counts, Mapping) else []
    if str(place[-1]).endswith("multi_value"):
        numbers.append(as_float(result.entries.get("n_multi_value")))
    fewest = min((number for number in numbers if number < FEWEST), default=FEWEST)
    return f"only {fewest:g} behind this number" if fewest < FEWEST else ""


def _limits(result: _Result, place: Place) -> Ends | None:
    """Return the range of a score, a difference or an end of their interval."""
    if result.measure is None or not (len(place) == 1 or place[0] == _INSIDE[0]):
        return None
    low, high, key = result.measure.low, result.measure.high, str(place[-1]).removesuffix("_ci")
    if key == "difference":
        return low - high, high - low
    return (low, high) if key in (result.key, "score", "ci") else None


def _quoted(name: str) -> str:
    return name if name.isidentifier() else repr(name)


def _spelled(label: str, keys: Iterable[str]) -> str:
    """Write a name as a rule does."""
    steps = (f".{key}" if key.isidentifier() else f"[{json.dumps(key, ensure_ascii=False)}]" for key in keys)
    return _quoted(label) + "".join(steps)


def _names(entries: Mapping[str, Any], headline: str = "") -> Iterator[str]:
    """Yield the names of numbers and interval ends, also without the headline."""
    for key, entry in entries.items():
        spellings = dict.fromkeys((str(key), str(key).removeprefix(f"{headline}_") if headline else str(key)))
        if key in _INSIDE and isinstance(entry, Mapping):
            yield from map(str, entry)
        elif _ends(entry):
            yield from (f"{each}_{end}" for each in spellings for end in ("low", "high"))
        elif isinstance(entry, (int, float, Mapping)) or entry is None or key == "warnings":
            yield from spellings


def _known(entries: Mapping[str, Any]) -> str:
    return some_of([*map(_quoted, dict.fromkeys(_names(entries)))]) or "nothing"


# Reading of results


def _sheet(results: Any, what: str = "results") -> _Sheet:
    """Read results in memory, in a file, or a list of these."""
    several = isinstance(results, Sequence) and not isinstance(results, (str, bytes))
    given = list(results) if several else [results]
    if not given:
        raise InputError(f"check: {what} are an empty list; give at least one result")
    found: dict[str, _Result] = {}
    homes: dict[str, str] = {}
    warnings: list[str] = []
    for each in given:
        where = on_one_line(os.fspath(each)) if isinstance(each, (str, os.PathLike)) else f"the {what}"
        read, messages = _read(each, where)
        for label in read.keys() & found.keys():
            there = f"{homes[label]} and {where}" if homes[label] != where else f"two of the {what}"
            raise InputError(f"check: {label!r} is in {there}; check them separately, or use different labels")
        found |= read
        homes |= dict.fromkeys(read, where)
        warnings += messages
    return _Sheet(found, list(dict.fromkeys(warnings)), ", ".join(dict.fromkeys(homes.values())))


def _read(results: Any, where: str) -> tuple[dict[str, _Result], list[str]]:
    """Return results by label, and the messages of their warnings."""
    from fairsum_utils.results.record import whole_record

    with whole_record(f"check: {where}"):
        shown = _shown(results, where)
        whole = shown.whole()
        if not whole.has_scores or not whole.by_label():
            raise InputError(f"check: {where} has no scores; use a file from fairsum score or fairsum compare")
        keys = {} if whole.systems else whole.measure_by_label()
        found = {
            label: _Result(_by_system(whole, result), keys.get(label, ""), measure)
            for label, result in whole.by_label().items()
            for measure in [get_measure(whole.run.measure(label, result))]
        }
        recorded = [each for result in whole.by_label().values() for each in result.get("warnings", ())]
        recorded += whole.warnings
        messages = {str(each["message"]): each["code"] for each in recorded}
        others = {label: _Result(entries, label) for label, entries in getattr(shown, "others", {}).items()}
    return found | others, list(messages)


def _shown(results: Any, where: str) -> Shown:
    """Convert results of any form into ours."""
    from fairsum_utils.results import MeasureResult, ScoreResults
    from fairsum_utils.results.reading import results_of
    from fairsum_utils.results.record import read_record
    from fairsum_utils.results.results import Shown

    if isinstance(results, (str, os.PathLike)):
        return results_of(read_record(results, "check"), f"check: {where}")
    if isinstance(results, Shown):
        return results
    if not isinstance(results, Mapping):
        raise InputError(f"check: {where} must be results, or the path of a file with them, found {describe(results)}")
    if isinstance(results.get("metrics"), Mapping):
        return results_of(results, f"check: {where}")
    if results and all(isinstance(result, Mapping) for result in results.values()):
        return ScoreResults(results)
    return MeasureResult(results)


def _by_system(whole: Any, result: Mapping[str, Any]) -> Mapping[str, Any]:
    """Store differences under ``minus`` of each system, with the names of both."""
    if not whole.systems:
        return result
    systems: dict[str, dict[str, Any]] = {name: {**figures, "minus": {}} for name, figures in result["systems"].items()}
    figures: dict[str, Any] = {}
    for pair in result["differences"]:
        system, other = names = pair["system"], pair["baseline"]
        figures = {key: entry for key, entry in pair.items() if key not in ("system", "baseline")}
        figures[_COMPARED] = names
        low, high = (None if is_missing(end) else -end for end in pair["difference_ci"])
        difference = None if is_missing(pair["difference"]) else -pair["difference"]
        turned = {"difference": difference, "difference_ci": [high, low], _COMPARED: names[::-1]}
        systems[system]["minus"][other] = figures
        systems[other]["minus"][system] = figures | turned
        if other == whole.baseline:
            systems[system] |= figures
    others = {key: entry for key, entry in result.items() if key != "differences"}
    return {**others, **(figures if len(systems) == 2 else {}), "systems": systems}


# Verdicts


@dataclass(frozen=True)
class Verdict:
    """The verdict on one rule.

    Attributes:
        rule: rule as written.
        outcome: ``"pass"``, ``"fail"`` or ``"undecided"``.
        found: number or interval end that the rule names; NaN if undefined.
        interval: its interval, if it has one.
        reason: reason why the rule does not pass; empty where it does.
        level: confidence level of the interval; None if unknown.
        systems: names of the system and the baseline, if the rule is about their difference.
    """

    rule: str
    outcome: Outcome
    found: float
    interval: Ends | None
    reason: str
    level: float | None = None
    systems: tuple[str, str] | None = None

    @property
    def difference(self) -> str:
        """Say which system minus which the rule is about; empty for other rules."""
        return "" if self.systems is None else " minus ".join(self.systems)

    def number(self) -> Marked | int:
        """Return the number for display: counts are integers, others have all digits."""
        return int(self.found) if self.found.is_integer() and self.interval is None else Marked(self.found)

    def explained(self) -> str:
        """Return the number and the reason on one line."""
        found = "" if math.isnan(self.found) else f"found {self.found:.6g}"
        if self.interval is not None:
            found += f", interval [{self.interval[0]:.6g}, {self.interval[1]:.6g}]"
        return ": ".join(filter(None, (self.difference, found, self.reason)))


def _decide(rule: Rule, results: _Sheet, baseline: _Sheet | None) -> Verdict:
    """Return the verdict on a rule."""
    found = _change(rule, results, baseline) if rule.is_change else results.find(rule)
    low, high = found.limits or (-math.inf, math.inf)
    if not min(low, -1) <= rule.bound <= max(high, 1):  # clearly a percentage
        rule.refuse(f"the value always lies between {low:g} and {high:g}; scores are fractions, so write 5% as 0.05")
    low, high = found.interval or (math.nan, math.nan)
    named, other = {"": (found.number,) * 2, "low": (low, high), "high": (high, low)}[rule.end]
    outcome, reason = _outcome(rule, found, named, other)
    return Verdict(rule.text, outcome, float(named), found.interval, reason, found.level, found.systems)


def _outcome(rule: Rule, found: _Found, named: float, other: float) -> tuple[Outcome, str]:
    """Return the outcome of a rule, with a reason unless it passes."""
    if found.nothing:
        return "undecided", f"no conclusion: {re.split('[:;]', found.nothing)[0]}"
    if math.isnan(named):
        missing = "there is no interval; score with a confidence level, if the measure supports one"
        reason = found.undefined or (missing if rule.end else "")
        return "undecided", f"undefined: {reason}" if reason else "undefined"
    if found.few:
        return "undecided", f"too few {found.unit.several}: {found.few}; score more"
    if rule.holds(named):
        return "pass", ""
    if rule.holds(other):
        ends = interval(found.interval)
        return "undecided", f"too few {found.unit.several}: the rule is true at only one end of {ends}; score more"
    return "fail", "" if named == other else f"the rule is false at both ends of {interval(found.interval)}"


def _change(rule: Rule, results: _Sheet, baseline: _Sheet | None) -> _Found:
    """Return the change of a name from the baseline to the results."""
    if baseline is None:
        rule.refuse("uses the baseline, but there is none; add --baseline FILE")
    after, before = results.find(rule), baseline.find(rule)
    if rule.label:
        _check_comparable(rule, results, baseline)
    number, ends = after.number - before.number, None
    if math.isfinite(number):  # as decimals, so that 0.07 - 0.05 is 0.02
        number = float(Decimal(repr(float(after.number))) - Decimal(repr(float(before.number))))
    if rule.end and after.interval and before.interval:
        if after.level != before.level:
            levels = f"{after.level or 'none'} in {results.where}, {before.level or 'none'} in {baseline.where}"
            rule.refuse(f"the intervals have different confidence levels, {levels}; score both with the same level")
        low, high = difference_interval(after.number, after.interval, before.number, before.interval)
        ends = None if math.isnan(low) or math.isnan(high) else (round(low, _DIGITS), round(high, _DIGITS))
    return replace(
        after,
        number=number,
        interval=ends,
        limits=after.limits and (after.limits[0] - after.limits[1], after.limits[1] - after.limits[0]),
        undefined=after.undefined or before.undefined,
        few=after.few or before.few,
        nothing=after.nothing or before.nothing,
    )


def _check_comparable(rule: Rule, results: _Sheet, baseline: _Sheet) -> None:
    """Refuse scores that were computed with different settings."""
    mine, theirs = (each.results[rule.label].entries.get("settings", {}) for each in (results, baseline))
    different = differing(mine, theirs)
    if different and mine and theirs:
        here, there = (", ".join(f"{key}:{each.get(key, '-')}" for key in different) for each in (mine, theirs))
        rule.refuse(
            f"{rule.label} was scored with {here} in {results.where}, but with {there} in {baseline.where}; score both "
            "with the same settings"
        )


def _title(rules: Iterable[Rule], results: _Sheet, baseline: _Sheet | None) -> str:
    """Name what was checked, and the baseline if a rule uses it."""
    if baseline is None or not any(rule.is_change for rule in rules):
        return results.where
    return f"{results.where}, against {baseline.where}"


@dataclass(frozen=True)
class CheckResult:
    """Result of `fairsum_utils.check`: one verdict per rule, and the overall outcome.

    Attributes:
        verdicts: verdicts in rule order; each has ``rule``, ``outcome``, ``found``, ``interval``, ``reason`` and, of a
            difference between systems, ``systems``: the names of the system and the baseline.
        title: name of the checked results.
        warnings: warnings about the results, whether or not a rule concerns them.

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
        order: tuple[Outcome, ...] = ("pass", "undecided", "fail")
        return max((verdict.outcome for verdict in self.verdicts), key=order.index)

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
                **dict(zip(("system", "baseline"), each.systems or (), strict=False)),
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
        from fairsum_utils.reports.html import notebook_page

        return notebook_page(None, self.parts())

    def _in(self, format: str) -> str:
        from fairsum_utils.reports.formats import FORMATS

        return FORMATS[format](self.parts())

    def parts(self) -> list[Part]:
        """Return the report's parts: outcome line, table and warnings."""
        n = {outcome: sum(each.outcome == outcome for each in self.verdicts) for outcome in EXIT_STATUS}
        lines = [f"{n['pass']} of {count(len(self.verdicts), 'rule')} passed"]
        lines += [f"{n['fail']} failed"] * (n["fail"] > 0) + [f"{n['undecided']} undecided"] * (n["undecided"] > 0)
        of_systems = any(each.systems for each in self.verdicts)
        rows = [
            [
                " ".join(each.rule.split()),
                *[each.difference] * of_systems,
                each.outcome,
                each.number(),
                interval(each.interval),
                each.reason,
            ]
            for each in self.verdicts
        ]
        levels = {each.level for each in self.verdicts if each.interval is not None}
        level = levels.pop() if len(levels) == 1 else None
        ci = "CI" if level is None else f"{100 * level:g}% CI"
        header = ["rule", *["difference"] * of_systems, "outcome", "found", ci, "reason"]
        table = Table(header, rows, n_texts=len(header))
        warnings = [[f"warning: {on_one_line(message)}" for message in self.warnings]] * bool(self.warnings)
        return [[f"{self.outcome}: {self.title}: {', '.join(lines)}"], table, *warnings]


def _plain(number: float) -> float | str | None:
    return number if math.isfinite(number) else None if math.isnan(number) else str(number)


def check(results: Any, rules: str | os.PathLike[str] | Sequence[Any], baseline: Any = None) -> CheckResult:
    """Check results against rules, like ``fairsum check``.

    A rule is a name, one of ``<``, ``<=``, ``>``, ``>=``, ``==``, ``!=``, and a number. A name is one of

    - ``uer``: the score under that label. Put a label with special characters in quotes: ``"bur@0.9"``;
    - ``uer.ci_low``, ``uer.ci_high``: an end of its interval;
    - ``uer.n_samples``, ``uer.warnings`` (how many), ``bur.bur_by_value["pos"]``: any number of the result, by its
      keys;
    - ``bur.difference_ci_high`` of two systems, ``bur["gpt4"].difference_ci_high`` of several: the system minus the
      baseline. The verdict names both;
    - ``warnings``, ``n_samples``: of all results, how many warnings, and the samples of the result with the fewest;
    - ``bur - baseline``: the change of a name from the baseline's results, with ends ``(bur - baseline).ci_high``.

    A rule on a number passes or fails. A rule on an end of an interval passes if it is true, fails if it is false
    at both ends, and is otherwise undecided. A rule is also undecided if its number is undefined, if fewer than 20
    samples (or originals) have a score, or if half of the samples have sources of one group only, unless it is about a
    count.

    Args:
        results: result of `score`, `compute`, `compare` or `combine`; a file written by ``save`` or
            ``--output``; the dict in such a file; or a list of these with different labels.
        rules: a rule, the path of a file with one rule per line or of a ``.toml`` file with ``rules = [...]``
            under ``[check]``, or a list of these.
        baseline: results that ``baseline`` means in a rule, in the form of `results`.

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
    read, sheet = read_rules(rules), _sheet(results)
    before = None if baseline is None else _sheet(baseline, "baseline")
    verdicts = tuple(_decide(rule, sheet, before) for rule in read)
    return CheckResult(verdicts, _title(read, sheet, before), tuple(sheet.warnings))


_TAGS: dict[Outcome, str] = {"fail": "failure", "undecided": "error"}
"""Outcome -> element of a JUnit test. An undecided rule is an error, because a skipped test looks like a pass."""
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
            attributes = {"message": _xml_text(verdict.explained()), "type": verdict.outcome}
            ElementTree.SubElement(case, _TAGS[verdict.outcome], attributes)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}'


def _xml_text(text: str) -> str:
    """Return a text on one line, without characters invalid in XML."""
    return _NO_XML.sub("\ufffd", printable(" ".join(text.split())))
