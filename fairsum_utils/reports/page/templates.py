"""Templates of pages; jinja2 is imported when the first one is rendered."""

from __future__ import annotations

import html
import re
from functools import cache
from typing import TYPE_CHECKING, Any

from fairsum_utils._util.terminal import SIGNS, printable
from fairsum_utils.reports.escaping import escaped
from fairsum_utils.reports.theme import TEMPLATES
from fairsum_utils.reports.worst import shortened
from fairsum_utils.validation import count

if TYPE_CHECKING:
    from jinja2 import Environment

# Letters without a blank after which a line may break: browsers are slow to lay out longer words
RUN = 200
_PARTS = re.compile(rf"(?P<sign>[{SIGNS}]+)|[^ \n\t{SIGNS}]{{{RUN}}}(?=[^ \n\t])")


def with_signs(text: str) -> str:
    """Escape a text for HTML; show invisible characters, and let long words break.

    Example:
        >>> with_signs("a < b \\u202e c\\x00")
        'a &lt; b <span class="fs-sign">\\\\u202e</span> c<span class="fs-sign">\\\\x00</span>'
    """
    if text.isprintable() and len(text) <= RUN:  # most texts, and every control character is not printable
        return html.escape(text)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    shown, end = [], 0
    for part in _PARTS.finditer(text):
        shown.append(html.escape(text[end : part.start()]))
        if part["sign"]:
            shown.append(f'<span class="fs-sign">{printable(part[0])}</span>')
        else:
            shown.append(f"{html.escape(part[0])}<wbr>")
        end = part.end()
    return "".join([*shown, html.escape(text[end:])])


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters |= {
        "signs": lambda text: Markup(with_signs(text)),
        "line": lambda text: Markup(escaped(text)),
        "short": shortened,
        "count": count,
    }
    return made


def rendered(name: str, **given: Any) -> str:
    """Render a template with autoescape."""
    return _environment().get_template(name).render(**given)
