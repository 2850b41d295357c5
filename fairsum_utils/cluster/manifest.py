"""What a run is a run of, and the shards that it is cut into: `manifest.json` of its folder."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, NamedTuple, Self

from fairsum_utils.errors import InputError
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.opening import Part
from fairsum_utils.io.stores import local_path
from fairsum_utils.io.tables import parse_json

__all__ = ["MANIFEST", "Manifest", "Shard", "is_of_run"]

MANIFEST = "manifest.json"

_LAYOUT = 3
"""Layout of the files of a run; those of another one are refused."""


class Shard(NamedTuple):
    """Samples that are scored together, wherever that is.

    Attributes:
        number: of the shard, from 0.
        start: index of the first sample among all.
        n_rows: samples.
        parts: where they stand in the files; empty if they were put into the folder of the run, see `input_name`.
        digest: SHA-256 of what was put there.
    """

    number: int
    start: int
    n_rows: int
    parts: tuple[Part, ...] = ()
    digest: str = ""

    @property
    def input_name(self) -> str:
        """File of its samples, where the file of the user cannot be read from the middle."""
        return f"input/{self._stem}.jsonl.zst"

    @property
    def copy_name(self) -> str:
        """The same of columns that are copied as they are, of which the part says it."""
        return f"input/{self._stem}.parquet"

    @property
    def rows_name(self) -> str:
        """File of its rows, with their ids."""
        return f"rows/{self._stem}.parquet"

    @property
    def state_name(self) -> str:
        """File of its state, which is written last: where it is, the shard is finished."""
        return f"state/{self._stem}.arrow"

    @property
    def failed_name(self) -> str:
        """File that says why it could not be scored."""
        return f"failed/{self._stem}.json"

    @property
    def _stem(self) -> str:
        return f"shard={self.number:05}"


_FOLDERS = ("input", "rows", "state", "failed")
"""Where the files of shards are, see `Shard`."""


def is_of_run(folder: str, name: str) -> bool:
    """Whether a file would take the place of one that a run keeps in its folder.

    Args:
        folder: of the run.
        name: of the file.

    Example:
        >>> is_of_run("run", "run/manifest.json"), is_of_run("run", "run/results.json")
        (True, False)
    """
    path, place = local_path(name), local_path(folder)
    if path is None or place is None:
        inside = name.removeprefix(f"{folder.rstrip('/')}/")
        first = "" if inside == name else inside.partition("/")[0]
    elif place.resolve() in path.resolve().parents:
        first = path.resolve().relative_to(place.resolve()).parts[0]
    else:
        return False
    return first in (MANIFEST, *_FOLDERS) or first.startswith(".")


@dataclass(frozen=True)
class Manifest:
    """What a run is a run of, and its shards.

    Attributes:
        facts: what must be the same for a run to go on: the files, the settings and the version.
        job: what is scored and how, see `fairsum_utils.cluster.describing.job_to_json`; None where no file can say it.
        shards: in the order of the samples.
        has_states: whether results are made of the shards' states; if not, of their rows.
    """

    facts: dict[str, Any]
    job: dict[str, Any] | None
    shards: tuple[Shard, ...]
    has_states: bool

    @property
    def n_rows(self) -> int:
        """Samples of all shards."""
        return sum(shard.n_rows for shard in self.shards)

    @cached_property
    def digest(self) -> str:
        """Names this very manifest; every file of its shards carries it."""
        content = [self.facts, self.job, self.shards, self.has_states]
        return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def write(self, folder: Folder) -> None:
        """Write it into a folder.

        Args:
            folder: of the run.
        """
        document = {
            "layout": _LAYOUT,
            "digest": self.digest,
            "facts": self.facts,
            "job": self.job,
            "shards": self.shards,
            "states": self.has_states,
        }
        folder.write(MANIFEST, json.dumps(document, indent=1).encode())

    @classmethod
    def read(cls, folder: Folder) -> Self:
        """The manifest of a folder.

        Args:
            folder: of a run.

        Raises:
            InputError: there is none, it is damaged, or another version of the package has written the run.
        """
        if not folder.exists(MANIFEST):
            raise InputError(
                f"{folder}: this is no folder of a run; fairsum score FILE --checkpoint {folder} makes it one"
            )
        try:
            document = parse_json(folder.read(MANIFEST).decode())
            shards = (Shard(*each) for each in document["shards"])
            shards = (shard._replace(parts=tuple(Part(*part) for part in shard.parts)) for shard in shards)
            manifest = cls(document["facts"], document["job"], tuple(shards), document["states"])
            whole = manifest.digest == document["digest"]
        except (ValueError, KeyError, TypeError):
            whole = False
        if not whole:
            raise InputError(f"{folder}: {MANIFEST} is damaged; delete the folder, or name another")
        if document.get("layout") != _LAYOUT:
            raise InputError(
                f"{folder}: another version of fairsum-utils has written this run; delete the folder and score again: "
                f"fairsum score FILE --checkpoint {folder}"
            )
        return manifest
