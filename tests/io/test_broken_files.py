"""Thirty broken files, and the one line that each gets from the command; nothing is written."""

import gzip
import json
import pickle
import zipfile

import pyarrow
import pyarrow.parquet
import pytest

from fairsum_utils.cli import main

ROW = {"id": "a", "prediction": "Tasty.", "sources": ["Tasty.", "Cold."], "values": ["pos", "neg"]}
LINE = json.dumps(ROW).encode() + b"\n"
HEADER = b"prediction,sources,values\n"
PARQUET = "end its name in .parquet, or read it with --input-format parquet"
AGAIN = "the file is cut short or damaged, or not packed: fetch or write it again"
LIST = 'must hold a list such as ["first text", "second text"], found'
LABEL = "must be a string, whole number or boolean, found"


def parquet(**columns):
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(pyarrow.table({"prediction": ["a"], "sources": [["b"]], **columns}), sink)
    return sink.getvalue().to_pybytes()


def workbook(path):
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("[Content_Types].xml", "<Types/>")
        file.writestr("xl/workbook.xml", "<workbook/>")


def saved(path, **files):
    path.mkdir()
    for name, text in files.items():
        (path / f"{name}.json").write_text(text)


# Name -> what is in it, or what makes it; and what is said after its name, or after "bur, uer, auc, sof".
BROKEN = {
    "empty.jsonl": (b"", ": holds no row; give at least one"),
    "blank.csv": (b"\n\n", ": holds no row; give at least one"),
    "header.csv": (HEADER + b",,\n,,\n", ": holds no row; give at least one"),
    "page.jsonl": (
        b"<!DOCTYPE html>\n<html><title>Log in</title>",
        ": this is a web page (HTML), not data; look at it in a browser: it may ask to log in, or show an error",
    ),
    "page.csv": (
        b"\n <html><body>404</body></html>",
        ": this is a web page (HTML), not data; look at it in a browser: it may ask to log in, or show an error",
    ),
    "book.xlsx": (
        workbook,
        ": not a readable Excel workbook (File contains no valid workbook part); save its sheet as CSV UTF-8",
    ),
    "book.csv": (workbook, ": this is an Excel workbook; end its name in .xlsx, or read it with --input-format xlsx"),
    "old.csv": (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" * 99,
        ": this is an Excel workbook (.xls); save its sheet as CSV UTF-8 and read that",
    ),
    "paper.jsonl": (b"%PDF-1.7\n%\xe2\xe3", ": this is a PDF; ask its makers for the data as CSV or JSON"),
    "frame.jsonl": (
        pickle.dumps([ROW]),
        ": this is a Python pickle, which is never loaded because it can run code; write it with to_json or to_parquet",
    ),
    "packed.jsonl": (gzip.compress(LINE), ": this is packed with gzip; end its name in .gz, after that of its format"),
    "plain.jsonl.gz": (LINE, f": cannot be unpacked (Not a gzipped file (b'{{\"')); {AGAIN}"),
    "cut.jsonl.gz": (
        gzip.compress(LINE * 9)[:-9],
        f": cannot be unpacked (Compressed file ended before the end-of-stream marker was reached); {AGAIN}",
    ),
    "columns.jsonl": (parquet(values=[["x"]]), f": this is a Parquet file; {PARQUET}"),
    "lfs.parquet": (
        b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
        ": this is a pointer of Git LFS, not the data; fetch the file itself: git lfs pull",
    ),
    "cut.jsonl": (
        LINE + LINE[:40],
        ", line 2: not valid JSON (Unterminated string starting at column 37); it has no line end, so the file may "
        "have been cut off while written",
    ),
    "deep.jsonl": (b'{"sources":' + b"[" * 200_000 + b"\n", ", line 1: not valid JSON (nested too deeply)"),
    "half.jsonl": (
        LINE.replace(b"pos", b"\\ud800"),
        r", line 1: not valid JSON (half a character, the lone surrogate '\ud800'; replace it)",
    ),
    "open.json": (
        b"[" + LINE,
        ", after element 1: the array is not closed; the file may have been cut off while written",
    ),
    "excel.csv": (
        HEADER + b'Caf\xe9,"[""a""]","[""x""]"\n',
        ", line 2: not UTF-8 (invalid continuation byte); if it comes from Excel or an older Windows, try "
        "--encoding cp1252",
    ),
    "utf16.csv": (
        HEADER.decode().encode("utf-16-le"),
        ": this is no text in UTF-8; name its encoding with --encoding, such as utf-16-le",
    ),
    "loose.csv": (
        HEADER + b'Good, really,"[""a""]","[""x""]"\n',
        ", line 2: 4 fields, but the header has 3; texts that hold ',' need quotes",
    ),
    "ragged.csv": (
        HEADER + b"Good,[]\n" + b"Good,[],[]\n" * 2 + b"Good\n" * 11 + b'"',
        ", line 2: 2 fields, but the header has 3 (11 more lines like it: 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, ...)",
    ),
    "table.json": (
        HEADER + b"Good,[],[]\n",
        ": this is a table of text, not JSON; end its name in .csv, or read it with --input-format csv",
    ),
    "index.json": (
        b'{"a": {"prediction": "x", "sources": []}, "b": {"prediction": "y", "sources": []}}',
        ", element 1: a table of pandas that is not by rows; write it with to_json(orient='records')",
    ),
    "long.csv": (
        b"place,prediction,sources,values\nRosa,Good.,Tasty,5\nRosa,Good.,Cold,1\n",
        f", row 1: column 'sources' {LIST} 'Tasty': 'Tasty' is no text in quotes; did you mean --group-by place?",
    ),
    "long.jsonl": (
        b'{"the place": 3, "prediction": "Good.", "sources": "Tasty", "values": 5}\n' * 2,
        ", row 1: 'sources' must hold a list, found one text; did you mean --group-by 'the place'?",
    ),
    "quote.csv": (HEADER + b'"Good\n', ", line 2: unexpected end of data; fetch or write it again"),
    "array.csv": (
        HEADER + b"Good,\"['a' ... 'z']\",\"['x' 'y']\"\n",
        f", row 1: column 'sources' {LIST} \"['a' ... 'z']\": NumPy has left out entries ('...'), as it does past "
        "1,000, so that they are lost: write the data with to_json or to_parquet",
    ),
    "joined.csv": (
        HEADER + b"Good,\"['a' 'b', 'c']\",\"['x', 'y']\"\n",
        f", row 1: column 'sources' {LIST} \"['a' 'b', 'c']\": some entries are separated by commas and others are not",
    ),
    "names.csv": (
        b'id;summary;reviews;labels\n1;Good;"[""a""]";"[""x""]"\n',
        ": no column 'prediction', 'sources', 'values'; found id, summary, reviews, labels. Try --prediction-column "
        "summary --sources-column reviews --values-column labels",
    ),
    "twice.csv": (
        b"prediction,prediction,sources,values\na,b,[],[]\n",
        ": there are 2 columns 'prediction'; rename all but the right one",
    ),
    "float.parquet": (
        parquet(values=[[1.5]]),
        f": sample 0: values[0] {LABEL} the number 1.5; turn it into a string first (float.parquet, row 1, id 0)",
    ),
    "null.parquet": (
        parquet(values=[[None]]),
        f": sample 0: values[0] {LABEL} nothing; fill it in or drop the sample (null.parquet, row 1, id 0)",
    ),
    "bytes.parquet": (
        parquet(values=pyarrow.array([["\0\0"]])).replace(b"\x02\0\0\0\0\0", b"\x02\0\0\0\xff\xfe"),
        ": a text is not UTF-8 (invalid start byte); write the file again",
    ),
    "state": (
        lambda path: saved(path, state='{"_data_files": [{"filename": "../x.arrow"}]}'),
        "/state.json: '_data_files' is not as save_to_disk writes it; save the data set again",
    ),
    "folder": (
        lambda path: path.mkdir(),
        ": a folder must be a data set written by save_to_disk; it has no state.json. To read the files in it, name "
        "them, as in 'folder/*.parquet'",
    ),
}


def test_there_are_thirty():
    assert len(BROKEN) >= 30


@pytest.mark.parametrize("name", BROKEN)
def test_each_gets_its_line(tmp_path, monkeypatch, capsys, name):
    content, message = BROKEN[name]
    monkeypatch.chdir(tmp_path)
    if isinstance(content, bytes):
        (tmp_path / name).write_bytes(content)
    else:
        content(tmp_path / name)
    before = sorted(tmp_path.rglob("*"))
    assert main(["score", name, "--samples", "samples.jsonl", "--output", "results.json"]) == 2
    printed, said = capsys.readouterr()
    opening = "fairsum score: error" if ": sample 0:" in message else f"fairsum: error: {name}"
    assert said == f"{opening}{message}\n"
    assert printed == ""
    assert sorted(tmp_path.rglob("*")) == before
