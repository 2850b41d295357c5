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


def test_other_samples():
    for a, b, message in [
        ("abc", "a", "compare: the sample with id 'b' of A is missing from B; compare systems on the same samples"),
        ("a", "ab", "compare: the sample with id 'b' of B is missing from A; compare systems on the same samples"),
    ]:
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


def test_a_summary_in_one_row_or_all():
    for entries, kept in [
        (["s", "s"], "s"),
        (["", "s"], "s"),
        (["s", None], "s"),
        ([None, float("nan")], None),
        (["", ""], ""),
    ]:
        rows = [row | {"summary": entry} for row, entry in zip(rows_of([("a", "1"), ("a", "2")]), entries, strict=True)]
        assert [sample["summary"] for sample in grouped(rows, ["summary"])] == [kept]


def test_what_is_wrong_with_a_row():
    for change, message in [
        ({"id": None}, "'id' is empty, but identifies the sample; fill it in"),
        ({"id": ""}, "'id' is empty, but identifies the sample; fill it in"),
        ({"id": ["x"]}, "'id' must identify the sample, found list ['x']"),
        ({"text": ["x"]}, "(id 'a'): 'text' must contain one source text, found list ['x']; put each text in its own"),
    ]:
        rows = rows_of([("a", "1"), ("a", "2")], summary="s")
        rows[1] |= change
        found = refusal(grouped, rows, ["summary"])
        assert found.startswith("turns.csv, row 2")
        assert message in found


def test_a_missing_label_knows_its_row():
    for label in ("", " \n", "nan", float("nan"), None):
        rows = rows_of([("a", "1"), ("a", "2")])
        rows[1]["who"] = label
        [sample] = grouped(rows, [])
        assert sample["who"][1] == ""
        assert sample["who"][1].where == "turns.csv, row 2 (id 'a'): 'who'"


def test_ids():
    assert [sample_id("row 1", "id", entry) for entry in (7, 7.0, "7", 7.5, True)] == ["7", "7", "7", "7.5", "True"]


def read(rows, column="prediction"):
    return read_predictions(rows, ids=["meeting", "id"], column=column, where="s.csv, row {}".format)


def test_predictions_of_their_own():
    assert read([{"id": 1, "prediction": "s"}]) == {"1": "s"}
    assert read([{"meeting": "1", "summary": "s"}]) == {"1": "s"}
    assert read([{"id": 2, "meeting": 1, "prediction": "s", "other": 3}]) == {"1": "s"}


def test_what_is_wrong_with_predictions():
    for rows, message in [
        ([{"name": 1, "prediction": "s"}], "s.csv, row 0: no column of ids, 'meeting' or 'id'; found name, prediction"),
        ([{"id": 1, "a": "s", "b": "t"}], "s.csv, row 0: no column of predictions, 'prediction'; found id, a, b"),
        (
            [{"id": 1, "a": "s"}, {"id": "1", "a": "s"}],
            "s.csv, row 1: id '1' has two rows; give each sample one prediction",
        ),
        ([{"id": None, "a": "s"}], "s.csv, row 0: 'id' is empty"),
    ]:
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
