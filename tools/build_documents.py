"""Write derived files: names of measures, stubs, tables of cards and pages, logo, picture.

python tools/build_documents.py           writes the files
python tools/build_documents.py --check   says which are not current
"""

from __future__ import annotations

import contextlib
import inspect
import io
import re
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path

from matplotlib.figure import Figure

import fairsum_reproductions as studies
from fairsum_utils._util.installation import with_requirements
from fairsum_utils.cli import glossary, main
from fairsum_utils.cli.demo import load_demo
from fairsum_utils.families import all_measures, families, family_of
from fairsum_utils.families.columns import Column
from fairsum_utils.families.inputs import kind_name
from fairsum_utils.measures import DEFAULT_METRICS, Measure, get_measure, measure_names
from fairsum_utils.reports.figures import written
from fairsum_utils.reports.theme import DARK, LIGHT, logo
from fairsum_utils.session import Request, Session
from fairsum_utils.settings import USUAL_LEVEL, Setting

ROOT = Path(__file__).parents[1]
_PAGES = ROOT / "docs" / "pages"
_IMAGES = _PAGES / "images"
_THEMES = {"light": LIGHT, "dark": DARK}


def _typed(name: str, call: Callable[..., object], result: str, *rest: str) -> str:
    """Write a call as a stub, with parameters missing from its signature."""
    lines, kind = [], None
    for parameter in inspect.signature(call).parameters.values():
        if kind is parameter.POSITIONAL_ONLY is not parameter.kind:
            lines.append("/")
        if kind is not parameter.KEYWORD_ONLY is parameter.kind:
            lines.append("*")
        kind = parameter.kind
        annotation = "Any" if parameter.annotation is parameter.empty else parameter.annotation
        functions = (
            r"\b(Matcher|Splitter|EntailmentFunction|SeriousFunction|SentimentFunction|Callable(?:\[[^]]*\])?)\b"
        )
        annotation = re.sub(r"os.PathLike", "PathLike", re.sub(functions, "Any", annotation))
        lines.append(f"{parameter.name}: {annotation}" + ("" if parameter.default is parameter.empty else " = ..."))
    body = "".join(f"    {line},\n" for line in [*lines, *rest])
    return f"def {name}(\n{body}) -> {result}: ...\n"


_STUDIES_STUB = """\
# Made by tools/build_documents.py from the studies.
{imports}
from typing import Any

from fairsum_reproductions.contract import Study
from fairsum_reproductions.studied import Studied

def studies() -> Sequence[str]: ...
def find_study(name: str) -> Study: ...
"""


def studies_stub() -> str:
    """Return the signatures of the studies."""
    calls = "".join(_typed(name, getattr(studies, name), "Studied") for name in studies.studies())
    homes = {"PathLike": "os", "Path": "pathlib"}
    imports = [f"from {home} import {name}" for name, home in homes.items() if re.search(rf"\b{name}\b", calls)]
    imports = ["from collections.abc import Mapping, Sequence", *imports]
    return _STUDIES_STUB.format(imports="\n".join(imports)) + calls


# Measures, and families, with the same setting, which then stands on the page of all measures.
_ENOUGH, _ENOUGH_FAMILIES = 6, 3


@cache
def settings_by_place() -> dict[str, dict[str, Setting]]:
    """Map measures, families and ``"every-measure"`` to the settings on their pages.

    A setting stands in one place: where it is the same in many measures or families, for half of a family, or for a
    measure.
    """

    def key(info: Setting) -> tuple[object, ...]:
        return info.name, info.default, info.help

    taken = [(family_of(name), name, info) for name in all_measures() for info in get_measure(name).infos().values()]
    of_all = Counter(key(info) for _, _, info in taken)
    of_family = Counter((family.name, key(info)) for family, _, info in taken)
    n_families = Counter(info for _, info in of_family)
    found: dict[str, dict[str, Setting]] = {}
    for family, name, info in taken:
        is_family_s = of_family[family.name, key(info)] >= max(2, len(family.measures) / 2)
        is_shared = of_all[key(info)] >= _ENOUGH or n_families[key(info)] >= _ENOUGH_FAMILIES
        place = "every-measure" if is_shared else family.name if is_family_s else name
        found.setdefault(place, {})[info.name] = info
    return found


def settings_list(place: str) -> str:
    """Return the settings of a place as Markdown."""
    is_family = place in families() and place not in all_measures()
    lines, measures = [], families()[place].measures if is_family else ()
    for info in settings_by_place().get(place, {}).values():
        default = f'"{info.default}"' if isinstance(info.default, str) else repr(info.default)
        others = [name for name in measures if info.name not in get_measure(name).infos()]
        lines.append(f"- `{info.name}` (`{default}`): {info.help}{_not_for(others)}\n")
    return "".join(lines)


