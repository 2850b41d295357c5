"""Claims: forms of attribution by hand, and properties for any text. More sentences: `tests/golden/claims`."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.families.misattribution.claims import extract_claims
from fairsum_utils.families.misattribution.names import Roster
from tests._steps import growth

SPEAKERS = ["Ms Anna Smith", "Mr Park", "Bob Jones", "Carl Lee", "Dora Lee"]
ROSTER = Roster(SPEAKERS, {"Mr Park": ["the chair"]})
WORDS = re.split(
    " ",
    'Smith Park Jones Lee Anna Ms said told argued that , . " “ ” : ? according to adding and or it was by the chair ( '
    ") ; - \n costs rose she with saying for of who which not while",
)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Smith said that costs rose.", [(0, "costs rose")]),
        ("Costs, Smith said, rose.", [(0, "Costs rose")]),
        ("Smith: costs rose. Rents fell.", [(0, "costs rose"), (0, "Rents fell")]),
        ("Smith:\n- costs rose\n- rents fell", [(0, "costs rose"), (0, "rents fell")]),
        ("Smith said costs rose and added that rents fell.", [(0, "costs rose"), (0, "rents fell")]),
        ("Smith said Jones was wrong.", [(0, "Jones was wrong")]),
        ("Everyone but Smith said that costs rose.", []),
        ("Nobody but Smith said that costs rose.", [(0, "costs rose")]),
        ("Smith would have said that costs rose.", []),
        ("Costs rose according to Smith.", [(0, "Costs rose")]),
        ("The plan that Smith proposed was dear.", []),
        ("Smith said she had asked for help.", [(0, "she had asked for help")]),
        ("Smith claim forms were late.", []),
        ("Smith is to argue that costs rose.", []),
        ("Smith went on to say that costs rose.", [(0, "costs rose")]),
        ("The minister, Smith, said that costs rose.", [(0, "costs rose")]),
        ("Smith (Labour) said that costs rose.", [(0, "costs rose")]),
        ("Smith, the member for Leeds, said that costs rose.", [(0, "costs rose")]),
        ("Smith of South Leeds said that costs rose.", [(0, "costs rose")]),
        ("Costs rose, Smith said on Monday.", [(0, "Costs rose")]),
        ("Costs rose again this year, Smith told a cheering crowd.", [(0, "Costs rose again this year")]),
        ("Smith pointed out costs had risen.", [(0, "costs had risen")]),
        ("The member whom Smith told costs rose left.", []),
        ("Smith told the board costs rose.", [(0, "costs rose")]),
        ("Smith told us costs rose.", [(0, "costs rose")]),
        ("“Costs rose,” said Smith, “and rents fell.”", [(0, "Costs rose and rents fell")]),
        ("Smith said costs rose and the board added that rents fell.", [(0, "costs rose")]),
        ("Lee opened the debate and said that costs rose.", []),
        ("In May, Smith left and said that costs rose.", [(0, "costs rose")]),
        ("Smith left, adding that costs rose.", [(0, "costs rose")]),
        ("Costs rose, to which Smith replied that rents fell.", [(0, "rents fell")]),
        ("Rents fell. Smith: costs rose.", [(0, "costs rose")]),
        ("Smith: costs rose.\n- Rents fell.", [(0, "costs rose")]),
        ("Rents fell, and Smith promised to sell land.", [(0, "to sell land")]),
        ("", []),
    ],
)
def test_claims_by_hand(text: str, claims: list[tuple[int, str]]) -> None:
    found = extract_claims(text, ROSTER)
    assert [(claim.speaker, claim.statement) for claim in found.claims] == claims
    assert not found.left_out


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Smith and Jones said that costs rose.", "several"),
        ("Smith said Jones had argued that costs rose.", "several"),
        ("According to Smith, Jones said costs rose.", "several"),
        ("Lee said that costs rose.", "ambiguous"),
        ("She said that costs rose.", "pronoun"),
    ],
)
def test_claims_that_are_left_out(text: str, reason: str) -> None:
    found = extract_claims(text, ROSTER)
    assert (found.claims, dict(found.left_out)) == ([], {reason: 1})


def test_named_speakers_need_no_claim() -> None:
    assert extract_claims("Smith left. It was said by Mr Park. Lee sang.", ROSTER).named == {0, 1}


@pytest.mark.parametrize(
    ("labels", "first", "second"),
    [
        (["nora", "tim"], "nora", "tim"),
        (["me018", "fe016"], "me018", "fe016"),
        (["#Person1#", "#Person2#"], "#Person1#", "#Person2#"),
        (["Speaker 1", "Speaker 2"], "speaker 1", "speaker 2"),
        (["Agent", "Mr Lee (Chair)"], "the agent", "the chair"),
    ],
)
def test_a_claim_begins_at_a_name_without_capital_letter(labels: list[str], first: str, second: str) -> None:
    roster = Roster(labels)
    found = extract_claims(f"{first} says costs rose. {second} says rents fell.", roster)
    assert [(claim.speaker, claim.statement) for claim in found.claims] == [(0, "costs rose"), (1, "rents fell")]


@pytest.mark.parametrize("labels", [("A", "B"), ("[A]", "[B]"), ("I", "II"), ("1", "2")])
@pytest.mark.parametrize("form", ["{}: costs rose.\n{}: rents fell.", "- {}: costs rose\n- {}: rents fell"])
def test_labels_that_look_like_markers_of_a_list(labels: tuple[str, str], form: str) -> None:
    found = extract_claims(form.format(*labels), Roster(labels))
    assert [(claim.speaker, claim.statement) for claim in found.claims] == [(0, "costs rose"), (1, "rents fell")]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Smith:\n- costs rose\n- Jones: no\n- rents fell", [(0, "costs rose"), (2, "no"), (0, "rents fell")]),
        ("- Smith:\n  - costs rose\n- Jones:\n  - rents fell", [(0, "costs rose"), (2, "rents fell")]),
        ("Smith:\n- costs rose\n\nThen all left.\n- rents fell", [(0, "costs rose")]),
    ],
)
def test_items_belong_to_the_speaker_above_the_list(text: str, claims: list[tuple[int, str]]) -> None:
    assert [(claim.speaker, claim.statement) for claim in extract_claims(text, ROSTER).claims] == claims


@pytest.mark.parametrize(
    ("text", "n"),
    [("Smith left. Costs rose.", 1), ("Smith's friend said so. Jones was told.", 2), ("Smith said costs rose.", 0),
     ("She said costs rose. Smith and Jones said rents fell.", 0), ("Smith:\n- costs rose", 0),
     ("Smith:\nCosts rose.", 1), ("## Smith\nCosts rose.\n\n## Jones\n- rents fell", 1), ("Smith: ...", 1)],
)  # fmt: skip
def test_sentences_that_name_a_speaker_without_a_claim(text: str, n: int) -> None:
    assert extract_claims(text, ROSTER).n_claimless == n


@given(st.lists(st.sampled_from(WORDS), max_size=25))
def test_any_text(words: list[str]) -> None:
    text = " ".join(words)
    claims = extract_claims(text, ROSTER).claims
    for claim in claims:
        assert claim.statement == " ".join(text[start:end] for start, end in claim.spans)
        assert any(map(str.isalnum, claim.statement))
    spans = sorted(span for claim in claims for span in claim.spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))


@given(st.permutations(range(len(SPEAKERS))), st.lists(st.sampled_from(WORDS), max_size=25))
def test_the_order_of_speakers_does_not_matter(order: list[int], words: list[str]) -> None:
    text = " ".join(words)
    other = Roster([SPEAKERS[place] for place in order], {"Mr Park": ["the chair"]})
    found, again = extract_claims(text, ROSTER), extract_claims(text, other)
    named = [(SPEAKERS[claim.speaker], claim.statement) for claim in found.claims]
    assert named == [(SPEAKERS[order[claim.speaker]], claim.statement) for claim in again.claims]
    assert found.left_out == again.left_out


@pytest.mark.parametrize(
    "part",
    [
        *("Mr. ", "Dr. Prof. ", "J. ", "Mr. J. ", "Fox, Ray, adding that ", "Fox Ray and said ", "Fox's and said "),
        *("1. Fox\n", "nora says a. ", "[A]: b.\n"),
    ],
)
def test_time_is_linear(part: str) -> None:
    roster = Roster(["Mr Ann Fox", "Ben Ray", "nora", "[A]"])
    assert growth(lambda n: extract_claims(f"{part * n}said that the soup was cold.", roster), 50) < 6


def test_names_behind_a_run_of_titles() -> None:
    roster = Roster(["Mr Ann Fox", "Ben Ray"])
    found = extract_claims(
        f"{'Mr. ' * 300}Fox said that rents fell. {'Dr. ' * 300}and Ray said that costs rose.", roster
    )
    assert [(claim.speaker, claim.statement) for claim in found.claims] == [(0, "rents fell"), (1, "costs rose")]
