"""Rows of Parquet and Arrow files and of saved data sets."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from fairsum_utils.errors import FairSumError, FileError, InputError
from fairsum_utils.io.columns import Choose, Naming, features_of_schema, namings
from fairsum_utils.io.names import Names, format_of, list_names, packing_of
from fairsum_utils.io.opening import MAX_ROW_BYTES, Place, bytes_of, open_packed, open_seekable, too_large
from fairsum_utils.io.tables import read_json

_BATCH = 256
"""Rows that are in memory at a time; whole hearings are some 100 kB each."""


_LONGEST_NAME = 255
"""Bytes in the name of a file."""


@contextlib.contextmanager
def readable(where: str, what: str) -> Iterator[None]:
    """Say of whatever goes wrong in Arrow which file it is; strings that are not UTF-8 are found among it."""
    import pyarrow

    try:
        yield
    except FairSumError:
        raise
    except UnicodeDecodeError as error:
        raise FileError(f"{where}: a text is not UTF-8 ({error.reason}); write the file again") from None
    except (pyarrow.ArrowException, OSError, ValueError, OverflowError) as error:
        raise FileError(f"{where}: not a readable {what} ({error})") from None


def parquet_rows(place: Place, choose: Choose) -> Iterator[dict[str, Any]]:
    """The rows of a Parquet file; only the chosen columns are read."""
    import pyarrow.parquet

    with (
        readable(str(place), "Parquet file"),
        open_seekable(place) as content,
        pyarrow.parquet.ParquetFile(content) as file,
    ):
        schema = file.schema_arrow
        columns = choose(str(place), schema.names)
        named = namings(features_of_schema(schema.metadata), str(place))
        rows = _Rows(place, named)
        for batch in _wanted(file, columns, place):
            yield from rows.of(batch)


def _wanted(file: Any, columns: list[str], place: Place) -> Iterator[Any]:
    """The batches of a Parquet file, or of a part of it; of large rows there are few in one."""
    part = place.part
    first, stop = 0, file.metadata.num_rows
    if part is not None:
        first, stop = part.first, part.first + part.n_rows
    before = 0
    # One row group after the other: Arrow cannot put lists of dictionary-encoded strings of two together.
    for group, n_rows in enumerate(group_sizes(file)):
        if before < stop and before + n_rows > first:
            at = before
            size = _mean_bytes(file.metadata.row_group(group), columns, place.max_row_bytes)
            if size > place.max_row_bytes:
                raise too_large(f"{place}, rows {before + 1} to {before + n_rows}", place.max_row_bytes)
            step = max(1, min(_BATCH, int(place.max_row_bytes // max(size, 1))))
            for batch in group_batches(file, group, step, columns):
                if at < stop and at + len(batch) > first:
                    yield batch.slice(max(0, first - at), min(stop, at + len(batch)) - max(first, at))
                at += len(batch)
                if at >= stop:
                    break
        before += n_rows


def group_sizes(file: Any) -> list[int]:
    """Rows of each row group of a Parquet file, which add up to those of the file."""
    sizes = [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)]
    if sum(sizes) != file.metadata.num_rows:
        raise ValueError(f"its row groups say {sum(sizes)} rows in all, and the file {file.metadata.num_rows}")
    return sizes


def group_batches(file: Any, group: int, size: int, columns: list[str]) -> Iterator[Any]:
    """The batches of a row group; Arrow ends early without a word where a page of a damaged file cannot be read."""
    left = file.metadata.row_group(group).num_rows
    for batch in file.iter_batches(batch_size=size, row_groups=[group], columns=columns):
        left -= len(batch)
        yield batch
    if left:
        raise ValueError(f"row group {group} lacks {left} of its rows")


def _mean_bytes(group: Any, columns: Collection[str], most: float) -> float:
    """Bytes of a row of a row group, unpacked; those of all columns together where they are no more than `most`.

    Arrow may end the process where it is asked for a column of a damaged file.
    """
    n_rows = max(1, group.num_rows)
    if 0 <= group.total_byte_size <= most * n_rows:
        return float(group.total_byte_size / n_rows)
    chunks = (group.column(number) for number in range(group.num_columns))
    n_bytes = sum(chunk.total_uncompressed_size for chunk in chunks if chunk.path_in_schema.split(".")[0] in columns)
    return float(n_bytes / n_rows)


def parquet_columns(place: Place) -> list[str]:
    """The columns of a Parquet file."""
    import pyarrow.parquet

    with readable(str(place), "Parquet file"), open_seekable(place) as content:
        return list(pyarrow.parquet.read_schema(content).names)


def arrow_rows(place: Place, choose: Choose) -> Iterator[dict[str, Any]]:
    """The rows of an Arrow file, a Feather file, or an Arrow stream."""
    with readable(str(place), "Arrow file"), open_seekable(place) as content, _opened(content) as reader:
        columns = choose(str(place), reader.schema.names)
        named = namings(features_of_schema(reader.schema.metadata), str(place))
        rows = _Rows(place, named)
        for batch in _batches(reader, columns):
            yield from rows.of(batch)


def arrow_columns(place: Place) -> list[str]:
    """The columns of an Arrow file."""
    with readable(str(place), "Arrow file"), open_seekable(place) as content, _opened(content) as reader:
        return list(reader.schema.names)


def _opened(content: Any) -> Any:
    import pyarrow.ipc

    is_file = content.read(6) == b"ARROW1"
    content.seek(0)
    return pyarrow.ipc.open_file(content) if is_file else pyarrow.ipc.open_stream(content)


def _batches(reader: Any, columns: list[str]) -> Iterator[Any]:
    """Some columns of the batches of a file or stream, held to what they say: Arrow trusts the places in a file."""
    is_file = hasattr(reader, "num_record_batches")
    batches = map(reader.get_batch, range(reader.num_record_batches)) if is_file else iter(reader)
    for batch in batches:
        chosen = batch.select(columns)
        chosen.validate(full=True)
        yield chosen


def saved_folder(path: Path, split: str | None) -> Path:
    """Return the folder that holds the rows of a saved data set."""
    if (path / "dataset_dict.json").is_file():
        splits = _entry(path / "dataset_dict.json", "splits")
        if split is None and len(splits) == 1:
            split = splits[0]
        if split is None or split not in splits:
            raise InputError(
                f"{path}: choose one of its splits with --split: {', '.join(splits)}; or give the folder of one, such "
                f"as {path / splits[0]}"
            )
        path /= split
    state = path / "state.json"
    if not state.is_file():
        raise InputError(
            f"{path}: a folder must be a data set written by save_to_disk; it has no state.json. To read the files in "
            f"it, name them, as in '{path / '*.parquet'}'"
        )
    if split is not None and path.name != split and _held(state).get("_split") != split:
        raise InputError(f"{path}: has no splits; leave --split out")
    return path


def _held(path: Path) -> Mapping[str, Any]:
    """Read the JSON object of a saved data set; empty if it is none."""
    held = read_json(path)
    return held if isinstance(held, Mapping) else {}


def _entry(path: Path, key: str) -> list[str]:
    """A list of names that a file of a saved data set holds."""
    names = _held(path).get(key)
    if key == "_data_files" and isinstance(names, list):
        names = [each.get("filename") if isinstance(each, Mapping) else None for each in names]
    if not names or not isinstance(names, list) or not all(map(_is_name, names)):
        raise FileError(f"{path}: {key!r} is not as save_to_disk writes it; save the data set again")
    return cast("list[str]", names)


def _is_name(name: object) -> bool:
    """Whether something can be the name of a file in a folder."""
    return isinstance(name, str) and Path(name).name == name and len(name.encode()) <= _LONGEST_NAME


def _of_saved(path: Path) -> Iterator[tuple[Any, Any]]:
    """A reader of each file of a saved data set, and its features."""
    import pyarrow
    import pyarrow.ipc

    info = path / "dataset_info.json"
    features = _held(info).get("features") if info.is_file() else None
    for name in _entry(path / "state.json", "_data_files"):
        with (
            readable(str(path), "saved data set"),
            pyarrow.memory_map(str(path / name)) as source,
            pyarrow.ipc.open_stream(source) as stream,
        ):
            yield stream, features or features_of_schema(stream.schema.metadata)


def saved_rows(path: Path, choose: Choose, max_row_bytes: int = MAX_ROW_BYTES) -> Iterator[dict[str, Any]]:
    """The rows of the folder of a saved data set."""
    place = Place(str(path), max_row_bytes=max_row_bytes)
    for stream, features in _of_saved(path):
        rows = _Rows(place, namings(features, str(path)))
        with readable(str(path), "saved data set"):
            columns = choose(str(path), stream.schema.names)
            for batch in _batches(stream, columns):
                yield from rows.of(batch)


def saved_columns(path: Path) -> list[str]:
    """The columns of the folder of a saved data set."""
    return next(list(stream.schema.names) for stream, _ in _of_saved(path))


class _Rows:
    """The rows of batches of one file, which are counted for messages."""

    def __init__(self, place: Place, named: Mapping[str, Naming]) -> None:
        self._place, self._named = place, named
        self._number = place.first

    def of(self, batch: Any) -> Iterator[dict[str, Any]]:
        """The rows of the next batch; of large ones few are in memory as rows at a time."""
        limit = self._place.max_row_bytes
        for start in range(0, len(batch), _BATCH):
            part = batch.slice(start, _BATCH)
            if part.nbytes <= limit:
                yield from _named(part, self._named)
                self._number += len(part)
                continue
            for place in range(len(part)):
                [row] = _named(part.slice(place, 1), self._named)
                self._number += 1
                if bytes_of(row, limit) > limit:
                    raise too_large(f"{self._place}, row {self._number}", limit)
                yield row


def _named(batch: Any, named: Mapping[str, Naming]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = batch.to_pylist()
    for name, naming in named.items():
        if name in batch.schema.names:
            for row in rows:
                row[name] = naming(row[name])
    return rows


def count_rows(names: Names, split: str | None = None) -> int | None:
    """The number of rows of Parquet files or saved data sets; None where it would take reading them.

    Whatever is wrong with the file is for its reader to say.

    Example:
        >>> count_rows("no-such-file.jsonl") is None
        True
    """
    try:
        counts = [_count(name, split) for name in list_names(names)]
    except (InputError, OSError):
        return None
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def _count(name: str, split: str | None) -> int | None:
    place = Place(name)
    try:
        if format_of(name) == ".parquet" and not packing_of(name):
            import pyarrow.parquet

            with open_packed(place) as file:
                return int(pyarrow.parquet.read_metadata(file).num_rows)
        return _count_saved(Path(name), split) if place.is_folder else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):  # errors of pyarrow are of these
        return None


def _count_saved(folder: Path, split: str | None) -> int:
    import pyarrow
    import pyarrow.ipc

    if (folder / "dataset_dict.json").is_file():
        splits = json.loads((folder / "dataset_dict.json").read_text(encoding="utf-8"))["splits"]
        (only,) = [split] if split else splits
        folder /= only
    n = 0
    for entry in json.loads((folder / "state.json").read_text(encoding="utf-8"))["_data_files"]:
        # Only the heads of the batches are read.
        with pyarrow.memory_map(str(folder / entry["filename"])) as source:
            n += sum(batch.num_rows for batch in pyarrow.ipc.open_stream(source))
    return n
