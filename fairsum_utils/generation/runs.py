"""Texts for prompts in order, and their file, which a second run completes."""

from __future__ import annotations

import json
import warnings
from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fairsum_utils._util.terminal import bar
from fairsum_utils.errors import InputError
from fairsum_utils.generation.generators import Generated, TextGenerator
from fairsum_utils.generation.settings import PROMPT, GenerationSettings
from fairsum_utils.inference.batching import check_texts
from fairsum_utils.inference.runner import TruncationWarning
from fairsum_utils.io.writing import appending, replacing
from fairsum_utils.signature import render_signature
from fairsum_utils.validation import check_columns, check_text

ADDED = ("finish", "prompt_tokens_cut", "generation")
"""Columns beside the text, see `write_file`."""


def generate(prompts: Sequence[str], generator: TextGenerator) -> list[list[Generated]]:
    """Generate texts for prompts.

    An empty prompt gets an empty text: models have no common way to begin from nothing.

    Args:
        prompts: strings.
        generator: the model with its settings.

    Returns:
        `n` texts a prompt, in order.

    Raises:
        InputError: a prompt is not a string, or what the generator raises.

    Warns:
        TruncationWarning: prompts were cut.
    """
    settings = generator.settings
    check_columns(settings.module, prompts=prompts)
    texts = dict(_texts(prompts, generator))
    found = [[texts[place * settings.n + draw] for draw in range(settings.n)] for place in range(len(prompts))]
    _warn_of_cuts(settings, [first.n_cut for first, *_ in found])
    return found


def write_file(
    path: Path,
    rows: Sequence[Mapping[str, Any]],
    prompts: Sequence[str],
    generator: TextGenerator,
    *,
    column: str = "prediction",
) -> list[dict[str, Any]]:
    """Write rows with texts to a JSON Lines file, one by one.

    Rows that the file has already are not made again, and a last line that was cut off is dropped. A finished file has
    the order of `rows`. Each row gets the column of the text, ``finish``, ``prompt_tokens_cut`` and ``generation`` (the
    signature of model and settings); with several texts a prompt also ``replicate``, which an id ends in, too.

    Args:
        path: the file.
        rows: rows to complete.
        prompts: the model's input of each row.
        generator: the model with its settings.
        column: column of the text.

    Returns:
        Rows of the file, `n` for each of `rows`, in order.

    Raises:
        InputError: the file holds other rows or texts of other settings, a row cannot be written as JSON, or what
            `generate` raises.

    Warns:
        TruncationWarning: prompts were cut.
    """
    settings = generator.settings
    signature = render_signature(generator.identity())
    planned = _planned(rows, settings)
    done = _finished(path, planned, column, signature, settings.module)
    n_found = len(done)
    with appending(path) as file:
        for number, text in _texts(prompts, generator, done):
            prompt = prompts[number // settings.n]
            done[number] = {
                **planned[number],
                column: "" if text.finish == "empty_prompt" else settings.scored_text(prompt, text.text),
                **dict(zip(ADDED, (text.finish, text.n_cut, signature), strict=True)),
            }
            file.write(_line(done[number]))
            file.flush()
    ordered = [done[number] for number in range(len(planned))]
    if list(done) != sorted(done):
        with replacing(path) as temporary:
            temporary.write_bytes(b"".join(map(_line, ordered)))
    if n_found < len(done):
        _warn_of_cuts(settings, [row["prompt_tokens_cut"] for row in ordered[:: settings.n]])
    return ordered


def _planned(rows: Sequence[Mapping[str, Any]], settings: GenerationSettings) -> list[dict[str, Any]]:
    """Return the rows of the file, without the texts."""
    names = dict.fromkeys(name for row in rows for name in row)
    planned = []
    for row in rows:
        for draw in range(settings.n):
            whole = {name: row.get(name) for name in names}
            if settings.n > 1:
                whole |= {"id": f"{row['id']}-{draw}"} if "id" in row else {}
                whole["replicate"] = str(draw)
            planned.append(whole)
    return planned


def _line(row: Mapping[str, Any]) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


def _finished(
    path: Path, planned: Sequence[dict[str, Any]], column: str, signature: str, module: str
) -> dict[int, dict[str, Any]]:
    """Return a file's rows by number; drop a line without an end."""
    try:
        places: dict[bytes, list[int]] = {}
        for number, row in enumerate(planned):
            places.setdefault(_line(row), []).append(number)
    except (TypeError, ValueError) as error:
        raise InputError(f"{module}: a row cannot be written as JSON ({error}); change or drop its column") from None
    content = path.read_bytes() if path.exists() else b""
    *lines, last = content.split(b"\n")
    done: dict[int, dict[str, Any]] = {}
    remedy = "name another output, or delete the file to start over"
    for number, line in enumerate(lines, start=1):
        given = _parsed(line)
        found = given.get("generation")
        if found is None or not {column, *ADDED} <= given.keys():
            raise InputError(f"{module}: {path}, line {number} is not a row that fairsum generate wrote; {remedy}")
        if found != signature:
            raise InputError(
                f"{module}: {path}, line {number} has a text of other settings: {found} instead of {signature}; "
                f"{remedy}"
            )
        key = _line({name: cell for name, cell in given.items() if name not in (column, *ADDED)})
        if not places.get(key):
            raise InputError(f"{module}: {path}, line {number} is a row that the input does not have; {remedy}")
        done[places[key].pop(0)] = given
    if last:
        if not lines and not any(_line(row)[:-2].startswith(last[: len(_line(row)) - 2]) for row in planned):
            raise InputError(f"{module}: {path} is not a file that fairsum generate wrote; {remedy}")
        with path.open("r+b") as file:
            file.truncate(len(content) - len(last))
    return done


def _parsed(line: bytes) -> dict[str, Any]:
    """Parse a line; empty if it is no JSON object."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return row if isinstance(row, dict) else {}


def _texts(
    prompts: Sequence[str], generator: TextGenerator, done: Container[int] = ()
) -> Iterator[tuple[int, Generated]]:
    """Yield the missing texts, with their numbers over all prompts."""
    settings = generator.settings
    for index, prompt in enumerate(prompts):
        check_text(settings.module, index, "prompt", prompt)
    check_texts(settings.module, ((prompt,) for prompt in prompts))
    numbers = range(len(prompts) * settings.n)
    is_empty = [not prompt.strip() for prompt in prompts]
    for number in numbers:
        if is_empty[number // settings.n] and number not in done:
            yield number, Generated("", "empty_prompt")
    wanted = [number for number in numbers if not is_empty[number // settings.n]]
    asked = [prompts[number // settings.n] for number in wanted]
    found = {place for place, number in enumerate(wanted) if number in done}
    with bar(total=len(wanted), unit="texts") as shown:
        shown.update(len(found))
        for place, text in generator.write(asked, found):
            yield wanted[place], text
            shown.update()


def _warn_of_cuts(settings: GenerationSettings, cuts: Sequence[int]) -> None:
    if any(cuts):
        what = "prompts" if settings.input == PROMPT else f"texts of the column {settings.input!r}"
        warnings.warn(
            f"{settings.module}: {sum(cut > 0 for cut in cuts)} of {len(cuts)} {what} were too long for the model and "
            f"were cut, the longest by {max(cuts)} tokens",
            TruncationWarning,
            stacklevel=3,
        )
