"""Addresses: what is written there whole, what is read by ranges, and what is said when a store refuses."""

import asyncio
import hashlib
import json
import sys
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from fairsum_utils.errors import FileError, InputError, MissingDependencyError
from fairsum_utils.io import stores
from fairsum_utils.io.counting import count_rows
from fairsum_utils.io.identity import Identity, identity_of
from fairsum_utils.io.names import list_names
from fairsum_utils.io.reading import columns_of, read_rows
from fairsum_utils.io.stores import check_writable, local_path, put
from fairsum_utils.io.writing import ENDINGS, check_output, open_output, replacing, write_rows

ROWS = [{"id": f"é{i}", "values": ["a\nb", '"', ""][: i % 4]} for i in range(300)]
COLUMNS = {"id": "string", "values": "strings"}


def rows_of(*names):
    return list(read_rows(list(names), {"id": "--id-column"}, lists=["values"]))


@pytest.mark.parametrize("suffix", ENDINGS)
def test_rows_of_every_format(s3, suffix):
    address = f"{s3}/data/rows{suffix}"
    check_output(address, *ENDINGS)
    assert write_rows(iter(ROWS), address, COLUMNS) == 300
    assert rows_of(address) == ROWS
    assert columns_of(address) == ["id", "values"]
    write_rows(ROWS[:2], address, COLUMNS)
    assert rows_of(address) == ROWS[:2]


@pytest.mark.parametrize("name", ["rows.json", "rows.tsv", "rows.arrow", "rows.feather", "rows.arrow.zst"])
def test_formats_that_are_only_read(s3, name, tmp_path):
    path = tmp_path / name
    if ".json" in name:
        path.write_text(json.dumps(ROWS), encoding="utf-8")
    elif ".tsv" in name:
        cells = (f"{row['id']}\t{json.dumps(json.dumps(row['values']))[1:-1]}\n" for row in ROWS[:1])
        path.write_text("id\tvalues\n" + "".join(cells), encoding="utf-8")
    else:
        table = pyarrow.Table.from_pylist(ROWS)
        new = pyarrow.ipc.new_file if name.endswith(".feather") else pyarrow.ipc.new_stream
        packing = "zstd" if ".zst" in name else None
        with pyarrow.output_stream(path, compression=packing) as file, new(file, table.schema) as writer:
            writer.write_table(table)
    put(f"{s3}/{name}", path)
    assert rows_of(f"{s3}/{name}") == rows_of(path)


def test_patterns_and_several_files(s3, tmp_path):
    for number in range(3):
        write_rows(ROWS[number * 100 : number * 100 + 100], f"{s3}/data/part-{number}.parquet", COLUMNS)
    write_rows(ROWS[:1], f"{s3}/data/deep/part-0.parquet", COLUMNS)
    parts = [f"{s3}/data/part-{number}.parquet" for number in range(3)]
    assert list_names(f"{s3}/data/*.parquet") == parts
    assert list_names(f"{s3}/data/part-[12].parquet") == parts[1:]
    assert list_names([parts[2], f"{s3}/**/part-0.parquet"]) == [parts[2], f"{s3}/data/deep/part-0.parquet", parts[0]]
    assert rows_of(f"{s3}/data/*.parquet") == ROWS
    assert count_rows(f"{s3}/data/*.parquet") == 300
    with pytest.raises(InputError, match=r"data/\*\.csv: no file has such a name$"):
        list_names(f"{s3}/data/*.csv")
    write_rows(ROWS[:1], f"{s3}/odd[1].jsonl", COLUMNS)
    assert list_names(f"{s3}/odd[1].jsonl") == [f"{s3}/odd[1].jsonl"]
    assert list_names("https://a.org/rows.jsonl?download=true") == ["https://a.org/rows.jsonl?download=true"]


