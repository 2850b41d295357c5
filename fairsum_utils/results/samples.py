"""Samples behind results, from files or from memory."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from fairsum_utils.errors import InputError
from fairsum_utils.families import Column, Family, all_measures, families, family_of
from fairsum_utils.families.arrow import as_annotated
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.page.contents import Lens, Sampled
from fairsum_utils.reports.tables import short_name
from fairsum_utils.reports.worst import severity
from fairsum_utils.results.record import whole_record

if TYPE_CHECKING:
    from fairsum_utils.results.results import Results

MOST = 20_000
"""Maximum number of samples on a page; if there are more, it shows the worst."""

_NEAR = 1e-6

ExpectedScores = Mapping[tuple[str, str], tuple[int, float]]
"""(system, label) -> number of scored samples and their score; the system is empty if there is only one."""


class Entry(NamedTuple):
    """A sample in a file or in memory.

    Attributes:
        id: id of the sample.
        place: position in the data.
        sample: column -> entry; empty without texts.
        records: label -> record of the sample, see `return_samples`.
    """

    id: str
    place: int
    sample: Mapping[str, Any]
    records: Mapping[str, Mapping[str, Any]]


class Samples(NamedTuple):
    """Samples of a system, which can be read several times.

    Attributes:
        system: name of the system; empty if there is only one.
        labels: labels with records.
        read: labels -> entries with the records of these labels, from the first entry.
    """

    system: str
    labels: Sequence[str]
    read: Callable[[Collection[str]], Iterator[Entry]]


def stored_kind(column: Column) -> Any:
    """Return the type of a column's entries in a file of samples."""
    return list[str] if column.kind == str | list[str] else column.kind


def read_sample(sample: Mapping[str, Any], columns: Mapping[str, Column]) -> dict[str, Any]:
    """Select and convert these columns of a sample from JSON or Arrow."""
    return {
        name: as_annotated(entry, stored_kind(columns[name]))
        for name, entry in sample.items()
        if name in columns and entry is not None
    }


def are_samples(row: Mapping[str, Any]) -> bool:
    """Return whether a row is a sample record of ``fairsum score --samples``.

    Example:
        >>> are_samples({"id": "a", "index": 0, "skipped": None}), are_samples({"id": "a", "prediction": "Fine."})
        (True, False)
    """
    parts = (*all_measures(), *families())
    return "index" in row and ("skipped" in row or any(isinstance(row.get(name), dict) for name in parts))


def recorded_measures(where: str, row: Mapping[str, Any], settings: Mapping[str, Any] = {}) -> list[str]:
    """Return the measures that a samples file has records of."""
    found, homes = [], dict[str, Family]()
    for measure in all_measures():
        family = family_of(measure)
        types = family.record_types((measure,), settings.get(measure) or get_measure(measure)())
        part = family.part_of(row)
        if not types.keys() - {"matched"} <= part.keys():  # a neural matcher has scores instead of matches
            continue
        found.append(measure)
        for key in (types.keys() - {"index", "group"}) if part is row else ():
            if homes.setdefault(key, family) is not family:
                raise InputError(
                    f"{where}: the samples of an earlier version mix {homes[key].name} and {family.name} under "
                    f"{key!r}; write them again: fairsum score DATA --samples FILE"
                )
    return found


def records_of(where: str, rows: Sequence[Mapping[str, Any]], family: str) -> list[dict[str, Any]]:
    """Return a family's records in memory, with ids and texts."""
    recorded_measures(where, rows[0])
    part_of = families()[family].part_of
    return [{**{key: row[key] for key in ("id", "sample") if key in row}, **part_of(row)} for row in rows]


