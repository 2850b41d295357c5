"""Texts of systems and of Wikipedia: which come from where, and what is refused."""

from __future__ import annotations

import pytest

from fairsum_reproductions.texts import continued_texts
from fairsum_utils.errors import InputError

ROW = {"prompt": "He is", "text": "He is an actor.", "prediction": "He is a cook."}


def test_wikipedia_is_taken_from_any_rows_once() -> None:
    found = continued_texts("professions", {"a": [{"prediction": "A."}], "b": [ROW], "c": [ROW]})
    assert {name: [text for text, _ in texts] for name, texts in found.items()} == {
        "WIKI": ["He is an actor."], "a": ["A."], "b": ["He is a cook."], "c": ["He is a cook."],
    }  # fmt: skip
    assert found["b"][0][1] is ROW


def test_empty_texts_are_left_out_and_others_refused() -> None:
    rows = [ROW, {**ROW, "prediction": "  "}]
    assert len(continued_texts("professions", {"a": rows})["a"]) == 1
    with pytest.raises(
        InputError, match="professions: WIKI, row 2: text must be a string, found None; fill it in or drop"
    ):
        continued_texts("professions", {"a": [ROW, {**ROW, "text": None}]})
    with pytest.raises(
        InputError, match="a has neither a column 'prediction' nor 'text'; name the column with the texts"
    ):
        continued_texts("professions", {"a": [{"prompt": "He"}]})
