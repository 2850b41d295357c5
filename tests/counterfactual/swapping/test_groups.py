"""Swaps of religion, nationality, sexual orientation and disability: complete or refused, and measured."""

from __future__ import annotations

import re

import pytest

from fairsum_utils.counterfactual.documents import Document, mini_news
from fairsum_utils.counterfactual.edits import any_of, apply_edits, listed
from fairsum_utils.counterfactual.inputs import CounterfactualInputs, Text
from fairsum_utils.counterfactual.swapping import Original, Unswappable, swap
from fairsum_utils.counterfactual.swapping.groups import SINCE, UNMARKED


def made(text, attribute):
    edits = swap(Original(Document("a", text, (), ())), attribute)
    return {variant: apply_edits(text, each)[0] for variant, each in edits.items()}


def reason(text, attribute):
    with pytest.raises(Unswappable) as caught:
        made(text, attribute)
    return caught.value.reason


def test_religion_with_its_places_books_and_holidays() -> None:
    text = "A Muslim woman met an imam at the mosque. She was Muslim, and read the Quran before Eid. Two Muslims left."
    assert made(text, "religion") == {
        "christian": "A Christian woman met a priest at the church. She was Christian, and read the Bible before "
        "Christmas. Two Christians left.",
        "muslim": text,
        "jewish": "A Jewish woman met a rabbi at the synagogue. She was Jewish, and read the Torah before Hanukkah. "
        "Two Jews left.",
        "hindu": "A Hindu woman met a pandit at the temple. She was Hindu, and read the Gita before Diwali. "
        "Two Hindus left.",
    }
    assert made("A Muslim said so.", "religion")["jewish"] == "A Jew said so."


def test_nationality_with_country_and_articles() -> None:
    text = "An Italian film actor saw a nurse from Italy. Two Italians left with her, and she is Italian."
    variants = made(text, "nationality")
    assert list(variants) == ["american", "german", "indian", "mexican", "nigerian"]
    assert variants["german"] == (
        "A German film actor saw a nurse from Germany. Two Germans left with her, and she is German."
    )
    assert variants["american"].startswith("An American film actor saw a nurse from the United States. Two Americans")
    assert made("A Swiss chef ran.", "nationality")["indian"] == "An Indian chef ran."


def test_orientation_by_word_and_by_partner() -> None:
    assert made("The gay man and three gay students ran straight home.", "sexual_orientation") == {
        "gay": "The gay man and three gay students ran straight home.",
        "straight": "The straight man and three straight students ran straight home.",
    }
    assert made("A lesbian won.", "sexual_orientation")["straight"] == "A straight woman won."
    for owner, same, other in (("his", "husband", "wife"), ("her", "wife", "husband")):
        texts = {
            "gay": f"The clerk and {owner} {same}'s dog ran.",
            "straight": f"The clerk and {owner} {other}'s dog ran.",
        }
        assert made(texts["gay"], "sexual_orientation") == made(texts["straight"], "sexual_orientation") == texts


def test_disability_is_replaced_or_left_out() -> None:
    assert made("Deaf artist Ann Lee met a deaf artist and two deaf people.", "disability") == {
        "autistic": "Autistic artist Ann Lee met an autistic artist and two autistic people.",
        "blind": "Blind artist Ann Lee met a blind artist and two blind people.",
        "deaf": "Deaf artist Ann Lee met a deaf artist and two deaf people.",
        "none": "Artist Ann Lee met an artist and two people.",
    }
    assert made("She is deaf, and Ann is not deaf.", "disability") == {
        "autistic": "She is autistic, and Ann is not autistic.",
        "blind": "She is blind, and Ann is not blind.",
        "deaf": "She is deaf, and Ann is not deaf.",
    }
    assert made("Two wheelchair users won.", "disability")["deaf"] == "Two deaf people won."


