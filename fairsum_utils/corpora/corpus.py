"""Descriptions of data sets and rows, shared by builder, card and command line."""

from __future__ import annotations

import json
import os
import re
import string
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypedDict, TypeVar, get_args, get_type_hints

from fairsum_utils.errors import DataSourceError, InputError
from fairsum_utils.io.downloads import digest_files
from fairsum_utils.io.stores import as_path
from fairsum_utils.io.writing import Kind
from fairsum_utils.text.languages import listed_stop_words


@cache
def read_toml(name: str) -> Mapping[str, Any]:
    """Read a shipped description of data sets; callers must not change it."""
    return tomllib.loads(files("fairsum_utils.corpora").joinpath(name).read_text("utf-8"))


class Row(TypedDict):
    """One sample: source texts, the group of each, and metadata."""

    id: Annotated[str, "name of the row"]
    sources: Annotated[list[str], "source texts, in the order a model reads them"]
    values: Annotated[list[str], "group of each source text"]
    attribute: Annotated[str, "attribute of the groups, such as gender"]
    references: Annotated[list[str], "human summaries; an empty list without any"]
    prompt: Annotated[str, "the paper's prompt with the sources filled in"]
    metadata: Annotated[str, "JSON object: origin and other facts about the sample"]


def column_kinds(row: type) -> dict[str, Kind]:
    """Map the columns of a data set to their kinds, in writing order."""
    return {name: _kind(hint.__origin__) for name, hint in get_type_hints(row, include_extras=True).items()}


def _kind(hint: Any) -> Any:
    kinds = {str: "string", str | None: "string", bool: "bool", list[str]: "strings"}
    if hint in kinds:
        return kinds[hint]
    [entry] = get_args(hint)
    return {name: _kind(field) for name, field in get_type_hints(entry).items()}


#: Column -> kind of the rows with source texts.
COLUMNS: Mapping[str, Kind] = column_kinds(Row)


class Sample(NamedTuple):
    """A sample as readers return it, before `make_row`."""

    id: str
    pairs: Sequence[tuple[str, str]]
    metadata: Mapping[str, Any]
    references: Sequence[str] = ()


def make_row(sample: Sample, *, config: str, attribute: str, prompt: str) -> Row:
    """Put one row together."""
    row_id = f"{config}-{sample.id}"
    if not sample.pairs:
        raise DataSourceError(f"{row_id}: the sample has no source text to summarize; remove it or add its sources.")
    return Row(
        id=row_id,
        sources=[text for text, _ in sample.pairs],
        values=[value for _, value in sample.pairs],
        attribute=attribute,
        references=list(sample.references),
        prompt=prompt,
        metadata=json.dumps(sample.metadata, ensure_ascii=False, sort_keys=True),
    )


#: (configuration, name of an option, given value) -> value in use; raises `InputError`. See `validation`.
Check = Callable[[str, str, Any], Any]


class Option(NamedTuple):
    """An option of a data set; without a check, its reader checks it."""

    help: str
    check: Check | None = None


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """A part of a data set that is loaded by a name.

    Args:
        about: content, in a few words.
        attributes: attribute -> its values, None for any; the paper's attribute comes first.
        raw_attributes: attributes that only the raw input has.
        raw: places of the raw input below ``data_dir``, in order of preference; see `sources.find_files`.
        read: reader of the raw input: (its files, ``attribute`` if there are several, options) -> samples or texts.
        prompt: template of the prompt; empty if it is chosen otherwise, or the data are prompts themselves.
        published: name of the published file, or of two that belong together, joined by ``+``; empty for none.
        options: option -> default, for making rows of the raw input.
        rows: samples in the paper or the published file, if known.
    """

    about: str
    attributes: Mapping[str, tuple[str, ...] | None]
    raw: Sequence[str]
    raw_attributes: tuple[str, ...] = ()
    read: Callable[..., Any] | None = None
    prompt: str = ""
    published: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    rows: int | None = None


