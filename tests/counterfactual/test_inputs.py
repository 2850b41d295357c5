"""Control edits: none about a person, with the requested number of words."""

from __future__ import annotations

import json
import random

import pytest

from fairsum_utils.counterfactual.documents import document_fields, mini_news
from fairsum_utils.counterfactual.edits import Edit, apply_edits, n_words
from fairsum_utils.counterfactual.inputs import CounterfactualInputs, Text, draw_control, texts_of
from fairsum_utils.errors import InputError

TEXT = "On Monday a big crowd met in Boston. Monday was cold in June, and Boston nearly froze."


def drawn(text, n, swapped=(), seed=0):
    return draw_control(text, swapped, n, random.Random(seed))


def test_one_word_gives_way_throughout() -> None:
    for seed in range(20):
        edits = drawn(TEXT, 1, seed=seed)
        before = {TEXT[edit.start : edit.end] for edit in edits}
        assert len(before) == 1  # one word is enough
        assert len({edit.after for edit in edits}) == 1
        assert len(edits) == TEXT.count(before.pop())


def test_all_that_there_is() -> None:
    edits = drawn(TEXT, 100)
    assert [TEXT[edit.start : edit.end] for edit in edits] == [
        "Monday", "big", "Boston", "Monday", "June", "Boston", "nearly",
    ]  # fmt: skip
    assert [edit.kind for edit in edits] == ["day", "neutral", "place", "day", "month", "place", "neutral"]
    assert not {edit.after for edit in edits} & set(TEXT.replace(".", "").replace(",", "").split())
    assert apply_edits(TEXT, edits)[0].count(edits[0].after) == 2


@pytest.mark.parametrize(
    "text",
    [
        *("The Boston Globe said so.", "He is of Greater Boston.", "He lives in Boston, Texas.", "A Boston-based man."),
        *("Bigger is not the word.", "It may march in May.", "A big man, a large house."),
    ],
)
def test_parts_of_names_and_what_would_be_confused(text) -> None:
    assert not [edit for edit in drawn(text, 9) if text[edit.start : edit.end] not in ("said", "Bigger")]


def test_what_a_swap_changes_is_left_alone() -> None:
    start = TEXT.index("June")
    assert "month" not in {edit.kind for edit in drawn(TEXT, 100, [Edit(start, start + 4, "Ann", "first")])}


@pytest.mark.parametrize("document", mini_news()[:6], ids=lambda document: document.id)
def test_as_many_words_as_wanted_where_there_are(document) -> None:
    most = sum(n_words(edit.after) for edit in drawn(document.text, 10**6))
    for n in (1, 2, most):
        assert sum(n_words(edit.after) for edit in drawn(document.text, n, seed=n)) >= n


NEWS = [Text(document.id, document.text, document) for document in mini_news()]
NOTES = [Text("a", "A deaf man from Boston said on Monday that a big storm began."), Text("b", "It rained.")]
VARIANTS = ("autistic", "blind", "deaf", "none")


def test_an_article_becomes_inputs() -> None:
    inputs = CounterfactualInputs(NOTES, ("disability",), n_controls=2)
    rows = list(inputs.rows())
    assert [(row["article_id"], row["variant"], row["control"]) for row in rows] == [
        ("a", variant, control) for variant in VARIANTS for control in ("", "1", "2")
    ]
    assert len({row["id"] for row in rows}) == 12
    assert len({row["text"] for row in rows}) == 12
    assert all(row["prompt"].endswith(row["text"]) for row in rows)
    assert (inputs.n_texts, inputs.skipped, inputs.n_missing) == (2, {"disability": {"no_disability": 1}}, 0)
    assert "pair_id" not in rows[0]


def test_a_text_that_is_not_english_is_left_as_it_is_and_counted() -> None:
    """A partial swap of English-looking parts is avoided."""
    german = Text("de", "Mary Smith, 34, ist Ärztin, und sie sagte, dass der Mann nicht mit ihr nach Hause kam.")
    arabic = Text("ar", "قالت Mary, 34, إنها لن تأتي مع الآخرين اليوم")
    attributes = ("gender", "race", "disability")
    inputs = CounterfactualInputs([german, arabic, NOTES[0]], attributes, pipeline="none is loaded for these")
    rows = inputs.rows()
    with pytest.raises(InputError, match="none is loaded for these"):  # the English one, whose persons are looked for
        next(rows)
    assert inputs.skipped == {attribute: {"not_english": 2} for attribute in attributes}
    inputs = CounterfactualInputs([german], ("lexicon",), lexicon={"Ärztin": {"f": "Ärztin", "m": "Arzt"}})
    assert [row["variant"] for row in inputs.rows()] == ["f", "m"]


