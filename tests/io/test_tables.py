"""JSON: whole files, arrays and lines, and where a broken one is broken."""

import pytest

from fairsum_utils.errors import DataSourceError, FileError, InputError
from fairsum_utils.io.reading import read_rows
from fairsum_utils.io.tables import read_json, read_table


def test_files_of_json(tmp_path):
    path = tmp_path / "a.json"
    path.write_text("[1]")
    assert read_json(path) == [1]
    path.write_bytes(b'"\xff"')
    with pytest.raises(DataSourceError, match=r"a\.json: cannot be read as JSON in UTF-8 \('utf-8' codec"):
        read_json(path)
    with pytest.raises(InputError, match=r"none\.json: cannot be read as JSON in UTF-8 \(\[Errno 2\] No such file"):
        read_json(tmp_path / "none.json")


def test_arrays_of_json(tmp_path):
    path = tmp_path / "a.json"
    for text in ('[{"n": 1},{"n": 2}]', '{"n": 1}\n{"n": 2}\n', '\n[ {"n":\n1}\n,\n {"n": 2}]\n', '{"n": 1} {"n": 2}'):
        path.write_text(text)
        assert list(read_rows(path, {"n": "--n"})) == [{"n": 1}, {"n": 2}]
    for text, message in (
        ('[{"n": 1} {"n": 2}]', r"a\.json, after element 1: expected ',' or '\]', found '{'"),
        ('[{"n": 1}', r"a\.json, after element 1: the array is not closed"),
        ('[{"n": 1}, {"n"', r"a\.json, element 2: not valid JSON .*may have been cut off"),
        ('[{"n": 1}, 2]', r"a\.json, element 2: expected a JSON object, found a int"),
        ('[{"n": 1}] x', r"a\.json, after element 1: more follows the end of the array"),
        ('[{"n": 1}, {"n": }]' + " " * 100, r"a\.json, element 2: not valid JSON \(Expecting value\)"),
        ('[{"n": ' + "[" * 100_000, r"a\.json, element 1: not valid JSON \(nested too deeply\)"),
        ('[{"n": "\\udc00"}]', r"a\.json, element 1: half a character"),
        (
            '[{"n": 1}, {"n": 1, "n": 1}]',
            r"a\.json, element 2: not valid JSON \(the key 'n' stands 2 times in one object",
        ),
        (
            '{"n": 1}\n{"n": {"m": 1, "k": 0, "m": 2}}',
            r"a\.json, element 2: not valid JSON \(the key 'm' stands 2 times",
        ),
    ):
        path.write_text(text)
        with pytest.raises(FileError, match=message):
            list(read_rows(path, {}))


@pytest.mark.parametrize("orient", ["records", "table", "columns"])
def test_tables_of_pandas(tmp_path, orient):
    frame = pytest.importorskip("pandas").DataFrame({"id": [1, 2], "text": ["a", None], "list": [["x"], []]})
    frame.to_json(tmp_path / "a.json", orient=orient)
    rows = [{name: row[name] for name in frame} for row in read_rows(tmp_path / "a.json", {"text": "--text"})]
    assert rows == [{"id": 1, "text": "a", "list": ["x"]}, {"id": 2, "text": None, "list": []}]


@pytest.mark.parametrize("orient", ["split", "index"])
def test_tables_of_pandas_that_are_not_by_rows(tmp_path, orient):
    frame = pytest.importorskip("pandas").DataFrame({"id": [1, 2], "text": ["a", "b"]}, index=["x", "y"])
    frame.to_json(tmp_path / "a.json", orient=orient)
    with pytest.raises(FileError, match=r"a\.json, element 1: .*; write it with to_json\(orient='records'\)"):
        read_rows(tmp_path / "a.json", {})


def test_rows_in_an_object(tmp_path):
    path = tmp_path / "a.json"
    for text in (
        '{"data": [{"n": 1}, {"n": 2}]}',
        '{"version": "2", "meta": {"by": "me"}, "rows": [{"n": 1}, {"n": 2}]}\n',
    ):
        path.write_text(text)
        assert list(read_rows(path, {"n": "--n"})) == [{"n": 1}, {"n": 2}]
    for row in (
        '{"data": [{"text": "x"}], "values": ["y"]}',
        '{"turns": [{"text": "x"}]}',
        '{"data": ["x"]}',
        '{"data": 3}',
    ):
        path.write_text(row)  # rows themselves
        assert len(list(read_rows(path, {}))) == 1
    path.write_text('{"data": [{"m": 1}]}')
    with pytest.raises(FileError, match="no column 'n'; found m"):
        read_rows(path, {"n": "--n"})


def test_a_key_that_stands_twice(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "1", "prediction": "first"}\n{"id": "2", "prediction": "a", "prediction": "b"}\n')
    with pytest.raises(FileError, match=r"a\.jsonl, line 2: not valid JSON \(the key 'prediction' stands 2 times"):
        list(read_rows(path, {"prediction": "--prediction-column"}))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a\tb\n1\n", r"line 2: 1 fields, but the header has 2$"),
        (b'a\tb\n1\t2\n3\t"4', "line 3: unexpected end of data; fetch or write it again"),
        (b'a\tb\n1\t"2"3\n', r"line 2: '\\t' expected after '\"'"),
        (b"a\tb\n1\t\xff\n", r"line 2: not UTF-8 \(invalid start byte at byte 2\); .* try --encoding cp1252"),
        (b"a\tc\n", ": no column 'b'; found a, c. Expected a table"),
        (b"", ": no column 'a', 'b'; found nothing. Expected a table"),
    ],
)
def test_broken_tables(tmp_path, content, message):
    path = tmp_path / "a.tsv"
    path.write_bytes(content)
    with pytest.raises(DataSourceError, match=f"a.tsv.*{message}"):
        list(read_table(path, ["a", "b"], what="a table", delimiter="\t"))


def test_tables_with_blank_lines_marks_and_loose_quotes(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b'\xef\xbb\xbfa,b\n\n1,"2\n"\n')
    assert list(read_table(path, ["a"], what="a table")) == [(f"{path}, line 4", {"a": "1", "b": "2\n"})]
    path.write_bytes(b'a,b\n1,"2"3')
    assert [row for _, row in read_table(path, ["a"], what="a table", strict=False)] == [{"a": "1", "b": "23"}]


def test_lines_of_an_old_mac(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b'a,b\r1,"2\r3"\r\n4,5\r')
    assert [row["b"] for _, row in read_table(path, ["a"])] == ["2\r3", "5"]


@pytest.mark.parametrize(
    ("name", "text", "said"),
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
def test_delimiters(tmp_path, caplog, name, text, said):
    path = tmp_path / name
    path.write_bytes(text.encode())
    for _ in range(2):
        assert list(read_rows(path, {"text": "--text-column"})) == [
            {"id": "1", "text": "x, y"},
            {"id": "2", "text": "z"},
        ]
    assert [record.getMessage() for record in caplog.records] == [f"fairsum: {path}: {said}"] * bool(said)


def test_rows_without_text_are_blank_at_the_end_only(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('a,b\n1,2\n,\n3,4\n"",""\n,\n')
    assert [row["a"] for row in read_rows(path, {"a": "--a"})] == ["1", "", "3"]
    path.write_text('a\n1\n""\n')
    assert [row["a"] for row in read_rows(path, {"a": "--a"})] == ["1", ""]
