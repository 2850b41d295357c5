"""Publishing modules and data sets, against a stand-in of the Hub and with the real huggingface_hub."""

from __future__ import annotations

import io
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from huggingface_hub import DatasetCard

from fairsum_utils.corpora.catalog import iter_rows
from fairsum_utils.errors import DataSourceError, InputError
from fairsum_utils.integrations import hub as publishing
from fairsum_utils.integrations.hub import Published, Publisher, PublishingError
from fairsum_utils.integrations.modules import metric_folder

PACKAGE = "https://example.org/fairsum_utils-0.1.0-py3-none-any.whl"
FILES = {"README.md", "app.py", "bur.py", "requirements.txt"}


def publish_metrics(names: list[str], **how: Any) -> list[Published]:
    return Publisher(**how).metrics(names, package=PACKAGE)


def edit(hub: Any, path: str, branch: str = "main") -> None:
    """Someone changes a file of fairsum/bur."""
    repo = hub.repos["space", "fairsum/bur"]
    files = repo.at(branch).files
    repo.commit(branch, "edited", {**files, path: files[path]._replace(data=b"edited")})


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
    assert published.files == tuple(sorted(FILES))


def test_twice_makes_one_commit_and_sends_nothing_more(hub: Any) -> None:
    publish_metrics(["bur", "fairsum/uer"], private=True, namespace="tester")
    before = len(hub.requests)
    again = publish_metrics(["bur", "uer"], private=True, namespace="tester")
    assert [one.state for one in again] == ["unchanged", "unchanged"]
    assert [one.commit for one in again] == [None, None]
    assert not any("/commit/" in request.path for request in hub.requests[before:])
    for name in ("tester/bur", "tester/uer"):
        assert len(hub.commits("space", name)) == 1
        assert hub.repos["space", name].private


def test_only_what_differs_is_sent_and_other_files_stay(hub: Any) -> None:
    script = publishing.space_contents("bur", PACKAGE)["bur.py"]
    hub.make("space", "fairsum/bur", {"bur.py": b"import fairsum_utils  # older\n", "notes.md": b"mine", "app.py": b""})
    assert publish_metrics(["bur"])[0].state == "updated"
    files = hub.files("space", "fairsum/bur")
    assert (files["bur.py"], files["notes.md"]) == (script, b"mine")
    edit(hub, "app.py")
    assert publish_metrics(["bur"])[0].state == "updated"
    assert hub.files("space", "fairsum/bur")["app.py"] == files["app.py"]
    assert publish_metrics(["bur"])[0].state == "unchanged"


