"""Results of any kind, prepared for look-ups by rule names."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, Any, NoReturn

from fairsum_utils._util.terminal import on_one_line
from fairsum_utils.errors import InputError
from fairsum_utils.families import family_of
from fairsum_utils.families.contract import SAMPLE, UNITS, Unit
from fairsum_utils.families.effective import differing, settings_of
from fairsum_utils.families.warnings import FEW, says_nothing
from fairsum_utils.gate.rules import OVERALL, Name, Rule, named_rule
from fairsum_utils.measures import Measure, get_measure
from fairsum_utils.validation import as_float, describe, did_you_mean, is_missing

if TYPE_CHECKING:
    from fairsum_utils.results.record import Run
    from fairsum_utils.results.results import Shown

# Optional keys: `bur["lead"]` is `bur.systems["lead"]`.
_INSIDE = ("systems", "minus")
_HEADLINES = ("score", "difference")
# Numbers whose interval is called `ci`: defaults if only their parent is named.
_BY_CI = ("score", "gap", "primacy", "gain", "ratio", "log_odds_ratio")


@dataclass(frozen=True)
class Found:
    """The number or interval behind a name.

    Attributes:
        number: NaN where it is undefined.
        interval: around it, where there is one; its ends may be NaN.
        undefined: why the number, or its interval, is.
        few: Warning about a small sample; empty if the number of samples suffices or is irrelevant.
        level: Confidence level of the interval.
        limits: between which it always lies; None where that is not known.
        within: the interval around it that resamples the summaries of each input, where there is one.
        around: Entries next to the number.
        unit: Unit that it is computed from.
        interval_kind: Method of the interval; empty in results of versions that knew one only.
        nothing: why it says nothing of what it is asked, such as summaries that are all alike; empty where it does.
    """

    number: float
    interval: tuple[float, float] | None = None
    undefined: str = ""
    few: str = ""
    level: float | None = None
    limits: tuple[float, float] | None = None
    within: tuple[float, float] | None = None
    around: Mapping[str, Any] = field(default_factory=dict)
    unit: Unit = SAMPLE
    interval_kind: str = ""
    nothing: str = ""


class Parted(dict[str, Any]):
    """List entries by their leading words, such as outcome and variants.

    Words with only one alternative are optional.
    """


@dataclass(frozen=True)
class Labelled:
    """The result under a label.

    Attributes:
        entries: key -> entry. Of many systems ``systems`` has those of each, with ``minus`` those from each other.
        measure: the key of the score; empty where there is none.
        limits: between which the score always lies; None where that is not known.
        unit: Unit that it is computed from.
    """

    entries: Mapping[str, Any]
    measure: str
    limits: tuple[float, float] | None = None
    unit: Unit = SAMPLE


class Sheet:
    """Results under their labels, in which names are looked up."""

    def __init__(
        self, results: Mapping[str, Labelled], warnings: Sequence[str], where: str, module: str = "check"
    ) -> None:
        self.results, self.warnings, self.where, self.module = results, warnings, where, module

    def refuse(self, rule: Rule, message: str) -> NoReturn:
        """Refuse a rule that does not fit these results."""
        raise InputError(f"{named_rule(rule.text, self.module)}: {message}")

    def find(self, rule: Rule, name: Name) -> Found:
        """Look up a name of a rule."""
        return _Search(self, rule, name).found()

    def overall(self, key: str) -> float:
        """Return a number of all results: one of `OVERALL`."""
        if key == "warnings":
            return len(self.warnings)
        counts = [as_float(each.entries.get("n_samples")) for each in self.results.values()]
        return min((count for count in counts if not math.isnan(count)), default=math.nan)

    def check_comparable(self, baseline: Sheet, rule: Rule, name: Name) -> None:
        """Refuse to compare scores that were computed in different ways."""
        if not name.label:
            return
        mine, theirs = (settings_of(each.results[name.label].entries) for each in (self, baseline))
        different = differing(mine, theirs)
        if different and mine and theirs:
            here, there = (", ".join(f"{key}:{each.get(key, '-')}" for key in different) for each in (mine, theirs))
            self.refuse(
                rule,
                (
                    f"{name.label} was scored with {here} in {self.where}, but with {there} in {baseline.where}; score "
                    "both with the same settings"
                ),
            )


class _Search:
    """Looks a name up."""

    def __init__(self, sheet: Sheet, rule: Rule, name: Name) -> None:
        self.sheet, self.rule, self.name = sheet, rule, name

    def found(self) -> Found:
        name = self.name
        if not name.label:
            return Found(self.sheet.overall(name.keys[0]))
        if name.label not in self.sheet.results:
            labels = [_quoted(label) for label in self.sheet.results]
            guess = self._named_like_a_key() or did_you_mean(name.label, [*self.sheet.results, *OVERALL])
            self._fail(
                f"there is no {_quoted(name.label)} in {self.sheet.where}"
                f"{guess or '; found ' + ', '.join([*labels, *OVERALL])}"
            )
        result = self.sheet.results[name.label]
        place, entry = self._walk(result)
        few = "" if _is_count(place) else _few(result, place)
        nothing = "" if _is_count(place) else says_nothing(result.entries)
        reason = self._reason(result.entries, place)
        settings = settings_of(result.entries)
        level, kind = settings.get("confidence_level"), settings.get("interval", "")
        if name.end and name.of != "change":
            ends = self._ends(entry, place)
            limits = _limits(result, place)
            return Found(math.nan, ends, reason, few, level, limits, unit=result.unit, nothing=nothing)
        if isinstance(entry, Mapping):
            headline = _headline(result, place, entry)
            if not entry:
                self._fail(f"{self._said()} is empty; use another name")
            if headline not in entry:
                self._fail(f"{self._said()} is not a number; use one of {self._known(entry)}")
            place, entry = (*place, headline), entry[headline]
        if place[-1:] == ("warnings",) and isinstance(entry, Sequence) and not isinstance(entry, str):
            entry = len(entry)
        if isinstance(entry, (list, tuple)) and _ends_of(entry):
            self._fail(f"{self._said()} is an interval; use one of its ends, such as {self._said()}_high")
        number = as_float(entry)
        if math.isnan(number) and not is_missing(entry):
            self._fail(f"{self._said()} is not a number, found {describe(entry)}")
        ends, within = (_beside(result.entries, place, key) for key in ("ci", "ci_within"))
        around = _inside(result.entries, place[:-1])
        limits = _limits(result, place)
        return Found(number, ends, reason, few, level, limits, within, around, result.unit, kind, nothing)

    def _walk(self, result: Labelled) -> tuple[tuple[str, ...], Any]:
        """Return an entry and its full path, with optional keys."""
        place: tuple[str, ...] = ()
        entry: Any = result.entries
        keys = list(self.name.keys)
        while keys:
            key = keys.pop(0)
            place, entry = _past(place, entry, key)
            if not isinstance(entry, Mapping):
                self._fail(f"there is no {_quoted(key)} in {describe(entry)}")
            said_of = Name(self.name.label, self.name.keys[: -len(keys) - 1])
            headline = _headline(result, place, entry)
            may = not place or (len(place) == 2 and place[0] == _INSIDE[0])
            inside = [each for each in _INSIDE if may and isinstance(entry.get(each), Mapping) and key in entry[each]]
            if key in entry:
                place, entry = (*place, key), entry[key]
            elif f"{headline}_{key}" in entry:
                place, entry = (*place, f"{headline}_{key}"), entry[f"{headline}_{key}"]
            elif inside:
                place, entry = (*place, inside[0], key), entry[inside[0]][key]
            elif key in ("ci", "ci_within") and not keys and self.name.end and headline:
                return (*place, key), None  # results that were scored without intervals
            else:
                names = list(_spelled(entry, headline))
                said = f"{key}_{self.name.end}" if self.name.end and not keys else key
                guess = did_you_mean(said, names) or f"; it has {self._known(entry)}"
                self._fail(f"{said_of} has no {_quoted(said)}{guess}")
        return _past(place, entry)

    def _named_like_a_key(self) -> str:
        """Suggest `bur.bur_by_value` where a rule says `bur_by_value`."""
        key = self.name.label
        for label, result in self.sheet.results.items():
            if key in result.entries:
                return f"; write {Name(label, (key, *self.name.keys), self.name.end)}"
        return ""

    def _ends(self, entry: Any, place: Sequence[str]) -> tuple[float, float] | None:
        if is_missing(entry):
            return None
        ends = _ends_of(entry)
        if ends is None:
            self._fail(f"{self._said()} is not an interval, so it has no {self.name.end} end; found {describe(entry)}")
        return ends

    def _reason(self, entries: Mapping[str, Any], place: Sequence[str]) -> str:
        """Return why a value is undefined, from the innermost entry."""
        reason = ""
        entry: Any = entries
        for key in (*place, ""):
            if not isinstance(entry, Mapping):
                break
            said = entry.get("undefined")
            reason = str(said) if isinstance(said, str) else reason
            entry = entry.get(key)
        return reason

    def _said(self) -> str:
        return str(Name(self.name.label, self.name.keys))

    def _known(self, entries: Mapping[str, Any]) -> str:
        shown = list(dict.fromkeys(_spelled(entries, "")))
        more = f" and {len(shown) - _MOST} more" if len(shown) > _MOST else ""
        return ", ".join(map(_quoted, shown[:_MOST])) + more or "nothing"

    def _fail(self, message: str) -> NoReturn:
        self.sheet.refuse(self.rule, message)


# Names that a message lists.
_MOST = 20


def _headline(result: Labelled, place: tuple[str, ...], entries: Mapping[str, Any]) -> str:
    """Return the default key of a result or one of its systems."""
    if not place:
        return result.measure
    is_inside = len(place) > 1 and place[-2] in _INSIDE
    by_ci = _BY_CI if "ci" in entries else ("difference",) if "difference_ci" in entries else ()
    return next((key for key in (_HEADLINES if is_inside else by_ci) if key in entries), "")


def _quoted(name: str) -> str:
    return name if name.isidentifier() else repr(name)


def _spelled(entries: Mapping[str, Any], headline: str) -> Iterator[str]:
    """Return the names of numbers and interval ends, also short ones."""
    for key, entry in entries.items():
        keys = [str(key), str(key).removeprefix(f"{headline}_")] if headline else [str(key)]
        if key in _INSIDE and isinstance(entry, Mapping):
            yield from map(str, entry)
        elif isinstance(entry, (list, tuple)) and _ends_of(entry):
            yield from (f"{each}_{end}" for each in keys for end in ("low", "high"))
        elif isinstance(entry, (int, float, Mapping)) or entry is None or key == "warnings":
            yield from keys


def _ends_of(entry: Any) -> tuple[float, float] | None:
    """Return an interval's ends, NaN if undefined; otherwise None."""
    if not isinstance(entry, (list, tuple)) or len(entry) != 2:
        return None
    low, high = map(as_float, entry)
    if any(math.isnan(end) and not is_missing(each) for end, each in zip((low, high), entry, strict=True)):
        return None
    return low, high


