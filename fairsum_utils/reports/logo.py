"""The logo, once: in a speech bubble two voices of one length, whole and dotted as marks are, an equals sign.

It stands on a grid of 16 pixels, and has one colour; the lines are cut out of the bubble.
"""

from __future__ import annotations

from urllib.parse import quote

from fairsum_utils.reports.palette import DARK, LIGHT

__all__ = ["as_address", "favicon", "logo"]

_BUBBLE = "M6 2h20a6 6 0 0 1 6 6v12a6 6 0 0 1-6 6H14l-6 6v-6H6a6 6 0 0 1-6-6V8a6 6 0 0 1 6-6Z"
_ONE_VOICE = "M8 8a2 2 0 0 0 0 4h16a2 2 0 0 0 0-4Z"
_ANOTHER = "".join(f"M{x} 18a2.2 2.2 0 0 0 4.4 0a2.2 2.2 0 0 0-4.4 0Z" for x in (6, 13.8, 21.6))


def logo(colour: str = "currentColor", style: str = "") -> str:
    """The logo as SVG, which can stand in a page as well as in a file.

    Args:
        colour: of CSS; as it is, that of the text around it.
        style: style sheet in it.

    Example:
        >>> logo()[:80]
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="currentColor" '
    """
    sheet = f"<style>{style}</style>" if style else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="{colour}" aria-hidden="true">{sheet}'
        f'<path fill-rule="evenodd" d="{_BUBBLE}{_ONE_VOICE}{_ANOTHER}"/></svg>'
    )


def favicon() -> str:
    """The logo for a tab of a browser, in the colours of the reader's theme."""
    return logo(LIGHT["accent"], f"@media (prefers-color-scheme:dark){{svg{{fill:{DARK['accent']}}}}}")


def as_address(svg: str) -> str:
    """An SVG as the address of a picture, so that nothing is fetched; the page's policy must allow ``img-src data:``.

    Args:
        svg: any.

    Example:
        >>> as_address('<svg fill="#fff"/>')
        'data:image/svg+xml,%3Csvg%20fill%3D%22%23fff%22/%3E'
    """
    return f"data:image/svg+xml,{quote(svg)}"
