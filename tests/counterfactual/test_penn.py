"""Trees, tokens and running text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.counterfactual.penn import Leaf, detokenize, read_trees, surface
from fairsum_utils.errors import InputError


def leaves(tagged: str) -> list[Leaf]:
    """Words of "word|TAG word|TAG", the tag of the word itself if there is none."""
    return [Leaf(surface(word), tag or word) for word, _, tag in (item.partition("|") for item in tagged.split())]


@pytest.mark.parametrize(
    ("tagged", "text"),
    [
        ("`` Go , '' he said : `` No ! ''", '"Go," he said: "No!"'),
        ("the `|`` box '|'' of the boys '|POS", "the 'box' of the boys'"),
        ("I 'm sure Bo 's car wo n't , they 'D", "I'm sure Bo's car won't, they'D"),
        ("in the '80s and rock 'n' roll", "in the '80s and rock 'n' roll"),
        ("a -LRB- b -LSB- c -RSB- -RRB- d", "a (b [c]) d"),
        ("$|$ 5 or US$|$ 7 or #|# 3 or 4 %", "$5 or US$7 or #3 or 4%"),
        ("New York -|HYPH based -|: so -- he \\/ she", "New York-based - so -- he/she"),
        ("You can not ; I can and not", "You cannot; I can and not"),
        ("in the U.S. .", "in the U.S."),
        ("the U.S. , etc. ...", "the U.S., etc. ..."),
        ("Why ? .", "Why?."),
        (". .", ".."),
        ("", ""),
    ],
)
def test_running_text(tagged: str, text: str) -> None:
    assert detokenize(leaves(tagged))[0] == text


def test_places_of_words() -> None:
    # I 0-1, 'm 1-3, at 4-6, Co. 7-10 and the period of the sentence, which is its last character.
    assert detokenize(leaves("I 'm at Co. ."))[1] == [(0, 1), (1, 3), (4, 6), (7, 10), (9, 10)]


WORD = st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=5) | st.sampled_from(
    [*",.;:?!()[]{}%/*", "'s", "n't", "can", "not", "U.S.", "...", "--", "$"]
)
TAG = st.sampled_from(["NN", "``", "''", "$", "#", "HYPH", "POS", "-NONE-"])


@given(st.lists(st.builds(Leaf, WORD, TAG), max_size=20))
def test_every_word_stands_at_its_place(words: list[Leaf]) -> None:
    text, places = detokenize(words)
    assert [text[start:end] for start, end in places] == [leaf.word for leaf in words]
    assert places == sorted(places, key=lambda place: place[1])
    covered = {position for start, end in places for position in range(start, end)}
    assert {text[position] for position in range(len(text)) if position not in covered} <= {" "}
    assert text == text.strip()
    assert "  " not in text


@pytest.mark.parametrize(
    ("token", "printed"),
    [
        ("``", '"'),
        ("''", '"'),
        ("`", "'"),
        ("-LCB-", "{"),
        (":-RRB-", ":)"),
        ("-RAB-", ">"),
        ("1\\/2", "1/2"),
        ("\\*", "*"),
        ("A&amp;B", "A&B"),
        ("A&B", "A&B"),
        ("&amp;lt;", "&lt;"),
        ("&lt;", "<"),
        ("/.", "."),
        ("and/or", "and/or"),
        ("-NONE-", "-NONE-"),
    ],
)
def test_surface(token: str, printed: str) -> None:
    assert surface(token) == printed


def test_leaves_of_trees() -> None:
    trees = list(
        read_trees(
            "( (S\n  (NP-SBJ-1 (PRP$ His) ( NN  job ))\r\n (VP (VBZ is) (NP (-NONE- *T*-1) (SYM *)))))(X h\u00a0m)\n"
        )
    )
    assert [[leaf.word for leaf in tree] for tree in trees] == [["His", "job", "is", "*T*-1", "*"], ["h\u00a0m"]]
    assert [leaf.is_trace for leaf in trees[0]] == [False, False, False, True, False]
    assert [leaf.pronoun for leaf in trees[0]] == ["PRP$", None, None, None, None]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(S (NN a))\n(S (NN b)", "tree 2 does not end; brackets that were opened are not closed"),
        ("(S (NN a)))", r"line 1, tree 2: '\)' is out of place"),
        ("(S (NN a))\n\n(S (NP b c))", "line 3, tree 2: 'b' is out of place"),
        ("word", "line 1, tree 1: 'word' is out of place"),
    ],
)
def test_trees_that_are_none(text: str, message: str) -> None:
    with pytest.raises(InputError, match=f"^{message}$"):
        list(read_trees(text))
