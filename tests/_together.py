"""Several measures with the same settings, of which each takes those that it has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import fairsum_utils
from fairsum_utils.families import family_of
from fairsum_utils.families.marks import Attribution
from fairsum_utils.measures import DEFAULT_METRICS, Measure, get_measure
from fairsum_utils.measures._agreed import agreed


def measures(names: Iterable[str], **given: Any) -> list[Measure]:
    """Give each measure the settings that it has; the last one refuses what none has."""
    kinds = [get_measure(name) for name in names]
    known = {name for kind in kinds for name in (*kind.infos(), "module")}
    own = [{name: value for name, value in given.items() if name in kind.infos() or name == "module"} for kind in kinds]
    own[-1] |= {name: value for name, value in given.items() if name not in known}
    return [kind(**settings) for kind, settings in zip(kinds, own, strict=True)]


def together(names: Iterable[str], **given: Any) -> Any:
    """Settings of measures, as a pass makes them of what each was given."""
    return agreed(measures(names, **given))


def score(*columns: Any, **arguments: Any) -> Any:
    """`fairsum_utils.score`, with settings of the measures beside the columns."""
    return _call(fairsum_utils.score, columns, arguments)


def compare(*columns: Any, **arguments: Any) -> Any:
    """`fairsum_utils.compare`, with settings of the measures beside the columns."""
    return _call(fairsum_utils.compare, columns, arguments)


def marked(name: str, sample: dict[str, Any], /, *, changes: Any = (), **settings: Any) -> tuple[Attribution, Any]:
    """What is marked in a sample, to which changes are made after it is scored, and its record."""
    columns = {column: [entry] for column, entry in sample.items()}
    [record] = fairsum_utils.compute(name, **columns, **settings, return_samples=True)["samples"]
    return family_of(name).attribution(
        [name], get_measure(name)(**settings), {**sample, **dict(changes)}, record
    ), record


def _call(function: Any, columns: tuple[Any, ...], arguments: dict[str, Any]) -> Any:
    names = arguments.pop("metrics", DEFAULT_METRICS)
    names = names.split(",") if isinstance(names, str) else names
    options = function.__kwdefaults__
    takes = {name for each in names for name in get_measure(each).infos()}
    given = {name: arguments.pop(name) for name in [*arguments] if name in takes and name not in options}
    return function(*columns, metrics=measures(names, **given), **arguments)