def _not_for(others: Iterable[str]) -> str:
    """Name the measures of a page that do not take a setting or column."""
    names = " and ".join(f"`{name}`" for name in others)
    return f"; not for {names}" if names else ""


_FEW = 2  # columns of a family that are all on the cards; with more, optional ones are on the family's page


def columns_list(measure: str) -> str:
    """Return the columns on a measure's card as a Markdown list."""
    family = family_of(measure)
    shown = [each for each in family.columns_of(measure) if each.needed_by(measure) or len(family.columns) <= _FEW]
    return _columns(
        (column._replace(without=None), "", "") if column.needed_by(measure) else (column, ", optional", "")
        for column in shown
    )


def optional_columns_list(name: str) -> str:
    """Return the optional columns of a family as Markdown; empty if cards have them."""
    family, rows = families()[name], []
    for column in family.columns:
        needs = [column.name in get_measure(each).needs for each in family.measures]
        takes = [column.name in get_measure(each).takes for each in family.measures]
        others = [each for each, *uses in zip(family.measures, needs, takes, strict=True) if not any(uses)]
        if any(takes):
            rows.append((column, "", _not_for(others)))
    return _columns(rows) if len(family.columns) > _FEW else ""


def _columns(columns: Iterable[tuple[Column, str, str]]) -> str:
    lines = []
    for column, optional, takers in columns:
        without = f"; without it: {column.without}" if column.without else ""
        lines.append(f"- `{column.name}` ({kind_name(column.kind)}{optional}): {column.help}{without}{takers}\n")
    return "".join(lines)


def samples_table(name: str) -> str:
    """Return the keys of a family's records as a Markdown table, for the site."""
    family, keys, meanings = families()[name], dict[str, dict[str, None]](), dict[str, str]()
    for measure in family.measures:
        for settings in _read_by_matchers(measure):
            recorded, row = family.recorded((measure,), settings), family.table().row
            for each in (row, *recorded.computed):
                meanings |= _attributes(each)
            meanings |= dict.fromkeys(recorded.scores, "score of the sample; None without one")
            for key in recorded.types(row):
                keys.setdefault(key, {})[measure] = None
    rows = [["key of a sample", "meaning"], ["---"] * 2]
    for key, measures in keys.items():
        some = [] if len(measures) in (1, len(family.measures)) and key in measures else list(measures)
        takers = f" ({', '.join(f'`{each}`' for each in some)})" if 0 < len(some) < len(family.measures) else ""
        rows.append([f"`{key}`", f"{meanings[key]}{takers}"])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _read_by_matchers(measure: str) -> list[Measure]:
    """Return a measure with its defaults, and with its neural matcher if any."""
    kind = get_measure(measure)
    matchers = kind.infos()["matcher"].choices if "matcher" in kind.infos() else None
    return [kind(), *([kind(matcher="bertscore")] if "bertscore" in (matchers or ()) else [])]


def _attributes(kind: type) -> dict[str, str]:
    """Return the meaning of each attribute of a class from its docstring."""
    _, _, listed = inspect.cleandoc(kind.__doc__ or "").partition("Attributes:\n")
    items = re.findall(r"^    (\w+): (.+(?:\n        .+)*)", listed, flags=re.M)
    return {name: re.sub(r"``", "`", " ".join(text.split())).removesuffix(".") for name, text in items}


_SETTINGS = re.compile(r"(?:^- `\w+` \(`.*\n)+", re.MULTILINE)
_COLUMNS = re.compile(r"(?:^- `\w+` \([^`].*\n)+", re.MULTILINE)


def with_lists(text: str, columns: str, settings: str) -> str:
    """Replace the lists of columns and of settings on a page or card."""
    text = _COLUMNS.sub(lambda _: columns, text) if columns else text
    if settings and not _SETTINGS.search(text):  # the first one
        text = text.replace(columns, f"{columns}\nSettings:\n\n{settings}")
    return _SETTINGS.sub(lambda _: settings, text)


def card(measure: str) -> str:
    """Return a card with its generated lists."""
    text = (ROOT / "metrics" / measure / "README.md").read_text(encoding="utf-8")
    is_alone = len(family_of(measure).measures) == 1  # its settings are on the page of the family
    return with_lists(text, columns_list(measure), "" if is_alone else settings_list(measure))


