"""Inputs from templates: grammar of every template with every group, names, controls and files of one's own."""

from __future__ import annotations

import json
import re
from collections import defaultdict

import pytest

from fairsum_utils import compute
from fairsum_utils.corpora.counterfactual_templates import TemplateInputs, Templates, read_templates
from fairsum_utils.errors import InputError
from fairsum_utils.families.entities.names import bbq_names, popular_first_names

TEMPLATES = read_templates()
TEXTS = {f"{domain}-{name}": text for domain, named in TEMPLATES.texts.items() for name, text in named.items()}
PRONOUNS = {"male": {"he", "him", "his", "himself", "mr"}, "female": {"she", "her", "hers", "herself", "ms"}}
RACES = list(TEMPLATES.attributes["race"])
FIRST_NAMES = {
    gender: {*popular_first_names(gender), *(name for race in RACES for name in bbq_names(race, "first", gender))}
    for gender in PRONOUNS
}
NO_VOWEL_SOUND = ("one", "uni", "use", "eu")
VOWEL_SOUND = ("hour", "honest", "heir", "8", "11", "18", "x-ray", "mri")


def built(*attributes, templates=TEMPLATES, **more):
    return list(TemplateInputs(templates, attributes, **more).rows())


def words(text):
    return re.findall(r"[a-z]+", text.lower())


@pytest.mark.parametrize("attribute", TEMPLATES.attributes)
def test_every_template_with_every_group_is_grammatical(attribute) -> None:
    rows = built(attribute, n_controls=2)
    assert len(rows) == len(TEXTS) * len(TEMPLATES.attributes[attribute]) * 3
    for row in rows:
        text = row["text"]
        assert not re.search(r"[{}]|  |\s[.,;]", text), text
        sentences = re.split(r"(?<=[a-z][.!?])(?<!M[rs]\.)[\"”]? [\"“]?", text)
        assert all(sentence[0].isupper() for sentence in sentences), text
        for article, word in re.findall(r"\b([Aa]n?) ([\w-]+)", text):
            word = word.lower()
            vowel = word.startswith(VOWEL_SOUND) or (word[0] in "aeiou" and not word.startswith(NO_VOWEL_SOUND))
            assert article.lower() == ("an" if vowel else "a"), text
        [first] = said(row, "first") or {None}
        genders = {gender for gender in PRONOUNS if PRONOUNS[gender] & set(words(text))}
        assert len(genders) <= 1, text
        if first is not None and genders:
            assert first in FIRST_NAMES[genders.pop()], text


@pytest.mark.parametrize("attribute", TEMPLATES.attributes)
def test_variants_differ_only_in_the_slots(attribute) -> None:
    for row in built(attribute, n_controls=1):
        text = row["text"]
        for change in reversed(json.loads(row["changes"])):
            assert text[change["start"] : change["end"]] == change["after"]
            text = text[: change["start"]] + change["before"] + text[change["end"] :]
        assert text == TEXTS[row["article_id"]]
        assert {change["after"] for change in json.loads(row["changes"]) if change["kind"] != "article"} <= set(
            row["changed"]
        )


def test_the_texts_around_the_slots_are_of_no_gender() -> None:
    gendered = set().union(*PRONOUNS.values()) | {"man", "woman", "men", "women"}
    for name, text in TEXTS.items():
        assert not gendered & set(words(re.sub(r"\{[^}]*\}", "", text))), name


def test_a_name_stands_in_its_slots_alone() -> None:
    for row in built("gender", "race", n_controls=3):
        text = TEXTS[row["article_id"].rsplit("-", 1)[0]]
        changes = json.loads(row["changes"])
        for kind in ("first", "last"):
            names = [change["after"].lower() for change in changes if change["kind"] == kind]
            assert len(set(names)) <= 1
            assert all(row["text"].lower().count(name) >= len(names) == text.count(f"{{{kind}}}") for name in names)
            assert not set(names) & set(words(re.sub(r"\{[^}]*\}", "", text)))


def said(row, kind):
    return {change["after"] for change in json.loads(row["changes"]) if change["kind"] == kind}


def test_a_control_is_of_the_same_group_and_has_another_name() -> None:
    for attribute in ("age", "race"):
        rows = built(attribute, n_controls=2)
        for variant in TEMPLATES.attributes[attribute]:
            three = [row for row in rows if (row["article_id"], row["variant"]) == ("news-bridge", variant)]
            assert [row["control"] for row in three] == ["", "1", "2"]
            assert len(set().union(*(said(row, "first") for row in three))) == 3
            assert len({row["text"] for row in three}) == 3
            assert len({frozenset(said(row, "person")) for row in three}) == 1
            if attribute == "race":
                firsts = {*bbq_names(variant, "first", "male"), *bbq_names(variant, "first", "female")}
                assert said(three[1], "first") < firsts


@pytest.mark.parametrize(
    ("more", "shared"), [({}, True), ({"n_controls": 2}, False), ({"n_controls": 2, "pairs": True}, True)]
)
def test_variants_share_names_without_controls_and_in_pairs(more, shared) -> None:
    names = defaultdict(set)
    for row in built("religion", **more):
        names[row["article_id"], row["control"]].add((*said(row, "first"), *said(row, "last")))
        assert row.get("pair_id") == (f"{row['article_id']}-p{row['control'] or 0}" if "pairs" in more else None)
    assert all(len(found) == 1 for found in names.values()) == shared


def test_the_seed_decides_what_is_drawn() -> None:
    assert built("age", n_controls=1) == built("age", n_controls=1)
    assert built("age") != built("age", seed=1)
    assert len({frozenset(said(row, "person")) for row in built("occupation")}) > 10


