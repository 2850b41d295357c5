"""Columns that a command adds to the rows of a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fairsum_utils.errors import InputError

__all__ = ["check_added"]


def check_added(
    where: object, rows: Iterable[Mapping[str, Any]], added: Sequence[str], remedies: Mapping[str, str]
) -> None:
    """Refuse rows that have a column already which a command is to add.

    Args:
        where: the file of the rows, or a place in it.
        rows: of the file.
        added: the columns that are to be added.
        remedies: one of these columns -> what to do but to rename it.

    Raises:
        InputError: there is such a column.
    """
    columns = {name for row in rows for name in row}
    for name in added:
        if name in columns:
            remedy = f", or {remedies[name]}" if name in remedies else ""
            raise InputError(f"{where}: there is a column {name!r} already; rename it{remedy}")
