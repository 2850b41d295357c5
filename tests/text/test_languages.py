"""Languages by name and code, and that systems keep their order in ten of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils import compute
from fairsum_utils.errors import InputError
from fairsum_utils.text.languages import LANGUAGES, check_language, fold

TEN = json.loads(Path(__file__).with_name("ten_languages.json").read_text(encoding="utf-8"))
VALUES = [["pos"] * 3 + ["neg"] * 3]
SEGMENTED = {"zh": "rjieba", "ja": "sudachidict_core", "hi": "stopwordsiso"}


@pytest.mark.parametrize("name", LANGUAGES)
def test_names_and_codes(name: str) -> None:
    assert {check_language("bur", "language", form) for form in (name, name.title(), LANGUAGES[name])} == {name}


def test_the_ten() -> None:
    assert set(TEN) == {"en", "de", "fr", "es", "pt", "ru", "ar", "hi", "zh", "ja"} <= set(LANGUAGES.values())


@pytest.mark.parametrize("language", ["klingon", "", None, 3, ["de"]])
def test_no_language(language: object) -> None:
    with pytest.raises(InputError, match=r"bur: language must be one of arabic \(ar\), .*turkish \(tr\), found "):
        check_language("bur", "language", language)


@pytest.mark.parametrize(
    ("language", "text", "folded"),
    [
        ("english", "Soup & BREAD", "soup & bread"),
        ("french", "CAFE\N{COMBINING ACUTE ACCENT}", "café"),
        ("arabic", "كِتَاب كـــتاب", "كتاب كتاب"),
        ("russian", "Ещё", "еще"),
        ("german", "ё", "ё"),
        ("chinese", "ＡＢＣ１２", "abc12"),
        ("japanese", "ﾗｰﾒﾝ", "ラーメン"),
        ("german", "Ａ", "ａ"),
        ("hindi", "क्\N{ZERO WIDTH JOINER}ष", "क्ष"),
    ],
)
def test_fold(language: str, text: str, folded: str) -> None:
    assert fold(text, language) == folded


@given(text=st.text(max_size=30), language=st.sampled_from(sorted(LANGUAGES)))
def test_folding_twice_changes_nothing(text: str, language: str) -> None:
    # A letter may have a lower case only once it is composed, or the other way round.
    once = fold(fold(text, language), language)
    assert fold(once, language) == once


@pytest.mark.parametrize("code", TEN)
@pytest.mark.parametrize(
    ("measure", "settings"),
    [
        ("uer", {}),
        ("auc", {}),
        ("sof", {}),
        ("uer", {"normalizer": "simple"}),
        ("equal_coverage", {"entailer": "lexical"}),
        ("coverage_parity", {"entailer": "lexical"}),
    ],
)
def test_three_systems_keep_their_order(code: str, measure: str, settings: dict[str, Any]) -> None:
    """Of six reviews, one names two good and two bad things, one three and one, one three good things only."""
    for package in ([SEGMENTED[code]] if code in SEGMENTED else []) + ["sentencex"]:
        pytest.importorskip(package)
    systems = TEN[code]["summaries"]
    assert list(systems) == ["balanced", "leaning", "one_sided"]
    columns = {"sources": [TEN[code]["sources"]], "values": VALUES}
    scores = [
        compute(measure, predictions=[summary], **columns, language=code, **settings)[measure]
        for summary in systems.values()
    ]
    assert scores[0] < scores[1] < scores[2]
    assert scores[0] < scores[2] / 4
