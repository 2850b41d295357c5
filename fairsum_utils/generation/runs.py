"""A text, or several, for each prompt: in order, resumable, by one process or several."""

from __future__ import annotations

import time
import warnings
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from hashlib import blake2b
from pathlib import Path

from fairsum_utils._util.terminal import bar
from fairsum_utils.errors import InputError, require
from fairsum_utils.generation.generators import Generated, TextGenerator
from fairsum_utils.generation.progress import Progress, partial_files
from fairsum_utils.generation.settings import PROMPT
from fairsum_utils.inference.batching import check_texts
from fairsum_utils.inference.runner import TruncationWarning
from fairsum_utils.validation import check_columns, describe

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
        _write(generator, progress, own, asked, [draws[number] for number in own], is_shown=process == 0)
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


def _write(
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
