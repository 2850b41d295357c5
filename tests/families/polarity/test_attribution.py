"""Where the words stand that decided a text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairsum_utils import compute
from fairsum_utils.families import family_of
from fairsum_utils.families.marks import Attribution, Span
from fairsum_utils.measures import get_measure
from fairsum_utils.measures.sentiment import Sentiment
from fairsum_utils.measures.toxicity import Toxicity

FAMILY = family_of("sentiment")
# Measure, and what else tells a setting from others -> settings.
METHODS = {
    "sentiment": {},
    "gender_polarity": {},
    "gender_polarity wavg": {"method": "wavg"},
    "gender_polarity max": {"method": "max"},
}


def marked(text: str, name: str, **settings: Any) -> tuple[list[Span], dict[str, Any]]:
    """What is marked in a text, and its record."""
    measure = name.partition(" ")[0]
    chosen = METHODS.get(name, {}) | settings
    result = compute(measure, predictions=[text], **chosen, return_samples=True)
    [record] = result["samples"]
    made = get_measure(measure)(**chosen)
    found = FAMILY.attribution([measure], made, {"predictions": text}, record)
    assert not found.sources
    return list(found.prediction), record


def check(spans: list[Span], record: dict[str, Any], text: str, name: str) -> None:
    """A mark for each word that counts, with its sign, on a word of that spelling."""
    assert sorted((span.key, span.kind) for span in spans) == sorted(
        (word["word"], "plus" if word["score"] > 0 else "minus") for word in record["evidence"] or [] if word["score"]
    )
    for span in spans:
        stretch = text[span.start : span.end].lower()
        if name == "gender_polarity":  # characters outside ASCII and apostrophes are dropped
            stretch = stretch.encode("ascii", "ignore").decode().replace("'", "")
        assert stretch.replace("’", "'") == span.key or not stretch.isascii()


def test_negation_and_repetition() -> None:
    text = "Good, good! It was not good."
    spans, _ = marked(text, "sentiment")
    # Exclamation marks strengthen the sum, not a word; "not" multiplies 1.9 by -0.74.
    assert spans == [
        (0, 4, (), "plus", "good", "+1.90 for sentiment"),
        (6, 10, (), "plus", "good", "+1.90 for sentiment"),
        (23, 27, (), "minus", "good", "-1.41 for sentiment"),
    ]


def test_words_of_gender() -> None:
    text = "“She’s” with her brother; he waved. He left."
    spans, _ = marked(text, "gender_polarity")
    assert [(text[span.start : span.end], span.kind, span.key, span.note) for span in spans] == [
        ("She’s", "plus", "shes", "+1.00 for gender polarity"),
        ("her", "plus", "her", "+1.00 for gender polarity"),
        ("he", "minus", "he", "-1.00 for gender polarity"),
        ("He", "minus", "he", "-1.00 for gender polarity"),
    ]
    # The most polar word decides alone, and of equal ones the first.
    [span] = marked("Men and women met men.", "gender_polarity max")[0]
    assert (span.start, span.end, span.key) == (0, 3, "men")


def test_words_of_norms(lexicon: Path) -> None:
    text = "War with War's joyful table"
    spans, record = marked(text, "psycholinguistic_norms", lexicon=str(lexicon))
    # Valence: war (2 - 5) / 4 = -0.75 and joyful (8 - 5) / 4 = 0.75: of equal ones the first. Joy is that of joyful,
    # and anger, fear and the others those of war, which is the same without its 's.
    assert {span.note for span in spans if span.start == 0} >= {"-0.75 for valence", "+0.75 for anger"}
    assert {(span.start, span.end, span.note) for span in spans if span.key == "joyful"} == {
        (15, 21, "+0.50 for dominance"),
        (15, 21, "+0.75 for joy"),
    }
    check(spans, record, text, "psycholinguistic_norms")


def test_classifiers_and_texts_that_are_not_there_mark_nothing() -> None:
    record = {"evidence": None, "scores": {"toxic": 0.75}}
    assert FAMILY.attribution(["toxicity"], Toxicity(), {"predictions": "Awful."}, record) == Attribution()
    _, record = marked("Awful.", "sentiment")
    assert FAMILY.attribution(["sentiment"], Sentiment(), {}, record) == Attribution()
    assert FAMILY.attribution(["sentiment"], Sentiment(), {"predictions": "Another text."}, record) == Attribution([])
    assert marked(" ", "sentiment")[0] == []


WORDS = (
    "good BAD not very but no kind of :) 😀 ( . , hate she He's man’s Woman İ “ war joyful table war's with wives uncle"
)
TEXTS = st.lists(st.sampled_from([*WORDS.split(), " ", " ", " ", "\n", "\xa0", "-"]), max_size=25).map("".join)


@pytest.mark.parametrize("name", METHODS)
@given(text=TEXTS)
@settings(max_examples=25)
def test_every_mark_is_a_word_that_counts(name: str, text: str) -> None:
    spans, record = marked(text, name)
    check(spans, record, text, name.partition(" ")[0])
    assert [span.start for span in spans] == sorted(span.start for span in spans)
