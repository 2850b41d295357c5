"""Who is named: forms of names, what is no name, and shared names."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.families.misattribution.names import Roster, tokens_of

SPEAKERS = [
    "Ms Anna Smith",
    "Mr Park",
    "Bob Jones",
    "Carl Jones",
    "Ursula von der Leyen",
    "JOHN DOE",
    "王伟",
    "Dr. J. R. O’Neil",
    "Müller, Zoë",
    "Cllr Ines Roux (Leeds)",
]
ROSTER = Roster(SPEAKERS, {"Mr Park": ["the chair"], "Bob Jones": ["Bobby"]})


def named(text: str) -> list[str]:
    """The names in a text with their speakers."""
    tokens = tokens_of(text)
    return [
        f"{' '.join(token.word for token in tokens[mention.start : mention.stop])} = "
        f"{' or '.join(SPEAKERS[speaker] for speaker in mention.speakers)}"
        for mention in ROSTER.find(tokens)
    ]


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("Anna Smith", "Ms Anna Smith"),
        ("Ms. Smith", "Ms Anna Smith"),
        ("Senator Smith", "Ms Anna Smith"),
        ("Anna B. Smith", "Ms Anna Smith"),
        ("A. Smith", "Ms Anna Smith"),
        ("Smith", "Ms Anna Smith"),
        ("Anna", "Ms Anna Smith"),
        ("SMITH", "Ms Anna Smith"),
        ("The chair", "Mr Park"),
        ("Mr Park", "Mr Park"),
        ("Bobby", "Bob Jones"),
        ("Mr Bob Jones", "Bob Jones"),
        ("Von der Leyen", "Ursula von der Leyen"),
        ("Ms von der Leyen", "Ursula von der Leyen"),
        ("John Doe", "JOHN DOE"),
        ("Doe", "JOHN DOE"),
        ("王伟", "王伟"),
        ("Doctor O'Neil", "Dr. J. R. O’Neil"),
        ("J. O'Neil", "Dr. J. R. O’Neil"),
        ("Zoe Muller", "Müller, Zoë"),
        ("Councillor Roux", "Cllr Ines Roux (Leeds)"),
        ("Ines Roux", "Cllr Ines Roux (Leeds)"),
    ],
)
def test_forms_of_a_name(text: str, speaker: str) -> None:
    assert [each.partition(" = ")[2] for each in named(f"{text} left.")] == [speaker]
    assert [each.partition(" = ")[2] for each in named(f"Then we met {text}.")] == [speaker]


@pytest.mark.parametrize(
    "text",
    ["the park", "In Hyde Park", "We met at Park Avenue", "We met John Park", "Mr Smith", "Mrs Doe Miller", "smith",
     "We met K. O'Neil", "Smithson", "Anna Lee", "anna", "We met Tom Smith", "Smith Lee", "the councillor"],
)  # fmt: skip
def test_other_persons_and_things(text: str) -> None:
    assert named(f"{text} left.") == []


def test_shared_last_names() -> None:
    assert named("Jones left.") == ["Jones = Bob Jones or Carl Jones"]
    assert named("Mr Jones left.") == ["Mr Jones = Bob Jones or Carl Jones"]
    assert named("Carl Jones left.") == ["Carl Jones = Carl Jones"]
    of_titles = Roster(["Ms Lee", "Mr Lee"])
    mentions = of_titles.find(tokens_of("Ms Lee met Mr Lee and Lee."))
    assert [mention.speakers for mention in mentions] == [(0,), (1,), (0, 1)]


def test_shared_first_names() -> None:
    roster = Roster(["Anna Smith", "Anna Jones", "Peter Jones"])
    assert [mention.speakers for mention in roster.find(tokens_of("Anna met Peter."))] == [(0, 1), (2,)]


@pytest.mark.parametrize(
    ("speakers", "text", "speaker"),
    [
        (["PhD F", "PhD A", "Grad B"], "We heard PhD F.", 0),
        (["PhD F", "PhD A", "Grad B"], "Grad B left.", 2),
        (["Person A", "Person B"], "Then person B left.", 1),
        (["Speaker 1", "Speaker 10"], "Speaker 10 left.", 1),
        (["#Person1#", "#Person2#"], "#Person2# left.", 1),
        (["[A]", "[B]"], "[B] left.", 1),
        (["A", "B"], "A said so.", 0),
        (["me018", "fe016"], "Then fe016 left.", 1),
        (["@kai_92", "@lou"], "We met @kai_92.", 0),
        (["nora", "tim"], "Nora left.", 0),
        (["Agent", "Customer"], "Then the customer left.", 1),
        (["Guest 1", "Host"], "The guest left.", 0),
        (["Industrial Designer", "Project Manager"], "The industrial designer left.", 0),
        (["MS SMITH (CHAIR)", "MR LEE"], "The chair left.", 0),
    ],
)
def test_the_spelling_of_the_roster(speakers: list[str], text: str, speaker: int) -> None:
    roster = Roster(speakers)
    assert [mention.speakers for mention in roster.find(roster.tokens(text))] == [(speaker,)]


@pytest.mark.parametrize(
    ("speakers", "text"),
    [
        (["A", "B"], "A neighbor met a friend."),
        (["[A]", "[B]"], "A neighbor left."),
        (["PhD F", "PhD A"], "A PhD left."),
        (["Person A", "Person B"], "A person left."),
        (["Agent", "Customer"], "A customer met the agents."),
        (["Project Manager", "Marketing"], "Project costs rose."),
        (["Mr Park", "Ms Stone"], "The park has a stone."),
    ],
)
def test_common_words_are_no_names(speakers: list[str], text: str) -> None:
    roster = Roster(speakers)
    assert roster.find(roster.tokens(text)) == []


@given(st.text(max_size=60), st.lists(st.text(max_size=12), max_size=4, unique=True))
def test_any_text_and_labels(text: str, labels: list[str]) -> None:
    roster = Roster(labels)
    tokens = roster.tokens(text)
    assert all(0 < start < len(text) for start in roster.starts(text))
    assert all(text[token.start : token.end] for token in tokens)
    mentions = roster.find(tokens)
    assert all(0 <= mention.start < mention.stop <= len(tokens) for mention in mentions)
    assert all(one.stop <= other.start for one, other in pairwise(mentions))
    assert all(set(mention.speakers) <= set(range(len(labels))) for mention in mentions)
