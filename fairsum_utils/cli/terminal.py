"""Terminal output: encodings, notes, errors and signals."""

from __future__ import annotations

import codecs
import io
import logging
import os
import shutil
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

from fairsum_utils._util.secrets import masked
from fairsum_utils._util.terminal import QUIET, is_quiet, printable
from fairsum_utils.errors import OutputError


def _as_escapes(error: UnicodeError) -> tuple[str, int]:
    r"""Write what cannot be encoded as JSON does: ``\u00e9``."""
    assert isinstance(error, UnicodeEncodeError)
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    escapes = (f"\\u{units[place] << 8 | units[place + 1]:04x}" for place in range(0, len(units), 2))
    return "".join(escapes), error.end


codecs.register_error("fairsum.escapes", _as_escapes)


def escape_unencodable(*streams: TextIO) -> None:
    r"""Let streams write unencodable characters as ``\u00e9``, as JSON does."""
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors="fairsum.escapes")


def as_encoded(text: str) -> str:
    """Return a text with escapes for what the standard output cannot encode."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return text.encode(encoding, "fairsum.escapes").decode(encoding)


def screen_width() -> int | None:
    """Return the terminal's width; None if the output goes elsewhere."""
    return shutil.get_terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else None


def show(text: str) -> None:
    """Print to standard output; a closed pipe is no error.

    Raises:
        OutputError: The text cannot be written, as on a full disk, or there is no standard output.
    """
    if sys.stdout is None:
        raise OutputError("the standard output is closed; open it, as in > results.txt or > /dev/null")
    try:
        _print(text, sys.stdout)
    except OSError as error:
        raise OutputError(f"the standard output cannot be written ({error.strerror or error})") from None


def _print(text: str, stream: TextIO | None) -> None:
    if stream is None:  # it was closed
        return
    try:
        print(text, file=stream, flush=True)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # where the rest goes
        if not isinstance(error, BrokenPipeError):
            raise


def say(line: str) -> None:
    """Print one line to the standard error, without control characters and secrets."""
    with suppress(OSError):
        _print(_harmless(" ".join(line.split())), sys.stderr)


def note(line: str) -> None:
    """Print a note, unless quiet is asked for."""
    if not is_quiet():
        say(f"fairsum: {line}")


def say_fault(error: BaseException) -> None:
    """Print an unforeseen error with its traceback, for a report."""
    for line in "".join(traceback.format_exception(error)).splitlines():
        _print(f"  | {_harmless(line)}", sys.stderr)  # a line that begins with :: is a command of CI
    say(f"fairsum: error: this should not happen ({type(error).__name__}); please report it with the lines above")


def _harmless(text: str) -> str:
    return printable(masked(text))


class Terminated(BaseException):
    """The system, or a scheduler, asks this process to end."""


@contextmanager
def terminable() -> Iterator[None]:
    """Raise an exception for SIGTERM and SIGINT, so that resources are released.

    Raises:
        Terminated: SIGTERM arrived.
        KeyboardInterrupt: SIGINT arrived.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise Terminated

    handlers: dict[signal.Signals, Any] = {signal.SIGTERM: end}
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # set by __main__ until now
        handlers[signal.SIGINT] = signal.default_int_handler
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Lines(logging.Handler):
    """Print each record on one line, unless quiet is asked for."""

    def emit(self, record: logging.LogRecord) -> None:
        if not is_quiet():
            say(record.getMessage())


@contextmanager
def in_lines() -> Iterator[None]:
    """Print warnings, and what this package logs, on one line each."""
    before, logger, handler = warnings.formatwarning, logging.getLogger("fairsum_utils"), _Lines(logging.WARNING)
    warnings.formatwarning = lambda message, *_, **__: f"fairsum: {_harmless(' '.join(str(message).split()))}\n"
    if not logger.hasHandlers():
        logger.addHandler(handler)
    try:
        yield
    finally:
        warnings.formatwarning = before
        logger.removeHandler(handler)


@contextmanager
def quieted(wanted: bool) -> Iterator[None]:
    """Suppress notes, warnings and bars, also in child processes."""
    if not wanted:
        yield
        return
    before: Any = os.environ.get(QUIET)
    os.environ[QUIET] = "1"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        if before is None:
            del os.environ[QUIET]
        else:
            os.environ[QUIET] = before
