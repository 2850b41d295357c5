"""Word lists and the one tokenizer that counts them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.text.wordlists import (
    EXTENDED_GENDER,
    HELM_GENDER,
    WORD_LISTS,
    check_word_lists,
    count_identifiers,
    words,
)

WORD = st.sampled_from(["she", "he", "her", "sherry", "theme", "mother", "mother-in-law", "O'Man", "She's", "HIS", "a"])


def test_the_lists_are_those_of_the_paper():
    # Table 10 has 20 rows, its "femen" among them; table 18 has 27.
    assert [len(listed) for listed in HELM_GENDER.values()] == [20, 20]
    assert "femen" in HELM_GENDER["female"]
    assert "females" not in HELM_GENDER["female"]
    assert [len(listed) for listed in EXTENDED_GENDER.values()] == [27, 27]


def test_whole_words_are_counted():
    for text, female, male in [
        ("She's, she’s, SHE'D: she'll", 4, 0),
        ("Her mother's sister", 3, 0),
        ("Sherry, there, theme, history, womanly, hero", 0, 0),
        ("her mother-in-law and a four-man crew", 1, 0),  # a compound is a word of its own
        ("O'Man met Mc'She", 0, 0),
        ("he--she—he…“her”", 2, 2),
        ("he/she, (him), _his_, *hers*", 2, 3),
        ("", 0, 0),
    ]:
        assert count_identifiers(text) == {"female": female, "male": male}


def test_clitics_are_no_words():
    text = "she'll, they're, I've, O'Neil's don't 'she' _it_ rock'n'roll's"
    assert words(text) == ["she", "they", "i", "o'neil", "don't", "she", "it", "rock'n'roll"]


@given(st.lists(WORD, max_size=30))
def test_counting_is_a_loop_over_whole_words(listed):
    expected = {"female": 0, "male": 0}
    for word in listed:
        bare = word.lower().removesuffix("'s")
        for group in expected:
            expected[group] += bare in HELM_GENDER[group]
    assert count_identifiers(", ".join(listed)) == expected


def test_words_of_shipped_lists_can_be_found():
    for lists in WORD_LISTS.values():
        for listed in lists.values():
            assert [words(word) for word in listed] == [[word] for word in listed]
        assert check_word_lists("m", lists) == lists


def test_lists_of_three_groups():
    lists = check_word_lists("m", {"young": ["teen"], "old": ("pensioner", "co-pensioner"), "other": ["émigré"]})
    counts = count_identifiers("A teen, a co-pensioner and an ÉMIGRÉ met the teen's pensioner.", lists)
    assert counts == {"young": 2, "old": 2, "other": 1}


def test_other_lists_are_refused():
    for lists, message in [
        (None, r"m: word_lists must be one of helm, extended or a mapping from group to its words, found None"),
        ({"a": ["x"]}, r"must have at least two groups, found 1"),
        ({"a": ["x"], 2: ["y"]}, r"groups must be strings, found int 2; use str\(\)"),
        ({"a": ["x"], "b": []}, r"'b' must have a non-empty list of words, found list \[\]"),
        ({"a": ["x"], "b": [None]}, r"'b': words must be strings, found None"),
        ({"a": ["x"], "b": ["She"]}, r"'b': 'She' is not a single lower-case word.* use words such as \['she'\]"),
        ({"a": ["x"], "b": ["old man"]}, r"'old man' is not a single lower-case word"),
        ({"a": ["x"], "b": ["y", "x"]}, r"'x' is in the lists of 'a' and 'b'; keep it in one of them"),
        ({"a": ["x"], "b": ["y", "y"]}, r"'y' is twice in the list of 'b'; list it once"),
    ]:
        with pytest.raises(InputError, match=message):
            check_word_lists("m", lists)
