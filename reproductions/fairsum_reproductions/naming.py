"""Names of systems and of data sets: what the rows and columns of the papers' tables are."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath
from typing import Any, NamedTuple, TypeVar

from fairsum_utils.errors import InputError

_Cell = TypeVar("_Cell")


def named_files(module: str, given: Iterable[Any]) -> dict[str, Any]:
    """Files with a name each: that before ``=``, or that of the file, with its folder where two files have one name.

    Args:
        module: name used in messages.
        given: paths, each perhaps with a name, such as ``"gpt4=runs/17.json"`` or ``"gpt4/yelp=runs/17.json"``.

    Raises:
        InputError: two files have one name.

    Example:
        >>> named_files("overall", ["runs/gpt4.json", "b=runs/llama.json"])
        {'gpt4': 'runs/gpt4.json', 'b': 'runs/llama.json'}
        >>> named_files("overall", ["gpt4/yelp.json", "llama/yelp.json"])
        {'gpt4/yelp': 'gpt4/yelp.json', 'llama/yelp': 'llama/yelp.json'}
    """
    parts = [_named(each) for each in given]
    stems = [name or _stem(path) for name, path in parts]
    if len(set(stems)) < len(stems):
        stems = [name or _stem(path, folders=1) for name, path in parts]
    files: dict[str, Any] = {}
    for name, (_, path) in zip(stems, parts, strict=True):
        if name in files:
            raise InputError(f"{module}: {files[name]} and {path} are both named {name}; name them, as in a={path}")
        files[name] = path
    return files


def _named(given: Any) -> tuple[str, Any]:
    """The name before a path, empty where there is none, and the path."""
    text = os.fspath(given)
    name, equals, path = text.partition("=")
    if not equals or not path or "://" in name or Path(text).exists():
        return "", given
    return name, path


def _stem(path: Any, folders: int = 0) -> str:
    """The name of a file without its endings, behind so many of its folders."""
    *above, name = PurePath(os.fspath(path)).parts or ("",)
    stem = name.partition(".")[0] or name
    return "/".join([*above[len(above) - folders :], stem])


class Grid(NamedTuple):
    """Systems on data sets.

    Attributes:
        systems: in their order.
        data_sets: in theirs; an empty name where names tell of none.
        cells: (system, data set) -> what there is.
    """

    systems: tuple[str, ...]
    data_sets: tuple[str, ...]
    cells: Mapping[tuple[str, str], Any]


def grid_of(named: Mapping[str, _Cell]) -> Grid:
    """Systems on data sets, told apart by their names: ``"gpt4/yelp"`` is system gpt4 on data set yelp.

    Args:
        named: name -> anything.

    Example:
        >>> grid_of({"gpt4/yelp": 1, "gpt4/iq2": 2, "llama/yelp": 3})[:2]
        (('gpt4', 'llama'), ('yelp', 'iq2'))
    """
    cells = {}
    for name, each in named.items():
        system, _, data_set = name.partition("/")
        cells[system, data_set] = each
    systems, data_sets = (tuple(dict.fromkeys(key[place] for key in cells)) for place in (0, 1))
    return Grid(systems, data_sets, cells)
