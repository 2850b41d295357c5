"""Groups and names of persons: the paper's, and how templates are refilled with them, by hand and as properties."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.counterfactual.assignment import GROUPS, GroupNames, Refill, Setting, Skipped, make_setting, refill
from fairsum_utils.counterfactual.documents import Document
from fairsum_utils.counterfactual.templates import make_template
from fairsum_utils.errors import InputError
from fairsum_utils.families.entities.names import bbq_names, popular_first_names
from tests.counterfactual.lines import marked

MEN = [*"ABCDEFGH"]
WOMEN = [*"QRSTUVWX"]
TWO = {
    "m": GroupNames({"male": tuple(f"{letter}o" for letter in MEN)}, tuple(f"{letter}son" for letter in MEN)),
    "f": GroupNames({"female": tuple(f"{letter}a" for letter in WOMEN)}, tuple(f"{letter}mo" for letter in WOMEN)),
}
THREE = {
    **TWO,
    "x": GroupNames({"male": ("Yo", "Yp", "Yq"), "female": ("Za", "Zb", "Zc")}, ("Yz", "Zz", "Xz")),
}


def made(document: Document, setting: Setting, **options: Any) -> tuple[Refill, ...]:
    inputs = refill(make_template(document), setting, **options)
    assert not isinstance(inputs, Skipped)
    return inputs


def groups(refilled: Refill, *, named: bool = True, modified: bool | None = None) -> list[str]:
    return [
        entity.group
        for entity in refilled.entities
        if (not named or entity.first_name is not None or entity.last_name is not None)
        and modified in (None, entity.is_modified)
    ]


def test_a_pair_by_hand() -> None:
    document = marked("{1:<John Roe>} and {2:<Ann Lee>} met {3:<Hill>}. {1:He} sang, {4:she} too.")
    groups = {"m": GroupNames({"male": ("Bob",)}), "f": GroupNames({"female": ("Eve",)})}
    setting = Setting(groups, "local", "first")
    one, two = made(document, setting, n_inputs=2, seed=0)
    # e0 and e1 have a first name each, so that one is Bob and the other Eve, and then the other way round
    stems = {re.sub(r" (he|she) too\.$", "", refilled.text) for refilled in (one, two)}
    assert stems == {"Bob Roe and Eve Lee met Hill. He sang,", "Eve Roe and Bob Lee met Hill. She sang,"}
    assert [entity.group for entity in one.entities] == [{"m": "f", "f": "m"}[entity.group] for entity in two.entities]
    john, ann, hill, she = one.entities
    assert one.text.endswith("he too." if she.group == "m" else "she too.")
    assert {john.first_name, ann.first_name} == {"Bob", "Eve"}
    assert [(each.first_name, each.last_name, each.is_modified) for each in (hill, she)] == [
        (None, "Hill", False), (None, None, True),
    ]  # fmt: skip
    assert (one.group, two.group, one.pair, two.pair) == (None, None, 0, 0)


def test_names_of_the_text_are_not_drawn() -> None:
    # Bob is a person, Jim a verb in small letters, Tom-Lee one half of a compound, Zoe has an accent; Al is left
    document = marked("{1:<Bob Roe>} will jim in Tomtown. Tom-Lee did. Zoë did.")
    groups = {
        "m": GroupNames({"male": ("Bob", "Jim", "Tom", "Zoe", "Al")}),
        "f": GroupNames({"female": ("Roe", "Eve")}),
    }
    setting = Setting(groups, "global", "first")
    inputs = made(document, setting, n_inputs=10)
    assert [refilled.entities[0].first_name for refilled in inputs] == ["Al", "Eve"] * 5


def test_genders_of_a_race_are_drawn_for_the_pair() -> None:
    document = marked("{1:<John Roe>} met {2:<Ann Lee>}. {1:He} sang, {3:she} too.")
    inputs = made(document, make_setting("race", "global"), n_inputs=40)
    for one, two in zip(inputs[::2], inputs[1::2], strict=True):
        assert (one.group, two.group) == ("black", "white")
        assert re.findall(r"\b(?:s?he)\b", one.text, re.I) == re.findall(r"\b(?:s?he)\b", two.text, re.I)
        for refilled in (one, two):
            assert refilled.group is not None
            john = refilled.entities[0]
            gender = "female" if "She sang" in refilled.text else "male"
            assert john.first_name in bbq_names(refilled.group, "first", gender)
            assert john.last_name in bbq_names(refilled.group, "last")
            # a pronoun without a name does not tell the race
            assert [entity.is_modified for entity in refilled.entities] == [True, True, False]
    assert {"She sang" in refilled.text for refilled in inputs} == {True, False}
    assert len({("She sang" in one.text, " she too" in one.text) for one in inputs}) == 4


@pytest.mark.parametrize("attribute", [name for name in GROUPS if name.startswith("black_")])
def test_intersections(attribute: str) -> None:
    document = marked("{1:<John Roe>} met {2:<Ann Lee>}. {1:He} sang, {2:she} too, {3:he} not.")
    for layout in ("local", "global"):
        for refilled in made(document, make_setting(attribute, layout), n_inputs=4):
            for entity in refilled.entities[:2]:
                race, gender = entity.group.split("_")
                assert entity.first_name in bbq_names(race, "first", gender)
                assert entity.last_name in bbq_names(race, "last")
            expected = ["He" if e.group.endswith("_male") else "She" for e in refilled.entities]
            assert [word.capitalize() for word in re.findall(r"\b[Ss]?[Hh]e\b", refilled.text)] == expected
            answer = len(set(attribute.split("_")) & {"male", "female"}) > 1
            assert [entity.is_modified for entity in refilled.entities] == [True, True, answer]


def test_who_tells_the_group_depends_on_the_names() -> None:
    document = marked("{1:<John Roe>} met {2:<Lee>}, {3:<Hill>} and {4:him}. {2:She} sang.")
    expected = {
        ("gender", "first"): [True, True, False, True],
        ("gender", "both"): [True, True, True, True],
        ("race", "first"): [True, False, False, False],
        ("race", "both"): [True, True, True, False],
    }
    for (attribute, names), modified in expected.items():
        setting = make_setting(attribute, "local", names=names)
        assert [entity.is_modified for entity in made(document, setting, n_inputs=2)[0].entities] == modified


def test_originals_that_are_left_out() -> None:
    gender, race = make_setting("gender", "local"), make_setting("race", "global")
    nothing = Skipped("a", "no_person", "no replaced word reveals a group")
    assert refill(make_template(marked("<Lee> left.")), gender) == nothing
    assert refill(make_template(marked("{1:He} left.")), race) == nothing
    assert not isinstance(refill(make_template(marked("{1:He} left.")), gender), Skipped)
    many = " ".join(f"<{letter}im {letter}ee>" for letter in "ABCDEFGHIJKLMNOPQRSTU")  # 21, for 20 black first names
    skipped = refill(make_template(marked(many)), race)
    assert isinstance(skipped, Skipped)
    assert (skipped.article, skipped.reason) == ("a", "names_run_out")
    assert re.fullmatch(
        r"11 (fe)?male names of 'black' are needed, but only 10 are not in the text or taken", skipped.detail
    )
    # 20 is never too many, whatever genders are drawn; and 40 of both races are not in the other layout
    for seed in range(5):
        assert len(made(marked(many.rpartition(" <")[0]), race, seed=seed)) == 20
    sentence = " ".join(f"<{a}{b}m {a}{b}y>" for a in "ABCDEFGH" for b in "aeiou")
    assert len(made(marked(sentence), make_setting("race", "local"))) == 20


def test_bad_options() -> None:
    template = make_template(marked("<Ann Lee> left."))
    with pytest.raises(InputError, match="refill: n_inputs must be a multiple of 2, one input a group, found 3"):
        refill(template, make_setting("gender", "local"), n_inputs=3)
    with pytest.raises(InputError, match="refill: n_inputs must be a whole number of at least 1, found int 0"):
        refill(template, make_setting("gender", "local"), n_inputs=0)
    with pytest.raises(InputError, match="refill: seed must be a whole number of at least 0, found int -1"):
        refill(template, make_setting("gender", "local"), seed=-1)


@st.composite
def articles(draw: st.DrawFn) -> str:
    """Articles of one to six persons with full names, last names or pronouns."""
    parts = []
    for place in range(draw(st.integers(1, 6))):
        letter = "JKLMNO"[place]
        name = draw(st.sampled_from([f"<{letter}im {letter}ee>", f"<{letter}ee>", f"Mr. <{letter}ee>", "he"]))
        parts.append(f"{{{place}:{name}}} left. {{{place}:{draw(st.sampled_from(['He', 'They']))}}} sang.")
    return " ".join(parts)


SETTINGS = [
    Setting(known, layout, names)
    for known in (TWO, THREE)
    for layout in ("local", "global")
    for names in ("first", "both")
] + [make_setting(attribute, layout) for attribute in GROUPS for layout in ("local", "global")]


def even(values: Sequence[str], known: Sequence[str]) -> bool:
    counts = Counter(dict.fromkeys(known, 0))
    counts.update(values)
    return max(counts.values()) - min(counts.values()) <= 1


@given(articles(), st.sampled_from(SETTINGS), st.integers(0, 3))
def test_properties(line: str, setting: Setting, seed: int) -> None:
    document = marked(line)
    template = make_template(document)
    size = len(setting.groups)
    inputs = refill(template, setting, n_inputs=2 * size, seed=seed)
    if isinstance(inputs, Skipped):
        assert inputs.reason == "no_person" or len(template.entities) > 2
        return
    assert len(inputs) == 2 * size
    assert inputs == refill(template, setting, n_inputs=2 * size, seed=seed)
    assert inputs[:size] == refill(template, setting, n_inputs=size, seed=seed)
    words = set(re.findall(r"\w+", document.text))
    for pair in range(2):
        block = inputs[pair * size : (pair + 1) * size]
        assert {refilled.pair for refilled in block} == {pair}
        for entities in zip(*(refilled.entities for refilled in block), strict=True):
            # everybody is in every group once, in two groups by exchange
            assert sorted(entity.group for entity in entities) == sorted(setting.groups)
            assert len({(entity.id, entity.is_modified) for entity in entities}) == 1
        if setting.layout == "global":
            assert [refilled.group for refilled in block] == list(setting.groups)
            assert all({e.group for e in refilled.entities} == {refilled.group} for refilled in block)
        for refilled in block if setting.layout == "local" else ():
            assert refilled.group is None
            for chosen in (
                groups(refilled),
                groups(refilled, named=False),
                groups(refilled, named=False, modified=True),
                groups(refilled, modified=True),
            ):
                assert even(chosen, list(setting.groups))
        # both inputs draw on the same lists: of the shorter one of a group's names all are among those of the longer
        for group in setting.groups:
            used = [{e.first_name for e in r.entities if e.group == group and e.first_name} for r in block]
            by_gender = setting.groups[group].first.values()
            for own in by_gender:
                lists = sorted((names & set(own) for names in used), key=len)
                assert all(shorter <= longer for shorter, longer in itertools.pairwise(lists))
    for refilled in inputs:
        new = [e.first_name for e in refilled.entities if e.first_name]
        if setting.names == "both":
            new += [e.last_name for e in refilled.entities if e.last_name]
        assert len(set(new)) == len(new)
        assert words.isdisjoint(new)
        tokens = re.findall(r"\w+", refilled.text)
        assert set(new) <= set(tokens)
        for entity, old in zip(refilled.entities, template.entities, strict=True):
            assert (entity.first_name is None) == (old.first is None)
            if setting.names == "first":
                assert entity.last_name == old.last
        # the words that may differ are names, pronouns and titles, nothing else
        pairs = zip(re.findall(r"\w+", document.text), tokens, strict=True)
        for before, after in pairs:
            if before != after:
                assert before in ("he", "He", "Mr") or re.fullmatch(r"[J-O](im|ee)", before)
                assert after in ("she", "She", "Ms") or after in new


def test_overlapping_lists_run_out_together() -> None:
    setting = Setting({group: GroupNames({"male": ("Pat", "Kim")}) for group in ("a", "b")}, "local", "first")
    assert {e.first_name for e in made(marked("<Ann Roe> <Bo Lee>"), setting, n_inputs=2)[0].entities} == {"Pat", "Kim"}
    skipped = refill(make_template(marked("<Ann Roe> <Bo Lee> <Cy Hill>")), setting, n_inputs=2)
    assert isinstance(skipped, Skipped)
    # two for a, none left for b
    assert skipped.detail == "2 male names of 'b' are needed, but only 0 are not in the text or taken"


def test_names_of_the_paper() -> None:
    gender = make_setting("gender", "local")
    assert gender.groups["female"].first == {"female": popular_first_names("female")}
    assert (gender.names, make_setting("race", "local").names) == ("first", "both")
    assert set(gender.groups["male"].last) == {
        name for race in ("arab", "asian", "black", "latino", "white") for name in bbq_names(race, "last")
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"attribute": "age"}, "attribute must be one of gender, race, black_male_white_female, .*, found str 'age'"),
        ({"attribute": "gender", "layout": "all"}, "layout must be one of local, global, found str 'all'"),
        ({"attribute": "gender", "names": "last"}, "names must be one of first, both, found str 'last'"),
    ],
)
def test_bad_settings(arguments: dict[str, Any], message: str) -> None:
    options = {"layout": "local", **arguments}
    with pytest.raises(InputError, match=f"^make_setting: .*{message}"):
        make_setting(options.pop("attribute"), options.pop("layout"), **options)
