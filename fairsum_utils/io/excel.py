"""Rows of Excel workbooks."""

from __future__ import annotations

import contextlib
import warnings
import zipfile
from collections.abc import Iterator
from typing import Any

from fairsum_utils.errors import FairSumError, FileError, require
from fairsum_utils.io.columns import Choose
from fairsum_utils.io.opening import Place, check_unpacked, open_seekable


def excel_rows(place: Place, choose: Choose) -> Iterator[dict[str, Any]]:
    """The rows of the first sheet of an Excel workbook, below its header; blank rows are passed over.

    A cell is a text, number or date; an empty one is None, as is a formula that was never computed.
    """
    openpyxl = require("openpyxl", extra="excel", purpose=f"read {place}")
    try:
        with open_seekable(place) as file:
            with zipfile.ZipFile(file) as archive:
                entries = archive.infolist()
            sizes = ((each.file_size, each.compress_size) for each in entries)
            check_unpacked(str(place), *map(sum, zip(*sizes, strict=True)))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of styles
                book = openpyxl.load_workbook(file, read_only=True, data_only=True)
            with contextlib.closing(book):
                yield from _rows_of_sheet(place, choose, book.worksheets[0])
    except FairSumError:
        raise
    except Exception as error:  # of zip, XML and openpyxl
        raise FileError(f"{place}: not a readable Excel workbook ({error}); save its sheet as CSV UTF-8") from None


def _rows_of_sheet(place: Place, choose: Choose, sheet: Any) -> Iterator[dict[str, Any]]:
    sheet.reset_dimensions()  # which some programs write wrongly
    header: list[str] = []
    for number, row in enumerate(sheet.iter_rows(values_only=True), start=1):
        cells = list(row)
        while cells and cells[-1] is None:
            cells.pop()
        if not header and cells:
            header = [str("" if name is None else name) for name in cells]
            choose(str(place), header)
        elif len(cells) > len(header):
            raise FileError(f"{place}, line {number}: {len(cells)} cells, but the header has {len(header)}")
        elif cells:
            yield dict(zip(header, cells + [None] * (len(header) - len(cells)), strict=True))
