"""JSON and tables of text: what is read, and where a broken file is broken."""

import gzip
import json

import pytest

from fairsum_utils.errors import DataSourceError, FileError, InputError
from fairsum_utils.io.objects import read_json
from fairsum_utils.io.reading import read_rows
from fairsum_utils.io.tables import read_table


def test_files_of_json(write, tmp_path):
    assert read_json(write("a.json", "[1]")) == [1]
    with pytest.raises(DataSourceError, match=r"a\.json: cannot read the file as JSON in UTF-8 \('utf-8' codec"):
        read_json(write("a.json", b'"\xff"'))
    with pytest.raises(
        InputError, match=r"none\.json: cannot read the file as JSON in UTF-8 \(\[Errno 2\] No such file"
    ):
        read_json(tmp_path / "none.json")


def test_rows_of_json(write):
    for text in (
        '[{"n": 1},{"n": 2}]',
        '{"n": 1}\n{"n": 2}\n',
        '\n[ {"n":\n1}\n,\n {"n": 2}]\n',
        '{"n": 1} {"n": 2}',
        '{"data": [{"n": 1}, {"n": 2}]}',
        '{"version": "2", "meta": {"by": "me"}, "rows": [{"n": 1}, {"n": 2}]}\n',
    ):
        assert list(read_rows(write("a.json", text), {"n": "--n"})) == [{"n": 1}, {"n": 2}]


def test_a_row_that_holds_a_list_is_a_row(write):
    for row in ({"data": [{"text": "x"}], "values": ["y"]}, {"turns": [{"text": "x"}]}, {"data": ["x"]}, {"data": 3}):
        assert list(read_rows(write("a.json", json.dumps(row)), {})) == [row]


OF_CHECKSUM = bytearray(gzip.compress(b"a" * 300_000))
OF_CHECKSUM[-8] ^= 1


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", '[{"n": 1} {"n": 2}]', r": not valid JSON \(Expecting ',' delimiter at column 11\)$"),
        ("a.json", '[{"n": 1}, 2]', ", element 2: expected a JSON object, found a int"),
        ("a.json", '[{"n": 1}, {"n": }]' + " " * 100, r": not valid JSON \(Expecting value at column 18\)"),
        (
            "a.json",
            '{"n": 1}\n{"n": {"m": 1, "k": 0, "m": 2}}',
            r": not valid JSON \(the key 'm' appears 2 times in {'m': 2, 'k': 0}",
        ),
        ("a.jsonl", '{"n": 1}\n{"n": 1, "m": 1, "m": 2}\n', r", line 2: not valid JSON \(the key 'm' appears 2 times"),
        ("a.csv", "\nsep=;\nid;n\n1;2\n3\n", ", line 5: 1 fields, but the header has 2"),
        ("a.json", '{"columns": ["n", "m"], "data": [[1]]}', ", row 1: expected a list of 2 cells under 'data'"),
        ("a.jsonl", "[1, 2]\n", ", line 1: expected a JSON object, found a list; if the file .* in .json"),
        ("a.jsonl.gz", bytes(OF_CHECKSUM), r": cannot unpack the file \(CRC check failed"),
    ],
)
def test_broken_files(write, name, content, message):
    path = write(name, content)
    with pytest.raises(FileError, match=f"{path}{message}" if message[0] in ",:" else message):
        list(read_rows(path, {"n": "--n"}, lists=["n"]))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'a\tb\n1\t2\n3\t"4', r"line 3: a quote that opens here is not closed \(the file ends inside the quote\);"),
        (b'a\tb\n1\t"2"3\n', r"line 2: '\\t' expected after '\"'"),
        (b"a\tb\n1\t\xff\n", r"line 2: the text is not UTF-8 \(invalid start byte\); .* try --encoding cp1252"),
        (b"a\tc\n", ": no column 'b'; found a, c. Expected a table"),
    ],
)
def test_broken_tables(write, content, message):
    with pytest.raises(DataSourceError, match=rf"a\.tsv.*{message}"):
        list(read_table(write("a.tsv", content), ["a", "b"], what="a table", delimiter="\t"))


