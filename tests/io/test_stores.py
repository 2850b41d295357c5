"""Names that no file can have are one line, wherever they are given."""

from __future__ import annotations

import asyncio
import hashlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fairsum_utils
from fairsum_utils.corpora.corpus import check_folder
from fairsum_utils.errors import FairSumError, FileError, InputError, MissingDependencyError
from fairsum_utils.families.polarity.norms import read_lexicon
from fairsum_utils.io import opening, stores
from fairsum_utils.io.downloads import identity_of
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.names import list_names
from fairsum_utils.io.reading import columns_of, read_rows
from fairsum_utils.io.stores import (
    as_path,
    check_address,
    check_hub,
    check_writable,
    is_folder,
    named_address,
    put,
)
from fairsum_utils.io.writing import ENDINGS, check_output, open_output, replacing, write_rows


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names that no file can have."""
    monkeypatch.chdir(tmp_path)
    Path("one").symlink_to("two")
    Path("two").symlink_to("one")
    return ["e" * 300, "/".join(["e" * 200] * 30), "\ud800", "a\0b", "one", "one/x", ""]


def test_names_that_no_file_can_have(names: list[str]) -> None:
    for name in names:
        with pytest.raises(InputError, match=r"^lexicon: ") as caught:
            as_path(name, "lexicon")
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 250
        assert not is_folder(name)
    with pytest.raises(InputError, match=r"a file or folder \(Could not determine"):
        as_path("~nobody-of-this-name/x", expands=True)
    for wrong in (None, 3, b"rows.jsonl", ["a"]):
        with pytest.raises(InputError, match="expected the name of a file or folder, found"):
            as_path(wrong)


TAKERS: list[Callable[[Any], Any]] = [
    lambda name: list(read_rows(name, {})),
    check_output,
    lambda name: write_rows([], f"{name}/rows.jsonl"),
    lambda name: open_output(name).__enter__(),
    lambda name: Folder(name).made(),
    check_folder,
    read_lexicon,
    fairsum_utils.read_results,
    lambda name: fairsum_utils.compute("word_list_inclusion", predictions=["a"], sources=["a"], word_lists=name),
]


def test_every_taker_of_names_says_it_in_one_line(names: list[str]) -> None:
    for name in names[:-1]:
        for taker in TAKERS:
            with pytest.raises(FairSumError) as caught:
                taker(name)
            assert "\n" not in str(caught.value)


NO_ADDRESSES = [
    "localhost:8000", "ftp://host/v1", "file:///etc/passwd", "http://", "https:///v1", "http://a b/",
    "http://me:secret@host/v1", "https://host/?key=secret", "https://@host", "http://host#secret", "http://host:x/",
    "http://host:99999/", "http://ho\nst/", "http://ho\x00st/", "http://[::1", "//host/v1", 3, None, b"http://host",
    "\ud800",
]  # fmt: skip


def test_what_is_no_address_is_one_line_that_quotes_no_secret() -> None:
    for address in NO_ADDRESSES:
        with pytest.raises(InputError, match=r"^x must be an .*address.* such as ") as caught:
            check_address("x", address)
        assert "secret" not in str(caught.value)
        assert "\n" not in str(caught.value)


def test_http_is_for_this_machine() -> None:
    for address in ("http://127.0.0.1:1", "http://[::1]:8000", "http://LOCALHOST.:80/v1", "https://a.org"):
        assert check_address("x", f" {address}/\n") == address
    for address in ("http://a.org", "http://10.0.0.1", "http://localhost.a.org", "http://0.0.0.0"):
        with pytest.raises(
            InputError, match="x uses http to another machine, so others could read keys and texts; use https,"
        ):
            check_address("x", address)
        assert check_address("x", address, keyless=True) == address


def test_one_named_then_the_variable_then_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOME_URL", raising=False)
    assert named_address("x", None, "SOME_URL", "https://default") == "https://default"
    monkeypatch.setenv("SOME_URL", "https://set")
    assert named_address("x", None, "SOME_URL", "https://default") == "https://set"
    assert named_address("x", "https://named", "SOME_URL", "https://default") == "https://named"
    for empty in ("", "  "):
        monkeypatch.setenv("SOME_URL", empty)
        with pytest.raises(InputError, match=r"x, from \$SOME_URL, is empty"):
            named_address("x", None, "SOME_URL", "https://default")
    with pytest.raises(InputError, match=r"x is empty"):
        named_address("x", "", "SOME_URL", "https://default")


def test_the_address_of_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "hf.co")
    with pytest.raises(InputError, match=r"^publish: the address of the Hub, from \$HF_ENDPOINT, "):
        check_hub("publish")
    monkeypatch.delenv("HF_ENDPOINT")
    check_hub("publish")


ROWS = [{"id": f"é{i}", "values": ["a\nb", '"', ""][: i % 4]} for i in range(9)]
COLUMNS = {"id": "string", "values": "strings"}


def rows_of(*names):
    return list(read_rows(list(names), {"id": "--id-column"}, lists=["values"]))


@pytest.mark.parametrize("suffix", [".csv.gz", ".parquet.zst"])
def test_rows_at_an_address(s3, suffix):
    address = f"{s3}/data/rows{suffix}"
    check_output(address, *ENDINGS)
    assert write_rows(iter(ROWS), address, COLUMNS) == 9
    assert rows_of(address) == ROWS
    assert columns_of(address) == ["id", "values"]
    write_rows(ROWS[:2], address, COLUMNS)
    assert rows_of(address) == ROWS[:2]


def test_patterns_and_several_files(s3):
    parts = [f"{s3}/data/part-{number}.jsonl" for number in range(3)]
    for number, part in enumerate(parts):
        put(part, f'{{"id": "{number}", "values": []}}'.encode())
    put(f"{s3}/data/deep/part-0.jsonl", b"{}")
    put(f"{s3}/odd[1].jsonl", b"{}")
    assert list_names(f"{s3}/data/*.jsonl") == parts
    assert list_names(f"{s3}/data/part-[12].jsonl") == parts[1:]
    assert list_names([parts[2], f"{s3}/**/part-0.jsonl"]) == [parts[2], f"{s3}/data/deep/part-0.jsonl", parts[0]]
    assert [row["id"] for row in rows_of(f"{s3}/data/*.jsonl")] == ["0", "1", "2"]
    with pytest.raises(InputError, match=r"data/\*\.csv: no file matches this pattern$"):
        list_names(f"{s3}/data/*.csv")
    assert list_names(f"{s3}/odd[1].jsonl") == [f"{s3}/odd[1].jsonl"]
    assert list_names("https://a.org/rows.jsonl?download=true") == ["https://a.org/rows.jsonl?download=true"]


def test_nothing_appears_before_it_is_whole(s3):
    address = f"{s3}/out.jsonl"
    put(address, b"old")

    def interrupted():
        with open_output(address) as file:
            file.write(b"new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    with replacing(address) as temporary:
        temporary.write_bytes(b"new")
        kept = temporary
        assert stores.filesystem(address)[0].cat_file(address) == b"old"
    assert stores.filesystem(address)[0].cat_file(address) == b"new"
    assert not kept.parent.exists()


def test_a_store_that_is_no_longer_there_at_the_end(object_store, s3):
    address = f"{s3}/results/out.txt"
    check_output(address)

    def write():
        with replacing(address) as temporary:
            temporary.write_text("much work")
            object_store.refused.add("PUT")

    with pytest.raises(FileError, match=r"cannot write .*PermissionError.*; the data is in ") as caught:
        write()
    kept = Path(str(caught.value).rpartition(" is in ")[2])
    assert kept.name == "out.txt"
    assert kept.read_text() == "much work"
    kept.unlink()
    kept.parent.rmdir()


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("refused", "PermissionError: Access"),
        ("no network", r"\w*Connection\w*: .*; check its spelling, the credentials"),
    ],
)
def test_what_is_known_before_any_work(object_store, s3, monkeypatch, fault, reason):
    import s3fs

    monkeypatch.setattr(s3fs.S3FileSystem, "retries", 1)
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    s3fs.S3FileSystem.clear_instance_cache()
    if fault == "refused":
        object_store.refused.add("POST")
    else:
        monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    with pytest.raises(FileError, match=rf"^{s3}/out\.json: cannot write the address \({reason}") as caught:
        check_output(f"{s3}/out.json", ".json")
    assert "\n" not in str(caught.value)


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    """Where writing takes several steps, a file has another name until it is complete."""
    address = f"file://{tmp_path}/results.json"
    put(address, b"old")
    fs, _ = stores.filesystem(address)
    monkeypatch.setattr(type(fs), "mv", lambda *_: 1 / 0)
    with pytest.raises(FileError, match=r"results\.json: cannot write the"):
        put(address, b"new")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"results.json": b"old"}


def test_a_check_leaves_nothing(object_store, s3):
    check_output(f"{s3}/out.json", ".json")
    fs, path = stores.filesystem(s3)
    assert fs.find(path) == fs.list_multipart_uploads(path) == []


def test_nobody_is_sent_from_https_to_http():
    aiohttp = pytest.importorskip("aiohttp")
    yarl = pytest.importorskip("yarl")
    answer = type("Answer", (), {"headers": {"Location": "http://a.org/x"}})

    def follow(address):
        redirect = aiohttp.TraceRequestRedirectParams("GET", yarl.URL(address), {}, answer)
        [check] = stores._client()["trace_configs"][0].on_request_redirect
        return asyncio.run(check(None, None, redirect))

    assert follow("http://a.org/x") is None
    with pytest.raises(PermissionError, match=r"it redirects to http://a\.org/x, which is not allowed"):
        follow("https://a.org/x")


def test_addresses_that_cannot_be_written(s3, monkeypatch):
    with pytest.raises(InputError, match=r"^s3://none-such/a\.json: cannot write the .*bucket does not exist"):
        check_output("s3://none-such/a.json")
    with pytest.raises(InputError, match=r"^https://a\.org/a\.json: web addresses are read-only; name a file, or "):
        check_output("https://a.org/a.json")
    with pytest.raises(InputError, match="this is the input; name another output"):
        check_output(f"{s3}/a.json", inputs=["b.json", f"{s3}/a.json"])
    with pytest.raises(InputError, match="this is also another output"):
        check_output(f"{s3}/a.json", others=[None, f"{s3}/a.json"])
    with pytest.raises(InputError, match=r"unknown format; the name must end in \.json"):
        check_output(f"{s3}/a.txt", ".json")
    monkeypatch.setitem(sys.modules, "s3fs", None)
    check_writable.cache_clear()
    with pytest.raises(MissingDependencyError, match=r"s3fs is needed to write s3://b/a\.json, but .*\[s3\]"):
        check_output("s3://b/a.json")


def test_a_file_that_is_changed_while_it_is_read(s3, monkeypatch):
    monkeypatch.setattr(opening, "_FETCHED", 1 << 14)
    address = f"{s3}/rows.jsonl"
    put(address, b'{"id": "a"}\n' * 20_000)
    rows = read_rows(address, {"id": "--id-column"})
    assert next(rows) == {"id": "a"}
    put(address, b'{"id": "b"}\n' * 20_000)
    with pytest.raises(FileError, match=r"rows\.jsonl: cannot read the address \(FileExpired"):
        list(rows)


def test_identity_at_an_address(object_store, s3):
    noise = bytes(range(256)) * (1 << 10)
    put(f"{s3}/a.jsonl", noise)
    before = object_store.fetched
    first = identity_of(f"{s3}/a.jsonl")
    assert object_store.fetched == before
    assert first["size"] == len(noise)
    assert first["version"].strip('"') == hashlib.md5(noise).hexdigest()  # as S3 defines it for one part
    put(f"{s3}/a.jsonl", noise[:-1] + b"\0")
    second = identity_of(f"{s3}/a.jsonl")
    assert [second[name] == first[name] for name in first] == [True, False, True]
    with pytest.raises(InputError, match=r"none\.csv: no such file"):
        identity_of(f"{s3}/none.csv")
