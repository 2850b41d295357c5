"""Files that are fetched once and checked."""

import hashlib
import http.server
import threading
from pathlib import Path

import pytest

from fairsum_utils.errors import DataSourceError
from fairsum_utils.files.downloads import digest_files, download, download_folder

CONTENT = b"some bytes"
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


def test_a_file_without_a_checksum_is_used_with_a_warning(url: str, server: tuple[str, Path], own_cache: Path) -> None:
    with pytest.warns(UserWarning, match=f"no SHA-256 is recorded for data/a.json.*{SHA256}"):
        path = download("data/a.json", base_url=url, checksums=UNKNOWN)
    assert path.read_bytes() == CONTENT
    (server[1] / "data" / "a.json").unlink()
    assert download("data/a.json", base_url=url, checksums=UNKNOWN) == path  # kept, and no warning
    assert kept(own_cache) == [path]


def test_a_file_with_its_checksum(url: str, tmp_path: Path) -> None:
    path = download("data/a.json", base_url=url, checksums={"data/a.json": SHA256}, folder=tmp_path / "mine")
    assert kept(tmp_path / "mine") == [path]  # and no warning


def test_another_checksum_is_refused_and_nothing_is_kept(url: str, own_cache: Path) -> None:
    with pytest.raises(
        DataSourceError, match=f"{SHA256}, but 0123 is recorded.*a.json'. Try again.*give its folder as data_dir"
    ):
        download("data/a.json", base_url=url, checksums={"data/a.json": "0123"})
    assert kept(own_cache) == []


def test_a_spoilt_download_is_fetched_again(url: str) -> None:
    path = download("data/a.json", base_url=url, checksums={"data/a.json": SHA256})
    path.write_bytes(b"[")
    assert download("data/a.json", base_url=url, checksums={"data/a.json": SHA256}).read_bytes() == CONTENT


@pytest.mark.parametrize("address", ["", "http://127.0.0.1:9/", "nonsense", "http://127.0.0.1:x/"])
def test_no_network_names_the_file_the_address_and_the_offline_way(url: str, address: str, own_cache: Path) -> None:
    address = address or url  # a server without the file
    message = f"cannot download b.json from {address}b.json: .*fetch b.json on .* and give its folder as data_dir"
    with pytest.raises(DataSourceError, match=message):
        download("b.json", base_url=address, checksums={})
    assert kept(own_cache) == []


def test_a_connection_that_breaks_off(own_cache: Path) -> None:
    class Short(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"[1,")

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with http.server.HTTPServer(("127.0.0.1", 0), Short) as site:
        thread = threading.Thread(target=site.handle_request)
        thread.start()
        with pytest.raises(DataSourceError, match="after 3 of 100 bytes"):
            download("b.json", base_url=f"http://127.0.0.1:{site.server_port}/", checksums={})
        thread.join()
    assert kept(own_cache) == []


def test_a_cache_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FAIRSUM_CACHE", str(tmp_path / "file"))
    with pytest.raises(DataSourceError, match="Set FAIRSUM_CACHE to a folder that can be written"):
        download("b.json", base_url="http://127.0.0.1:9/", checksums={})


def test_the_cache_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FAIRSUM_CACHE", raising=False)
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
