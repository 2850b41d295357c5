"""Names of systems and data sets, the rows and columns of the papers' tables."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Any

from fairsum_utils.errors import InputError


def named_files(module: str, given: Iterable[Any]) -> dict[str, Any]:
    """Name files as in ``gpt4=runs/17.json``, or by their file names, with the folder if needed.

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
    """Split a name from a path; it is empty if there is none."""
    text = os.fspath(given)
    name, equals, path = text.partition("=")
    if not equals or not path or "://" in name or Path(text).exists():
        return "", given
    return name, path


def _stem(path: Any, folders: int = 0) -> str:
    """Return a file's name without endings, preceded by `folders` of its folders."""
    *above, name = PurePath(os.fspath(path)).parts or ("",)
    stem = name.partition(".")[0] or name
    return "/".join([*above[len(above) - folders :], stem])
