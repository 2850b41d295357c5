"""Row groups of Parquet files: damaged ones lose no row without a word."""

import pyarrow
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet

from fairsum_utils.errors import FileError
from fairsum_utils.io.reading import read_rows


def test_no_bit_of_a_parquet_file_loses_rows_without_a_word(tmp_path):
    path = tmp_path / "rows.parquet"
    table = pyarrow.table({"prediction": ["a", "b"] * 2})
    pyarrow.parquet.write_table(table, path, row_group_size=2, compression="none", use_dictionary=False)
    content = path.read_bytes()
    lost = 0
    for place in range(len(content)):
        damaged = bytearray(content)
        damaged[place] ^= 4
        path.write_bytes(damaged)
        try:
            assert len(list(read_rows(path, {}))) == 4
        except FileError as error:
            lost += "lacks 2 of its rows" in str(error)
    assert lost