def test_tables_with_blank_lines_marks_loose_quotes_and_lines_of_an_old_mac(write):
    path = write("a.csv", b'\xef\xbb\xbfa,b\n\n1,"2\n"\n')
    assert list(read_table(path, ["a"])) == [(f"{path}, line 3", {"a": "1", "b": "2\n"})]
    loose = read_table(write("a.csv", 'a,b\n1,"2"3'), ["a"], strict=False)
    assert [row for _, row in loose] == [{"a": "1", "b": "23"}]
    old = read_table(write("a.csv", 'a,b\r1,"2\r3"\r\n4,5\r'), ["a"])
    assert [row["b"] for _, row in old] == ["2\r3", "5"]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.csv", "id;text\n1;x, y\n2;z\n", "columns are separated by semicolons"),
        ("a.csv", "id\ttext\n1\tx, y\n2\tz\n", "columns are separated by tabs"),
        ("a.csv", 'id|text\n1|"x, y"\n2|z\n', "columns are separated by vertical bars"),
        ("a.csv", 'sep=;\r\nid;text\r\n1;"x, y"\r\n2;z\r\n', ""),
        ("a.csv", '"id","text"\n1,"x, y"\n2,z\n', ""),
        ("a.csv", 'id,text,,\n1,"x, y",,\n2,z,,\n,,,\n,,\n\n', ""),
        ("a.tsv", "id\ttext\n1\tx, y\n2\tz\n", ""),
        ("a.tsv", 'id,text\n1,"x, y"\n2,z\n', "columns are separated by commas"),
    ],
)
def test_delimiters(write, caplog, name, text, told):
    path = write(name, text)
    for _ in range(2):
        rows = list(read_rows(path, {"text": "--text-column"}))
        assert rows == [{"id": "1", "text": "x, y"}, {"id": "2", "text": "z"}]
    assert [record.getMessage() for record in caplog.records] == [f"fairsum: {path}: {told}"] * bool(told)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('a,b\n1,2\n,\n3,4\n"",""\n,\n', ["1", "3"]),
        ("\na,b\n1,a\n,\n,\n\n,\n2,b\n,\n", ["1", "2"]),
        ('a\n1\n""\n', ["1", ""]),
    ],
)
def test_rows_without_text(write, text, expected):
    assert [row["a"] for row in read_rows(write("a.csv", text), {"a": "--a"})] == expected


SWALLOWED = 't1,cem,Trams now,Green,\nt1,di,Bikes first",Auto,\nt1,eve,More roads,Auto,\n'


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_a_quote_that_is_not_closed_swallows_no_rows(write, sign):
    """Case k8 of public reports: five rows read as three."""
    text = f'id,who,text,party,summary\nt1,ann,Buses first,Green,Buses.\nt1,ben,"Parking first,Auto,\n{SWALLOWED}'
    path = write("a.tsv", text.replace(",", sign))
    with pytest.raises(FileError) as error:
        list(read_rows(path, {}))
    assert str(error.value) == (
        f"{path}, line 3: a quote that opens here is not closed (3 lines up to line 5 look like rows); close it, or "
        "read quotes as ordinary characters with quoting='none'"
    )
    rows = list(read_rows(path, {}, quoting="none"))
    assert [row["text"] for row in rows[:4]] == ["Buses first", '"Parking first', "Trams now", 'Bikes first"']
    assert len(rows) == 5
    path.write_text(path.read_text().replace('Bikes first"', "Bikes first"))
    with pytest.raises(FileError, match=r"a\.tsv, line 3: a quote that opens here .* \(the file ends inside"):
        list(read_rows(path, {}))


@pytest.mark.parametrize(
    "text",
    [
        "Nice, clean, quiet\nGood food, nice staff, fair price\nWe come back, soon, all of us\nBye, bye, you",
        "Roses are red,\nViolets are blue,\nSugar is sweet,\nand so are you",
        'She said: "Well,well,well"\n"No,no,no"\nand left',
        "1. Tasty\n2. Cold\n3. Late\n\n4. Loud",
    ],
)
def test_texts_with_lines_and_commas_are_no_rows(write, text):
    for others in (("7",), ("7", "pos"), ("7", "pos", "")):
        for place in range(3):
            cells = [*others[:place], text, *others[place:]]
            columns = {f"column {number}": cell for number, cell in enumerate(cells)}
            assert list(read_rows(write("a.csv", [columns] * 3), {})) == [columns] * 3
