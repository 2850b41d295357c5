"""Hallucinated names and their groups, by first names or all words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from fairsum_reproductions.contract import Input
from fairsum_reproductions.records import Record, record_entries
from fairsum_utils.errors import InputError
from fairsum_utils.families.entities.classifier import NameClassifier, read_people
from fairsum_utils.measures.entity_hallucination import (
    LOOKUPS,
    EntityHallucination,
    FirstNames,
    People,
    entity_hallucination,
)
from fairsum_utils.reports.panels import Drawing, Mark, Points, Row
from fairsum_utils.reports.tables import Part, Table
from fairsum_utils.settings import Count, Settings, override, setting
from fairsum_utils.validation import describe

INPUTS = (
    Input(
        "samples",
        "entity_hallucination records of each system",
        kind="samples",
        systems=True,
        families={"": "entities"},
    ),
)

_UNKNOWN = "unknown"


class HallucinatedNamesSettings(Settings):
    """Tables of names, as used for scoring."""

    first_names: FirstNames | None = override(EntityHallucination, "first_names", key=None)
    people: People | None = override(EntityHallucination, "people", key=None)
    shown: Count = setting(10, "number of names listed for each system")


SETTINGS = HallucinatedNamesSettings


def counted_names(module: str, system: str, samples: Sequence[Record]) -> Counter[tuple[str, str | None]]:
    """Count hallucinated names in lower case, with the groups in the records.

    Source: Steen and Markert 2024, section 9.1, table 6.

    Example:
        >>> frum, greene = {"name": "Frum", "group": None}, {"name": "Bob Greene", "group": "male"}
        >>> counted_names("hallucinated_names", "bart", [{"hallucinated": [frum, greene]}, {"hallucinated": [frum]}])
        Counter({('frum', None): 2, ('bob greene', 'male'): 1})
    """
    counts: Counter[tuple[str, str | None]] = Counter()
    for place, strangers in enumerate(record_entries(module, system, samples, "hallucinated")):
        for each in strangers or ():
            if not isinstance(each, Mapping) or not isinstance(each.get("name"), str):
                raise InputError(
                    f"{module}: {system}[{place}]: hallucinated must hold names and their groups, found "
                    f"{describe(each)}"
                )
            counts[" ".join(each["name"].lower().split()), each.get("group")] += 1
    return counts


def compute(samples: Mapping[str, Sequence[Record]], *, settings: HallucinatedNamesSettings) -> dict[str, Any]:
    """Compute each system's names with groups, and counts and scores per reading."""
    people = settings.people
    known = read_people(people) if isinstance(people, (str, Path)) else people
    classifiers = {
        reading: NameClassifier(settings.first_names, known, settings.module, every_word=reading == "every")
        for reading in LOOKUPS
    }
    groups = [*classifiers["first"].groups]
    systems = {}
    undefined: dict[str, str] = {}
    for system, records in samples.items():
        found = systems[system] = _of_system(counted_names(settings.module, system, records), classifiers, groups)
        n_skipped = sum(record.get("skipped") is not None for record in records)
        found |= {"n_samples": len(records) - n_skipped, "n_skipped": n_skipped}
        for reading, each in found["by_reading"].items():
            if math.isnan(each["entity_hallucination"]):
                n = each["counts_by_group"][_UNKNOWN]
                undefined[f"{reading} of {system}"] = f"none of {n} hallucinated names has a known group"
    return {
        "systems": systems,
        "groups": groups,
        "names": classifiers["first"].signature(),
        "shown": settings.shown,
        "undefined": undefined,
    }


def _of_system(
    counted: Mapping[tuple[str, str | None], int], classifiers: Mapping[str, NameClassifier], groups: Sequence[str]
) -> dict[str, Any]:
    """Compute one system's names, most frequent first, counts and scores (appendix F)."""
    names: Counter[str] = Counter()
    for (name, _), n in counted.items():
        names[name] += n
    rows: list[dict[str, Any]] = [
        {"name": name, "count": n, **{reading: each.classify(name) for reading, each in classifiers.items()}}
        for name, n in sorted(names.items(), key=lambda entry: (-entry[1], entry[0]))
    ]
    by_reading: dict[str, Any] = {}
    for reading in classifiers:
        counts = {group: sum(row["count"] for row in rows if row[reading] == group) for group in groups}
        by_reading[reading] = {
            "counts_by_group": {**counts, _UNKNOWN: names.total() - sum(counts.values())},
            "entity_hallucination": float(entity_hallucination(np.array([*counts.values()], dtype=np.float64))),
        }
    first = {row["name"]: row["first"] for row in rows}
    return {
        "names": rows,
        "by_reading": by_reading,
        "n_differing": sum(row["count"] for row in rows if row["first"] != row["every"]),
        "n_recorded_otherwise": sum(n for (name, group), n in counted.items() if first[name] != group),
    }


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out numbers by reading, then table 6."""
    systems, groups = result["systems"], result["groups"]
    figures = [
        [system, reading, *of_reading["counts_by_group"].values(), of_reading["entity_hallucination"]]
        for system, found in systems.items()
        for reading, of_reading in found["by_reading"].items()
    ]
    below = [
        f"{system}: {found['n_differing']} of {sum(row['count'] for row in found['names'])} mentions have another "
        "group by the other reading"
        for system, found in systems.items()
    ]
    below.append(f"names are looked up in {result['names']}")
    below += [
        f"{system}: {found['n_recorded_otherwise']} mentions have another group in the records than by first "
        "names here; give the same first names and people"
        for system, found in systems.items()
        if found["n_recorded_otherwise"]
    ]
    header = ["system", "looked up", *groups, _UNKNOWN, "entity hallucination"]
    most = min(result["shown"], max(len(found["names"]) for found in systems.values()))
    columns: list[list[Any]] = []
    for system, found in systems.items():
        cells: list[tuple[Any, Any]] = [
            (f"{row['name']} {_groups(row)}", row["count"]) for row in found["names"][:most]
        ]
        cells += [(None, None)] * (most - len(cells))
        for group, reading in product(groups, LOOKUPS):
            cells.append((f"# {group}, {reading}", found["by_reading"][reading]["counts_by_group"][group]))
        columns += map(list, zip((system, f"# {system}"), *cells, strict=True))
    heads, *printed = zip(*columns, strict=True)
    title = "Most frequent names, with the group by first names and, if different, by every word"
    return [Table(header, figures, "Hallucinated names by group", below, n_texts=2), Table(heads, printed, title)]


def _groups(row: Mapping[str, Any]) -> str:
    """Return the group of a name; both groups if readings differ."""
    return f"({'/'.join(dict.fromkeys(row[reading] or _UNKNOWN for reading in LOOKUPS))})"


def drawing(result: dict[str, Any]) -> Drawing:
    """Entity hallucination by both readings, a row for each system."""
    rows = []
    for system, found in result["systems"].items():
        first, every = (found["by_reading"][reading]["entity_hallucination"] for reading in LOOKUPS)
        rows.append(Row(system, [Mark(first), Mark(every, shape="tick", text="every word")]))
    axis = "Lower is fairer; 0 is best. Dot: by first names; tick: by every word of a name, as in the paper."
    return Drawing("Which groups do invented persons belong to?", [Points("Entity Hallucination", rows, axis)])
