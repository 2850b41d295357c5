"""Generated pages of the site.

README: home. Cards of `metrics/` and `datasets/`: a page each. Help texts: command line. Docstrings: Python reference.
LaTeX formulas: MathML, which needs no script. Colors and logo: those of reports.
"""

from __future__ import annotations

import html
import posixpath
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import tutorials
import yaml
from jinja2 import ChoiceLoader, DictLoader, Environment
from latex2mathml.converter import convert
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
from build_documents import PICTURES, samples_table, settings_list
from build_picture import demo_report

from fairsum_reproductions import find_study, studies
from fairsum_reproductions.contract import PAPERS
from fairsum_utils.reports.figures import drawn
from fairsum_utils.reports.theme import FILLS, FONT, MONO, VALUES, favicon, logo, mark_style, themes

ROOT = Path(__file__).parents[1]

_FORMULAS = "fairsum_utils.measures."
# File of the project -> page.
COPIED = {
    "README.md": "index.md",
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
    "benchmarks/README.md": "explanation/benchmarks.md",
    "fairsum_utils/_util/resources/README.md": "explanation/resources.md",
}
_FOLDERS = {"metrics": "reference/measures", "datasets": "reference/datasets"}


class Card(NamedTuple):
    """The card of a measure or of a data set.

    Attributes:
        name: Name of its folder.
        about: YAML header.
        text: Markdown after the header.
        source: Path of the file in the project.
    """

    name: str
    about: dict[str, Any]
    text: str
    source: str


@cache
def cards(kind: str) -> list[Card]:
    """Return the cards of a folder.

    Args:
        kind: Folder, ``"metrics"`` or ``"datasets"``.
    """
    found = []
    for path in sorted((ROOT / kind).glob("*/README.md")):
        _, header, text = path.read_text(encoding="utf-8").split("---\n", 2)
        found.append(Card(path.parent.name, yaml.safe_load(header), text, path.relative_to(ROOT).as_posix()))
    return found


def on_config(config: MkDocsConfig) -> None:
    """Fill the empty lists of the navigation."""
    entries = {
        "Tutorials": [f"tutorials/{name}.md" for name in tutorials.TUTORIALS],
        "Measures": ["reference/measures/index.md", *(page_of(card.source) for card in cards("metrics"))],
        "Data sets": [page_of(card.source) for card in cards("datasets")],
        "Python": [f"reference/api/{name}.md" for name in api()],
    }

    def fill(nav: list[dict[str, Any] | str]) -> None:
        for entry in nav:
            for title, inner in entry.items() if isinstance(entry, dict) else ():
                if isinstance(inner, list):
                    inner.extend(entries.get(title, ()))
                    fill(inner)

    fill(config.nav)


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add the pages."""
    for place, content in (*pages(), *tutorials.pages(), *face()):
        files.append(File.generated(config, place, content=content))


def on_env(env: Environment, **_: Any) -> None:
    """Add the logo to the icons of the theme."""
    env.loader = ChoiceLoader([DictLoader({".icons/fairsum.svg": logo()}), env.loader])


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Resolve links, and fill in studies, marks of reports, settings and keys of samples."""
    place = page.file.src_uri
    markdown = relink(markdown, _sources().get(place, f"docs/pages/{place}"), place)
    made = {"studies": all_studies, "marks": marks}
    for name, make in made.items():
        if (mark := f"<!-- {name} -->") in markdown:
            markdown = markdown.replace(mark, make())
    lists = {"samples": samples_table, "settings": settings_list}
    return re.sub(r"<!-- (samples|settings) of (\w+) -->", lambda found: lists[found[1]](found[2]), markdown)


@cache
def _sources() -> dict[str, str]:
    """Map generated pages to their source files."""
    made = [*COPIED, *(card.source for kind in _FOLDERS for card in cards(kind))]
    return {page_of(source): source for source in made}


