"""Which column of a file holds what of a sample."""

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families import all_measures
from fairsum_utils.families.inputs import all_columns
from fairsum_utils.io.layout import Layout, quality_column
from fairsum_utils.io.samples import read_chunks
from fairsum_utils.io.shapes import Shape
from fairsum_utils.io.systems import read_systems
from fairsum_utils.io.writing import write_rows
from fairsum_utils.validation import describe

COLUMNS = all_columns(all_measures())


def layout(**names):
    return Layout(tuple((COLUMNS[name], in_file) for name, in_file in names.items()), Shape())


def test_what_csv_holds(write):
    path = write("rows.csv", 'id,prediction,text,group,units\n7,s,"one, text","[g]","[""u""]"\n')
    names = {"predictions": "prediction", "sources": "text", "groups": "group", "summary_units": "units"}
    columns = {"predictions": ["s"], "sources": ["one, text"], "groups": ["[g]"], "summary_units": [["u"]]}
    assert [chunk[:3] for chunk in read_chunks(path, layout(**names), 9)] == [(0, ["7"], columns)]


def test_usual_names_of_a_column(tmp_path):
    path = tmp_path / "rows.jsonl"
    for row in ('{"group": "a"}', '{"groups": "a"}', '{"text_group": "a"}', '{"text_group": "b", "group": "a"}'):
        path.write_text(row, encoding="utf-8")
        [chunk] = read_chunks(path, layout(groups="group"), 9)
        assert chunk.columns == {"groups": ["a"]}


def test_columns_that_may_be_switched_off(write):
    path = write("rows.jsonl", '{"prediction": "s"}\n')
    message = r"no column 'sources', 'group'; found prediction\. .* with `sources`, `groups` \("
    with pytest.raises(InputError, match=message + "groups='none': compare nothing"):
        list(read_chunks(path, layout(predictions="prediction", sources="sources", groups="group"), 9))


def test_a_sample_without_an_original_is_named_by_its_id(write):
    path = write("rows.jsonl", '{"id": "x", "prediction": "s", "article_id": 3}\n')
    plain = layout(predictions="prediction")
    [chunk] = read_chunks(path, plain._replace(by_id=True), 9)
    assert chunk.columns["article_ids"] == ["x"]
    named = layout(predictions="prediction", article_ids="article_id")._replace(by_id=True)
    [chunk] = read_chunks(path, named, 9)
    assert chunk.columns["article_ids"] == [3]


def test_files_that_are_read_as_one_have_other_ids(tmp_path):
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for path, names in zip(paths, ("ab", "cb"), strict=True):
        path.write_text("".join(f'{{"id": "{name}", "prediction": "s"}}\n' for name in names), encoding="utf-8")
    with pytest.raises(InputError, match=r"b\.jsonl, row 2: id 'b' was used before"):
        list(read_chunks(paths, layout(predictions="prediction"), 3))
    other = layout(predictions="prediction")._replace(shape=Shape(id_column="none"))
    assert [chunk.ids for chunk in read_chunks(paths, other, 3)] == [["0", "1", "2"], ["3"]]


def test_rows_without_an_id_have_their_number(write):
    path = write("rows.csv", "id,prediction\na,s\n,s\n,s\n")
    assert [chunk.ids for chunk in read_chunks(path, layout(predictions="prediction"), 3)] == [["a", "1", "2"]]


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
class TestEndings:
    def test_the_names_of_the_library_do_for_a_file(self, tmp_path, ending):
        path = tmp_path / f"rows.{ending}"
        for other, found in (("prediction_old", "s"), ("prediction", "t")):
            write_rows([{"id": "a", "predictions": "s", other: "t"}], path)
            [chunk] = read_chunks(path, layout(predictions="prediction"), 3)
            assert chunk.columns == {"predictions": [found]}

    def test_a_cell_of_one_text_is_no_list(self, tmp_path, ending):
        path = tmp_path / f"rows.{ending}"
        for cell, kind in {
            "['Positive']": "list ['Positive']",
            '{"label": "a"}': "dict {'label': 'a'}",
            "[{'summary_text': 'Fine.'}]": "list [{'summary_text': 'Fine.'}]",
            "b'Tasty.'": "bytes b'Tasty.'",
            "[deleted]": "str '[deleted]'",
            "[Music] Hello.": "str '[Music] Hello.'",
            "b'": 'str "b\'"',
        }.items():
            write_rows([{"prediction": cell, "group": cell}], path)
            [chunk] = read_chunks(path, layout(predictions="prediction", groups="group"), 9)
            assert [describe(entry) for [entry] in chunk.columns.values()] == [kind] * 2