MINE = """
[attributes.insurance]
insured = { person = ["insured {man}"] }
uninsured = { person = ["uninsured {man}", "{man} without insurance"], gender = "female" }
[attributes.gender]
male = { gender = "male", names = { male = ["Ivo"], last = ["Berg"] } }
female = { gender = "female", names = { female = ["Ida"], last = ["Berg"] } }
[templates.mine]
fall = "{Mr.} {last}, a {person}, fell. {His} knee hurts, and {he} waits. {first} is a {waiter}."
[templates.news]
lottery = "{first} won."
"""


@pytest.fixture
def mine(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(MINE, encoding="utf-8")
    return str(file)


def test_a_file_of_ones_own_adds_and_replaces(mine) -> None:
    templates = read_templates(mine)
    assert list(templates.texts) == [*TEMPLATES.texts, "mine"]
    assert templates.texts["news"] == {**TEMPLATES.texts["news"], "lottery": "{first} won."}
    assert [row["text"] for row in built("gender", templates=templates, domain="mine")] == [
        "Mr. Berg, a man, fell. His knee hurts, and he waits. Ivo is a waiter.",
        "Ms. Berg, a woman, fell. Her knee hurts, and she waits. Ida is a waitress.",
    ]
    texts = [row["text"] for row in built("insurance", templates=templates, domain="mine")]
    assert ", an insured " in texts[0]
    assert re.match(r"Ms\. \w+, (an uninsured woman|a woman without insurance), fell\. Her ", texts[1])


def test_a_template_that_does_not_tell_the_group_is_counted(mine) -> None:
    inputs = TemplateInputs(read_templates(mine), ("age", "gender"), domain="news")
    rows = list(inputs.rows())
    assert inputs.skipped == {"age": {"no_group_told": 1}, "gender": {}}
    assert [row["text"] for row in rows if row["article_id"] == "news-lottery-gender"] == ["Ivo won.", "Ida won."]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("", r"give the tables templates and attributes, found none"),
        ("[template.x]", r"give the tables templates and attributes, found template"),
        ("templates = 3", r"templates must be a table, found int 3"),
        ('[templates]\nx = "{first}"', r"x must be a table"),
        ('[templates.x]\na = "no slot"', r"template x\.a must be a text with slots"),
        ('[templates.x]\na = "{frist}"', r"template x\.a: unknown slot \{frist\}; use \{first\}"),
        ('[templates.x]\na = "{Person}"', r"unknown slot \{Person\}"),
        ('[templates.x]\na = "an {person}"', r'template x\.a: write "a" before a slot'),
        ("[attributes.x]\na = {}", r"attribute x has fewer than two groups"),
        ("[attributes.x]\na = {}\nb = 3", r"group x\.b must be a table with person, gender, names, found int 3"),
        ("[attributes.x]\na = {}\nb = { person = [] }", r"group x\.b: person must be a list of texts"),
        ('[attributes.x]\na = {}\nb = { person = ["{he}{x}"] }', r"group x\.b: unknown slot \{x\}"),
        ('[attributes.x]\na = {}\nb = { gender = "x" }', r"group x\.b: gender must be one of male, female"),
        ('[attributes.x]\na = {}\nb = { names = "x" }', r"group x\.b: names must be one of arab, asian"),
        ('[attributes.x]\na = {}\nb = { names = { male = ["A"] } }', r"group x\.b: names must have the lists male, "),
        ("[", r"cannot be read as TOML"),
    ],
)  # fmt: skip
def test_files_that_are_wrong(table, message, tmp_path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(table, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_templates(str(file))


@pytest.mark.parametrize(
    ("attributes", "more", "message"),
    [
        ((), {}, "swap at least one of gender, race, age"),
        (("sex",), {}, "swap must be one of"),
        (("age",), {"domain": "x"}, "config must be one of news, reviews"),
        (("age",), {"n_controls": -1}, "controls must be a whole number of at least 0"),
        (("race",), {"n_controls": 10}, "10 controls need as many names and one more, but group arab has 10"),
    ],
)
def test_arguments(attributes, more, message) -> None:
    with pytest.raises(InputError, match=message):
        built(*attributes, **more)


def scored(attribute, summarize):
    rows = built(attribute, n_controls=2)
    return compute(
        "counterfactual_gap",
        predictions=[summarize(row["text"]) for row in rows],
        article_ids=[row["article_id"] for row in rows],
        variants=[row["variant"] for row in rows],
        controls=[row["control"] or None for row in rows],
        changed=[row["changed"] for row in rows],
        n_permutations=200,
    )


@pytest.mark.parametrize(("attribute", "telling"), [("disability", "deaf"), ("gender", "she")])
def test_a_biased_summarizer_is_found_and_another_is_not(attribute, telling) -> None:
    def fair(text):
        return " ".join(re.split(r"(?<!M[rs])\. ", text)[:2])

    def biased(text):
        return fair(text) + (" Help was needed." if re.search(rf"\b{telling}", text) else " All went well.")

    none = scored(attribute, fair)
    assert none["p_value"] > 0.05
    assert abs(none["counterfactual_gap"]) < 0.01
    found = scored(attribute, biased)
    assert found["p_value"] < 0.05
    assert found["counterfactual_gap"] > none["counterfactual_gap"]


def test_no_templates() -> None:
    assert built("age", templates=Templates({}, TEMPLATES.attributes)) == []


def test_occupations_by_the_share_of_women() -> None:
    """Zhao et al. (2018), table 1."""
    groups = {group: set(entry.person) for group, entry in TEMPLATES.attributes["occupation"].items()}
    assert {"carpenter", "physician"} < groups["few_women"]  # 2 and 38 %
    assert {"accountant", "nurse", "secretary"} < groups["many_women"]  # 61, 90 and 95 %
    assert not groups["few_women"] & groups["many_women"]
