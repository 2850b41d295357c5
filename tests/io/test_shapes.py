"""Transcripts: which line begins a turn, which goes on with one, and what is said of the rest."""

import pytest
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.io.shapes import TEXT_KEYS, VALUE_KEYS, Cutter, Shape, are_turns, cut_transcript


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
    ],
)
def test_turns(transcript, turns):
    texts, speakers = cut_transcript(transcript)
    assert list(zip(speakers, texts, strict=True)) == turns


@pytest.mark.parametrize(
    ("transcript", "message"),
    [
        ("Minutes of May\nA: hi", "begins with text before the first speaker, str 'Minutes of May'; begin every turn"),
        ("", "has no line 'SPEAKER: text', found str ''; at least one"),
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


@pytest.mark.parametrize(
    "line",
    ["a " * 50_000, " :" * 50_000, "1:" * 50_000, "(" * 100_000, "[00:00" * 20_000, " " * 99_999 + "x", "A. " * 50_000],
)
def test_no_line_takes_long(line):
    cut_transcript(f"A: x\n{line}")


TURNS = [{"speaker": "A", "text": "one", "n": 1}, {"speaker": "B", "text": "two", "n": 2}]


def refusal(call, *arguments, **options):
    with pytest.raises(InputError) as error:
        call(*arguments, **options)
    return str(error.value)


@pytest.mark.parametrize("text_key", [*TEXT_KEYS, "Text", "UTTERANCE"])
@pytest.mark.parametrize("value_key", [*VALUE_KEYS, "Speaker"])
def test_usual_keys_are_found_and_said(text_key, value_key):
    said = []
    cutter = Cutter(Shape(), values=True, say=said.append)
    for word in ("one", "two"):
        assert cutter.cut([{value_key: "A", text_key: word, "n": 1}]) == ([word], ["A"])
    assert said == [f"sources are turns: the texts are under {text_key!r}, the values under {value_key!r}"]


@pytest.mark.parametrize("sources", [["one"], "one", [], None, 3])
def test_what_is_no_list_of_turns_stays(sources):
    assert not are_turns(sources)
    assert Cutter(Shape(), values=True).cut(sources) == (sources, None)


@pytest.mark.parametrize(
    ("shape", "sources", "message"),
    [
        ({}, [{"speaker": "A", "words": "one"}], (
            "the text of a turn is under none of the keys text, utterance, content, body; found the keys "
            "speaker, words. Name the right one with text_key"
        )),
        ({}, [{"text": "one", "body": "x"}], (
            "the text of a turn could be under text or body; found the keys text, body"
        )),
        ({}, [{"text": "one"}, {"text": "x", "role": "A", "author": "B"}], (
            "the value of a turn could be under role or author; found the keys text, role, author. Name the right "
            "one with value_key"
        )),
        ({}, [TURNS[0], {"text": "two"}], (
            "sources[1] has no 'speaker', found text; add it to every turn, or name another key with value_key"
        )),
        ({}, [TURNS[0], "two"], "sources[1] must be a turn such as {\"speaker\": \"Anna\", \"text\": \"Good morning.\"}"
         ", found str 'two'"),
        ({"text_key": "said"}, TURNS, (
            "sources[0] has no 'said', found speaker, text, n; add it to every turn, or name another key with "
            "text_key"
        )),
        ({"value_key": "speaker"}, ["one"], "found list ['one']; omit text_key and value_key if sources are texts"),
        ({}, {"speaker": ["A"], "text": ["one", "two"]}, (
            "number of entries under each key, found 1 under 'speaker', 2 under 'text'"
        )),
    ],
)  # fmt: skip
def test_what_is_wrong_with_turns(shape, sources, message):
    assert message in refusal(Cutter(Shape(**shape), values=True).cut, sources)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"group_by": ["id"]}, "score: group_by must be a name, found list ['id']"),
        ({"text_key": ""}, "score: text_key must be a name, found str ''"),
        ({"transcript": "yes"}, "score: transcript must be True or False"),
        (
            {"transcript": True, "value_key": "x"},
            "score: value_key applies only to lists of turns, found str 'x'; leave ",
        ),
    ],
)
def test_settings(given, message):
    assert message in refusal(Shape, module="score", **given)


@pytest.mark.parametrize("given", [{"group_by": "id"}, {"text_key": "t"}, {"value_key": "v"}, {"transcript": True}])
def test_a_shape_needs_sources(given):
    shape = Shape(module="score", **given)
    shape.check_columns({"predictions", "sources"})
    assert refusal(shape.check_columns, {"predictions"}).startswith(f"score: {next(iter(given))} describes sources")
