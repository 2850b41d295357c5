"""The wheel that Spaces and cards refer to: uploaded once, where pip can read it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils._util import installation
from fairsum_utils._version import __version__
from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.integrations import hub as publishing
from fairsum_utils.integrations import wheel as wheels
from fairsum_utils.integrations.hub import Publisher, PublishingError

WHEEL = f"fairsum_utils-{__version__}-py3-none-any.whl"
REPOSITORY = "fairsum/fairsum-utils"


@pytest.fixture
def wheel(tmp_path: Path) -> str:
    path = tmp_path / WHEEL
    path.write_bytes(b"a wheel")
    return str(path)


def test_everything_refers_to_one_wheel(hub: Any, wheel: str, reviews: Path) -> None:
    address = f"{hub.url}/{REPOSITORY}/resolve/main/{WHEEL}"
    published = Publisher().metrics(["bur", "uer"], package=wheel)
    assert [(one.repository, one.kind, one.state) for one in published] == [
        (REPOSITORY, "model", "created"),
        ("fairsum/bur", "space", "created"),
        ("fairsum/uer", "space", "created"),
    ]
    files = hub.files("model", REPOSITORY)
    assert files[WHEEL] == b"a wheel"
    assert f'pip install "fairsum-utils @ {address}"' in files["README.md"].decode()
    for name in ("bur", "uer"):
        space = hub.files("space", f"fairsum/{name}")
        assert space["requirements.txt"].decode().endswith(f" @ {address}\n")
        assert f"# From: {address}\n" in space[f"{name}.py"].decode()
    same, dataset = Publisher().dataset("perspectivesumm", package=wheel, configs=["yelp"], data_dir=reviews)
    assert (same.state, dataset.state) == ("unchanged", "created")
    card = hub.files("dataset", "fairsum/perspectivesumm")["README.md"].decode()
    assert f'(`fairsum data export perspectivesumm` after `pip install "fairsum-utils @ {address}"`)' in card
    assert len(hub.commits("model", REPOSITORY)) == 1


def test_another_owner_and_branch(hub: Any, wheel: str) -> None:
    Publisher(namespace="tester", revision="next/one").metrics(["bur"], package=wheel)
    address = f"{hub.url}/tester/fairsum-utils/resolve/next%2Fone/{WHEEL}"
    files = hub.files("space", "tester/bur", "next/one")
    assert files["requirements.txt"].decode() == f"fairsum-utils[languages] @ {address}\n"
    assert hub.files("model", "tester/fairsum-utils", "next/one")[WHEEL] == b"a wheel"
    for path in ("README.md", "bur.py"):
        assert 'evaluate.load("tester/bur")' in files[path].decode()
        assert 'evaluate.load("fairsum/' not in files[path].decode()
    assert 'or `evaluate.load("tester/bur")`.' in files["README.md"].decode()  # not once it is installed


def test_older_wheels_stay_for_older_spaces(hub: Any, wheel: str) -> None:
    older = "fairsum_utils-0.0.9-py3-none-any.whl"
    hub.make("model", REPOSITORY, {older: b"older"})
    Publisher().metrics(["bur"], package=wheel)
    assert {older, WHEEL} <= set(hub.files("model", REPOSITORY))


def test_pip_must_be_able_to_read_it(hub: Any, wheel: str, reviews: Path) -> None:
    private = Publisher(private=True)
    with pytest.raises(PublishingError, match=f"{REPOSITORY} would be private.*leave out --private, or set --package"):
        private.metrics(["bur"], package=wheel)
    [published] = private.dataset("perspectivesumm", configs=["yelp"], data_dir=reviews)  # loads without the package
    assert (published.repository, published.state) == ("fairsum/perspectivesumm", "created")
    hub.make("model", REPOSITORY, private=True)
    with pytest.raises(PublishingError, match=f"{REPOSITORY} would be private"):
        Publisher().metrics(["bur"], package=wheel)
    hub.repos["model", REPOSITORY].private = False
    assert private.metrics(["bur"], package=wheel)[1].repository == "fairsum/bur"


def test_a_name_that_is_taken(hub: Any, wheel: str) -> None:
    hub.make("model", REPOSITORY, {"model.safetensors": b""})
    with pytest.raises(PublishingError, match=f"the name {REPOSITORY} is taken: .* but no wheel of fairsum"):
        Publisher().metrics(["bur"], package=wheel)
    assert set(hub.repos) == {("model", REPOSITORY)}


@pytest.mark.parametrize("name", ["fairsum_utils-9.9-py3-none-any.whl", "other.whl", "missing"])
def test_only_a_wheel_of_this_version_is_uploaded(hub: Any, name: str, tmp_path: Path) -> None:
    (tmp_path / "other.whl").touch()
    (tmp_path / "fairsum_utils-9.9-py3-none-any.whl").touch()
    with pytest.raises(InputError, match=f"--package must be a file {re.escape(WHEEL)} or an address"):
        Publisher().metrics(["bur"], package=str(tmp_path / name))
    assert hub.requests == []


def test_without_a_checkout_or_a_tool(hub: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wheels, "origin", lambda: ("index", ""))
    with pytest.raises(InputError, match="not installed from a checkout; set --package"):
        Publisher().metrics(["bur"])
    monkeypatch.setattr(wheels, "origin", lambda: ("editable", "/checkout"))
    failed = subprocess.CompletedProcess([], 1, "", "No module named\npip\n")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(FairSumError, match=r"from /checkout \(No module named pip\); build one with another tool"):
        Publisher().metrics(["bur"])
    assert hub.requests == []


def test_an_installed_wheel_has_an_address_already(hub: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"https://huggingface.co/{REPOSITORY}/resolve/main/{WHEEL}"
    monkeypatch.setattr(wheels, "origin", lambda: ("url", address))
    assert len(Publisher(namespace="tester", private=True).metrics(["bur"])) == 1
    assert hub.files("space", "tester/bur")["requirements.txt"].decode() == f"fairsum-utils[languages] @ {address}\n"
    monkeypatch.setattr(wheels, "origin", lambda: ("url", f"file:///tmp/{WHEEL}"))
    with pytest.raises(InputError, match="not installed from a checkout; set --package"):
        Publisher().metrics(["bur"])


def test_in_the_package_index_the_name_is_enough(hub: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (installation, publishing):
        monkeypatch.setattr(module, "REGISTERED", frozenset([installation.NAME]))
    [published] = Publisher().metrics(["bur"])
    files = hub.files(published.kind, published.repository)
    assert files["requirements.txt"].decode() == f"fairsum-utils[languages]=={__version__}\n"
    assert "# From: fairsum-utils\n" in files["bur.py"].decode()
    assert '`pip install "fairsum-utils"`' in files["README.md"].decode()