def on_page_content(content: str, **_: Any) -> str:
    """Convert formulas to MathML and pictures of figures to inline drawings."""

    def draw(found: re.Match[str]) -> str:
        display = "block" if found["tag"] == "div" else "inline"
        drawn = convert(html.unescape(found["formula"])[2:-2], display=display)
        return f'<div class="formula">{drawn}</div>' if display == "block" else drawn

    pattern = r'<(?P<tag>div|span) class="arithmatex">(?P<formula>.*?)</(?P=tag)>'
    content = re.sub(pattern, draw, content, flags=re.S)
    # Inline drawings follow the theme and the width of the screen.
    pictures = rf'<img [^>]*alt="(?P<alt>[^"]*)" src="[^"]*/({"|".join(map(re.escape, PICTURES))})"[^>]*>'
    return re.sub(pictures, lambda found: drawn(PICTURES[found[2]](), "picture", html.unescape(found["alt"])), content)


def on_post_page(output: str, **_: Any) -> str:
    """Label the search dialog for screen readers."""
    return output.replace('role="dialog">', 'role="dialog" aria-label="Search">')


def face() -> Iterator[tuple[str, str]]:
    """Yield path and text of the style sheet, icon and demo report."""
    colors = themes('[data-md-color-scheme="default"]', '[data-md-color-scheme="slate"]')
    yield "face.css", f"{colors}{FILLS}:root{{--fairsum-font:{FONT};--fairsum-mono:{MONO}}}\n"
    yield "favicon.svg", favicon()
    yield "explanation/demo-report.html", demo_report()


def marks() -> str:
    """Return a marked word per group, and one of two groups."""
    shown = [([name], f"group {place}") for place, name in enumerate(VALUES, 1)]
    shown.append((list(VALUES[:2]), "groups 1 and 2"))
    return (
        '<p class="marks">'
        + " ".join(f'<mark style="{html.escape(mark_style(names))}">{words}</mark>' for names, words in shown)
        + "</p>"
    )


def all_studies() -> str:
    """Return all studies by paper: question, source, choices and commands."""
    parts = []
    for paper, title in PAPERS.items():
        parts.append(f"## {title}")
        for name in studies():
            study = find_study(name)
            if study.paper == paper:
                parts += [f"### {name}", f"{study.question} Source: {study.source}."]
                parts += ["\n".join(f"- Chosen: {choice}." for choice in study.choices)] if study.choices else []
                parts.append("\n".join(["```text", *study.examples, "```"]))
    return "\n\n".join(parts)


def pages() -> Iterator[tuple[str, str]]:
    """Yield path and text of each generated page."""
    for source, place in COPIED.items():
        yield place, (ROOT / source).read_text(encoding="utf-8")
    yield "reference/measures/index.md", measures_overview()
    for card in cards("metrics"):
        yield page_of(card.source), f"{card.text}\n## In Python\n\n::: {_FORMULAS}{card.name}\n"
    for card in cards("datasets"):
        yield page_of(card.source), card.text
    yield "reference/examples.md", examples()
    yield "reference/cli.md", command_line()
    for name, modules in api().items():
        title = "fairsum_utils" if name == "top" else f"fairsum_utils.{name}"
        yield f"reference/api/{name}.md", f"# `{title}`\n\n" + "\n".join(map(reference, modules))


def page_of(file: str) -> str:
    """Return the page of a file or folder, with anchor, if any.

    Args:
        file: Path in the project.
    """
    kind, _, name = file.partition("/")
    if file in COPIED:
        return COPIED[file]
    if kind in _FOLDERS and name:
        return f"{_FOLDERS[kind]}/{name.removesuffix('/README.md')}.md"
    if file.startswith("fairsum_utils/measures/"):
        return f"reference/measures/{Path(file).stem}.md"
    if file == "fairsum_utils/cli":
        return "reference/cli.md"
    if kind == "fairsum_utils":
        package = name.partition("/")[0]
        return f"reference/api/{'top' if package.endswith('.py') else package}.md"
    if file == "docs/pages/tutorials":
        return f"tutorials/{tutorials.TUTORIALS[0]}.md"
    if file.startswith("docs/pages/"):
        return name.removeprefix("pages/").replace(".ipynb", ".md")
    if kind == "examples" and name.endswith(".py"):
        return f"reference/examples.md#{Path(name).stem}"
    return ""


