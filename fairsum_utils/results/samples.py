"""The samples behind results, from files of samples or from memory, as a page takes them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from fairsum_utils.errors import InputError
from fairsum_utils.families import Column, Family, all_measures, families, family_of
from fairsum_utils.families.renamed import under_new_names
from fairsum_utils.families.table import as_annotated
from fairsum_utils.reports.page.contents import Lens, Sampled
from fairsum_utils.reports.tables import short_name
from fairsum_utils.reports.worst import severity
from fairsum_utils.results.record import whole_record

if TYPE_CHECKING:
    from fairsum_utils.results.results import Results

MOST = 20_000
"""Samples that a page shows; of more, the worst."""


class Entry(NamedTuple):
    """A sample as a file has it.

    Attributes:
        id: of the sample.
        place: position in the data.
        sample: column -> entry; empty without texts.
        records: label -> what `return_samples` says of the sample.
    """

    id: str
    place: int
    sample: Mapping[str, Any]
    records: Mapping[str, Mapping[str, Any]]


class Samples(NamedTuple):
    """Samples of a system, which can be read again.

    Attributes:
        system: that they are of; empty where there is one.
        labels: what they have records of.
        read: gives the entries, from the first, with the records of some of these labels.
    """

    system: str
    labels: Sequence[str]
    read: Callable[[Collection[str]], Iterator[Entry]]


def stored_kind(column: Column) -> Any:
    """The type of a column's entries in a file of samples: one, whatever else may be given.

    Args:
        column: of a family.
    """
    return list[str] if column.kind == str | list[str] else column.kind


def read_sample(sample: Mapping[str, Any], columns: Mapping[str, Column]) -> dict[str, Any]:
    """The columns of a sample from a file of samples; others than those that are wanted are left out.

    Args:
        sample: column -> entry, as JSON or Arrow has it.
        columns: by name, those that are wanted.
    """
    return {
        name: as_annotated(entry, stored_kind(columns[name]))
        for name, entry in sample.items()
        if name in columns and entry is not None
    }


def are_samples(row: Mapping[str, Any]) -> bool:
    """Whether a row of a file is a record of a sample, as ``fairsum score --samples`` writes them.

    Example:
        >>> are_samples({"id": "a", "index": 0, "skipped": None}), are_samples({"id": "a", "prediction": "Fine."})
        (True, False)
    """
    parts = (*all_measures(), *families())
    return "index" in row and ("skipped" in row or any(isinstance(row.get(name), dict) for name in parts))


def recorded_measures(where: str, row: Mapping[str, Any], settings: Mapping[str, Any] = {}) -> list[str]:
    """The measures that a row of a file of samples has records of.

    Args:
        where: name of the file, for messages.
        row: the first of the file.
        settings: measure -> its settings; the rest have their defaults.

    Raises:
        InputError: a key stands once for several families, as in files of earlier versions.
    """
    found, homes = [], dict[str, Family]()
    for measure in all_measures():
        family = family_of(measure)
        types = family.record_types((measure,), settings.get(measure) or family.settings(measure)())
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
    """The records of a family in samples of one family or several, with the id and texts of each sample.

    Args:
        where: name of the file, for messages.
        rows: of the samples, at least one.
        family: its name.

    Raises:
        InputError: as of `recorded_measures`.
    """
    recorded_measures(where, rows[0])
    part_of = families()[family].part_of
    return [{**{key: row[key] for key in ("id", "sample") if key in row}, **part_of(row)} for row in rows]


def all_records(module: str, path: Any, family: str, **reading: Any) -> list[dict[str, Any]]:
    """The records of a family in a file that ``fairsum score --samples`` has written.

    Args:
        module: name used in messages.
        path: of the file.
        family: its name.
        **reading: how the file is read, see `fairsum_utils.io.reading.read_rows`.

    Returns:
        A record a sample, in the order of the data (a file with texts begins with the worst); one with texts has them
        as ``sample``, column -> entry.

    Raises:
        InputError: the file holds something else.
    """
    from fairsum_utils.io.reading import read_rows

    rows = list(map(dict, map(under_new_names, read_rows(path, {}, **reading))))
    if not are_samples(rows[0]):
        raise InputError(f"{module}: {path} holds no records of samples; `fairsum score --samples FILE` writes them")
    where, of_family = f"{module}: {path}", families()[family]
    records = records_of(where, rows, family)
    measures = [name for name in recorded_measures(where, rows[0]) if name in of_family.measures]
    settings = {measure: of_family.settings(measure)() for measure in measures}
    columns = {column.name: column for measure in measures for column in of_family.columns_of(measure)}
    with whole_record(where):
        for record in records:
            for measure in measures:
                record |= of_family.read_record(record, measure, settings[measure])
            if record.get("sample"):
                record["sample"] = read_sample(record["sample"], columns)
        return sorted(records, key=lambda record: int(record["index"]))


def from_file(path: Any, lenses: Mapping[str, Lens], *, system: str = "", **reading: Any) -> Samples:
    """Samples of a file that ``fairsum score --samples`` has written; read row by row.

    Args:
        path: of the file.
        lenses: label -> measure and settings; those that the file has no records of are passed over.
        system: that they are of.
        **reading: how it is read, see `fairsum_utils.io.reading.read_rows`.

    Raises:
        InputError: the file holds something else.
    """
    from fairsum_utils.io.reading import read_rows

    settings = {
        label: lens.settings or family_of(lens.measure).settings(lens.measure)() for label, lens in lenses.items()
    }
    first = next(read_rows(path, {}, **reading))
    if not are_samples(first):
        raise InputError(f"{path}: these are no samples; `fairsum score ... --samples FILE --with-texts` writes them")
    recorded = recorded_measures(str(path), first, {lens.measure: settings[label] for label, lens in lenses.items()})
    told = [label for label, lens in lenses.items() if lens.measure in recorded]
    columns = {
        column.name: column for lens in lenses.values() for column in family_of(lens.measure).columns_of(lens.measure)
    }

    def read(labels: Collection[str]) -> Iterator[Entry]:
        for number, row in enumerate(read_rows(path, {}, **reading)):
            place = row.get("index", number)
            records = {
                label: family.read_record(family.part_of(row), lenses[label].measure, settings[label])
                for label in labels
                for family in [family_of(lenses[label].measure)]
            }
            yield Entry(str(row.get("id", place)), place, read_sample(row.get("sample") or {}, columns), records)

    return Samples(system, told, read)


def from_memory(
    columns: Mapping[str, Sequence[Any]],
    records: Mapping[str, Sequence[Mapping[str, Any]]],
    *,
    system: str = "",
    ids: Sequence[str] | None = None,
) -> Samples:
    """Samples that were scored in memory.

    Args:
        columns: column -> its entries; empty without texts.
        records: label -> what `return_samples` said.
        system: that they are of.
        ids: of the samples; None for their places.
    """
    n = len(next(iter(records.values()), ()))

    def read(labels: Collection[str]) -> Iterator[Entry]:
        for place in range(n):
            sample = {name: entries[place] for name, entries in columns.items()}
            said = {label: records[label][place] for label in labels}
            yield Entry(str(place) if ids is None else ids[place], place, sample, said)

    return Samples(system, list(records), read)


def merged(
    parts: Sequence[Samples],
    lenses: Mapping[str, Lens],
    told: Told | None = None,
    *,
    redact: bool = False,
    most: int | None = None,
) -> tuple[Iterator[Sampled], list[str]]:
    """The samples of a page, those of all systems with the same id one after the other; and what is to be said of them.

    Memory holds the id of each sample, and those samples of later parts that come before their turn.

    Args:
        parts: of one system or several; those of the same system are of the same samples with other records.
        lenses: label -> measure.
        told: what the results say of their samples, which are held against it if all are shown; None not to.
        redact: texts and ids are going to be left out.
        most: how many samples are shown; of more, the worst by the first label that there are records of; None for
            `MOST`.

    Raises:
        InputError: while they are read: they are not those of the results.
    """
    label = next((label for label in lenses if any(label in part.labels for part in parts)), None)
    if label is None:
        return iter(()), [
            "No samples are shown here: score with return_samples=True (--samples FILE --with-texts) to see whose "
            "words counted."
        ]
    measure, most = lenses[label].measure, MOST if most is None else most
    n = len({entry.id for part in parts for entry in part.read(())})
    said, chosen = [], None
    if n > most:
        chosen = {*_worst_of(parts, label, measure, most)}
        worst = f"the {most:,} worst by {short_name(measure)}"
        said.append(f"Of {n:,} samples {worst} are shown; the numbers are those of all.")
    has_texts = any(next(part.read(()), Entry("", 0, {}, {})).sample for part in parts)
    if redact:
        said.append("Texts and ids are left out of this report.")
    elif not has_texts:
        said.append("The samples came without their texts, so that no words are shown (--samples FILE --with-texts).")
    samples = _in_turn(parts, chosen)
    if told is not None and chosen is None:
        samples = checked(samples, told, {label: lens.measure for label, lens in lenses.items()})
    return samples, said


def _worst_of(parts: Sequence[Samples], label: str, measure: str, most: int) -> dict[str, tuple[float, ...]]:
    """The ids of the worst samples; a sample is as bad as in the system where it is worst."""
    kept: dict[str, tuple[float, ...]] = {}
    for part in parts:
        if label not in part.labels:
            continue
        for entry in part.read((label,)):
            found = tuple(severity(measure, entry.records[label]).values())
            kept[entry.id] = max(kept.get(entry.id, ()), found)
            if len(kept) > 2 * most:
                kept = _worst(kept, most)
    return _worst(kept, most)


def _worst(found: Mapping[str, tuple[float, ...]], most: int) -> dict[str, tuple[float, ...]]:
    """The worst samples; of those that are as bad as each other, the first."""
    return dict(sorted(found.items(), key=lambda item: item[1], reverse=True)[:most])


def _in_turn(parts: Sequence[Samples], chosen: Collection[str] | None) -> Iterator[Sampled]:
    """The samples in the order of the first part, then those that only others have."""
    waiting = [_Waiting(part, chosen) for part in parts]
    systems = list(dict.fromkeys(part.system for part in parts))
    for name in _ids(waiting):
        for system in systems:
            found = [
                entry for each in waiting if each.system == system for entry in [each.take(name)] if entry is not None
            ]
            if not found:
                continue
            records = {label: record for entry in found for label, record in entry.records.items()}
            sample = {column: text for entry in found for column, text in entry.sample.items()}
            yield Sampled(name, system, found[0].place, sample, records)


def _ids(waiting: Sequence[_Waiting]) -> Iterator[str]:
    """The id of each sample once."""
    for each in waiting:
        while (name := each.next()) is not None:
            yield name


class _Waiting:
    """The entries of a part that were not taken yet."""

    def __init__(self, part: Samples, chosen: Collection[str] | None) -> None:
        self.system = part.system
        self._entries = (entry for entry in part.read(part.labels) if chosen is None or entry.id in chosen)
        self._held: dict[str, Entry] = {}

    def next(self) -> str | None:
        """The id of the next entry, which stays; None after the last."""
        if not self._held and not self._read():
            return None
        return next(iter(self._held))

    def take(self, name: str) -> Entry | None:
        """The entry of an id; reads on as far as need be."""
        while name not in self._held:
            if not self._read():
                return None
        return self._held.pop(name)

    def _read(self) -> bool:
        entry = next(self._entries, None)
        if entry is not None:
            self._held[entry.id] = entry
        return entry is not None


Told = Mapping[tuple[str, str], tuple[int, float]]
"""Name of a system, empty where there is one, and label -> how many samples have a score, and the score of all."""

_NEAR = 1e-6


def told_by(results: Results) -> Told:
    """What results say of their samples.

    Args:
        results: of scoring or of a comparison.
    """
    measures = results._measures()
    told: dict[tuple[str, str], tuple[int, float]] = {}
    for label, result in results._results().items():
        if measures[label] in result:
            scores = {"": result[measures[label]]}
        elif "systems" in result:
            scores = {name: of_system["score"] for name, of_system in result["systems"].items()}
        else:
            scores = {name: result[end] for name, end in zip(results._systems(), "ab", strict=True)}
        told |= {(name, label): (result["n_samples"], score) for name, score in scores.items()}
    return told


def checked(samples: Iterable[Sampled], told: Told, measures: Mapping[str, str]) -> Iterator[Sampled]:
    """The same samples, all of them; when the last one has gone by, they must have been those of the results.

    What is compared is how many have a score, where one system was scored, and their mean, where a measure is the mean
    of its samples. In a comparison, samples that one of its systems lacks do not count, so that there may be more.

    Args:
        samples: of a page.
        told: see `told_by`.
        measures: label -> measure.

    Raises:
        InputError: they are those of something else.
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
        n, score = told.get((system, label)) or told.get(("", label), (len(found), math.nan))
        whose = f"{label} of {system}" if system else label
        if len(found) != n and (system, label) in told and not system:
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