def _past(place: tuple[str, ...], entry: Any, key: str | None = None) -> tuple[tuple[str, ...], Any]:
    """Return an entry below words that have only one alternative."""
    while isinstance(entry, Parted) and len(entry) == 1 and key not in entry:
        [(step, entry)] = entry.items()
        place = (*place, step)
    return place, entry


def _inside(entries: Mapping[str, Any], place: Sequence[str]) -> Any:
    """Return the entry at a path of keys; None if missing."""
    entry: Any = entries
    for step in place:
        entry = entry.get(step) if isinstance(entry, Mapping) else None
    return entry


def _beside(entries: Mapping[str, Any], place: Sequence[str], kind: str) -> tuple[float, float] | None:
    """Return a number's interval, stored under a parallel key."""
    for turn, key in reversed(list(enumerate(place))):
        others = f"{key}_{kind}", kind if key in _BY_CI else "", key.replace("proportions", "intervals")
        for instead in others if kind == "ci" else others[:2]:
            if not instead or instead == key:
                continue
            if ends := _ends_of(_inside(entries, (*place[:turn], instead, *place[turn + 1 :]))):
                return ends
    return None


def _is_count(place: Sequence[str]) -> bool:
    """Return whether a number is a count, valid for few samples."""
    steps = list(place)
    while len(steps) > 2 and steps[0] in _INSIDE:
        del steps[:2]
    counted = {key for unit in UNITS for key in unit.counted}
    return bool(steps) and (steps[0].startswith("n_") or steps[0] in ("warnings", "skipped") or steps[-1] in counted)


