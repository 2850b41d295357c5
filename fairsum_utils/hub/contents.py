"""What a repository of the Hub holds, what it is to hold, and what differs.

Contents are compared by digest before anything is sent, so that what is there already makes no commit: git's SHA-1 of
a blob, or the SHA-256 of a file in large file storage.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from fairsum_utils.errors import FairSumError

__all__ = ["Contents", "Digest", "File", "PublishingError", "Remote", "Repository", "compare", "digest"]

Kind: TypeAlias = Literal["space", "dataset", "model"]
Contents: TypeAlias = Mapping[str, "bytes | Path | None"]
"""Path in the repository -> what it is to hold, as bytes or a file here; None removes it."""

_NAMES: Mapping[Kind, str] = {"space": "Space", "dataset": "data set", "model": "model"}


class PublishingError(FairSumError):
    """Something could not be published: the Hub, the network, the token or the repository is in the way."""


@dataclass(frozen=True)
class Repository:
    """Where something is published.

    Args:
        id: namespace and name.
        kind: what the Hub takes it for.
        revision: branch; None is the main one.
    """

    id: str
    kind: Kind
    revision: str | None = None

    def __str__(self) -> str:
        return f"the {_NAMES[self.kind]} {self.id}"

    @property
    def where(self) -> dict[str, Any]:
        """What `huggingface_hub` is told to find it."""
        return {"repo_id": self.id, "repo_type": self.kind}


class Digest(NamedTuple):
    """What tells contents apart.

    Attributes:
        size: in bytes.
        blob: git's SHA-1.
        sha256: as large file storage has it.
    """

    size: int
    blob: str
    sha256: str


class File(NamedTuple):
    """A file of a repository, as it is after publishing.

    Attributes:
        path: in the repository.
        state: new, changed, unchanged or removed; unknown if the Hub could not be asked.
        size: in bytes; 0 of a removed file.
        sha256: of the contents; empty of a removed file.
    """

    path: str
    state: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Remote:
    """What a repository holds at one commit.

    Args:
        repository: the repository.
        is_known: whether the Hub could be asked.
        head: the commit; None if there is no such repository.
        has_branch: whether the revision exists; if it does not, `files` are those of the main branch.
        files: path -> digest, git's or that of large file storage.
        fetch: (path, folder) -> the file, downloaded below the folder under its path.
    """

    repository: Repository
    is_known: bool = True
    head: str | None = None
    has_branch: bool = False
    files: Mapping[str, str] = field(default_factory=dict)
    fetch: Callable[[str, Path], Path] = Path

    def holds(self, path: str, contents: Digest) -> bool:
        """Whether a file is there with these contents."""
        return self.files.get(path) in (contents.blob, contents.sha256)

    def taken(self, lacks: str) -> PublishingError:
        """The error for a repository that is something else than what is to be published.

        Args:
            lacks: what would tell that it is not, as the end of a sentence.
        """
        shown = sorted(self.files)
        holds = ", ".join(shown[:4]) + (f" and {len(shown) - 4} more" if len(shown) > 4 else "")
        return PublishingError(
            f"publish: the name {self.repository.id} is taken by something else: {self.repository} holds {holds}, but "
            f"{lacks}; remove it, or name another namespace. Nothing was sent"
        )


def digest(contents: bytes | Path) -> Digest:
    """Size and digests of bytes, or of a file, which is read block by block.

    Example:
        >>> digest(b"")[:2]
        (0, 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391')
    """
    with io.BytesIO(contents) if isinstance(contents, bytes) else contents.open("rb") as file:
        size = file.seek(0, io.SEEK_END)
        file.seek(0)
        blob = hashlib.file_digest(file, lambda: hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False))
        file.seek(0)
        return Digest(size, blob.hexdigest(), hashlib.file_digest(file, "sha256").hexdigest())


def compare(contents: Contents, remote: Remote) -> tuple[File, ...]:
    """What publishing makes of each file, in the order of paths.

    Args:
        contents: what is to be published.
        remote: what is there.

    Example:
        >>> [file.state for file in compare({"README.md": b""}, Remote(Repository("fairsum/bur", "space")))]
        ['new']
    """
    files = []
    for path, entry in sorted(contents.items()):
        if entry is None:
            files.append(File(path, "removed", 0, ""))
            continue
        mine, state = digest(entry), "new"
        if not remote.is_known:
            state = "unknown"
        elif path in remote.files:
            state = "unchanged" if remote.holds(path, mine) else "changed"
        files.append(File(path, state, mine.size, mine.sha256))
    return tuple(files)
