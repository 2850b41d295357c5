"""Files that a Space is given: read as the command reads them, within limits, with mistakes in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.hub import space_files
from fairsum_utils.hub.space_files import read_samples, wanted
from fairsum_utils.measures import measure_names


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_columns_may_have_their_names_in_files_or_in_python(tmp_path: Path) -> None:
    sample = {"sources": ["Good soup.", "Cold soup."], "values": ["pos", "neg"]}
    expected = {"predictions": ["Soup."], "sources": [sample["sources"]], "values": [sample["values"]]}
    for column in ("prediction", "predictions"):
        path = write(tmp_path, "a.jsonl", json.dumps({column: "Soup.", **sample}) + "\n")
        assert read_samples("uer", path) == expected
    cells = ",".join('"{}"'.format(json.dumps(entry).replace('"', '""')) for entry in sample.values())
    assert read_samples("uer", write(tmp_path, "a.csv", f"prediction,sources,values\nSoup.,{cells}\n")) == expected


def test_optional_columns_are_read_where_they_are(tmp_path: Path) -> None:
    path = write(tmp_path, "a.csv", "prediction\nShe won.\n")
    assert read_samples("sentiment", path) == {"predictions": ["She won."]}
    path = write(tmp_path, "a.csv", "group,prediction,more\nw,She won.,x\n")
    assert read_samples("sentiment", path) == {"predictions": ["She won."], "groups": ["w"]}


@pytest.mark.parametrize("name", measure_names())
def test_every_measure_says_what_it_wants(name: str) -> None:
    columns = dict(wanted(name))
    assert columns["prediction"]
    assert len(columns) == len(wanted(name))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "prediction,texts\nx,y\n", "a.csv: no column 'sources', 'values'; found prediction, texts. Rename"),
        ("a.jsonl", '{"prediction": "x"\n', "a.jsonl"),
        ("a.csv", "prediction,sources,values\nx,[1,pos\n", "a.csv, row 1"),
        ("a.pdf", "%PDF", "a.pdf: the name must end in .jsonl"),
        ("a.csv.gz", "", "a.csv.gz: the name must end in"),
        ("a.csv", "", "a.csv"),
    ],
)
def test_mistakes_name_the_file_and_not_where_it_is_kept(name: str, text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        read_samples("bur", write(tmp_path, name, text))
    assert str(raised.value).startswith(message)
    assert str(tmp_path) not in str(raised.value)
    assert "\n" not in str(raised.value)
    assert "--" not in str(raised.value)


def test_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(space_files, "MOST_SAMPLES", 2)
    path = write(tmp_path, "a.csv", "prediction\nOne.\nTwo.\n")
    assert len(read_samples("sentiment", path)["predictions"]) == 2
    path = write(tmp_path, "a.csv", "prediction\nOne.\nTwo.\nThree.\n")
    with pytest.raises(
        InputError, match=r"more than 2 samples; .* the command takes all: fairsum score FILE --metrics"
    ):
        read_samples("sentiment", path)
    monkeypatch.setattr(space_files, "MOST_BYTES", 20)
    with pytest.raises(InputError, match=r"a\.csv: 0\.0 MB; this page takes at most"):
        read_samples("sentiment", path)
