"""Where inputs are in the user's folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from fairsum_utils.errors import DataSourceError, InputError
from fairsum_utils.io.stores import as_path


def check_folder(data_dir: str | os.PathLike[str]) -> Path:
    """Return ``data_dir`` as a path, or say what is wrong with it."""
    folder = as_path(data_dir, "data_dir", expands=True)
    if folder.is_dir():
        return folder
    state = "is a file" if folder.exists() else "does not exist"
    raise InputError(f"data_dir must be a folder, but {str(folder)!r} {state}.")


def find_files(folder: Path, candidates: Iterable[str]) -> tuple[Path, ...]:
    """Return the files of the first candidate that is there; nothing if none is.

    Args:
        folder: where to look.
        candidates: paths below the folder. One whose last part holds a ``*``, such as ``a/*.csv``, stands for all such
            files of that folder, sorted by name, because the order in which a file system lists them is different on
            every machine. Files that belong together are joined by ``+``; only the first of them has to exist. Of
            files joined by ``|`` any will do, and all that are there are used.
    """
    for candidate in candidates:
        if "*" in candidate:
            files = tuple(sorted(folder.glob(candidate), key=lambda path: path.name))
        elif "|" in candidate:
            files = tuple(path for name in candidate.split("|") if (path := folder / name).is_file())
        else:
            first, *more = (folder / name for name in candidate.split("+"))
            files = (first, *(path for path in more if path.is_file())) if first.is_file() else ()
        if files:
            return files
    return ()


def not_found(folder: Path, config: str, candidates: Sequence[str], *, published: bool = True) -> DataSourceError:
    """Return the error that lists what was looked for, and whether it could be downloaded instead."""
    instead = ", or leave data_dir out to download the published file" if published else ""
    return DataSourceError(
        f"no input for {config} in {str(folder)!r}. Looked for: {', '.join(candidates)}. "
        f"Put one of these there{instead}."
    )
