"""Columns of samples of several measures, in a file or a data frame."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, TypedDict

from fairsum_utils._util.secrets import masked
from fairsum_utils.errors import InputError
from fairsum_utils.families import Column, family_of
from fairsum_utils.families.arrow import Record, as_annotated, parts_of
from fairsum_utils.measures import get_measure
from fairsum_utils.results.record import describe_settings, settings_of, whole_record
from fairsum_utils.results.record import plain as plain_setting

VERSION = 2
"""Version of the columns; files of version 1 did not say how they were scored."""

MARK = "fairsum"
"""Column that says of each sample which measures scored it, with which settings."""

TEXTS = "sample"
"""Column with the texts of a sample: column of the data -> entry."""

_OF_THE_DATA_SET = {"confidence_level", "n_resamples", "bootstrap", "at_random", "return_samples"}
"""Settings that no sample depends on."""


class SampleColumns:
    """Columns of the samples of several measures.

    Measures with the same rows and settings share the columns of their records. A column that measures with other rows
    have, too, is named after the family, or after the first measure if the family has several such sets.

    Args:
        asked: label -> ``measure`` and ``effective``, its settings as in the record of a run.

    Attributes:
        labels: label -> measure.
        settings: label -> settings of the measure; None where they are unknown, such as functions.
        types: column -> type of its entries.
        mark: entry of the column `MARK`.
    """

    def __init__(self, asked: Mapping[str, Mapping[str, Any]]) -> None:
        self.labels: dict[str, str] = {label: found["measure"] for label, found in asked.items()}
        self.settings = {label: settings_of(found["measure"], found["effective"]) for label, found in asked.items()}
        self.mark = json.dumps(
            {"version": VERSION, "measures": {label: _given(label, found) for label, found in asked.items()}}
        )
        every = (column for name in set(self.labels.values()) for column in family_of(name).columns_of(name))
        self._texts = {column.name: stored_kind(column) for column in every}
        self._types = {label: self._record_types(label) for label in asked}
        self._names: dict[str, dict[str, str]] = {}
        self.types: dict[str, Any] = {"id": str, "index": int}
        self._name(_parts(asked))
        self.types[MARK] = str

    def _name(self, parts: Sequence[Sequence[str]]) -> None:
        """Name the columns of each part."""
        of_parts = [self._record_types(*part) for part in parts]
        owners = Counter(key for types in of_parts for key in types if key != "index")
        for prefix, part, types in zip(_prefixes(parts, self.labels), parts, of_parts, strict=True):
            names = {key: f"{prefix}.{key}" if owners[key] > 1 else key for key in types}
            self.types |= {names[key]: kind for key, kind in types.items()}
            for label in part:
                self._names[label] = {key: names[key] for key in self._types[label]}

    def _record_types(self, *labels: str) -> dict[str, Any]:
        """Return the type of each key of a record for labels of a part."""
        measures = [self.labels[label] for label in labels]
        return family_of(measures[0]).record_types(measures, self.settings[labels[0]] or get_measure(measures[0])())

    @classmethod
    def of_file(cls, path: Any, row: Mapping[str, Any]) -> SampleColumns:
        """Read the columns of a file from one of its rows.

        Raises:
            InputError: the row is no sample, or one of another version.
        """
        where = masked(str(path))
        if MARK not in row:
            raise InputError(
                f"{where}: these are no samples, or of an earlier version; `fairsum score DATA --samples FILE "
                "--with-texts` writes them"
            )
        with whole_record(where):
            mark = json.loads(row[MARK])
            if mark["version"] != VERSION:
                raise InputError(
                    f"{where}: these samples are of version {mark['version']}, and this version of fairsum-utils reads "
                    f"{VERSION}; upgrade it, or write them again: fairsum score DATA --samples {where} --with-texts"
                )
            return cls(
                {
                    label: describe_settings(measure, {}, {name: found[name] for name in found if name != "measure"})
                    for label, found in mark["measures"].items()
                    for measure in [found.get("measure", label)]
                }
            )

    def row(self, name: str, records: Mapping[str, Record]) -> Record:
        """Make the row of a sample with this id from label -> record."""
        row: Record = {"id": name, **dict.fromkeys(list(self.types)[1:]), MARK: self.mark}
        for label, names in self._names.items():
            record, skipped = records[label], names["skipped"]
            reason = row[skipped] or record["skipped"]
            # A measure may have left the sample out that another with the same columns has.
            better = row["index"] is None or record["skipped"] is None
            for key, column in names.items():
                if better or row[column] is None:
                    row[column] = record[key]
            row[skipped] = reason
        return row

    def records(self, row: Mapping[str, Any], labels: Iterable[str]) -> dict[str, Record]:
        """Read label -> record from a row of JSON, CSV or Arrow."""
        return {
            label: {key: _read(row[name], self._types[label][key]) for key, name in self._names[label].items()}
            for label in labels
        }

    def names(self, labels: Collection[str]) -> list[str]:
        """List the columns of the records of these labels."""
        return list(dict.fromkeys(name for label in labels for name in self._names[label].values()))

    def texts(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Read column -> entry from the texts of a row; empty without texts."""
        found = row.get(TEXTS) or {}
        return {
            name: as_annotated(entry, self._texts[name], plain=True)
            for name, entry in (json.loads(found) if isinstance(found, str) else found).items()
            if name in self._texts and entry is not None
        }


def texts_type(columns: Iterable[Column]) -> Any:
    """Return the type of the column `TEXTS` for these columns of the data."""
    make: Any = TypedDict
    return make("Texts", {column.name: stored_kind(column) for column in columns})


def stored_kind(column: Column) -> Any:
    """Return the type of a column's entries in a file of samples."""
    return list[str] if column.kind == str | list[str] else column.kind


def _parts(asked: Mapping[str, Mapping[str, Any]]) -> list[list[str]]:
    """Group labels whose records agree in all that they share."""
    parts: list[list[str]] = []
    for label, found in asked.items():
        part = next((part for part in parts if all(_agree(asked[other], found) for other in part)), None)
        if part is None:
            parts.append([label])
        else:
            part.append(label)
    return parts


def _agree(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    kinds = [get_measure(each["measure"]) for each in (one, other)]
    shared = (one["effective"].keys() & other["effective"].keys()) - _OF_THE_DATA_SET
    return (
        kinds[0] is not kinds[1]
        and kinds[0].reader == kinds[1].reader
        and all(one["effective"][name] == other["effective"][name] for name in shared)
    )


def _prefixes(parts: Sequence[Sequence[str]], labels: Mapping[str, str]) -> list[str]:
    """Name parts after families, or after first labels within a family."""
    first = {label: get_measure(labels[label]).family for label, *_ in parts}
    n_parts = Counter(first.values())
    names = [family if n_parts[family] == 1 else label for label, family in first.items()]
    return names if len(set(names)) == len(names) else list(first)


def _given(label: str, found: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings that are not the defaults, and the measure of another label."""
    infos = get_measure(found["measure"]).infos()
    given = {
        name: value
        for name, value in found["effective"].items()
        if name in infos and name not in _OF_THE_DATA_SET and value != plain_setting(infos[name].default)
    }
    return given if label == found["measure"] else {"measure": found["measure"], **given}


def _read(entry: Any, kind: Any) -> Any:
    """Convert an entry of JSON, of Arrow or of a cell of CSV."""
    if isinstance(entry, str):
        what, part = parts_of(kind)
        if (part if what == "optional" else kind) is not str:
            entry = json.loads(entry) if entry else None
        elif what == "optional":
            entry = entry or None
    return as_annotated(entry, kind, plain=True)
