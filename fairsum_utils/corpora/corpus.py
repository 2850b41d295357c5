"""Description of a data set and of its rows, from which builder, card and command line are made."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypedDict, get_args, get_type_hints

from fairsum_utils.errors import DataSourceError, InputError
from fairsum_utils.io.downloads import digest_files
from fairsum_utils.io.writing import Kind


@cache
def read_toml(name: str) -> Mapping[str, Any]:
    """Read a shipped description of data sets; not to be changed by callers."""
    return tomllib.loads(files("fairsum_utils.corpora").joinpath(name).read_text("utf-8"))


class Row(TypedDict):
    """One sample: source texts, the social attribute value of each, and what is known about them."""

    id: Annotated[str, "name of the row"]
    sources: Annotated[list[str], "source texts, in the order a model reads them"]
    values: Annotated[list[str], "attribute value of each source text"]
    attribute: Annotated[str, "what the values are values of"]
    references: Annotated[list[str], "human summaries; empty where there are none"]
    prompt: Annotated[str, "the paper's prompt with the sources filled in"]
    metadata: Annotated[str, "JSON object: origin, and what is known of the sample"]


def column_kinds(row: type) -> dict[str, Kind]:
    """Map the columns of a data set to their kinds, in the order of writing."""
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
    """A sample as a reader gives it; `make_row` makes a row of it."""

    id: str
    pairs: Sequence[tuple[str, str]]
    metadata: Mapping[str, Any]
    references: Sequence[str] = ()


def make_row(sample: Sample, *, config: str, attribute: str, prompt: str) -> Row:
    """Put one row together."""
    row_id = f"{config}-{sample.id}"
    if not sample.pairs:
        raise DataSourceError(f"{row_id}: the sample holds no source text, so there is nothing to summarize.")
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
    """An option of a data set; without a check, the reader of the input checks it."""

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
    """A configuration with its input found and its options settled; nothing is read yet.

    Args:
        origin: "published" or "raw".
        files: input in the user's folder; empty for a download.
        settings: everything besides the contents of the files that the rows depend on.
        rows: starts reading the rows, dicts with the columns of the data set.
        root: folder that the names of the files are relative to.
    """

    origin: str
    files: tuple[Path, ...]
    settings: Mapping[str, Any]
    rows: Callable[[], Iterator[Any]]
    root: Path | None = None

    def fingerprint(self) -> dict[str, Any]:
        """Name everything that the rows depend on, including the contents of the files."""
        return {"origin": self.origin, "content": digest_files(self.files, self.root), **self.settings}


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """A data set, described once; texts come from ``descriptions.toml`` (`describe_corpus`).

    Args:
        name: by which it is loaded; its builder and its card are in the folder ``datasets/<name>``.
        title: name in print.
        summary: one sentence.
        homepage: address of its origin.
        licenses: terms of its parts.
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
        "How each row was made stands in its `metadata` (JSON): whether it is a published sample or was drawn anew "
        "from raw files, and with which seed."
    )
    withheld: str = ""

    @property
    def columns(self) -> dict[str, Kind]:
        """Columns and their kinds, in the order of writing."""
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

        Args:
            config: a key of `configurations`.
            data_dir: folder with the input; None downloads the published file.
            **options: options of the data set or of the configuration (`Configuration.options`); None leaves the
                default. Those of the raw input raise with a published file, on which they could have no effect.

        Returns:
            The source.

        Raises:
            InputError: an unknown configuration, option or value.
            DataSourceError: the input is missing; the message lists the places.

        Example:
            >>> from fairsum_utils.corpora.loading import corpus
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
    """Make a corpus of its parts, its description and the checks of its options."""
    texts = dict(read_toml("descriptions.toml")[name])
    texts.pop("configurations", None)
    options = {option: Option(help, checks.get(option)) for option, help in texts.pop("options").items()}
    return Corpus(name=name, options=options, **texts, **parts)


def describe_configuration(corpus: str, name: str, **parts: Any) -> Configuration:
    """Make a configuration of its parts and its description."""
    return Configuration(**read_toml("descriptions.toml")[corpus]["configurations"][name], **parts)