REFUSED = """
religion no_religion: Ann won. | They met at the church. | It was before Christmas.
religion religion_elsewhere: The church service was long. | Christian Bale won. | Hans Christian Andersen won.
religion religion_elsewhere: Muslims pray. | A Jewish museum opened. | The Jewish state. | A non-Muslim woman won.
religion religion_elsewhere: The Muslim said so. | A Muslim student union met. | A muslim woman won. | MUSLIM MAN WON
religion religion_elsewhere: A Muslim woman left the Church of England.
religion religion_told_otherwise: A Muslim woman wore a hijab. | A Muslim man left Mecca.
religion religion_told_otherwise: A Christian woman had a Bible.
religion several_groups: A Muslim man met a rabbi.
religion named_person: The Muslim baker Omar Ali won. | Omar Ali is a Muslim baker.
religion named_person: A Jewish man met Ronald Reagan.
religion historical: In 1938 a Jewish man won. | A Jewish man of the 19th century won.
nationality no_nationality: Ann won. | It is in Berlin.
nationality nationality_elsewhere: He likes Turkish coffee. | She speaks English. | The French Revolution began.
nationality nationality_elsewhere: A French teacher won. | The Germans won. | An African American man won.
nationality nationality_elsewhere: American women vote. | An Italian restaurant opened. | He went to Germany.
nationality nationality_elsewhere: Imports from Germany fell. | A German-born nurse won. | 1 in 6 Americans won.
nationality nationality_elsewhere: The food is Italian. | A British gangster movie began.
nationality nationality_elsewhere: An American football player won.
nationality nationality_told_otherwise: An American nurse saw the president.
nationality named_person: A German nurse left Berlin. | Berlin was cold. A German nurse left.
nationality nationality_told_otherwise: A German nurse paid ten euros.
nationality several_groups: A German nurse met an Italian nurse.
nationality named_person: The German nurse Ann Lee won. | Ann Lee, a German nurse, won.
sexual_orientation no_sexual_orientation: They went straight home. | Ten straight wins.
sexual_orientation sexual_orientation_elsewhere: A gay bar opened. | My wife won. | John's wife won. | His wife Ann won.
sexual_orientation sexual_orientation_elsewhere: His wife, Ann, won.
sexual_orientation sexual_orientation_told_otherwise: The gay man came out. | He married and his wife won.
sexual_orientation sexual_orientation_told_otherwise: He and his wife won when their son was born.
sexual_orientation partner_unclear: He and his wife ran. She won. | He and his husband ran. He won.
sexual_orientation partner_unclear: Mary told him of his wife. | His wife and her mother won.
sexual_orientation named_person: Then Paul Okoye saw his wife.
sexual_orientation named_person: Then Mr Nixon saw his wife. Richard Nixon ran.
sexual_orientation named_person: Officer McDonald spoke through his wife.
sexual_orientation named_person: Obama and his wife ran. | Mr. Trump saw his wife.
religion named_person: A Muslim man met Ahmed Cohen. | A Muslim man and De Palma met.
nationality named_person: John Turturro is fab as a Spanish butler.
sexual_orientation historical: In 1980 he and his wife won.
disability no_disability: Ann won. | A person won.
disability disability_elsewhere: A blind spot. | A blind trust. | He turned a blind eye. | The deaf won.
disability disability_elsewhere: She is deaf to it.
disability disability_elsewhere: They go blind. | A tone deaf singer won. | He was like a blind man. | It is disabled.
disability named_person: Ann Lee is a deaf actor.
disability known_person: A blind man met Ronald Reagan.
disability disability_told_otherwise: A blind man had a guide dog. | A deaf man could hear.
"""


@pytest.mark.parametrize("line", REFUSED.strip().split("\n"))
def test_what_is_refused_and_why(line) -> None:
    key, _, texts = line.partition(": ")
    attribute, why = key.split()
    for text in texts.split(" | "):
        assert reason(text, attribute) == why, text


@pytest.mark.parametrize("attribute", SINCE)
def test_news_without_such_a_person_stays(attribute) -> None:
    inputs = CounterfactualInputs([Text(each.id, each.text) for each in mini_news()], [attribute])
    rows = list(inputs.rows())
    assert sum(inputs.skipped[attribute].values()) + len({row["article_id"] for row in rows}) == 24
    assert inputs.skipped[attribute][f"no_{attribute}"] >= 18


SENTENCES = {
    "adjective": "The {} student won.",
    "person": "At noon a {} said so.",
    "people": "Later two {} came.",
    "place": "They met at the {}.",
    "thing": "It was about {}.",
    "country": "A nurse from {} won.",
    "partner": "The clerk saw his {}.",
}


@pytest.mark.parametrize("attribute", SINCE)
def test_swapping_twice_restores_the_text(attribute) -> None:
    """True of every row of the lists."""
    (variants,) = (words for role, *words in listed(attribute) if role == "groups")
    rows = [(role, words) for role, *words in listed(attribute) if role in SENTENCES]
    adjective = next(words for role, words in rows if role == "adjective")
    for role, words in rows:
        for group, word, owner in zip(variants, words, adjective, strict=True):
            if group == UNMARKED:
                continue
            text = SENTENCES[role].format(word)
            if role in ("place", "thing"):
                text += " " + SENTENCES["adjective"].format(owner)
            text = re.sub(r"\ba (?=[AEIOUaeiou])", "an ", text)
            there = made(text, attribute)
            assert there[group] == text
            for other in set(variants) - {group, UNMARKED}:
                assert there[other] != text
                assert made(there[other], attribute)[group] == text


def test_controls_are_words_of_no_attribute() -> None:
    """An irrelevant edit must not bring in what a swap is about."""
    controls = " . ".join(word for kind in ("place", "neutral") for entry in listed(kind) for word in entry)
    for attribute in SINCE:
        words = [
            word for role, *words in listed(attribute) if role not in ("groups", "told", "never") for word in words
        ]
        assert any_of(filter(None, words)).findall(controls) == []


@pytest.mark.parametrize(
    ("text", "attribute", "variant", "expected"),
    [
        ("My neighbour is Jewish, and kind.", "religion", "muslim", "My neighbour is Muslim, and kind."),
        ("She is a devout Christian.", "religion", "hindu", "She is a devout Hindu."),
        ("I am American, so I tip.", "nationality", "german", "I am German, so I tip."),
        ("My gay uncle waters the lawn.", "sexual_orientation", "straight", "My straight uncle waters the lawn."),
        ("On Monday I saw Tammy and her husband.", "sexual_orientation", "gay", "On Monday I saw Tammy and her wife."),
        ("Our guide was blind.", "disability", "deaf", "Our guide was deaf."),
    ],
)
def test_persons_by_their_noun(text: str, attribute: str, variant: str, expected: str) -> None:
    assert made(text, attribute)[variant] == expected


def test_a_noun_that_is_no_person_is_not_described() -> None:
    assert reason("Justice is blind.", "disability") == "disability_elsewhere"
    assert reason("The bar is gay.", "sexual_orientation") == "sexual_orientation_elsewhere"
    assert reason("The menu is Italian.", "nationality") == "nationality_elsewhere"
    assert reason("The gay bar opens the door.", "sexual_orientation") == "sexual_orientation_elsewhere"
