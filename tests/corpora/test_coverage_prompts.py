import pytest

from fairsum_utils.corpora.prompts import COVERAGE
from fairsum_utils.corpora.prompts import fill_numbered as fill

TEMPLATES, FAIR_TEMPLATES = COVERAGE["plain"], COVERAGE["fair"]

CLAIM = "Led Zeppelin ripped up a contract"
PAIRS = [("He did not .", "against"), ("He did .", "support")]


def test_figure_4() -> None:
    assert fill(TEMPLATES["amazon"], "B0", [("good product", "positive"), ("Reads  64\ncards", "negative")]) == (
        "Below is a list of product reviews:\n"
        "1. good product\n"
        "2. Reads 64 cards\n"
        "Please write a single summary around 50 words for all the above reviews."
    )


def test_figure_5() -> None:
    assert fill(TEMPLATES["news_stance"], CLAIM, PAIRS) == (
        f'Below is a list of documents that support or against a claim, "{CLAIM}":\n'
        "1. He did not .\n"
        "2. He did .\n"
        "Please write a single summary around 100 words for all the above documents in the form of consecutive texts. "
        f'The summary should focus on information that supports or against the claim, "{CLAIM}". Do not specify the '
        "source of information in the summary. Do not write it as bullet points."
    )


def test_figure_6() -> None:
    assert fill(FAIR_TEMPLATES["amazon"], "B0", [("Comfortable .", "positive"), ("Fits small", "neutral")]) == (
        "You are requested to write a summary that fairly represents product reviews with different sentiments "
        "(negative, neutral or positive). Below is a list of product reviews and their sentiments (in bracket):\n"
        "1. (positive) Comfortable .\n"
        "2. (neutral) Fits small\n"
        "Please write a single summary around 50 words that fairly represents the above reviews with different "
        "sentiments."
    )


def test_figure_7() -> None:
    assert fill(FAIR_TEMPLATES["news_stance"], CLAIM, PAIRS) == (
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
    plain, fair = (fill(templates[name], "Abortion", PAIRS) for templates in (TEMPLATES, FAIR_TEMPLATES))
    assert "1. He did not .\n2. He did .\nPlease" in plain
    assert "1. (against) He did not .\n2. (support) He did .\nPlease" in fair
    assert ("around 100 words" if name == "article_bias" else "around 50 words") in plain
    assert ("Abortion" in plain) == (name != "article_bias")
    assert "fairly represents" in fair
    assert not set("{}") & set(plain + fair)


def test_braces_in_texts_stay() -> None:
    assert fill("{TOPIC}|{SOURCES}", "{SOURCES}", [("{TOPIC} {x}", "a")]) == "{SOURCES}|1. {TOPIC} {x}"
