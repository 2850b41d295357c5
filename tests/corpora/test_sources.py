import hashlib
import http.server
import json
import threading
from pathlib import Path

import pytest

from fairsum_utils.corpora import iter_rows, perspectivesumm, sources
from fairsum_utils.errors import DataSourceError, InputError

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"
GOLD = SHARED / "perspectivesumm" / "yelp_gold.json"
SAMPLE = json.dumps([{"units": [{"text": "a", "value": {"gender": "male"}}], "model_input": "a"}])


def test_a_file_without_a_checksum_is_used_with_a_warning(server: tuple[str, Path], own_cache: Path) -> None:
    url, site = server
    (site / "claritin.json").write_text(SAMPLE, encoding="utf-8")
    found = hashlib.sha256(SAMPLE.encode()).hexdigest()
    with pytest.warns(UserWarning, match=f"no SHA-256 is recorded for claritin.json.*{found}"):
        [row] = iter_rows("perspectivesumm", "claritin", base_url=url)
    assert row["sources"] == ["a"]
    (site / "claritin.json").unlink()
    assert list(iter_rows("perspectivesumm", "claritin", base_url=url)) == [row]  # kept, and no warning
    assert [path.name for path in own_cache.rglob("*") if path.is_file()] == ["claritin.json"]


def test_the_address_can_be_set_for_the_whole_module(server: tuple[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    url, site = server
    (site / "claritin.json").write_text(SAMPLE, encoding="utf-8")
    monkeypatch.setattr(perspectivesumm, "BASE_URL", url)
    monkeypatch.setitem(perspectivesumm.SHA256, "claritin.json", hashlib.sha256(SAMPLE.encode()).hexdigest())
    assert len(list(iter_rows("perspectivesumm", "claritin"))) == 1  # and no warning


def test_another_checksum_is_refused_and_nothing_is_kept(server: tuple[str, Path], own_cache: Path) -> None:
    url, site = server
    (site / "yelp_gold.json").write_text(SAMPLE, encoding="utf-8")
    expected = perspectivesumm.SHA256["yelp_gold.json"]
    found = hashlib.sha256(SAMPLE.encode()).hexdigest()
    with pytest.raises(
        DataSourceError, match=f"{found}, but {expected} is recorded.*yelp_gold.json.*give its folder as data_dir"
    ):
        list(iter_rows("perspectivesumm", "yelp_gold", base_url=url))
    assert not [path for path in own_cache.rglob("*") if path.is_file()]


def test_a_spoilt_download_is_fetched_again(server: tuple[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    url, site = server
    (site / "claritin.json").write_text(SAMPLE, encoding="utf-8")
    monkeypatch.setitem(perspectivesumm.SHA256, "claritin.json", hashlib.sha256(SAMPLE.encode()).hexdigest())
    path = sources.download("claritin.json", base_url=url, checksums=perspectivesumm.SHA256)
    path.write_text("[", encoding="utf-8")
    assert (
        sources.download("claritin.json", base_url=url, checksums=perspectivesumm.SHA256).read_text(encoding="utf-8")
        == SAMPLE
    )


@pytest.mark.parametrize("url", ["", "http://127.0.0.1:9/", "nonsense", "http://127.0.0.1:x/"])
def test_no_network_names_the_file_the_address_and_the_offline_way(
    server: tuple[str, Path], url: str, own_cache: Path
) -> None:
    url = url or server[0]  # a server without the file
    message = f"cannot download yelp.json from {url}yelp.json: .*fetch yelp.json on .* and give its folder as data_dir"
    with pytest.raises(DataSourceError, match=message):
        list(iter_rows("perspectivesumm", "yelp", base_url=url))
    assert not [path for path in own_cache.rglob("*") if path.is_file()]


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
            sources.download("yelp.json", base_url=f"http://127.0.0.1:{site.server_port}/")
        thread.join()
    assert not [path for path in own_cache.rglob("*") if path.is_file()]


def test_a_cache_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FAIRSUM_CACHE", str(tmp_path / "file"))
    with pytest.raises(DataSourceError, match="Set FAIRSUM_CACHE to a folder that can be written"):
        sources.download("yelp.json", base_url="http://127.0.0.1:9/")


def test_the_cache_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FAIRSUM_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    assert sources.download_folder() == Path("/x/fairsum")


@pytest.mark.skipif(not GOLD.is_file(), reason="the published file is not here")
def test_the_recorded_checksum_is_the_published_files() -> None:
    assert hashlib.sha256(GOLD.read_bytes()).hexdigest() == perspectivesumm.SHA256["yelp_gold.json"]


def test_data_dir_must_be_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"data_dir must be a folder, but .*nothing' does not exist"):
        iter_rows("perspectivesumm", "yelp", data_dir=tmp_path / "nothing")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="is a file"):
        iter_rows("perspectivesumm", "yelp", data_dir=tmp_path / "file")


def test_digests_follow_names_and_contents(tmp_path: Path) -> None:
    paths = [tmp_path / "a", tmp_path / "b"]
    digests = set()
    for contents in (("x", "y"), ("y", "x"), ("xy", "")):
        for path, content in zip(paths, contents, strict=True):
            path.write_text(content)
        digests |= {sources.digest_files(paths), sources.digest_files(paths[:1])}
    assert len(digests) == 6
