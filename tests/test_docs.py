"""The documentation site: it builds without a warning, asks nobody for anything, and leaves nothing out."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fairsum_utils.cli.app import contexts
from fairsum_utils.cli.glossary import GLOSSARY
from tests.conftest import load_script


@pytest.fixture(scope="session")
def site(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its folder: the one that FAIRSUM_SITE names, or a fresh one."""
    if "FAIRSUM_SITE" in os.environ:
        return Path(os.environ["FAIRSUM_SITE"])
    for name in ("mkdocs", "mkdocstrings", "material", "latex2mathml"):
        pytest.importorskip(name)
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True, env=os.environ | {"NO_COLOR": "1"})
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def tutorials(repository: Path) -> ModuleType:
    return load_script(repository / "docs" / "tutorials.py")


def stored(repository: Path, name: str) -> Any:
    path = repository / "docs" / "pages" / "tutorials" / f"{name}.ipynb"
    return json.loads(path.read_text(encoding="utf-8"))


def test_stored_tutorials_name_no_machine_and_their_prose_has_their_numbers(
    repository: Path, tutorials: ModuleType
) -> None:
    names = {path.stem for path in (repository / "docs" / "pages" / "tutorials").glob("*.ipynb")}
    assert names == {*tutorials.TUTORIALS}
    for name in names:
        notebook = stored(repository, name)
        assert tutorials.machine_paths(notebook) == []
        assert tutorials.unfounded_numbers(notebook) == []
        assert tutorials.changed_outputs(notebook, notebook) == []


def notebook(prose: str, *outputs: str) -> dict[str, Any]:
    shown = [{"name": "stdout", "text": [text]} for text in outputs]
    return {
        "cells": [{"cell_type": "markdown", "source": [prose]}, {"cell_type": "code", "source": [], "outputs": shown}]
    }


@pytest.mark.parametrize(
    ("prose", "missing"),
    [
        ("BUR is 0.78 and `0.5` of two.", ""),
        ("They leave out 78% of 9 matters, see [here](a/0.39).", ""),
        ("They leave out 77%.", "77%"),
        ("UER is 0.052, not 0.051.", "0.051"),
    ],
)
def test_numbers_of_the_prose_are_those_that_are_printed(tutorials: ModuleType, prose: str, missing: str) -> None:
    found = tutorials.unfounded_numbers(notebook(prose, "BUR 0.7778", "UER 0.0516, 1,500 sets"))
    assert found == ([f"cell 0: the prose has {missing}, but no output"] if missing else [])


def test_other_numbers_and_places_of_a_machine_are_found(tutorials: ModuleType) -> None:
    old = notebook("", "BUR 0.7778 [0.74, 0.95]", "{'eval_bur': '0.5', 'eval_runtime': '0.37'}")
    same = notebook("", "BUR 0.7779 [0.74, 0.95]\n{'eval_bur': '0.5', 'eval_runtime': '9.1'}")
    assert tutorials.changed_outputs(old, same) == []
    for other in ("BUR 0.7778 [0.74, 0.85]\n'0.5'", "BUR 0.7778 [0.74, 0.95]", "BUR -0.7778 [0.74, 0.95]\n'0.5'"):
        assert len(tutorials.changed_outputs(old, notebook("", other))) == 1
    paths = ["/tmp/ipykernel_7/12.py", "/home/ann/fairsum/a.py", "C:\\\\Users\\\\ann"]
    assert (
        tutorials.machine_paths(notebook("", " and ".join(paths), "https://a.org/b/c eval_bur/negative <td/></a/b>"))
        == paths
    )
    warning = "/x/ipykernel_7/12.py:2: ScoreWarning: few\n/y/lib/site-packages/tqdm/auto.py:21: TqdmWarning"
    assert tutorials.without_places(warning) == "ScoreWarning: few\ntqdm/auto.py:21: TqdmWarning"


