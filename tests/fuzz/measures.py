"""Every measure on valid and on wrong input: a case is drawn, called once, and held to one more oracle."""

from __future__ import annotations

import copy
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import fairsum_utils
from fairsum_utils.errors import FairSumError
from fairsum_utils.families import all_measures, family_of
from fairsum_utils.session import Request, Session
from fairsum_utils.session.state import State
from fairsum_utils.validation import as_label
from tests.fuzz import containers, options, resources, samples, wrong
from tests.fuzz.oracles import Found, check_result, control, outcome, point, quietly, require

CLOSE = 1e-9

Columns = dict[str, Any]


class Case(NamedTuple):
    """A call, and the oracle that it is held to besides those that hold of every result.

    Attributes:
        measure: its name.
        columns: by name.
        settings: by name.
        oracle: of `ORACLES`; "wrong" where the input is.
        sample: that is at fault, where one is.
    """

    measure: str
    columns: Columns
    settings: dict[str, Any]
    oracle: str
    sample: int | None = None


def draw(rng: Random, measure: str) -> Case:
    """A case of a measure."""
    columns = samples.columns(rng, measure)
    if rng.random() < 0.4:
        if rng.random() < 0.35:
            return Case(measure, columns, options.invalid(rng, measure), "wrong")
        spoiled = wrong.spoil(rng, columns)
        return Case(measure, spoiled.columns, options.valid(rng, measure), "wrong", spoiled.sample)
    return Case(measure, columns, options.valid(rng, measure), rng.choice(_DRAWN))


def check(case: Case, rng: Random) -> bool:
    """Call, and hold what comes back to the oracles.

    Args:
        case: that was drawn.
        rng: draws what an oracle needs, such as an order.

    Returns:
        Whether there was a result rather than an error.

    Raises:
        Found: something that must not be.
    """
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
    """The call of the library."""
    return fairsum_utils.compute(measure, **columns, **settings)


def fingerprint(item: Any, depth: int = 9) -> Any:
    """What tells whether an argument was changed."""
    if not depth:
        return id(item)
    if isinstance(item, Mapping):
        return [
            (key if isinstance(key, str) else repr(key), fingerprint(value, depth - 1)) for key, value in item.items()
        ]
    if type(item) in (list, tuple):
        return [len(item)] + [fingerprint(part, depth - 1) for part in item[:2000]]
    if hasattr(item, "tobytes") and hasattr(item, "shape"):
        return repr(item)
    return item if type(item) in (str, int, bool, type(None)) else id(item)


def _length(columns: Mapping[str, Any], measure: str | None = None) -> int:
    if measure is not None:
        names = {column.name for column in family_of(measure).columns_of(measure)}
        columns = {name: column for name, column in columns.items() if name in names}
    return max(
        (
            len(column)
            for column in columns.values()
            if hasattr(type(column), "__len__") and getattr(column, "shape", None) != ()
        ),
        default=0,
    )


def _check_names_sample(case: Case, error: FairSumError) -> None:
    """A sample stands in the message, if the fault is in one."""
    message = str(error)
    if re.search(r"sample \d", message) or any(f" {name} " in message for name in case.settings):
        return
    without = {
        name: [entry for place, entry in enumerate(column) if place != case.sample]
        for name, column in case.columns.items()
    }
    if not _length(without):
        return
    if isinstance(outcome(lambda: call(case.measure, without, case.settings)), FairSumError):
        return  # at fault is something else, or all together
    if "group" in message and family_of(case.measure).name == "polarity":
        return  # a group of one text
    raise Found("message", f"names no sample {case.sample}: {message!r}")


# Oracles


def again(case: Case, result: Any, rng: Random) -> None:
    """The same call gives the same result."""
    if "seed" in case.settings and case.settings["seed"] is None:
        return
    require("determinism", quietly(lambda: call(case.measure, case.columns, case.settings)), result)


