"""Client of the Hub for publishing: states of repositories, uploads, errors.

Errors become a `PublishingError` of one line. The token is that of `huggingface_hub`: its login, or the environment
variable ``HF_TOKEN``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from fairsum_utils._version import __version__
from fairsum_utils.errors import FairSumError
from fairsum_utils.io.stores import check_hub


class PublishingError(FairSumError):
    """Publishing failure of the Hub, network, token or repository."""


class Repository(NamedTuple):
    """A repository of the Hub, as its arguments of `huggingface_hub`."""

    repo_id: str
    repo_type: str

    def __str__(self) -> str:
        return f"the {self.repo_type} {self.repo_id}"

    @property
    def path(self) -> str:
        """Return the path of its page."""
        return self.repo_id if self.repo_type == "model" else f"{self.repo_type}s/{self.repo_id}"


@dataclass(frozen=True)
class Remote:
    """State of a repository on the Hub; without a head there is none."""

    repository: Repository
    head: str | None = None
    has_branch: bool = False
    is_private: bool = False
    files: frozenset[str] = frozenset()
    read: Callable[[str], bytes] = lambda path: b""

    def has_only(self, *names: str) -> bool:
        """Return whether it has no file but these and the Hub's own."""
        return self.files <= {".gitattributes", *names}

    def has_in(self, name: str, text: bytes) -> bool:
        """Return whether it has a file that contains this text."""
        return name in self.files and text in self.read(name)

    def taken(self, lacks: str) -> PublishingError:
        """Return the error for a repository that is something else."""
        names = sorted(self.files)
        holds = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
        return PublishingError(
            f"publish: the name {self.repository.repo_id} is taken: {self.repository} contains {holds}, but {lacks}; "
            "remove it or choose another namespace. Nothing was uploaded"
        )


_ADVICE = {
    401: "log in again with `hf auth login`, or correct HF_TOKEN",
    402: "the Hub requires a paid plan",
    403: "use a token with write access, or choose another namespace",
    409: "the name is already taken, perhaps by another run just now: run the same command again, or choose another "
    "namespace",
    412: "another user changed it meanwhile: run the same command again",
    429: "the Hub's request limit is reached: run the same command again later",
}


class HubClient:
    """Client of the Hub for one branch, None for the main one."""

    def __init__(self, revision: str | None) -> None:
        check_hub("publish")
        import huggingface_hub

        self._revision = revision
        self._library: Any = huggingface_hub
        self._api: Any = huggingface_hub.HfApi(library_name="fairsum-utils", library_version=__version__)

    def page(self, repository: Repository) -> str:
        """Return the address of a repository's page."""
        return f"{self._api.endpoint}/{repository.path}"

    def address(self, repository: Repository, file: str) -> str:
        """Return the public address of a file."""
        return str(self._library.hf_hub_url(**repository._asdict(), filename=file, revision=self._revision))

    def check_token(self) -> None:
        """Refuse to start without a token that the Hub knows."""
        with self._asking("nothing was uploaded"):
            if self._library.get_token() is None:
                raise PublishingError(
                    "publish: no Hub token found; log in with `hf auth login`, or set HF_TOKEN to a token with write "
                    "access"
                )
            self._api.whoami()

    def look(self, repository: Repository) -> Remote:
        """Return the state of a repository at its branch or main."""
        where, errors = repository._asdict(), self._library.errors
        with self._asking(f"{repository} could not be read"):
            try:
                info, has_branch = self._api.repo_info(**where, revision=self._revision), True
            except errors.RevisionNotFoundError:
                info, has_branch = self._api.repo_info(**where), False
            except errors.RepositoryNotFoundError:
                return Remote(repository)

        def read(path: str) -> bytes:
            with self._asking(f"{path} of {repository} could not be read"):
                return Path(self._api.hf_hub_download(**where, filename=path, revision=info.sha)).read_bytes()

        files = frozenset(sibling.rfilename for sibling in info.siblings or ())
        return Remote(repository, info.sha, has_branch, bool(info.private), files, read)

    def upload(self, remote: Remote, folder: Path, *, private: bool, message: str) -> str | None:
        """Upload a folder, into a new repository or branch if needed.

        Returns:
            The commit; None if nothing has changed.
        """
        repository, where = remote.repository, remote.repository._asdict()
        with self._asking(f"{repository} could not be created"):
            if remote.head is None:
                sdk = {"space_sdk": "gradio"} if repository.repo_type == "space" else {}
                self._api.create_repo(**where, private=private, **sdk)
            if self._revision is not None and not remote.has_branch:
                self._api.create_branch(**where, branch=self._revision, exist_ok=True)
        with self._asking(f"{repository} {'is unchanged' if remote.head else 'was created but is still empty'}"):
            commit = self._api.upload_folder(
                **where,
                folder_path=folder,
                commit_message=message,
                revision=self._revision,
                parent_commit=remote.head,  # refuses to overwrite a change made meanwhile
            )
        return None if commit.oid == remote.head else str(commit.oid)

    @contextmanager
    def _asking(self, outcome: str) -> Iterator[None]:
        """Turn errors of `huggingface_hub` into one line that says what to do."""
        try:
            yield
        except FairSumError:
            raise
        except Exception as error:  # errors of its HTTP library, which changes with major versions
            reason = error.__cause__ if isinstance(error, RuntimeError) and error.__cause__ else error  # one upload
            status = getattr(getattr(reason, "response", None), "status_code", 0)
            advice = _ADVICE.get(status, "check the network, HF_ENDPOINT and HF_HUB_OFFLINE, or try again later")
            line = f"publish: {self._api.endpoint} returned an error: {reason}; {advice}; {outcome}"
            raise PublishingError(" ".join(line.split())) from None  # not chained: it might quote the token
