"""Publishing modules as Spaces, against a stand-in of the Hub and with the real huggingface_hub."""

from __future__ import annotations

from typing import Any

import pytest

from fairsum_utils._util import installation
from fairsum_utils._version import __version__
from fairsum_utils.errors import InputError
from fairsum_utils.hub import remote, spaces
from fairsum_utils.hub.folders import metric_folder
from fairsum_utils.hub.publishing import Published, Publisher, PublishingError

PACKAGE = "https://example.org/fairsum_utils-0.1.0-py3-none-any.whl"
FILES = {"README.md", "app.py", "bur.py", "requirements.txt"}


def publish_metrics(names: list[str], **how: Any) -> list[Published]:
    return Publisher(**how).metrics(names, package=PACKAGE)


def edit(hub: Any, path: str, branch: str = "main") -> None:
    """Someone changes a file of fairsum/bur."""
    repo = hub.repos["space", "fairsum/bur"]
    files = repo.at(branch).files
    repo.commit(branch, "edited", {**files, path: files[path]._replace(data=b"edited")})


def states(published: Published) -> dict[str, str]:
    return {file.path: file.state for file in published.files}


def test_a_space_is_made_with_one_commit(hub: Any) -> None:
    [published] = publish_metrics(["bur"], message="Hello")
    assert (published.repository, published.kind, published.state) == ("fairsum/bur", "space", "created")
    assert published.url == f"{hub.url}/spaces/fairsum/bur"
    assert published.commit == hub.repos["space", "fairsum/bur"].branches["main"]
    assert hub.commits("space", "fairsum/bur") == ["Hello"]
    files = hub.files("space", "fairsum/bur")
    assert set(files) == FILES | {".gitattributes"}
    script = (metric_folder("bur") / "bur.py").read_text(encoding="utf-8")
    assert files["bur.py"].decode() == script.replace("# From: .\n", f"# From: {PACKAGE}\n") != script
    assert files["requirements.txt"].decode() == f"fairsum-utils[languages] @ {PACKAGE}\n"
    assert f'`pip install "fairsum-utils[neural] @ {PACKAGE}"`' in files["README.md"].decode()
    assert not hub.repos["space", "fairsum/bur"].private
    sizes = {file.path: file.size for file in published.files}
    assert sizes == {path: len(files[path]) for path in FILES}
    # the README that a new Space begins with is replaced, and told as new
    assert states(published) == dict.fromkeys(FILES, "new")


def test_twice_makes_one_commit_and_sends_nothing_more(hub: Any) -> None:
    publish_metrics(["bur", "fairsum/uer"], private=True, namespace="tester")
    before = len(hub.requests)
    again = publish_metrics(["bur", "uer"], private=True, namespace="tester")
    assert [one.state for one in again] == ["unchanged", "unchanged"]
    assert [one.commit for one in again] == [None, None]
    assert {request.method for request in hub.requests[before:]} == {"GET"}
    for name in ("tester/bur", "tester/uer"):
        assert len(hub.commits("space", name)) == 1
        assert hub.repos["space", name].private


def test_only_what_differs_is_sent_and_other_files_stay(hub: Any) -> None:
    script = spaces.space_contents("bur", PACKAGE)["bur.py"]
    hub.make("space", "fairsum/bur", {"bur.py": b"import fairsum_utils  # older\n", "notes.md": b"mine", "app.py": b""})
    [published] = publish_metrics(["bur"])
    expected = {"README.md": "changed", "app.py": "changed", "bur.py": "changed", "requirements.txt": "new"}
    assert states(published) == expected
    files = hub.files("space", "fairsum/bur")
    assert (files["bur.py"], files["notes.md"]) == (script, b"mine")
    edit(hub, "app.py")
    [published] = publish_metrics(["bur"])
    assert [path for path, state in states(published).items() if state != "unchanged"] == ["app.py"]
    assert published.state == "updated"


