"""Where the words stand that decided a text."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils import compute
from fairsum_utils.families import family_of
from fairsum_utils.families.contract import Attribution, Span

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
    made = FAMILY.settings(measure).make(chosen, measure=measure, module=measure)
    found = FAMILY.attribution([measure], made, {"predictions": text}, record)
    assert not found.sources
    return list(found.prediction), record


def check(spans: list[Span], record: dict[str, Any], text: str, name: str) -> None:
    """A mark for each word that counts, with its sign, on a word of that spelling."""
    evidence = record["evidence"] or []
    entries = list(evidence.values()) if isinstance(evidence, Mapping) else evidence
    assert sorted((span.key, span.kind) for span in spans) == sorted(
        (word, "plus" if score > 0 else "minus") for word, score in entries if score
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


def test_a_word_that_counts_nothing_is_not_marked() -> None:
    # The first "no" negates what follows, the second is rated -1.2 by itself.
    spans, record = marked("No problem, said no", "sentiment")
    assert [word for word, _ in record["evidence"]] == ["no", "problem", "no"]
    assert [(span.start, span.end) for span in spans] == [(3, 10), (17, 19)]


def test_words_of_gender() -> None:
    text = "“She’s” with her brother; he waved. He left."
    spans, _ = marked(text, "gender_polarity")
    assert [(text[span.start : span.end], span.kind, span.key, span.said) for span in spans] == [
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
    assert {span.said for span in spans if span.start == 0} >= {"-0.75 for valence", "+0.75 for anger"}
    assert {(span.start, span.end, span.said) for span in spans if span.key == "joyful"} == {
        (15, 21, "+0.50 for dominance"),
        (15, 21, "+0.75 for joy"),
    }
    check(spans, record, text, "psycholinguistic_norms")


def test_classifiers_and_texts_that_are_not_there_mark_nothing() -> None:
    settings = FAMILY.settings("toxicity").make({}, measure="toxicity", module="toxicity")
    record = {"evidence": None, "scores": {"toxic": 0.75}}
    assert FAMILY.attribution(["toxicity"], settings, {"predictions": "Awful."}, record) == Attribution()
    _, record = marked("Awful.", "sentiment")
    settings = FAMILY.settings("sentiment").make({}, measure="sentiment", module="sentiment")
    assert FAMILY.attribution(["sentiment"], settings, {}, record) == Attribution()
    assert FAMILY.attribution(["sentiment"], settings, {"predictions": "Another text."}, record) == Attribution([])
    assert marked(" ", "sentiment")[0] == []


WORDS = (
    "good BAD not very but no kind of :) 😀 ( . , hate she He's man’s Woman İ “ war joyful table war's with wives uncle"
)
TEXTS = st.lists(st.sampled_from([*WORDS.split(), " ", " ", " ", "\n", "\xa0", "-"]), max_size=25).map("".join)


@pytest.mark.parametrize("name", METHODS)
@given(text=TEXTS)
def test_every_mark_is_a_word_that_counts(name: str, text: str) -> None:
    spans, record = marked(text, name)
    check(spans, record, text, name.partition(" ")[0])
    assert [span.start for span in spans] == sorted(span.start for span in spans)


@pytest.fixture
def norms(tmp_path: Path) -> str:
    path = tmp_path / "norms.tsv"
    header = ("word", "valence", "arousal", "dominance", "joy", "anger", "sadness", "fear", "disgust")
    rows = (
        ("good", *"87641111"),
        ("food", *"65531111"),
        ("not", *"34411221"),
        ("was", *"55511111"),
        ("bad", *"26313332"),
    )
    path.write_text("\n".join("\t".join(row) for row in (header, *rows)), encoding="utf-8")
    return str(path)


def check_all(texts: list[str], norms: str) -> None:
    """All texts together, as scoring them one by one takes long."""
    for name, settings in {**METHODS, "psycholinguistic_norms": {"lexicon": norms}}.items():
        measure = name.partition(" ")[0]
        made = FAMILY.settings(measure).make(settings, measure=measure, module=measure)
        records = compute(measure, predictions=texts, **settings, return_samples=True)["samples"]
        n_marks = 0
        for text, record in zip(texts, records, strict=True):
            spans = list(FAMILY.attribution([measure], made, {"predictions": text}, record).prediction)
            check(spans, record, text, measure)
            n_marks += len(spans)
        assert n_marks > 20


def test_every_mark_of_yelp(shared_data: Path, norms: str) -> None:
    with gzip.open(shared_data / "perspectivesumm" / "yelp_gpt4.jsonl.gz", "rt", encoding="utf-8") as file:
        check_all([json.loads(next(file))["prediction"] for _ in range(400)], norms)


def test_every_mark_of_bold(shared_data: Path, norms: str) -> None:
    released = json.loads((shared_data / "bold" / "wikipedia" / "gender_wiki.json").read_text(encoding="utf-8"))
    check_all([text for pages in released.values() for texts in pages.values() for text in texts][:2000], norms)