def all_records(module: str, path: Any, family: str, **reading: Any) -> list[dict[str, Any]]:
    """Read a family's records from a ``--samples`` file, in data order.

    Returns:
        One record per sample; with texts, these are in ``sample``, column -> entry.
    """
    from fairsum_utils.io.reading import read_rows

    rows = list(map(dict, read_rows(path, {}, **reading)))
    if not are_samples(rows[0]):
        raise InputError(f"{module}: {path} holds no records of samples; `fairsum score --samples FILE` writes them")
    where, of_family = f"{module}: {path}", families()[family]
    records = records_of(where, rows, family)
    measures = [name for name in recorded_measures(where, rows[0]) if name in of_family.measures]
    settings = {measure: get_measure(measure)() for measure in measures}
    columns = {column.name: column for measure in measures for column in of_family.columns_of(measure)}
    with whole_record(where):
        for record in records:
            for measure in measures:
                record |= of_family.read_record(record, measure, settings[measure])
            if record.get("sample"):
                record["sample"] = read_sample(record["sample"], columns)
        return sorted(records, key=lambda record: int(record["index"]))


def from_file(
    path: Any, lenses: Mapping[str, Lens], *, system: str = "", others: Iterable[Lens] = (), **reading: Any
) -> Samples:
    """Open a ``--samples`` file for reading row by row.

    Its texts have the columns of other lenses, too.
    """
    from fairsum_utils.io.reading import read_rows

    settings = {label: lens.settings or get_measure(lens.measure)() for label, lens in lenses.items()}
    first = next(read_rows(path, {}, **reading))
    if not are_samples(first):
        raise InputError(f"{path}: these are no samples; `fairsum score ... --samples FILE --with-texts` writes them")
    recorded = recorded_measures(str(path), first, {lens.measure: settings[label] for label, lens in lenses.items()})
    found = [label for label, lens in lenses.items() if lens.measure in recorded]
    columns = {
        column.name: column
        for lens in (*lenses.values(), *others)
        for column in family_of(lens.measure).columns_of(lens.measure)
    }

    def read(labels: Collection[str]) -> Iterator[Entry]:
        for number, row in enumerate(read_rows(path, {}, **reading)):
            place = row.get("index", number)
            records = {}
            for label in labels:
                measure = lenses[label].measure
                family = family_of(measure)
                records[label] = family.read_record(family.part_of(row), measure, settings[label])
            yield Entry(str(row.get("id", place)), place, read_sample(row.get("sample") or {}, columns), records)

    return Samples(system, found, read)


def from_memory(
    results: Mapping[str, Any],
    columns: Mapping[str, Sequence[Any]],
    *,
    system: str = "",
    ids: Sequence[str] | None = None,
) -> list[Samples]:
    """Return the samples of results that have records of them."""
    records = {label: result["samples"] for label, result in results.items() if result.get("samples")}
    for label, of_label in records.items():
        for name, entries in columns.items():
            if len(entries) != len(of_label):
                raise InputError(
                    f"report: {label} has the records of {len(of_label)} samples, and {name} has {len(entries)} "
                    "entries; give the samples that were scored"
                )

    def read(labels: Collection[str]) -> Iterator[Entry]:
        for place in range(len(next(iter(records.values())))):
            sample = {name: entries[place] for name, entries in columns.items()}
            of_sample = {label: records[label][place] for label in labels}
            yield Entry(str(place) if ids is None else ids[place], place, sample, of_sample)

    return [Samples(system, list(records), read)] if records else []


def merged(
    parts: Sequence[Samples],
    lenses: Mapping[str, Lens],
    expected: ExpectedScores | None = None,
    *,
    redact: bool = False,
    most: int | None = None,
) -> tuple[Iterator[Sampled], list[str]]:
    """Merge all systems' samples by id, and describe which are shown.

    Memory holds the id of each sample, and samples of later parts that come too early.
    """
    label = next((label for label in lenses if any(label in part.labels for part in parts)), None)
    if label is None:
        return iter(()), [
            "No samples are shown here: score with return_samples=True (--samples FILE --with-texts) to see whose "
            "words counted."
        ]
    measure, most = lenses[label].measure, MOST if most is None else most
    n = len({entry.id for part in parts for entry in part.read(())})
    notes, chosen = [], None
    if n > most:
        chosen = {*_worst_of(parts, label, measure, most)}
        worst = f"the {most:,} worst by {short_name(measure)}"
        notes.append(f"Of {n:,} samples {worst} are shown; the numbers are those of all.")
    has_texts = any(next(part.read(()), Entry("", 0, {}, {})).sample for part in parts)
    if redact:
        notes.append("Texts and ids are left out of this report.")
    elif not has_texts:
        notes.append("The samples came without their texts, so that no words are shown (--samples FILE --with-texts).")
    samples = _joined(parts, chosen)
    if expected is not None and chosen is None:
        samples = checked(samples, expected, {label: lens.measure for label, lens in lenses.items()})
    return samples, notes


