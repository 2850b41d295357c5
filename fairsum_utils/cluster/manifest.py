"""A run in a folder: its manifest, its shards, and the events and errors of scoring them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, NamedTuple, Self, TypeAlias

from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.opening import Part
from fairsum_utils.io.stores import local_path
from fairsum_utils.io.tables import parse_json


class Started(NamedTuple):
    """A worker has begun with a shard."""

    number: int


class Finished(NamedTuple):
    """The rows of a shard are in the folder, whole.

    Attributes:
        number: of the shard.
        n_rows: samples in it.
        seconds: that its worker took.
    """

    number: int
    n_rows: int
    seconds: float


class Failed(NamedTuple):
    """A shard could not be scored; the others are, all the same.

    Attributes:
        number: of the shard.
        errors: one line each: of bad input, one for each sample that is not as described.
        is_input: whether it is the input that has to be mended, rather than the machine.
    """

    number: int
    errors: tuple[str, ...]
    is_input: bool = False


Event = Started | Finished | Failed

Report: TypeAlias = Callable[[Event], None]
"""Takes events, one at a time, in the process that runs the whole."""


class NotWritten(FairSumError):
    """The output of a shard cannot be written, so the run stops."""

    exit_status = 1


class ShardsFailed(FairSumError):
    """Some shards could not be scored; those that could are in the folder of the run.

    Attributes:
        lines: what to tell people, one line each: everything that is wrong with the input, once; then what else went
            wrong, with the number of the shard.
        exit_status: of a command: 2, as of all bad input, if that alone has to be mended; else 1.

    Example:
        >>> ShardsFailed([Failed(0, ("rows.jsonl, line 3: not valid JSON",), is_input=True)], 8).lines
        ['rows.jsonl, line 3: not valid JSON']
        >>> ShardsFailed([Failed(6, ("its worker died",))], 8).lines
        ['shard 7 of 8: its worker died', '1 of 8 shards was not scored; the same command goes on with it']
    """

    def __init__(self, failed: Sequence[Failed], n_shards: int) -> None:
        self.failed = sorted(failed)
        is_input = all(each.is_input for each in failed)
        self.exit_status = 2 if is_input else 1
        of_input = [error for each in self.failed if each.is_input for error in each.errors]
        others = [
            f"shard {each.number + 1} of {n_shards}: {error}"
            for each in self.failed
            if not each.is_input
            for error in each.errors
        ]
        self.lines = [*dict.fromkeys(of_input), *others]
        if not is_input:
            n, those = len(failed), "it" if len(failed) == 1 else "them"
            was = "was" if n == 1 else "were"
            self.lines.append(f"{n} of {n_shards} shards {was} not scored; the same command goes on with {those}")
        super().__init__("\n".join(self.lines))


MANIFEST = "manifest.json"

_LAYOUT = 4
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
    """The facts of a run, its job and its shards.

    Attributes:
        facts: what must be the same for a run to go on: the files, the settings and the version.
        job: what is scored and how, see `fairsum_utils.cluster.job.job_to_json`; None where no file can say it.
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
        """Write it into a folder."""
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
        """The manifest of a folder."""
        if not folder.exists(MANIFEST):
            raise InputError(
                f"{folder}: this is no folder of a run; fairsum score FILE --checkpoint {folder} makes it one"
            )
        layout = manifest = None
        try:
            document = parse_json(folder.read(MANIFEST).decode())
            layout = document["layout"]
            if layout == _LAYOUT:
                shards = (Shard(*each) for each in document["shards"])
                shards = (shard._replace(parts=tuple(Part(*part) for part in shard.parts)) for shard in shards)
                manifest = cls(document["facts"], document["job"], tuple(shards), document["states"])
        except (ValueError, KeyError, TypeError):
            layout = manifest = None
        if layout not in (None, _LAYOUT):
            raise InputError(
                f"{folder}: another version of fairsum-utils has written this run; delete the folder and score again: "
                f"fairsum score FILE --checkpoint {folder}"
            )
        if manifest is None or manifest.digest != document.get("digest"):
            raise InputError(f"{folder}: {MANIFEST} is damaged; delete the folder, or name another")
        return manifest
