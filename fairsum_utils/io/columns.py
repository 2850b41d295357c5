"""Columns of files: which ones are read, and names of classes."""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeAlias

from fairsum_utils.errors import FileError

Choose: TypeAlias = "Callable[[str, Collection[str]], list[str]]"
"""(place for messages, the columns that are there) -> those to read; raises where one is missing."""

_OTHERS_SAY: Mapping[str, tuple[str, ...]] = {
    "prediction": ("summary", "summaries", "output", "generated", "response", "completion", "hypothesis", "text"),
    "sources": ("source", "documents", "docs", "reviews", "texts", "articles", "posts", "tweets", "turns", "inputs"),
    "values": ("labels", "value", "label", "groups", "attributes", "attribute", "speakers", "sentiments"),
    "group": ("groups", "label", "gender", "category", "attribute", "value", "profession"),
    "text": ("article", "document", "body", "content", "source", "sources", "prediction"),
    "candidates": ("predictions", "summaries", "outputs"),
    "prompt": ("prompts", "input", "text", "question"),
}
"""Our name of a column -> what other data sets call it, the likeliest first."""

_ALIKE = 0.7
"""Least similarity of a name that is proposed."""


def check_columns(where: str, needed: Collection[str], present: Collection[str], what: str = "") -> None:
    """Refuse rows that lack a column.

    Example:
        >>> check_columns("a.csv", {"prediction": "--prediction-column"}, ["id", "Summary"])
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.FileError: a.csv: no column 'prediction'; found id, Summary. Try
        --prediction-column Summary
    """
    if missing := [name for name in needed if name not in present]:
        remedy = _remedy(needed, missing, present) if isinstance(needed, Mapping) else f"Expected {what}"
        raise FileError(
            f"{where}: no column {', '.join(map(repr, missing))}; found {', '.join(map(str, present)) or 'nothing'}. "
            f"{remedy}"
        )
    if len(present) != len(set(present)):
        counts = Counter(present)
        for name in needed:
            if counts[name] > 1:
                raise FileError(f"{where}: there are {counts[name]} columns {name!r}; rename all but the right one")


def _remedy(options: Mapping[str, str], missing: Sequence[str], present: Collection[str]) -> str:
    """The options that would work, or at least those that are needed."""
    free = [name for name in present if name not in options]
    tried, unknown = [], []
    for name in missing:
        option = options[name]
        meant = _meant(name, free) if option.startswith("--") else None
        if meant is None:
            unknown.append(option)
        else:
            free.remove(meant)
            tried.append(f"{option.split()[0]} {_quoted(meant)}")
    right = f"ame the right one with {', '.join(dict.fromkeys(unknown))}"
    if not tried:
        return f"N{right}"
    return f"Try {' '.join(tried)}" + (f"; n{right}" if unknown else "")


def _meant(name: str, free: Sequence[str]) -> str | None:
    """The column that may be meant, if there is one."""
    lowered = {column.strip().lower(): column for column in reversed(free) if isinstance(column, str)}
    for other in (name.strip().lower(), *_OTHERS_SAY.get(name, ())):
        if other in lowered:
            return lowered[other]
    close = difflib.get_close_matches(name.lower(), lowered, n=1, cutoff=_ALIKE)
    return lowered[close[0]] if close else None


def _quoted(name: str) -> str:
    """A name as a shell takes it."""
    import shlex

    return shlex.quote(name)


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
    """Return the function that names the classes of a column; None without classes."""
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
