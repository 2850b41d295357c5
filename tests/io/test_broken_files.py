"""Broken files, and the one line that each gets from the command; nothing is written."""

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
PARQUET = "rename it to end in .parquet, or add --input-format parquet"
LABEL = "must be a string, whole number or boolean, found"


def parquet(**columns):
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(pyarrow.table({"prediction": ["a"], "sources": [["b"]], **columns}), sink)
    return sink.getvalue().to_pybytes()


def workbook(path):
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("[Content_Types].xml", "<Types/>")
        file.writestr("xl/workbook.xml", "<workbook/>")


# Name -> what is in it, or what makes it; and what is said after its name, or after "bur, uer, auc, sof".
BROKEN = {
    "empty.jsonl": (b"", ": the file has no rows; at least one is needed"),
    "page.jsonl": (
        b"<!DOCTYPE html>\n<html><title>Log in</title>",
        ": this is a web page (HTML), not data; open it in a browser: it may be a login page or an error",
    ),
    "book.xlsx": (
        workbook,
        ": cannot read the Excel workbook (File contains no valid workbook part); save its sheet as CSV UTF-8",
    ),
    "book.csv": (workbook, ": this is an Excel workbook; rename it to end in .xlsx, or add --input-format xlsx"),
    "old.csv": (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" * 99,
        ": this is an Excel workbook (.xls); save the sheet as CSV UTF-8",
    ),
    "paper.jsonl": (b"%PDF-1.7\n%\xe2\xe3", ": this is a PDF; ask its author for CSV or JSON"),
    "frame.jsonl": (
        pickle.dumps([ROW]),
        ": this is a Python pickle, which fairsum does not load because it can run code; write it with to_json or "
        "to_parquet",
    ),
    "packed.jsonl": (gzip.compress(LINE), ": this is packed with gzip; add .gz to the end of its name"),
    "columns.jsonl": (parquet(values=[["x"]]), f": this is a Parquet file; {PARQUET}"),
    "lfs.parquet": (
        b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
        ": this is a pointer of Git LFS, not the data; fetch the file with git lfs pull",
    ),
    "cut.jsonl": (
        LINE + LINE[:40],
        ", line 2: not valid JSON (Unterminated string starting at column 37); the line has no end, so the file may "
        "be incomplete",
    ),
    "deep.jsonl": (b'{"sources":' + b"[" * 200_000 + b"\n", ", line 1: not valid JSON (nested too deeply)"),
    "open.json": (
        b"[" + LINE,
        ": not valid JSON (Expecting ',' delimiter at line 2, column 1); the file may be incomplete",
    ),
    "utf16.csv": (
        HEADER.decode().encode("utf-16-le"),
        ": this is not UTF-8 text; name its encoding, for example --encoding utf-16-le",
    ),
    "loose.csv": (
        HEADER + b'Good, really,"[""a""]","[""x""]"\n',
        ", line 2: 4 fields, but the header has 3; put texts with ',' in quotes",
    ),
    "table.json": (
        HEADER + b"Good,[],[]\n",
        ": this is a text table, not JSON; rename it to end in .csv, or add --input-format csv",
    ),
    "index.json": (
        b'{"a": {"prediction": "x", "sources": []}, "b": {"prediction": "y", "sources": []}}',
        ": this pandas table is not stored by rows; write it with to_json(orient='records')",
    ),
    "long.csv": (
        b"place,prediction,sources,values\nRosa,Good.,Tasty,5\nRosa,Good.,Cold,1\n",
        ", line 2: 'sources' must contain a list, found one text; if each row has one source text, name the column "
        "that identifies its sample with --group-by",
    ),
    "unnamed.csv": (
        b"place,review,stars\nRosa,Tasty,5\nRosa,Cold,1\nAnna,Fine,3\nAnna,Loud,5\n",
        ": no column 'prediction', 'sources', 'values'; found place, review, stars. Try --values-column stars; name "
        "the right one with --prediction-column, --sources-column",
    ),
    "quote.csv": (
        HEADER + b'"Good\n',
        ", line 2: a quote that opens here is not closed (the file ends inside the quote); close it, or read quotes as "
        "ordinary characters with --quoting none",
    ),
    "twice.csv": (
        b"prediction,prediction,sources,values\na,b,[],[]\n",
        ": there are 2 columns 'prediction'; rename all but one",
    ),
    "float.parquet": (
        parquet(values=[[1.5]]),
        f": sample 0: values[0] {LABEL} the number 1.5; convert it to a string (float.parquet, row 1, id 0)",
    ),
    "null.parquet": (
        parquet(values=[[None]]),
        ": sample 0: values[0] is None; name the group, or choose --set unlabelled=drop to leave out texts without a "
        "label (null.parquet, row 1, id 0)",
    ),
    "bytes.parquet": (
        parquet(values=pyarrow.array([["\0\0"]])).replace(b"\x02\0\0\0\0\0", b"\x02\0\0\0\xff\xfe"),
        ": a text is not valid UTF-8 (invalid start byte); write the file again",
    ),
    "folder": (
        lambda path: path.mkdir(),
        ": this folder is not a data set written by save_to_disk: it has no state.json. To read the files in it, "
        "name them, for example 'folder/*.parquet'",
    ),
}


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
    printed, text = capsys.readouterr()
    where = "" if ": sample 0:" in message else f": {name}"
    assert text == f"fairsum score: error{where}{message}\n"
    assert printed == ""
    assert sorted(tmp_path.rglob("*")) == before
