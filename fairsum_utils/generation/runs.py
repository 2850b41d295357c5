"""Texts for prompts in order: resumable, by one process or several.

Finished texts stand in a file of JSON Lines: the settings of the run, then one text a line. Processes that share a run
append to files of their own and read each other's.
"""

from __future__ import annotations

import json
import time
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any

from fairsum_utils._util.terminal import bar
from fairsum_utils.errors import InputError, require
from fairsum_utils.generation.generators import Generated, TextGenerator
from fairsum_utils.generation.settings import PROMPT, GenerationSettings
from fairsum_utils.inference.batching import check_texts
from fairsum_utils.inference.runner import TruncationWarning
from fairsum_utils.validation import check_columns, check_text

_PAUSE = 0.5  # seconds between two looks at the files of the other processes


def partial_files(path: Path) -> list[Path]:
    """List the files of all processes; `path` itself is the first one's."""
    others = (other for other in path.parent.iterdir() if other.name.startswith(f"{path.name}."))
    return [*([path] if path.exists() else []), *sorted(other for other in others if other.suffix[1:].isdigit())]


class Progress:
    """Finished texts of a run by number, optionally stored in a file."""

    def __init__(
        self, path: Path | None, identity: Mapping[str, object], *, process: int = 0, module: str = "generate"
    ) -> None:
        self.done: dict[int, Generated] = {}
        self._path, self._module = path, module
        self._identity = json.loads(json.dumps(dict(identity)))
        self._file: IO[bytes] | None = None
        if path is None:
            return
        self.read()
        own = path if process == 0 else path.with_name(f"{path.name}.{process}")
        self._file = own.open("a+b")
        self._file.seek(0)
        n_kept = self._file.read().rfind(b"\n") + 1
        self._file.truncate(n_kept)  # a last line that was cut off
        if not n_kept:
            self._write(self._identity)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, number: int, text: Generated) -> None:
        """Keep a text; on return it outlives the process."""
        self.done[number] = text
        self._write([number, *text])

    def read(self) -> None:
        """Take in the finished texts of all processes."""
        assert self._path is not None
        for path in partial_files(self._path):
            try:
                lines = path.read_bytes().split(b"\n")[:-1]  # a line without an end was cut off, or is being written
            except OSError as error:
                raise InputError(f"{self._module}: {path} cannot be read ({error.strerror}); move it away") from None
            if lines:
                self._check(path, _parsed(lines[0]))
            for number, line in enumerate(lines[1:], start=2):
                match _parsed(line):
                    case [int() as place, str() as text, str() as finish, int() as n_cut]:
                        self.done[place] = Generated(text, finish, n_cut)
                    case _:
                        raise InputError(
                            f"{self._module}: {path}, line {number} is damaged; delete this line to generate its text "
                            "again, or the file to start over"
                        )

    def _check(self, path: Path, found: Any) -> None:
        """Check that a file is from a run with the same settings."""
        if not isinstance(found, dict):
            raise InputError(
                f"{self._module}: {path} exists, but is not from an interrupted run; move it or name another output"
            )
        differ = [
            f"{name} was {found.get(name)!r} and is {self._identity.get(name)!r}"
            for name in dict.fromkeys([*self._identity, *found])
            if found.get(name) != self._identity.get(name)
        ]
        if differ:
            raise InputError(
                f"{self._module}: {path} is from an interrupted run with other settings ({'; '.join(differ)}); delete "
                "it to start over, or use the same settings and rows to continue"
            )

    def _write(self, entry: object) -> None:
        if self._file is not None:
            self._file.write(json.dumps(entry).encode() + b"\n")
            self._file.flush()


def _parsed(line: bytes) -> Any:
    """Parse a line; None if it is no JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


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
        raise InputError(f"{settings.module}: processes that share the work need a partial file and a seed; set both")
    check_columns(settings.module, prompts=prompts)
    for index, prompt in enumerate(prompts):
        check_text(settings.module, index, "prompt", prompt)
    check_texts(settings.module, ((prompt,) for prompt in prompts))
    identity = {**generator.identity(), "n": settings.n, "prompts": _digest(prompts)}
    draws = _draws(prompts, settings.n)
    wanted = [number for number in range(len(draws)) if prompts[number // settings.n].strip()]
    with Progress(partial, identity, process=process, module=settings.module) as progress:
        if n_processes > 1:  # all read the files before any process adds to them
            require("accelerate", extra="neural", purpose="share work").PartialState().wait_for_everyone()
        own = [number for number in wanted if number % n_processes == process and number not in progress.done]
        asked = [prompts[number // settings.n] for number in own]
        if own:
            with (
                closing(generator.write(asked, [draws[number] for number in own])) as written,
                bar(total=len(own), unit="texts", hidden=process > 0) as shown,
            ):
                for place, text in written:
                    progress.add(own[place], text)
                    shown.update()
        if process:
            return []
        while any(number not in progress.done for number in wanted):  # of the others
            time.sleep(_PAUSE)
            progress.read()
        done = progress.done
    texts = [done.get(number, Generated("", "empty_prompt")) for number in range(len(draws))]
    _warn_of_cuts(settings, [text.n_cut for text in texts[:: settings.n]])
    return [texts[start : start + settings.n] for start in range(0, len(texts), settings.n)]


def _warn_of_cuts(settings: GenerationSettings, cuts: Sequence[int]) -> None:
    if any(cuts):
        what = "prompts" if settings.input == PROMPT else f"texts of the column {settings.input!r}"
        warnings.warn(
            f"{settings.module}: {sum(cut > 0 for cut in cuts)} of {len(cuts)} {what} were too long for the model and "
            f"were cut, the longest by {max(cuts)} tokens",
            TruncationWarning,
            stacklevel=3,
        )


def discard(partial: Path) -> None:
    """Delete what runs have kept in a file, of all their processes."""
    for path in partial_files(partial):
        path.unlink()


def _draws(prompts: Sequence[str], n: int) -> list[int]:
    """Return each text's count of equal earlier prompts."""
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
