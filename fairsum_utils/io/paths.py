"""Names as paths of this machine; one that no file can have is said in one line, wherever it was given."""

from __future__ import annotations

import os
from pathlib import Path

from fairsum_utils.errors import InputError
from fairsum_utils.validation import describe

__all__ = ["as_path", "is_folder"]


def as_path(name: object, what: str = "", *, expands: bool = False) -> Path:
    """The path that a name means, whether there is anything or not.

    Args:
        name: a text, or a path.
        what: opening words of the message: what the name is of.
        expands: ``~`` is the home of the user.

    Raises:
        InputError: no name, an empty one, or one that no file can have: too long, with a zero byte or half a character
            in it, a loop of links, or the home of nobody.

    Example:
        >>> str(as_path("rows.csv"))
        'rows.csv'
        >>> as_path("", "lexicon")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: lexicon: the name is empty; give that of a file or folder
    """
    opening = f"{what}: " if what else ""
    text = os.fspath(name) if isinstance(name, (str, os.PathLike)) else None
    if not isinstance(text, str):
        raise InputError(f"{opening}expected the name of a file or folder, found {describe(name)}")
    if not text:
        raise InputError(f"{opening}the name is empty; give that of a file or folder")
    try:
        path = Path(text).expanduser() if expands else Path(text)
        path.stat()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return path
    except (OSError, RuntimeError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or error
        raise InputError(f"{opening}{describe(text)}: no file or folder can be called so ({reason})") from None
    return path


def is_folder(name: str | os.PathLike[str]) -> bool:
    """Whether a name, which may be any text such as that of a model on the Hub, is that of a folder.

    Example:
        >>> is_folder("."), is_folder("a" * 5000), is_folder("\\0")
        (True, False, False)
    """
    try:
        return as_path(name, expands=True).is_dir()
    except InputError:
        return False
