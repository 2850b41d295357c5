"""Shared parts of coverage studies: run roles, tables and marked numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fairsum_reproductions.contract import Input
from fairsum_reproductions.layout import place_of
from fairsum_reproductions.records import Record
from fairsum_utils.errors import InputError
from fairsum_utils.reports.tables import Marked

# Below it a p-value is significant. Source: Li et al. 2025, tables 2, 4 and 5.
SIGNIFICANT = 0.05


def samples_input(records: str, **families: str) -> Input:
    """Make the input of a study of named runs; name prefixes choose other families."""
    return Input("samples", records, "samples", systems=True, families={"": "coverage", **families})


def starred(number: float, is_marked: bool) -> Marked:
    """Format a number with three digits, and a star if marked.

    Example:
        >>> str(starred(0.1234, True)), str(starred(0.1234, False))
        ('0.123*', '0.123')
    """
    return Marked(number, "*" if is_marked else "", 3)


def compare_roles(
    module: str,
    samples: Mapping[str, Sequence[Record]],
    roles: Sequence[str],
    compare: Callable[[Mapping[str, Sequence[Record]]], dict[str, Any]],
    unnamed: str,
) -> dict[str, Any]:
    """Compare runs named ROLE[/SYSTEM[/DATA_SET]] by system and data set.

    `compare` takes the runs by name, in the order of the roles. The result has ``systems`` (system -> data set ->
    numbers) and ``undefined`` (place -> reason).

    Example:
        >>> runs = {"before/gpt4": [{"index": 0}], "after/gpt4": [{"index": 0}]}
        >>> compare_roles("relative_change", runs, ["before", "after"], lambda cell: {"n": len(cell)}, "n")
        {'systems': {'gpt4': {'': {'n': 2}}}, 'undefined': {}}
    """
    cells: dict[str, dict[str, str]] = {}
    for name in samples:
        role, _, rest = name.partition("/")
        if role not in roles:
            raise InputError(
                f"{module}: samples {name!r} must be named {', '.join(roles[:-1])} or {roles[-1]}, with /SYSTEM and "
                f"/DATA_SET appended if there are several, for example {roles[0]}/gpt4/amazon=FILE"
            )
        cells.setdefault(rest, {})[role] = name
    systems: dict[str, dict[str, Any]] = {}
    undefined: dict[str, str] = {}
    for rest, given in cells.items():
        if missing := [role for role in roles if role not in given]:
            where = f" of {rest}" if rest else ""
            raise InputError(f"{module}: missing {' and '.join(missing)}{where}; found {', '.join(given)}")
        system, _, data_set = rest.partition("/")
        result = compare({given[role]: samples[given[role]] for role in roles})
        if reason := result.pop("undefined", None):
            undefined[place_of(system, data_set, unnamed)] = reason
        systems.setdefault(system, {})[data_set] = result
    return {"systems": systems, "undefined": undefined}