def test_named_columns_must_exist(tmp_path):
    path, apart = tmp_path / "rows.csv", tmp_path / "apart.csv"
    path.write_text("id,prediction\na,s\n")
    apart.write_text("id,summary\na,s\n")
    plain = layout(predictions="prediction")
    with pytest.raises(InputError, match=r"rows\.csv: no column 'idd'; found id, prediction. Try id_column='id'"):
        list(read_chunks(path, plain._replace(shape=Shape(id_column="idd")), 9))
    [chunk] = read_chunks(path, plain._replace(predictions=apart), 9)
    assert chunk.columns == {"predictions": ["s"]}
    with pytest.raises(
        InputError, match=r"apart\.csv: no column 'sumary'; found id, summary. Try predictions='summary'"
    ):
        list(read_chunks(path, layout(predictions="sumary")._replace(predictions=apart), 9))


def test_an_encoding_of_predictions_has_an_option_of_its_own(tmp_path):
    path, apart = tmp_path / "rows.csv", tmp_path / "apart.csv"
    path.write_text("id,prediction\na,s\n")
    apart.write_bytes("id,prediction\na,Größe\n".encode("cp1252"))
    there = layout(predictions="prediction")._replace(predictions=apart)
    for encoding, option in ((None, "cp1252"), ("ascii", "NAME")):
        with pytest.raises(InputError, match=rf"apart\.csv, line 2: .* --set predictions_encoding={option}$"):
            list(read_chunks(path, there, 9, predictions_encoding=encoding))


def systems(tmp_path, *letters, size=2):
    """The chunks of files in which samples have one letter each as their id, and their place as their summary."""
    paths = []
    for number, ids in enumerate(letters):
        path = tmp_path / f"{number}.jsonl"
        rows = (f'{{"id": "{name}", "prediction": "{number}{place}"}}' for place, name in enumerate(ids))
        path.write_text("\n".join(rows), encoding="utf-8")
        paths.append(path)
    names = [f"system {number}" for number in range(len(paths))]
    return read_systems(paths, layout(predictions="prediction"), size, names=names, module="compare")


@pytest.mark.parametrize(("second", "third"), [("abcde", "abcde"), ("edcba", "badce"), ("cdeab", "eabcd")])
def test_files_are_paired_by_ids_in_any_order(tmp_path, second, third):
    chunks = list(systems(tmp_path, "abcde", second, third))
    assert [[chunk.ids for chunk in of_files] for of_files in chunks] == [
        [["a", "b"]] * 3,
        [["c", "d"]] * 3,
        [["e"]] * 3,
    ]
    for number, letters in ((1, second), (2, third)):
        of_file = [of_files[number] for of_files in chunks]
        texts = [text for chunk in of_file for text in chunk.columns["predictions"]]
        assert texts == [f"{number}{letters.index(name)}" for name in "abcde"]
        assert [place for chunk in of_file for place in chunk.places] == [letters.index(name) for name in "abcde"]
        assert of_file[1].only(1).where().endswith(f", row {letters.index('d') + 1}, id d")
    assert [of_files[0].start for of_files in chunks] == [of_files[2].start for of_files in chunks] == [0, 2, 4]


@pytest.mark.parametrize(
    ("letters", "message"),
    [
        (
            ("abcd", "abcd", "abc"),
            "compare: the sample with id 'd' of system 0 is missing from system 2; compare systems",
        ),
        (("abcdef", "axcdey", "fedcba"), "'b' of system 0 is missing from system 1"),
        (("abc", "abcdefg", "abc"), "'d' of system 1 is missing from system 0"),
        (("abc", "abcd", "abc"), "'d' of system 1 is missing from system 0"),
        (("ab", "abc", "ab"), "'c' of system 1 is missing from system 0"),
        (("abcd", "dcbe", "abcd"), "'a' of system 0 is missing from system 1"),
        (("abca", "abc", "abc"), "row 4: id 'a' was used before. Give every sample"),
        (("abc", "abc", "abbcb"), "row 3: id 'b' was used before"),
    ],
)
def test_files_of_other_samples(tmp_path, letters, message):
    with pytest.raises(InputError) as error:
        list(systems(tmp_path, *letters))
    assert message in str(error.value)


def test_a_column_of_numbers_is_named_as_in_the_file(write):
    path = write("rows.csv", "prediction,rouge\ns,0.5\n")
    columns = (*layout(predictions="prediction").columns, (quality_column("rouge"), "rouge"))
    [chunk] = read_chunks(path, Layout(columns, Shape()), 9)
    assert chunk.columns[quality_column("rouge").name] == ["0.5"]
    with pytest.raises(InputError, match=r"no column 'bleu'; found prediction, rouge.* with --quality-column"):
        list(read_chunks(path, Layout(((quality_column("bleu"), "bleu"),), Shape()), 9))
