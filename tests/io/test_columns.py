"""Columns that a file lacks, or calls otherwise."""

import pyarrow
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet
import pytest

from fairsum_utils.errors import FileError, InputError
from fairsum_utils.io.columns import columns_of_classes, features_of_schema, with_names
from fairsum_utils.io.reading import read_rows

NEEDED = {name: f"--{name}-column" for name in ("prediction", "sources", "values")}


def test_columns_that_others_call_otherwise(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": 1, "Summary": "a", "my reviews": ["b"], "value": ["c"]}\n')
    message = (
        f"{path}, row 1: no column 'prediction', 'sources', 'values'; found id, Summary, my reviews, value. Try "
        "--prediction-column Summary --values-column value; name the right one with --sources-column"
    )
    with pytest.raises(FileError) as caught:
        read_rows(path, NEEDED)
    assert str(caught.value) == message


def test_parquet_lacks_columns(tmp_path):
    path = tmp_path / "rows.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"prediction": ["a"]}), path)
    with pytest.raises(InputError, match=r"rows\.parquet: no column 'sources', 'values'; found prediction"):
        read_rows(path, NEEDED)


LABEL = {"_type": "ClassLabel", "names": ["neg", "pos"]}
TEXT = {"_type": "Value", "dtype": "string"}


@pytest.mark.parametrize(
    ("feature", "cell", "expected"),
    [
        (LABEL, 1, "pos"),
        (LABEL, -1, None),  # no label
        (LABEL, None, None),
        (LABEL, "pos", "pos"),  # named already
        ({"_type": "List", "feature": LABEL}, [0, 1, -1], ["neg", "pos", None]),
        ({"_type": "Sequence", "feature": LABEL, "length": -1}, [1], ["pos"]),
        ({"_type": "List", "feature": {"_type": "List", "feature": LABEL}}, [[0], []], [["neg"], []]),
        ({"who": LABEL, "text": TEXT}, {"who": 0, "text": "x"}, {"who": "neg", "text": "x"}),
        ([{"who": LABEL, "text": TEXT}], [{"who": 0, "text": "x"}], [{"who": "neg", "text": "x"}]),
        # A sequence of structures is stored as a list a field.
        ({"_type": "Sequence", "feature": {"who": LABEL, "text": TEXT}}, {"who": [1], "text": ["x"]},
         {"who": ["pos"], "text": ["x"]}),
    ],
)  # fmt: skip
def test_names_stand_for_numbers(feature, cell, expected):
    assert list(columns_of_classes({"c": feature})) == ["c"]
    assert with_names(feature, cell, "a.parquet") == expected


@pytest.mark.parametrize(
    "feature", [TEXT, {"_type": "List", "feature": TEXT}, [], {"a": TEXT}, None, {"_type": "List"}]
)
def test_what_holds_no_class_has_no_naming(feature):
    assert columns_of_classes({"c": feature}) == {}


@pytest.mark.parametrize("number", [2, -2])
def test_a_number_that_no_class_has(number):
    with pytest.raises(FileError, match=f"a.arrow: column 'c': found class {number}, but there are 2: neg, pos"):
        with_names(LABEL, number, "a.arrow: column 'c'")


@pytest.mark.parametrize("metadata", [None, {}, {b"huggingface": b"{}"}, {b"huggingface": b"not JSON"}])
def test_metadata_without_features(metadata):
    assert features_of_schema(metadata) is None
    assert columns_of_classes(features_of_schema(metadata)) == {}
