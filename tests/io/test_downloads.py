"""Files that are fetched once and checked."""

import gzip
import hashlib
import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.errors import DataSourceError, InputError
from fairsum_utils.io import downloads
from fairsum_utils.io.downloads import check_mirror, digest_files, download, download_folder

CONTENT = b'[{"some": "rows"}]\n'
SHA256 = hashlib.sha256(CONTENT).hexdigest()
UNKNOWN = {"data/a.json": None}


def kept(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.fixture
def url(server: tuple[str, Path], own_cache: Path) -> str:
    """Of a site with one file."""
    (server[1] / "data").mkdir()
    (server[1] / "data" / "a.json").write_bytes(CONTENT)
    return server[0]


def test_a_download_without_a_checksum_is_told(url: str, server: tuple[str, Path], own_cache: Path) -> None:
    with pytest.warns(UserWarning, match=f"no SHA-256 is recorded for data/a.json.*{SHA256}"):
        path = download("data/a.json", base_url=url, checksums=UNKNOWN)
    assert path.read_bytes() == CONTENT
    assert kept(own_cache) == [path]
    (server[1] / "data" / "a.json").unlink()
    assert download("data/a.json", base_url=url, checksums=UNKNOWN) == path  # kept, and no warning


def test_what_is_something_else_is_refused_and_nothing_is_kept(
    url: str, server: tuple[str, Path], own_cache: Path
) -> None:
    for body, what in (
        (b"<!DOCTYPE html>\n<html><title>Log in</title></html>", "a web page"),
        (b"", "empty"),
        (gzip.compress(CONTENT), "packed with gzip"),
    ):
        (server[1] / "data" / "a.json").write_bytes(body)
        for checksums in (UNKNOWN, {"data/a.json": hashlib.sha256(body).hexdigest()}):
            with pytest.raises(DataSourceError, match=f"a.json from .* is {what}.*, so it was not stored. Open the"):
                download("data/a.json", base_url=url, checksums=checksums)
            assert kept(own_cache) == []


def test_another_checksum_is_refused_and_nothing_is_kept(url: str, own_cache: Path) -> None:
    with pytest.raises(DataSourceError, match=f"{SHA256} instead of 0123, .* Try again.*give its folder"):
        download("data/a.json", base_url=url, checksums={"data/a.json": "0123"})
    assert kept(own_cache) == []


def test_a_spoilt_download_is_fetched_again(url: str) -> None:
    path = download("data/a.json", base_url=url, checksums={"data/a.json": SHA256})
    path.write_bytes(b"[")
    assert download("data/a.json", base_url=url, checksums={"data/a.json": SHA256}).read_bytes() == CONTENT


def test_no_network_names_the_file_the_address_and_the_offline_way(url: str, own_cache: Path) -> None:
    for address in (url, "http://127.0.0.1:9/", "nonsense", "http://127.0.0.1:x/"):  # the first has no such file
        message = (
            f"cannot download b.json from {address}b.json: .*download b.json on .* and give its folder as data_dir"
        )
        with pytest.raises(DataSourceError, match=message):
            download("b.json", base_url=address, checksums={})
    assert kept(own_cache) == []


def test_the_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FAIRSUM_CACHE", str(tmp_path / "file"))
    with pytest.raises(DataSourceError, match=r"Set FAIRSUM_CACHE to a writable folder\."):
        download("b.json", base_url="http://127.0.0.1:9/", checksums={})
    monkeypatch.delenv("FAIRSUM_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    assert download_folder() == Path("/x/fairsum")


def test_digests_follow_names_and_contents(tmp_path: Path) -> None:
    paths = [tmp_path / "a", tmp_path / "b"]
    digests = set()
    for contents in (("x", "y"), ("y", "x"), ("xy", "")):
        for path, content in zip(paths, contents, strict=True):
            path.write_text(content)
        digests |= {digest_files(paths), digest_files(paths[:1])}
    assert len(digests) == 6
    inner = hashlib.sha256(b"xy").hexdigest()
    assert digest_files(paths[:1]) == hashlib.sha256(f"a\0{inner}\n".encode()).hexdigest()
    assert digest_files(paths[:1], tmp_path.parent) != digest_files(paths[:1])


@contextmanager
def answering(status: int, body: bytes = CONTENT, *, endless: bool = False, **headers: str) -> Iterator[str]:
    """A site that answers everything in one way; its address."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            length = {} if endless else {"Content_Length": str(len(body))}
            for name, value in {**length, **headers}.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            with suppress(OSError):  # nobody listens any more
                self.wfile.write(body)
                while endless:
                    self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as site:
        threading.Thread(target=site.serve_forever, kwargs={"poll_interval": 0.01}).start()
        yield f"http://127.0.0.1:{site.server_port}/"
        site.shutdown()


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"status": 403}, "no such file .403"),
        (
            {"status": 200, "Content_Encoding": "gzip"},
            r"cannot read the address \(ClientPayloadError",
        ),
        (
            {"status": 200, "Content_Length": "100"},
            r"cannot read the address \(ClientPayloadError: .*received 19 of 100 bytes",
        ),
        ({"status": 302, "Location": "file:///etc/passwd"}, r"cannot read the address \(it redirects to file:"),
        ({"status": 200, "endless": True}, "it is larger than 1000000 bytes"),
    ],
)
def test_answers_that_are_refused(answer: Any, reason: str, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "_LARGEST", 10**6)
    with answering(**answer) as url, pytest.raises(DataSourceError, match=f"cannot download b.json from .*{reason}"):
        download("b.json", base_url=url, checksums={})
    assert kept(own_cache) == []


def test_a_redirect_from_http_is_followed(url: str, own_cache: Path) -> None:
    with answering(302, Location=f"{url}data/a.json") as other, pytest.warns(UserWarning, match="no SHA-256"):
        assert download("data/a.json", base_url=other, checksums=UNKNOWN).read_bytes() == CONTENT


def test_mirrors() -> None:
    for address, taken in {
        "https://a.org/data": "https://a.org/data/",
        "http://a.org/data/": "http://a.org/data/",
        "file:///data": "file:///data/",
    }.items():
        assert check_mirror("yelp", "base_url", address) == taken
    for address in ("", " ", "a.org", "ftp://a.org/", "https://me:secret@a.org/", "https://a.org/?token=secret", 3):
        with pytest.raises(InputError, match=r"^yelp: base_url ") as caught:
            check_mirror("yelp", "base_url", address)
        assert "secret" not in str(caught.value)


def test_a_mirror_of_files(tmp_path: Path, own_cache: Path) -> None:
    (tmp_path / "a.json").write_bytes(CONTENT)
    found = download("a.json", base_url=f"file://{tmp_path}/", checksums={"a.json": SHA256})
    assert found.read_bytes() == CONTENT
