"""Samples behind results, from files or from memory."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from fairsum_utils.errors import InputError
from fairsum_utils.reports.page.outline import Outline
from fairsum_utils.reports.page.sample import Lens, Sampled
from fairsum_utils.results.base import Results
from fairsum_utils.results.columns import MARK, TEXTS, SampleColumns
from fairsum_utils.results.record import describe_settings, whole_record

if TYPE_CHECKING:
    import pandas

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
        read: labels -> entries with the records of these labels, from the first entry; with ``texts=True`` also texts.
        has_texts: the samples have their texts.
        columns: columns of the file; None in memory.
    """

    system: str
    labels: Sequence[str]
    read: Callable[..., Iterator[Entry]]
    has_texts: bool
    columns: SampleColumns | None = None


def from_file(path: Any, measures: Mapping[str, str] | None = None, *, system: str = "", **reading: Any) -> Samples:
    """Open a file of samples for reading row by row.

    Args:
        path: name of the file.
        measures: label -> measure, of which records are wanted; None for all.
        system: name of the system.
        **reading: options of `fairsum_utils.io.reading.read_rows`.

    Raises:
        InputError: the file has no samples, or those of another version.
    """
    from fairsum_utils.io.reading import read_rows

    first = next(read_rows(path, {}, **reading))
    columns = SampleColumns.of_file(path, first)
    labels = [label for label, name in columns.labels.items() if measures is None or measures.get(label) == name]

    def read(labels: Collection[str], *, texts: bool = False) -> Iterator[Entry]:
        wanted = ["id", "index", MARK, *columns.names(labels), *([TEXTS] if texts else [])]
        rows = read_rows(path, {}, others=wanted, **reading)
        with whole_record(str(path)):
            for number, row in enumerate(rows):
                if row.get(MARK) != first[MARK]:
                    raise InputError(
                        f"{rows.where(number)}: this sample was scored with other settings than those before it; keep "
                        "the samples of each run in a file of their own"
                    )
                sample = columns.texts(row) if texts else {}
                yield Entry(str(row["id"]), int(row["index"]), sample, columns.records(row, labels))

    return Samples(system, labels, read, bool(first.get(TEXTS)), columns)


def frame_of(results: Results) -> pandas.DataFrame:
    """Return the samples of results, see `fairsum_utils.results.results.ByValue.samples`."""
    import pandas

    found = {label: result.get("samples") for label, result in results.by_label().items()}
    if not found or None in found.values():
        raise InputError("samples: the results have no records of samples; score with return_samples=True")
    recorded, measures = results.run.settings(), results.measure_by_label()
    columns = SampleColumns(
        {label: recorded.get(label) or describe_settings(measures[label], {}, {}) for label in found}
    )
    records = [dict(zip(found, of_sample, strict=True)) for of_sample in zip(*found.values(), strict=True)]
    ids = map(str, range(len(records))) if results.run.ids is None else results.run.ids
    rows = [columns.row(name, of_sample) for name, of_sample in zip(ids, records, strict=True)]
    return pandas.DataFrame(rows, columns=list(columns.types))


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

    def read(labels: Collection[str], *, texts: bool = False) -> Iterator[Entry]:
        for place in range(len(next(iter(records.values())))):
            sample = {name: entries[place] for name, entries in columns.items()} if texts else {}
            of_sample = {label: records[label][place] for label in labels}
            yield Entry(str(place) if ids is None else ids[place], place, sample, of_sample)

    return [Samples(system, list(records), read, bool(columns))] if records else []


def from_entries(entries: Sequence[Entry], labels: Sequence[str], *, system: str = "") -> Samples:
    """Return samples of a system that are in memory, with texts."""
    return Samples(system, labels, lambda labels, texts=True: iter(entries), has_texts=True)


def merged(
    parts: Sequence[Samples],
    lenses: Mapping[str, Lens],
    expected: ExpectedScores | None = None,
    *,
    outline: Outline | None = None,
) -> tuple[Outline, Iterator[Sampled]]:
    """Merge all systems' samples by id; return their outline and those shown.

    Memory holds the id of each sample, and samples of later parts that come too early.
    """
    if outline is None:
        outline = Outline(lenses)
        measures = {label: lens.measure for label, lens in lenses.items()}
        for sampled in checked(joined(parts, texts=False), expected or {}, measures):
            outline.add(sampled)
    return outline, joined(parts, outline.shown())


def notes_on(parts: Sequence[Samples], *, redact: bool = False) -> list[str]:
    """Say what a page lacks of its samples."""
    if not parts:
        return [
            "No samples are shown here: score with return_samples=True (--samples FILE --with-texts) to see whose "
            "words counted."
        ]
    if redact:
        return ["Texts and ids are left out of this report."]
    if not any(part.has_texts for part in parts):
        return ["The samples came without their texts, so that no words are shown (--samples FILE --with-texts)."]
    return []


def joined(parts: Sequence[Samples], chosen: Collection[str] | None = None, *, texts: bool = True) -> Iterator[Sampled]:
    """Join entries by id, in the order of the first part.

    Args:
        parts: samples of systems.
        chosen: ids of the samples that are read; None for all.
        texts: read the texts too.
    """
    entries = [part.read(part.labels, texts=texts) for part in parts]
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
    measures = results.measure_by_label()
    expected: dict[tuple[str, str], tuple[int, float]] = {}
    for label, result in results.by_label().items():
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
        name = f"{label} of {system}" if system else label
        if len(found) != n and (system, label) in expected and not system:
            raise InputError(
                f"report: {len(found)} samples have a score of {name}, and the results are of {n}; give all of those "
                "that the results are of"
            )
        mean = math.fsum(found) / n if len(found) == n and n else math.nan
        if abs(mean - score) > _NEAR:
            raise InputError(
                f"report: these are not the samples of the results: the mean of {name} is {mean:.4f} in the samples, "
                f"and {score:.4f} in the results; give those of the same run"
            )
