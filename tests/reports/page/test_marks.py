from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.families.contract import Span
from fairsum_utils.reports.page.blocks import SEPARATOR, SIGNS
from fairsum_utils.reports.page.marks import LONGEST, Marks, class_of, with_signs

COLOURS = {"neg": "v1", "neu": "v2", "pos": "v3"}
NAMES = st.lists(st.sampled_from([*COLOURS, "other"]), max_size=3, unique=True).map(lambda names: tuple(sorted(names)))
KINDS = st.sampled_from(["word", "unit", "chunk", "person", "plus", "minus"])


@st.composite
def marked_texts(draw: st.DrawFn) -> tuple[str, list[Span]]:
    text = draw(st.text(max_size=40))
    ends = st.integers(-2, len(text) + 2)
    spans = st.builds(Span, ends, ends, NAMES, KINDS, st.text(max_size=3), st.text(max_size=3))
    return text, draw(st.lists(spans, max_size=6))


class Read(HTMLParser):
    """The text of HTML, the marks that are open at each character, and whatever else is in it."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.text, self.tags, self.open = "", set(), []
        self.marks: list[dict[str, str] | None] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag == "mark":
            assert not self.open, "marks do not overlap"
            self.open.append(dict(attrs))

    def handle_endtag(self, tag):
        if tag == "mark":
            self.open.pop()

    def handle_data(self, data):
        self.text += data
        self.marks += [self.open[-1] if self.open else None] * len(data)


def html(text: str, *spans: Span) -> str:
    return Marks(COLOURS, [(text, spans)]).html(text, spans)


def test_a_word_of_one_value():
    # "soup" is its own key: nothing is written down for it.
    assert html("A soup.", Span(2, 6, ("pos",), key="soup")) == 'A <mark class="fs-word fs-v3" title="pos">soup</mark>.'


def test_a_word_of_two_values_is_of_both_colours():
    shown = html("soup", Span(0, 4, ("neg", "pos"), key="soup"))
    assert shown == '<mark class="fs-word fs-v1-v3" title="neg, pos">soup</mark>'


def test_words_of_one_key_have_one_name_in_all_texts():
    love = [Span(0, 5, ("pos",), key="love"), Span(6, 11, ("pos",), key="love"), Span(12, 16, ("pos",), key="love")]
    text = "loved LOVED love"
    assert re.findall(r' data-k="(\w+)"', html(text, *love)) == [
        "loved"
    ]  # of the last one; the others say it themselves
    # "Love" is no other word's name, though it is the form of another key: no two keys have the same name.
    other = Span(12, 16, ("neg",), key="lovers")
    names = re.findall(r'data-k="([^"]*)"', html(text, *love[:2], other, Span(0, 0)))
    assert names == []
    clash = html("love love", Span(0, 4, key="a"), Span(5, 9, key="b"))
    assert clash == '<mark class="fs-word">love</mark> <mark class="fs-word" data-k=" 1">love</mark>'


def test_overlapping_stretches_are_cut_into_segments():
    # 0         1
    # 01234567890123
    # Tasty hot soup    a unit over all, a word in it, and one of two words
    unit = Span(0, 14, ("pos",), "unit", "u1")
    word = Span(0, 5, ("neg",), "word", "tasty")
    pair = Span(6, 14, ("neg",), "word", "hot soup")
    segments = re.findall(r'<mark class="([^"]*)"[^>]*>([^<]*)</mark>', html("Tasty hot soup", unit, word, pair))
    assert segments == [
        ("fs-unit fs-word fs-v1-v3 fs-first", "Tasty"),
        ("fs-unit fs-v3", " "),
        ("fs-unit fs-word fs-v1-v3", "hot soup"),  # the unit goes on
    ]


def test_what_a_stretch_says_is_its_title():
    shown = html('a "b"', Span(2, 5, ("pos",), "minus", said='counted as "b" <i>'))
    assert 'title="pos: counted as &quot;b&quot; &lt;i&gt;"' in shown


@pytest.mark.parametrize(
    ("names", "pairs", "expected"),
    [
        (["v1"], True, "fs-v1"),
        (["v2", "v1", "v3"], True, "fs-v1-v2-v3"),
        (["v1", "v2", "v3", "v4"], True, "fs-shared"),
        (["v1", "v2"], False, "fs-shared"),
        (["v8"], False, "fs-v8"),
    ],
)
def test_classes(names: list[str], pairs: bool, expected: str):
    assert class_of(names, pairs) == expected


def test_what_cannot_be_seen_is_written_out():
    shown = with_signs("a\x00b\u202ec\x1b[31m\ud800\x85\tline\nnext\r\nlast\rend")
    assert unescape(re.sub("<[^>]*>", "", shown)) == "a\\x00b\\u202ec\\x1b[31m\\ud800\\x85\tline\nnext\nlast\nend"
    assert shown.count('<span class="fs-sign">') == 4  # neighbours are in one


def test_unbroken_letters_can_be_broken():
    # 1,000 letters: after each 200 but the last
    assert html("x" * 1000) == "<wbr>".join(["x" * 200] * 5)
    assert "<wbr>" not in html("x" * 200)
    assert "<wbr>" not in html(" ".join(["x" * 150] * 10))
    # also in the middle of a mark, whose parts stay together
    shown = html("x" * 300, Span(100, 300, ("pos",), key="x"))
    assert re.findall("<wbr>(?=<mark)", shown) == ["<wbr>"]
    assert shown.count('data-k=" 0"') == 2


def test_a_monstrous_word_is_not_said_again_in_each_of_its_pieces() -> None:
    word = "x" * 50_000
    shown = html(word, Span(0, len(word), ("y" * 50_000,), key=word, said=f"counted as {word}"))
    assert len(shown) < 4 * len(word)


def test_long_texts_are_shortened_and_say_so():
    shown = html("word " * 200_000, Span(LONGEST - 2, LONGEST + 3, ("pos",), key="k"))
    assert shown.endswith('<em class="fs-cut"> … shortened: 800,000 of 1,000,000 characters are left out</em>')
    assert len(shown) < LONGEST + 300
    assert ">d </mark>" in shown


@given(marked_texts())
def test_the_text_stays_and_each_character_has_its_marks(drawn: tuple[str, list[Span]]):
    text, spans = drawn
    shown = html(text, *spans)
    assert not set(shown) & {*SIGNS, SEPARATOR}
    shown.encode()  # no half of a character
    read = Read(shown)
    assert read.tags <= {"mark", "span", "wbr"}
    assert read.text == unescape(re.sub("<[^>]*>", "", with_signs(text)))
    if read.text == text:
        for place in range(len(text)):
            covering = [span for span in spans if max(span.start, 0) <= place < span.end]
            mark = read.marks[place]
            assert (mark is None) == (not covering)
            if mark is not None:
                classes = mark["class"].split()
                assert {f"fs-{span.kind}" for span in covering} <= set(classes)
                names = sorted({name for span in covering for name in span.names})
                assert (mark.get("title") or "").startswith(", ".join(names))


@given(st.lists(st.tuples(st.sampled_from(["love", "Love", "loved", "hate", "a b", ""]), st.text("kl", max_size=2))))
def test_marks_belong_together_exactly_if_their_keys_are_equal(words: list[tuple[str, str]]):
    texts = [(word, [Span(0, len(word), key=key)]) for word, key in words]
    marks = Marks({}, texts)
    names = []
    for text, spans in texts:
        read = Read(marks.html(text, spans))
        mark = next(iter(read.marks), None)
        # as the script reads them: what is written down, or else the word
        names.append(mark.get("data-k", text.lower()) if mark else None)
    for (word, key), name in zip(words, names, strict=True):
        for (other, other_key), other_name in zip(words, names, strict=True):
            if word and other and key and other_key:
                assert (key == other_key) == (name == other_name)
        assert not word or key or name == ""


def test_many_keys_take_no_time_by_the_square():
    words = [f"w{number}" for number in range(30_000)]
    places = [6 * number for number in range(len(words))]
    text = " ".join(word.ljust(5) for word in words)
    spans = [Span(place, place + 5, ("pos",), key=word) for place, word in zip(places, words, strict=True)]
    assert html(text, *spans).count("<mark") > 30_000 * 0.99 - 1
