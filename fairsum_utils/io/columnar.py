"""Rows of Parquet and Arrow files and of saved data sets."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from fairsum_utils.errors import FairSumError, FileError, InputError
from fairsum_utils.io.columns import Choose, columns_of_classes, features_of_schema, with_names
from fairsum_utils.io.objects import read_json
from fairsum_utils.io.opening import Place, open_seekable

_BATCH = 256
"""Rows in memory at a time; whole hearings have some 100 kB each."""

_BYTES = 64 << 20
"""Size of the batches of a Parquet file with larger rows, such as books."""


@contextlib.contextmanager
def readable(where: str, what: str) -> Iterator[None]:
    """Convert Arrow's errors into errors that name the file."""
    import pyarrow

    try:
        yield
    except FairSumError:
        raise
    except UnicodeDecodeError as error:
        raise FileError(f"{where}: a text is not valid UTF-8 ({error.reason}); write the file again") from None
    except (pyarrow.ArrowException, OSError, ValueError, OverflowError, KeyError, MemoryError) as error:
        raise FileError(f"{where}: this {what} cannot be read ({error}); download or write it again") from None


class _Source(NamedTuple):
    """An open columnar file: schema, and batches of chosen columns."""

    schema: Any
    batches: Callable[[list[str]], Iterator[Any]]
    features: Any = None


def columnar_rows(place: Place, choose: Choose, split: str | None = None) -> Iterator[dict[str, Any]]:
    """Yield the rows of a columnar file, with the chosen columns only."""
    where = str(place)
    is_parquet = place.format == ".parquet"
    what = "saved data set" if not place.format else "Parquet file" if is_parquet else "Arrow file"
    with readable(where, what):
        for source in _saved(place, split) if not place.format else _parquet(place) if is_parquet else _arrow(place):
            columns = choose(where, source.schema.names)
            classes = columns_of_classes(source.features or features_of_schema(source.schema.metadata))
            for batch in source.batches(columns):
                for row in _rows_of(batch):
                    for name in classes.keys() & row.keys():
                        row[name] = with_names(classes[name], row[name], f"{where}: column {name!r}")
                    yield row


def _rows_of(batch: Any) -> Iterator[dict[str, Any]]:
    for start in range(0, len(batch), _BATCH):
        yield from batch.slice(start, _BATCH).to_pylist()


def _parquet(place: Place) -> Iterator[_Source]:
    import pyarrow.parquet

    with open_seekable(place) as content, pyarrow.parquet.ParquetFile(content) as file:
        yield _Source(file.schema_arrow, partial(_batches, file))


def _batches(file: Any, columns: list[str]) -> Iterator[Any]:
    """Yield the batches of a Parquet file; raise if rows are missing."""
    n_rows = 0
    # One row group at a time: Arrow cannot join lists of dictionary-encoded strings from two row groups.
    for group in range(file.num_row_groups):
        facts = file.metadata.row_group(group)
        size = max(1, min(_BATCH, _BYTES * facts.num_rows // max(1, facts.total_byte_size)))
        for batch in file.iter_batches(batch_size=size, row_groups=[group], columns=columns):
            n_rows += len(batch)
            yield batch
    if n_rows != file.metadata.num_rows:
        raise ValueError(f"it has {n_rows} rows, but lists {file.metadata.num_rows}")


def _arrow(place: Place) -> Iterator[_Source]:
    """Open an Arrow file, a Feather file or an Arrow stream."""
    import pyarrow.ipc

    with open_seekable(place) as content:
        is_file = content.read(6) == b"ARROW1"
        content.seek(0)
        with pyarrow.ipc.open_file(content) if is_file else pyarrow.ipc.open_stream(content) as reader:
            yield _of_reader(reader)


def _of_reader(reader: Any, features: Any = None) -> _Source:
    def batches(columns: list[str]) -> Iterator[Any]:
        is_file = hasattr(reader, "num_record_batches")
        for batch in map(reader.get_batch, range(reader.num_record_batches)) if is_file else reader:
            chosen = batch.select(columns)
            chosen.validate(full=True)  # Arrow trusts the offsets in a file
            yield chosen

    return _Source(reader.schema, batches, features)


def _saved(place: Place, split: str | None = None) -> Iterator[_Source]:
    """Return the files of a data set written by ``save_to_disk``."""
    import pyarrow
    import pyarrow.ipc

    path = _saved_folder(Path(place.name), split)
    info = path / "dataset_info.json"
    features = _held(info).get("features") if info.is_file() else None
    for name in _listed(path / "state.json", "_data_files"):
        with pyarrow.memory_map(str(path / name)) as content, pyarrow.ipc.open_stream(content) as stream:
            yield _of_reader(stream, features)


def _saved_folder(path: Path, split: str | None) -> Path:
    """Return the folder with the rows of a saved data set."""
    if (path / "dataset_dict.json").is_file():
        splits = _listed(path / "dataset_dict.json", "splits")
        if split is None and len(splits) == 1:
            split = splits[0]
        if split is None or split not in splits:
            raise InputError(
                f"{path}: choose one of its splits with --split: {', '.join(splits)}; or name the folder of one, such "
                f"as {path / splits[0]}"
            )
        path /= split
    state = path / "state.json"
    if not state.is_file():
        raise InputError(
            f"{path}: this folder is not a data set written by save_to_disk: it has no state.json. To read the files "
            f"in it, name them, for example '{path / '*.parquet'}'"
        )
    if split is not None and path.name != split and _held(state).get("_split") != split:
        raise InputError(f"{path}: this data set has no splits; omit --split")
    return path


def _held(path: Path) -> Mapping[str, Any]:
    """Read a JSON object of a saved data set; empty if missing."""
    held = read_json(path)
    return held if isinstance(held, Mapping) else {}


def _listed(path: Path, key: str) -> list[str]:
    """Return the file or folder names that a saved data set lists."""
    names = _held(path).get(key)
    if key == "_data_files" and isinstance(names, list):
        names = [each.get("filename") if isinstance(each, Mapping) else None for each in names]
    if not isinstance(names, list) or not names or not all(isinstance(n, str) and Path(n).name == n for n in names):
        raise FileError(f"{path}: {key!r} is not what save_to_disk writes; save the data set again")
    return names
