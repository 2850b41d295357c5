"""Systems and data sets are told by names of files, and by what is given before them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairsum_reproductions.naming import named_files
from fairsum_utils.errors import InputError


def test_files_are_named_by_themselves() -> None:
    paths = ["runs/gpt4.jsonl.gz", Path("llama.json"), "s3://bucket/a=b/mixtral.json", ".hidden"]
    assert list(named_files("m", paths)) == ["gpt4", "llama", "mixtral", ".hidden"]


def test_a_name_may_stand_before_a_file() -> None:
    assert named_files("m", ["a=runs/x.json", "gpt4/yelp=y=z.json"]) == {"a": "runs/x.json", "gpt4/yelp": "y=z.json"}


def test_a_file_with_an_equals_sign_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "lr=0.1.json"
    path.touch()
    assert named_files("m", [str(path)]) == {"lr=0": str(path)}


def test_folders_tell_files_of_one_name_apart() -> None:
    assert list(named_files("m", ["runs/a/yelp.json", "runs/b/yelp.json", "c=x.json"])) == ["a/yelp", "b/yelp", "c"]


def test_two_files_of_one_name_are_refused() -> None:
    with pytest.raises(InputError, match=r"m: x.json and y.json are both named a; name them, as in a=y.json"):
        named_files("m", ["a=x.json", "a=y.json"])
    with pytest.raises(InputError, match="are both named runs/a"):
        named_files("m", ["runs/a.json", "runs/a.parquet"])
