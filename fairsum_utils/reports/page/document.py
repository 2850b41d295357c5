"""The page as one HTML file with its style sheet and script."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Collection
from itertools import combinations

from fairsum_utils.io.names import Name
from fairsum_utils.io.writing import check_output, replacing
from fairsum_utils.reports.page.contents import Contents
from fairsum_utils.reports.page.marks import class_of
from fairsum_utils.reports.page.provenance import provenance
from fairsum_utils.reports.page.samples import Browser
from fairsum_utils.reports.page.sections import sections_of
from fairsum_utils.reports.page.templates import rendered
from fairsum_utils.reports.theme import (
    DARK,
    FILLS,
    FONT,
    LIGHT,
    MONO,
    VALUES,
    as_address,
    colors_of,
    favicon,
    logo,
    mark_style,
    sheet,
    variables,
)


def page_colors(contents: Contents) -> dict[str, str]:
    """Return a color for each group, the same in drawings and texts."""
    results = [result for _, view in contents.views for result in view.values()]
    results += [dict(lens.result) for lens in contents.lenses.values()]
    keys = ("n_by_value", "n_by_group", "counts_by_group")
    return colors_of(value for result in results for key in keys for value in result.get(key) or ())


def document(contents: Contents) -> str:
    """Return the page: visible parts, packed samples, and the script.

    Its policy forbids the browser to fetch anything, and to run or apply anything but its one script and style sheet.
    The sections and the worst samples are readable without scripts.

    Example:
        >>> page = document(Contents("a < b", {}, []))
        >>> page[:15], "<h1><bdi>a &lt; b</bdi></h1>" in page, '<section id="provenance"' in page
        ('<!DOCTYPE html>', True, True)
    """
    browser = Browser(contents, page_colors(contents))
    used = set(browser.colors.values()) if 0 < len(browser.colors) <= len(VALUES) else set(VALUES)
    style, code = page_style(used), script()
    return rendered(
        "page.html",
        title=contents.title,
        policy=f"default-src 'none'; script-src {_hashed(code)}; style-src {_hashed(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'",
        icon=as_address(favicon()),
        logo=logo(),
        style=style,
        script=code,
        panels=[*sections_of(contents), *(browser.sections() if browser.samples else ()), provenance(contents)],
        samples=browser.data() if browser.samples else "",
    )


def write_page(path: Name, contents: Contents) -> None:
    """Write the page of `document`; an incomplete file never replaces an older one."""
    check_output(path, ".html")
    with replacing(path) as temporary:
        temporary.write_text(document(contents), encoding="utf-8", newline="\n")


def _hashed(text: str) -> str:
    """Return the hash of an inline text for the page's policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def sample_style(colors: Collection[str] = VALUES) -> str:
    """Return the style sheet of `fairsum_utils.reports.page.sample.sample_html`, of elements in ``.fs-sample``.

    The page around it declares the colors: ``fairsum_utils.reports.theme.themes``.

    Args:
        colors: names of the colors of values.
    """
    return f"{sheet('tables.css')}{_marks(colors)}{sheet('sample.css')}"


def page_style(colors: Collection[str]) -> str:
    """Return the style sheet of a page for light, dark and paper."""
    dark = variables(DARK)
    return (
        f":root{{{variables(LIGHT)}--font:{FONT};--mono:{MONO}}}"
        f'@media screen{{:root[data-theme="dark"]{{{dark}color-scheme:dark}}}}'
        f'@media screen and (prefers-color-scheme:dark){{:root:not([data-theme="light"]){{{dark}color-scheme:dark}}}}'
        f"{FILLS}{sample_style(colors)}{sheet('page.css')}"
    )


def script() -> str:
    """Return the script of a page without indentation and comments."""
    return re.sub(r"^(\s+|//.*\n)+", "", sheet("page.js"), flags=re.MULTILINE)


def _marks(colors: Collection[str]) -> str:
    """Return a CSS class for each color and each combination of colors."""
    sets = [names for size in range(1, 4 if len(colors) <= 4 else 2) for names in combinations(sorted(colors), size)]
    rules = {class_of(names): names for names in (*sets, ("accent",), ("plus",), ("minus",))}
    rules["fs-shared"] = ("accent", "muted") * 2
    return "".join(f".{name}{{{mark_style(names)}}}" for name, names in rules.items())
