"""Lists in cells, whatever wrote them: read exactly, or refused."""

import contextlib
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.io.cells import CellError, parse_cell
from tests._steps import slowdown

TEXTS = st.lists(
    st.text()
    | st.text(alphabet="'\"\\[](){},. \n\r\t\0ab…é\u2028😀0-")
    | st.sampled_from(["", "a' 'b", "...", "', '"]),
    max_size=8,
)


@given(TEXTS)
def test_lists_of_texts_are_read_back(texts):
    objects = np.array(texts, dtype=object)
    for written in (json.dumps(texts), json.dumps(texts, ensure_ascii=False), repr(texts), repr(tuple(texts))):
        assert parse_cell(written) == texts
    assert parse_cell(str(objects)) == texts
    assert parse_cell(repr(objects)) == texts
    strings = np.array(texts, dtype=str)  # which leaves out NULs at the end
    assert parse_cell(str(strings)) == strings.tolist()
    assert parse_cell(repr(list(strings))) == strings.tolist()


@given(st.lists(TEXTS, min_size=1, max_size=3))
def test_lists_of_lists_are_read_back(lists):
    objects = np.empty(len(lists), dtype=object)
    objects[:] = [np.array(texts, dtype=object) for texts in lists]
    assert parse_cell(repr(lists)) == lists
    assert parse_cell(str(objects)) == lists
    objects[:] = [*lists[:-1], list(lists[-1])]
    assert parse_cell(str(objects)) == lists


@given(st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.text()))
def test_dicts_are_read_back(mapping):
    assert parse_cell(repr(mapping)) == mapping
    assert parse_cell(repr([mapping, mapping])) == [mapping, mapping]
    assert parse_cell(str(np.array([mapping, mapping], dtype=object))) == [mapping, mapping]


@given(st.lists(st.integers(-(2**40), 2**40) | st.booleans() | st.none(), max_size=6))
def test_numbers_are_read_back(items):
    assert parse_cell(repr(items)) == items
    assert parse_cell(str(np.array(items, dtype=object))) == items
    if items and all(type(item) is int for item in items):
        assert parse_cell(str(np.array(items))) == items
        assert parse_cell(repr(list(np.array(items)))) == items


@given(st.text(alphabet="'\"\\[](){}, \nabnNone1.x0-", max_size=14))
def test_what_is_read_is_what_python_would_read(text):
    """Unless it is NumPy's, or joins texts: then Python says something else, or nothing."""
    import ast

    try:
        found = parse_cell(text)
    except CellError:
        return
    if isinstance(found, (list, dict)) and "," in text and "None" not in text:
        try:
            expected = ast.literal_eval(text.strip())
        except (ValueError, SyntaxError):
            return
        if isinstance(expected, (list, tuple)) and len(expected) == len(found):
            assert json.dumps(found) == json.dumps(expected)


def test_what_is_refused():
    for text, message in [
        ("['a' 'b', 'c']", "some entries are separated by commas and others are not"),
        ("['a', 'b' 'c']", "some entries are separated by commas and others are not"),
        ("['a''b']", "a comma or space is missing at character 5"),
        ("['a'\"b\"]", "a comma or space is missing at character 5"),
        ("('a' 'b')", "some entries are separated by commas and others are not"),
        (str(np.array(["a"] * 1001)), "NumPy left out entries"),
        (str(np.array([0.5, 1 / 3])), "NumPy rounds floats when it prints them;"),
        (str(np.array([b"a", b"b"])), "is not a text in quotes"),
        ("['a', 'b'", "the list is cut off"),
        ("['a', 'b", "the quote at character 7 is not closed"),
        ("['a'] ['b']", "more text after the end, at character 7"),
        ("[__import__('os').system('true')]", "is not a text in quotes"),
        ("{'a': 'b' 'c'}", "some entries are separated by commas and others are not"),
        ("{['a']: 1}", "a key of a dict is not a text"),
        ("{'a': 1, 'a': 2}", "the key 'a' appears 2 times in {'a': 2}"),
        ('[{"a": 1, "a": 2}]', "the key 'a' appears 2 times in {'a': 2}"),
        ("{1, 2}", "a key of a dict is not a text"),
        (r"['\d']", "is not a valid escape sequence"),
        (r"['\ud800']", "half a character"),
        (r'["\ud800"]', "half a character"),
        ("[" * 100_000, "nested"),
        ("['a', [" * 100_000, "nested"),
        ("[" + "1" * 5000 + "]", "4300 digits"),
        ("", "the list is cut off"),
        ("one text", "'one text' is not a text in quotes"),
        ("[1 2.5x]", "is not a text in quotes"),
        ("['a')", "'.' at character 5 closes nothing"),
    ]:
        with pytest.raises(CellError, match=message):
            parse_cell(text)


def test_what_the_makers_of_tables_write():
    assert parse_cell("[np.str_('a'), np.int64(3), np.True_]") == ["a", 3, True]
    assert math.isnan(parse_cell("['a', nan]")[1])
    assert parse_cell(r"['it\'s \"\x07\U0001f600']") == ["it's \"\a😀"]
    long = [f"text number {i}, it's of some length" for i in range(900)]
    assert parse_cell(str(np.array(long, dtype=object))) == long


def test_time_is_linear():
    def read(n):
        for text in ("['a" + "\\'" * n + "']", "[" + "'a' " * n + "]", "['a'" + " " * n + "x", "['" + "\\" * (2 * n)):
            with contextlib.suppress(CellError):
                parse_cell(text)

    assert slowdown(read, 8000) < 40


def test_twenty_lists_within_a_list_are_read_and_no_more():
    for opening, closing in [("(", ")"), ("{'a': ", "}")]:
        assert parse_cell(opening * 20 + "()" + closing * 20)
        with pytest.raises(CellError, match="nested more than 20 levels deep"):
            parse_cell(opening * 21 + "()" + closing * 21)


def test_entries_behind_lists_and_the_last_characters():
    assert parse_cell("[('a',), ('b',)]") == [["a"], ["b"]]
    assert parse_cell("[{'a': 1}, {}, 2]") == [{"a": 1}, {}, 2]
    assert parse_cell(r"['\ud7ff', '\ue000', '\U0010ffff']") == ["\ud7ff", "\ue000", "\U0010ffff"]
    for text in ("[1'a']", "['a' 1.5]", "[1.5 'a']", r"['\ud800']", r"['\udfff']", r"['\U00110000']"):
        with pytest.raises(CellError):
            parse_cell(text)
