"""Every measure on valid and on wrong input: a case is drawn, called once, and held to one more oracle."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import fairsum_utils
from fairsum_utils.errors import FairSumError
from fairsum_utils.families import all_measures, family_of
from fairsum_utils.session import Request, Session
from fairsum_utils.session.state import State
from tests.fuzz import odd, options, resources, samples
from tests.fuzz.oracles import Found, check_result, check_shown, outcome, point, quietly, require

CLOSE = 1e-9

Columns = dict[str, Any]


class Case(NamedTuple):
    """A call, and the oracle that it is held to besides those that hold of every result.

    Attributes:
        measure: Name of the measure.
        columns: Columns by name.
        settings: Settings by name.
        oracle: One of `ORACLES`; "wrong" where the input is.
        sample: Index of the sample at fault, where one is.
    """

    measure: str
    columns: Columns
    settings: dict[str, Any]
    oracle: str
    sample: int | None = None


def draw(rng: Random, measure: str) -> Case:
    """Draw a case of a measure."""
    columns = samples.columns(rng, measure)
    if rng.random() < 0.4:
        if rng.random() < 0.35:
            return Case(measure, columns, options.invalid(rng, measure), "wrong")
        spoiled = odd.spoil(rng, columns)
        return Case(measure, spoiled.columns, options.valid(rng, measure), "wrong", spoiled.sample)
    return Case(measure, columns, options.valid(rng, measure), rng.choice(_DRAWN))


def check(case: Case, rng: Random) -> bool:
    """Call, and hold the result to the oracles; tell whether there was one rather than an error."""
    before = fingerprint(case.columns), fingerprint(case.settings)
    result = outcome(lambda: call(case.measure, case.columns, case.settings), module=case.measure)
    if (fingerprint(case.columns), fingerprint(case.settings)) != before:
        raise Found("untouched", "an argument was changed")
    if isinstance(result, FairSumError):
        if case.oracle == "wrong" and case.sample is not None:
            _check_names_sample(case, result)
        return False
    check_result(case.measure, result, _length(case.columns, case.measure), case.settings)
    if case.oracle != "wrong":
        ORACLES[case.oracle](case, result, rng)
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


# Oracles


def again(case: Case, result: Any, rng: Random) -> None:
    """The same call gives the same result."""
    if case.settings.get("seed", 0) is not None:
        require("determinism", quietly(lambda: call(case.measure, case.columns, case.settings)), result)


def order_of_samples(case: Case, result: Any, rng: Random) -> None:
    """Samples in another order give the same score."""
    if case.measure == "counterfactual_pairs":  # which finds counterparts by their place
        again(case, result, rng)
        return
    places = rng.sample(range(_length(case.columns)), _length(case.columns))
    shuffled = {name: [column[place] for place in places] for name, column in case.columns.items()}
    found = quietly(lambda: call(case.measure, shuffled, case.settings))
    require("order of samples", sorted_out(point(found)), sorted_out(point(result)), close=CLOSE)


def sorted_out(result: Any) -> Any:
    """Sort the keys of a result."""
    if isinstance(result, Mapping):
        return {key: sorted_out(result[key]) for key in sorted(result, key=str) if key != "most_frequent"}
    return [sorted_out(part) for part in result] if isinstance(result, list) else result


def shards(case: Case, result: Any, rng: Random) -> None:
    """Samples in pieces, and sums of parts by way of bytes and in any order, give the whole, to the bit."""
    settings = {**case.settings, "seed": case.settings.get("seed") or 0, "return_samples": False}
    columns = case.columns
    if "article_ids" in columns:  # those of an original come together
        order = sorted(range(_length(columns)), key=lambda place: str(columns["article_ids"][place]))
        columns = {name: [column[place] for place in order] for name, column in columns.items()}
    pieces = _pieces(columns, rng)
    with Session([Request(case.measure, settings=settings)]) as session:
        quietly(lambda: session.add(columns))
        whole, of_state = (
            dict(quietly(lambda state=state: session.results(state))[case.measure]) for state in (None, session.state())
        )
        session.reset()
        states = []
        for start, part in pieces:
            quietly(lambda start=start, part=part: session.add(part, start=start))
        require("batches", dict(quietly(session.results)[case.measure]), whole)
        for start, part in pieces:
            session.reset()
            quietly(lambda start=start, part=part: session.add(part, start=start))
            states.append(State.from_bytes(session.state().to_bytes()))
        rng.shuffle(states)
        merged, *others = states
        for other in others:
            merged.merge(other)
        found = dict(quietly(lambda: session.results(merged))[case.measure])
    require("shards", found, of_state)
    require("shards", sorted_out(point(found)), sorted_out(point(result)), close=CLOSE)


def _pieces(columns: Columns, rng: Random) -> list[tuple[int, Columns]]:
    n, together = _length(columns), columns.get("article_ids")
    cuts = [place for place in range(1, n) if together is None or str(together[place]) != str(together[place - 1])]
    ends = [0, *sorted(rng.sample(cuts, rng.randrange(0, min(len(cuts), 3) + 1))), n]
    return [(start, {name: column[start:stop] for name, column in columns.items()}) for start, stop in pairwise(ends)]


def saving(case: Case, result: Any, rng: Random) -> None:
    """Saved results are read back, and every way to show them gives lines without controls."""
    with tempfile.TemporaryDirectory(prefix="fairsum-fuzz-") as folder:
        path = Path(folder) / "results.json"
        result.save(path)
        require("saving", fairsum_utils.read_results(path)[case.measure], result)
    check_shown(result)


def comparing(case: Case, result: Any, rng: Random) -> None:
    """Two systems score as each alone, and the difference turns with their order."""
    family = family_of(case.measure)
    own = [column.name for column in family.columns if column.of_system and column.name in case.columns]
    if not family.comparable or not own or case.settings.get("seed", 0) is None:
        again(case, result, rng)
        return
    settings = {name: value for name, value in case.settings.items() if name != "return_samples"}
    settings |= {name: column for name, column in case.columns.items() if name not in own}
    systems = [{name: case.columns[name] for name in own}] * 2
    if "predictions" in own:
        texts = case.columns["predictions"]
        systems[1] = systems[1] | {"predictions": [rng.choice((text, rng.choice(texts))) for text in texts]}
    one, two = (
        outcome(lambda a=a, b=b: _compared(case.measure, a, b, settings), module="compare")
        for a, b in (systems, systems[::-1])
    )
    if isinstance(one, FairSumError) or isinstance(two, FairSumError):
        if type(one) is not type(two):
            raise Found("comparing", f"{one!r:.200} and {two!r:.200}")
        return
    require("comparing", one["difference"], -two["difference"], close=CLOSE)
    require("comparing", [one["a"], one["b"]], [two["b"], two["a"]], close=CLOSE)
    low, high = one["difference_ci"]
    if not (low <= high or (low != low and high != high)):
        raise Found("range", f"difference_ci {low, high}")
    if one["p_value"] == one["p_value"] and not 0 < one["p_value"] <= 1:
        raise Found("range", f"p_value {one['p_value']}")
    if one["n_skipped"] == result["n_skipped"]:
        require("comparing", one["a"], result[case.measure], close=CLOSE)


def _compared(measure: str, a: Columns, b: Columns, others: Mapping[str, Any]) -> Any:
    columns = {f"{name}_{system}": column for system, own in (("a", a), ("b", b)) for name, column in own.items()}
    return fairsum_utils.compare(metrics=[measure], **columns, **others)[measure]


ORACLES: dict[str, Callable[[Case, Any, Random], None]] = {
    "again": again,
    "order of samples": order_of_samples,
    "shards": shards,
    "saving": saving,
    "comparing": comparing,
}

_DRAWN = [name for name in ORACLES for _ in range(1 if name == "saving" else 4)]
"""Oracles as often as they are drawn: files take time."""

MEASURES = all_measures()


def run(measure: str, rng: Random) -> bool:
    """Draw a case and check it."""
    try:
        case = draw(rng, measure)
        with resources.fakes():
            return check(case, rng)
    except Found:
        raise
    except Exception as error:
        oracle = "refused" if isinstance(error, FairSumError) else "traceback"
        raise Found(oracle, f"{type(error).__name__}: {error}"[:500]) from error
