"""Croissant descriptions of exported data sets; mlcroissant itself reads them in `nox -s exports`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.corpora import export_dataset, iter_rows
from fairsum_utils.corpora.loading import PARQUET_FILE, corpora, write_card
from fairsum_utils.io.writing import Folder, write_rows

ROOT = Path(__file__).resolve().parents[2]
SMALL: dict[str, Any] = {"sizes": [4], "samples_per_cell": 3, "min_tokens": 1}


def cell(kind: Any, name: str) -> Any:
    """Return a cell with what a reader could lose: letters, an empty list, false, no name."""
    if kind == "bool":
        return name == "b"
    if isinstance(kind, Mapping):
        entry = {field: cell(inner, name) for field, inner in kind.items()}
        return [] if name == "a" else [entry, entry | {"first_name": None}]
    return [] if kind == "strings" and name == "a" else [f"é {name}", '"\n'] if kind == "strings" else name


@pytest.fixture(params=corpora())
def exported(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, dict[str, list[Any]]]:
    """Folder with made-up rows of every configuration, and the rows."""
    corpus = corpora()[request.param]
    rows = [{column: cell(kind, name) for column, kind in corpus.columns.items()} for name in "abc"]
    for config in corpus.configurations:
        (tmp_path / config).mkdir()
        write_rows(rows, tmp_path / config / PARQUET_FILE, corpus.columns)
    write_card(corpus, Folder(tmp_path))
    return tmp_path, dict.fromkeys(corpus.configurations, rows)


def read(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "croissant.json").read_text(encoding="utf-8")))


def test_facts_are_those_of_the_card(exported: tuple[Path, dict[str, list[Any]]]) -> None:
    folder, rows = exported
    found, card = read(folder), (folder / "README.md").read_text(encoding="utf-8")
    words = " ".join(card.replace("**", "").split())
    for key in ("rai:dataBiases", "rai:dataLimitations", "rai:personalSensitiveInformation"):
        assert found[key]
        assert all(item in words for item in found[key])
    assert words.count(" - ") >= sum(len(found[key]) for key in ("rai:dataBiases", "rai:dataLimitations"))
    assert " ".join(found["rai:dataCollection"].split()) in words
    assert found["citeAs"] in card
    assert found["rai:dataCollectionRawData"]
    [purpose] = found["rai:dataUseCases"]
    assert purpose.startswith(("To measure ", "To compare "))
    assert {person["name"] for person in found["creator"]} & {
        "Yusen Zhang",
        "Haoyuan Li",
        "Jwala Dhamala",
        "Julius Steen",
    }
    assert list(rows) == [record_set["@id"] for record_set in found["recordSet"]]
    for file in found["distribution"]:
        content = (folder / file["contentUrl"]).read_bytes()
        assert (file["contentSize"], file["sha256"]) == (f"{len(content)} B", hashlib.sha256(content).hexdigest())


def loaded(folder: Path, config: str) -> list[Any]:
    """Return the records as mlcroissant reads them, with texts and names as in the rows."""
    library = pytest.importorskip("mlcroissant")
    dataset = library.Dataset(folder / "croissant.json")
    issues = dataset.metadata.ctx.issues
    assert not issues.errors
    assert not issues.warnings
    assert dataset.metadata.data_biases
    assert dataset.metadata.data_use_cases
    return [plain(record) for record in dataset.records(config)]


def plain(read: Any) -> Any:
    if isinstance(read, bytes):
        return read.decode()
    if isinstance(read, list):
        return [plain(each) for each in read]
    return {name.rpartition("/")[2]: plain(each) for name, each in read.items()} if isinstance(read, dict) else read


def test_mlcroissant_loads_every_configuration(exported: tuple[Path, dict[str, list[Any]]]) -> None:
    folder, rows = exported
    for config, written in rows.items():
        assert loaded(folder, config) == written


def test_mlcroissant_loads_an_export(tweets: Path, tmp_path: Path) -> None:
    export_dataset("perspectivesumm", tmp_path / "out", data_dir=tweets, **SMALL)
    rows = list(iter_rows("perspectivesumm", "claritin", data_dir=tweets, **SMALL))
    assert loaded(tmp_path / "out", "claritin") == rows


def test_an_unchanged_export_has_an_unchanged_description(tweets: Path, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        export_dataset("perspectivesumm", tmp_path / folder, data_dir=tweets, **SMALL)
    assert read(tmp_path / "a") == read(tmp_path / "b")
