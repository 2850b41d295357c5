"""Errors of fairsum: one small tree, every branch also a built-in, so that either way of catching works."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from fairsum_utils._util.secrets import masked
from fairsum_utils._util.terminal import on_one_line


class FairSumError(ValueError):
    """Base of everything this package raises on purpose; whatever it quotes, it is one harmless line without secrets.

    Example:
        >>> FairSumError("cannot read https://me:pass@a.org/rows.csv")
        FairSumError('cannot read https://***@a.org/rows.csv')
    """

    # Command, measures and options of the command line that raised it, for its wording there.
    asked: tuple[str, tuple[str, ...], tuple[str, ...]] = "", (), ()

    def __init__(self, *said: object) -> None:
        super().__init__(*(_readable(part) if isinstance(part, str) else part for part in said))


_LONGEST = 2000
_SEARCHED = 50 * _LONGEST
"""Characters in which secrets are looked for."""


def _readable(message: str) -> str:
    """A message on one line, without secrets, and without the middle of what is too long to read."""
    return _without_middle(masked(on_one_line(_without_middle(message, _SEARCHED))), _LONGEST)


def _without_middle(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest // 2]} ... {text[-longest // 2 :]}"


class InputError(FairSumError):
    """A sample, an option or a file is not what a measure needs."""


class DataSourceError(FairSumError):
    """Raw data is missing, cannot be fetched, or is not in its published format."""


class FileError(InputError, DataSourceError):
    """A file cannot be read: it is cut short, damaged, or not in the format that its name tells."""


class OutputError(InputError, OSError):
    """A file cannot be written: its folder is gone or may not be written, or the disk is full."""


class MissingDependencyError(FairSumError, ImportError):
    """An optional package is not installed."""


class CheckFailed(FairSumError, AssertionError):
    """Results do not pass the rules that they were held to."""


class ScoreWarning(UserWarning):
    """A score says less than it seems; the result holds the reasons, under ``warnings``."""


def require(module: str, *, extra: str, purpose: str) -> ModuleType:
    """Import an optional package, or say which extra brings it.

    Example:
        >>> require("json", extra="neural", purpose="read JSON").__name__
        'json'
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        from fairsum_utils._util.installation import install_command

        raise MissingDependencyError(
            f"{module} is needed to {purpose} and cannot be imported ({error}). "
            f"Install it with: {install_command(extra)}"
        ) from error


def extension(group: str, name: str, *, where: str) -> Any:
    """Load what the distribution of the papers' scripts provides.

    Example:
        >>> extension("fairsum.commands", "none", where="study")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.MissingDependencyError: study: needs the papers' scripts; install them with: pip install
        ./reproductions (in a checkout)
    """
    from importlib.metadata import entry_points

    for found in entry_points(group=group, name=name):
        return found.load()
    raise MissingDependencyError(
        f"{where}: needs the papers' scripts; install them with: pip install ./reproductions (in a checkout)"
    )