# Other words, and other spellings, for what the glossary has one word for.
AVOIDED = re.compile(
    r"\b(social values?|data ?points?|instances?|dashboards?|licences?|labelled|unlabelled"
    r"|\w*(?:colour|favour|behaviour|neighbour)\w*|grey\w*|(?:summar|normal|recogn|anonym)is(?:e|ed|es|ing|ation))\b",
    re.IGNORECASE,
)


def test_pages_keep_to_the_words_of_the_glossary(repository: Path) -> None:
    assert {"group", "sample", "source", "person", "measure", "report", "baseline"} <= GLOSSARY.keys()
    folders = (("docs/pages", "**/*.md"), ("metrics", "*/README.md"), ("datasets", "*/README.md"))
    pages = [path for folder, pattern in folders for path in (repository / folder).glob(pattern)]
    for page in [repository / "README.md", *pages]:
        code = r"```.*?```|`[^`]*`|\]\([^)]*\)"
        prose = re.sub(code, " ", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert AVOIDED.findall(prose) == [], page


def test_options_on_pages_exist(repository: Path) -> None:
    known = {context.command_path: {*chain(*(each.opts for each in context.command.params))} for context in contexts()}
    pages = [repository / "README.md", *(repository / "docs" / "pages").rglob("*.md")]
    pages += [path for folder in ("metrics", "datasets") for path in (repository / folder).glob("*/README.md")]
    n_options = 0
    for page in pages:
        text = page.read_text(encoding="utf-8").replace("\\\n", " ")
        for words in map(str.split, re.findall(r"(?:^|[\s`$])(fairsum [a-z][^`\n#]*)", text)):
            command = next((name for n in (3, 2) if (name := " ".join(words[:n])) in known), None)
            options = {word.partition("=")[0] for word in words if re.match(r"--[a-z]", word)} - {"--help"}
            assert command or not options, (page, words)
            assert options - known.get(command or "", options) == set(), (page, words)
            n_options += len(options)
    assert n_options > 100


class Requests(HTMLParser):
    """What a browser fetches by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        fetched = {"src", "srcset", "poster", "data"} | ({"href"} if tag in ("link", "use") else set())
        self.found += [value or "" for name, value in attributes if name in fetched]


def test_nothing_comes_from_elsewhere(site: Path) -> None:
    pages = [page for page in site.rglob("*.html") if page.name != "demo-report.html"]
    assert len(pages) > 40
    for page in pages:
        requests = Requests()
        requests.feed(page.read_text(encoding="utf-8"))
        assert any("stylesheets" in request for request in requests.found)
        assert not [request for request in requests.found if re.match(r"([a-z]+:)?//", request)], page
    for style in site.rglob("*.css"):
        assert not re.search(r"url\(.?https?:|@import .?https?:", style.read_text(encoding="utf-8")), style


def test_nothing_is_left_as_it_was_written(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = re.sub(r"<(pre|code)\b.*?</\1>", "", page.read_text(encoding="utf-8"), flags=re.S)
        for rest in ("$$", ":math:", "arithmatex", "<!-- studies", "&gt;&gt;&gt;"):
            assert rest not in text, (page, rest)
        for formula in re.findall(r"<math.*?</math>", text, re.S):
            assert "\\" not in formula, (page, formula)  # LaTeX that was not understood


def test_links_lead_to_pages(site: Path) -> None:
    # mkdocs checks those between pages; here, that none leads to a file of the project, which the site does not have.
    for page in {*site.rglob("*.html")} - {site / "404.html"}:
        for link in re.findall(r'<a [^>]*href="([^"]*)"', page.read_text(encoding="utf-8")):
            if not re.match(r"[a-z]+:", link):
                target = page.parent / link.partition("#")[0] if link.partition("#")[0] else page
                assert target.resolve().suffix in ("", ".html", ".ipynb"), (page, link)
                assert target.exists(), (page, link)
