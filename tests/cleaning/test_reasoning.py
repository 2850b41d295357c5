"""Reasoning of models is removed, whatever marks it; texts about markers stay."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.cleaning import without_reasoning
from tests._steps import slowdown

ANSWER = "Guests praise the soup."
TAGS = "THINK thinking Reasoning thought seed:think reasoning_content thought_process chain-of-thought inner_monologue"
CHANNELS = f"<|channel|>analysis<|message|>Cold soup?<|end|><|start|>assistant<|channel|>final<|message|>{ANSWER}"


def test_the_answer_is_left() -> None:
    for text in [
        f"<think>Cold soup?</think>{ANSWER}",
        *(f"<{tag}>Cold soup?</{tag}> {ANSWER}" for tag in TAGS.split()),
        f"<think>\nCold soup?\n</think>\n\n{ANSWER}\n",
        f'<think effort="high" tokens=3>Cold soup?</think > {ANSWER}',
        f"<think></think>{ANSWER}",
        f"<think/>{ANSWER}",
        f"<think>Cold<think>or warm?</think>soup</think>{ANSWER}",
        f"<think>Cold?<thinking>Warm?</thinking></think>{ANSWER}",
        f"<think>Cold?</think><think>Warm?</think>{ANSWER}",
        f"<think>Shall I <think>? Cold soup.</think>{ANSWER}",
        f"{ANSWER}<think>Was the soup cold?</think>",
        "Guests praise <think>cold or warm?</think> the soup.",
        "Guests praise<think>cold or warm?</think>the soup.",
        f"Cold soup?</think>{ANSWER}",
        f"Cold?</think>Warm?</think>{ANSWER}",
        f"◁think▷Cold soup?◁/think▷{ANSWER}",
        f"[THINK]Cold soup?[/THINK]{ANSWER}",
        f"Cold soup?[/THINK]{ANSWER}",
        f"<|START_THINKING|>Cold soup?<|END_THINKING|><|START_RESPONSE|>{ANSWER}<|END_RESPONSE|>",
        f"<|begin_of_thought|>Cold?<|end_of_thought|>\n<|begin_of_solution|>{ANSWER}<|end_of_solution|>",
        f"<|channel>thought\nCold soup?<channel|>{ANSWER}",
        f"<think>Cold soup?</think><answer>{ANSWER}</answer>",
        f"<think>Cold soup?</think><answer>{ANSWER}",
        f"<s><think>Cold soup?</think>{ANSWER}</s>",
        f"<｜begin▁of▁sentence｜><think>Cold soup?</think>{ANSWER}<｜end▁of▁sentence｜>",
        f"<think>`code</think> {ANSWER}",
        f"<unused94>thought\nCold soup?<unused95>{ANSWER}",
        f"Cold soup?<unused95>{ANSWER}",
        CHANNELS,
        f"{CHANNELS}<|return|>",
        f"<|start|>assistant{CHANNELS}",
        CHANNELS.removeprefix("<|channel|>"),
        CHANNELS.removeprefix("<|channel|>analysis<|message|>"),
        CHANNELS.replace("final<|message|>", "final <|constrain|>text<|message|>"),
        f"<|channel|>final<|message|>{ANSWER}<|return|>",
        f"analysisCold soup?assistantfinal{ANSWER}",
        f"analysisWe read: cold soup.assistantcommentaryHm.assistantfinal{ANSWER}",
    ]:
        found = without_reasoning(text)
        assert (found.text, found.is_changed, found.is_cut) == (ANSWER, True, False)


def test_a_block_that_is_never_closed() -> None:
    for text, left in [
        ("<think>Cold soup? Warm", ""),
        ("<think>", ""),
        ("[THINK]Cold soup?", ""),
        ("<|channel|>analysis<|message|>Cold soup? Warm", ""),
        ("analysisWe read that the soup", ""),
        (f"{ANSWER}\n<think>But was it", ANSWER),
        (f"<think>Cold?</think>{ANSWER}<think>But", ANSWER),
        ("<think>" * 3, ""),
    ]:
        assert without_reasoning(text) == (left, True, True)


def test_texts_without_reasoning_stay() -> None:
    for text in [
        ANSWER,
        "",
        "I think <3 that a < b > c and [thinking] helps.",
        "The model writes `<think>` before its answer and `</think>` after it.",
        'Split the text at "</think>" and take the rest.',
        "It uses “<think>” tags.",
        "```python\ntext.split('</think>')\n```\nThe code takes the answer.",
        "Special tokens such as `<|channel|>analysis<|message|>` are hidden.",
        "<b>Tasty</b> soup<br>",
        "analysis of the soup: tasty",
        "The <thinker> by Rodin.",
        "[THINKING] aloud",
    ]:
        assert without_reasoning(text) == (text, False, False)


def test_line_breaks_around_a_block_stay() -> None:
    assert without_reasoning("- soup\n<think>Hm.</think>\n- staff").text == "- soup\n\n- staff"
    assert without_reasoning("soup\n<think>Hm.</think>- staff").text == "soup\n- staff"


MARKERS = [*'`"<\n', "<think>", "</think>", "```", "[THINK]", "<|channel|>", "final<|message|>", "soup ", "<think "]


@given(st.lists(st.sampled_from(MARKERS), max_size=12).map("".join))
def test_any_order_of_markers(text: str) -> None:
    found = without_reasoning(text)
    assert found.is_changed or found.text == text
    assert len(found.text) <= len(text)
    assert found.text.count("soup") <= text.count("soup")


def test_time_is_linear() -> None:
    for piece in (*MARKERS, "<think></think>", "</think>`", "`<think>", "<think a", "a<think/>", "< ", "<channel|"):
        assert slowdown(lambda n, piece=piece: without_reasoning(piece * n), 2_000) < 40