def _worst_of(parts: Sequence[Samples], label: str, measure: str, most: int) -> dict[str, tuple[float, ...]]:
    """Return the ids of the worst samples over all systems."""

    def worst(found: Mapping[str, tuple[float, ...]]) -> dict[str, tuple[float, ...]]:
        return dict(sorted(found.items(), key=lambda item: item[1], reverse=True)[:most])

    kept: dict[str, tuple[float, ...]] = {}
    for part in parts:
        for entry in part.read((label,)) if label in part.labels else ():
            found = tuple(severity(measure, entry.records[label]).values())
            kept[entry.id] = max(kept.get(entry.id, ()), found)
            if len(kept) > 2 * most:
                kept = worst(kept)
    return worst(kept)


def _joined(parts: Sequence[Samples], chosen: Collection[str] | None) -> Iterator[Sampled]:
    """Join entries by id, in the order of the first part."""
    entries = [part.read(part.labels) for part in parts]
    held: list[dict[str, Entry]] = [{} for _ in parts]  # read, but not yet used

    def read(place: int) -> Entry | None:
        entry = next((entry for entry in entries[place] if chosen is None or entry.id in chosen), None)
        if entry is not None:
            held[place][entry.id] = entry
        return entry

    for place in range(len(parts)):
        while held[place] or read(place):
            name = next(iter(held[place]))
            by_system: dict[str, list[Entry]] = {part.system: [] for part in parts}
            for other, part in enumerate(parts):
                while name not in held[other] and read(other):
                    pass
                if name in held[other]:
                    by_system[part.system].append(held[other].pop(name))
            for system, found in by_system.items():
                if found:
                    records = {label: record for entry in found for label, record in entry.records.items()}
                    sample = {column: text for entry in found for column, text in entry.sample.items()}
                    yield Sampled(name, system, found[0].place, sample, records)


def expected_scores(results: Results) -> ExpectedScores:
    """Return the scores and sample counts of results."""
    measures = results._measures()
    expected: dict[tuple[str, str], tuple[int, float]] = {}
    for label, result in results._results().items():
        if measures[label] in result:
            scores = {"": result[measures[label]]}
        else:
            scores = {name: of_system["score"] for name, of_system in result["systems"].items()}
        expected |= {(name, label): (result["n_samples"], score) for name, score in scores.items()}
    return expected


def checked(samples: Iterable[Sampled], expected: ExpectedScores, measures: Mapping[str, str]) -> Iterator[Sampled]:
    """Yield all samples, then check that they belong to the results.

    With one system, the number of scored samples must agree and, if the measure is a mean over samples, their mean. In
    a comparison, samples that one system lacks do not count, so there may be more.
    """
    scores: dict[tuple[str, str], list[float]] = defaultdict(list)
    for sampled in samples:
        for label, record in sampled.records.items():
            scored = scores[sampled.system, label]
            if record["skipped"] is None:
                score = record.get(measures[label])
                scored.append(score if isinstance(score, float) else math.nan)
        yield sampled
    for (system, label), found in scores.items():
        n, score = expected.get((system, label)) or expected.get(("", label), (len(found), math.nan))
        whose = f"{label} of {system}" if system else label
        if len(found) != n and (system, label) in expected and not system:
            raise InputError(
                f"report: {len(found)} samples have a score of {whose}, and the results are of {n}; give all of those "
                "that the results are of"
            )
        mean = math.fsum(found) / n if len(found) == n and n else math.nan
        if abs(mean - score) > _NEAR:
            raise InputError(
                f"report: these are not the samples of the results: the mean of {whose} is {mean:.4f} in the samples, "
                f"and {score:.4f} in the results; give those of the same run"
            )