def test_what_was_changed_and_where() -> None:
    for row in CounterfactualInputs(NEWS[:8], ("gender", "race", "sexual_orientation"), n_controls=2).rows():
        changes = json.loads(row["changes"])
        assert changes
        for change in changes:
            assert row["text"][change["start"] : change["end"]] == change["after"]
        swapped = {change["after"] for change in changes if change["kind"] != "article"}
        assert swapped <= set(row["changed"])
        original = next(text.text for text in NEWS if row["article_id"].startswith(f"{text.id}-"))
        for change in reversed(changes):  # undone from the end, it is the original again
            row["text"] = row["text"][: change["start"]] + change["before"] + row["text"][change["end"] :]
        assert row["text"] == original


def test_words_that_stand_where_others_are_edited_count_as_changed() -> None:
    """A control edit must not differ by words that a swap may ignore."""
    rows = list(CounterfactualInputs(NOTES[:1], ("disability",), n_controls=2).rows())
    plain, *controls = rows[:3]
    edited = {
        change["before"]
        for row in rows
        for change in json.loads(row["changes"])
        if change["kind"] not in ("group", "article")
    }
    assert edited <= set(plain["changed"])
    assert all(len(row["changed"]) == len(plain["changed"]) for row in controls)


def test_controls_are_drawn_for_each_input_or_for_pairs() -> None:
    def controls(row):
        return [
            (change["before"], change["after"])
            for change in json.loads(row["changes"])
            if change["kind"] not in ("group", "article")
        ]

    alone = {row["id"]: controls(row) for row in CounterfactualInputs(NOTES, ("disability",), n_controls=2).rows()}
    assert alone["a-blind-1"] != alone["a-deaf-1"]
    paired = list(CounterfactualInputs(NOTES, ("disability",), n_controls=2, pairs=True).rows())
    together = {}
    for row in paired:
        together.setdefault(row["pair_id"], []).append(row)
    assert list(together) == ["a-p0", "a-p1", "a-p2"]
    for rows in together.values():
        assert tuple(row["variant"] for row in rows) == VARIANTS
        assert all(controls(row) == controls(rows[0]) for row in rows)


def test_controls_that_a_text_has_no_words_for() -> None:
    inputs = CounterfactualInputs([Text("a", "A gay man ran on Monday.")], ("sexual_orientation",), n_controls=2)
    assert len(list(inputs.rows())) == 2 + 4  # Monday can give way to six days
    assert inputs.n_missing + inputs.n_smaller == 0
    inputs = CounterfactualInputs([Text("a", "A gay man from home.")], ("sexual_orientation",), n_controls=2)
    assert [row["control"] for row in inputs.rows()] == ["", ""]
    assert inputs.n_missing == 4


def test_rows_as_they_are_read() -> None:
    document = mini_news()[0]
    rows = [{"note": document.text, **document_fields(document)}, {"note": "Ann won."}]
    first, second = texts_of(rows, text_column="note")
    assert first == Text(document.id, document.text, document)
    assert second == Text("1", "Ann won.")
    [text] = texts_of([{"id": 7, "text": "Ann. She.", "clusters": [[[0, 3], [5, 8]]], "entities": []}])
    assert text.document is not None
    assert (text.id, [mention[:2] for mention in text.document.chains[0]]) == ("7", [(0, 3), (5, 8)])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"text": 3}], "news, row 1: column 'text' must contain text"),
        ([{"id": "a", "text": "x"}, {"id": "a", "text": "y"}], "news, row 2: an earlier row has the id 'a'"),
    ],
)
def test_rows_that_are_none(rows, message) -> None:
    with pytest.raises(InputError, match=message):
        list(texts_of(rows, where="news"))


@pytest.mark.parametrize(
    ("attributes", "more", "message"),
    [
        ((), {}, "swap at least one of gender, race"),
        (("age",), {}, "age is not swapped in plain texts; use `fairsum data build counterfactual_templates --swap"),
        (("race", "occupation"), {}, "occupation is not swapped in plain texts"),
        (("sex",), {}, "swap must be one of"),
        (("lexicon",), {}, "'lexicon' and a lexicon need each other"),
        (("disability",), {"lexicon": {"a": {"b": "c", "d": "e"}}}, "'lexicon' and a lexicon need each other"),
        (("disability",), {"n_controls": -1}, "controls must be a whole number of at least 0"),
        (("disability",), {"seed": "x"}, "seed"),
    ],
)
def test_arguments(attributes, more, message) -> None:
    with pytest.raises(InputError, match=message):
        CounterfactualInputs(NOTES, attributes, **more)