def test_a_dry_run_lists_the_files_and_asks_nobody(hub: Any, reviews: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_TOKEN")
    bur, uer = publish_metrics(["bur", "uer"], dry_run=True)
    assert (bur.repository, bur.url) == ("fairsum/bur", f"{hub.url}/spaces/fairsum/bur")
    assert (bur.state, bur.commit, uer.state) == ("planned", None, "planned")
    assert set(bur.files) == FILES
    dataset = publish_dataset("perspectivesumm", configs=["yelp"], data_dir=reviews, dry_run=True)
    assert (dataset.state, dataset.files) == ("planned", ("README.md", YELP))
    assert hub.requests == []


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


@pytest.mark.parametrize("files", [{"app.py": b"print()"}, {"app.py": b"", "uer.py": b"print('mine')"}])
def test_a_name_that_is_taken_stops_before_anything_is_sent(hub: Any, files: dict[str, bytes]) -> None:
    hub.make("space", "fairsum/uer", files)
    with pytest.raises(
        PublishingError,
        match=r"fairsum/uer is taken: the space fairsum/uer contains .*app\.py.*, but no uer\.py of fairsum; rem",
    ):
        publish_metrics(["bur", "uer"])
    assert set(hub.repos) == {("space", "fairsum/uer")}
    assert {request.method for request in hub.requests} <= {"GET", "HEAD"}


def test_an_error_in_the_middle_is_told_and_mended_by_a_second_run(hub: Any) -> None:
    hub.fail("POST", "/api/spaces/fairsum/uer/commit/", 500)
    with pytest.raises(PublishingError) as caught:
        publish_metrics(["bur", "uer", "auc"])
    assert "500" in str(caught.value)
    assert str(caught.value).endswith(
        "the space fairsum/uer was created but is still empty. Published: fairsum/bur. Failed: fairsum/uer. Not "
        "started: fairsum/auc. Run the same command again to finish"
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
    with pytest.raises(PublishingError, match=r"another user changed it meanwhile.*is unchanged"):
        publish_metrics(["bur"])
    assert hub.commits("space", "fairsum/bur") == ["theirs"]
    assert publish_metrics(["bur"])[0].state == "updated"


@pytest.mark.parametrize(
    "address",
    [
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


def test_unknown_names(hub: Any) -> None:
    with pytest.raises(InputError, match="there is no module 'rouge'"):
        publish_metrics(["bur", "rouge"])
    with pytest.raises(InputError, match="the namespace must be one"):
        publish_metrics(["bur"], namespace="a/b")
    assert hub.requests == []


def with_token(token: str) -> Callable[[Any, pytest.MonkeyPatch], None]:
    return lambda hub, patch: patch.setenv("HF_TOKEN", token)


def failing(*answer: Any) -> Callable[[Any, pytest.MonkeyPatch], None]:
    return lambda hub, patch: hub.fail(*answer)


def unreachable(hub: Any, patch: pytest.MonkeyPatch) -> None:
    patch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:1")  # a port that nobody listens at


def outsider_of_a_space(hub: Any, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("HF_TOKEN", "hf_outsider")
    hub.make("space", "fairsum/bur")


@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        (with_token(""), "no Hub token found; log in with `hf auth login`, or set HF_TOKEN"),
        (with_token("hf_secret"), "; log in again .* nothing was uploaded"),
        (with_token("hf_outsider"), "403.*; use a token with write access"),
        (outsider_of_a_space, "403.* is unchanged"),
        (unreachable, "http://127.*: .*check the network"),
        (failing("POST", "create", 409), "409.*; the name is already taken.* could not be created"),
        (failing("POST", "create", 402), "402.* a paid plan"),
        (failing("GET", "spaces", 500), "500.* try again later"),
        (failing("POST", "/commit/", 429), "429.*request limit is reached"),
        (
            failing("POST", "/commit/", 400, "cannot read Bearer hf_test of you"),
            r"cannot read Bearer \*\*\* of you.*; the space fairsum/bur was created but",
        ),
        (failing("POST", "/validate-yaml", 400, "no such color"), "Invalid metadata in README.md"),
    ],
)
def test_errors_say_what_to_do_in_one_line_without_the_token(
    hub: Any,
    prepare: Callable[[Any, pytest.MonkeyPatch], None],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    prepare(hub, monkeypatch)
    for logger in ("fairsum_utils", "huggingface_hub"):
        caplog.set_level(logging.DEBUG, logger)
    with pytest.raises(PublishingError, match=message) as caught:
        Publisher().metrics(["bur"], package="https://example.org/fairsum.whl")
    text = str(caught.value)
    assert "\n" not in text
    assert text.startswith("publish: ")
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    printed = "".join(capfd.readouterr())
    for secret in ("hf_test", "hf_secret", "hf_outsider"):
        assert secret not in text + caplog.text + printed
    if ("space", "fairsum/bur") in hub.repos:
        assert hub.commits("space", "fairsum/bur") == []


NAME = "fairsum/perspectivesumm"
YELP, CLARITIN = "yelp/test-00000-of-00001.parquet", "claritin/test-00000-of-00001.parquet"
FEW = {"sizes": [4], "min_tokens": 1, "samples_per_cell": 2}


def publish_dataset(name: str, *, private: bool = False, dry_run: bool = False, **options: Any) -> Published:
    [published] = Publisher(private=private, dry_run=dry_run).dataset(name, package=PACKAGE, **options)
    return published


def configs(hub: Any) -> list[str]:
    card = DatasetCard(hub.files("dataset", NAME)["README.md"].decode())
    return [config["config_name"] for config in card.data.to_dict()["configs"]]


def test_rows_and_card_in_one_commit_and_nothing_the_second_time(hub: Any, reviews: Path) -> None:
    published = publish_dataset("perspectivesumm", configs=["yelp"], data_dir=reviews, private=True)
    assert (published.repository, published.kind, published.state) == (NAME, "dataset", "created")
    assert published.files == ("README.md", YELP)
    files = hub.files("dataset", NAME)
    assert set(files) == {".gitattributes", "README.md", YELP}
    rows = pyarrow.parquet.read_table(io.BytesIO(files[YELP])).to_pylist()
    assert rows == list(iter_rows("perspectivesumm", "yelp", data_dir=reviews))
    assert f'load_dataset("{NAME}", "yelp", split="test")' in files["README.md"].decode()
    assert "path/to/this/folder" not in files["README.md"].decode()
    assert configs(hub) == ["yelp"]
    assert hub.repos["dataset", NAME].private
    assert len(hub.asked("PUT", "/upload/")) == 1
    before = len(hub.requests)
    again = publish_dataset("perspectivesumm", configs=["yelp"], data_dir=reviews)
    assert (again.state, again.commit) == ("unchanged", None)
    assert not any("/upload/" in path or "/commit/" in path for _, path in hub.requests[before:])
    assert len(hub.commits("dataset", NAME)) == 1


def test_configurations_that_are_there_stay(hub: Any, reviews: Path, tweets: Path) -> None:
    publish_dataset("perspectivesumm", configs=["yelp"], data_dir=reviews)
    yelp = hub.files("dataset", NAME)[YELP]
    published = publish_dataset("perspectivesumm", data_dir=tweets, configs=["claritin"], **FEW)
    assert published.files == ("README.md", CLARITIN, YELP)
    assert len(hub.asked("PUT", "/upload/")) == 2  # yelp is not sent again
    assert hub.files("dataset", NAME)[YELP] == yelp
    assert sorted(configs(hub)) == ["claritin", "yelp"]
    assert "| `yelp` | 2 |" in hub.files("dataset", NAME)["README.md"].decode()
    assert publish_dataset("perspectivesumm", configs=["yelp"], data_dir=reviews).state == "unchanged"
    assert len(hub.commits("dataset", NAME)) == 2


@pytest.mark.parametrize("files", [{"README.md": b"# Mine\n"}, {"data.csv": b"a,b\n"}])
def test_a_name_that_is_taken(hub: Any, reviews: Path, files: dict[str, bytes]) -> None:
    hub.make("dataset", NAME, files)
    with pytest.raises(
        PublishingError,
        match=f"publish: the name {NAME} is taken: .* contains .*, but .*no card of fairsum.*; remove it or choose",
    ):
        publish_dataset("perspectivesumm", configs=["yelp"], data_dir=reviews)
    assert hub.commits("dataset", NAME) == []


def test_licensed_texts_are_never_published(hub: Any, tmp_path: Path) -> None:
    for dry_run in (False, True):
        with pytest.raises(InputError, match=r"counterfactual_ontonotes is never published: .* the LDC licenses"):
            publish_dataset("counterfactual_ontonotes", data_dir=tmp_path, dry_run=dry_run)
    assert hub.requests == []


@pytest.mark.parametrize(
    ("method", "pattern", "status"),
    [("PUT", "/upload/", 403), ("POST", "/lfs/objects/batch", 413), ("POST", "commit", 500)],
)
def test_an_upload_that_breaks_off_is_mended_by_a_second_run(
    hub: Any, reviews: Path, method: str, pattern: str, status: int
) -> None:
    hub.fail(method, pattern, status)
    with pytest.raises(PublishingError, match=rf"{status}.*{NAME} was created but is still empty"):
        publish_dataset("perspectivesumm", configs=["yelp"], data_dir=reviews)
    assert set(hub.files("dataset", NAME)) == {".gitattributes"}
    published = publish_dataset("perspectivesumm", configs=["yelp"], data_dir=reviews)
    assert published.state == "updated"
    assert set(hub.files("dataset", NAME)) == {".gitattributes", "README.md", YELP}
    assert len(hub.commits("dataset", NAME)) == 1
    assert publish_dataset("perspectivesumm", configs=["yelp"], data_dir=reviews).commit is None


def test_mistakes_in_the_input_send_nothing(hub: Any, tmp_path: Path) -> None:
    with pytest.raises(DataSourceError, match="no input for yelp"):
        publish_dataset("perspectivesumm", configs=["yelp"], data_dir=tmp_path)
    with pytest.raises(InputError, match="there is no data set 'yelp'"):
        publish_dataset("yelp")
    assert hub.repos == {}