def order_of_samples(case: Case, result: Any, rng: Random) -> None:
    """Samples in another order give the same score."""
    places = rng.sample(range(_length(case.columns)), _length(case.columns))
    shuffled = {name: [column[place] for place in places] for name, column in case.columns.items()}
    found = quietly(lambda: call(case.measure, shuffled, case.settings))
    require("order of samples", sorted_out(point(found)), sorted_out(point(result)), close=CLOSE)


def order_of_sources(case: Case, result: Any, rng: Random) -> None:
    """Sources in another order, together with what belongs to them, give the same score."""
    if "sources" not in case.columns or "values" not in case.columns or "variants" in case.columns:
        again(case, result, rng)  # whose order is what is measured, where there are variants
        return
    columns = dict(case.columns)
    together = [name for name in ("sources", "values", "coverage") if name in columns]
    for name in together:
        columns[name] = list(columns[name])
    for place, values in enumerate(columns["values"]):
        order = rng.sample(range(len(values)), len(values))
        if family_of(case.measure).name == "representation":  # which joins the texts of a value before it counts
            order = _kept_within(order, values)
        for name in together:
            columns[name][place] = [columns[name][place][at] for at in order]
    found = quietly(lambda: call(case.measure, columns, case.settings))
    require("order of sources", sorted_out(point(found)), sorted_out(point(result)), close=CLOSE)


def _kept_within(order: Sequence[int], values: Sequence[Any]) -> list[int]:
    """An order in which the texts of each value follow each other as before."""
    texts: dict[str, list[int]] = {}
    for place, value in enumerate(values):
        texts.setdefault(str(value), []).append(place)
    waiting = {value: iter(places) for value, places in texts.items()}
    return [next(waiting[str(values[place])]) for place in order]


def sorted_out(result: Any) -> Any:
    """A result in which the order of keys and of lists that have none plays no part."""
    if isinstance(result, Mapping):
        return {key: sorted_out(result[key]) for key in sorted(result, key=str) if key not in ("most_frequent",)}
    if isinstance(result, list):
        return [sorted_out(part) for part in result]
    return result


def renaming(case: Case, result: Any, rng: Random) -> None:
    """Values and groups by other names: what is said of them is said of the new names."""
    if case.measure == "entity_hallucination":  # whose groups are those of first names
        again(case, result, rng)
        return
    names: dict[str, str] = {}
    columns = {name: _renamed(name, column, names, rng) for name, column in case.columns.items()}
    target = case.settings.get("target")
    settings = dict(case.settings)
    if isinstance(target, Mapping):
        settings["target"] = {names.get(str(value), str(value)): share for value, share in target.items()}
    if not names:
        again(case, result, rng)
        return
    found = quietly(lambda: call(case.measure, columns, settings))
    require("renaming", found[case.measure], result[case.measure], close=CLOSE)
    for key, said in result.items():
        if (
            not (isinstance(said, Mapping) and key.endswith(("_by_value", "_by_group")))
            or str(key).startswith("p_value")
            or key == "by_dominant_value"
        ):
            continue
        renamed = {names.get(name, name): value for name, value in said.items()}
        require(
            "renaming",
            {name: found[key][name] for name in sorted(found[key])},
            {name: renamed[name] for name in sorted(renamed)},
            close=CLOSE,
        )


def _renamed(column: str, entries: Sequence[Any], names: dict[str, str], rng: Random) -> list[Any]:
    def other(label: Any) -> Any:
        known = as_label(label)
        assert known is not None
        if known not in names:
            names[known] = f"{rng.choice('zyxabc')}{len(names)} {known[::-1]}"[:40]
        return names[known]

    match column:
        case "values":
            return [[other(value) for value in values] for values in entries]
        case "target_distributions":
            return [{other(value): share for value, share in shares.items()} for shares in entries]
        case "groups" | "variants":
            return [other(group) for group in entries]
        case "entities":
            return [[{**person, "group": other(person["group"])} for person in persons] for persons in entries]
    return list(entries)


