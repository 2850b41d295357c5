"""Names for the numbers of classes, wherever in a feature these stand and whichever version wrote it."""

import pytest

from fairsum_utils.errors import FileError
from fairsum_utils.io.classes import features_of_schema, naming_of, namings

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
    naming = naming_of(feature, "a.parquet")
    assert naming(cell) == expected


@pytest.mark.parametrize(
    "feature", [TEXT, {"_type": "List", "feature": TEXT}, [], {"a": TEXT}, None, {"_type": "List"}]
)
def test_what_holds_no_class_has_no_naming(feature):
    assert naming_of(feature, "a.parquet") is None


@pytest.mark.parametrize("number", [2, -2])
def test_a_number_that_no_class_has(number):
    with pytest.raises(FileError, match=f"a.arrow: column 'c': found class {number}, but there are 2: neg, pos"):
        namings({"c": LABEL}, "a.arrow")["c"](number)


@pytest.mark.parametrize("metadata", [None, {}, {b"huggingface": b"{}"}, {b"huggingface": b"not JSON"}])
def test_metadata_without_features(metadata):
    assert features_of_schema(metadata) is None
    assert namings(features_of_schema(metadata), "a.arrow") == {}
