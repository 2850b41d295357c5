"""The miniature corpus: rebuilt to the same bytes, and annotated as it says."""

import importlib
import re
import sys

import pytest

from fairsum_utils.counterfactual.mini_news import mini_news
from fairsum_utils.families.entities.wordlists import HELM_GENDER
from fairsum_utils.text.punkt import sentences

GENDERED = {"he", "him", "his", "himself", "she", "her", "hers", "herself"}


@pytest.fixture(scope="module")
def builder(repository):
    sys.path.insert(0, str(repository / "tools"))  # the builders import what they share by name
    yield importlib.import_module("build_mini_news")
    sys.path.remove(str(repository / "tools"))


@pytest.fixture(scope="module")
def documents():
    return mini_news()


def spans(document):
    return [[document.text[mention.start : mention.end] for mention in chain] for chain in document.chains]


def test_rebuilding_changes_no_byte(builder, repository, tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules["_common"], "RESOURCES", tmp_path)
    builder.main()
    name = "mini_news.jsonl.gz"
    shipped = repository / "fairsum_utils" / "_util" / "resources" / name
    assert (tmp_path / name).read_bytes() == shipped.read_bytes()


def test_marks_by_hand(builder):
    marked = "[1 The {1 chairman|chairman|chairwoman|chair} <Ann Lee>'s] dog bit [2 [1 her] vet]; "
    marked += "<Bo> told <2 Cy> [1 his|PRP]."
    article = builder.parse("a", marked)
    text = "The chairman Ann Lee's dog bit her vet; Bo told Cy his."
    assert article["text"] == text

    def span(words, start=0):
        place = text.index(words, start)
        return {"start": place, "end": place + len(words)}

    assert article["entities"] == [{**span(name), "label": "PERSON"} for name in ("Ann Lee", "Bo", "Cy")]
    assert article["mentions"] == [
        {**span("The chairman Ann Lee's"), "chain": 1},
        {**span("her vet"), "chain": 2},
        {**span("her"), "chain": 1, "pos": "PRP$"},
        {**span("Cy"), "chain": 2},
        {**span("his"), "chain": 1, "pos": "PRP"},
    ]
    forms = {"male": "chairman", "female": "chairwoman", "neutral": "chair"}
    assert article["content_words"] == [{**span("chairman"), "chains": [1], **forms}]


@pytest.mark.parametrize("marked", ["[1 She left.", "Ann> left.", "<1 Ann left.", "a | b"])
def test_wrong_marks_are_refused(builder, marked):
    with pytest.raises(ValueError, match="a: a mark is not closed"):
        builder.parse("a", marked)


def test_articles_are_as_described(documents):
    assert len({document.id for document in documents}) == len(documents) == 24
    assert {document.id.split("-")[0] for document in documents} == {
        "sport",
        "family",
        "business",
        "politics",
        "science",
    }
    for document in documents:
        assert 7 <= len(sentences(document.text)) <= 10, document.id


def test_sentences_are_the_lines_of_the_source(builder, documents):
    lines = builder.SOURCE.read_text(encoding="utf-8").splitlines()
    marked = [line for line in lines if line and not line.startswith("#")]
    assert sum(len(sentences(document.text)) for document in documents) == len(marked)


def test_every_chain_is_of_a_named_person_and_every_person_is_counted(documents):
    for document in documents:
        named = [
            any(
                mention.start <= name.start and name.end <= mention.end
                for mention in chain
                for name in document.entities
            )
            for chain in document.chains
        ]
        assert all(named), document.id
        alone = [
            name
            for name in document.entities
            if not any(m.start <= name.start and name.end <= m.end for chain in document.chains for m in chain)
        ]
        assert 3 <= len(document.chains) + len(alone) <= 6, document.id


def test_every_gendered_pronoun_has_a_chain_of_one_gender(documents):
    for document in documents:
        marked = {(m.start, m.end): m.pos for chain in document.chains for m in chain}
        for word in re.finditer(r"\w+", document.text):
            if word.group().lower() in GENDERED:
                assert marked[word.span()] in ("PRP", "PRP$"), (document.id, word)
        for chain in spans(document):
            pronouns = {mention.lower() for mention in chain} & GENDERED
            assert not (pronouns & set(HELM_GENDER["female"]) and pronouns & set(HELM_GENDER["male"])), chain


def test_the_corpus_has_what_names_can_be(documents):
    texts = "\n".join(document.text for document in documents)
    for name in (
        "Ruiz-Campos",
        "Jean-Luc",
        "McCoy",
        "O'Rourke",
        "St. Clair",
        "Finch Jr.",
        "Dana R. Whitlock",
        "Mrs. Li",
    ):
        assert name in texts
    pronouns = {
        (document.text[m.start : m.end].lower(), m.pos)
        for document in documents
        for chain in document.chains
        for m in chain
        if m.pos
    }
    female = {("she", "PRP"), ("her", "PRP"), ("her", "PRP$"), ("hers", "PRP"), ("herself", "PRP")}
    male = {("he", "PRP"), ("him", "PRP"), ("his", "PRP$"), ("his", "PRP"), ("himself", "PRP")}
    assert female | male <= pronouns


def test_genders_are_balanced_in_first_places(documents):
    """Which person an article names first must not depend on gender, else lead would be biased by the corpus."""
    female = 0
    for document in documents:
        first = next(chain for chain in spans(document) if {mention.lower() for mention in chain} & GENDERED)
        female += bool({mention.lower() for mention in first} & {"she", "her", "hers", "herself"})
    assert 9 <= female <= 15
