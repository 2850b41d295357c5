"""What a model reads, by its kind and by the columns that are there."""

from __future__ import annotations

from typing import Any, get_type_hints

import pytest

from fairsum_utils.corpora.counterfactual_ontonotes import CounterfactualRow
from fairsum_utils.errors import InputError
from fairsum_utils.generation import PRESETS, choose_input, input_text, is_seq2seq
from fairsum_utils.generation.inputs import _TEXTS

NEWS, REVIEWS, PROMPTS = ["id", "prompt", "text"], ["id", "sources", "values", "prompt"], ["id", "prompt"]


@pytest.mark.parametrize(
    ("columns", "chosen"), [(NEWS, "text"), (REVIEWS, "sources"), ([*NEWS, "sources"], "text"), (PROMPTS, "prompt")]
)
def test_a_model_of_sequences_reads_the_text(columns: list[str], chosen: str) -> None:
    column, preset, reason = choose_input(columns, is_seq2seq=True)
    assert (column, preset) == (chosen, "own")
    assert reason is not None
    assert f"reads the column {chosen!r}" in reason
    assert ("there is no 'text' or 'sources'" in reason) == (chosen == "prompt")
    assert reason.endswith("decodes in its own way")


@pytest.mark.parametrize("columns", [NEWS, REVIEWS, PROMPTS, []])
def test_other_models_read_prompts_and_nothing_is_said(columns: list[str]) -> None:
    assert choose_input(columns, is_seq2seq=False) == ("prompt", "summary", None)


def test_a_preset_that_continues_prompts_gets_prompts() -> None:
    for preset in PRESETS:
        column, chosen, _ = choose_input(NEWS, is_seq2seq=True, preset=preset)
        assert chosen == preset
        assert column == ("text" if preset in ("summary", "own") else "prompt")


def test_what_is_named_is_taken() -> None:
    assert choose_input(NEWS, is_seq2seq=False, column="text").column == "text"
    prompt = choose_input(NEWS, is_seq2seq=True, column="prompt")
    assert (prompt.column, prompt.preset) == ("prompt", "own")
    assert prompt.reason is not None
    assert "reads the column 'prompt', and decodes in its own way" in prompt.reason
    assert choose_input(NEWS, is_seq2seq=True, column="body", preset="summary") == ("body", "summary", None)
    with pytest.raises(InputError, match=r"generate: preset must be one of summary, gpt2, .*, own, found str 'gpt3'"):
        choose_input(NEWS, is_seq2seq=True, preset="gpt3")


def test_the_columns_are_those_of_the_data_sets() -> None:
    rows = pytest.importorskip("fairsum_utils.corpora.corpus")
    assert set(_TEXTS) == {"text", "sources"}
    assert get_type_hints(CounterfactualRow)["text"] is str
    assert "sources" in get_type_hints(rows.Row)


@pytest.mark.parametrize(
    ("entry", "text"), [("An article.", "An article."), ("", ""), (["One.", "Two."], "One.\nTwo."), ([], "")]
)
def test_the_text_of_an_entry(entry: Any, text: str) -> None:
    assert input_text(entry, "here", "drop it") == text


@pytest.mark.parametrize(("entry", "found"), [(None, "None"), (3, "int 3"), (["One.", None], "list")])
def test_an_entry_without_a_text(entry: Any, found: str) -> None:
    with pytest.raises(InputError, match=f"row 2: column 'text' must hold a string, found {found}.*; drop it"):
        input_text(entry, "row 2: column 'text'", "drop it")


def test_the_kind_of_a_model(tiny_model: Any) -> None:
    assert is_seq2seq(tiny_model("seq2seq"))
    assert is_seq2seq(str(tiny_model("t5")))
    assert not is_seq2seq(tiny_model("causal"))
    assert not is_seq2seq("./nowhere")
