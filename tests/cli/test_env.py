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
    for name in ("HF_HUB_CACHE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    variables = {"FAIRSUM_CACHE": str(cache), "HF_HOME": str(tmp_path / "hf"), "HF_HUB_OFFLINE": "1"}
    secrets = dict.fromkeys(("OPENAI_API_KEY", "HF_TOKEN", "HTTPS_PROXY"), "hunter2")
    for name, value in (variables | secrets).items():
        monkeypatch.setenv(name, value)
    _, printed, _ = fairsum("env", "--format", "json")
    assert "hunter2" not in printed
    document = json.loads(printed)
    assert document["fairsum-utils"] == fairsum_utils.__version__
    assert document["python"] == platform.python_version()
    assert document["caches"]["fairsum"] == {"folder": str(cache), "bytes": 1500}
    assert document["caches"]["models and data of the Hub"] == {"folder": str(tmp_path / "hf/hub"), "bytes": 0}
    assert (document["offline"]["HF_HUB_OFFLINE"], document["offline"]["TRANSFORMERS_OFFLINE"]) == ("1", None)
    status, printed, _ = fairsum("env")
    assert (status, "hunter2" in printed) == (0, False)
    for line in (f"fairsum-utils {fairsum_utils.__version__}", f"fairsum: {cache} (1 kB)", "HF_HUB_OFFLINE=1"):
        assert line in printed


def test_packages_of_extras():
    extras = environment()["extras"]
    if extras:  # the package may lie on the path without being installed
        assert extras[""]["numpy"] is not None
        assert "torch" in extras["neural"]
        assert not {"test", "docs", "all"} & extras.keys()


def test_sizes_for_a_person():
    sizes = (0, 999, 1500, 2_000_000, 3_500_000_000)
    assert [_readable(size) for size in sizes] == ["empty", "999 bytes", "1 kB", "2 MB", "3 GB"]
