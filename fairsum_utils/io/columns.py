"""Which columns a file has: all that are missing are said at once, with those that may be meant."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeAlias

from fairsum_utils.errors import FileError

__all__ = ["Choose", "check_columns"]

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

    Args:
        where: opens the message: the file, or the file and the row.
        needed: the columns that must be there; a mapping gives the option that names each, for the message.
        present: the columns that there are.
        what: what the file should be, for the message, such as ``"a file of MITweet"``.

    Raises:
        FileError: a column is missing, or is there twice; the message lists all that are missing and those that are
            there, and has the options that would work where names are alike.

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
