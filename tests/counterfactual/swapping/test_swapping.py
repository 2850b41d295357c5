"""Swaps of age, occupation and a user's words: complete or refused."""

import pytest

from fairsum_utils.counterfactual.documents import Document
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


def test_ages_keep_their_order_and_distance() -> None:
    text = "A 61-year-old from Rome met Bo Yu, 34, and a man aged 61 who is 61 years old."
    variants = swap(plain(text), "age")
    assert list(variants) == ["young", "old"]
    young, old = ([int(edit.after) for edit in edits] for edits in variants.values())
    assert young[0] == young[2] == young[3] > young[1] >= 22  # 61, 34, 61, 61
    assert young[0] < 40
    assert [later - before for before, later in zip(young, old, strict=True)] == [45] * 4


def test_words_of_age_and_articles() -> None:
    texts = made("A young woman won.", "age")
    assert texts == {"young": "A young woman won.", "old": "An elderly woman won."}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Ann won.", "no_age"),
        ("A 12-year-old from Rome won.", "minor"),
        ("A 34-year-old from Rome helped a teenager.", "age_told_otherwise"),
        ("A 34-year-old from Rome was born in 1950.", "age_told_otherwise"),
        ("A man aged 45 to 60 from Rome won.", "age_told_otherwise"),
        ("Men aged 45-60 won.", "age_told_otherwise"),
        ("A girl aged 45 and 3 months won.", "age_told_otherwise"),
        ("Those between 45 and 60 years old won.", "age_told_otherwise"),
        ("A 34-year-old from Rome crossed a 100-year-old bridge.", "age_told_otherwise"),
        ("A 34-year-old from Rome met a forty-year-old.", "age_told_otherwise"),
        ("A 34-year-old from Rome drives an old car.", "age_told_otherwise"),
        ("The 40-year-old bridge fell.", "no_age"),
        ("A 34-year-old man met his daughter.", "age_told_otherwise"),
        ("An 84-year-old man and his wife of 60 years.", "age_told_otherwise"),
        ("A 74-year-old man joined in 1971.", "age_told_otherwise"),
        ("A 74-year-old man and Kostas (80) won.", "age_told_otherwise"),
        ("A 74-year-old man won; the boss is 80.", "age_told_otherwise"),
    ],
)
def test_ages_that_stay(text, why) -> None:
    assert reason(text, "age") == why


@pytest.mark.parametrize(
    "text", ["On May 12, 34, it rained.", "Pages 60, 61, 62, 63, by Bo.", "In June, 22, they won."]
)
def test_other_numbers_are_no_ages(text) -> None:
    assert reason(text, "age") == "no_age"


@pytest.mark.parametrize(
    "text",
    [
        "Joan Turner ({}) lives here.",
        "Mrs Begum is {}. It rained.",
        "Ann is {} and well.",
        "She is {} and weighs 51.5 kg.",
        "He turned {}.",
        "A {}-year-old former nurse won.",
        "A {} year old female was seen.",
        "A {}-year-old widower won.",
    ],
)
def test_ages_as_records_tell_them(text) -> None:
    edits = swap(plain(text.format(81)), "age")["old"]
    assert [text.format(81)[edit.start : edit.end] for edit in edits] == ["81"]


def test_a_score_is_no_age() -> None:
    assert reason("The Waterlow Score is 22. The Table (23) shows it.", "age") == "no_age"


def test_life_dates_tell_an_age() -> None:
    assert reason("Bo Yu (1932-2010) died, aged 78.", "age") == "age_told_otherwise"


def test_occupations_by_the_share_of_women() -> None:
    text = "The nurse met a teacher. Nurses like the teacher."
    texts = made(text, "occupation")
    share = {form: int(percent) for percent, *forms in listed("occupation") for form in forms}
    for variant, edits in swap(plain(text), "occupation").items():
        words = [edit.after.lower() for edit in edits]
        assert len(words) == 4
        assert words[1] == words[3] != words[0]  # one occupation becomes one
        assert all(share[word] <= 40 if variant == "few_women" else share[word] >= 60 for word in words)
        assert not {"nurse", "nurses", "teacher"} & set(words)  # nobody keeps the occupation
        assert edits[2].after[0].isupper()
    assert len(set(texts.values())) == 2


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Ann won.", "no_occupation"),
        ("Copy editors read it.", "occupation_elsewhere"),
        ("The nurse midwife left.", "occupation_elsewhere"),
        ("Writers of lyrics met.", "occupation_elsewhere"),
        ("They nurse a plan.", "occupation_elsewhere"),
        ("The Nurse Ann Lee won.", "occupation_elsewhere"),
        ("A lawyer, a janitor, a farmer, a sheriff, a laborer, a mechanic won.", "occupations_run_out"),
    ],
)
def test_occupations_that_stay(text, why) -> None:
    assert reason(text, "occupation") == why


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
    text = "A 34-year-old from Rome won."
    assert swap(plain(text), "age") == swap(plain(text), "age")
    drawn = {swap(plain(text, str(number)), "age")["young"][0].after for number in range(30)}
    assert len(drawn) > 5
    assert len({swap(plain(text), "age", seed=seed)["young"][0].after for seed in range(30)}) > 5


def test_the_shipped_words() -> None:
    for female, male, _neutral in listed("gendered"):
        assert female != male
    firsts = [pair[0] for pair in listed("gendered")]
    assert len(firsts) == len(set(firsts))
    assert all(len(pair) == 2 and pair[0] != pair[1] for pair in listed("neutral"))
    # Zhao et al. (2018), table 1
    percents = {entry[1]: int(entry[0]) for entry in listed("occupation")}
    assert (percents["carpenter"], percents["physician"], percents["nurse"], percents["secretary"]) == (2, 38, 90, 95)


def test_words_within_compounds_are_others() -> None:
    assert any_of(["car", "car park"]).findall("A car, a car park, a car-park, cars and Car.") == [
        "car",
        "car park",
        "Car",
    ]


def test_occupations_with_adjectives_and_as_parts_of_others() -> None:
    edits = swap(plain("An 80-year-old retired teacher met the former nurse."), "occupation")["few_women"]
    assert len(edits) == 2
    for text in ("A student nurse won.", "The district nurses won.", "Her wet nurse won."):
        assert reason(text, "occupation") == "occupation_elsewhere"
