"""Raw input in the user's folder: its files, the labels in them, and a guess whether a text is English."""

from __future__ import annotations

import os
import re
import string
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

from fairsum_utils.errors import DataSourceError, InputError
from fairsum_utils.io.stores import as_path
from fairsum_utils.text.stop_words import listed_stop_words


def check_folder(data_dir: str | os.PathLike[str]) -> Path:
    """Check that ``data_dir`` is a folder."""
    folder = as_path(data_dir, "data_dir", expands=True)
    if folder.is_dir():
        return folder
    state = "is a file" if folder.exists() else "does not exist"
    raise InputError(f"data_dir must be a folder, but {str(folder)!r} {state}.")


def find_files(folder: Path, candidates: Iterable[str]) -> tuple[Path, ...]:
    """Find the files of the first candidate that is there; nothing if none is.

    The last part of a candidate may hold a ``*``, such as ``a/*.csv``, for all such files of that folder, sorted by
    name because every file system lists them in another order. Files that belong together are joined by ``+``; only the
    first has to exist. Of files joined by ``|`` all that are there are used.
    """
    for candidate in candidates:
        if "*" in candidate:
            files = tuple(sorted(folder.glob(candidate), key=lambda path: path.name))
        elif "|" in candidate:
            files = tuple(path for name in candidate.split("|") if (path := folder / name).is_file())
        else:
            first, *more = (folder / name for name in candidate.split("+"))
            files = (first, *(path for path in more if path.is_file())) if first.is_file() else ()
        if files:
            return files
    return ()


def find_input(
    data_dir: str | os.PathLike[str], config: str, candidates: Sequence[str], *, published: bool = True
) -> tuple[Path, tuple[Path, ...]]:
    """Find the folder and the files of the first candidate that is there, or list all candidates in the error."""
    folder = check_folder(data_dir)
    if files := find_files(folder, candidates):
        return folder, files
    instead = ", or leave data_dir out to download the published file" if published else ""
    raise DataSourceError(
        f"no input for {config} in {str(folder)!r}. Looked for: {', '.join(candidates)}. "
        f"Put one of these there{instead}."
    )


T = TypeVar("T")


def cut_short(ended: bool) -> str:
    """Explain a malformed last line."""
    return "" if ended else " It is the last line and lacks a line end, so the file is probably cut short."


def labelled(label: str, values: Mapping[str, T], where: object, *, what: str = "the stance", hint: str = "") -> T:
    """Translate a label of a file into its value."""
    if label not in values:
        known = ", ".join(name or "nothing" for name in values)
        raise DataSourceError(f"{where}: {what} is {label!r}, expected one of {known}.{hint}")
    return values[label]


_LETTERS = re.compile(r"[A-Za-z]+|[^\W\d_A-Za-z]+")
# Of the languages listed, the most likely ones among English texts; a longer list takes more English texts away.
_LANGUAGES = ("english", "french", "german", "italian", "portuguese", "spanish")


def looks_english(text: str) -> bool:
    """Guess whether a text is English.

    At least half of its letters must be ASCII, and it must hold at least as many English stop words as stop words
    of French, German, Italian, Portuguese or Spanish, whichever has most. A text with no letter does not. A short text
    with no stop word of any, such as "Excelente", is given the benefit of the doubt.

    Measured on 13,500 Yelp reviews: 55 do not look English, and by reading one of them is.

    Example:
        >>> looks_english("Great sound, no problems."), looks_english("Muy bueno, me encanta."), looks_english("5/5")
        (True, False, False)
    """
    letters = _LETTERS.findall(text)
    if 2 * sum(map(len, filter(str.isascii, letters))) < max(1, sum(map(len, letters))):
        return False
    counts = Counter({"english": 0})
    for word in text.lower().split():
        counts.update(_stop_words().get(word.strip(string.punctuation), ()))
    return counts["english"] == max(counts.values())


@cache
def _stop_words() -> Mapping[str, list[str]]:
    """Map stop words to their languages."""
    languages: dict[str, list[str]] = {}
    for language, word in listed_stop_words():
        if language in _LANGUAGES:
            languages.setdefault(word, []).append(language)
    return languages
