"""Rows of JSON Lines and JSON files."""

from __future__ import annotations

import json
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from fairsum_utils.errors import FileError
from fairsum_utils.io.columns import Choose, NumberedRow
from fairsum_utils.io.opening import Place, as_place, numbered_lines, open_text, read_text, wrong_encoding

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def iter_lines(path: Path | Place) -> Iterator[tuple[int, bytes, bool]]:
    r"""Yield line number from 1, bytes, and whether the line ended.

    Files are read as bytes and cut only at ``\n``. Text mode and ``splitlines`` also cut at characters such as U+0085
    and U+2028, so one broken byte could split a row. Empty lines at the end of the file are dropped.
    """
    place = as_place(path)
    n_blank = 0
    with open_text(place) as file:
        for number, line in numbered_lines(file, str(place)):
            content = line.rstrip(b"\r\n")
            if content.strip():
                yield from ((skipped, b"", True) for skipped in range(number - n_blank, number))
                yield number, content, line.endswith(b"\n")
                n_blank = 0
            else:
                n_blank += 1


def shortened(entry: object) -> str:
    """Shorten an entry for a message."""
    return textwrap.shorten(repr(entry), 60, placeholder="...'" if isinstance(entry, str) else "...")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; reject repeated keys."""
    found = dict(pairs)
    if len(found) < len(pairs):
        [(key, n)] = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"the key {key!r} appears {n} times in {shortened(found)}; rename all but one")
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_unique_keys)


def parse_json(text: str) -> Any:
    """Read a text of JSON; repeated keys and lone surrogates are refused.

    Example:
        >>> parse_json('["a", "\\\\ud83d\\\\ude00"]')
        ['a', '😀']
    """
    try:
        found = _DECODER.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if "\\" in text and _SURROGATE.search(text):
        _refuse_halves("", found)
    return found


def _refuse_halves(where: str, found: Any) -> None:
    """Refuse a lone surrogate, which no file and no terminal can show."""
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = ascii(error.object[error.start])
        opening = f"{where}: " if where else ""
        raise FileError(f"{opening}the lone surrogate {half} is half a character; replace it") from None


def _not_json(where: str, error: ValueError, hint: str = "") -> FileError:
    reason: object = error
    if isinstance(error, json.JSONDecodeError):
        line = f"line {error.lineno}, " if error.lineno > 1 else ""
        reason = f"{error.msg.removesuffix(' at')} at {line}column {error.colno}"
    return FileError(f"{where}: not valid JSON ({reason}){hint}")


_CUT = "the file may be incomplete"


def iter_objects(path: Path | Place) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield line number and object from JSON Lines, without blank lines.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "a.jsonl"
        >>> _ = path.write_text('{"id": "a"}\\n\\n{"id": "b"}\\n')
        >>> list(iter_objects(path))
        [(1, {'id': 'a'}), (3, {'id': 'b'})]
    """
    place = as_place(path)
    for number, line, ended in iter_lines(place):
        if not line:
            continue
        where = f"{place}, line {number}"
        try:
            found = parse_json(line.decode())
        except UnicodeDecodeError as error:
            raise wrong_encoding(where, "utf-8", error) from None
        except ValueError as error:
            cut = "" if ended else f"; the line has no end, so {_CUT}"
            table = "; if it is a table, rename it to end in .csv" if number == 1 and line[:1] not in b'{["' else ""
            raise _not_json(where, error, f"{cut}{table}") from None
        if not isinstance(found, dict):
            array = (
                "; if the file is one array, rename it to end in .json" if number == 1 and type(found) is list else ""
            )
            raise FileError(f"{where}: expected a JSON object, found a {type(found).__name__}{array}")
        yield number, found


def read_json(path: Path) -> Any:
    """Return the content of a JSON file."""
    try:
        return parse_json(path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError) as error:  # includes UnicodeDecodeError
        raise FileError(
            f"{path}: cannot read the file as JSON in UTF-8 ({error}); download or write it again"
        ) from error


