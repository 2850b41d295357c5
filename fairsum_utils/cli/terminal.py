"""What reaches the terminal: any text, however little the terminal can show, and notes where they are wanted."""

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
from contextlib import contextmanager
from typing import Any, BinaryIO, TextIO, cast

from fairsum_utils._util.secrets import masked
from fairsum_utils._util.terminal import QUIET, is_quiet
from fairsum_utils.errors import OutputError


def _as_escapes(error: UnicodeError) -> tuple[str, int]:
    r"""What cannot be encoded, as JSON writes it: ``\u00e9``."""
    assert isinstance(error, UnicodeEncodeError)
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    escapes = (f"\\u{units[place] << 8 | units[place + 1]:04x}" for place in range(0, len(units), 2))
    return "".join(escapes), error.end


codecs.register_error("fairsum.escapes", _as_escapes)


def write_out(*streams: TextIO) -> None:
    r"""From now on write out what a stream cannot encode, as ``\u00e9``: no report is lost, and JSON stays JSON.

    Args:
        *streams: such as the standard output.

    Example:
        >>> file = io.TextIOWrapper(io.BytesIO(), encoding="ascii", write_through=True)
        >>> write_out(file)
        >>> _ = file.write("été")
        >>> file.buffer.getvalue()
        b'\\u00e9t\\u00e9'
    """
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors="fairsum.escapes")


def screen_width() -> int | None:
    """Columns of the terminal that the output goes to; None where it goes to a file or another program."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


class Terminated(BaseException):
    """The system, or a scheduler, asks this process to end."""


_SOON = 0.01
"""Seconds after which a signal is sent anew."""


@contextmanager
def terminable() -> Iterator[None]:
    """Let go of files and processes when this one is asked to end, or is interrupted; before and after, it just ends.

    Raises:
        Terminated: it is asked to end.
        KeyboardInterrupt: it is interrupted.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise Terminated

    handlers: dict[signal.Signals, Any] = {signal.SIGTERM: end}
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        handlers[signal.SIGINT] = signal.default_int_handler
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    hook = sys.unraisablehook

    def again(ignored: Any) -> None:
        """Send a signal anew that came where Python can only ignore it, as while an object is taken down."""
        numbers = {Terminated: signal.SIGTERM, KeyboardInterrupt: signal.SIGINT}
        if ignored.exc_type not in numbers:
            hook(ignored)
            return
        number = numbers[ignored.exc_type]
        if number == signal.SIGTERM:
            signal.signal(number, end)
        sender = threading.Timer(_SOON, os.kill, (os.getpid(), number))
        sender.daemon = True
        sender.start()

    sys.unraisablehook = again
    try:
        yield
    finally:
        sys.unraisablehook = hook
        for number, handler in before.items():
            signal.signal(number, handler)


def open_closed() -> None:
    """Have standard streams that were closed lead nowhere, or the next file that is opened would be one of them."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "w" if number else "r", closefd=False))  # noqa: SIM115


class _Output(io.FileIO):
    """Takes all that is printed, also when nobody reads it any longer, and remembers what else was wrong."""

    is_lost = False
    error: OSError | None = None

    def write(self, content: Any) -> int:
        if not self.is_lost:
            try:
                return super().write(content)
            except OSError as error:
                self.is_lost = True
                if not isinstance(error, BrokenPipeError):
                    self.error = error
        return memoryview(content).nbytes


@contextmanager
def lasting() -> Iterator[None]:
    """Meanwhile the work goes on when nobody reads its output any longer, as with ``| head``, or what it says."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = map(_lasting, before)
    try:
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        sys.stdout, sys.stderr = before


def _lasting(stream: TextIO) -> TextIO:
    """A stream to the same place; in a notebook and on a console of Windows the same stream."""
    raw = getattr(stream.buffer, "raw", stream.buffer) if isinstance(stream, io.TextIOWrapper) else None
    if raw is None or not isinstance(raw, io.FileIO):
        return stream
    stream.flush()
    output = _Output(stream.fileno(), "w", closefd=False)
    is_held = raw is not stream.buffer  # else Python was asked to hold nothing back
    return io.TextIOWrapper(
        io.BufferedWriter(output) if is_held else cast(BinaryIO, output),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=bool(stream.line_buffering),
        write_through=not is_held,
    )


@contextmanager
def written() -> Iterator[None]:
    """At the end all that was printed has been written.

    Raises:
        OutputError: it could not be, for another reason than that nobody reads it, such as a full disk.
    """
    try:
        yield
    except SystemExit:
        _check_written()
        raise
    _check_written()


def _check_written() -> None:
    sys.stdout.flush()
    buffer = getattr(sys.stdout, "buffer", None)
    error = getattr(getattr(buffer, "raw", buffer), "error", None)
    if error is not None:
        raise OutputError(f"the standard output cannot be written ({error.strerror or error})")


def say(line: str) -> None:
    """One line to the standard error, with control characters written out, and without secrets.

    Everything that the command says besides its output goes through here, or is a bar.
    """
    print(_harmless(line), file=sys.stderr)


def _harmless(text: str, *, joins: bool = True) -> str:
    """A text that a terminal does not obey, without secrets; on one line unless it is one."""
    from fairsum_utils._util.terminal import printable

    return printable(masked(" ".join(text.split()) if joins else text))


def note(line: str) -> None:
    """The same, unless quiet is asked for."""
    if not is_quiet():
        say(f"fairsum: {line}")


def say_fault(error: BaseException) -> None:
    """An error that nobody has foreseen, with where it was raised, for whoever mends it.

    Args:
        error: that was caught.
    """
    for line in "".join(traceback.format_exception(error)).splitlines():
        print(f"  | {_harmless(line, joins=False)}", file=sys.stderr)  # a line that begins with :: is a command of CI
    say(f"fairsum: error: this should not happen ({type(error).__name__}); please report it with the lines above")


def _in_a_line(message: Warning | str, *where: object) -> str:
    """A warning as people see it: no file, no line of code."""
    return f"fairsum: {_harmless(str(message))}\n"


@contextmanager
def warnings_in_lines() -> Iterator[None]:
    """Meanwhile a warning is one line, without the file and the code that it comes from."""
    before = warnings.formatwarning
    warnings.formatwarning = _in_a_line  # type: ignore[assignment]  # it takes all that this is called with
    try:
        yield
    finally:
        warnings.formatwarning = before


class _Lines(logging.Handler):
    """Print each record on one line, unless quiet is asked for."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            if not is_quiet():
                say(record.getMessage())
        except Exception:
            self.handleError(record)


@contextmanager
def logged_in_lines() -> Iterator[None]:
    """Meanwhile what this package logs is said like everything else, unless whoever runs it listens."""
    logger = logging.getLogger("fairsum_utils")
    if logger.hasHandlers():
        yield
        return
    handler = _Lines(logging.WARNING)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


@contextmanager
def quieted(wanted: bool) -> Iterator[None]:
    """No notes, warnings and bars meanwhile, also in processes that are started.

    Args:
        wanted: whether to; else everything is as before.
    """
    if not wanted:
        yield
        return
    before = os.environ.get(QUIET)
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
