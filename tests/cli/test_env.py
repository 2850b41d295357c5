"""fairsum env: what a report of a problem holds, and what it must not."""

import json
import platform

import fairsum_utils
from fairsum_utils.cli.env import _readable, environment


def test_what_is_here(fairsum, monkeypatch, tmp_path):
    cache = tmp_path / "cache"
    (cache / "inference").mkdir(parents=True)
    (cache / "inference/a").write_bytes(b"x" * 1500)
    (cache / "inference/b").symlink_to(cache / "inference/a")
    monkeypatch.setenv("FAIRSUM_CACHE", str(cache))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)
    monkeypatch.delenv("TRANSFORMERS_OFFLINE", raising=False)
    status, printed, _ = fairsum("env", "--format", "json")
    document = json.loads(printed)
    assert status == 0
    assert document["fairsum-utils"] == fairsum_utils.__version__
    assert document["python"] == platform.python_version()
    assert document["caches"]["fairsum"] == {"folder": str(cache), "bytes": 1500}
    assert document["caches"]["models and data of the Hub"] == {"folder": str(tmp_path / "hf/hub"), "bytes": 0}
    assert document["offline"]["HF_HUB_OFFLINE"] == "1"
    assert document["offline"]["TRANSFORMERS_OFFLINE"] is None
    _, printed, _ = fairsum("env")
    assert f"fairsum-utils {fairsum_utils.__version__}" in printed
    assert f"fairsum: {cache} (1 kB)" in printed
    assert "HF_HUB_OFFLINE=1" in printed


def test_no_secrets(fairsum, monkeypatch):
    for name in ("OPENAI_API_KEY", "HF_TOKEN", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "hunter2")
    for format in ("text", "json"):
        assert "hunter2" not in fairsum("env", "--format", format)[1]


def test_packages_of_extras():
    extras = environment()["extras"]
    if extras:  # the package may lie on the path without being installed
        assert extras[""]["numpy"] is not None
        assert "torch" in extras["neural"]
        assert not {"test", "docs", "all"} & extras.keys()


def test_sizes_for_a_person():
    assert [_readable(size) for size in (0, 999, 1500, 2_000_000, 3_500_000_000)] == [
        "empty", "999 bytes", "1 kB", "2 MB", "3 GB",
    ]  # fmt: skip