def json_rows(place: Place, choose: Choose) -> Iterator[NumberedRow]:
    """Yield the objects of a file of JSON, with their lines or numbers."""
    checked: frozenset[str] | None = None
    for number, row in (iter_array if place.format == ".json" else iter_objects)(place):
        if row.keys() != checked:
            choose(f"{place}, row {number}", row)
            checked = frozenset(row)
        yield number, row


def iter_array(place: Place) -> Iterator[NumberedRow]:
    """Yield number and object from a JSON file of rows.

    The rows are an array, inside an object, or one after another.
    """
    text = read_text(place)
    values = list(_values_in(place, text))
    is_array = len(values) == 1 and isinstance(values[0], list)
    inner = _wrapped_rows(str(place), values[0]) if len(values) == 1 and isinstance(values[0], dict) else None
    has_halves = _SURROGATE.search(text) is not None
    for number, row in enumerate(values[0] if is_array else values if inner is None else inner, start=1):
        where = f"{place}, {'element' if inner is None else 'row'} {number}"
        if not isinstance(row, dict):
            raise FileError(f"{where}: expected a JSON object, found a {type(row).__name__}")
        if has_halves:
            _refuse_halves(where, row)
        yield number, row


def _values_in(place: Place, text: str) -> Iterator[Any]:
    """Yield the values of a text of JSON, mostly one."""
    at = 0
    while at < len(text):
        try:
            found, at = _DECODER.raw_decode(text, _after_blanks(text, at))
        except RecursionError:
            raise FileError(f"{place}: not valid JSON (nested too deeply)") from None
        except ValueError as error:
            is_cut = str(error).startswith("Unterminated") or getattr(error, "pos", 0) >= len(text)
            raise _not_json(str(place), error, f"; {_CUT}" if is_cut else "") from None
        yield found
        at = _after_blanks(text, at)


_BLANK = re.compile(r"[ \t\r\n]*")


def _after_blanks(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return len(text) if found is None else found.end()


# Keys of lists of rows in an object that wraps them; pandas' ``orient="table"`` has the first.
_WRAPPERS = ("data", "rows", "records", "samples", "examples", "items", "results")
# Columns of a row; an object that wraps rows has none of them.
_OF_ROWS = {"id", "prediction", "summary", "candidates", "values", "group", "text", "prompt"}


def _wrapped_rows(where: str, found: dict[str, Any]) -> Iterable[Any] | None:
    """Return the rows inside an object; None if it is a row."""
    if not found:
        return None
    lists = {key: cell for key, cell in found.items() if isinstance(cell, list)}
    if {"columns", "data"} <= lists.keys():  # pandas' split, tables of MLflow and Weights & Biases
        return _split_rows(where, lists["columns"], lists["data"])
    named = [key for key in _WRAPPERS if key in lists]
    if len(named) == 1 and not found.keys() & _OF_ROWS and all(map(_are_objects, lists.values())):
        return lists[named[0]]
    if isinstance(inner := found.get("results"), dict) and "results" in inner:  # promptfoo
        return _wrapped_rows(where, inner)
    parts = list(found.values())
    if not _are_objects(parts) or any(each.keys() != parts[0].keys() for each in parts):
        return None
    if _are_numbers(parts[0]):  # pandas' columns
        cells = zip(*(column.values() for column in parts), strict=True)
        return (dict(zip(found, row, strict=True)) for row in cells)
    if _are_numbers(found):  # pandas' index
        return parts
    raise FileError(f"{where}: this pandas table is not stored by rows; write it with to_json(orient='records')")


def _are_objects(rows: list[Any]) -> bool:
    return all(isinstance(row, dict) for row in rows)


def _are_numbers(keys: Iterable[str]) -> bool:
    """Check for the default index of pandas."""
    return all(key == str(number) for number, key in enumerate(keys))


def _split_rows(where: str, columns: list[Any], data: list[Any]) -> Iterator[dict[str, Any]]:
    """Yield the rows of an object with columns and data apart."""
    for number, row in enumerate(data, start=1):
        if not isinstance(row, list) or len(row) != len(columns):
            raise FileError(f"{where}, row {number}: expected a list of {len(columns)} cells under 'data'")
        yield dict(zip(columns, row, strict=True))
