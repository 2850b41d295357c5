"""Samples and originals of the family: what is checked, and what is drawn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families.entities import samples as samples_module
from fairsum_utils.families.entities.rows import EntityRow, EntityTable
from fairsum_utils.families.entities.samples import Entity, Originals, Sample, check_row
from fairsum_utils.measures.entity_inclusion import EntityInclusion
from fairsum_utils.stats.sums import Column
from fairsum_utils.text.person_names import Name

ANN = {"id": 0, "first_name": "Ann", "last_name": "Lee", "group": "female", "is_modified": True}


def test_parts_in_their_plain_form():
    bob = {"first_name": " Bob ", "last_name": None, "group": "male"}
    columns = {"sources": "A text.", "entities": [ANN, bob], "mentions": ["Ann"], "article_ids": 7, "groups": "female"}
    sample = check_row("m", 3, {"predictions": "Ann won.", **columns})
    entities = (Entity(Name("Ann", "Lee"), "female"), Entity(Name("Bob", None), "male"))
    assert sample == Sample(3, "Ann won.", "7", ("A text.",), entities, ("Ann",), "female")
    assert check_row("m", 3, {"predictions": ""}) == Sample(3, "", "3")
    columns = {"sources": ["a", "b"], "entities": [], "mentions": [], "article_ids": "x"}
    assert check_row("m", 0, {"predictions": "", **columns}) == Sample(0, "", "x", ("a", "b"), (), ())


@pytest.mark.parametrize(
    ("given", "pair"),
    [("p01", "p01"), (7, "7"), (np.int64(7), "7"), (None, None), ("", None), (float("nan"), None), (np.nan, None)],
)
def test_a_sample_may_be_without_a_pair(given, pair):
    assert check_row("m", 0, {"predictions": "Ann won.", "article_ids": "x", "pair_ids": given}).pair == pair


def entity(**changed):
    return {"entities": [ANN, ANN | changed]}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"predictions": None}, "prediction must be a string, found None; fill it in or remove the sample"),
        ({"sources": 3}, "sources must be a list of strings, found int 3; give a list of strings"),
        ({"sources": []}, "sources is an empty list; give at least one source text"),
        ({"sources": ["a", None]}, "sources[1] must be a string, found None"),
        ({"entities": "Ann"}, "entities must be a list of dicts with first_name, last_name and group, found str 'Ann'"),
        ({"entities": ["Ann"]}, "entities[0] must be a dict with first_name, last_name and group, found str 'Ann'"),
        (entity(first_name=" ", last_name=None), "entities[1] has no name; give a first_name, a last_name or both"),
        (entity(first_name=1.5), "entities[1]: first_name must be a string or None, found float 1.5"),
        (entity(group=None), "entities[1] (Ann Lee): the group must be a non-empty string, whole number or boolean, "),
        (entity(group=" "), "entities[1] (Ann Lee): the group must be a non-empty string, whole number or boolean"),
        (entity(is_modified="no"), "entities[1] (Ann Lee): is_modified must be true or false, found str 'no'"),
        ({"mentions": "Ann"}, "mentions must be a list of strings (names of people in the summary), found str"),
        ({"mentions": ["Ann", None]}, "mentions[1] must be a non-blank string, found None; remove it"),
        ({"article_ids": 1.5}, "the article id must be a string or a whole number, found float 1.5; give all samples"),
        ({"pair_ids": 1.5}, "the pair id must be a string or a whole number, found float 1.5; give the samples of a "),
        ({"pair_ids": np.array(["p", ""])}, "the pair id must be a string or a whole number, found ndarray"),
        ({"groups": float("nan")}, "the group must be a non-empty string, whole number or boolean, found NaN; name"),
        ({"groups": ""}, "the group is empty, so the text is not about one group; build the inputs with gender_global"),
    ],
)  # fmt: skip
def test_errors_name_the_sample_and_the_place(wrong, message):
    with pytest.raises(InputError) as caught:
        check_row("entity_inclusion", 4, {"predictions": "Ann won."} | wrong)
    assert str(caught.value).startswith(f"entity_inclusion: sample 4: {message}")


def test_a_column_that_is_given_has_an_entry_in_every_row():
    for column in ("sources", "entities", "mentions", "article_ids", "groups"):
        with pytest.raises(InputError, match=f"^m: sample 2: {column} is None; give {column} with every sample"):
            check_row("m", 2, {"predictions": "Ann won.", column: None})


ROWS = [
    EntityRow(4, "b", pair="p"),
    EntityRow(0, "a", pair="p"),
    EntityRow(1, "b"),
    EntityRow(2, "a", "empty_prediction", pair="p"),
    EntityRow(3, "b", pair="p"),
    EntityRow(5, "c"),
]
"""In the order of their index, of which the third is skipped: a (p), b, b (p), b (p), c."""


def test_vectors_stand_in_the_order_of_samples() -> None:
    def vectors(rows):
        return Originals(EntityTable(rows), EntityInclusion(module="here")).vectors("m")

    rows = [
        EntityRow(2, "a", embedding=(3.0, 4.0)),
        EntityRow(0, "a", embedding=(1.0, 2.0)),
        EntityRow(1, "a", "empty_prediction"),
    ]
    assert vectors(rows).tolist() == [[1.0, 2.0], [3.0, 4.0]]
    counts = [replace(row, embedding=None, word_counts={"won": row.index + 1}) for row in rows]
    assert vectors(counts).toarray().tolist() == [[1.0], [3.0]]
    with pytest.raises(InputError, match="here: sample 0: m needs word_counts, but the row has none"):
        vectors([EntityRow(0, "a")])


def test_many_columns_are_drawn_without_their_zeros(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = [Column(np.array([1, 4]), np.array([2.0, 1.0])), Column(None, np.arange(5.0))]
    settings = EntityInclusion(n_resamples=20)
    expected = Originals(EntityTable(ROWS), settings).resampled(columns)
    monkeypatch.setattr(samples_module, "_SPREAD", 9)  # of ten numbers
    found = Originals(EntityTable(ROWS), settings)
    assert hasattr(found.laid_out(columns), "tocsr")
    np.testing.assert_allclose(found.resampled(columns), expected, rtol=1e-12)
