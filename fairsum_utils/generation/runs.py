"""A text, or several, for each prompt: in order, resumable, by one process or several.

Finished texts on disk as they come, so that an interrupted run goes on after them.

The first line of a file is what the run depends on, every other one a text, with a checksum over both: what was changed
or damaged since is found. Processes that share a run append to files of their own and read each other's.
"""

from __future__ import annotations

import json
import time
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any, get_args

from fairsum_utils._util.terminal import bar
from fairsum_utils.errors import InputError, require
from fairsum_utils.generation.generators import Finish, Generated, TextGenerator
from fairsum_utils.generation.settings import PROMPT
from fairsum_utils.inference.batching import check_texts
from fairsum_utils.inference.runner import TruncationWarning
from fairsum_utils.validation import check_columns, describe


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
    """Parse a line; None if it is no JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _drop_torn_line(path: Path) -> None:
    with path.open("r+b") as file:
        content = file.read()
        file.truncate(content.rfind(b"\n") + 1)


_PAUSE = 0.5
"""Seconds between two looks at what the other processes have finished."""


def generate(
    prompts: Sequence[str],
    generator: TextGenerator,
    *,
    partial: Path | None = None,
    process: int = 0,
    n_processes: int = 1,
) -> list[list[Generated]]:
    """Generate texts for prompts.

    A text depends on model, settings, seed, its prompt and, of equal prompts, on which of them it is; not on order
    otherwise, nor on batches, interruptions or the number of processes, beyond floating point. An empty prompt gets an
    empty text: models have no common way to begin from nothing.

    Args:
        prompts: strings.
        generator: the model with its settings.
        partial: file that keeps finished texts; a run that finds it goes on after them. `discard` deletes it.
        process: number of this process.
        n_processes: processes that share the work, all with the same arguments; they need a file.

    Returns:
        `n` texts a prompt, in order; nothing in processes other than 0.

    Raises:
        InputError: a prompt is not a string, the file is of another run, or what the generator raises.

    Warns:
        TruncationWarning: prompts were cut.
    """
    settings = generator.settings
    if n_processes > 1 and (partial is None or settings.seed is None):
        raise InputError(f"{settings.module}: processes that share the work need a file, partial, and a seed")
    check_columns(settings.module, prompts=prompts)
    for index, prompt in enumerate(prompts):
        if not isinstance(prompt, str):
            raise InputError(
                f"{settings.module}: sample {index}: prompt must be a string, found {describe(prompt)}; fill it in or "
                "drop the sample"
            )
    check_texts(settings.module, ((prompt,) for prompt in prompts))
    identity = {**generator.identity(), "n": settings.n, "prompts": _digest(prompts)}
    draws = _draws(prompts, settings.n)
    wanted = [number for number in range(len(draws)) if prompts[number // settings.n].strip()]
    with Progress(partial, identity, process=process, module=settings.module) as progress:
        if n_processes > 1:  # nobody adds to the files before all have read them
            require("accelerate", extra="neural", purpose="share work").PartialState().wait_for_everyone()
        own = [number for number in wanted if number % n_processes == process and number not in progress.done]
        asked = [prompts[number // settings.n] for number in own]
        _write_missing(generator, progress, own, asked, [draws[number] for number in own], is_shown=process == 0)
        if process:
            return []
        while any(number not in progress.done for number in wanted):  # of the others
            time.sleep(_PAUSE)
            progress.read()
        done = progress.done
    texts = [done.get(number, Generated("", "empty_prompt")) for number in range(len(draws))]
    cuts = [text.n_cut for text in texts[:: settings.n]]
    if any(cuts):
        what = "prompts" if settings.input == PROMPT else f"texts of the column {settings.input!r}"
        warnings.warn(
            f"{settings.module}: {sum(cut > 0 for cut in cuts)} of {len(cuts)} {what} were too long for the model and "
            f"were cut, the longest by {max(cuts)} tokens",
            TruncationWarning,
            stacklevel=2,
        )
    return [texts[start : start + settings.n] for start in range(0, len(texts), settings.n)]


def discard(partial: Path) -> None:
    """Delete what runs have kept in a file, of all their processes."""
    for path in partial_files(partial):
        path.unlink()


def _write_missing(
    generator: TextGenerator,
    progress: Progress,
    numbers: list[int],
    prompts: list[str],
    draws: list[int],
    *,
    is_shown: bool,
) -> None:
    if not numbers:
        return
    with (
        closing(generator.write(prompts, draws)) as texts,
        bar(total=len(numbers), unit="texts", hidden=not is_shown) as shown,
    ):
        for place, text in texts:
            progress.add({numbers[place]: text})
            shown.update()


def _draws(prompts: Sequence[str], n: int) -> list[int]:
    """For each text, how many texts of an equal prompt come before it."""
    seen: Counter[str] = Counter()
    draws: list[int] = []
    for prompt in prompts:
        draws += range(seen[prompt], seen[prompt] + n)
        seen[prompt] += n
    return draws


def _digest(prompts: Sequence[str]) -> str:
    digest = blake2b(digest_size=8)
    for prompt in prompts:
        encoded = prompt.encode()
        digest.update(b"%d:%b" % (len(encoded), encoded))
    return digest.hexdigest()
