"""Does fairness depend on which value most documents of a set have?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsum_reproductions.contract import Input, Study
from fairsum_reproductions.coverage._tables import place_of, systems_table
from fairsum_reproductions.naming import grid_of
from fairsum_utils.analysis.dominance import NEEDED, DominanceSettings, dominance_difference
from fairsum_utils.analysis.records import Record
from fairsum_utils.errors import InputError

if TYPE_CHECKING:
    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.tables import Part


def compute(samples: Mapping[str, Sequence[Record]], *, settings: DominanceSettings) -> dict[str, Any]:
    """Measure -> system -> data set -> its difference."""
    found: dict[str, Any] = {}
    undefined: dict[str, str] = {}
    cells = grid_of({name: (name, records) for name, records in samples.items()}).cells
    for name, records in samples.items():
        if not any(needed in records[0] for needed in NEEDED.values()):
            raise InputError(f"{settings.module}: the records of {name} are of neither {' nor '.join(NEEDED)}")
    for measure, needed in NEEDED.items():
        for (system, data_set), (name, records) in cells.items():
            if needed not in records[0]:
                continue
            result = dominance_difference(records, measure, settings, name=name)
            result["is_significant"] = result["p_value"] < settings.alpha
            found.setdefault(measure, {}).setdefault(system, {})[data_set] = result
            if "undefined" in result:
                undefined[place_of(f"{measure} of {system}", data_set)] = result["undefined"]
    return {**found, "undefined": undefined}


def parts(result: dict[str, Any]) -> list[Part]:
    """A table a measure, a row a system, a column a data set."""
    from fairsum_utils.reports.tables import Marked, short_name

    def cell(found: Mapping[str, Any]) -> Marked:
        return Marked(found["difference"], "*" if found["is_significant"] else "", 3)

    return [
        systems_table(
            result[measure],
            cell,
            title=f"Largest difference, {short_name(measure)} (* significant)",
            single="difference",
        )
        for measure in NEEDED
        if measure in result
    ]


def drawing(result: dict[str, Any]) -> Drawing:
    """A panel a measure and data set, a row a system."""
    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.drawings.chart import Mark, Panel, Row
    from fairsum_utils.reports.tables import short_name

    panels = []
    for measure in NEEDED:
        by_system = result.get(measure, {})
        for data_set in dict.fromkeys(name for row in by_system.values() for name in row):
            rows = [
                Row(
                    system,
                    [Mark(row[data_set]["difference"], row[data_set]["difference_ci"])],
                    " and ".join(row[data_set]["between"] or ()),
                )
                for system, row in by_system.items()
                if data_set in row
            ]
            title = ", ".join(filter(None, (short_name(measure), data_set)))
            panels.append(Panel(title, rows, "Largest difference between sets that different values dominate."))
    return Drawing("Does fairness depend on the value that dominates?", panels)


STUDY = Study(
    paper="coverage",
    source="section 5.7, table 5",
    help="does fairness depend on the value that dominates a set of documents?",
    inputs=(
        Input(
            "samples",
            "records of equal_coverage or coverage_parity, of each system",
            kind="samples",
            systems=True,
            families={"": "coverage"},
        ),
    ),
    settings=DominanceSettings,
    compute=compute,
    parts=parts,
    drawing=drawing,
    choices=(
        "a value dominates a set when more of its documents have it than any other value; other sets are left out",
        "the p-value allows for choosing the largest difference",
    ),
    examples=(
        "fairsum study dominance gpt4.parquet llama=runs/llama.parquet",
        "fairsum study dominance gpt4/amazon=a.parquet gpt4/semeval=b.parquet --format latex",
    ),
)
