"""The style sheet of a page, and that of a sample by itself: colours and patterns of the palette, and two files."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import combinations
from pathlib import Path

from fairsum_utils.reports.page.marks import class_of
from fairsum_utils.reports.theme import DARK, FILLS, FONT, LIGHT, MONO, TABLES, VALUES, mark_style, variables

_FOLDER = Path(__file__).parent


def sample_style(colours: Collection[str] = VALUES) -> str:
    """The style sheet of `fairsum_utils.reports.page.sample.sample_html`; all of it is for what is in ``.fs-sample``.

    The page around it says the colours: ``fairsum_utils.reports.theme.themes``.

    Args:
        colours: names of those that values have.
    """
    return f"{TABLES}{_marks(colours)}{_read('sample.css')}"


def page_style(colours: Collection[str]) -> str:
    """The style sheet of a page: light or dark as the reader's system is, or as its root is marked; light on paper."""
    dark = variables(DARK)
    return (
        f":root{{{variables(LIGHT)}--font:{FONT};--mono:{MONO}}}"
        f'@media screen{{:root[data-theme="dark"]{{{dark}color-scheme:dark}}}}'
        f'@media screen and (prefers-color-scheme:dark){{:root:not([data-theme="light"]){{{dark}color-scheme:dark}}}}'
        f"{FILLS}{sample_style(colours)}{_read('page.css')}{_read('panels.css')}"
    )


def script() -> str:
    """The script of a page, without what only its authors need."""
    return re.sub(r"^(\s+|//.*\n)+", "", _read("page.js"), flags=re.MULTILINE)


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _marks(colours: Collection[str]) -> str:
    """A class for each colour, and for those that share a word."""
    used = sorted(colours)
    most = 3 if len(used) <= 4 else 1
    sets = [names for size in range(1, most + 1) for names in combinations(used, size)]
    rules = {class_of(names): mark_style(names) for names in sets}
    rules |= {f"fs-{name}": mark_style([name]) for name in ("accent", "plus", "minus")}
    rules["fs-shared"] = mark_style(["accent", "muted"] * 2)
    declared = {name: style.rstrip(";").split(";") for name, style in rules.items()}
    common = [each for each in next(iter(declared.values())) if all(each in one for one in declared.values())]
    written = [f".{name}{{{';'.join(each for each in one if each not in common)}}}" for name, one in declared.items()]
    return f"{','.join(f'.{name}' for name in rules)}{{{';'.join(common)}}}{''.join(written)}"
