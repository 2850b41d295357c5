"""Input fields of a Space, from a measure's columns and settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import UnionType
from typing import Any, NamedTuple, get_args, get_type_hints

from fairsum_utils.errors import InputError
from fairsum_utils.families import Column
from fairsum_utils.families.columns import ARTICLE_IDS, GROUPS, PAIR_IDS, SOURCES, VALUES
from fairsum_utils.settings import Setting

# Characters that a column of a table is made for at least and at most.
_NARROW, _WIDE = 15, 36

# Choices that are all seen at once; more are in a list to unfold.
_FEW = 6


class Field(NamedTuple):
    """An input field.

    Attributes:
        show: (the module gradio) -> its component, filled in for a start.
        read: function from field contents to columns or settings by name.
    """

    show: Callable[[Any], Any]
    read: Callable[[Any], dict[str, Any]]


def sample_fields(columns: Sequence[Column], example: Mapping[str, Sequence[Any]]) -> list[Field]:
    """Return the fields of one sample, or of several if compared.

    Texts with groups, and those of an example of several samples, are the rows of one table. Otherwise there is one
    sample, and each column has a field: a text, a list of names with commas between, a table with the keys of a
    dictionary; sources and their values share a table. Originals are not asked for: whatever is typed in has one.

    Example:
        >>> from fairsum_utils.families import family_of
        >>> [predictions, sources] = sample_fields(family_of("word_list_inclusion").columns[:2], {})
        >>> predictions.read("She won.") | sources.read("She ran.")
        {'predictions': ['She won.'], 'sources': ['She ran.']}
    """
    asked = {column.name: column for column in columns if column.name not in (ARTICLE_IDS.name, PAIR_IDS.name)}
    entries = {name: example.get(name, ()) for name in asked}
    if GROUPS.name in asked or any(len(of_column) > 1 for of_column in entries.values()):
        return [_texts_table([*asked.values()], zip(*entries.values(), strict=True), one_sample=False)]
    first = {name: next(iter(of_column), ()) for name, of_column in entries.items()}
    fields = []
    for name, column in asked.items():
        if name == SOURCES.name and VALUES.name in asked:
            pairs = zip(first[name], first[VALUES.name], strict=True)
            fields.append(_texts_table([column, asked[VALUES.name]], pairs, one_sample=True))
        elif name == SOURCES.name and column.kind == list[str]:  # texts may contain commas
            fields.append(_texts_table([column], ([text] for text in first[name]), one_sample=True))
        elif name != VALUES.name:  # values are in the table of sources
            make = _box if _is_text(column) or column.kind == list[str] else _records_table
            fields.append(make(column, first[name]))
    return fields


def setting_field(info: Setting, first: Any) -> Field:
    """Return the input field that suits a setting.

    An empty field, and a zero if the default is None, gives no setting. A list of names without a tick is a setting,
    which its check refuses.

    Example:
        >>> from fairsum_utils.measures import get_measure
        >>> k = setting_field(get_measure("bur").infos()["k"], 1)
        >>> k.read(2.0)
        {'k': 2}
    """
    assert info.space is not None
    label, space = info.name.replace("_", " "), info.space

    def show(gr: Any) -> Any:
        named = {"label": label, "info": info.help}
        if isinstance(info.default, bool):
            return gr.Checkbox(first, **named)
        if not space:
            return gr.File(label=f"{label}: {info.help}", type="filepath")
        if isinstance(info.default, Sequence) and not isinstance(info.default, str):
            return gr.CheckboxGroup(list(space), value=list(first), **named)
        if isinstance(space[0], str):
            if len(space) > _FEW:
                return gr.Dropdown(list(space), value=first, **named)
            return gr.Radio(list(space), value=first, **named)
        return gr.Slider(*space, value=first, step=1 if isinstance(space[0], int) else 0.05, **named)

    def read(value: Any) -> dict[str, Any]:
        if value in (None, "") or (info.default is None and not value):
            return {}
        return {info.name: int(value) if space and isinstance(space[0], int) else value}

    return Field(show, read)


def _is_text(column: Column) -> bool:
    return column.kind is str or isinstance(column.kind, UnionType)


def _label(column: Column) -> str:
    return column.label or column.entry.replace("_", " ")


def _names(text: str | None) -> list[str]:
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def _box(column: Column, first: Any) -> Field:
    """Return a field for a text, or for names separated by commas."""
    is_list = column.kind == list[str]
    label = f"{_label(column).capitalize()}{', separated by commas' if is_list else ''}"
    text = ", ".join(first) if is_list else first or ""
    return Field(
        lambda gr: gr.Textbox(text, label=label, lines=1 if is_list else 3),
        lambda typed: {column.name: [_names(typed) if is_list else typed or ""]},
    )


def _texts_table(columns: Sequence[Column], first: Iterable[Sequence[Any]], *, one_sample: bool) -> Field:
    """Return a table of texts, with their values, groups or names."""
    rows = [[", ".join(entry) if isinstance(entry, list) else entry or "" for entry in row] for row in first]

    def read(cells: list[list[str]]) -> dict[str, Any]:
        entries = {
            column.name: list(map(_names if column.kind == list[str] and not one_sample else str, of_column))
            for column, of_column in zip(columns, zip(*cells, strict=True), strict=True)
        }
        return {name: [texts] for name, texts in entries.items()} if one_sample else entries

    needed = {_label(column): one_sample or (_is_text(column) and not column.sparse) for column in columns}
    return _table(needed, rows, read)


def _records_table(column: Column, first: Sequence[Mapping[str, str | None]]) -> Field:
    """Return a table of dictionaries, with their text keys as columns."""
    keys = [key for key, kind in get_type_hints(get_args(column.kind)[0]).items() if str in (kind, *get_args(kind))]

    def read(cells: list[list[str]]) -> dict[str, Any]:
        return {column.name: [[{key: cell or None for key, cell in zip(keys, row, strict=True)} for row in cells]]}

    headers = dict.fromkeys([key.replace("_", " ") for key in keys], False)
    return _table(headers, [[record.get(key) or "" for key in keys] for record in first], read, _label(column))


def _table(
    headers: Mapping[str, bool],
    first: Sequence[Sequence[str]],
    read: Callable[[list[list[str]]], dict[str, Any]],
    what: str = "",
) -> Field:
    """Return an editable table of strings, with an empty last row."""
    what = what or next(iter(headers))
    # Without widths, a long text pushes the other columns out of sight.
    longest = [max(map(len, column)) for column in zip(headers, *first, strict=True)]
    widths = [min(max(_NARROW, length), _WIDE) for length in longest]

    def show(gr: Any) -> Any:
        return gr.Dataframe(
            value=[*map(list, first), [""] * len(headers)],
            headers=list(headers),
            label=f"One row per {what}",
            datatype=["str"] * len(headers),
            column_widths=[f"{100 * width / sum(widths):.1f}%" for width in widths],
            type="array",
            wrap=True,
            interactive=True,
        )

    def read_filled(table: Sequence[Sequence[str | None]]) -> dict[str, Any]:
        rows = [[(cell or "").strip() for cell in row] for row in table]
        for number, row in enumerate(rows, start=1):
            lacking = [header for header, cell in zip(headers, row, strict=True) if headers[header] and not cell]
            if lacking and any(row):
                raise InputError(f"Row {number} has no {lacking[0]}; fill it in.")
        if not any(map(any, rows)):
            raise InputError(f"There is no {what}; fill in at least one row.")
        return read([row for row in rows if any(row)])

    return Field(show, read_filled)