def _few(result: Labelled, place: Sequence[str]) -> str:
    """Return the warning about few samples of a result or part."""
    entries, unit = result.entries, result.unit
    warnings = [warning for warning in entries.get("warnings", ()) if warning["code"] == unit.few]
    if warnings:
        return str(warnings[0]["message"])
    for depth in range(1, len(place) + 1):
        part = _inside(entries, place[:depth])
        n = unit.number(part) if isinstance(part, Mapping) else math.nan
        if n < FEW:
            return f"only {n:g} {unit.several} for {place[depth - 1]}"
    for key, name in pairwise(place):
        counts = entries.get(f"n_by_{key.rpartition('_by_')[2]}") if "_by_" in key else None
        n = as_float(counts.get(name)) if isinstance(counts, Mapping) else math.nan
        if n < FEW:
            return f"only {n:g} for {name}"
    return ""


def _limits(result: Labelled, place: Sequence[str]) -> tuple[float, float] | None:
    """Return the range of a score, a difference or an interval end."""
    if result.limits is None or not (len(place) == 1 or place[0] == _INSIDE[0]):
        return None
    low, high = result.limits
    key = place[-1].removesuffix("_ci")
    if key == "difference":
        return low - high, high - low
    return result.limits if key in (result.measure, "score", "ci", "a", "b") else None


