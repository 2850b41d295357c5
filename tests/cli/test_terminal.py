"""What reaches the terminal: texts that it cannot show, control characters, quiet."""

import io
import json
import os
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def run(*arguments, cwd, **environment):
    command = [sys.executable, "-m", "fairsum_utils", *arguments]
    return subprocess.run(command, capture_output=True, cwd=cwd, env=os.environ | environment)


def test_no_report_is_lost_where_the_terminal_is_no_utf8(write_jsonl, tmp_path):
    path = write_jsonl([{**ROW, "values": ["été", "日本"]}])
    done = run("score", path, "--metrics", "bur", cwd=tmp_path, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\u65e5\\u672c" in done.stdout
    lines = done.stdout.decode().splitlines()
    rows = [line for line in lines if line.startswith(("group ", "\\u00e9t\\u00e9 ", "\\u65e5\\u672c "))]
    assert len({len(row) for row in rows}) == 1 < len(rows)  # columns stay aligned
    environment = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = run("score", path, "--metrics", "bur", "--format", "json", cwd=tmp_path, **environment)
    assert json.loads(done.stdout)["metrics"]["bur"]["bur_by_value"] == {"été": 0.0, "日本": 1.0}


def test_errors_too(write_jsonl, tmp_path):
    evil = "\x1b]0;pwned\x07 日"
    done = run("score", write_jsonl([{**ROW, "id": evil, "values": ["q"]}]), cwd=tmp_path, PYTHONIOENCODING="ascii")
    assert done.returncode == 2
    assert b"\x1b" not in done.stderr
    assert b"\\x1b]0;pwned\\x07 \\u65e5" in done.stderr
    assert done.stderr.count(b"\n") == 1


@given(st.text(st.characters(codec=None, categories=None)), st.sampled_from(["ascii", "latin-1", "utf-8"]))
def test_any_text_reaches_any_stream(text, encoding):
    """And as JSON comes back as it was."""
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


@pytest.mark.skipif(os.name == "nt", reason="the shell closes it")
def test_a_closed_output_is_an_error(tmp_path):
    """As some schedulers start a command: fairsum demo >&-."""
    command = f"exec {sys.executable} -m fairsum_utils demo >&-"
    done = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, text=True, check=False, cwd=tmp_path)
    assert done.returncode not in (0, 1)
    closed = "fairsum demo: error: the standard output is closed; open it, as in > results.txt or > /dev/null\n"
    assert done.stderr == closed


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


def test_an_interruption_is_attended_to_where_it_would_end_the_process() -> None:
    script = """
import signal
from fairsum_utils.cli.terminal import terminable
signal.signal(signal.SIGINT, signal.SIG_DFL)
try:
    with terminable():
        signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    print(signal.getsignal(signal.SIGINT) == signal.SIG_DFL)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr
