"""Ordinary files give the samples that are in them."""

import pytest

from fairsum_utils.io.layout import layout_for
from fairsum_utils.io.samples import read_chunks
from fairsum_utils.io.shapes import split_shape
from tests.io.ordinary_exports import EXPORTS
from tests.io.ordinary_records import RECORD_FILES, TRANSCRIPTS
from tests.io.ordinary_tables import TABLES

ORDINARY = {**TABLES, **RECORD_FILES, **TRANSCRIPTS, **EXPORTS}
IN_FILE = {"prediction": "predictions"}


@pytest.mark.parametrize("name", ORDINARY)
def test_samples(tmp_path, name):
    file = ORDINARY[name]
    path, apart = tmp_path / file.name, None
    if callable(file.content):
        file.content(path)
    elif isinstance(file.content, bytes):
        path.write_bytes(file.content)
    else:
        path.write_text(file.content, encoding="utf-8", newline="")
    if file.apart is not None:
        apart = tmp_path / file.apart[0]
        apart.write_text(file.apart[1], encoding="utf-8")
    shape, named = split_shape("score", file.options)
    layout = layout_for(["bur"], named, shape, predictions=apart)
    found = []
    for chunk in read_chunks(str(path), layout, 1, **file.reading):
        assert chunk.columns.keys() == {"predictions", "sources", "values"}
        found.append({"id": chunk.ids[0], **{column: entries[0] for column, entries in chunk.columns.items()}})
    assert found == [{IN_FILE.get(column, column): cell for column, cell in row.items()} for row in file.samples]