def twice(case: Case, result: Any, rng: Random) -> None:
    """The data set doubled has the same score."""
    if case.measure == "distinguishability" or case.settings.get("continuity") is not None:
        again(case, result, rng)  # neighbours would be copies; what is added does not double
        return
    double = {name: [*column, *column] for name, column in case.columns.items()}
    if "variants" in double:  # the same input summarized again would be a replicate
        double["article_ids"] = [f"{n}/{name}" for n in range(2) for name in case.columns["article_ids"]]
    found = quietly(lambda: call(case.measure, double, case.settings))
    require("duplicates", found[case.measure], result[case.measure], close=CLOSE)
    if found["n_samples"] != 2 * result["n_samples"]:
        raise Found("duplicates", f"n_samples {found['n_samples']} and {result['n_samples']}")


def batches(case: Case, result: Any, rng: Random) -> None:
    """Samples that come in pieces give the same result, to the bit."""
    with Session([Request(case.measure, settings=_seeded(case))]) as session:
        whole = quietly(lambda: session.score(case.columns))
        for start, part in _pieces(case.columns, rng):
            quietly(lambda start=start, part=part: session.add(part, start=start))
        require("batches", dict(quietly(session.results)[case.measure]), dict(whole[case.measure]))


def shards(case: Case, result: Any, rng: Random) -> None:
    """Sums of parts, by way of bytes and in any order, give what those of the whole give, to the bit."""
    settings = {**_seeded(case), "return_samples": False}
    columns = case.columns
    if "article_ids" in columns:  # those of an original come together
        order = sorted(range(_length(columns)), key=lambda place: str(columns["article_ids"][place]))
        columns = {name: [column[place] for place in order] for name, column in columns.items()}
    with Session([Request(case.measure, settings=settings)]) as session:
        quietly(lambda: session.add(columns))
        whole = session.state()
        states = []
        for start, part in _pieces(columns, rng, together=columns.get("article_ids")):
            session.reset()
            quietly(lambda start=start, part=part: session.add(part, start=start))
            states.append(State.from_bytes(session.state().to_bytes()))
        rng.shuffle(states)
        merged, *others = states
        for other in others:
            merged.merge(other)
        found = quietly(lambda: session.results(merged))
        require("shards", dict(found[case.measure]), dict(quietly(lambda: session.results(whole))[case.measure]))
        require("shards", sorted_out(point(dict(found[case.measure]))), sorted_out(point(result)), close=CLOSE)


def _seeded(case: Case) -> dict[str, Any]:
    return {**case.settings, "seed": case.settings.get("seed") or 0}


def _pieces(columns: Columns, rng: Random, together: Sequence[Any] | None = None) -> list[tuple[int, Columns]]:
    n = _length(columns)
    cuts = [place for place in range(1, n) if together is None or str(together[place]) != str(together[place - 1])]
    ends = [0, *sorted(rng.sample(cuts, rng.randrange(0, min(len(cuts), 3) + 1))), n]
    return [(start, {name: column[start:stop] for name, column in columns.items()}) for start, stop in pairwise(ends)]


def other_containers(case: Case, result: Any, rng: Random) -> None:
    """Columns in another container, and tables, give the same result."""
    columns = case.columns
    if any(isinstance(entry, dict) and not entry for column in columns.values() for entry in column):
        again(case, result, rng)  # a table cannot tell no entries from none
        return
    made = containers.contained(rng, columns)
    if made is None:
        again(case, result, rng)
        return
    name, (table, arguments) = made
    before = fingerprint(arguments)
    found = quietly(
        lambda: fairsum_utils.compute(case.measure, *(() if table is None else (table,)), **arguments, **case.settings)
    )
    if fingerprint(arguments) != before:
        raise Found("untouched", f"{name} was changed")
    if "seed" in case.settings and case.settings["seed"] is None:
        found, result = point(found), point(result)
    require(f"containers ({name})", found, result)


