"""The demo of the Spaces: what it computes always, what gradio makes of it where gradio is installed."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from fairsum_utils.errors import InputError, MissingDependencyError
from fairsum_utils.hub.demo_app import (
    HEADERS,
    TEXT_HEADERS,
    UNIT_HEADERS,
    build_demo,
    score_coverage,
    score_polarity,
    score_representation,
)
from fairsum_utils.hub.demo_entities import PAGES as ENTITY_PAGES
from fairsum_utils.hub.demo_entities import (
    TABLES,
    score_hallucination,
    score_inclusion,
    score_summaries,
    score_words,
)
from fairsum_utils.measures import get_measure

TABLE = [["Great soup!", "pos"], ["Friendly staff, great bread.", "pos"], ["Cold soup, slow service.", "neg"], ["", ""]]


def test_score_and_table() -> None:
    headline, by_value = score_representation("bur", "Great soup and friendly staff.", TABLE)
    # Source tokens: pos 2 + 4, neg 4. Matches: pos great, soup, friendli, staff; neg soup.
    assert headline == "BUR = 1.0000 (lower is fairer; 0 at best)"
    assert by_value == [
        ["neg", 0.4, 0.4, 0.2, 0.5, "yes", "soup"],
        ["pos", 0.6, 0.6, 0.8, 1.3333, "no", "great, soup, friendli, staff"],
    ]
    assert all(len(row) == len(HEADERS["representation"]) for row in by_value)


def test_tau_moves_the_flag_and_the_score() -> None:
    headline, by_value = score_representation("bur", "Great soup and friendly staff.", TABLE, tau=0.5)
    assert headline.startswith("BUR = 0.0000")
    assert [row[5] for row in by_value] == ["no", "no"]


ENTITY_INPUTS = {
    "word_list_inclusion": ("She won. He lost.", "She ran."),
    "entity_inclusion": ("Mr. Ray won.", [["Ann", "Lee", "f"], [None, "Ray", "m"], ["", None, ""]], "Ray"),
    "entity_hallucination": ("Bob Hill and Xu Lee won.", "Lee ran.", "Bob Hill, Xu Lee,"),
    "distinguishability": ([["Ann ran.", "f", "Ann"], ["Eve ran.", "f", "Eve"], ["Bob sang.", "m", "Bob"], [""] * 3],),
}


def test_every_measure(name: str, family: Any) -> None:
    if get_measure(name).family == "entities":
        headline, *tables = ENTITY_PAGES[name].score(name, *ENTITY_INPUTS[name])
        assert headline.startswith(f"{get_measure(name).title} = ")
        assert [len(table[0]) for table in tables] == [len(headers) for headers in TABLES[name].values()]
        return
    if get_measure(name).family == "polarity":
        texts = [["He sat down.", "a"], ["A cruel war.", "a"], ["They are kind.", "b"], ["She sat down.", "b"]]
        headline, by_label, by_text = score_polarity(name, texts, **family.offline)
        assert headline.startswith(f"{get_measure(name).title} = ")
        assert [row[1:3] for row in by_label[:2]] == [["a", 2], ["b", 2]]
        assert [row[:2] for row in by_text] == texts
        return
    if get_measure(name).family == "coverage":
        headline, by_value, _ = score_coverage(name, "Great soup.", TABLE, "released", "simple")
        assert headline.startswith(f"{get_measure(name).title} = ")
    else:
        headline, by_value = score_representation(name, "Great soup.", TABLE, 0.9, 2, "equal", "simple")
        assert headline.startswith(f"{name.upper()} = ")
        assert [row[2] for row in by_value] == [0.5, 0.5]
    assert [row[0] for row in by_value] == ["neg", "pos"]


def test_coverage_by_value_and_by_sentence() -> None:
    headline, by_value, by_unit = score_coverage("equal_coverage", "Great soup. Friendly staff.", TABLE)
    # Units: {great, soup}, {friendly, staff}. pos: (1 + 0) / 2 and (1/2 + 1) / 2; neg: (1/2 + 0) / 2.
    # All: (0.5 + 0.75 + 0.25) / 3 = 0.5; pos 0.625, neg 0.25; EC = (0.125 + 0.25) / 2.
    # Were the negative one at 0.5 or 0.75: EC = 0, or (0.125 + 0.25) / 2; so p = 2/3 and (0 + 2 * 0.1875) / 3 = 0.125.
    assert headline == (
        "Equal Coverage = 0.1875 (lower is fairer; 0 at best). Random labels: 0.1250 on average; p = 0.6667"
    )
    assert by_value == [["neg", 1, 0.25, -0.25, "under"], ["pos", 2, 0.625, 0.125, "over"]]
    assert by_unit == [["Great soup.", 1.0, "Great soup!"], ["Friendly staff.", 1.0, "Friendly staff, great bread."]]
    assert all(len(row) == len(HEADERS["coverage"]) for row in by_value)
    assert all(len(row) == len(UNIT_HEADERS) for row in by_unit)


def test_polarity_by_label_and_text(lexicon: str) -> None:
    table = [["She won a prize.", "w"], ["She sat down.", "w"], ["An awful war.", "m"], ["He sat down.", "m"], ["", ""]]
    headline, by_label, by_text = score_polarity("sentiment", table, threshold=0.5)
    assert headline == "Sentiment = 0.5000 (lower is fairer; 0 at best)"
    # With z^2 = 3.8415 Wilson's interval of 0 of 2 ends at z^2 / (2 + z^2), and that of 1 of 2 lies
    # z * sqrt(1/8 + z^2 / 16) / (1 + z^2 / 2) = 0.4055 around 0.5. The positive text falls to either group: p = 1.
    assert by_label[:2] == [
        ["positive", "m", 2, 0, 0.0, "0.0000 to 0.6576", "1.0000"],
        ["positive", "w", 2, 1, 0.5, "0.0945 to 0.9055", "1.0000"],
    ]
    assert by_text[0] == ["She won a prize.", "w", "positive", "won 2.70, prize 2.30"]
    assert all(len(row) == len(HEADERS["polarity"]) for row in by_label)
    assert all(len(row) == len(TEXT_HEADERS) for row in by_text)
    _, by_label, by_text = score_polarity("psycholinguistic_norms", table, lexicon=lexicon)
    # Rated 2 for valence: (2 - 5) / 4; and 5 of 5 for fear.
    assert by_text[2][3].startswith("valence: war -0.75, ")
    assert "fear: war 1.00" in by_text[2][3]
    assert by_text[1][2:] == ["none", ""]
    assert by_label[0][6] == "1.0000"
    with pytest.raises(InputError, match="lexicon must be given"):
        score_polarity("psycholinguistic_norms", table, lexicon=None)


def test_entities_by_group_and_by_person() -> None:
    headline, by_group = score_words("word_list_inclusion", *ENTITY_INPUTS["word_list_inclusion"])
    # One she and one he, of a source with one she: half of each, where she had all.
    assert headline == "Word List Inclusion = 0.5000 (closer to 0 is fairer)"
    assert by_group == [["female", 1, 1, -0.5], ["male", 1, 0, 0.5]]
    headline, by_group, by_person = score_inclusion("entity_inclusion", *ENTITY_INPUTS["entity_inclusion"])
    # 0.5 of 2 and 1.5 of 2: odds of 1/3 and 3.
    assert headline == "Entity Inclusion = 8.0000 (closer to 0 is fairer)"
    assert by_group == [["f", 1, 0, 0.25], ["m", 1, 1, 0.75]]
    assert by_person == [["Ann Lee", "f", "no"], ["Ray", "m", "yes"]]
    headline, _, _ = score_inclusion("entity_inclusion", *ENTITY_INPUTS["entity_inclusion"], continuity=0)
    assert headline.startswith("Entity Inclusion is undefined: the odds of group 'f' are zero")
    headline, by_group, made_up = score_hallucination("entity_hallucination", *ENTITY_INPUTS["entity_hallucination"])
    assert by_group == [["female", 0, 0.0], ["male", 1, 1.0]]
    assert made_up == [["Bob Hill", "male"], ["Xu Lee", "unknown"]]
    headline, by_group, by_summary = score_summaries("distinguishability", *ENTITY_INPUTS["distinguishability"])
    # Without names the women's are alike and the man's is not; of his own group he has no other.
    assert headline == "Distinguishability = 1.0000 (closer to 0 is fairer)"
    assert by_summary == [["LAST_NAME ran.", "f", "yes"]] * 2 + [["LAST_NAME sang.", "m", "cannot be compared"]]


def test_entities_that_cannot_be_scored() -> None:
    assert score_words("word_list_inclusion", " ", "She ran.")[0].endswith("undefined: no sample left to score.")
    with pytest.raises(InputError, match=r"entities\[0\] has no name"):
        score_inclusion("entity_inclusion", "Ray won.", [["", "", "m"]], "Ray")
    with pytest.raises(InputError, match="There is no summary; fill in at least one row"):
        score_summaries("distinguishability", [["", "", ""]])


def test_coverage_of_one_sample_has_no_random_labels_in_parity() -> None:
    headline, by_value, _ = score_coverage("coverage_parity", "Tasty.", [["Tasty.", "a"], ["Tasty!", "b"]])
    assert headline == "Coverage Parity = 0.0000 (lower is fairer; 0 at best)"
    assert [row[4] for row in by_value] == ["as all", "as all"]


def test_what_cannot_be_scored_is_said_in_words() -> None:
    for summary, table, reason in [
        (" ", TABLE, "the summary is empty"),
        ("Tasty.", [["Tasty.", "a"], ["Awful.", "a"]], "all source texts have the same value, so there is nothing to"),
        ("The.", TABLE, "no sentence of the summary holds a word that counts"),
    ]:
        headline, by_value, by_unit = score_coverage("equal_coverage", summary, table)
        assert headline.startswith(f"No score: {reason}")
        assert by_value == by_unit == []
    assert score_coverage("equal_coverage", "Bread.", [["Tasty.", "a"], ["Awful.", "b"]], "released")[0] == (
        "No score: no source text covers any sentence of the summary."
    )
    assert score_representation("bur", "  ", TABLE) == ("No score: the summary is empty.", [])
    assert score_representation("bur", "Tasty.", [["...", "a"]])[0].startswith("No score: no source text holds a word")
    assert score_representation("sof", "Tasty.", [["Tasty.", "a"]])[0] == (
        "SOF is undefined: sof compares values, and the data holds only 1."
    )
    assert score_representation("uer", "Nothing known.", TABLE)[0].endswith(
        "No word of the summary occurs in the sources, so its shares are taken as equal."
    )


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([["", ""], [None, None]], "There is no source text; fill in at least one row."),
        ([["Tasty.", "a"], ["Awful.", " "]], "Row 2 of the source texts has no value; fill it in."),
        ([["", "a"]], "Row 1 of the source texts has no text; fill it in."),
    ],
)
def test_friendly_errors(table: list[list[str | None]], message: str) -> None:
    with pytest.raises(InputError) as caught:
        score_representation("bur", "Tasty.", table)
    assert str(caught.value) == message


def test_friendly_errors_of_polarity() -> None:
    for table, message in [
        ([["", ""]], "There is no text; fill in at least one row."),
        ([["Tasty.", ""]], "Row 1 of the texts has no group; fill it in."),
    ]:
        with pytest.raises(InputError) as caught:
            score_polarity("sentiment", table)
        assert str(caught.value) == message


def test_without_gradio(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gradio", None)
    with pytest.raises(MissingDependencyError, match=r"pip install \"fairsum-utils\[demo\]\""):
        build_demo(name)
