"""Results of any kind, read for rules: what a call gave, what a file holds, of one system or of many."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.gate.sheet import Labelled, Sheet
from fairsum_utils.reports.formats import printable
from fairsum_utils.validation import describe, is_missing

__all__ = ["sheet_of"]


def sheet_of(results: Any, module: str = "check", what: str = "results") -> Sheet:
    """Read results of any kind.

    Args:
        results: of `fairsum_utils.score`, `compute`, `compare`, `compare_systems` or `combine`; the path of a file with
            such; the dict that such a file holds; or a list of these.
        module: name used in messages.
        what: they are called there.

    Raises:
        InputError: they are none, or two stand under one label.
    """
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
    return Sheet(found, warnings, ", ".join(dict.fromkeys(homes.values())) or what)


def _where(results: Any, what: str) -> str:
    if isinstance(results, (str, os.PathLike)):
        return printable(" ".join(os.fspath(results).split()))
    return f"the {what}"


def _read(results: Any, module: str, where: str) -> tuple[dict[str, Labelled], list[str]]:
    """Label -> what stands there, and what the results have against them."""
    try:
        whole = _whole(results, module, where)
        measures = {} if hasattr(whole, "_systems") and whole._systems() else whole._measures()
        found = {
            label: Labelled(_entries(whole, result), measures.get(label, ""))
            for label, result in whole._results().items()
        }
        said = [message for each in (*found.values(), Labelled(whole, "")) for message in _messages(each.entries)]
        for label, others in getattr(results, "others", {}).items():
            found[label] = Labelled(others, label)
    except FairSumError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # Whatever a document can hold, once somebody has changed it.
        raise InputError(
            f"{module}: {where} cannot be read as results ({type(error).__name__}: {error}); give what fairsum score "
            "or fairsum compare wrote"
        ) from error
    return found, list(dict.fromkeys(said))


def _whole(results: Any, module: str, where: str) -> Any:
    from fairsum_utils.results import ScoreResults, read_results
    from fairsum_utils.results.reading import results_of
    from fairsum_utils.results.shown import Shown

    if isinstance(results, (str, os.PathLike)):
        results = read_results(results)
    if isinstance(results, Shown):
        return results._whole()
    if not isinstance(results, Mapping):
        raise InputError(
            f"{module}: {where} must be results, or the path of a file with them, found {describe(results)}"
        )
    if isinstance(results.get("metrics"), Mapping):
        return results_of(results, f"{module}: {where}")._whole()
    if results and all(isinstance(result, Mapping) for result in results.values()):
        return ScoreResults(results)
    from fairsum_utils.results import MeasureResult

    return MeasureResult(results)._whole()


def _messages(entries: Mapping[str, Any]) -> Iterator[str]:
    for caution in entries.get("warnings", ()):
        yield str(caution["message"])


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
