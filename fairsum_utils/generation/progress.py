"""Finished texts on disk as they come, so that an interrupted run goes on after them.

The first line of a file is what the run depends on, every other one a text. Processes that share a run append to files
of their own and read each other's.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Any

from fairsum_utils.errors import InputError
from fairsum_utils.generation.generators import Generated

__all__ = ["Progress", "partial_files"]


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
        InputError: a file that is there is of another run, or of none.

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
        self._write([number, *text] for number, text in texts.items())

    def read(self) -> None:
        """Take in what all processes have finished."""
        assert self._path is not None
        for path in partial_files(self._path):
            lines = path.read_bytes().split(b"\n")[:-1]  # a line without an end was cut off, or is being written
            if not lines:
                continue
            try:
                found, *texts = map(json.loads, lines)
                done = dict(map(_checked, texts))
            except (ValueError, TypeError, RecursionError):
                raise InputError(
                    f"{self._module}: {path} is there, but is not what an interrupted run leaves; move it away, or "
                    "name another output"
                ) from None
            self._check(path, found)
            self.done |= done

    def _check(self, path: Path, found: Any) -> None:
        known: dict[str, Any] = found if isinstance(found, dict) else {}
        names = [*self._identity, *(name for name in known if name not in self._identity)]
        differ = [
            f"{name} was {known.get(name)!r} and is {self._identity.get(name)!r}"
            for name in names
            if known.get(name) != self._identity.get(name)
        ]
        if isinstance(found, dict) and not differ:
            return
        raise InputError(
            f"{self._module}: {path} is of an interrupted run with other settings ({'; '.join(differ)}); delete it to "
            "start anew, or give the same settings and rows to go on"
        )

    def _write(self, entries: Iterable[object]) -> None:
        if self._file is not None:
            self._file.writelines(json.dumps(entry) + "\n" for entry in entries)
            self._file.flush()


def _checked(entry: Any) -> tuple[int, Generated]:
    """A finished text and its number, as they were written.

    Raises:
        TypeError: it is something else.
        ValueError: the same.
    """
    number, text, finish, n_cut = entry
    if (type(number), type(text), type(finish), type(n_cut)) != (int, str, str, int):
        raise TypeError
    return number, Generated(text, finish, n_cut)


def _drop_torn_line(path: Path) -> None:
    content = path.read_bytes()
    if not content.endswith(b"\n"):
        path.write_bytes(content[: content.rfind(b"\n") + 1])
