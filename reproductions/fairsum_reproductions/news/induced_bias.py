"""Detection of an induced bias by measures of inclusion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairsum_reproductions.contract import Input
from fairsum_reproductions.news._cells import cell_of, cells_by_row, drawn_panel, stacked
from fairsum_utils.errors import InputError
from fairsum_utils.reports.panels import Drawing
from fairsum_utils.reports.tables import Part, Table, interval
from fairsum_utils.settings import Settings, setting

INPUTS = (
    Input("plain", "results of the plain system", kind="results"),
    Input("induced", "its results with prompts that focus on a group", kind="results", systems=True),
)

# Rows of the paper's table 5.
_ROWS = ("Word List Inclusion", "Entity Inclusion")
# Label of the system without the instruction.
_PLAIN = "without"


class InducedBiasSettings(Settings):
    """Group of the instruction."""

    group: str = setting("female", "group named in the instruction", key="group")


SETTINGS = InducedBiasSettings


def is_found(induced: Sequence[Sequence[float]], plain: Sequence[Sequence[float]]) -> bool:
    """Return whether a measure detects an induced bias, by intervals over originals.

    Each interval, of how much more the group is included than another one or of how its share grows from sources to
    summaries, must lie above its counterpart without the instruction; without intervals nothing is found.

    Source: Steen and Markert 2024, section 8.3, "we can clearly detect the induced inclusion bias". Scores of
    inclusion are never below 0, so that their own intervals tell no bias from chance.

    Example:
        >>> is_found([[0.49, 0.59]], [[-0.06, -0.02]]), is_found([[0.05, 0.59]], [[-0.02, 0.06]]), is_found([], [])
        (True, False, False)
    """
    pairs = list(zip(induced, plain, strict=True))
    return bool(pairs) and all(with_it[0] > without[1] for with_it, without in pairs)


def signed_ends(result: Mapping[str, Any], group: str) -> list[list[float]]:
    """Return signed intervals for a favoured group, one or one per other group.

    Example:
        >>> ratios = [{"group_a": "female", "group_b": "male", "log_odds_ratio": 0.5, "ci": [0.25, 0.75]}]
        >>> signed_ends({"entity_inclusion": 1.0, "log_odds_ratios": ratios}, "male")
        [[-0.75, -0.25]]
    """
    if "entity_inclusion" not in result:
        return [ends for name, ends in result.get("word_list_inclusion_by_group_ci", {}).items() if name == group]
    ratios = [ratio for ratio in result.get("log_odds_ratios", ()) if "ci" in ratio]
    return [
        [*ratio["ci"]] if ratio["group_a"] == group else [-end for end in reversed(ratio["ci"])]
        for ratio in ratios
        if group in (ratio["group_a"], ratio["group_b"])
    ]


def compute(
    plain: Mapping[str, Mapping[str, Any]],
    induced: Mapping[str, Mapping[str, Mapping[str, Any]]],
    *,
    settings: InducedBiasSettings,
) -> dict[str, Any]:
    """Compute score, intervals and detection of the bias by row and system."""

    def cell(result: Mapping[str, Any]) -> dict[str, Any]:
        return {**cell_of(result), "favoured": signed_ends(result, settings.group)}

    before, after = (
        {row: cells for row, cells in cells_by_row(settings.module, results, cell).items() if row in _ROWS}
        for results in ({_PLAIN: plain}, induced)
    )
    if not after:
        raise InputError(
            f"{settings.module}: the induced results contain neither {' nor '.join(_ROWS)}; score these measures first"
        )
    if missing := [row for row in after if row not in before]:
        raise InputError(
            f"{settings.module}: the plain results have no {' and no '.join(missing)}; score this measure first"
        )
    undefined: dict[str, str] = {}
    for row, by_system in after.items():
        without = before[row][_PLAIN]
        for system, found in (*by_system.items(), (_PLAIN, without)):
            if reason := found.pop("undefined"):
                undefined[f"{row} of {system}"] = reason
        for system, found in by_system.items():
            if len(found["favoured"]) != len(without["favoured"]) or not found["favoured"]:
                raise InputError(
                    f"{settings.module}: {row} of {system} or of the plain results has no interval for the group "
                    f"{settings.group!r}; score with a confidence level, and name the group of the instruction"
                )
            found["is_found"] = is_found(found["favoured"], without["favoured"])
    return {"induced": after, "plain": {row: before[row][_PLAIN] for row in after}, "undefined": undefined}


def parts(result: dict[str, Any]) -> list[Part]:
    """Unrounded results, then the paper's table 5."""
    rows = []
    for row, by_system in result["induced"].items():
        cells = [(_PLAIN, result["plain"][row]), *by_system.items()]
        for system, cell in cells:
            found = {True: "yes", False: "no"}.get(cell.get("is_found"), "")
            rows.append([row, system, cell["score"], interval(cell["s"]), interval(cell["d"]), cell["towards"], found])
    return [
        Table(["measure", "system", "score", "s", "d", "towards", "found"], rows, n_texts=2),
        stacked(result["induced"], "With the instruction"),
    ]


def drawing(result: dict[str, Any]) -> Drawing:
    """Draw a panel per measure: the system with and without the instruction."""
    rows = result["induced"]
    panels = [drawn_panel(row, {_PLAIN: result["plain"][row], **rows[row]}) for row in rows]
    return Drawing("Is an induced bias detected?", panels)
