"""Languages by name and code, and the order of systems in ten languages."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils import compute, score
from fairsum_utils.errors import InputError
from fairsum_utils.text.languages import (
    LANGUAGES,
    _languages_by_word,
    check_language,
    fold,
    foreign_language,
    language_of_script,
    notice,
    unspaced_script,
)

TEN = json.loads(Path(__file__).with_name("ten_languages.json").read_text(encoding="utf-8"))
VALUES = [["pos"] * 3 + ["neg"] * 3]
SEGMENTED = {"zh": "rjieba", "ja": "sudachidict_core", "hi": "stopwordsiso"}


def test_names_and_codes() -> None:
    for name in LANGUAGES:
        assert {check_language("bur", "language", form) for form in (name, name.title(), LANGUAGES[name])} == {name}


def test_no_language() -> None:
    for language in ("klingon", "", None, 3, ["de"]):
        with pytest.raises(InputError, match=r"bur: language must be one of arabic \(ar\), .*turkish \(tr\), found "):
            check_language("bur", "language", language)


def test_fold() -> None:
    for language, text, folded in [
        ("english", "Soup & BREAD", "soup & bread"),
        ("french", "CAFE\N{COMBINING ACUTE ACCENT}", "café"),
        ("arabic", "كِتَاب كـــتاب", "كتاب كتاب"),
        ("russian", "Ещё", "еще"),
        ("german", "ё", "ё"),
        ("chinese", "ＡＢＣ１２", "abc12"),
        ("japanese", "ﾗｰﾒﾝ", "ラーメン"),
        ("german", "Ａ", "ａ"),
        ("hindi", "क्\N{ZERO WIDTH JOINER}ष", "क्ष"),
    ]:
        assert fold(text, language) == folded


@pytest.mark.parametrize("code", TEN)
@pytest.mark.parametrize(("measure", "settings"), [("uer", {}), ("equal_coverage", {"entailer": "lexical"})])
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


CHINESE = "这家餐厅的菜很好吃，服务员也非常热情。"
JAPANESE = "この店の料理はとても美味しいです。"


def test_scripts() -> None:
    for text, script in [
        (CHINESE, "Chinese or Japanese"),
        (JAPANESE, "Chinese or Japanese"),
        ("เมนูอาหารในร้านนี้อร่อยมากและบริการดี", "Thai"),
        ("អាហារនៅហាងនេះឆ្ងាញ់ណាស់", "Khmer"),
        ("The soup (汤) was tasty.", None),
        ("Суп был вкусный, персонал любезный.", None),
        ("الحساء لذيذ والخدمة بطيئة", None),
        ("수프는 맛있었고 서비스는 느렸다", None),  # Korean has spaces
        ("这 家 餐厅 的 菜 很 好吃 ， 服务员 也 非常 热情 。", None),
        ("123 ... !?", None),
    ]:
        assert unspaced_script(text) == script


@pytest.mark.parametrize(
    ("metric", "options"), [("bur", {}), ("uer", {"normalizer": "simple"}), ("equal_coverage", {"entailer": "lexical"})]
)
def test_an_unreadable_language_is_no_fair_one(metric: str, options: dict[str, Any]) -> None:
    for predictions, texts, where in (
        (["Good.", "Good."], [CHINESE, JAPANESE], "the text of most sources"),
        (["Good.", CHINESE], ["Good.", "Bad."], "the summary"),
    ):
        columns = {"predictions": predictions, "sources": [["Good.", "Bad."], texts], "values": [["a", "b"]] * 2}
        with pytest.raises(
            InputError, match=f"^{metric}: sample 1: {where} .* in Chinese or Japanese, without spaces"
        ) as e:
            compute(metric, **columns, **options)
        assert str(e.value).endswith("choose language='zh' or language='ja'")


def test_the_language_to_choose_reads_it() -> None:
    pytest.importorskip("rjieba")
    columns = {"predictions": ["菜很好吃"], "sources": [[CHINESE, "汤是凉的。"]], "values": [["a", "b"]]}
    assert compute("bur", **columns, language="zh")["bur"] == 1.0
    with pytest.raises(InputError, match=r"written in Thai.*normalizer='simple'$"):
        compute("bur", **columns | {"sources": [["เมนูอาหารในร้านนี้อร่อยมาก"] * 2]}, language="zh")


def test_texts_whose_words_are_looked_up() -> None:
    for metric in ["sentiment", "gender_polarity"]:
        result = compute(metric, predictions=["Good."] * 3 + [JAPANESE], groups=["a", "a", "b", "b"])
        assert result["skipped"] == {"foreign_language": 1}
        assert result["undefined"] == "the group 'b' has fewer than 2 texts that are not in another language"


def test_some_sources_that_cannot_be_read_are_counted() -> None:
    sources = [["Tasty soup and very kind staff in a quiet room.", "Cold soup and a long, long wait.", CHINESE]]
    result = score(["Tasty soup."], sources, [["a", "b", "a"]], metrics=["bur"])["bur"]
    [warning] = [warning for warning in result["warnings"] if warning["code"] == "unreadable_script"]
    assert (warning["count"], warning["share"]) == (1, 1.0)


def test_most_words_are_stop_words() -> None:
    few = score(["The food was good."], [["The food was good.", "The food was bad."]], [["a", "b"]], metrics=["bur"])
    assert [warning["code"] for warning in few["bur"]["warnings"]] == [
        "stop_words_dominate",
        "stop_words_decide",
        "few_samples",
    ]
    many = score(["Tasty soup."], [["Tasty soup.", "Awful bread."]], [["a", "b"]], metrics=["bur"])
    assert [warning["code"] for warning in many["bur"]["warnings"]] == ["few_samples"]


def test_summaries_in_another_language_are_named() -> None:
    german, english = "Die Suppe war kalt und wir mussten lange warten.", "The soup was cold and we waited."
    sources, values = [[german, english]], [["a", "b"]]

    def said(n_german: int, french: int = 0, **settings: Any) -> list[str]:
        texts = [german] * n_german + ["La soupe est froide et nous avons dû attendre."] * french
        texts += [english] * (20 - len(texts))
        result = compute("bur", predictions=texts, sources=sources * 20, values=values * 20, **settings)
        return [warning["message"] for warning in result["warnings"] if warning["code"] == "foreign_language"]

    [message] = said(3)
    assert message.startswith("3 of 20 (15%) scored summaries were read as English but look like German; set the ")
    assert message.endswith("for example language='german'")
    [message] = said(0, french=3)
    assert message.endswith("look like French; set the language, for example language='french'")
    assert said(1) == []  # fewer than one in ten
    assert said(20, language="german") == []
    assert said(20, normalizer="simple", language="german") == []


def named_slowly(text: str) -> str | None:
    """Count the stop words of every language, without a shortcut."""
    letters = re.findall(r"[^\W\d_]", text)
    if 2 * len(re.findall(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]", text)) < len(letters):
        return language_of_script(text)
    known = _languages_by_word()
    hits = Counter(
        language for word in re.findall(r"[^\W\d_]+", text.lower())[:500] for language in known.get(word, ())
    )
    english = hits.pop("english", 0)
    language, n = max(hits.items(), key=lambda each: (each[1], each[0]), default=("", 0))
    return language.title() if n >= 3 and n > 2 * english else None


WORDS = ["soup", "Café", "ß", "été", "x1", "мир", "-", *sorted(_languages_by_word())[::7]]


@given(st.lists(st.sampled_from(WORDS), max_size=30))
def test_the_shortcut_changes_no_answer(words: list[str]) -> None:
    text = " ".join(words)
    assert foreign_language(text) == named_slowly(text)


def test_what_is_noticed() -> None:
    for text, language, leaves_out in [
        ("Die Ärztin wurde am Montag entlassen, weil sie krank war.", "German", True),
        ("Die Suppe war kalt und nicht gut.", "German", False),  # seven words
        ("Die Suppe war heute kalt und nicht gut.", "German", True),  # eight
        ("Nainen sanoi, että hän ei tiennyt, missä lapset olivat silloin kun hän tuli.", "Finnish", True),
        ("Женщина сказала, что она не знает, где её дети были вчера.", "Russian", True),
        ("Женщина сказала, что она не знает.", "Russian", False),
        ("汤很冷，我们等了很久。", "Chinese", True),
        # Titles, names and references within English texts: too few stop words, or letters and names that repeat.
        ("User Experience Design: Mit erlebnisreicher Entwicklung zu Produkten, die begeistern.", "German", False),
        ("XYZ: Mit erlebnisreicher Entwicklung zu Produkten, die begeistern.", "German", False),  # three stop words
        ("Edward Elmer Smith, publishing as E. E. Smith, Ph.D. and Doc Smith", None, False),
        ("Ed Sullivan Documentary. Ed Sullivan, IMDb. Ed Sullivan Theater, Broadway, New York", "Italian", False),
        ("Symonds, Craig L. Joseph E. Johnston: A Civil War Biography. Norton", "Italian", False),
        ("The soup was cold and we had to wait for a long time.", None, False),
    ]:
        found = notice((), (text,))
        assert (found and found.language, bool(found and found.leaves_out)) == (language, leaves_out)
        assert notice((text,), ()) == (found if language == "Chinese" else None)