def demo_figure() -> Figure:
    """Draw the shipped system that leaves one group out."""
    demo = load_demo()
    requests = [Request(get_measure(name)(confidence_level=USUAL_LEVEL)) for name in DEFAULT_METRICS]
    with Session(requests) as session:
        results = session.score({"predictions": demo["system_b"], "sources": demo["sources"], "values": demo["values"]})
    results.title = "fairsum demo, system B"
    return results.plot()


# File among the images of the pages -> what it shows.
PICTURES: dict[str, Callable[[], Figure]] = {"demo.svg": demo_figure}


def logos() -> dict[Path, str]:
    """Return the logos for the README, on light and dark."""
    return {_IMAGES / f"logo-{name}.svg": f"{logo(theme['accent'])}\n" for name, theme in _THEMES.items()}


def documents() -> dict[Path, str]:
    """Map each derived file to its contents."""
    cards = {ROOT / "metrics" / measure / "README.md": card(measure) for measure in all_measures()}
    drawn = {_IMAGES / name: written(make(), "svg", name).decode() for name, make in PICTURES.items()} | logos()
    pages = {_PAGES / "explanation" / "glossary.md": glossary.page()}
    reference = _PAGES / "reference"
    lists = {"every-measure": ("", settings_list("every-measure"))}
    lists |= {name: (optional_columns_list(name), "") for name in families()}  # the site fills in their settings
    for name, columns_and_settings in lists.items():
        page = reference / f"{name}.md"
        pages[page] = with_lists(page.read_text(encoding="utf-8"), *columns_and_settings)
    found = {
        **{path: path.read_text(encoding="utf-8") for path in _naming_the_package()},
        **names_of_the_package(),
        ROOT / "reproductions" / "fairsum_reproductions" / "__init__.pyi": studies_stub(),
        **cards,
        **drawn,
        **pages,
    }
    found |= {path: with_outputs(found.get(path, path.read_text(encoding="utf-8"))) for path in _showing_outputs()}
    return {path: with_requirements(text) for path, text in found.items()}


def with_outputs(text: str) -> str:
    """Fill in the output of a page's commands, as long as shown."""

    def filled(found: re.Match[str]) -> str:
        printed = io.StringIO()
        with contextlib.chdir(_PAGES / "tutorials"), redirect_stdout(printed), redirect_stderr(printed):
            main(shlex.split(found["command"].replace("\\\n", " ")))
        rest = "...\n" if found["shown"].endswith("...\n") else ""
        lines = printed.getvalue().splitlines(keepends=True)[: found["shown"].count("\n") - bool(rest)]
        return f"{_PROMPT}{found['command']}\n{''.join(lines)}{rest}```"

    return re.sub(rf"{re.escape(_PROMPT)}(?P<command>.*?[^\\])\n(?P<shown>.*?)```", filled, text, flags=re.S)


_PROMPT = "```text\n$ fairsum "


def _showing_outputs() -> list[Path]:
    """List the pages that show what commands print, in the folder of the tutorials."""
    pages = [ROOT / "README.md", *_PAGES.rglob("*.md")]
    return [page for page in pages if _PROMPT in page.read_text(encoding="utf-8")]


def names_of_the_package() -> dict[Path, str]:
    """Return the module of the package with the names of all measures."""
    path = ROOT / "fairsum_utils" / "__init__.py"
    classes = {name: get_measure(name).__name__ for name in measure_names()}
    text = path.read_text(encoding="utf-8")
    imports = [f"    from fairsum_utils.measures.{name} import {kind}\n" for name, kind in classes.items()]
    text = re.sub(r"(    from fairsum_utils\.measures\.\w+ import \w+\n)+", "".join(imports), text)
    others = set(re.findall(r'^    "(\w+)": "', text, re.MULTILINE)) | {"__version__"}
    names = sorted({*classes.values(), *others}, key=lambda name: (not name.isupper(), not name[0].isupper(), name))
    listed = "".join(f'    "{name}",\n' for name in names)
    return {path: re.sub(r"(?s)__all__ = \[\n.*?\]", f"__all__ = [\n{listed}]", text)}


def _naming_the_package() -> list[Path]:
    """List the hand-written files that may state how to install the package."""
    folders = [path for kind in ("metrics", "datasets") for path in (ROOT / kind).glob("*/*.*")]
    return [*folders, *_PAGES.rglob("*.md")]


def outdated() -> list[Path]:
    """List the files that are out of date."""
    return [path for path, text in documents().items() if not path.exists() or path.read_text(encoding="utf-8") != text]


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit("\n".join(map(str, outdated())) or None)
    for path, text in documents().items():
        path.write_text(text, encoding="utf-8")
