"""Swaps of a user's words, and the shipped words."""

from dataclasses import replace

import pytest

from fairsum_utils.counterfactual.documents import Document, mini_news
from fairsum_utils.counterfactual.edits import any_of, apply_edits, listed
from fairsum_utils.counterfactual.swapping import LEXICON, Original, Unswappable, check_lexicon, swap
from fairsum_utils.errors import InputError


def plain(text, name="a"):
    return Original(Document(name, text, (), ()))


def made(text, attribute, **more):
    return {variant: apply_edits(text, edits)[0] for variant, edits in swap(plain(text), attribute, **more).items()}


def reason(text, attribute, **more):
    with pytest.raises(Unswappable) as caught:
        swap(plain(text), attribute, **more)
    return caught.value.reason


WORDS = {"clinic": {"poor": "shelter", "rich": "spa"}, "The clinic's bus": {"poor": "the bus", "rich": "the limo"}}


def test_a_lexicon_of_ones_own() -> None:
    texts = made("CLINIC news: the clinic opens. The clinic's bus came.", LEXICON, lexicon=WORDS)
    assert texts == {
        "poor": "SHELTER news: the shelter opens. The bus came.",
        "rich": "SPA news: the spa opens. The limo came.",
    }
    assert reason("Nothing.", LEXICON, lexicon=WORDS) == "no_term"
    assert reason("A clinic and a spa.", LEXICON, lexicon=WORDS) == "term_elsewhere"


@pytest.mark.parametrize(
    ("lexicon", "message"),
    [
        ([], "a lexicon must map terms to their variants"),
        ({}, "a lexicon must map terms to their variants"),
        ({"a": "b"}, "str 'a' must map variants to terms"),
        ({"a": {"x": "b", "y": ""}}, "str 'a' must map variants to terms"),
        ({"a": {"x": "b"}}, "'a' has one variant, x"),
        ({"a": {"x": "b", "y": "c"}, "d": {"x": "e", "z": "f"}}, "'d' has the variants x, z, but the first"),
    ],
)
def test_lexica_that_are_none(lexicon, message) -> None:
    with pytest.raises(InputError, match=message):
        check_lexicon("words.json", lexicon)


def test_a_text_decides_what_is_drawn_with_the_seed() -> None:
    def drawn(name, **more):
        document = replace(mini_news()[0], id=name)
        return swap(Original(document), "gender", **more)["male"][0].after

    assert drawn("a") == drawn("a")
    assert len({drawn(str(number)) for number in range(4)}) > 1
    assert len({drawn("a", seed=seed) for seed in range(4)}) > 1


def test_the_shipped_words() -> None:
    for female, male, _neutral in listed("gendered"):
        assert female != male
    firsts = [pair[0] for pair in listed("gendered")]
    assert len(firsts) == len(set(firsts))
    assert all(len(pair) == 2 and pair[0] != pair[1] for pair in listed("neutral"))


def test_words_within_compounds_are_others() -> None:
    assert any_of(["car", "car park"]).findall("A car, a car park, a car-park, cars and Car.") == [
        "car",
        "car park",
        "Car",
    ]