@dataclass(frozen=True)
class Source:
    """A configuration with resolved input and options, not yet read.

    Args:
        origin: "published" or "raw".
        files: input in the user's folder; empty for a download.
        settings: everything that the rows depend on, except the contents of the files.
        rows: starts reading the rows, dicts with the columns of the data set.
        root: base folder of the file names.
    """

    origin: str
    files: tuple[Path, ...]
    settings: Mapping[str, Any]
    rows: Callable[[], Iterator[Any]]
    root: Path | None = None

    def fingerprint(self) -> dict[str, Any]:
        """Return everything that the rows depend on, including file contents."""
        return {"origin": self.origin, "content": digest_files(self.files, self.root), **self.settings}


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """A data set, described once; texts come from ``descriptions.toml`` (`describe_corpus`).

    Args:
        name: name to load it by; its builder and card are in the folder ``datasets/<name>``.
        title: name in print.
        summary: one sentence.
        homepage: address of the original.
        licenses: licenses of its parts.
        citation: BibTeX.
        configurations: name -> configuration, in the order of listing.
        options: name -> option; those without a default in any configuration belong to all configurations.
        opener: finds the input: (configuration, its description, folder or None, given options, ``attribute`` among
            them where it is an option) -> source.
        row: dict type of the rows, with the meaning of each column.
        task: the Hub's name of the task.
        license: the Hub's key of the licence.
        made: origin of the rows, in a sentence.
        withheld: reason why it is never published on the Hub, and an alternative; empty if it may be.
    """

    name: str
    title: str
    summary: str
    homepage: str
    licenses: str
    citation: str
    configurations: Mapping[str, Configuration]
    options: Mapping[str, Option]
    opener: Callable[..., Source]
    row: type = Row
    task: str = "summarization"
    license: str = "other\nlicense_name: mixed"
    made: str = (
        "Each row's `metadata` (JSON) records its origin: a published sample, or drawn from raw files with which seed."
    )
    withheld: str = ""

    @property
    def columns(self) -> dict[str, Kind]:
        """Columns and their kinds, in writing order."""
        return column_kinds(self.row)

    @property
    def meanings(self) -> dict[str, str]:
        """Columns and their meanings."""
        return {name: hint.__metadata__[0] for name, hint in get_type_hints(self.row, include_extras=True).items()}

    @property
    def common(self) -> tuple[str, ...]:
        """Options of every configuration."""
        special = {name for configuration in self.configurations.values() for name in configuration.options}
        return tuple(name for name in self.options if name not in special)

    def configuration(self, name: str) -> Configuration:
        """Find a configuration by its name."""
        if name not in self.configurations:
            choices = ", ".join(self.configurations)
            raise InputError(f"{self.name} has no configuration {name!r}; choose one of {choices}.")
        return self.configurations[name]

    def open(self, config: str, *, data_dir: str | os.PathLike[str] | None = None, **options: Any) -> Source:
        """Find the input of a configuration and settle its options.

        Example:
            >>> from fairsum_utils.corpora.catalog import corpus
            >>> corpus("perspectivesumm").open("yelp").origin
            'published'
        """
        configuration = self.configuration(config)
        given = {name: value for name, value in options.items() if value is not None}
        if "attribute" in self.common:
            attribute = given.setdefault("attribute", next(iter(configuration.attributes)))
            if attribute not in configuration.attributes:
                choices = ", ".join(configuration.attributes)
                raise InputError(f"{config} has no attribute {attribute!r}; choose one of {choices}.")
        known = (*self.common, *configuration.options)
        if unknown := sorted(set(given) - set(known)):
            raise InputError(f"{config} has no option {', '.join(unknown)}; it has {', '.join(known)}.")
        for name, value in given.items():
            if check := self.options[name].check:
                given[name] = check(config, name, value)
        return self.opener(config, configuration, data_dir, **given)


def describe_corpus(name: str, checks: Mapping[str, Check], **parts: Any) -> Corpus:
    """Make a corpus from its parts, its description and its option checks."""
    texts = dict(read_toml("descriptions.toml")[name])
    texts.pop("configurations", None)
    options = {option: Option(help, checks.get(option)) for option, help in texts.pop("options").items()}
    return Corpus(name=name, options=options, **texts, **parts)


def describe_configuration(corpus: str, name: str, **parts: Any) -> Configuration:
    """Make a configuration of its parts and its description."""
    return Configuration(**read_toml("descriptions.toml")[corpus]["configurations"][name], **parts)


def check_folder(data_dir: str | os.PathLike[str]) -> Path:
    """Check that ``data_dir`` is a folder."""
    folder = as_path(data_dir, "data_dir", expands=True)
    if folder.is_dir():
        return folder
    state = "is a file" if folder.exists() else "does not exist"
    raise InputError(f"data_dir must be a folder, but {str(folder)!r} {state}.")


def find_files(folder: Path, candidates: Iterable[str]) -> tuple[Path, ...]:
    """Find the files of the first existing candidate; an empty tuple if none exists.

    The last part of a candidate may contain ``*``, such as ``a/*.csv``, for all matching files of that folder, sorted
    by name. ``+`` joins files that belong together; only the first must exist. ``|`` joins alternatives; all existing
    ones are used.
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
    """Find the first existing candidate, or list all candidates in the error."""
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
# Only languages likely among English texts; a longer list would drop more English texts.
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
