"""The whole page: results, how they are distributed, and their samples, as one HTML file."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any

from fairsum_utils.io.names import Name
from fairsum_utils.io.writing import replacing
from fairsum_utils.reports.formats import escaped
from fairsum_utils.reports.page.browser import Browser
from fairsum_utils.reports.page.contents import Contents, Section
from fairsum_utils.reports.page.marks import with_signs
from fairsum_utils.reports.page.style import page_style, script
from fairsum_utils.reports.theme import VALUES, as_address, colours_of, favicon, logo
from fairsum_utils.reports.worst import shortened


def page_colours(contents: Contents) -> dict[str, str]:
    """The colour of each value or group in a page, the same in its drawings and in its texts."""
    results = [result for _, results in contents.views for result in results.values()]
    return colours_of({value for result in [*results, *_of_lenses(contents)] for value in _values(result)})


def _of_lenses(contents: Contents) -> list[Mapping[str, Any]]:
    return [lens.result for lens in contents.lenses.values()]


def _values(result: Mapping[str, Any]) -> Iterator[str]:
    for key in ("n_by_value", "n_by_group", "counts_by_group"):
        yield from result.get(key) or {}


def document(contents: Contents, sections: Iterable[Section] = (), last: Iterable[Section] = ()) -> Iterator[str]:
    """The page, piece by piece: first all that is seen, then the samples, packed, and the script that shows them.

    It says to the browser that it may fetch nothing, and run and apply nothing but its one script and style sheet.
    Without scripts the sections and the worst samples can be read.

    Example:
        >>> page = "".join(document(Contents("a < b", {}, []), [Section("limits", "Limits", "<p>Words only.</p>")]))
        >>> page[:15], "<h1><bdi>a &lt; b</bdi></h1>" in page, '<section id="limits"' in page
        ('<!DOCTYPE html>', True, True)
    """
    with closing(Browser(contents, page_colours(contents))) as browser:
        used = set(browser.colours.values()) if 0 < len(browser.colours) <= len(VALUES) else set(VALUES)
        panels = [*sections, *(browser.sections() if len(browser) else ()), *last]
        yield from _head(contents.title, page_style(used))
        yield from _body(contents.title, panels)
        yield from browser.data() if len(browser) else ()
    yield f"<script>{script()}</script>\n</body>\n</html>\n"


def _head(title: str, style: str) -> Iterator[str]:
    policy = (
        f"default-src 'none'; script-src {_hashed(script())}; style-src {_hashed(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    yield (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{escaped(shortened(title))} · fairsum report</title>\n"
        f'<link rel="icon" href="{as_address(favicon())}">\n'
        f"<style>{style}</style>\n</head>\n"
    )


def _body(title: str, panels: Sequence[Section]) -> Iterator[str]:
    links = "".join(f'<li><a href="#{panel.anchor}">{with_signs(panel.title)}</a></li>' for panel in panels)
    yield (
        '<body>\n<header class="fs-head"><p class="fs-brand">'
        f"{logo()}fairsum report</p>"
        f"<h1><bdi>{with_signs(shortened(title))}</bdi></h1>"
        '<button id="fs-theme" type="button" hidden>Dark</button></header>\n'
        f'<div class="fs-page"><nav class="fs-contents" aria-label="Contents"><ul>{links}</ul></nav>\n<main>\n'
    )
    for panel in panels:
        yield (
            f'<section id="{panel.anchor}" class="fs-panel" aria-labelledby="{panel.anchor}-title">'
            f'<h2 id="{panel.anchor}-title">{with_signs(panel.title)}</h2>{panel.html}</section>\n'
        )
    yield "</main></div>\n"


def _hashed(text: str) -> str:
    """A text that a page may hold inline, as its policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def write_page(path: Name, contents: Contents, sections: Iterable[Section] = (), last: Iterable[Section] = ()) -> None:
    """Write the page of `document`; the file appears when it is whole, and an older one stays until then."""
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        for piece in document(contents, sections, last):
            file.write(piece)
