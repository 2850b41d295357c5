"""The record of a run in a saved result: inputs with their hash, settings, versions, time."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fairsum_utils import BUR, __version__, compute, read_results
from fairsum_utils.results.record import Clock, describe_input, plain, record, settings_of


def test_a_file_has_size_and_hash(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"abc")
    message = describe_input(path, 3)
    # FIPS 180-2, appendix B.1: SHA-256 of "abc"
    digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert message == {"path": str(path), "bytes": 3, "sha256": digest, "rows": 3}


def test_a_folder_has_the_hash_of_all_its_files(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "x").write_bytes(b"1")
    (tmp_path / "a").write_bytes(b"23")
    lines = [f"{hashlib.sha256(text).hexdigest()}  {name}\n" for name, text in (("a", b"23"), ("b/x", b"1"))]
    record = describe_input(tmp_path)
    assert (record["bytes"], record["sha256"]) == (3, hashlib.sha256("".join(lines).encode()).hexdigest())
    (tmp_path / "a").rename(tmp_path / "c")
    assert describe_input(tmp_path)["sha256"] != record["sha256"]


def test_settings_that_a_record_does_not_hold_are_unknown() -> None:
    assert settings_of("bur", {"tau": 0.9}) == BUR(tau=0.9)
    for measure, settings in (("bur", None), ("bur", {}), ("toxicity", {"label_map": "dict of 101 entries"})):
        assert settings_of(measure, settings) is None


@pytest.mark.parametrize(
    ("value", "recorded"),
    [
        (float("inf"), "inf"),
        ({"a", "b"}, ["a", "b"]),
        (Path("x"), "x"),
        ({1: (True, None)}, {"1": [True, None]}),
        (["word"] * 101, "list of 101 entries"),
        (len, "builtins.len"),
        (Clock(0.0, 0.0), [0.0, 0.0]),
        ("https://ann:secret@host/v1", "https://***@host/v1"),
    ],
)
def test_settings_are_recorded_as_json(value: Any, recorded: Any) -> None:
    assert plain(value) == recorded
    json.dumps(plain(value), allow_nan=False)


def test_time_is_utc() -> None:
    entry = record([], {}, 86400.0 * 365, 2.00049)
    assert (entry["started"], entry["seconds"]) == ("1971-01-01T00:00:00Z", 2.0)


def test_versions_are_of_what_is_loaded() -> None:
    import numpy

    versions = record([], {}, 0.0, 0.0)["versions"]
    assert (versions["fairsum-utils"], versions["numpy"]) == (__version__, numpy.__version__)
    assert re.fullmatch(r"3\.\d+\.\d+\S*", versions["python"])


def test_data_in_memory_has_columns(examples: ModuleType, tmp_path: Path) -> None:
    compute("uer", predictions=["", *examples.A[1:]], **examples.SUMMARIES).save(tmp_path / "a.json")
    run = read_results(tmp_path / "a.json").run.read
    assert run is not None
    assert run["inputs"] == [{"path": None, "columns": ["predictions", "sources", "values"], "rows": 4}]
    assert run["settings"]["uer"]["given"] == {}
