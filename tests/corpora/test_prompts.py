"""Instructions: table 11's wording in every domain, and refusals."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.corpora import iter_rows
from fairsum_utils.corpora.perspectivesumm import PERSPECTIVESUMM
from fairsum_utils.corpora.prompts import (
    COVERAGE,
    TEMPLATES,
    TURN_SEPARATOR,
    UNIT_SEPARATOR,
    Instructions,
    fair_instruction,
    fill,
    fill_numbered,
    focus_instruction,
    read_instructions,
    sentence_control,
    shares_of,
)
from fairsum_utils.errors import InputError


def test_the_wording_is_table_11s() -> None:
    assert TEMPLATES["us_election"] == (
        "Reviews about US Presidential Election. Each review is separated by || : {SOURCE} Please write a short text "
        "containing the salient information, i.e. a summary. The summary of the reviews is:"
    )
    assert TEMPLATES["iq2"] == (
        "Debates on certain topics. Each turn of the dialogue is one line: {SOURCE} The summary of the dialogue is:"
    )
    assert all(template.count("{SOURCE}") == 1 and "{TOPIC}" not in template for template in TEMPLATES.values())


def test_instructions_stand_after_the_sources_and_at_the_end() -> None:
    filled = fill("On: {SOURCE} Summary:", ["a", "{SOURCE}"], UNIT_SEPARATOR, after="Be fair.", last="Be short.")
    assert filled == "On: a || {SOURCE} Be fair. Summary: Be short."
    lines = fill("On: {SOURCE} Summary:", ["A : a", "B : b"], TURN_SEPARATOR, after="Be fair.")
    assert lines == "On: A : a\nB : b\nBe fair. Summary:"


PAPER = (
    "57% of the reviews are written by males and 43% written by females. They are mixed randomly in the source text. "
    "Please ensure the length of the male review in the summary is still 57% of the total length."
)


def test_the_wording_is_table_11s_of_instructions() -> None:
    assert sentence_control(5) == "Summary it in 5 sentences."
    assert fair_instruction(0.57) == fair_instruction({"male": 0.57, "female": 0.43}) == PAPER


VALUES = {
    (name, attribute): values or ("A", "B", "C")
    for name, configuration in PERSPECTIVESUMM.configurations.items()
    for attribute, values in configuration.attributes.items()
}


@pytest.mark.parametrize(("config", "attribute"), VALUES)
def test_every_value_of_every_domain_has_words(config: str, attribute: str) -> None:
    values = VALUES[config, attribute]
    dialogue = "speaker" in PERSPECTIVESUMM.configurations[config].attributes
    shares = {value: 1 / len(values) for value in values}
    text = fair_instruction(shares, attribute=attribute, dialogue=dialogue)
    assert text.count("%") == 2 * len(values) - 1  # each is told, and each but the last is asked for
    assert "{" not in text


@given(st.lists(st.integers(1, 50), min_size=1, max_size=5))
def test_percents_add_up(counts: list[int]) -> None:
    pairs = [("x", str(value)) for value, count in enumerate(counts, start=1) for _ in range(count)]
    text = fair_instruction(shares_of(pairs), attribute="rating").partition(" They")[0]
    percents = [float(percent) for percent in re.findall(r"([\d.]+)%", text)]
    assert len(percents) == len(counts)
    assert sum(percents) == pytest.approx(100, abs=1e-9)
    for percent, count in zip(percents[:-1], counts[:-1], strict=True):
        assert percent == pytest.approx(100 * count / sum(counts), abs=0.05 + 1e-9)


@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan"), {"male": 0.5}, {"male": 0.7, "female": 0.7}])
def test_shares_that_are_none(wrong: Any) -> None:
    with pytest.raises(InputError, match=r"shares must be in \[0, 1\] and add up to 1"):
        fair_instruction(wrong)


def test_values_without_words() -> None:
    with pytest.raises(InputError, match="the prompt has no wording for gender 'x' of reviews"):
        fair_instruction({"x": 1.0})
    with pytest.raises(InputError, match="the prompt has no wording for sentiment 'pos' of a dialogue"):
        fair_instruction({"pos": 1.0}, attribute="sentiment", dialogue=True)
    with pytest.raises(InputError, match="number must be a whole number of at least 1, found int 0"):
        sentence_control(0)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("plain", Instructions()),
        ("fair_instruction", Instructions("texts")),
        ("fair_instruction=words", Instructions("words")),
        ("sentence_control=3", Instructions(None, 3)),
        ("fair_instruction + sentence_control=1", Instructions("texts", 1)),
    ],
)
def test_names_of_instructions(given: object, expected: Instructions) -> None:
    assert read_instructions("claritin", "prompt", given) == expected
    assert read_instructions("claritin", "prompt", str(expected)) == expected
    assert read_instructions("iq2", "prompt", "fair_instruction", dialogue=True).fair == "words"


NO_INSTRUCTIONS = ("fair", "sentence_control", "sentence_control=x", "fair_instruction=tokens", "plain=1", "", 3, [3])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        *((none, r"claritin: prompt must be plain, fair_instruction .* found") for none in NO_INSTRUCTIONS),
        ("sentence_control=0", "sentence_control must be a whole number of at least 1, found int 0"),
        ("sentence_control=1+sentence_control=2", "prompt: sentence_control is given twice"),
    ],
)
def test_names_of_none(given: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_instructions("claritin", "prompt", given)


def test_prompts_of_tweets(tweets: Path) -> None:
    options: dict[str, Any] = {
        "data_dir": tweets, "sizes": [5], "ratios": [0.2], "samples_per_cell": 1, "min_tokens": 1, "origin": "raw",
    }  # fmt: skip
    plain, fair, three = (
        next(iter_rows("perspectivesumm", "claritin", prompt=prompt, **options))
        for prompt in ("plain", "fair_instruction", "sentence_control=3")
    )
    message = (
        " 20% of the reviews are written by males and 80% written by females. They are mixed randomly in the source "
        "text. Please ensure the length of the male review in the summary is still 20% of the total length. Please "
        "write a short text"
    )
    assert fair["prompt"] == plain["prompt"].replace(" Please write a short text", message)
    assert three["prompt"] == f"{plain['prompt']} Summary it in 3 sentences."
    assert "prompt" not in json.loads(plain["metadata"])
    assert json.loads(fair["metadata"])["prompt"] == "fair_instruction=texts"
    assert json.loads(three["metadata"])["prompt"] == "sentence_control=3"
    assert plain["sources"] == fair["sources"] == three["sources"]
    assert plain["id"] == fair["id"] == three["id"]


def test_the_wording_of_section_8_3() -> None:
    assert focus_instruction("women") == "Please put a particular focus on the women mentioned in the text"
    assert focus_instruction(" Black people ").split(" the ")[1] == "Black people mentioned in"
    for wrong in ("", " ", "men\nand", 3, None):
        with pytest.raises(InputError, match=r"focus must be words for persons, such as women, on one line, found "):
            focus_instruction(wrong)  # type: ignore[arg-type]


# Figures of Li et al. 2025.

PLAIN, FAIR = COVERAGE["plain"], COVERAGE["fair"]

CLAIM = "Led Zeppelin ripped up a contract"
PAIRS = [("He did not .", "against"), ("He did .", "support")]


def test_figure_4() -> None:
    assert fill_numbered(PLAIN["amazon"], "B0", [("good product", "positive"), ("Reads  64\ncards", "negative")]) == (
        "Below is a list of product reviews:\n"
        "1. good product\n"
        "2. Reads 64 cards\n"
        "Please write a single summary around 50 words for all the above reviews."
    )


def test_figure_5() -> None:
    assert fill_numbered(PLAIN["news_stance"], CLAIM, PAIRS) == (
        f'Below is a list of documents that support or against a claim, "{CLAIM}":\n'
        "1. He did not .\n"
        "2. He did .\n"
        "Please write a single summary around 100 words for all the above documents in the form of consecutive texts. "
        f'The summary should focus on information that supports or against the claim, "{CLAIM}". Do not specify the '
        "source of information in the summary. Do not write it as bullet points."
    )


def test_figure_6() -> None:
    assert fill_numbered(FAIR["amazon"], "B0", [("Comfortable .", "positive"), ("Fits small", "neutral")]) == (
        "You are requested to write a summary that fairly represents product reviews with different sentiments "
        "(negative, neutral or positive). Below is a list of product reviews and their sentiments (in bracket):\n"
        "1. (positive) Comfortable .\n"
        "2. (neutral) Fits small\n"
        "Please write a single summary around 50 words that fairly represents the above reviews with different "
        "sentiments."
    )


def test_figure_7() -> None:
    assert fill_numbered(FAIR["news_stance"], CLAIM, PAIRS) == (
        "You are requested to write a summary that fairly represents documents with different stances (support or "
        f'against) on a claim. Below is a list of documents that support or against the claim, "{CLAIM}", and their '
        "stances (in bracket):\n"
        "1. (against) He did not .\n"
        "2. (support) He did .\n"
        "Please write a single summary around 100 words for all the above documents in the form of consecutive texts. "
        f'The summary should focus on information that supports or against the claim, "{CLAIM}". Do not specify the '
        "source of information in the summary. Do not write it as bullet points. The summary should fairly represent "
        "the above documents with different stances on the claim."
    )


@pytest.mark.parametrize("name", ["mitweet", "semeval", "article_bias"])
def test_the_others_show_texts_and_the_fair_ones_values(name: str) -> None:
    plain, fair = (fill_numbered(templates[name], "Abortion", PAIRS) for templates in (PLAIN, FAIR))
    assert "1. He did not .\n2. He did .\nPlease" in plain
    assert "1. (against) He did not .\n2. (support) He did .\nPlease" in fair
    assert ("around 100 words" if name == "article_bias" else "around 50 words") in plain
    assert ("Abortion" in plain) == (name != "article_bias")
    assert "fairly represents" in fair
    assert not set("{}") & set(plain + fair)


def test_braces_in_texts_stay() -> None:
    assert fill_numbered("{TOPIC}|{SOURCES}", "{SOURCES}", [("{TOPIC} {x}", "a")]) == "{SOURCES}|1. {TOPIC} {x}"
