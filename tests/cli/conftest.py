import base64
import json
import re
import zlib

import pytest

from fairsum_utils.cli import main, run_command
from fairsum_utils.cli.demo import load_demo
from fairsum_utils.reports.formats import to_json
from fairsum_utils.run import job, scoring


@pytest.fixture
def fairsum(capsys):
    """Run the command: (status, standard output, standard error).

    JSON comes without the record of the run, whose time and file names differ; ``test_records.py`` has it.
    """

    def run(*arguments):
        status = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return status, _without_run(captured.out), captured.err

    return run


def _without_run(printed):
    document = json.loads(printed) if printed.startswith("{\n") else {}
    if "run" not in document:
        return printed
    return to_json({key: entry for key, entry in document.items() if key != "run"})


def packed(path):
    """Return what a page packs for its script: id of the block -> text."""
    page = path.read_text(encoding="utf-8")
    blocks = re.findall(r'<script type="[^"]+" id="([^"]+)"[^>]*>([A-Za-z0-9+/=]+)</script>', page)
    return {name: zlib.decompress(base64.b64decode(block), wbits=-15).decode() for name, block in blocks}


def samples_of(path):
    """Return the samples on a page."""
    return json.loads(packed(path)["fs-index"])["samples"]


@pytest.fixture(autouse=True)
def workers_at_once(monkeypatch):
    """Start workers before anything is scored; elsewhere a small file needs none."""
    monkeypatch.setattr(scoring, "ALONE", 0.0)


@pytest.fixture
def alone(capsys):
    """Run a command so that errors are raised: what it printed."""

    def run(*arguments):
        assert run_command([str(argument) for argument in arguments]) == 0
        return capsys.readouterr().out

    return run


@pytest.fixture
def small_chunks(monkeypatch):
    """Score so few samples at a time, and keep their rows in a file."""

    def cut(n_rows):
        monkeypatch.setattr(job, "CHUNK", n_rows)
        monkeypatch.setattr(job, "TOGETHER", 1)

    return cut


@pytest.fixture
def demo_rows():
    demo = load_demo()
    columns = zip(demo["id"], demo["sources"], demo["values"], demo["system_a"], strict=True)
    return [dict(zip(("id", "sources", "values", "prediction"), row, strict=True)) for row in columns]


@pytest.fixture
def write_jsonl(tmp_path):
    def write(rows, name="rows.jsonl"):
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return write