def test_patterns_in_memory():
    pytest.importorskip("fsspec").filesystem("memory").pipe({"/pat/a.jsonl": b"{}", "/pat/b.jsonl": b"{}"})
    assert list_names("memory://pat/*.jsonl") == ["memory://pat/a.jsonl", "memory://pat/b.jsonl"]


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


def test_many_parts(s3, tmp_path, monkeypatch):
    """Larger than what is put at once; completed at the end."""
    content = bytes(range(256)) * (1 << 12) * 11  # 11 MiB
    (tmp_path / "big").write_bytes(content)
    fs, path = stores.filesystem(f"{s3}/big", "write")
    monkeypatch.setattr(type(fs), "put_file", lambda fs, here, there: fs.put(here, there, chunksize=5 << 20))
    put(f"{s3}/big", tmp_path / "big")
    assert fs.cat_file(path) == content


def test_a_store_that_is_no_longer_there_at_the_end(object_store, s3):
    address = f"{s3}/results/out.txt"
    check_output(address)

    def write():
        with replacing(address) as temporary:
            temporary.write_text("much work")
            object_store.refused.add("PUT")

    with pytest.raises(FileError, match=r"the store refuses it.*; what was to be written there is kept in ") as caught:
        write()
    kept = Path(str(caught.value).rpartition(" kept in ")[2])
    assert kept.name == "out.txt"
    assert kept.read_text() == "much work"
    kept.unlink()
    kept.parent.rmdir()


@pytest.mark.parametrize(
    ("break_it", "message"),
    [
        (lambda store, patch: store.refused.update(["POST"]), r"cannot be written: the store refuses it \(Access"),
        (
            lambda store, patch: patch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9"),
            "cannot be written: the store is not reached",
        ),
        (lambda store, patch: no_credentials(patch), "cannot be written: no credentials for this store"),
    ],
    ids=["refused", "no network", "no credentials"],
)
def test_what_is_known_before_any_work(object_store, s3, monkeypatch, break_it, message):
    import s3fs

    monkeypatch.setattr(s3fs.S3FileSystem, "retries", 1)
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    s3fs.S3FileSystem.clear_instance_cache()
    break_it(object_store, monkeypatch)
    with pytest.raises(FileError, match=message) as caught:
        check_output(f"{s3}/out.json", ".json")
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"{s3}/out.json: ")


def no_credentials(patch):
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        patch.delenv(name)
    patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    patch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere")
    patch.setenv("AWS_CONFIG_FILE", "/nowhere")


def test_a_check_leaves_nothing(object_store, s3):
    check_output(f"{s3}/out.json", ".json")
    fs, path = stores.filesystem(s3)
    assert fs.find(path) == []
    assert fs.list_multipart_uploads(path) == []
    before = len(object_store.requests)
    check_writable(f"{s3}/out.json")
    assert len(object_store.requests) == before  # found good once


def test_nobody_is_sent_from_https_to_http():
    aiohttp = pytest.importorskip("aiohttp")
    yarl = pytest.importorskip("yarl")
    answer = type("Answer", (), {"headers": {"Location": "http://a.org/x"}})

    def follow(address):
        told = aiohttp.TraceRequestRedirectParams("GET", yarl.URL(address), {}, answer)
        [check] = stores._watch().on_request_redirect
        return asyncio.run(check(None, None, told))

    assert follow("http://a.org/x") is None
    with pytest.raises(PermissionError, match=r"it sends on from https to http://a.org/x, which is not followed"):
        follow("https://a.org/x")


