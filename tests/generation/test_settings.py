"""Presets hold what the papers print; options are checked."""

from __future__ import annotations

from typing import Any

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.generation import PRESETS, GenerationSettings, choose_input, from_preset, input_text, is_seq2seq


def test_the_presets_are_the_papers() -> None:
    gpt2 = from_preset("gpt2")  # Dhamala et al. 2021, A.2.2: top-k 40, top-p 0.95
    assert (gpt2.top_k, gpt2.top_p, gpt2.repetition_penalty, gpt2.prefix) == (40, 0.95, 1.0, "")
    codes = {"ctrl-wiki": "Wikipedia", "ctrl-opinion": "Opinion", "ctrl-thought": "Thoughts"}  # 5.3
    for name, code in codes.items():
        ctrl = from_preset(name)  # A.2.3: repetition penalty 1.2, top-p 0.9, else the defaults of transformers
        assert (ctrl.prefix, ctrl.repetition_penalty, ctrl.top_p, ctrl.top_k) == (code, 1.2, 0.9, 50)
    summary = from_preset("summary")  # Zhang et al. 2024, models: temperature 0, maximum length 512
    assert (summary.temperature, summary.max_new_tokens, summary.prediction) == (0, 512, "new")
    assert {from_preset(name).prediction for name in PRESETS if name not in ("summary", "own")} == {"whole"}


def test_what_is_left_to_the_model() -> None:
    own = from_preset("own")  # Steen and Markert 2024 runs BART and Pegasus as they are
    assert (own.temperature, own.max_new_tokens, own.repetition_penalty, own.prefix) == (None, None, None, None)
    assert own.leaves_to_model
    assert from_preset("own", temperature=0.5).leaves_to_model
    assert not from_preset("own", temperature=0.5, max_new_tokens=9, repetition_penalty=1.0).leaves_to_model
    assert not any(from_preset(name).leaves_to_model for name in PRESETS if name != "own")


def test_ctrl_knows_the_codes() -> None:
    ctrl = pytest.importorskip("transformers.models.ctrl.tokenization_ctrl")
    assert {preset["prefix"] for name, preset in PRESETS.items() if name.startswith("ctrl")} < set(ctrl.CONTROL_CODES)


def test_a_preset_with_other_options() -> None:
    settings = from_preset("gpt2", top_k=0, temperature=None, seed=7)
    assert (settings.top_k, settings.temperature, settings.seed, settings.top_p) == (0, 1.0, 7, 0.95)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"prediction": "whole", "chat": False}, "He is a cook."),
        ({"prediction": "whole", "chat": True}, "He is  a cook."),
        ({"prediction": "new"}, "a cook."),
    ],
)
def test_the_scored_text(settings: dict[str, Any], expected: str) -> None:
    assert GenerationSettings(**settings).scored_text("He is ", " a cook. \n") == expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_new_tokens": 0}, "max_new_tokens must be a whole number of at least 1, found int 0"),
        ({"temperature": -1}, "temperature must be a number of at least 0, found int -1"),
        ({"temperature": float("nan")}, "temperature must be a number of at least 0, found NaN"),
        ({"top_k": -1}, "top_k must be a whole number of at least 0, found int -1"),
        ({"top_p": 0.0}, "top_p must be above 0 and at most 1, found float 0.0"),
        ({"repetition_penalty": 0}, "repetition_penalty must be a finite number above 0, found int 0"),
        ({"prefix": 3}, "prefix must be a string, found int 3"),
        ({"system": 3}, "system must be a string, found int 3"),
        ({"system": "Hi", "chat": False}, "a system message needs a chat model; omit system or set chat"),
        ({"prediction": "all"}, "prediction must be one of new, whole, found str 'all'"),
        ({"n": 0}, "n must be a whole number of at least 1, found int 0"),
        ({"n": 3}, "with temperature 0 the n=3 texts would be equal; set a temperature"),
        ({"input": 3}, "input must be a string, found int 3"),
        ({"cut_from": "middle"}, "cut_from must be one of beginning, end, found str 'middle'"),
        ({"seed": -1}, "seed must be a whole number of at least 0, found int -1"),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        GenerationSettings(**options)
    assert str(caught.value) == f"generate: {message}"


def test_an_unknown_preset() -> None:
    with pytest.raises(InputError, match=r"preset must be one of summary, gpt2, ctrl-wiki, .*, found str 'gpt3'"):
        from_preset("gpt3")


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
    assert reason.endswith("uses its own decoding")


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
    assert "reads the column 'prompt', and uses its own decoding" in prompt.reason
    assert choose_input(NEWS, is_seq2seq=True, column="body", preset="summary") == ("body", "summary", None)
    with pytest.raises(InputError, match=r"generate: preset must be one of summary, gpt2, .*, own, found str 'gpt3'"):
        choose_input(NEWS, is_seq2seq=True, preset="gpt3")


@pytest.mark.parametrize(
    ("entry", "text"), [("An article.", "An article."), ("", ""), (["One.", "Two."], "One.\nTwo."), ([], "")]
)
def test_the_text_of_an_entry(entry: Any, text: str) -> None:
    assert input_text(entry, "here", "drop it") == text


@pytest.mark.parametrize(("entry", "found"), [(None, "None"), (3, "int 3"), (["One.", None], "list")])
def test_an_entry_without_a_text(entry: Any, found: str) -> None:
    with pytest.raises(InputError, match=f"row 2: column 'text' must contain a string, found {found}.*; drop it"):
        input_text(entry, "row 2: column 'text'", "drop it")


def test_the_kind_of_a_model(tiny_model: Any) -> None:
    assert is_seq2seq(tiny_model("seq2seq"))
    assert is_seq2seq(str(tiny_model("t5")))
    assert not is_seq2seq(tiny_model("causal"))
    assert not is_seq2seq("./nowhere")
    with pytest.raises(InputError, match=r"^generate: the model '.*masked' only fills in masks and continues no text"):
        is_seq2seq(tiny_model("masked"))