def relink(text: str, source: str, place: str) -> str:
    """Replace links to files by links to their pages; drop the others.

    Args:
        text: Markdown.
        source: Path of its file in the project.
        place: Path of its page.
    """

    def link(found: re.Match[str]) -> str:
        words, target, anchor = found.groups()
        page = page_of(posixpath.normpath(posixpath.join(posixpath.dirname(source), target)))
        page, _, own = page.partition("#")
        if not page:
            return words
        anchor = f"#{own}" if own else anchor or ""
        return f"[{words}]({posixpath.relpath(page, posixpath.dirname(place) or '.')}{anchor})"

    return re.sub(r"\[([^]\n]+)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)", link, _pictures(text))


def _pictures(text: str) -> str:
    """Split a picture in two themes into two; drop the logo."""

    def both(found: re.Match[str]) -> str:
        alt, light, dark = found["alt"], found["light"], found["dark"]
        return f"![{alt}]({light}#only-light)![{alt}]({dark}#only-dark)" if alt else ""

    dark, light = r'<source [^>]*srcset="(?P<dark>[^"]+)">', r'<img alt="(?P<alt>[^"]*)" src="(?P<light>[^"]+)"[^>]*>'
    return re.sub(f"<picture>{dark}{light}</picture> ?", both, text)


def measures_overview() -> str:
    """Return a table with one measure per row."""
    rows = "\n".join(
        f"| [`{card.name}`]({card.name}.md) | {card.about['description'].strip().partition(': ')[2] or '-'} |"
        for card in cards("metrics")
    )
    guide = "Not sure which? See [the guide](../../explanation/which.md)."
    head = f"# Measures\n\n{guide}\n\n| measure | meaning |\n| --- | --- |"
    return f"{head}\n{rows}\n"


def examples() -> str:
    """Return the scripts of `examples/`."""
    parts = ["# Examples\n\nScripts of the folder `examples/`.\n"]
    for path in sorted((ROOT / "examples").glob("*.py")):
        code = path.read_text(encoding="utf-8")
        parts.append(f"## {path.name} {{ #{path.stem} }}\n\n```python\n{code}```\n")
    return "\n".join(parts)


def command_line() -> str:
    """Return the help texts of all commands."""
    from fairsum_utils.cli.app import contexts

    parts = ["# Command line\n"]
    for context in contexts():
        level = "#" * (1 + len(context.command_path.split()))
        parts.append(f"{level} {context.command_path}\n\n```text\n{context.get_help()}\n```\n")
    return "\n".join(parts)


def api() -> dict[str, list[str]]:
    """Map the pages of the Python reference to their modules.

    Formulas are on the pages of the measures, commands on their own page; `fairsum_utils.api` belongs to the package.
    """
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "fairsum_utils").rglob("*.py")):
        *packages, stem = path.relative_to(ROOT).with_suffix("").parts
        module = ".".join(packages if stem == "__init__" else [*packages, stem])
        page = packages[1] if len(packages) > 1 else "top"
        is_private = any(part.startswith("_") and part != "__init__" for part in [*packages, stem])
        if not (is_private or page == "cli" or module == "fairsum_utils.api" or module.startswith(_FORMULAS)):
            found.setdefault(page, []).append(module)
    return found


def reference(module: str) -> str:
    """Return the directive for a module; members of packages follow separately."""
    is_package = (ROOT / module.replace(".", "/")).is_dir() and module not in (
        "fairsum_utils",
        "fairsum_utils.measures",
    )
    options = ["heading_level: 2", *(["members: false"] if is_package else [])]
    return "\n".join([f"::: {module}", "    options:", *(f"      {option}" for option in options), ""])
