"""Publishing data sets as Parquet, against a stand-in of the Hub and with the real huggingface_hub."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from huggingface_hub import DatasetCard

from fairsum_utils.corpora.loading import iter_rows
from fairsum_utils.errors import DataSourceError, InputError
from fairsum_utils.hub.publishing import Published, Publisher, PublishingError

NAME = "fairsum/perspectivesumm"
YELP, CLARITIN = "yelp/test-00000-of-00001.parquet", "claritin/test-00000-of-00001.parquet"
FEW = {"sizes": [4], "min_tokens": 1, "samples_per_cell": 2}


def publish_dataset(name: str, *, private: bool = False, dry_run: bool = False, **options: Any) -> Published:
    return Publisher(private=private, dry_run=dry_run).dataset(name, **options)


def states(published: Any) -> dict[str, str]:
    return {file.path: file.state for file in published.files}


def configs(hub: Any) -> list[str]:
    card = DatasetCard(hub.files("dataset", NAME)["README.md"].decode())
    return [config["config_name"] for config in card.data.to_dict()["configs"]]


def test_rows_and_card_in_one_commit_and_nothing_the_second_time(hub: Any, reviews: Path) -> None:
    published = publish_dataset("perspectivesumm", configs=["yelp"], data_dir=reviews, private=True)
    assert (published.repository, published.kind, published.state) == (NAME, "dataset", "created")
    assert states(published) == {"README.md": "new", YELP: "new"}
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
    assert {request.method for request in hub.requests[before:]} <= {"GET", "HEAD"}
    assert len(hub.commits("dataset", NAME)) == 1


def test_configurations_that_are_there_stay(hub: Any, reviews: Path, tweets: Path) -> None:
    publish_dataset("perspectivesumm", configs=["yelp"], data_dir=reviews)
    yelp = hub.files("dataset", NAME)[YELP]
    published = publish_dataset("perspectivesumm", data_dir=tweets, configs=["claritin"], **FEW)
    assert states(published) == {"README.md": "changed", CLARITIN: "new", YELP: "unchanged"}
    assert hub.files("dataset", NAME)[YELP] == yelp
    assert sorted(configs(hub)) == ["claritin", "yelp"]
    assert "| `yelp` | 2 |" in hub.files("dataset", NAME)["README.md"].decode()
    assert publish_dataset("perspectivesumm", configs=["yelp"], data_dir=reviews).state == "unchanged"
    assert len(hub.commits("dataset", NAME)) == 2


def test_only_files_that_our_card_names_are_removed(hub: Any, reviews: Path) -> None:
    publish_dataset("perspectivesumm", configs=["yelp"], data_dir=reviews)
    repo = hub.repos["dataset", NAME]
    files = dict(repo.at("main").files)
    card = files["README.md"]
    older = (
        "- config_name: older\n  data_files:\n  - split: test\n    path: older/test-00000-of-00001.parquet\n---\n\n#"
    )
    files["README.md"] = card._replace(data=card.data.replace(b"---\n\n#", older.encode(), 1))
    files["older/test-00000-of-00001.parquet"] = files["mine/data.parquet"] = files[YELP]
    files["notes.txt"] = files["older/notes.txt"] = card
    repo.commit("main", "theirs", files)
    assert configs(hub) == ["yelp", "older"]
    published = publish_dataset("perspectivesumm", configs=["yelp"], data_dir=reviews, dry_run=True)
    assert states(published)["older/test-00000-of-00001.parquet"] == "removed"
    publish_dataset("perspectivesumm", configs=["yelp"], data_dir=reviews)
    left = {".gitattributes", "README.md", YELP, "mine/data.parquet", "notes.txt", "older/notes.txt"}
    assert set(hub.files("dataset", NAME)) == left
    assert configs(hub) == ["yelp"]


@pytest.mark.parametrize("files", [{"README.md": b"# Mine\n"}, {"data.csv": b"a,b\n"}])
def test_a_name_that_is_taken(hub: Any, reviews: Path, files: dict[str, bytes]) -> None:
    hub.make("dataset", NAME, files)
    with pytest.raises(PublishingError, match=f"the name {NAME} is taken by something else: .* no card of fairsum"):
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
    with pytest.raises(PublishingError, match=rf"\({status}\).*{NAME} was made but is still empty"):
        publish_dataset("perspectivesumm", configs=["yelp"], data_dir=reviews)
    assert set(hub.files("dataset", NAME)) == {".gitattributes"}
    published = publish_dataset("perspectivesumm", configs=["yelp"], data_dir=reviews)
    assert published.state == "updated"
    assert set(hub.files("dataset", NAME)) == {".gitattributes", "README.md", YELP}
    assert len(hub.commits("dataset", NAME)) == 1
    assert publish_dataset("perspectivesumm", configs=["yelp"], data_dir=reviews).commit is None


def test_a_file_of_several_that_breaks_off(hub: Any, reviews: Path, tweets: Path, tmp_path: Path) -> None:
    (reviews / "claritin_raw.txt").write_text((tweets / "claritin_raw.txt").read_text())
    chosen = {"configs": ["yelp", "claritin"], "data_dir": reviews, **FEW}
    hub.fail("PUT", "/upload/", 400, "checksum mismatch", after=1)
    with pytest.raises(PublishingError, match=r"the Hub refuses \(400\): checksum mismatch; .* is still empty"):
        publish_dataset("perspectivesumm", **chosen)
    assert set(hub.files("dataset", NAME)) == {".gitattributes"}
    before = len(hub.asked("PUT", "/upload/"))
    publish_dataset("perspectivesumm", **chosen)
    assert set(hub.files("dataset", NAME)) == {".gitattributes", "README.md", YELP, CLARITIN}
    assert len(hub.asked("PUT", "/upload/")) == before + 1  # what was uploaded is not sent again


def test_mistakes_in_the_input_send_nothing(hub: Any, tmp_path: Path) -> None:
    with pytest.raises(DataSourceError, match="no input for yelp"):
        publish_dataset("perspectivesumm", configs=["yelp"], data_dir=tmp_path)
    with pytest.raises(InputError, match="there is no data set 'yelp'"):
        publish_dataset("yelp")
    assert hub.repos == {}
