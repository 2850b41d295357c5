"""Texts and lists of messages, the two forms of prompts and completions."""

from __future__ import annotations

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.training.rewards import completion_text, in_form_of


def said(*contents):
    return [{"role": "assistant", "content": content} for content in contents]


@pytest.mark.parametrize(
    ("completion", "text"),
    [
        (said("Tasty.", "Awful."), "Awful."),
        ([*said("Tasty."), {"role": "tool", "content": "ok"}], "Tasty."),
        (said([{"type": "text", "text": "Ta"}, {"type": "image"}, {"type": "text", "text": "sty."}]), "Tasty."),
        (said(None), ""),
        ([], ""),
    ],
)
def test_text_of_messages(completion, text):
    assert completion_text("test", 0, completion) == text


@pytest.mark.parametrize("completion", [3, None, ["Tasty."], [{"role": "assistant"}]])
def test_what_says_nothing_is_refused(completion):
    with pytest.raises(InputError, match="test: completion 2 must be a text or a list of messages with role and conte"):
        completion_text("test", 2, completion)


def test_a_completion_takes_the_form_of_its_prompt():
    assert in_form_of("?", said("Tasty.")) == in_form_of("?", "Tasty.") == "Tasty."
    assert in_form_of(said("?"), said("Tasty.")) == in_form_of(said("?"), "Tasty.") == said("Tasty.")
