"""Names that no file can have are one line, wherever they are given."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fairsum_utils
from fairsum_utils.corpora.sources import check_folder
from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.families.polarity.lexicon import read_lexicon
from fairsum_utils.generation.generators import is_seq2seq
from fairsum_utils.inference.cache import resolve_cache_folder
from fairsum_utils.io.downloads import download_folder
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.paths import as_path, is_folder
from fairsum_utils.io.reading import read_rows
from fairsum_utils.io.writing import check_output, open_output, write_rows

COLUMNS: dict[str, Any] = {"predictions": ["Tasty soup"], "sources": [["Tasty", "slow"]], "values": [["p", "q"]]}
GROUPS: dict[str, Any] = {"predictions": ["he"] * 4, "groups": ["a", "b"] * 2}


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names that no file can have."""
    monkeypatch.chdir(tmp_path)
    Path("one").symlink_to("two")
    Path("two").symlink_to("one")
    return ["e" * 300, "/".join(["e" * 200] * 30), "\ud800", "a\0b", "one", "one/x", ""]


def test_names_that_no_file_can_have(names: list[str]) -> None:
    for name in names:
        with pytest.raises(InputError, match=r"^lexicon: ") as caught:
            as_path(name, "lexicon")
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 250
        assert not is_folder(name)
    with pytest.raises(InputError, match="no file or folder can be called so"):
        as_path("~nobody-of-this-name/x", expands=True)
    for wrong in (None, 3, b"rows.jsonl", ["a"]):
        with pytest.raises(InputError, match="expected the name of a file or folder, found"):
            as_path(wrong)


def test_names_that_a_file_can_have(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for name in (tmp_path, tmp_path / "file", tmp_path / "file" / "x", tmp_path / "none", " ", "a\nb", "~", "é\udcff"):
        assert as_path(name) == Path(name)
    assert is_folder(tmp_path)
    assert not is_folder(tmp_path / "file")


TAKERS: dict[str, Callable[[Any], Any]] = {
    "rows": lambda name: list(read_rows(name, {})),
    "output": lambda name: check_output(name),
    "written": lambda name: write_rows([], f"{name}/rows.jsonl"),
    "bytes": lambda name: open_output(name).__enter__(),
    "folder": lambda name: Folder(name).made(),
    "data_dir": check_folder,
    "lexicon": read_lexicon,
    "results": fairsum_utils.read_results,
    "lists": lambda name: fairsum_utils.compute(
        "word_list_inclusion", predictions=["a"], sources=["a"], word_lists=name
    ),
    "norms": lambda name: fairsum_utils.compute("psycholinguistic_norms", **GROUPS, lexicon=name),
    "vectors": lambda name: fairsum_utils.compute("gender_polarity", **GROUPS, method="wavg", embeddings=name),
}


@pytest.mark.parametrize("taker", TAKERS)
def test_every_taker_of_names_says_it_in_one_line(names: list[str], taker: str) -> None:
    for name in names[:-1]:
        with pytest.raises(FairSumError) as caught:
            TAKERS[taker](name)
        assert "\n" not in str(caught.value)


def test_a_cache_folder_that_cannot_be(names: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in names[:-1]:
        with pytest.raises(InputError):
            resolve_cache_folder(name)
    monkeypatch.setenv("FAIRSUM_CACHE", "e" * 300)
    with pytest.raises(InputError, match=r"^\$FAIRSUM_CACHE: .*: no file or folder can be called so"):
        download_folder()


def test_models_that_cannot_be(names: list[str]) -> None:
    for package in ("torch", "transformers"):
        pytest.importorskip(package)
    for name in names:
        assert not is_seq2seq(name)
        for settings in ({"entailer": name}, {"matcher": "bertscore", "model": name}):
            measure = "equal_coverage" if "entailer" in settings else "bur"
            with pytest.raises(FairSumError) as caught:
                fairsum_utils.compute(measure, **COLUMNS, **settings)
            assert "\n" not in str(caught.value)


def test_the_longest_name_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("e" * 249 + ".jsonl")  # 255 bytes, and its temporary file has a longer name
    assert write_rows([{"id": "a"}], path) == 1
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
