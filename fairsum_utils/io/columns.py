"""Columns of files: which ones are read, and names of classes."""

from __future__ import annotations

import difflib
import json
import shlex
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeAlias

from fairsum_utils.errors import FileError, InputError

Choose: TypeAlias = "Callable[[str, Collection[str]], list[str]]"
"""(place for messages, columns of a file) -> columns to read; raises if one is missing."""

NumberedRow: TypeAlias = tuple[int, dict[str, Any]]
"""The number of a row in its file, as an editor or a spreadsheet shows it, and its cells."""

_ALIASES: Mapping[str, tuple[str, ...]] = {
    "prediction": ("summary", "summaries", "output", "generated", "response", "completion", "hypothesis", "text"),
    "sources": (
        "source",
        "documents",
        "docs",
        "reviews",
        "texts",
        "articles",
        "posts",
        "tweets",
        "inputs",
        "text",
        "article",
    ),
    "values": ("labels", "value", "label", "groups", "attributes", "attribute", "speaker", "speakers", "stars"),
    "group": ("groups", "label", "gender", "category", "attribute", "value", "profession"),
    "text": ("article", "document", "body", "content", "source", "sources", "prediction"),
    "candidates": ("predictions", "summaries", "outputs"),
    "prompt": ("prompts", "input", "text", "question"),
}
"""Our name of a column -> names in other data sets, the likeliest first."""

_TEXTS = frozenset((*_ALIASES["text"], *_ALIASES["sources"]))
"""Names of columns that hold texts, which are no ids."""

_ALIKE = 0.7
"""Minimum similarity of a suggested name."""


def check_columns(
    where: str,
    needed: Collection[str],
    present: Collection[str],
    what: str = "",
    *,
    error: type[InputError] = FileError,
) -> None:
    """Check that rows have all columns; `needed` may say how each is named.

    Example:
        >>> check_columns("a.csv", {"prediction": "--prediction-column"}, ["id", "Summary"])
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.FileError: a.csv: no column 'prediction'; found id, Summary. Try
        --prediction-column Summary
    """
    if missing := [name for name in needed if name not in present]:
        remedy = _remedy(needed, missing, present) if isinstance(needed, Mapping) else f"Expected {what}"
        raise error(
            f"{where}: no column {', '.join(map(repr, missing))}; found {', '.join(map(str, present)) or 'nothing'}. "
            f"{remedy}"
        )
    if len(present) != len(set(present)):
        counts = Counter(present)
        for name in needed:
            if counts[name] > 1:
                raise error(f"{where}: there are {counts[name]} columns {name!r}; rename all but one")


def _remedy(options: Mapping[str, str], missing: Sequence[str], present: Collection[str]) -> str:
    """Suggest the options that would work, or list the required ones."""
    free = [name for name in present if name not in options]
    tried, unknown = [], []
    for name in missing:
        option = options[name]
        meant = meant_column(name, free) if option.startswith(("--", "`")) else None
        if meant is None:
            unknown.append(option)
            continue
        free.remove(meant)
        argument = option.split()[0]
        is_flag = argument.startswith("--")
        tried.append(f"{argument} {shlex.quote(meant)}" if is_flag else f"{argument.strip('`')}={meant!r}")
    right = f"ame the right one with {', '.join(dict.fromkeys(unknown))}"
    if not tried:
        return f"N{right}"
    return f"Try {(', ' if '=' in tried[0] else ' ').join(tried)}" + (f"; n{right}" if unknown else "")


def meant_column(name: str, free: Sequence[str]) -> str | None:
    """Return the column that probably was meant, if any."""
    lowered = {column.strip().lower(): column for column in reversed(free) if isinstance(column, str)}
    if name.endswith("_id"):
        lowered = {key: column for key, column in lowered.items() if key not in _TEXTS}
    for other in (name.strip().lower(), *_ALIASES.get(name, ())):
        if other in lowered:
            return lowered[other]
    close = difflib.get_close_matches(name.lower(), lowered, n=1, cutoff=_ALIKE)
    return lowered[close[0]] if close else None


def features_of_schema(metadata: Mapping[bytes, bytes] | None) -> Any:
    """Return the features that `datasets` stored in a schema, or None."""
    try:
        return json.loads((metadata or {})[b"huggingface"])["info"]["features"]
    except (KeyError, TypeError, ValueError, RecursionError):
        return None


def columns_of_classes(features: Any) -> dict[str, Any]:
    """Return the features of the columns with numbered classes.

    Example:
        >>> label = {"_type": "ClassLabel", "names": ["neg", "pos"]}
        >>> found = columns_of_classes({"values": {"_type": "List", "feature": label}, "id": {"_type": "Value"}})
        >>> list(found), with_names(found["values"], [1, 0], "a.parquet")
        (['values'], ['pos', 'neg'])
    """
    if not isinstance(features, Mapping):
        return {}
    return {name: feature for name, feature in features.items() if '"ClassLabel"' in json.dumps(feature)}


def with_names(feature: Any, cell: Any, where: str) -> Any:
    """Replace class numbers in a cell by class names."""
    if isinstance(feature, list):  # a list of structures (older versions)
        return _each(feature[0], cell, where) if feature else cell
    if not isinstance(feature, Mapping):
        return cell
    kind = feature.get("_type")
    if kind == "ClassLabel" and isinstance(feature.get("names"), list):
        return _name_of(feature["names"], cell, where)
    if not isinstance(kind, str):
        return _in_fields(feature, cell, where)
    inner = feature.get("feature")
    if isinstance(cell, Mapping) and isinstance(inner, Mapping):  # structures, stored as one list per field
        return _in_fields({name: [part] for name, part in inner.items()}, cell, where)
    return _each(inner, cell, where)


def _each(feature: Any, cell: Any, where: str) -> Any:
    return [with_names(feature, part, where) for part in cell] if isinstance(cell, list) else cell


def _in_fields(features: Mapping[str, Any], cell: Any, where: str) -> Any:
    if not isinstance(cell, Mapping):
        return cell
    return {name: with_names(features.get(name), part, where) for name, part in cell.items()}


def _name_of(names: list[Any], cell: Any, where: str) -> Any:
    if type(cell) is not int or cell == -1:  # -1 means no label
        return None if cell == -1 else cell
    if not 0 <= cell < len(names):
        raise FileError(f"{where}: found class {cell}, but there are {len(names)}: {', '.join(map(str, names))}")
    return names[cell]