def test_addresses_that_cannot_be_written(s3, monkeypatch):
    with pytest.raises(InputError, match=r"^s3://none-such/a.json: no such bucket; create it, or name another$"):
        check_output("s3://none-such/a.json")
    with pytest.raises(
        InputError, match=r"^https://a.org/a.json: an address of the web can only be read; name a file, or "
    ):
        check_output("https://a.org/a.json")
    with pytest.raises(InputError, match="this is the input; name another output"):
        check_output(f"{s3}/a.json", inputs=["b.json", f"{s3}/a.json"])
    with pytest.raises(InputError, match="this is another output too"):
        check_output(f"{s3}/a.json", others=[None, f"{s3}/a.json"])
    with pytest.raises(InputError, match=r"unknown format; the name must end in \.json"):
        check_output(f"{s3}/a.txt", ".json")
    monkeypatch.setitem(sys.modules, "s3fs", None)
    check_writable.cache_clear()
    with pytest.raises(MissingDependencyError, match=r"s3fs is needed to write s3://b/a\.json and .*\[s3\]"):
        check_output("s3://b/a.json")


def test_a_store_that_is_no_object_store(tmp_path):
    """Where writing is no one step, what is written has another name until it is whole."""
    fsspec = pytest.importorskip("fsspec")
    from fsspec.implementations.dirfs import DirFileSystem
    from fsspec.implementations.local import LocalFileSystem

    names = []

    class Share(DirFileSystem):
        protocol = "share"

        def __init__(self, **options):
            super().__init__(path=str(tmp_path), fs=LocalFileSystem(), **options)

        def put_file(self, here, there, **options):
            names.append(there)
            super().put_file(here, there, **options)

    fsspec.register_implementation("share", Share, clobber=True)
    (tmp_path / "here").write_text("new")
    put("share://deep/out.txt", tmp_path / "here")
    assert (tmp_path / "deep/out.txt").read_text() == "new"
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["out.txt"]
    assert len(names) == 1
    assert names[0].startswith("deep/.out.txt.")
    with pytest.raises(InputError, match=r"share://deep/out\.txt: cannot be written"):
        put("share://deep/out.txt", tmp_path / "none")
    assert (tmp_path / "deep/out.txt").read_text() == "new"


def test_paths_of_this_machine(tmp_path):
    pytest.importorskip("fsspec")
    assert local_path("a/b.csv") == Path("a/b.csv")
    assert local_path(f"file://{tmp_path}/b.csv") == tmp_path / "b.csv"
    assert local_path("s3://b/c.csv") is None
    write_rows(ROWS, f"file://{tmp_path}/rows.jsonl", COLUMNS)
    assert rows_of(f"file://{tmp_path}/rows.jsonl") == rows_of(tmp_path / "rows.jsonl") == ROWS
    with pytest.raises(InputError, match="this is the input"):
        check_output(f"file://{tmp_path}/rows.jsonl", inputs=[tmp_path / "rows.jsonl"])


def test_a_file_that_is_changed_while_it_is_read(s3):
    address = f"{s3}/rows.jsonl"
    put(address, b'{"id": "a"}\n' * 200_000)
    rows = read_rows(address, {"id": "--id-column"})
    assert next(rows) == {"id": "a"}
    put(address, b'{"id": "b"}\n' * 200_000)
    with pytest.raises(FileError, match=r"rows\.jsonl: was changed while it was read; start again once it stays as it"):
        list(rows)


def test_identity_at_an_address(object_store, s3):
    noise = bytes(range(256)) * (1 << 15)  # 8 MiB
    put(f"{s3}/a.jsonl", noise)
    before = object_store.fetched
    first = identity_of(f"{s3}/a.jsonl")
    assert object_store.fetched - before < 8 << 20
    assert first.size == 8 << 20
    assert first.version.strip('"') == hashlib.md5(noise).hexdigest()  # as S3 defines it for one part
    put(f"{s3}/a.jsonl", noise[:-1] + b"\0")
    second = identity_of(f"{s3}/a.jsonl")
    assert (second.size, second.version == first.version, second.digest == first.digest) == (8 << 20, False, False)
    assert Identity.from_dict(json.loads(json.dumps(second.to_dict()))) == second
    with pytest.raises(InputError, match=r"none\.csv: no such file"):
        identity_of(f"{s3}/none.csv")
