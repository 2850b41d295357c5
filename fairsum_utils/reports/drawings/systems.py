"""The drawing of a comparison of many systems: each measure's scores, and the differences."""

from __future__ import annotations

import math
from collections.abc import Sequence

from fairsum_utils.measures import get_measure
from fairsum_utils.reports.base import Record
from fairsum_utils.reports.drawings.axis import Line
from fairsum_utils.reports.drawings.chart import Mark, Panel, Row
from fairsum_utils.reports.drawings.drawing import Drawing
from fairsum_utils.reports.drawings.families import levels_of, notes_of, p_of
from fairsum_utils.reports.drawings.heat import Heat
from fairsum_utils.reports.drawings.parts import best
from fairsum_utils.reports.drawings.sheet import Form
from fairsum_utils.reports.tables import compared_counts, short_name


def draw_systems(document: Record, measures: Sequence[str] | None = None) -> Drawing:
    """The scores of each system with intervals, the fairest first, and the differences that were tested."""
    baseline = document["baseline"]
    chosen = {name: document["metrics"][name] for name in (measures or document["metrics"])}
    panels: list[Form] = []
    for name, result in chosen.items():
        systems = sorted(result["systems"].items(), key=lambda item: _place(name, item[1]["score"]))
        scores = [
            Row(system, [Mark(found["score"], found["ci"])], "" if found["rank"] is None else f"rank {found['rank']}")
            for system, found in systems
        ]
        panels.append(Panel(short_name(name), scores, f"Score; {best([name])}"))
        if baseline is None and len(systems) > 2:
            panels.append(_matrix(name, result, [system for system, _ in systems]))
        differences = [
            Row(
                pair["a"] if baseline else f"{pair['a']} − {pair['b']}",
                [Mark(pair["difference"], pair["difference_ci"])],
                p_of(pair["p_value_corrected"]),
            )
            for pair in result["differences"]
        ]
        less = baseline or "the second"
        panels.append(
            Panel(
                f"{short_name(name)}: difference from {baseline}" if baseline else f"{short_name(name)}: differences",
                differences,
                f"Score minus that of {less}; left of 0: fairer than {less}. p is corrected by Holm's method",
                lines=[Line(0.0, "no difference")],
                even=True,
            )
        )
    results = [*chosen.values()]
    title = f"{len(document['systems'])} systems compared"
    return Drawing(title, panels, [*compared_counts(chosen), *levels_of(results)], notes_of([*results, document]))


def _matrix(name: str, result: Record, systems: Sequence[str]) -> Heat:
    """All differences in a table, the fairest system first."""
    places = {system: place for place, system in enumerate(systems)}
    numbers: list[list[float | None]] = [[None] * len(systems) for _ in systems]
    framed = [[False] * len(systems) for _ in systems]
    for pair in result["differences"]:
        a, b = places[pair["a"]], places[pair["b"]]
        numbers[a][b], numbers[b][a] = pair["difference"], -pair["difference"]
        if pair["p_value_corrected"] < result["alpha"]:
            framed[a][b] = framed[b][a] = True
    return Heat(
        f"{short_name(name)}: row minus column",
        systems,
        systems,
        numbers,
        "Score of the row's system minus that of the column's; "
        + ("closer to 0 is fairer" if get_measure(name).is_signed else "below 0: the row's is fairer"),
        written=lambda number: f"{number:.3f}".replace("0.", ".", 1) if abs(number) < 1 else f"{number:.2f}",
        framed=framed,
        notes=["Framed: differs significantly, by p corrected by Holm's method."] if any(map(any, framed)) else [],
    )


def _place(measure: str, score: float) -> tuple[bool, float]:
    """The fairest first, what has no score last."""
    return math.isnan(score), get_measure(measure).unfairness(score)
