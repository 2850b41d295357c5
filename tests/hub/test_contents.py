"""What tells contents apart, and what differs from a repository."""

from __future__ import annotations

from pathlib import Path

from fairsum_utils.hub.contents import Remote, Repository, compare, digest

ABC = (
    3,
    "f2ba8f84ab5c1bce84a7b441cb1959cfc7093b7f",  # printf abc | git hash-object --stdin
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",  # printf abc | sha256sum
)


def test_bytes_and_files_have_the_same_digests(tmp_path: Path) -> None:
    (tmp_path / "abc").write_bytes(b"abc")
    assert digest(b"abc") == digest(tmp_path / "abc") == ABC


def test_what_publishing_makes_of_each_file() -> None:
    repository = Repository("fairsum/bold", "dataset")
    remote = Remote(repository, files={"a": ABC[1], "b.parquet": ABC[2], "c": "other", "old": "other"})
    contents = {"old": None, "new": b"", **dict.fromkeys(("a", "b.parquet", "c"), b"abc")}
    states = {"a": "unchanged", "b.parquet": "unchanged", "c": "changed", "new": "new", "old": "removed"}
    assert {file.path: file.state for file in compare(contents, remote)} == states
    unknown = compare({"a": b"abc"}, Remote(repository, is_known=False))
    assert unknown == (("a", "unknown", ABC[0], ABC[2]),)
    assert str(remote.taken("no card of fairsum")) == (
        "publish: the name fairsum/bold is taken by something else: the data set fairsum/bold holds a, b.parquet, c, "
        "old, but no card of fairsum; remove it, or name another namespace. Nothing was sent"
    )
