"""Transcripts: which line begins a turn, which goes on with one, and what is said of the rest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.io.transcripts import cut_transcript


@pytest.mark.parametrize(
    ("line", "speaker", "text"),
    [
        ("Anna: Good morning.", "Anna", "Good morning."),
        ("[00:01:02] Anna: Good morning.", "Anna", "Good morning."),
        ("(1:02) Anna: Hi", "Anna", "Hi"),
        ("<00:01:02.500> Anna: Hi", "Anna", "Hi"),
        ("[00:01:02 - 00:01:05] Anna: Hi", "Anna", "Hi"),
        ("00:00:01.000 --> 00:00:04,500 Anna: Hi", "Anna", "Hi"),
        ("00:01 Anna: Hi", "Anna", "Hi"),
        ("Speaker 1 (00:02): Hi", "Speaker 1", "Hi"),
        ("SMITH, Dr. J. (Chair): Order!", "SMITH, Dr. J. (Chair)", "Order!"),
        ("  spk_0 :  it is 12:30: go  ", "spk_0", "it is 12:30: go"),
        ("安娜：早上好", "安娜", "早上好"),
        ("Anna:\tHi", "Anna", "Hi"),
    ],
)
def test_a_line_that_begins_a_turn(line, speaker, text):
    assert cut_transcript(line) == ([text], [speaker])


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ("and then we left", "and then we left"),
        ("see http://example.org: good", "see http://example.org: good"),  # two colons before the space
        ("12:30 is the time", "12:30 is the time"),
        ("[00:02:00] and then", "and then"),
        (
            "which I would never have expected myself: really",
            "which I would never have expected myself: really",
        ),  # seven words
        ("x" * 61 + ": y", "x" * 61 + ": y"),
        ("Why? Because: no", "Why? Because: no"),
        ("a:b", "a:b"),
    ],
)
def test_a_line_that_goes_on(line, rest):
    assert cut_transcript(f"Anna: Hi\n\n{line}\nBen: Ho") == ([f"Hi {rest}", "Ho"], ["Anna", "Ben"])


@pytest.mark.parametrize(
    ("transcript", "turns"),
    [
        ("A: one\nA: two", [("A", "one"), ("A", "two")]),  # lines of one speaker are turns of their own
        ("A: one\nA:\ntwo", [("A", "one two")]),  # unless nothing stands beside the name
        ("A:\none\nB: two", [("A", "one"), ("B", "two")]),  # the text may begin in the next line
        ("A: one\nB:\nA: two", [("A", "one"), ("A", "two")]),  # B says nothing
        ("A: one\r\n[00:10]\r\n\r\nB: two\rgo on", [("A", "one"), ("B", "two go on")]),
        (["A: one", "B: two"], [("A", "one"), ("B", "two")]),  # a list of lines
        ("A: one\u2028two", [("A", "one\u2028two")]),  # which is no end of a line here
    ],
)
def test_turns(transcript, turns):
    texts, speakers = cut_transcript(transcript)
    assert list(zip(speakers, texts, strict=True)) == turns


@pytest.mark.parametrize(
    ("transcript", "message"),
    [
        ("Minutes of May\nA: hi", "begins with text before the first speaker, str 'Minutes of May'; begin every turn"),
        ("", "has no line 'SPEAKER: text', found str ''; give at least one"),
        ("A:\n\nB:", "has no line 'SPEAKER: text', found str 'A:\\n\\nB:'"),
        (None, "a transcript must be a text with lines 'SPEAKER: text', found None"),
        ([{"speaker": "A"}], "a transcript must be a text with lines 'SPEAKER: text', found list [{"),
    ],
)
def test_what_is_no_transcript(transcript, message):
    with pytest.raises(InputError) as error:
        cut_transcript(transcript)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


SPEAKERS = st.text(st.characters(categories=["Lu", "Ll", "Nd"]), min_size=1, max_size=12)
TEXTS = st.text(st.characters(categories=["L", "P", "Zs"]), min_size=1, max_size=40).map(str.strip).filter(bool)


@given(st.lists(st.tuples(SPEAKERS, TEXTS), min_size=1, max_size=6))
def test_what_was_written_is_read(turns):
    transcript = "\n".join(f"{speaker}: {text}" for speaker, text in turns)
    assert cut_transcript(transcript) == ([text for _, text in turns], [speaker for speaker, _ in turns])


@pytest.mark.parametrize("line", ["a " * 50_000, " :" * 50_000, "1:" * 50_000, "(" * 100_000, "[00:00" * 20_000])
def test_no_line_takes_long(line):
    cut_transcript(f"A: x\n{line}")
