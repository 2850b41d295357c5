"""Finished texts on disk as they come, so that an interrupted run goes on after them.

The first line of a file is what the run depends on, every other one a text, with a checksum over both: what was changed
or damaged since is found. Processes that share a run append to files of their own and read each other's.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any, get_args

from fairsum_utils.errors import InputError
from fairsum_utils.generation.generators import Finish, Generated


def partial_files(path: Path) -> list[Path]:
    """The files of all processes that are there; that of the first one is `path` itself."""
    others = (other for other in path.parent.iterdir() if other.name.startswith(f"{path.name}."))
    return [*([path] if path.exists() else []), *sorted(other for other in others if other.suffix[1:].isdigit())]


class Progress:
    """The finished texts of a run.

    Args:
        path: file to keep them in; None for memory only.
        identity: what the texts depend on, as JSON holds it.
        process: number of this process, from 0.
        module: name used in messages.

    Raises:
        InputError: a file that is there is of another run, or of none, or was changed; or it cannot be read.

    Attributes:
        done: number of a text -> the text.
    """

    def __init__(
        self, path: Path | None, identity: Mapping[str, object], *, process: int = 0, module: str = "generate"
    ) -> None:
        self.done: dict[int, Generated] = {}
        self._path = path
        self._module = module
        self._identity = json.loads(json.dumps(dict(identity)))
        self._file: IO[str] | None = None
        if path is None:
            return
        self.read()
        own = path if process == 0 else path.with_name(f"{path.name}.{process}")
        is_new = not own.exists()
        if not is_new:
            _drop_torn_line(own)
        self._file = own.open("a", encoding="utf-8")
        if is_new or own.stat().st_size == 0:
            self._write([self._identity])

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, texts: Mapping[int, Generated]) -> None:
        """Keep texts; on return they outlive the process."""
        self.done.update(texts)
        self._write([number, *text, self._checksum(number, *text)] for number, text in texts.items())

    def read(self) -> None:
        """Take in what all processes have finished."""
        assert self._path is not None
        for path in partial_files(self._path):
            try:
                lines = path.read_bytes().split(b"\n")[:-1]  # a line without an end was cut off, or is being written
            except OSError as error:
                raise InputError(f"{self._module}: {path} cannot be read ({error.strerror}); move it away") from None
            if not lines:
                continue
            self._check(path, _parsed(lines[0]))
            self.done |= (self._text(f"{path}, line {number}", line) for number, line in enumerate(lines[1:], start=2))

    def _text(self, where: str, line: bytes) -> tuple[int, Generated]:
        """A text with its number, just as it was written."""
        match _parsed(line):
            case [int() as number, str() as text, str() as finish, int() as n_cut, str() as checksum] if (
                finish in get_args(Finish) and checksum == self._checksum(number, text, finish, n_cut)
            ):
                return number, Generated(text, finish, n_cut)
        raise InputError(
            f"{self._module}: {where} was changed or damaged after it was written, or written by another version; "
            "delete this line to have its text generated again, or the file to start anew"
        )

    def _checksum(self, *entries: object) -> str:
        """Tells whether a line is what was written, for this run."""
        run = {name: value for name, value in self._identity.items() if value is not None}
        return blake2b(json.dumps([run, *entries], sort_keys=True).encode(), digest_size=8).hexdigest()

    def _check(self, path: Path, found: Any) -> None:
        if not isinstance(found, dict):
            raise InputError(
                f"{self._module}: {path} is there, but is not what an interrupted run leaves; move it away, or name "
                "another output"
            )
        known: dict[str, Any] = found
        names = [*self._identity, *(name for name in known if name not in self._identity)]
        differ = [
            f"{name} was {known.get(name)!r} and is {self._identity.get(name)!r}"
            for name in names
            if known.get(name) != self._identity.get(name)
        ]
        if not differ:
            return
        raise InputError(
            f"{self._module}: {path} is of an interrupted run with other settings ({'; '.join(differ)}); delete it to "
            "start anew, or give the same settings and rows to go on"
        )

    def _write(self, entries: Iterable[object]) -> None:
        if self._file is not None:
            self._file.writelines(json.dumps(entry) + "\n" for entry in entries)
            self._file.flush()


def _parsed(line: bytes) -> Any:
    """What a line holds; None if it is no JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _drop_torn_line(path: Path) -> None:
    with path.open("r+b") as file:
        content = file.read()
        file.truncate(content.rfind(b"\n") + 1)
