"""Layout of samples: turns with their keys, and settings."""

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.io.shapes import TEXT_KEYS, VALUE_KEYS, Cutter, Shape, are_turns

TURNS = [{"speaker": "A", "text": "one", "n": 1}, {"speaker": "B", "text": "two", "n": 2}]


def refusal(call, *arguments, **options):
    with pytest.raises(InputError) as error:
        call(*arguments, **options)
    return str(error.value)


def test_usual_keys_are_found_and_said():
    for text_key in [*TEXT_KEYS, "Text", "UTTERANCE"]:
        for value_key in (*VALUE_KEYS, "Speaker"):
            messages = []
            cutter = Cutter(Shape(), values=True, say=messages.append)
            for word in ("one", "two"):
                assert cutter.cut([{value_key: "A", text_key: word, "n": 1}]) == ([word], ["A"])
            assert messages == [f"sources are turns: the texts are under {text_key!r}, the values under {value_key!r}"]


def test_what_is_no_list_of_turns_stays():
    for sources in [["one"], "one", [], None, 3]:
        assert not are_turns(sources)
        assert Cutter(Shape(), values=True).cut(sources) == (sources, None)


def test_what_is_wrong_with_turns():
    two = [{"text": "one"}, {"text": "x", "role": "A", "author": "B"}]
    lists = {"speaker": ["A"], "text": ["one", "two"]}
    for shape, sources, message in [
        ({}, [{"speaker": "A", "words": "one"}], "is under none of the keys text, utterance, content, body; found the"),
        ({}, [{"text": "one", "body": "x"}], "could be under text or body; found the keys text, body"),
        ({}, two, "the value of a turn could be under role or author; found the keys text, role, author. Name the"),
        ({}, [TURNS[0], {"text": "two"}], "sources[1] has no 'speaker', found text; add it to every turn, or name"),
        (
            {},
            [TURNS[0], "two"],
            'sources[1] must be a turn such as {"speaker": "Anna", "text": "Good morning."}, found',
        ),
        (
            {"text_key": "said"},
            TURNS,
            "sources[0] has no 'said', found speaker, text, n; add it to every turn, or name",
        ),
        ({"value_key": "speaker"}, ["one"], "found list ['one']; omit text_key and value_key if sources are texts"),
        ({}, lists, "number of entries under each key, found 1 under 'speaker', 2 under 'text'"),
    ]:
        assert message in refusal(Cutter(Shape(**shape), values=True).cut, sources)


def test_settings():
    for given, message in [
        ({"group_by": ["id"]}, "score: group_by must be a name, found list ['id']"),
        ({"text_key": ""}, "score: text_key must be a name, found str ''"),
        ({"transcript": "yes"}, "score: transcript must be True or False"),
        ({"transcript": True, "value_key": "x"}, "score: value_key applies only to lists of turns, found str 'x'; "),
    ]:
        assert message in refusal(Shape, module="score", **given)


def test_a_shape_needs_sources():
    for given in [{"group_by": "id"}, {"text_key": "t"}, {"value_key": "v"}, {"transcript": True}]:
        shape = Shape(module="score", **given)
        shape.check_columns({"predictions", "sources"})
        assert refusal(shape.check_columns, {"predictions"}).startswith(f"score: {next(iter(given))} describes sources")