# Reading


def sheet_of(results: Any, module: str = "check", what: str = "results") -> Sheet:
    """Read results of any kind."""
    several = isinstance(results, Sequence) and not isinstance(results, (str, bytes))
    given = list(results) if several else [results]
    if not given:
        raise InputError(f"{module}: {what} are an empty list; give at least one result")
    found: dict[str, Labelled] = {}
    homes: dict[str, str] = {}
    warnings: list[str] = []
    for each in given:
        where = _where(each, what)
        read, said = _read(each, module, where)
        for label in read:
            if label in found:
                there = f"{homes[label]} and {where}" if homes[label] != where else f"two of the {what}"
                raise InputError(f"{module}: {label!r} is in {there}; check them separately, or use different labels")
        found |= read
        homes |= dict.fromkeys(read, where)
        warnings += said
    return Sheet(found, list(dict.fromkeys(warnings)), ", ".join(dict.fromkeys(homes.values())), module)


def _where(results: Any, what: str) -> str:
    return on_one_line(os.fspath(results)) if isinstance(results, (str, os.PathLike)) else f"the {what}"


def _read(results: Any, module: str, where: str) -> tuple[dict[str, Labelled], list[str]]:
    """Return entries by label, and warnings about the results."""
    from fairsum_utils.results.record import whole_record

    with whole_record(f"{module}: {where}"):
        shown = _shown(results, module, where)
        whole = shown._whole()
        if not whole.has_scores or not whole._results():
            raise InputError(f"{module}: {where} has no scores; use a file from fairsum score or fairsum compare")
        measures = {} if whole._systems() else whole._measures()
        found = {
            label: _labelled(_entries(whole, result), measures.get(label, ""), _measure(whole.run, label, result))
            for label, result in whole._results().items()
        }
        documents = [whole] * (whole.kind == "compare_systems")  # which has warnings of its own
        said = [message for entries in (*whole._results().values(), *documents) for message in _messages(entries)]
        for label, others in getattr(shown, "others", {}).items():
            found[label] = Labelled(others, label)
    return found, list(dict.fromkeys(said))


