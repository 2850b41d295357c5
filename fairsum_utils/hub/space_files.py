"""The samples of a file that somebody gives a Space, in the columns that a measure takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.families import Column, family_of
from fairsum_utils.io.layout import Layout, read_chunks
from fairsum_utils.io.names import FORMATS
from fairsum_utils.io.reading import columns_of
from fairsum_utils.io.shapes import Shape

__all__ = ["ENDINGS", "MOST_BYTES", "MOST_SAMPLES", "read_samples", "wanted"]

ENDINGS = FORMATS
"""Of the files that are read: none is packed, so that their size tells how much they hold."""
MOST_SAMPLES = 1_000
MOST_BYTES = 5_000_000
"""What a Space scores at once; the command has no limit."""


def wanted(name: str) -> list[tuple[str, bool]]:
    """The columns of a file: what each is called, and whether it must be there.

    Args:
        name: the measure.

    Example:
        >>> wanted("sentiment")
        [('prediction', True), ('group', False)]
    """
    family = family_of(name)
    columns = family.columns_of(name)
    needed = family.needed(name, [column.name for column in columns if column.in_file])
    return [(column.in_file or column.name, column.name in needed) for column in columns]


def read_samples(name: str, path: Path) -> dict[str, list[Any]]:
    """Read all samples of a file.

    Args:
        name: the measure.
        path: of the file, with a row for each sample.

    Returns:
        Column -> entries.

    Raises:
        InputError: the file is too large, holds too many samples, lacks a column, or cannot be read; the message has
            the name of the file, and not where it is kept.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp(), "texts.csv")
        >>> _ = path.write_text("prediction,group\\nShe won.,w\\nHe lost.,m\\n")
        >>> read_samples("sentiment", path)
        {'predictions': ['She won.', 'He lost.'], 'groups': ['w', 'm']}
    """
    if path.stat().st_size > MOST_BYTES:
        raise InputError(
            f"{path.name}: {path.stat().st_size / 1e6:.1f} MB; {_instead(f'{MOST_BYTES / 1e6:g} MB', name)}"
        )
    if path.suffix not in ENDINGS:
        raise InputError(f"{path.name}: the name must end in {', '.join(ENDINGS)}")
    try:
        layout = Layout(_columns(name, path), Shape(module=name))
        chunk = next(read_chunks(path, layout, MOST_SAMPLES + 1))
    except FairSumError as error:
        raise InputError(str(error).replace(str(path), path.name)) from error
    if len(chunk.ids) > MOST_SAMPLES:
        raise InputError(f"{path.name}: more than {MOST_SAMPLES:,} samples; {_instead('so many', name)}")
    return chunk.columns


def _instead(most: str, name: str) -> str:
    return f"this page takes at most {most}, the command takes all: fairsum score FILE --metrics {name}"


def _columns(name: str, path: Path) -> tuple[tuple[Column, str], ...]:
    """The columns that a file has, under either of their names."""
    there = columns_of(path)
    columns = family_of(name).columns_of(name)
    names = [next((each for each in (column.in_file, column.name) if each in there), None) for column in columns]
    found = tuple((column, each) for column, each in zip(columns, names, strict=True) if each is not None)
    needed = family_of(name).needed(name, [column.name for column, _ in found])
    missing = [
        column.in_file or column.name for column in columns if column.name in needed and column not in dict(found)
    ]
    if missing:
        lacking, others = ", ".join(map(repr, missing)), ", ".join(there) or "nothing"
        raise InputError(f"{path}: no column {lacking}; found {others}. Rename the columns of the file")
    return found
