"""What reaches the terminal: texts that it cannot show, control characters, quiet."""

import io
import json
import os
import signal
import sys
import warnings
from pathlib import Path

import pytest

from fairsum_utils._util.terminal import QUIET, is_quiet
from fairsum_utils.cli import main
from fairsum_utils.cli.terminal import (
    Terminated,
    escape_unencodable,
    note,
    quieted,
    say,
    screen_width,
    show,
    terminable,
)
from fairsum_utils.errors import OutputError

ROW = {"id": "1", "prediction": "Tasty soup", "sources": ["Tasty", "slow service"], "values": ["p", "q"]}


@pytest.fixture
def ascii_only(monkeypatch):
    """Run the command where the terminal encodes ASCII only: status, standard output, standard error."""

    def run(*arguments):
        raw = {name: io.BytesIO() for name in ("stdout", "stderr")}
        with monkeypatch.context() as patch:
            for name, buffer in raw.items():
                # as in the locale C
                patch.setattr(sys, name, io.TextIOWrapper(buffer, encoding="ascii", errors="surrogateescape"))
            status = main([str(argument) for argument in arguments])
            sys.stdout.flush()
            sys.stderr.flush()
            return status, *(buffer.getvalue().decode("ascii") for buffer in raw.values())

    return run


def test_no_report_is_lost_where_the_terminal_is_no_utf8(ascii_only, write_jsonl):
    path = write_jsonl([{**ROW, "values": ["été", "日本"]}])
    status, printed, err = ascii_only("score", path, "--metrics", "bur")
    assert (status, err) == (0, "")
    rows = [line for line in printed.splitlines() if line.startswith(("group ", "\\u00e9t\\u00e9 ", "\\u65e5\\u672c "))]
    assert len({len(row) for row in rows}) == 1 < len(rows)  # columns stay aligned
    _, printed, _ = ascii_only("score", path, "--metrics", "bur", "--format", "json")
    assert json.loads(printed)["metrics"]["bur"]["bur_by_value"] == {"été": 0.0, "日本": 1.0}


def test_errors_too(ascii_only, write_jsonl):
    evil = "\x1b]0;pwned\x07 日"
    status, _, err = ascii_only("score", write_jsonl([{**ROW, "id": evil, "values": ["q"]}]))
    assert (status, err.count("\n")) == (2, 1)
    assert "\\x1b]0;pwned\\x07 \\u65e5" in err


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_text_reaches_any_stream(encoding):
    """And as JSON comes back as it was."""
    text = "a\n é 日本 \N{GRINNING FACE} \ud800 \x00\x7f\u2028"
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, newline="")
    escape_unencodable(stream)
    stream.write(json.dumps(text, ensure_ascii=False))
    stream.flush()
    assert json.loads(raw.getvalue().decode(encoding)) == text


def test_a_stream_that_is_lenient_stays_so():
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="replace")
    escape_unencodable(stream, io.StringIO())
    assert stream.errors == "replace"


def test_quiet(capsys, monkeypatch):
    monkeypatch.delenv(QUIET, raising=False)
    note("one")
    with quieted(True):
        assert is_quiet()
        note("two")
        say("an error\nin one line")
        warnings.warn("three", stacklevel=1)  # would fail the test
    with quieted(False):
        note("four")
    assert not is_quiet()
    assert capsys.readouterr().err == "fairsum: one\nan error in one line\nfairsum: four\n"
    monkeypatch.setenv(QUIET, "0")
    assert not is_quiet()


def test_quiet_is_put_back(monkeypatch):
    monkeypatch.setenv(QUIET, "0")
    with pytest.raises(KeyError), quieted(True):
        raise KeyError
    assert os.environ[QUIET] == "0"


@pytest.fixture
def printing(monkeypatch):
    """Has this process print into a descriptor."""
    opened = []

    def into(descriptor):
        opened.append(os.fdopen(descriptor, "w", encoding="utf-8"))
        monkeypatch.setattr(sys, "stdout", opened[-1])

    yield into
    for stream in opened:
        stream.close()


def test_the_work_goes_on_when_the_reader_has_left(printing):
    read, write = os.pipe()
    os.close(read)
    printing(write)
    show("x" * 100_000)
    show("more")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("text", ["x", "x" * 100_000])
def test_a_full_output_is_an_error(printing, text):
    printing(os.open("/dev/full", os.O_WRONLY))
    with pytest.raises(OutputError, match="the standard output cannot be written \\(No space left"):
        show(text)


def test_a_closed_output_is_an_error(monkeypatch, capsys):
    """As some schedulers start a command: fairsum demo >&-."""
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["explain", "tau"]) == 2
    closed = "fairsum explain: error: the standard output is closed; open it, as in > results.txt or > /dev/null\n"
    assert capsys.readouterr().err == closed


def test_a_request_to_end_is_an_exception():
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(Terminated), terminable():
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) == before


@pytest.mark.parametrize(
    ("cause", "status", "said"),
    [
        (Terminated(), 143, "fairsum: terminated\n"),
        (KeyboardInterrupt(), 130, "fairsum: interrupted\n"),
        (ValueError("1"), 70, "fairsum: error: this should not happen (SystemError); please report it with"),
    ],
)
def test_a_signal_that_passes_through_c_code(monkeypatch, capsys, cause, status, said):
    """Python raises SystemError from an exception that C code did not expect, as Ray's when it is begun."""

    def ended(arguments):
        raise SystemError("<built-in method> returned a result with an exception set") from cause

    monkeypatch.setattr("fairsum_utils.cli.run_command", ended)
    assert main([]) == status
    assert said in capsys.readouterr().err


def test_the_screen_is_as_wide_as_the_terminal_and_no_screen_elsewhere(monkeypatch):
    monkeypatch.setenv("COLUMNS", "77")
    assert screen_width() is None  # what is captured goes to no terminal
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert screen_width() == 77


def test_an_interruption_is_attended_to_where_it_would_end_the_process():
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        with pytest.raises(KeyboardInterrupt), terminable():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) == signal.SIG_DFL
    finally:
        signal.signal(signal.SIGINT, before)
