"""Exceptions and warnings of fairsum; each is also a built-in type."""

from __future__ import annotations

import importlib
import tempfile
from types import ModuleType
from typing import Any

from fairsum_utils._util.secrets import masked
from fairsum_utils._util.terminal import on_one_line


class FairSumError(ValueError):
    """Base of all deliberate errors; messages are single lines without secrets.

    Example:
        >>> FairSumError("cannot read https://me:pass@a.org/rows.csv")
        FairSumError('cannot read https://***@a.org/rows.csv')
    """

    # Command that raised it, for the message on the command line.
    command: str = ""

    def __init__(self, *parts: object) -> None:
        super().__init__(*(_readable(part) if isinstance(part, str) else part for part in parts))


_LONGEST = 2000
_SEARCHED = 50 * _LONGEST
"""Characters in which secrets are looked for."""


def _readable(message: str) -> str:
    """Return a message on one line, without secrets, shortened if long."""
    return _without_middle(masked(on_one_line(_without_middle(message, _SEARCHED))), _LONGEST)


def _without_middle(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest // 2]} ... {text[-longest // 2 :]}"


class InputError(FairSumError):
    """Unusable sample, option or file."""


class DataSourceError(FairSumError):
    """Raw data is missing, unavailable or not in its published format."""


class FileError(InputError, DataSourceError):
    """Unreadable file: cut off, damaged or in another format."""


class OutputError(InputError, OSError):
    """Failed write: missing folder, no permission or full disk."""


class MissingDependencyError(FairSumError, ImportError):
    """An optional package is not installed."""


class CheckFailed(FairSumError, AssertionError):
    """Results do not pass the rules that they were held to."""


class ScoreWarning(UserWarning):
    """Limit of a score; the result lists the reasons under ``warnings``."""


def require(module: str, *, extra: str, purpose: str) -> ModuleType:
    """Import an optional package, or say which extra brings it.

    Example:
        >>> require("json", extra="neural", purpose="read JSON").__name__
        'json'
    """
    if extra == "neural":
        tempfile.gettempdir()  # raises if there is none: torch would fail on that halfway and crash at exit
    try:
        return importlib.import_module(module)
    except ImportError as error:
        from fairsum_utils._util.installation import install_command

        raise MissingDependencyError(
            f"{module} is needed to {purpose}, but cannot be imported ({error}). Install it with: "
            f"{install_command(extra)}"
        ) from error


def extension(group: str, name: str, *, where: str) -> Any:
    """Load what the distribution of the papers' scripts provides.

    Example:
        >>> extension("fairsum.commands", "none", where="study")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.MissingDependencyError: study: the papers' scripts are missing; install them with: pip
        install ./reproductions (in a checkout)
    """
    from importlib.metadata import entry_points

    for found in entry_points(group=group, name=name):
        return found.load()
    raise MissingDependencyError(
        f"{where}: the papers' scripts are missing; install them with: pip install ./reproductions (in a checkout)"
    )
