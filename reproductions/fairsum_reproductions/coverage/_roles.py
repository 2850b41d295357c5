"""Runs that belong together: several files of records for each system and data set, told apart by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fairsum_reproductions.coverage._tables import place_of
from fairsum_reproductions.naming import Grid, grid_of
from fairsum_utils.analysis.records import Record
from fairsum_utils.errors import InputError


def by_role(module: str, samples: Mapping[str, Sequence[Record]], roles: Sequence[str]) -> Grid:
    """Systems on data sets, each with the records that it has in each role.

    Args:
        module: name used in messages.
        samples: ROLE[/SYSTEM[/DATA_SET]] -> records.
        roles: what each system and data set must have.

    Returns:
        The cells hold records by the names that they were given, in the order of the roles.

    Raises:
        InputError: a name begins with no role, or a system lacks one.

    Example:
        >>> runs = {"before/gpt4": [{"index": 0}], "after/gpt4": [{"index": 0}]}
        >>> by_role("relative_change", runs, ["before", "after"]).cells
        {('gpt4', ''): {'before/gpt4': [{'index': 0}], 'after/gpt4': [{'index': 0}]}}
    """
    told: dict[str, dict[str, str]] = {}
    for name in samples:
        role, _, rest = name.partition("/")
        if role not in roles:
            raise InputError(
                f"{module}: samples {name!r} must be named {', '.join(roles[:-1])} or {roles[-1]}, with /SYSTEM and "
                f"/DATA_SET behind it where there are several; name it, as in {roles[0]}/gpt4/amazon=FILE"
            )
        told.setdefault(rest, {})[role] = name
    for rest, given in told.items():
        if missing := [role for role in roles if role not in given]:
            where = f" of {rest}" if rest else ""
            raise InputError(f"{module}: there is no {' and no '.join(missing)}{where}; found {', '.join(given)}")
    return grid_of({rest: {given[role]: samples[given[role]] for role in roles} for rest, given in told.items()})


def over_cells(grid: Grid, compare: Callable[[Any], dict[str, Any]], what: str) -> dict[str, Any]:
    """Compare what there is of each system on each data set.

    Args:
        grid: see `by_role`.
        compare: from a cell to numbers, with the reason under ``undefined`` where some of them are NaN.
        what: the numbers are, where neither system nor data set has a name.

    Returns:
        ``systems``: system -> data set -> numbers; and ``undefined``: where -> reason.

    Example:
        >>> grid = grid_of({"gpt4/yelp": 0})
        >>> over_cells(grid, lambda n: {"n": n, "undefined": "no sample left"}, "n")
        {'systems': {'gpt4': {'yelp': {'n': 0}}}, 'undefined': {'gpt4 on yelp': 'no sample left'}}
    """
    systems: dict[str, dict[str, Any]] = {}
    undefined: dict[str, str] = {}
    for (system, data_set), cell in grid.cells.items():
        result = compare(cell)
        if reason := result.pop("undefined", None):
            undefined[place_of(system, data_set, what)] = reason
        systems.setdefault(system, {})[data_set] = result
    return {"systems": systems, "undefined": undefined}
