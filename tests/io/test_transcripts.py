"""Transcripts: which line begins a turn, which continues one, and what is no turn."""

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.io.transcripts import cut_transcript


def test_a_line_that_begins_a_turn():
    for line, speaker, text in (
        ("Anna: Good morning.", "Anna", "Good morning."),
        ("[00:01:02] Anna: Hi", "Anna", "Hi"),
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
    ):
        assert cut_transcript(line) == ([text], [speaker])


def test_a_line_that_goes_on():
    for line in (
        "and then we left",
        "see http://example.org: good",  # two colons before the space
        "12:30 is the time",
        "[00:02:00] and then",
        "which I would never have expected myself: really",  # seven words
        "x" * 61 + ": y",
        "Why? Because: no",
        "a:b",
    ):
        rest = line.removeprefix("[00:02:00] ")
        assert cut_transcript(f"Anna: Hi\n\n{line}\nBen: Ho") == ([f"Hi {rest}", "Ho"], ["Anna", "Ben"])


def test_turns():
    for transcript, turns in [
        ("A: one\nA: two", [("A", "one"), ("A", "two")]),  # lines of one speaker are turns of their own
        ("A: one\nA:\ntwo", [("A", "one two")]),  # unless nothing stands beside the name
        ("A:\none\nB: two", [("A", "one"), ("B", "two")]),  # the text may begin in the next line
        ("A:\nMy rule: no debts.\n\nB:\nFine.", [("A", "My rule: no debts."), ("B", "Fine.")]),  # with a colon
        (
            "00:06 Daniel Friend:\nMy rule: no debts.\n\n01:15 Ana Bast:\nThank you. We hire.",
            [("Daniel Friend", "My rule: no debts."), ("Ana Bast", "Thank you. We hire.")],
        ),
        (
            "Ann de Vries  0:03\nMy rule: at 10:30\nwe meet at 10:30\n\nBen  10:32 AM\n[0:12]\nOK",
            [("Ann de Vries", "My rule: at 10:30 we meet at 10:30"), ("Ben", "OK")],
        ),
        (
            "Speaker 1 (00:00):\nNote: yes\nspeaker 2 (0:05)\nNo\nspeaker 2 (0:09)\nNo",
            [("Speaker 1", "Note: yes"), ("speaker 2", "No"), ("speaker 2", "No")],
        ),
        ("A: one\nB:\nA: two", [("A", "one"), ("A", "two")]),  # B says nothing
        ("A: one\r\n[00:10]\r\n\r\nB: two\rgo on", [("A", "one"), ("B", "two go on")]),
        (["A: one", "B: two"], [("A", "one"), ("B", "two")]),  # a list of lines
        ("Speaker 1: Hi. Speaker 3: Ho.", [("Speaker 1", "Hi."), ("Speaker 3", "Ho.")]),  # two turns on a line
        (
            "Speaker 1: hi speaker\nSpeaker 2: ho Speaker 12: he",
            [("Speaker 1", "hi speaker"), ("Speaker 2", "ho"), ("Speaker 12", "he")],
        ),
        ("#Person1#: Hi. #Person2#: Ho.", [("#Person1#", "Hi."), ("#Person2#", "Ho.")]),
        ("Person A: Hi! Person B: Ho.", [("Person A", "Hi!"), ("Person B", "Ho.")]),
        ("Ann: Hi. Ben: Ho.\nBen: Hm.", [("Ann", "Hi."), ("Ben", "Ho."), ("Ben", "Hm.")]),  # Ben begins a line
        ("Ann: I told Ben: wait.\nBen: Hm.", [("Ann", "I told Ben: wait."), ("Ben", "Hm.")]),
        ("Ann: It is simple. Note: wait.", [("Ann", "It is simple. Note: wait.")]),  # Note begins no line
        ("A: Eat vitamin C: oranges.", [("A", "Eat vitamin C: oranges.")]),
        ("A: one\u2028two", [("A", "one\u2028two")]),  # which is no end of a line here
    ]:
        texts, speakers = cut_transcript(transcript)
        assert list(zip(speakers, texts, strict=True)) == turns


def test_what_is_no_transcript():
    for transcript, message in [
        ("Minutes of May\nA: hi", "begins with text before the first speaker, str 'Minutes of May'; begin every turn"),
        ("", "has no line 'SPEAKER: text', found str ''; at least one"),
        ("A:\n\nB:", "has no line 'SPEAKER: text', found str 'A:\\n\\nB:'"),
        (None, "a transcript must be a text with lines 'SPEAKER: text', found None"),
        ([{"speaker": "A"}], "a transcript must be a text with lines 'SPEAKER: text', found list [{"),
    ]:
        with pytest.raises(InputError) as error:
            cut_transcript(transcript)
        assert message in str(error.value)
        assert "\n" not in str(error.value)


def test_no_line_takes_long():
    for line in [
        "a " * 50_000,
        " :" * 50_000,
        "1:" * 50_000,
        "(" * 100_000,
        "[00:00" * 20_000,
        " " * 99_999 + "x",
        "A. " * 50_000,
    ]:
        cut_transcript(f"A: x\n{line}")


TEAMS = """WEBVTT

NOTE recorded by Ann

8f5d-1/12-0
00:00:01.000 --> 00:00:02.000 align:start
<v Ann Lee>My rule: no debts &amp; no loans,</v>

8f5d-1/13-0
00:00:03.000 --> 00:00:04.000
<v Ann Lee>2 at most.</v>

00:00:05.000 --> 00:00:06.000
<v.loud Ben &amp; Co>Hi</v> <v Cy>1 < 2, <i>Ben</i></v>
"""
ZOOM = """WEBVTT

1
00:00:01.000 --> 00:00:02.000
Ann Lee: My rule: no debts,

2
00:00:03.000 --> 00:00:04.000
2 at most.
Note: wait

3
1:00:05.000 --> 1:00:06.000
Ben: Hi
"""
SUBRIP = """00:00:06,714 --> 00:00:08,342
Nora: We hire 2 people.

2
00:00:08,500 --> 00:00:09,342
Luis: No money.
3
00:00:09,500 --> 00:00:10,342
Nora: Then wait."""


@pytest.mark.parametrize(
    ("captions", "turns"),
    [
        (
            TEAMS,
            [("Ann Lee", "My rule: no debts & no loans, 2 at most."), ("Ben & Co", "Hi"), ("Cy", "1 < 2, Ben")],
        ),
        (ZOOM, [("Ann Lee", "My rule: no debts, 2 at most. Note: wait"), ("Ben", "Hi")]),
        (SUBRIP, [("Nora", "We hire 2 people."), ("Luis", "No money."), ("Nora", "Then wait.")]),
        (f"\ufeff1\n{SUBRIP}".replace("\n", "\r\n"), [("Nora", "We hire 2 people."), ("Luis", "No money."),
                                                       ("Nora", "Then wait.")]),
    ],
)  # fmt: skip
def test_captions(captions, turns):
    pytest.importorskip("webvtt")
    texts, speakers = cut_transcript(captions)
    assert list(zip(speakers, texts, strict=True)) == turns


@pytest.mark.parametrize(
    ("captions", "message"),
    [
        ("00:01 --> 00:02\nAnn: One\n\n00:00:03,000 --> 00:00:04,000\nBen: Two", "1 of 2 captions cannot be read; che"),
        (
            "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nNobody knows.",
            "begins with text before the first speaker, str",
        ),
    ],
)
def test_what_is_wrong_with_captions(captions, message):
    pytest.importorskip("webvtt")
    with pytest.raises(InputError, match=message):
        cut_transcript(captions)