def _shown(results: Any, module: str, where: str) -> Shown:
    """Convert results of any form into the form fairsum makes."""
    from fairsum_utils.results import MeasureResult, ScoreResults
    from fairsum_utils.results.reading import results_of
    from fairsum_utils.results.record import read_record
    from fairsum_utils.results.results import Shown

    if isinstance(results, (str, os.PathLike)):
        return results_of(read_record(results, module), f"{module}: {where}")
    if isinstance(results, Shown):
        return results
    if not isinstance(results, Mapping):
        raise InputError(
            f"{module}: {where} must be results, or the path of a file with them, found {describe(results)}"
        )
    if isinstance(results.get("metrics"), Mapping):
        return results_of(results, f"{module}: {where}")
    if results and all(isinstance(result, Mapping) for result in results.values()):
        return ScoreResults(results)
    return MeasureResult(results)


def _measure(run: Run, label: str, result: Mapping[str, Any]) -> Measure | None:
    """Return the measure under a label."""
    try:
        return get_measure(run.measure(label, result))
    except InputError:  # a comparison under a label that its file tells nothing of
        return None


def _labelled(entries: Mapping[str, Any], key: str, measure: Measure | None) -> Labelled:
    """Return a result with its measure's properties and keyed lists."""
    read = {name: entry if name == "warnings" else _parted(entry) for name, entry in entries.items()}
    if measure is None:
        return Labelled(read, key)
    return Labelled(read, key, (measure.low, measure.high), family_of(measure.name).unit)


def _parted(entry: Any) -> Any:
    """Key a list of mappings by first words; leave others unchanged."""
    if not isinstance(entry, list) or not entry or not all(isinstance(each, Mapping) for each in entry):
        return entry
    words = [[*takewhile(lambda word: isinstance(word, str), each.values())] for each in entry]
    if not all(words) or len(set(map(len, words))) > 1 or len(set(map(tuple, words))) < len(words):
        return entry
    found = Parted()
    for (*before, last), each in zip(words, entry, strict=True):
        part = found
        for word in before:
            part = part.setdefault(word, Parted())
        part[last] = each
    return found


def _messages(entries: Mapping[str, Any]) -> Iterator[str]:
    for warning in entries.get("warnings", ()):
        _, message = warning["code"], warning["message"]  # raises if either is missing
        yield str(message)


def _entries(whole: Any, result: Mapping[str, Any]) -> Mapping[str, Any]:
    """Key -> entry; differences of many systems as what each system has."""
    if "systems" not in result or "differences" not in result:
        return result
    baseline = whole.get("baseline")
    systems: dict[str, dict[str, Any]] = {name: {**figures, "minus": {}} for name, figures in result["systems"].items()}
    for pair in result["differences"]:
        a, b = pair["a"], pair["b"]
        figures = {key: entry for key, entry in pair.items() if key not in ("a", "b")}
        systems[a]["minus"][b] = figures
        systems[b]["minus"][a] = _mirrored(figures)
        if b == baseline:
            systems[a] |= figures
    return {**{key: entry for key, entry in result.items() if key != "differences"}, "systems": systems}


def _mirrored(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return a difference of two systems with its sign reversed."""
    low, high = figures["difference_ci"]
    ends = [None if is_missing(end) else -end for end in (high, low)]
    difference = figures["difference"]
    return {**figures, "difference": None if is_missing(difference) else -difference, "difference_ci": ends}
