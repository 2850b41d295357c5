"""What reaches the terminal: texts that it cannot show, control characters, quiet."""

import io
import json
import os
import subprocess
import sys
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.bars import QUIET, is_quiet
from fairsum_utils.cli.terminal import note, quieted, say, write_out

ROW = {"id": "1", "prediction": "Tasty soup", "sources": ["Tasty", "slow service"], "values": ["p", "q"]}


def run(*arguments, cwd, **environment):
    command = [sys.executable, "-m", "fairsum_utils", *arguments]
    return subprocess.run(command, capture_output=True, cwd=cwd, env=os.environ | environment)


@pytest.mark.parametrize(
    "environment", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}]
)
@pytest.mark.parametrize("format", ["text", "json"])
def test_no_report_is_lost_where_the_terminal_is_no_utf8(write_jsonl, tmp_path, environment, format):
    path = write_jsonl([{**ROW, "values": ["été", "日本"]}])
    done = run("score", path, "--metrics", "bur", "--format", format, cwd=tmp_path, **environment)
    assert (done.returncode, done.stderr) == (0, b"")
    if format == "json":
        assert json.loads(done.stdout)["metrics"]["bur"]["bur_by_value"] == {"été": 0.0, "日本": 1.0}
    else:
        assert b"\\u00e9t\\u00e9" in done.stdout
        assert b"\\u65e5\\u672c" in done.stdout


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
    write_out(stream)
    stream.write(json.dumps(text, ensure_ascii=False))
    stream.flush()
    assert json.loads(raw.getvalue().decode(encoding)) == text


def test_a_stream_that_is_lenient_stays_so():
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="replace")
    write_out(stream, io.StringIO())
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
