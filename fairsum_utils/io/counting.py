"""How many rows a file holds, where that is known without reading them."""

from __future__ import annotations

import json
from pathlib import Path

from fairsum_utils.errors import InputError
from fairsum_utils.io.names import Names, format_of, list_names, packing_of
from fairsum_utils.io.opening import Place, open_packed

__all__ = ["count_rows"]


def count_rows(names: Names, split: str | None = None) -> int | None:
    """The number of rows of Parquet files or saved data sets; None where it would take reading them.

    Whatever is wrong with the file is for its reader to say.

    Args:
        names: of a file, or of a folder written by the ``save_to_disk`` of ``datasets``, or of several.
        split: name of a split, of a folder that has several.

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
