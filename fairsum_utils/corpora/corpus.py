"""Description of a data set, and of its rows; builder, card and command line are made from it.

The row that the data sets with source texts share, and what the columns of any row hold.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypedDict, get_args, get_type_hints

from fairsum_utils.errors import DataSourceError, InputError
from fairsum_utils.io.writing import Kind


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
    """Return column -> what it holds, of the rows of a data set, in the order they are written.

    Example:
        >>> column_kinds(Row)["sources"]
        'strings'
    """
    return {name: _kind(hint.__origin__) for name, hint in _hints(row).items()}


def _kind(hint: Any) -> Any:
    kinds = {str: "string", str | None: "string", bool: "bool", list[str]: "strings"}
    if hint in kinds:
        return kinds[hint]
    [entry] = get_args(hint)
    return {name: _kind(field) for name, field in get_type_hints(entry).items()}


def column_meanings(row: type) -> dict[str, str]:
    """Return column -> its meaning, of the rows of a data set.

    Example:
        >>> column_meanings(Row)["values"]
        'attribute value of each source text'
    """
    return {name: hint.__metadata__[0] for name, hint in _hints(row).items()}


def _hints(row: type) -> dict[str, Any]:
    return get_type_hints(row, include_extras=True)


#: Column name -> kind (`column_kinds`) of the rows with source texts, in the order they are written.
COLUMNS: Mapping[str, Kind] = column_kinds(Row)


class Sample(NamedTuple):
    """A sample as a reader gives it; `make_row` makes a row of it."""

    id: str
    pairs: Sequence[tuple[str, str]]
    metadata: Mapping[str, Any]
    references: Sequence[str] = ()


def make_row(sample: Sample, *, config: str, attribute: str, prompt: str) -> Row:
    """Put one row together.

    Example:
        >>> sample = Sample("0", [("good", "male"), ("bad", "female")], {"size": 2})
        >>> row = make_row(sample, config="demo", attribute="gender", prompt="Tweets: good || bad Summary:")
        >>> row["id"], row["sources"], row["values"], row["metadata"]
        ('demo-0', ['good', 'bad'], ['male', 'female'], '{"size": 2}')
    """
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


#: (configuration, name of an option, value given) -> value that is used; raises `InputError`. See `validation`.
Check = Callable[[str, str, Any], Any]


@dataclass(frozen=True)
class Option:
    """An option of a data set; its default is that of a configuration.

    Args:
        help: what it is, in a few words.
        check: its range; None if what reads the input checks it, alone or together with others.
    """

    help: str
    check: Check | None = None


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """A part of a data set that is loaded by a name.

    Args:
        about: what it holds, in a few words.
        attributes: attribute -> its values, None for any; the first one is the paper's.
        raw_attributes: attributes that only the raw input has.
        raw: where the raw input may be below ``data_dir``, in order of preference; see `sources.find_files`.
        read: makes samples or texts of the raw input: (its files, ``attribute`` if there are several, options) ->
            these.
        prompt: template of the prompt; empty if it is chosen otherwise, or the data are prompts themselves.
        published: name of the authors' JSON file, or of the two that belong together, joined by ``+``; empty if there
            is none that can be downloaded.
        options: option -> default, for making rows of the raw input.
        rows: samples in the paper or the published file; None if neither says so.
    """

    about: str
    attributes: Mapping[str, tuple[str, ...] | None]
    raw: tuple[str, ...]
    raw_attributes: tuple[str, ...] = ()
    read: Callable[..., Any] | None = None
    prompt: str = ""
    published: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    rows: int | None = None


@dataclass(frozen=True)
class Source:
    """A configuration with its input found and its options settled; nothing is read before `rows` or `fingerprint`.

    Args:
        origin: "published" or "raw".
        files: the input in the user's folder; empty if it is to be downloaded.
        fingerprint: names everything the rows depend on, contents of the files included.
        rows: starts reading the rows, dicts with the columns of the data set.
    """

    origin: str
    files: tuple[Path, ...]
    fingerprint: Callable[[], dict[str, Any]]
    rows: Callable[[], Iterator[Any]]


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """A data set, described once.

    Args:
        name: by which it is loaded; its builder and its card are in the folder ``datasets/<name>``.
        title: its name in print.
        summary: one sentence.
        homepage: where it comes from.
        licenses: terms of its parts.
        citation: BibTeX.
        configurations: name -> configuration, in the order in which they are listed.
        options: name -> option; those that no configuration has a default of belong to all configurations.
        opener: finds the input: (configuration, its description, folder or None, options that are not the default,
            ``attribute`` among them where it is an option) -> source.
        row: dict type of the rows, with the meaning of each column.
        task: what the Hub calls the task.
        license: the Hub's key of the licence.
        made: how the rows were made, in a sentence.
        withheld: why it is never published on the Hub, and what to do instead; empty if it may be.
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
        """Column -> what it holds (`rows.column_kinds`), in the order they are written."""
        return column_kinds(self.row)

    @property
    def meanings(self) -> dict[str, str]:
        """Column -> its meaning."""
        return column_meanings(self.row)

    @property
    def common(self) -> tuple[str, ...]:
        """Options that every configuration has."""
        special = {name for configuration in self.configurations.values() for name in configuration.options}
        return tuple(name for name in self.options if name not in special)

    def configuration(self, name: str) -> Configuration:
        """Return a configuration."""
        if name not in self.configurations:
            raise InputError(
                f"{self.name} has no configuration {name!r}; choose one of {', '.join(self.configurations)}."
            )
        return self.configurations[name]

    def open(self, config: str, *, data_dir: str | os.PathLike[str] | None = None, **options: Any) -> Source:
        """Find the input of a configuration and settle its options.

        Args:
            config: a key of `configurations`.
            data_dir: folder with the input; None downloads what is published.
            **options: options of the data set or of the configuration (`Configuration.options`); None leaves the
                default. Those of the raw input raise when a published file is used, on which they could have no effect.

        Returns:
            The source.

        Raises:
            InputError: an unknown configuration, option or value.
            DataSourceError: the input is not there; says what was looked for.

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
