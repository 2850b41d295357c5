"""Names of classes: what the numbers of a ``ClassLabel`` of `datasets` stand for."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from fairsum_utils.errors import FileError

__all__ = ["Naming", "features_of_schema", "naming_of", "namings"]

Naming: TypeAlias = Callable[[Any], Any]
"""A cell -> the same with names for numbers."""


def features_of_schema(metadata: Mapping[bytes, bytes] | None) -> Any:
    """The features that `datasets` has written into an Arrow or Parquet file; None if there are none."""
    try:
        return json.loads((metadata or {})[b"huggingface"])["info"]["features"]
    except (KeyError, TypeError, ValueError, RecursionError):
        return None


def namings(features: Any, where: str) -> dict[str, Naming]:
    """Column -> what puts names for its classes, for the columns that have any.

    Args:
        features: as ``dataset_info.json`` has them.
        where: opens messages.

    Raises:
        FileError: later, by a naming: a number that no class has.

    Example:
        >>> label = {"_type": "ClassLabel", "names": ["neg", "pos"]}
        >>> named = namings({"values": {"_type": "List", "feature": label}, "id": {"_type": "Value"}}, "a.parquet")
        >>> list(named), named["values"]([1, 0])
        (['values'], ['pos', 'neg'])
    """
    if not isinstance(features, Mapping):
        return {}
    found = ((name, naming_of(feature, f"{where}: column {name!r}")) for name, feature in features.items())
    return {name: naming for name, naming in found if naming is not None}


def naming_of(feature: Any, where: str) -> Naming | None:
    """What puts names for the classes of a column; None where it has none.

    Args:
        feature: of the column, as ``dataset_info.json`` has it.
        where: opens messages.

    Raises:
        FileError: later, by the naming: a number that no class has.
    """
    if isinstance(feature, list):  # a list of structures, as older versions write it
        return _of_list(feature[0], where) if feature else None
    if not isinstance(feature, Mapping):
        return None
    kind = feature.get("_type")
    if kind == "ClassLabel" and isinstance(feature.get("names"), list):
        return _of_class(feature["names"], where)
    if isinstance(kind, str):
        inner = feature.get("feature")
        if kind == "Sequence" and isinstance(inner, Mapping) and not isinstance(inner.get("_type"), str):
            lists = {name: [part] for name, part in inner.items()}  # stored as one list a field
            return naming_of(lists, where)
        return _of_list(inner, where)
    parts = {name: naming for name, part in feature.items() if (naming := naming_of(part, where)) is not None}
    if not parts:
        return None

    def named(cell: Any) -> Any:
        if not isinstance(cell, Mapping):
            return cell
        return {name: parts[name](part) if name in parts else part for name, part in cell.items()}

    return named


def _of_list(feature: Any, where: str) -> Naming | None:
    naming = naming_of(feature, where)
    if naming is None:
        return None
    return lambda cell: list(map(naming, cell)) if isinstance(cell, list) else cell


def _of_class(names: list[Any], where: str) -> Naming:
    def named(cell: Any) -> Any:
        if type(cell) is not int or cell == -1:  # -1 stands for no label
            return None if cell == -1 else cell
        if not 0 <= cell < len(names):
            raise FileError(f"{where}: found class {cell}, but there are {len(names)}: {', '.join(map(str, names))}")
        return names[cell]

    return named
