"""Edits of a text: new positions, and articles before them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.counterfactual.edits import Edit, apply_edits, article_for
from fairsum_utils.errors import InputError


def edited(text, **words):
    """Return the text with the first occurrence of words replaced."""
    edits = [Edit(text.index(old), text.index(old) + len(old), new, "word") for old, new in words.items()]
    return apply_edits(text, edits)


def test_places_in_the_new_text() -> None:
    # "Eve " moves what follows by 1 character; "now" stays where it is, and is told all the same.
    text, changes = edited("Jo ran and now Jo sits.", Jo="Eve", now="now", sits="stands")
    assert text == "Eve ran and now Jo stands."
    assert [(change.start, change.end, change.before, change.after) for change in changes] == [
        (0, 3, "Jo", "Eve"), (12, 15, "now", "now"), (19, 25, "sits", "stands"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "word", "other", "made"),
    [
        ("She is a nurse.", "nurse", "editor", "She is an editor."),
        ("An editor wrote.", "editor", "nurse", "A nurse wrote."),
        ('He is an "editor".', "editor", "user", 'He is a "user".'),
        ("A 34-year-old", "34", "82", "An 82-year-old"),
        ("an 18-year-old", "18", "71", "a 71-year-old"),
        ("Vitamin A doctors", "doctors", "actors", "Vitamin An actors"),  # a letter is not told from an article
        ("banana nurse", "nurse", "editor", "banana editor"),
        ("a writer", "writer", "baker", "a baker"),
        ("an historian", "historian", "baker", "an baker"),  # both sound alike here, so the author's article stays
    ],
)
def test_articles_agree(text, word, other, made) -> None:
    assert edited(text, **{word: other})[0] == made


def test_an_article_is_a_change_by_itself() -> None:
    text, changes = edited("Is a nurse here?", nurse="editor")
    assert [(text[change.start : change.end], change.kind) for change in changes] == [
        ("an", "article"), ("editor", "word"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "article"),
    [
        *(("hour", "an"), ("honest man", "an"), ("heir", "an"), ("house", "a"), ("one", "a"), ("European", "a")),
        *(("uniform", "a"), ("unimportant", "an"), ("uncle", "an"), ("11", "an"), ("110", "a"), ("8", "an"), ("", "a")),
    ],
)
def test_sounds(words, article) -> None:
    assert article_for(words) == article


def test_edits_that_overlap() -> None:
    with pytest.raises(InputError, match="two edits overlap at character 3"):
        apply_edits("Ann Lee", [Edit(0, 7, "x", ""), Edit(3, 5, "y", "")])


@given(st.lists(st.tuples(st.text(max_size=4), st.text(min_size=1, max_size=4), st.text(max_size=4)), max_size=6))
def test_all_else_stays(parts) -> None:
    """Text between edits stays except for articles, and changes record new positions."""
    text, edits = "", []
    for between, old, new in parts:
        text += between.replace("a", "e").replace("A", "E")
        edits.append(Edit(len(text), len(text) + len(old), new, ""))
        text += old.replace("a", "e").replace("A", "E")
    made, changes = apply_edits(text, edits)
    assert made == "".join(between.replace("a", "e").replace("A", "E") + new for between, _, new in parts)
    assert all(made[change.start : change.end] == change.after for change in changes)
