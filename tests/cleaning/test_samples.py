"""What the entries of a sample become, and the notes about them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fairsum_utils.cleaning import cleaned, texts_as_read
from fairsum_utils.errors import InputError

LOOSE, ONE = "cafe\N{COMBINING ACUTE ACCENT}", "caf\N{LATIN SMALL LETTER E WITH ACUTE}"


def test_entries_of_every_shape() -> None:
    for entry, read in [
        (LOOSE, ONE),
        ([LOOSE, "soup"], [ONE, "soup"]),
        ((LOOSE, 1), [ONE, 1]),
        ({LOOSE: [LOOSE]}, {ONE: [ONE]}),
        ([{"name": LOOSE, "n": None}], [{"name": ONE, "n": None}]),
        (np.array([LOOSE, "soup"]), [ONE, "soup"]),
        (7, 7),
        (None, None),
    ]:
        assert cleaned("bur", {"column": entry}).row == {"column": read}


def test_entries_without_a_change_are_the_same_objects() -> None:
    row: dict[str, Any] = {"sources": ["soup"], "values": [1, ONE], "coverage": np.eye(2), "serious": [[0.5]]}
    found = cleaned("bur", row)
    assert all(found.row[column] is entry for column, entry in row.items())
    assert found.notes == ()


def test_half_a_character_is_refused() -> None:
    """No table of rows can hold it."""
    for entry in ["Go\ud800od", ["soup", "Go\ud800od"], {"Go\ud800od": 1}, np.array(["Go\ud800od"])]:
        with pytest.raises(
            InputError, match=r"^bur: sample 3: values holds '\\ud800', which is half a character; replace"
        ):
            cleaned("bur: sample 3", {"values": entry})


def test_lists_in_thousands_of_lists_are_refused() -> None:
    entry: list[Any] = []
    for _ in range(20_000):
        entry = [entry]
    with pytest.raises(InputError, match=r"^bur: sample 3: values is nested too deeply$"):
        cleaned("bur: sample 3", {"values": entry})


def test_keys_that_become_one_are_refused() -> None:
    with pytest.raises(
        InputError, match=f"^bur: sample 3: aliases has the key '{ONE}' twice, in different characters; keep one$"
    ):
        cleaned("bur: sample 3", {"aliases": {LOOSE: ["a"], ONE: ["b"]}})


def test_spans_move_with_their_text() -> None:
    text = f"{LOOSE} had mice"
    start = text.index("mice")
    row = {"sources": ["ok", text], "serious_spans": [[[0, 2]], [[start, len(text)]]]}
    found = cleaned("omission", row).row
    assert found["serious_spans"] == [[[0, 2]], [[start - 1, len(text) - 1]]]
    assert found["sources"][1][start - 1 :] == "mice"
    odd = {**row, "serious_spans": [[["0", 2]], "x"]}
    assert cleaned("omission", odd).row["serious_spans"] == odd["serious_spans"], "to be refused by the check"


def test_notes() -> None:
    for row, notes in [
        ({"predictions": "<think>a—b</think>Soup."}, ("reasoning",)),
        ({"predictions": "<think>Soup."}, ("reasoning", "unfinished_reasoning")),
        ({"predictions": "Soup<br />and &amp; more"}, ("html:predictions",)),
        ({"sources": ["Soup", "<p class='x'>Soup</p>"]}, ("html:sources",)),
        ({"sources": ["It&#39;s"]}, ("html:sources",)),
        ({"sources": ["AT&T; <3 a<b, R&D"]}, ()),
        ({"predictions": "soup—cold"}, ("joined_by_dash:predictions",)),
        ({"sources": ["soup–cold"], "predictions": "a — b, 5–10, so-called"}, ("joined_by_dash:sources",)),
        ({"values": ["a—b", "<b>"]}, ()),
    ]:
        assert cleaned("bur", row, dashes=True).notes == notes


def test_what_settings_change() -> None:
    row = {"predictions": "<think>a</think>Soup—cold."}
    assert cleaned("bur", row, reasoning="keep") == (row, ())
    assert texts_as_read(row)["predictions"] == "Soup—cold."

    class Settings:
        reasoning = "keep"

    assert texts_as_read(row, Settings()) == row
