"""Every measure on valid and on wrong input: a case is drawn, called twice, and its result or error checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

import fairsum_utils
from fairsum_utils.errors import FairSumError
from fairsum_utils.families import family_of
from tests.fuzz import odd, options, resources, samples
from tests.fuzz.oracles import Found, check_result, check_shown, outcome, plain, quietly, same

Columns = dict[str, Any]


class Case(NamedTuple):
    """A call; `sample` is the index of the sample at fault, where one is."""

    measure: str
    columns: Columns
    settings: dict[str, Any]
    is_wrong: bool = False
    sample: int | None = None


def draw(rng: Random, measure: str) -> Case:
    """Draw a case of a measure."""
    columns = samples.columns(rng, measure)
    if rng.random() < 0.4:
        if rng.random() < 0.35:
            return Case(measure, columns, options.invalid(rng, measure), True)
        spoiled = odd.spoil(rng, columns)
        return Case(measure, spoiled.columns, options.valid(rng, measure), True, spoiled.sample)
    return Case(measure, columns, options.valid(rng, measure))


def check(case: Case) -> bool:
    """Call, and hold the result to the oracles; tell whether there was one rather than an error."""
    before = fingerprint(case.columns), fingerprint(case.settings)
    result = outcome(lambda: call(case.measure, case.columns, case.settings), module=case.measure)
    if (fingerprint(case.columns), fingerprint(case.settings)) != before:
        raise Found("untouched", "an argument was changed")
    if isinstance(result, FairSumError):
        if case.sample is not None:
            _check_names_sample(case, result)
        return False
    check_result(case.measure, result, _length(case.columns, case.measure), case.settings)
    if not case.is_wrong and case.settings.get("seed", 0) is not None:
        again = quietly(lambda: call(case.measure, case.columns, case.settings))
        same("determinism", plain(again), plain(result))
        check_shown(result)
    return True


def call(measure: str, columns: Mapping[str, Any], settings: Mapping[str, Any]) -> Any:
    """Call the library."""
    return fairsum_utils.compute(measure, **columns, **settings)


def fingerprint(item: Any, depth: int = 9) -> Any:
    """Tell an argument from a changed one."""
    if not depth:
        return id(item)
    if isinstance(item, Mapping):
        return [(repr(key), fingerprint(value, depth - 1)) for key, value in item.items()]
    if type(item) in (list, tuple):
        return [len(item)] + [fingerprint(part, depth - 1) for part in item[:2000]]
    if hasattr(item, "tobytes") and hasattr(item, "shape"):
        return repr(item)
    return item if type(item) in (str, int, bool, type(None)) else id(item)


def _length(columns: Mapping[str, Any], measure: str | None = None) -> int:
    if measure is not None:
        names = {column.name for column in family_of(measure).columns_of(measure)}
        columns = {name: column for name, column in columns.items() if name in names}
    lengths = (
        len(column)
        for column in columns.values()
        if hasattr(type(column), "__len__") and getattr(column, "shape", None) != ()
    )
    return max(lengths, default=0)


def _check_names_sample(case: Case, error: FairSumError) -> None:
    """Refuse a message that does not name the sample at fault."""
    message = str(error)
    if re.search(r"sample \d", message) or any(f" {name} " in message for name in case.settings):
        return
    others = {
        name: [entry for place, entry in enumerate(column) if place != case.sample]
        for name, column in case.columns.items()
    }
    if not _length(others) or ("group" in message and family_of(case.measure).name == "polarity"):
        return
    if not isinstance(outcome(lambda: call(case.measure, others, case.settings)), FairSumError):
        raise Found("message", f"names no sample {case.sample}: {message!r}")


def run(measure: str, rng: Random) -> bool:
    """Draw a case and check it."""
    with resources.fakes():
        return check(draw(rng, measure))
