"""Rows of several systems: which samples are compared, and what is said of the systems."""

from __future__ import annotations

from typing import Any

import pytest

from fairsum_utils import UER
from fairsum_utils.errors import InputError
from fairsum_utils.measures import get_measure
from fairsum_utils.session import Request, Session
from fairsum_utils.session.paired import PairedRows
from fairsum_utils.session.systems import compare

SOURCES, VALUES = ["Tasty soup.", "Awful bread."], ["pos", "neg"]


def paired(names: str, *systems: list[str], **settings: Any) -> PairedRows:
    """The rows of systems with one letter each, whose summaries are of the same sources."""
    session = Session([Request(UER(**settings))], module="compare")
    shared = {"sources": [SOURCES] * len(systems[0]), "values": [VALUES] * len(systems[0])}
    made = PairedRows(session.passes[0], names)
    [rows] = session.rows_of_systems([{"predictions": texts, **shared} for texts in systems])
    made.add(list(map(made.scored_by.family.table, rows)))
    return made


def test_a_sample_that_a_system_skipped_is_left_out_of_all() -> None:
    made = paired("abc", ["Soup.", "Soup.", "Bread."], ["Bread.", "", "Soup."], ["", "", "Bread."])
    assert [table.numbers("index").tolist() for table in made.systems] == [[2]] * 3
    assert (made.n_skipped, made.n_skipped_by_system) == (2, [0, 1, 2])


def test_rows_come_in_parts() -> None:
    texts = ["Soup.", "Bread.", "", "Tasty bread."], ["Bread.", "Soup.", "Soup.", "Awful."]
    whole, parts = paired("ab", *texts), paired("ab", *(system[:1] for system in texts))
    session = Session([Request(UER())])
    shared = {"sources": [SOURCES] * 3, "values": [VALUES] * 3}
    [rows] = session.rows_of_systems([{"predictions": system[1:], **shared} for system in texts], start=1)
    parts.add(list(map(parts.scored_by.family.table, rows)))
    found = [[scores.compare("a", "b") for scores in made.scores()] for made in (parts, whole)]
    assert found[0] == found[1]


def test_rows_of_other_samples() -> None:
    made = paired("abc", ["Soup."], ["Bread."], ["Soup."])
    [rows] = Session([Request(UER())]).rows({"predictions": ["x"], "sources": [["One text."]], "values": [["pos"]]})
    with pytest.raises(InputError, match="compare: the sources or values of sample 0 differ between a and c; compare"):
        made.add([*made.systems[:2], made.scored_by.family.table(rows)])


@pytest.mark.parametrize(
    ("measure", "columns", "other"),
    [
        ("uer", {"sources": [SOURCES], "values": [["p", "n"]]}, {"values": [["n", "p"]]}),
        ("uer", {"sources": [SOURCES], "values": [["p", "n"]]}, {"sources": [["Tasty bread.", SOURCES[1]]]}),
        ("equal_coverage", {"sources": [SOURCES], "values": [["p", "n"]]}, {"sources": [["Some bread.", SOURCES[1]]]}),
        ("word_list_inclusion", {"sources": ["he she"], "article_ids": ["a"]}, {"sources": ["she he"]}),
        ("word_list_inclusion", {"sources": ["he she"], "article_ids": ["a"]}, {"article_ids": ["b"]}),
        ("counterfactual_gap", {"article_ids": ["a"], "variants": ["x"]}, {"variants": ["y"]}),
    ],
)
def test_texts_and_labels_of_a_sample_are_the_same(
    measure: str, columns: dict[str, object], other: dict[str, object]
) -> None:
    settings = {"entailer": "lexical"} if measure == "equal_coverage" else {}
    with Session([Request(get_measure(measure)(**settings))]) as session:
        given = {"predictions": ["he is tasty"], **columns}
        compare(session, {"a": given, "b": given})
        with pytest.raises(InputError, match="the sources or values of sample 0 differ between a and b"):
            compare(session, {"a": given, "b": {**given, **other}})


def test_what_systems_have_against_them_in_common_or_alone() -> None:
    stopped, alien = "It was what it was.", "Quantum chromodynamics."
    systems = [["Tasty soup."] * 3, ["Tasty soup.", alien, "Tasty soup."], ["Tasty soup.", alien, "Tasty soup."]]
    [scores] = paired("abc", *systems, unmatched="uniform").scores()
    message = "1 of 3 (33%) scored summaries have no words in common with their sources and count as uniform"
    assert [warning.message for warning in scores.warnings()] == [f"b, c: {message}"]
    [scores] = paired("ab", *([stopped, "Tasty soup.", alien] for _ in "ab"), unmatched="uniform").scores()
    assert [warning.message[:6] for warning in scores.warnings()] == ["2 of 3", "in 1 o"]
