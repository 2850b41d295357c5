"""Which column of a file holds what of a sample."""

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families import all_measures
from fairsum_utils.families.documents import all_columns
from fairsum_utils.io.layout import Layout, choose_columns, read_chunks
from fairsum_utils.io.shapes import Shape
from fairsum_utils.io.writing import write_rows

COLUMNS = all_columns(all_measures())


def layout(**names):
    return Layout(tuple((COLUMNS[name], in_file) for name, in_file in names.items()), Shape())


def test_other_column_names_and_missing_ids(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"summary": "s", "docs": ["d"], "groups": ["g"], "acu": {"g": 1}}\n', encoding="utf-8")
    names = {"predictions": "summary", "sources": "docs", "values": "groups", "target_distributions": "acu"}
    columns = {"predictions": ["s"], "sources": [["d"]], "values": [["g"]], "target_distributions": [{"g": 1}]}
    assert [chunk[:3] for chunk in read_chunks(path, layout(**names), 9)] == [(0, ["0"], columns)]


def test_what_csv_holds(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text('id,prediction,text,group,units\n7,s,"one, text","[g]","[""u""]"\n', encoding="utf-8")
    names = {"predictions": "prediction", "sources": "text", "groups": "group", "summary_units": "units"}
    columns = {"predictions": ["s"], "sources": ["one, text"], "groups": ["[g]"], "summary_units": [["u"]]}
    assert [chunk[:3] for chunk in read_chunks(path, layout(**names), 9)] == [(0, ["7"], columns)]


def test_columns_that_may_be_switched_off(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"prediction": "s"}\n', encoding="utf-8")
    message = r"no column 'sources', 'group'; found prediction\. .* with --sources-column, --group-column \(or compare "
    with pytest.raises(InputError, match=message + r"nothing with --group-column none\)"):
        list(read_chunks(path, layout(predictions="prediction", sources="sources", groups="group"), 9))


def test_chunks_are_numbered_through(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(f'{{"id": "{letter}", "prediction": "s"}}\n' for letter in "abcde"), encoding="utf-8")
    chunks = list(read_chunks(path, layout(predictions="prediction"), 2))
    assert [(chunk.start, chunk.ids) for chunk in chunks] == [(0, ["a", "b"]), (2, ["c", "d"]), (4, ["e"])]
    assert chunks[1].only(1)[:3] == (3, ["d"], {"predictions": ["s"]})
    assert chunks[1].only(1).where() == f"{path}, row 4, id d"


def test_a_sample_without_an_original_is_named_by_its_id(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"id": "x", "prediction": "s", "article_id": 3}\n', encoding="utf-8")
    plain = layout(predictions="prediction")
    [chunk] = read_chunks(path, plain._replace(by_id=True), 9)
    assert chunk.columns["article_ids"] == ["x"]
    named = layout(predictions="prediction", article_ids="article_id")._replace(by_id=True)
    [chunk] = read_chunks(path, named, 9)
    assert chunk.columns["article_ids"] == [3]


def test_which_columns_are_read():
    columns = [COLUMNS[name] for name in ("predictions", "target_distributions", "groups")]

    def chosen(**named):
        return {column.name: name for column, name in choose_columns(columns, named)}

    assert chosen() == {"predictions": "prediction", "groups": "group"}
    assert chosen(groups="none", target_distributions="acu", predictions="text") == {
        "predictions": "text",
        "target_distributions": "acu",
    }


def test_files_that_are_read_as_one_have_other_ids(tmp_path):
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for path, names in zip(paths, ("ab", "cb"), strict=True):
        path.write_text("".join(f'{{"id": "{name}", "prediction": "s"}}\n' for name in names), encoding="utf-8")
    with pytest.raises(InputError, match=r"b\.jsonl, row 2: id 'b' has been used before.*fairsum compare FILE FILE"):
        list(read_chunks(paths, layout(predictions="prediction"), 3))
    other = layout(predictions="prediction")._replace(shape=Shape(id_column="none"))
    assert [chunk.ids for chunk in read_chunks(paths, other, 3)] == [["0", "1", "2"], ["3"]]


def test_repeated_ids_of_one_file_are_counted_to_its_end(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(f'{{"id": {name}, "prediction": "s"}}\n' for name in (7, '"a"', "7", 1, '"a"', '"7"')))
    with pytest.raises(InputError, match=r"rows\.jsonl, row 3: id '7' has been used before; 3 samples repeat an id\."):
        next(iter(read_chunks(path, layout(predictions="prediction"), 3)))


def test_rows_without_an_id_have_their_number(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("id,prediction\na,s\n,s\n,s\n")
    assert [chunk.ids for chunk in read_chunks(path, layout(predictions="prediction"), 3)] == [["a", "1", "2"]]


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_the_names_of_the_library_do_for_a_file(tmp_path, ending):
    path = tmp_path / f"rows.{ending}"
    write_rows([{"id": "a", "predictions": "s", "prediction_old": "t"}], path)
    [chunk] = read_chunks(path, layout(predictions="prediction"), 3)
    assert chunk.columns == {"predictions": ["s"]}
    write_rows([{"id": "a", "predictions": "s", "prediction": "t"}], path)
    [chunk] = read_chunks(path, layout(predictions="prediction"), 3)
    assert chunk.columns == {"predictions": ["t"]}
