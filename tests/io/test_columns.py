"""Columns that a file lacks, or calls otherwise."""

import pyarrow
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet
import pytest

from fairsum_utils.errors import FileError, InputError
from fairsum_utils.io.reading import read_rows

NEEDED = {name: f"--{name}-column" for name in ("prediction", "sources", "values")}


def test_columns_that_others_call_otherwise(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": 1, "Summary": "a", "my reviews": ["b"], "value": ["c"]}\n')
    message = (
        f"{path}, row 1: no column 'prediction', 'sources', 'values'; found id, Summary, my reviews, value. Try "
        "--prediction-column Summary --values-column value; name the right one with --sources-column"
    )
    with pytest.raises(FileError) as caught:
        read_rows(path, NEEDED)
    assert str(caught.value) == message


def test_parquet_lacks_columns(tmp_path):
    path = tmp_path / "rows.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"prediction": ["a"]}), path)
    with pytest.raises(InputError, match=r"rows\.parquet: no column 'sources', 'values'; found prediction"):
        read_rows(path, NEEDED)
