"""Summaries written as lists: the same sentences as in prose, and prose that looks like a list."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils import CoverageParity, EqualCoverage, score
from fairsum_utils.text.lists import marked_lines, stretches
from fairsum_utils.text.punkt import sentences
from fairsum_utils.text.splitting import located, sentence_units, summary_sentences, summary_spans
from tests._steps import slowdown

SOUP, STAFF, ROOMS = ITEMS = ("The soup was tasty", "Anna Lee said the staff was rude", "Some rooms had mice")


def each(*markers: str, end: str = "", between: str = "\n") -> str:
    return between.join(f"{marker}{item}{end}" for marker, item in zip(markers, ITEMS, strict=True))


STYLES = {
    "prose": each("", "", "", end=".", between=" "),
    "numbers": each("1. ", "2. ", "3. "),
    "numbers and brackets": each("1) ", "2) ", "3) "),
    "numbers in brackets": each("(1) ", "(2) ", "(3) ", end=";"),
    "numbers and colons": each("1: ", "2: ", "3: "),
    "numbers and dashes": each("1 - ", "2 - ", "3 - "),
    "numbers with signs": each("#1 ", "#2 ", "#3 "),
    "numbers from nine": each("9. ", "10. ", "11. "),
    "bold numbers": each("**1.** ", "**2.** ", "**3.** "),
    "bold items": each("1. **", "2. **", "3. **", end="**"),
    "full-width numbers": each("1、", "2、", "3、"),
    "circled numbers": each("① ", "② ", "③ "),
    "key caps": each("1️⃣ ", "2️⃣ ", "3️⃣ "),
    "letters": each("a) ", "b) ", "c) ", end=","),
    "capital letters": each("A. ", "B. ", "C. ", end="."),
    "Roman": each("i. ", "ii. ", "iii. "),
    "Roman in brackets": each("(i) ", "(ii) ", "(iii) ", end="."),
    "Roman capitals": each("IV. ", "V. ", "VI. "),
    "hyphens": each("- ", "- ", "- "),
    "dots": each("• ", "• ", "• "),
    "dashes": each("– ", "– ", "– "),
    "boxes": each("[ ] ", "[x] ", "[ ] "),
    "emoji": each("✅ ", "✅ ", "✅ "),
    "quoted": each("> - ", "> - ", "> - "),
    "indented": each("  - ", "  - ", "  - "),
    "nested": each("- ", "  - ", "    - "),
    "nested sorts": each("1. ", "   - ", "   - "),
    "markers above": each("1.\n", "2.\n", "3.\n", end="."),
    "broken items": each("1. ", "2. ", "3. ").replace(" was ", "\n   was ").replace(" had ", "\n   had "),
    "blank lines": each("- ", "- ", "- ", between="\n\n"),
    "old Mac": each("* ", "* ", "* ", between="\r"),
    "line separators": each("• ", "• ", "• ", between="\u2028"),
    "lines": each("", "", ""),
    "one line of numbers": each("1. ", "2. ", "3. ", end=".", between=" "),
    "one line of brackets": each("1) ", "2) ", "3) ", end=";", between=" "),
    "one line of dots": each("• ", "• ", "• ", between=" "),
    "one line of hyphens": each("- ", "- ", "- ", end=".", between=" "),
    "numbers behind prose": f"{SOUP}. 1. {STAFF}. 2. {ROOMS}.",
    "lead-in": f"Here is what guests said:\n{each('1. ', '2. ', '3. ')}",
    "heading": f"# Summary\n{each('- ', '- ', '- ')}",
    "underlined heading": f"Summary\n=======\n\n{each('- ', '- ', '- ')}",
    "title": f"Key Points\n{each('- ', '- ', '- ')}",
    "headings": each("## Food\n\n", "## Staff\n\n", "### Rooms ###\n", end=".", between="\n\n"),
    "bold headings": each("**Food**\n", "**Staff**\n", "__Rooms__\n", end=".", between="\n\n"),
    "headings with colons": each("Food:\n", "Our staff:\n", "Rooms:\n"),
    "capital headings": each("FOOD\n", "STAFF\n", "ROOMS\n", end=".", between="\n\n"),
    "numbered headings": each("1. Food\n   - ", "2. Staff\n   - ", "3. Rooms\n   - "),
    "numbered bold headings": each("1. **Food:**\n   - ", "2. **Staff:**\n   - ", "3. **Rooms:**\n   - "),
    "topics": each("1. **Food**: ", "2. **The staff**: ", "3. **Rooms:** ", end="."),
    "rules": each("", "", "", end=".", between="\n\n---\n\n"),
    "code": f"```markdown\n{each('- ', '- ', '- ')}\n```",
    "table": f"| What was said |\n|:---|\n{each('| ', '| ', '| ', end=' |')}",
    "table of two columns": f"|  | Summary |\n|---|---|\n{each('| Food | ', '| Staff | ', '| Rooms | ', end=' |')}",
    "numbered table": f"| # | Summary |\n|---|---|\n{each('| 1 | ', '| 2. | ', '| 3) | ', end=' |')}",
}

SOURCES = [
    ["The soup was tasty. Some rooms had mice.", "The staff was rude, and the soup was tasty."],
    ["The bread was stale. The staff was friendly.", "Slow lift. The bar was loud and the pool was closed."],
]
SOURCES_OF_BOTH = [text for texts in SOURCES for text in texts]
LEXICAL = {"entailer": "lexical"}
SPEAKERS = ["Anna Lee", "Ben Park", "Anna Lee", "Ben Park"]


def results(summary: str) -> dict[str, Any]:
    """All figures of a summary but the warnings and what names the run."""
    metrics = [EqualCoverage(**LEXICAL), CoverageParity(**LEXICAL), "omission", "framing", "position_bias"]
    found = score([summary], [SOURCES_OF_BOTH], [["p", "n", "p", "n"]], metrics=metrics)
    claims = score([summary], [SOURCES_OF_BOTH], [SPEAKERS], metrics="misattribution")
    return {name: repr({key: each for key, each in found[name].items() if key != "warnings"}) for name in found} | {
        "claims": claims["misattribution"]["n_claims"],
        "misattribution": claims["misattribution"]["misattribution"],
    }


def test_a_list_has_the_units_of_its_prose() -> None:
    for style in STYLES:
        units = [" ".join(unit.rstrip(".").split()) for unit in sentence_units(STYLES[style])]
        assert units == list(ITEMS)


def test_a_list_has_the_scores_of_its_prose() -> None:
    for style in list(STYLES)[1::30]:
        expected = results(STYLES["prose"])
        assert "'equal_coverage': 0.0," not in expected["equal_coverage"]
        assert expected["claims"] == 1
        assert results(STYLES[style]) == expected


PROSE = [
    ("1. FC Köln won. The fans cheered.", ["1. FC Köln won.", "The fans cheered."]),
    ("We saw it. 1. FC Köln won.", ["We saw it.", "1. FC Köln won."]),
    ("1. FC Köln won.\nThe fans\ncheered.", ["1. FC Köln won.", "The fans\ncheered."]),
    ("- 5 degrees were measured. We froze.", ["- 5 degrees were measured.", "We froze."]),
    ("-5 degrees.\n-7 degrees.", ["-5 degrees.", "-7 degrees."]),
    ("It was about\n- 5 degrees.", ["It was about\n- 5 degrees."]),
    ("The soup was good\n- and cheap - but cold.", ["The soup was good\n- and cheap - but cold."]),
    ("The staff a) was kind, b) was fast and c) smiled.", ["The staff a) was kind, b) was fast and c) smiled."]),
    ("It (1) is clean, (2) is cheap. It is near.", ["It (1) is clean, (2) is cheap.", "It is near."]),
    ("It cost 3.5 dollars - a lot - in well-known bars.", ["It cost 3.5 dollars - a lot - in well-known bars."]),
    ("I. Newton wrote it.\nA. Einstein read it.", ["I. Newton wrote it.", "A. Einstein read it."]),
    ("He said:\nthe soup is cold.", ["He said:\nthe soup is cold."]),
    ("I love\nParis. It is nice.", ["I love\nParis.", "It is nice."]),
    ("Dr.\nSmith met\nMr.\nJones.", ["Dr.\nSmith met\nMr.\nJones."]),
    ("The soup was\n\ncold.", ["The soup was\n\ncold."]),
    ("They ate (fish,\nSoup and bread", ["They ate (fish,\nSoup and bread"]),
    ("© 2024 it was.", ["© 2024 it was."]),
    ("😀 Great soup.", ["😀 Great soup."]),
    ("Guests like the soup ,", ["Guests like the soup ,"]),
    ("#1 in town. We go again.", ["#1 in town.", "We go again."]),
    ("**Soup** was cold.", ["**Soup** was cold."]),
]


def test_prose_that_looks_like_a_list() -> None:
    for text, expected in PROSE:
        assert sentence_units(text) == expected


def test_lines_without_markers() -> None:
    """Lines of an item belong to it, where they are indented, small and not behind a blank line."""
    for text, expected in {
        "- soup was\n  cold\n- bread": ["soup was\n  cold", "bread"],
        "- soup\n  Cold": ["soup", "Cold"],
        "- soup\ncold": ["soup", "cold"],
        "- soup\n\n  cold": ["soup", "cold"],
        "- soup\n  - bread": ["soup", "bread"],
        "soup\n  cold": ["soup", "cold"],
        "Soup\n---\nbread": ["Soup", "bread"],
        "1. soup\n\n2. bread": ["soup", "bread"],
        "A: soup\nB: bread": ["A: soup", "B: bread"],
        "1. FC Köln won\n5. FC Bonn lost\n2. FC Ulm drew": ["1. FC Köln won", "5. FC Bonn lost", "2. FC Ulm drew"],
    }.items():
        assert [text[line.start : line.end] for line in marked_lines(text, ["A", "B"])] == expected
    assert [line.is_item for line in marked_lines("- soup\n+ bread\nsoup\n- cold\n- hot")] == [1, 1, 0, 1, 1]
    assert [text[line.start : line.end] for text in ["A: soup\nB: bread"] for line in marked_lines(text)] == [
        "soup",
        "bread",
    ]


def test_lines_broken_by_width() -> None:
    text = (
        "Guests praised the food and the friendly staff of the\n"
        "Hilton hotel in Berlin, which was clean and quiet all of\n"
        "May and June, and they would come again to see it\n"
        "next year."
    )
    assert sentence_units(text) == [text]


def test_what_is_a_unit() -> None:
    for text, expected in [
        ("1.", []),
        ("- \n* \n•", []),
        ("---", []),
        ("## Great soup", ["Great soup"]),  # nothing but a heading
        ("- Great soup. Cold bread; stale.\n- Fine", ["Great soup.", "Cold bread; stale.", "Fine"]),
        ("Guests praised:\n- soup\n- bread\nMost would return.", ["soup", "bread", "Most would return."]),
        ("- **Friendly staff**: praised by most", ["**Friendly staff**: praised by most"]),
        ("1. Food\n2. Staff", ["Food", "Staff"]),
        ("1. Food\n1.1 Cold soup\n2. Staff\n2.1 Rude cook", ["Food", "Cold soup", "Staff", "Rude cook"]),
        ("## What the guests said of food\nthe soup was cold", ["the soup was cold"]),
        ("Friendly Staff\nThe cook was very kind.", ["The cook was very kind."]),
        ("- **Staff**: They were kind\n- **Soup**: Very cold", ["They were kind", "**Soup**: Very cold"]),
        ("We came. It rained.\n\nGreat soup\nKind staff", ["We came.", "It rained.", "Great soup", "Kind staff"]),
        ("- **Great soup**\n- Rude staff", ["Great soup", "Rude staff"]),
    ]:
        assert sentence_units(text) == expected


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (
            "german",
            "Fazit:\n1. Die Suppe war gut\n2. Das Zimmer war klein",
            ["Die Suppe war gut", "Das Zimmer war klein"],
        ),
        ("german", "1. FC Köln gewann. Alle jubelten.", ["1. FC Köln gewann.", "Alle jubelten."]),
        ("chinese", "总结：\n1、汤很好\n2、房间很小", ["汤很好", "房间很小"]),
        ("hindi", "• सूप अच्छा था\n• कमरा छोटा था", ["सूप अच्छा था", "कमरा छोटा था"]),
    ],
)
def test_other_languages(language: str, text: str, expected: list[str]) -> None:
    pytest.importorskip("sentencex")
    if language == "chinese":
        pytest.importorskip("rjieba")
    assert sentence_units(text, language) == expected


SIGNS = st.text("ab.1)(*-# \n|:•A[]x_", max_size=60)


@given(SIGNS)
def test_sentences_stand_in_the_text_in_order(text: str) -> None:
    spans = summary_spans(text)
    assert all(start < end for start, end in spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    assert summary_sentences(text) == [text[start:end] for start, end in spans]
    for found in (stretches(text), marked_lines(text)):
        assert all(0 <= part.start < part.end <= len(text) for part in found)


@given(st.lists(st.sampled_from(["It was good.", "Dr. Who left!", "Why? No.", "e.g. soup", "1.5 stars"]), max_size=8))
def test_prose_in_one_line_is_split_as_before(parts: list[str]) -> None:
    text = " ".join(["We came.", *parts])
    assert located(text, summary_sentences(text)) == located(text, sentences(text))


def test_time_is_linear() -> None:
    for part in ("• a ", "1. A. ", "**a** ", "|a", "a:\n", ". 1. a"):
        assert slowdown(lambda n, part=part: stretches(part * n), 500) < 40