def test_dry_run_compares_and_sends_nothing(hub: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_TOKEN")
    publishable = spaces.space_contents("bur", PACKAGE)
    hub.make("space", "fairsum/bur", {**publishable, "app.py": b"other"})
    existing, missing = publish_metrics(["bur", "uer"], dry_run=True)
    assert states(existing) == {**dict.fromkeys(FILES, "unchanged"), "app.py": "changed"}
    assert (existing.state, missing.state) == ("updated", "created")
    assert set(states(missing).values()) == {"new"}
    assert existing.commit is None
    assert existing.files[1] == remote.File("app.py", "changed", *remote.digest(publishable["app.py"])[::2])
    assert {request.method for request in hub.requests} == {"GET"}
    assert ("space", "fairsum/uer") not in hub.repos


@pytest.mark.usefixtures("hub")
def test_dry_run_without_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:1")  # a port that nobody listens at
    [published] = publish_metrics(["bur"], dry_run=True)
    assert published.state == "unknown"
    assert states(published) == dict.fromkeys(FILES, "unknown")
    assert published.note.startswith("cannot reach the Hub at http://127.0.0.1")


def test_a_branch_is_made_from_the_main_one(hub: Any) -> None:
    publish_metrics(["bur"])
    [published] = publish_metrics(["bur"], revision="next/one")
    assert (published.revision, published.state, published.commit) == ("next/one", "updated", None)
    edit(hub, "app.py", "next/one")
    [published] = publish_metrics(["bur"], revision="next/one")
    assert published.commit == hub.repos["space", "fairsum/bur"].branches["next/one"]
    assert hub.files("space", "fairsum/bur", "next/one") == hub.files("space", "fairsum/bur")
    assert len(hub.commits("space", "fairsum/bur")) == 1
    assert publish_metrics(["bur"], revision="next/one")[0].state == "unchanged"


def test_a_new_space_on_a_branch(hub: Any) -> None:
    publish_metrics(["bur"], revision="dev")
    assert set(hub.files("space", "fairsum/bur", "dev")) == FILES | {".gitattributes"}
    assert "bur.py" not in hub.files("space", "fairsum/bur")


@pytest.mark.parametrize("files", [{"app.py": b"print()"}, {"app.py": b"", "uer.py": b"print('mine')"}])
def test_a_name_that_is_taken_stops_before_anything_is_sent(hub: Any, files: dict[str, bytes]) -> None:
    hub.make("space", "fairsum/uer", files)
    with pytest.raises(PublishingError, match=r"the name fairsum/uer is taken by something else: the Space .* app\.py"):
        publish_metrics(["bur", "uer"])
    assert set(hub.repos) == {("space", "fairsum/uer")}
    assert {request.method for request in hub.requests} <= {"GET", "HEAD"}


def test_an_error_in_the_middle_is_told_and_mended_by_a_second_run(hub: Any) -> None:
    hub.fail("POST", "/api/spaces/fairsum/uer/commit/", 500)
    with pytest.raises(PublishingError) as caught:
        publish_metrics(["bur", "uer", "auc"])
    assert str(caught.value) == (
        "publish: the Hub failed (500); run the same command again, now or later; the Space fairsum/uer was made but "
        "is still empty. Published: fairsum/bur. Failed: fairsum/uer. Not begun: fairsum/auc. The same command again "
        "does what is left"
    )
    assert hub.commits("space", "fairsum/uer") == []
    again = publish_metrics(["bur", "uer", "auc"])
    assert [one.state for one in again] == ["unchanged", "updated", "created"]
    for name in ("bur", "uer", "auc"):
        assert len(hub.commits("space", f"fairsum/{name}")) == 1
        assert set(hub.files("space", f"fairsum/{name}")) == {f"{name}.py", *FILES - {"bur.py"}, ".gitattributes"}


def test_what_someone_else_changed_meanwhile_is_not_overwritten(hub: Any) -> None:
    repo = hub.make("space", "fairsum/bur")
    hub.fail("POST", "/commit/", 0, before=lambda: repo.commit("main", "theirs", dict(repo.at("main").files)))
    with pytest.raises(PublishingError, match=r"was changed by someone else while this ran \(412\).*stays as it was"):
        publish_metrics(["bur"])
    assert hub.commits("space", "fairsum/bur") == ["theirs"]
    assert publish_metrics(["bur"])[0].state == "updated"


@pytest.mark.parametrize(
    "address",
    [
        None,
        "",
        "fairsum-utils",
        "fairsum-utils==0.1.0",
        "fairsum.whl",
        "http://example.org/fairsum.whl",
        "git+ssh://git@example.org/fairsum",
        "https://me:secret@example.org/fairsum.whl",
        "https://example.org/fairsum.whl?token=secret",
        "https://example.org/fairsum.whl\nother",
        "https://example.org/fairsum.whl; python_version < '3'",
        'https://example.org/"$(touch hit)"',
    ],
)
@pytest.mark.parametrize("dry_run", [False, True])
def test_a_space_installs_from_an_address_of_the_user_alone(hub: Any, address: str | None, dry_run: bool) -> None:
    with pytest.raises(InputError, match=r"^publish: .*--package .*@<commit>[^\n]*$") as caught:
        Publisher(dry_run=dry_run).metrics(["bur"], package=address)
    assert "secret" not in str(caught.value)
    assert hub.requests == []


def test_a_space_names_the_version_once_the_name_is_ours(hub: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (installation, spaces):
        monkeypatch.setattr(module, "REGISTERED", frozenset(["fairsum-utils"]))
    Publisher().metrics(["bur"])
    files = hub.files("space", "fairsum/bur")
    assert files["requirements.txt"].decode() == f"fairsum-utils[languages]=={__version__}\n"
    assert b"import fairsum_utils.modules  # From: fairsum-utils\n" in files["bur.py"]
    assert b'`pip install "fairsum-utils[neural]"`' in files["README.md"]


def test_unknown_names(hub: Any) -> None:
    with pytest.raises(InputError, match="there is no module 'rouge'"):
        publish_metrics(["bur", "rouge"])
    with pytest.raises(InputError, match="a namespace is one name"):
        publish_metrics(["bur"], namespace="a/b")
    assert hub.requests == []
