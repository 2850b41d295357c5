"""What is filled in becomes columns and settings, and what the components of gradio are told."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families import Column, family_of
from fairsum_utils.integrations.space_fields import Field, sample_fields, setting_field
from fairsum_utils.measures import get_measure
from fairsum_utils.settings import Settings, setting

# Stands for the module gradio.
GRADIO = SimpleNamespace(
    **{
        name: lambda *values, _name=name, **options: (_name, *values, options)
        for name in ("Checkbox", "CheckboxGroup", "Dataframe", "Dropdown", "File", "Radio", "Slider", "Textbox")
    }
)


def fields(measure: str, *names: str, **example: Any) -> list[Field]:
    return sample_fields([column for column in family_of(measure).columns if column.name in names], example)


class Letters(Settings):
    strict: bool = setting(False, "ticked or not", space=True)
    letters: tuple[str, ...] = setting(("a", "c"), "some letters", space=("a", "b", "c"))


def setting_of(measure: str, name: str, first: Any = None) -> Field:
    return setting_field(get_measure(measure).infos()[name], first)


def test_sources_and_their_values_share_a_table() -> None:
    text = "Tasty, warm soup in big bowls."
    example = {"predictions": ["Hm."], "sources": [[text]], "values": [["pos"]]}
    summary, table = fields("bur", *example, **example)
    assert summary.show(GRADIO) == ("Textbox", "Hm.", {"label": "Summary", "lines": 3})
    kind, options = table.show(GRADIO)
    assert (kind, options["label"]) == ("Dataframe", "One row per source text")
    assert options["headers"] == ["source text", "value"]
    assert options["value"] == [[text, "pos"], ["", ""]]
    assert options["column_widths"] == ["66.7%", "33.3%"]  # 30 characters, and 15 at least
    rows = [["Tasty.", " a "], ["", None], ["Awful.", "b"]]
    assert table.read(rows) == {"sources": [["Tasty.", "Awful."]], "values": [["a", "b"]]}
    assert summary.read(None) == {"predictions": [""]}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([["", ""], [None, None]], "There is no source text; fill in at least one row."),
        ([["Tasty.", "a"], ["Awful.", " "]], "Row 2 has no value; fill it in."),
        ([["", "a"]], "Row 1 has no source text; fill it in."),
    ],
)
def test_rows_that_lack_something(rows: list[list[str | None]], message: str) -> None:
    _, table = fields("bur", "predictions", "sources", "values")
    with pytest.raises(InputError) as caught:
        table.read(rows)
    assert str(caught.value) == message


def test_texts_with_groups_are_rows() -> None:
    example = {"predictions": ["Ann ran."], "mentions": [["Ann", "Lee"]], "groups": ["f"], "article_ids": ["1"]}
    [table] = fields("distinguishability", *example, **example)
    _, options = table.show(GRADIO)
    assert options["value"][0] == ["Ann ran.", "Ann, Lee", "f"]
    assert options["headers"] == ["summary", "names of people in the summary", "group"]
    rows = [["Ann ran.", "Ann, Lee,", "f"], ["He sat.", "", "m"]]
    assert table.read(rows) == {
        "predictions": ["Ann ran.", "He sat."],
        "mentions": [["Ann", "Lee"], []],
        "groups": ["f", "m"],
    }
    with pytest.raises(InputError, match="There is no summary; fill in at least one row"):
        table.read([["", "", ""]])
    with pytest.raises(InputError, match="Row 1 has no group; fill it in"):
        fields("sentiment", "predictions", "groups")[0].read([["Tasty.", ""]])


def test_persons_are_rows_and_names_have_commas_between() -> None:
    _, persons, names = fields(
        "entity_inclusion", "predictions", "entities", "mentions", entities=[[{"first_name": "Ann", "group": "f"}]]
    )
    _, options = persons.show(GRADIO)
    assert options["label"] == "One row per person in the sources"
    assert (options["headers"], options["value"][0]) == (["first name", "last name", "group"], ["Ann", "", "f"])
    assert persons.read([["", "Ray", "m"], [None] * 3]) == {
        "entities": [[{"first_name": None, "last_name": "Ray", "group": "m"}]]
    }
    assert names.show(GRADIO)[2]["label"] == "Names of people in the summary, separated by commas"
    assert (names.read("Ann, Lee,"), names.read(None)) == ({"mentions": [["Ann", "Lee"]]}, {"mentions": [[]]})


def test_a_column_without_a_label_is_called_like_its_entry() -> None:
    [field] = sample_fields([Column(name="prompts", entry="first_prompt", kind=str, help="what began it")], {})
    assert field.show(GRADIO) == ("Textbox", "", {"label": "First prompt", "lines": 3})


def test_settings_by_their_form() -> None:
    assert setting_of("bur", "k", 1).show(GRADIO)[:3] == ("Slider", 1, 4)
    assert setting_of("bur", "k", 1).show(GRADIO)[3]["step"] == 1
    assert setting_of("bur", "tau", 0.5).show(GRADIO) == (
        "Slider",
        0.0,
        1.0,
        {
            "label": "tau",
            "info": "a group is underrepresented below tau times its desired share, in [0, 1]",
            "value": 0.5,
            "step": 0.05,
        },
    )
    kind, names, options = setting_of("word_list_inclusion", "word_lists", "helm").show(GRADIO)
    assert (kind, names, options["value"], options["label"]) == ("Radio", ["helm", "extended"], "helm", "word lists")
    kind, options = setting_of("psycholinguistic_norms", "lexicon").show(GRADIO)
    assert (kind, options["type"]) == ("File", "filepath")
    assert options["label"].startswith("lexicon: required: a table with eight ratings per word")
    strict = Letters.infos()["strict"]
    assert setting_field(strict, False).show(GRADIO)[:2] == ("Checkbox", False)
    assert setting_field(strict, False).read(False) == {"strict": False}


def test_a_list_takes_any_of_its_names() -> None:
    letters = Letters.infos()["letters"]
    field = setting_field(letters, letters.default)
    assert field.show(GRADIO) == (
        "CheckboxGroup",
        ["a", "b", "c"],
        {"label": "letters", "info": "some letters", "value": ["a", "c"]},
    )
    assert field.read(["b"]) == {"letters": ["b"]}
    assert field.read([]) == {"letters": []}


@pytest.mark.parametrize(
    ("measure", "name", "value", "read"),
    [
        ("bur", "k", 2.0, {"k": 2}),
        ("bur", "tau", 0, {"tau": 0}),
        ("bur", "target", "equal", {"target": "equal"}),
        ("entity_inclusion", "continuity", 0.5, {"continuity": 0.5}),
        ("entity_inclusion", "continuity", 0, {}),
        ("psycholinguistic_norms", "lexicon", None, {}),
        ("psycholinguistic_norms", "lexicon", "norms.tsv", {"lexicon": "norms.tsv"}),
    ],
)
def test_what_is_left_empty_is_no_setting(measure: str, name: str, value: Any, read: dict[str, Any]) -> None:
    assert setting_of(measure, name).read(value) == read


def test_many_choices_are_a_list_to_unfold() -> None:
    kind, names, options = setting_of("bur", "language", "english").show(GRADIO)
    assert (kind, options["value"]) == ("Dropdown", "english")
    assert len(names) > 6
    assert setting_of("bur", "target", "ratio").show(GRADIO)[0] == "Radio"
