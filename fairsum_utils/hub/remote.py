"""Repositories of the Hub: what they hold, what is to be published, and one commit for the difference."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from fairsum_utils._version import __version__
from fairsum_utils.errors import FairSumError
from fairsum_utils.io.stores import check_hub

Kind: TypeAlias = Literal["space", "dataset", "model"]
Contents: TypeAlias = Mapping[str, "bytes | Path | None"]
"""Path in the repository -> what it is to hold, as bytes or a file here; None removes it."""

_NAMES: Mapping[Kind, str] = {"space": "Space", "dataset": "data set", "model": "model"}


class PublishingError(FairSumError):
    """Publishing failed: because of the Hub, the network, the token or the repository."""


@dataclass(frozen=True)
class Repository:
    """A repository of the Hub."""

    id: str
    kind: Kind
    revision: str | None = None

    def __str__(self) -> str:
        return f"the {_NAMES[self.kind]} {self.id}"

    @property
    def where(self) -> dict[str, Any]:
        """Arguments by which `huggingface_hub` finds it."""
        return {"repo_id": self.id, "repo_type": self.kind}


class Digest(NamedTuple):
    """Size and digests of contents."""

    size: int
    blob: str
    sha256: str


class File(NamedTuple):
    """A file of a repository after publishing."""

    path: str
    state: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Remote:
    """The contents of a repository at one commit."""

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
        """The error for a repository that is something else than what is to be published."""
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
    """Compare contents with a repository, in the order of paths.

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


_PREFIXES: Mapping[str, str] = {"space": "spaces/", "dataset": "datasets/", "model": ""}


class Hub:
    """The Hub as `huggingface_hub` reaches it; whatever goes wrong there becomes a `PublishingError`."""

    def __init__(self) -> None:
        check_hub("publish")
        import huggingface_hub.errors

        self._library, self._errors = huggingface_hub, huggingface_hub.errors
        self._api: Any = self._library.HfApi(library_name="fairsum-utils", library_version=__version__)

    def url(self, repository: Repository) -> str:
        """The page of a repository."""
        return f"{self._api.endpoint}/{_PREFIXES[repository.kind]}{repository.id}"

    def check_token(self) -> None:
        """Refuse to start without a token that the Hub knows."""
        with self._asking("nothing was sent"):
            token = self._library.get_token()
            if token is None:
                raise PublishingError(
                    "publish: there is no token of the Hub; log in with `hf auth login`, or set HF_TOKEN to a token "
                    "that may write"
                )
            if not token.isascii() or not token.isprintable() or " " in token:
                raise PublishingError(
                    "publish: what is set as the token of the Hub holds a blank, a line break or a character that is "
                    "not ASCII; log in again with `hf auth login`, or mend HF_TOKEN"
                )
            self._api.whoami()

    def look(self, repository: Repository) -> Remote:
        """Return the present contents of a repository."""
        where = repository.where
        with self._asking(f"{repository} could not be read", repository):
            try:
                info, has_branch = self._api.repo_info(**where, revision=repository.revision), True
            except self._errors.RevisionNotFoundError:
                info, has_branch = self._api.repo_info(**where), False
            except self._errors.RepositoryNotFoundError:
                return Remote(repository)
            entries = list(self._api.list_repo_tree(**where, recursive=True, revision=info.sha))

        def fetch(path: str, folder: Path) -> Path:
            with self._asking(f"{path} of {repository} could not be read", repository):
                return Path(self._api.hf_hub_download(**where, filename=path, revision=info.sha, local_dir=folder))

        files = {
            entry.path: entry.lfs.sha256 if entry.lfs else entry.blob_id for entry in entries if hasattr(entry, "size")
        }
        return Remote(repository, True, info.sha, has_branch, files, fetch)

    def commit(
        self, remote: Remote, contents: Contents, files: Iterable[File], *, private: bool, message: str
    ) -> str | None:
        """Make a repository and its branch if they are missing, and bring it up to date with one commit."""
        repository, made = remote.repository, remote.head is None
        where = repository.where
        with self._asking(f"{repository} could not be made", repository):
            if made:
                sdk = {"space_sdk": "gradio"} if repository.kind == "space" else {}
                self._api.create_repo(**where, private=private, **sdk)
            if repository.revision is not None and not remote.has_branch:
                self._api.create_branch(**where, branch=repository.revision, exist_ok=True)
        changes = [file for file in files if file.state != "unchanged"]
        if not changes:
            return None
        add, delete = self._library.CommitOperationAdd, self._library.CommitOperationDelete
        entries = ((file.path, contents[file.path]) for file in changes)
        stays = "was made but is still empty" if made else "stays as it was"
        with self._asking(f"{repository} {stays}", repository):
            committed = self._api.create_commit(
                **where,
                operations=[delete(path) if entry is None else add(path, entry) for path, entry in entries],
                commit_message=message,
                revision=repository.revision,
                # Whoever changed it in the meantime is not overwritten.
                parent_commit=remote.head,
            )
        return str(committed.oid)

    @contextmanager
    def _asking(self, outcome: str, repository: Repository | None = None) -> Iterator[None]:
        """Turn what `huggingface_hub` raises into one line that says what to do, without the token."""
        # The base of what its HTTP library raises; that library is another in every major version.
        bases = (base for base in self._errors.HfHubHTTPError.__mro__ if base.__module__ != "builtins")
        missing = self._errors.LocalEntryNotFoundError
        try:
            yield
        except FairSumError:
            raise
        except (*bases, ConnectionError, TimeoutError, ValueError, RuntimeError, missing) as error:
            line = " ".join(f"publish: {self._explain(error, repository)}; {outcome}".split())
            # Not chained: what the library or the server wrote might hold the token.
            raise PublishingError(line) from None

    def _explain(self, error: BaseException, repository: Repository | None) -> str:
        # One file of many, or one that is not in the cache either: the reason is what that was raised from.
        while isinstance(error, RuntimeError | self._errors.LocalEntryNotFoundError) and error.__cause__ is not None:
            error = error.__cause__
        response = getattr(error, "response", None)
        if response is None:
            if isinstance(error, ValueError):
                return f"the Hub refuses: {error}"
            return (
                f"cannot reach the Hub at {self._api.endpoint} ({type(error).__name__}: {error}); check the network, "
                "HF_ENDPOINT and HF_HUB_OFFLINE, and run the same command again"
            )
        status = response.status_code
        if (known := _ANSWERS.get(status)) is not None:
            namespace = repository.id.split("/")[0] if repository else "the namespace"
            return known.format(repository=repository, namespace=namespace, wait=_wait(error, response))
        if status >= 500:
            return f"the Hub failed ({status}); run the same command again, now or later"
        return f"the Hub refuses ({status}): {getattr(error, 'server_message', None) or error}"


_ANSWERS = {
    401: "the Hub does not know the token (401); log in again with `hf auth login`, or mend HF_TOKEN",
    402: "the Hub wants a paid plan for {repository} (402)",
    403: (
        "the token may not write to {repository} (403); use one with write permission in {namespace}, or name another "
        "namespace"
    ),
    404: "the Hub does not find {repository} (404), or not for this token",
    409: "the name of {repository} is taken by something else (409); name another namespace",
    412: "{repository} was changed by someone else while this ran (412); run the same command again",
    429: "the Hub takes no more requests for now (429); run the same command again {wait}",
}


def _wait(error: BaseException, response: Any) -> str:
    seconds = response.headers.get("retry-after") or "".join(re.findall(r"Retry after (\d+) seconds", str(error))[:1])
    return f"in {seconds} seconds" if seconds else "in a few minutes"
