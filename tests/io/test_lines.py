"""JSON: whole files, arrays and lines, and where a broken one is broken."""

import pytest

from fairsum_utils.errors import DataSourceError, FileError, InputError
from fairsum_utils.io.lines import read_json
from fairsum_utils.io.reading import read_rows


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


def test_a_key_that_stands_twice(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "1", "prediction": "first"}\n{"id": "2", "prediction": "a", "prediction": "b"}\n')
    with pytest.raises(FileError, match=r"a\.jsonl, line 2: not valid JSON \(the key 'prediction' stands 2 times"):
        list(read_rows(path, {"prediction": "--prediction-column"}))
