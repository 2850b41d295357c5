"""The neutral form: what is marked, what stays, and where."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.families.sensitivity.texts import MARK, changed_spans, neutral_form, without_changed


@pytest.mark.parametrize(
    ("text", "changed", "expected"),
    [
        ("Mary left.", ["Mary"], "X left."),
        ("Maryland left.", ["Mary"], "Maryland left."),
        ("Mary's car, and MARY.", ["Mary"], "X's car, and X."),
        ("May may win in May.", ["May"], "X may win in X."),
        ("The nurse and the Nurse.", ["nurse"], "The X and the X."),
        ("An engineer is an engineer.", ["engineer"], "A X is a X."),
        ("A nurse, an apple.", ["nurse"], "A X, an apple."),
        ("Mary Ann Smith, Smith, Ann.", ["Mary Ann Smith"], "X, X, X."),
        ("Mary  Smith met John Smith.", ["Mary Smith", "John Smith"], "X met X."),
        ("Dr. A. Smith left.", ["A. Smith"], "Dr. X left."),
        ("New York is not York.", ["New York"], "X is not X."),
        ("a 45-year-old", ["45"], "a X-year-old"),
        ("Nothing.", [], "Nothing."),
    ],
)
def test_words_of_variants(text: str, changed: list[str], expected: str) -> None:
    assert without_changed(text, changed) == expected


def test_pronouns_and_titles() -> None:
    assert neutral_form("Mr. Lee said he lost his car.") == neutral_form("Mrs. Lee said she lost her car.")


@given(st.lists(st.sampled_from(["Ann", "Bob", "nurse", "the", "an", "won", "Ann Lee"]), max_size=8), st.booleans())
def test_variants_that_differ_in_their_words_only_become_the_same(words: list[str], is_first: bool) -> None:
    text = " ".join(words)
    other = text.replace("Ann Lee", "Bob Ray").replace("Ann", "Bob")
    changed = ["Ann Lee", "Bob Ray", "Ann", "Bob"] if is_first else ["Bob", "Ann", "Bob Ray", "Ann Lee"]
    assert without_changed(text, changed) == without_changed(other, changed)


@given(st.text("AnBob enr.,X", max_size=30))
def test_spans_are_what_is_marked(text: str) -> None:
    changed = ["Ann", "Bob", "ne"]
    spans = changed_spans(text, changed)
    assert all(any(word.lower() in text[start:end].lower() for word in changed) for start, end in spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    marked = without_changed(text, changed)
    assert marked.count(MARK) == text.count(MARK) + len(spans)
