"""Results of any kind, read for rules: what a call gave, what a file holds, of one system or of many."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from fairsum_utils._util.terminal import on_one_line
from fairsum_utils.errors import InputError
from fairsum_utils.families import family_of
from fairsum_utils.gate.sheet import Labelled, Parted, Sheet
from fairsum_utils.measures import Measure, get_measure
from fairsum_utils.validation import describe, is_missing

if TYPE_CHECKING:
    from fairsum_utils.results.record import Run
    from fairsum_utils.results.results import Shown


def sheet_of(results: Any, module: str = "check", what: str = "results") -> Sheet:
    """Read results of any kind."""
    several = isinstance(results, Sequence) and not isinstance(results, (str, bytes))
    given = list(results) if several else [results]
    if not given:
        raise InputError(f"{module}: {what} are an empty list; give at least one")
    found: dict[str, Labelled] = {}
    homes: dict[str, str] = {}
    warnings: list[str] = []
    for each in given:
        where = _where(each, what)
        read, said = _read(each, module, where)
        for label in read:
            if label in found:
                there = f"{homes[label]} and {where}" if homes[label] != where else f"two of the {what}"
                raise InputError(
                    f"{module}: {label!r} stands in {there}; check these one by one, or give them other labels"
                )
        found |= read
        homes |= dict.fromkeys(read, where)
        warnings += said
    return Sheet(found, list(dict.fromkeys(warnings)), ", ".join(dict.fromkeys(homes.values())), module)


def _where(results: Any, what: str) -> str:
    return on_one_line(os.fspath(results)) if isinstance(results, (str, os.PathLike)) else f"the {what}"


def _read(results: Any, module: str, where: str) -> tuple[dict[str, Labelled], list[str]]:
    """Label -> what stands there, and what the results have against them."""
    from fairsum_utils.results.record import whole_record

    with whole_record(f"{module}: {where}"):
        shown = _shown(results, module, where)
        whole = shown._whole()
        if not whole.has_scores or not whole._results():
            raise InputError(f"{module}: {where} has no scores; give what fairsum score or fairsum compare wrote")
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
    """Results of whatever form as what fairsum makes."""
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
    """A result, with what is known of its measure; its lists by the words that their entries begin with."""
    read = {name: entry if name == "warnings" else _parted(entry) for name, entry in entries.items()}
    if measure is None:
        return Labelled(read, key)
    return Labelled(read, key, (measure.low, measure.high), family_of(measure.name).unit)


def _parted(entry: Any) -> Any:
    """Key a list of mappings by their first words; return anything else unchanged."""
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
        _, message = warning["code"], warning["message"]  # both are there, or nothing can be said of the results
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
    """The difference of two systems, seen from the other one."""
    low, high = figures["difference_ci"]
    ends = [None if is_missing(end) else -end for end in (high, low)]
    difference = figures["difference"]
    return {**figures, "difference": None if is_missing(difference) else -difference, "difference_ci": ends}
