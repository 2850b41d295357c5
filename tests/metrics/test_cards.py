"""The cards: what they promise is what the modules do, and their examples were really run."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from fairsum_utils.families.contract import family_of
from fairsum_utils.measures import get_measure
from tests.conftest import load_script

from .conftest import errors_of_schema, saved

FOLDERS = Path(__file__).parents[2] / "metrics"

HEADINGS = [
    "What it measures",
    "Formula",
    "Load",
    "Inputs",
    "Outputs",
    "Example",
    "How it can be gamed",
    "Limits",
]


def card(name: str) -> str:
    return (FOLDERS / name / "README.md").read_text(encoding="utf-8")


def section(name: str, heading: str) -> str:
    return re.split(r"^## ", card(name), flags=re.MULTILINE)[1 + HEADINGS.index(heading)]


def table(text: str, header: str) -> list[list[str]]:
    """Rows of the table whose first column has this header."""
    lines = text[text.index(f"| {header} |") :].splitlines()[2:]
    rows = [re.split(r" \| ", line.strip("| ")) for line in lines[: [*map(bool, lines), False].index(False)]]
    return [[cell.strip() for cell in row] for row in rows]


@pytest.fixture(scope="module")
def site() -> ModuleType:
    """What is filled in on the site."""
    return load_script(FOLDERS.parent / "tools" / "build_documents.py")


def keys(text: str) -> set[str]:
    """The names at the beginning of the items of lists."""
    items = re.findall(r"^- (`.*?): ", text, flags=re.MULTILINE)
    return {key for item in items for key in re.findall(r"`(\w+)`", item)}


def test_headings(name: str) -> None:
    assert re.findall(r"^## (.+)$", card(name), flags=re.MULTILINE) == HEADINGS
    assert "$$" in section(name, "Formula")
    assert len(card(name).split()) <= 600


def test_the_page_of_sources_has_every_citation(name: str) -> None:
    sources = (FOLDERS.parent / "docs" / "pages" / "explanation" / "sources.md").read_text(encoding="utf-8")
    family = family_of(name)
    [title] = re.findall(r"\btitle\s*= \{(.+)\}", family.citation)
    assert re.sub(r"[{}]", "", title) in sources
    assert all(url in sources for url in family.urls)


def test_front_matter_is_a_space_s(name: str) -> None:
    front = yaml.safe_load(card(name).split("---\n")[1])
    assert {key: front[key] for key in ("sdk", "app_file", "pinned")} == {
        "sdk": "gradio",
        "app_file": "app.py",
        "pinned": False,
    }
    colors = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}
    assert {front["colorFrom"], front["colorTo"]} <= colors
    assert re.fullmatch(r"\d+\.\d+\.\d+", front["sdk_version"])
    assert front["tags"][:2] == ["evaluate", "metric"]
    assert name.upper() in front["title"] or front["title"] == get_measure(name).title
    assert get_measure(name).title in front["description"]
    assert front["emoji"]


@pytest.mark.usefixtures("as_published")
def test_example_gives_what_the_card_shows(name: str) -> None:
    blocks = re.findall(r"^```python\n(.+?)^```", section(name, "Example"), flags=re.MULTILINE | re.DOTALL)
    assert len(blocks) == 1
    example = doctest.DocTestParser().get_doctest(blocks[0], {}, name, f"{name}/README.md", 0)
    assert len(example.examples) >= 2
    report: list[str] = []
    assert doctest.DocTestRunner(verbose=False).run(example, out=report.append).failed == 0, "".join(report)


def page(place: str) -> str:
    """The page of a family, or of all measures."""
    return (FOLDERS.parent / "docs" / "pages" / "reference" / f"{place}.md").read_text(encoding="utf-8")


def test_settings_are_those_of_the_module(name: str, load: Callable[..., Any], site: ModuleType) -> None:
    inputs, family = section(name, "Inputs"), family_of(name)
    columns = {column.name for column in family.columns_of(name)}
    of_family = page(family.name)
    named, optional = (set(re.findall(r"^- `(\w+)` \([^`]", text, flags=re.MULTILINE)) for text in (inputs, of_family))
    assert named <= columns <= named | optional
    parameters = inspect.signature(load(name)._compute).parameters
    shown: dict[str, Any] = {}
    is_filled_in = f"<!-- settings of {family.name} -->" in of_family
    assert is_filled_in == (family.name not in family.measures or len(family.measures) == 1)
    of_site = site.settings_list(family.name) if is_filled_in else ""
    for text in (page("every-measure"), of_site, inputs):
        rows = re.findall(r"^- `(\w+)` \(`(.+?)`\): ", text, flags=re.MULTILINE)
        found = {key: ast.literal_eval(default) for key, default in rows}
        if text != inputs:  # a page also has settings of other measures
            found = {key: default for key, default in found.items() if key in parameters}
        shown |= found
    assert shown == {key: known.default for key, known in parameters.items() if key not in columns}


def test_outputs_are_those_of_the_module(
    name: str, family: Any, load: Callable[..., Any], columns: dict[str, Any], site: ModuleType, tmp_path: Path
) -> None:
    """And the keys of a saved result are those of the schema."""
    own = keys(section(name, "Outputs"))
    shared = keys(page("every-measure")) | keys(page(family_of(name).name))
    suffixes = [key for row in table(page("every-measure"), "suffix") for key in re.findall(r"`(\w+)`", row[0])]
    has_chance = "at_random" in get_measure(name).infos()
    options = {**family.offline, **({"at_random": True} if has_chance else {})}
    result = load(name).compute(**columns, **options, confidence_level=0.9, return_samples=True)
    reasons = ["undefined", *["at_random_undefined"] * has_chance]
    returned = {*result, *family.with_model, *reasons}
    known = own | shared
    known |= {key + suffix for key in known for suffix in suffixes}
    assert own - returned == set()
    assert returned - known == set()
    documented = {row[0].strip("`") for row in table(site.samples_table(family_of(name).name), "key of a sample")}
    assert f"<!-- samples of {family_of(name).name} -->" in page(family_of(name).name)
    assert {key for sample in result["samples"] for key in sample} <= documented
    document = saved(result, tmp_path)
    assert {name, f"{name}_ci"} <= document["metrics"][name].keys()
    assert errors_of_schema(document) == []