def saving(case: Case, result: Any, rng: Random) -> None:
    """What is saved is read back, and every way to show it gives lines without controls."""
    with tempfile.TemporaryDirectory(prefix="fairsum-fuzz-") as folder:
        path = Path(folder) / "results.json"
        results = (
            quietly(lambda: fairsum_utils.score(metrics=[case.measure], **case.columns, **case.settings))
            if rng.random() < 0.3
            else result
        )
        results.save(path)
        found = fairsum_utils.read_results(path)
        found = found[case.measure]
        wanted = results[case.measure] if results is not result else result
        if "seed" not in case.settings or case.settings["seed"] is not None:
            require("saving", found, wanted)
    for way in (
        str,
        repr,
        lambda r: r.to_markdown(),
        lambda r: r.to_csv(),
        lambda r: r._repr_html_(),
        lambda r: r.to_latex(),
    ):
        shown = quietly(lambda way=way: way(result))
        if sign := control(shown, in_lines=True):
            raise Found("shown", f"{sign!r} in {shown!r:.200}")


def comparing(case: Case, result: Any, rng: Random) -> None:
    """A system and another: each scores as alone, and the difference turns with their order."""
    family = family_of(case.measure)
    own = [column.name for column in family.columns if column.of_system and column.name in case.columns]
    if not family.comparable or not own or case.settings.get("seed", 0) is None:
        again(case, result, rng)
        return
    settings = {name: value for name, value in case.settings.items() if name != "return_samples"}
    shared = {name: column for name, column in case.columns.items() if name not in own}
    other = {name: _other_system(case.columns[name], name, rng) for name in own}
    a, b = (
        {f"{name}_{system}": columns[name] for name in own} for system, columns in (("a", case.columns), ("b", other))
    )
    b_first = {**{f"{name}_a": other[name] for name in own}, **{f"{name}_b": case.columns[name] for name in own}}
    one = outcome(
        lambda: fairsum_utils.compare(metrics=[case.measure], **a, **b, **shared, **settings), module="compare"
    )
    two = outcome(
        lambda: fairsum_utils.compare(metrics=[case.measure], **b_first, **shared, **settings), module="compare"
    )
    if isinstance(one, FairSumError) or isinstance(two, FairSumError):
        if type(one) is not type(two):
            raise Found("comparing", f"{one!r:.200} and {two!r:.200}")
        return
    one, two = one[case.measure], two[case.measure]
    require("comparing", one["difference"], -two["difference"], close=CLOSE)
    require("comparing", [one["a"], one["b"]], [two["b"], two["a"]], close=CLOSE)
    low, high = one["difference_ci"]
    if not (low <= high or (low != low and high != high)):
        raise Found("range", f"difference_ci {low, high}")
    if one["p_value"] == one["p_value"] and not 0 < one["p_value"] <= 1:
        raise Found("range", f"p_value {one['p_value']}")
    if one["n_skipped"] == result["n_skipped"]:
        require("comparing", one["a"], result[case.measure], close=CLOSE)


def _other_system(column: Sequence[Any], name: str, rng: Random) -> list[Any]:
    """The entries of another system, which fit the same samples."""
    if name == "predictions":
        return [entry if rng.random() < 0.5 else rng.choice(column) for entry in column]
    return [copy.deepcopy(entry) for entry in column]


ORACLES: dict[str, Callable[[Case, Any, Random], None]] = {
    "again": again,
    "order of samples": order_of_samples,
    "order of sources": order_of_sources,
    "renaming": renaming,
    "twice": twice,
    "batches": batches,
    "shards": shards,
    "containers": other_containers,
    "saving": saving,
    "comparing": comparing,
}

_DRAWN = [name for name in ORACLES for _ in range(1 if name == "saving" else 4)]
"""Oracles as often as they are drawn: files take time."""

MEASURES = all_measures()


def run(measure: str, rng: Random) -> bool:
    """Draw a case and check it."""
    case = None
    try:
        case = draw(rng, measure)
        with resources.fakes():
            return check(case, rng)
    except Found as found:
        found.case = case
        raise
    except Exception as error:
        oracle = "refused" if isinstance(error, FairSumError) else "traceback"
        raw = Found(oracle, f"{case and case.oracle}: {type(error).__name__}: {error}"[:500])
        raw.case = case
        raise raw from error
