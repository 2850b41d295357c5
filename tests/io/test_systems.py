"""Samples of several systems, paired by their ids."""

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families import all_measures
from fairsum_utils.families.documents import all_columns
from fairsum_utils.io.layout import Layout, read_chunks
from fairsum_utils.io.shapes import Shape
from fairsum_utils.io.systems import quality_column, read_systems

COLUMNS = all_columns(all_measures())


def layout(**names):
    return Layout(tuple((COLUMNS[name], in_file) for name, in_file in names.items()), Shape())


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
            "compare: 1 sample of system 0 is not in system 2, such as id 'd'; compare systems",
        ),
        (("abcdef", "axcdey", "fedcba"), "2 samples of system 0 are not in system 1, such as id 'b'"),
        (("abc", "abcdefg", "abc"), "4 samples of system 1 are not in system 0, such as id 'd'"),
        (("abcd", "dcbe", "abcd"), "1 sample of system 0 is not in system 1, such as id 'a'"),
        (("abca", "abc", "abc"), "row 4: id 'a' has been used before; 1 sample repeats an id. Give every sample"),
        (("abc", "abc", "abbcb"), "row 3: id 'b' has been used before; 2 samples repeat an id"),
    ],
)
def test_files_of_other_samples(tmp_path, letters, message):
    with pytest.raises(InputError) as error:
        list(systems(tmp_path, *letters))
    assert message in str(error.value)


def test_a_column_of_numbers_is_named_as_in_the_file(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("prediction,rouge\ns,0.5\n", encoding="utf-8")
    columns = (*layout(predictions="prediction").columns, (quality_column("rouge"), "rouge"))
    [chunk] = read_chunks(path, Layout(columns, Shape()), 9)
    assert chunk.columns[quality_column("rouge").name] == ["0.5"]
    with pytest.raises(InputError, match=r"no column 'bleu'; found prediction, rouge.* with --quality-column"):
        list(read_chunks(path, Layout(((quality_column("bleu"), "bleu"),), Shape()), 9))
