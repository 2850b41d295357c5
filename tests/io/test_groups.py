"""Unique ids, and samples of two systems matched by them."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.io.groups import (
    check_unique,
    group_rows,
    join_predictions,
    match_ids,
    read_predictions,
    sample_id,
)


@given(st.permutations(list("abcde")), st.permutations(list("abcde")))
def test_places(a, b):
    assert [b[place] for place in match_ids("compare", ("A", a), ("B", b))] == a


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ("abc", "a", "compare: the sample with id 'b' of A is missing from B; compare systems on the same samples"),
        ("a", "ab", "compare: the sample with id 'b' of B is missing from A; compare systems on the same samples"),
    ],
)
def test_other_samples(a, b, message):
    with pytest.raises(InputError) as error:
        match_ids("compare", ("A", list(a)), ("B", list(b)))
    assert str(error.value) == message


def test_the_first_repeated_id_is_named():
    seen = {"x"}
    check_unique("ab", str, seen)
    with pytest.raises(InputError, match="row 6: id 'x' was used before"):
        check_unique("cxxa", "row {}".format, seen, 5)


ROWS = st.lists(st.tuples(st.sampled_from("abc"), st.text(min_size=1, max_size=3)), max_size=12)


def rows_of(pairs, **more):
    return [{"id": name, "text": text, "who": f"{name}{text}", **more} for name, text in pairs]


def place(index):
    return f"turns.csv, row {index + 1}"


def grouped(rows, others=(), **options):
    sizes = Counter(str(row["id"]) for row in rows)
    return list(group_rows(rows, "id", texts="text", values="who", others=others, sizes=sizes, where=place, **options))


def refusal(call, *arguments, **options):
    with pytest.raises(InputError) as error:
        call(*arguments, **options)
    return str(error.value)


@given(ROWS)
def test_samples_keep_the_order_of_their_first_rows(pairs):
    expected = {}
    for name, text in pairs:
        expected.setdefault(name, []).append(text)
    rows = rows_of(pairs)
    found = grouped(rows)
    assert [(sample["id"], sample["text"]) for sample in found] == list(expected.items())
    assert all(sample["who"] == [f"{sample['id']}{text}" for text in sample["text"]] for sample in found)


@pytest.mark.parametrize(
    ("entries", "kept"),
    [(["s", "s"], "s"), (["", "s"], "s"), (["s", None], "s"), ([None, float("nan")], None), (["", ""], "")],
)
def test_a_summary_in_one_row_or_all(entries, kept):
    rows = [row | {"summary": entry} for row, entry in zip(rows_of([("a", "1"), ("a", "2")]), entries, strict=True)]
    assert [sample["summary"] for sample in grouped(rows, ["summary"])] == [kept]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": None}, "turns.csv, row 2: 'id' is empty, but identifies the sample; fill it in"),
        ({"id": ""}, "turns.csv, row 2: 'id' is empty, but identifies the sample; fill it in"),
        ({"id": ["x"]}, "turns.csv, row 2: 'id' must identify the sample, found list ['x']"),
        ({"text": None}, "turns.csv, row 2 (id 'a'): 'text' is empty; fill it in or remove the row"),
        ({"text": ["x"]}, (
            "turns.csv, row 2 (id 'a'): 'text' must contain one source text, found list ['x']; put each text in its "
            "own row"
        )),
        ({"summary": "t"}, (
            "turns.csv, row 2 (id 'a'): 'summary' is 't', but 's' in turns.csv, row 1; use the same entry in all "
            "rows of a sample, or fill in only one"
        )),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_row(change, message):
    rows = rows_of([("a", "1"), ("a", "2")], summary="s")
    rows[1] |= change
    assert refusal(grouped, rows, ["summary"]).startswith(message)


@pytest.mark.parametrize("label", ["", " \n", "nan", float("nan"), None])
def test_a_missing_label_knows_its_row(label):
    rows = rows_of([("a", "1"), ("a", "2")])
    rows[1]["who"] = label
    [sample] = grouped(rows, [])
    assert sample["who"][1] == ""
    assert sample["who"][1].where == "turns.csv, row 2 (id 'a'): 'who'"


@pytest.mark.parametrize(("entry", "name"), [(7, "7"), (7.0, "7"), ("7", "7"), (7.5, "7.5"), (True, "True")])
def test_ids(entry, name):
    assert sample_id("row 1", "id", entry) == name


def read(rows, column="prediction"):
    return read_predictions(rows, ids=["meeting", "id"], column=column, where="s.csv, row {}".format)


@pytest.mark.parametrize(
    "rows",
    [
        [{"id": 1, "prediction": "s"}],
        [{"meeting": "1", "summary": "s"}],
        [{"id": 2, "meeting": 1, "prediction": "s", "other": 3}],
    ],
)
def test_predictions_of_their_own(rows):
    assert read(rows) == {"1": "s"}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"name": 1, "prediction": "s"}], "s.csv, row 0: no column of ids, 'meeting' or 'id'; found name, prediction"),
        ([{"id": 1, "a": "s", "b": "t"}], "s.csv, row 0: no column of predictions, 'prediction'; found id, a, b"),
        (
            [{"id": 1, "a": "s"}, {"id": "1", "a": "s"}],
            "s.csv, row 1: id '1' has two rows; give each sample one prediction",
        ),
        ([{"id": None, "a": "s"}], "s.csv, row 0: 'id' is empty"),
    ],
)
def test_what_is_wrong_with_predictions(rows, message):
    assert refusal(read, rows).startswith(message)


def test_joining():
    samples = [{"id": 2, "sources": "x"}, {"id": "1"}]
    names = {"by": "id", "column": "p", "where": "score: a", "source": "score: b", "module": "score"}
    predictions = {"1": "s", "2": "t"}
    joined = list(join_predictions(samples, predictions, **names))
    assert joined == [{"id": 2, "sources": "x", "p": "t"}, {"id": "1", "p": "s"}]
    assert samples[1] == {"id": "1"}
    message = refusal(lambda: list(join_predictions(samples, {**predictions, "3": "u", "4": "v"}, **names)))
    assert message == (
        "score: b: 2 of 4 predictions belong to no sample in a, such as id '3'; remove them or add their sources"
    )
    message = refusal(lambda: list(join_predictions(samples, {"2": "t"}, **names)))
    assert message == "score: a: id '1' has no prediction in b; add it or remove the sample"
