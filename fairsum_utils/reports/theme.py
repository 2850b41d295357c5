"""Colors, patterns, fonts, table styles and logo, for light and dark.

The eight colors of values start from the set of Okabe and Ito (Color Universal Design, 2008), moved until each has a
contrast of 3 with the surface it is on, as WCAG 2.2 asks of graphics, and any two differ in every color vision.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

TEMPLATES = Path(__file__).parent / "templates"

# Name of a color -> the color on a light page. Texts are `ink` or `muted`, links and buttons `accent`, with
# `on-accent` on them; `surface` is the page, and `raised` a part of it that stands out. `warning` is a caution, `plus`
# and `minus` what raises and lowers a number, and the rest are the values.
LIGHT: Mapping[str, str] = {
    "surface": "#ffffff",
    "raised": "#f5f7f9",
    "ink": "#1b1f24",
    "muted": "#5a636e",
    "grid": "#e3e6ea",
    "accent": "#005a9e",
    "on-accent": "#ffffff",
    "warning": "#8a4b00",
    "plus": "#0b6e75",
    "minus": "#b45309",
    "v1": "#005a9e",
    "v2": "#d9730d",
    "v3": "#00a063",
    "v4": "#8c2f5c",
    "v5": "#7c8fdc",
    "v6": "#655300",
    "v7": "#14105c",
    "v8": "#9c7f97",
}

# Name of a color -> the color on a dark page
DARK: Mapping[str, str] = {
    "surface": "#14181d",
    "raised": "#1c2229",
    "ink": "#e8eaed",
    "muted": "#a4adb8",
    "grid": "#2c333b",
    "accent": "#5b9bf5",
    "on-accent": "#0b1420",
    "warning": "#ffb454",
    "plus": "#5ad1c8",
    "minus": "#f4845f",
    "v1": "#5b9bf5",
    "v2": "#e8702a",
    "v3": "#1fb574",
    "v4": "#b04a86",
    "v5": "#b5e4ff",
    "v6": "#ffd24d",
    "v7": "#8747dd",
    "v8": "#f1ece0",
}

# The colors of values
VALUES = tuple(name for name in LIGHT if name.startswith("v"))


# Opacity of a wash
_STRENGTH = 0.16
_ROOT = ".fairsum-drawing"
_UNDRAWN = ("raised", "on-accent", "warning")


def sheet(name: str) -> str:
    """Read a style sheet or a script of pages."""
    return (TEMPLATES / name).read_text(encoding="utf-8")


def colors_of(values: Iterable[str]) -> dict[str, str]:
    """Assign a stable color to each group; all share one if too many.

    Example:
        >>> colors_of(["pos", "neg"])
        {'neg': 'v1', 'pos': 'v2'}
    """
    names = sorted(set(values))
    if len(names) > len(VALUES):
        return dict.fromkeys(names, "accent")
    return dict(zip(names, VALUES, strict=False))


# The colors that there are as a wash, for what is behind a text
WASHED = (*VALUES, "accent", "muted", "plus", "minus", "warning")


def wash(theme: Mapping[str, str], name: str) -> str:
    """Blend a color with the surface, so that ``ink`` stays readable on it.

    Example:
        >>> wash(LIGHT, "v1")
        '#d6e5ef'
    """
    pairs = (
        (int(theme[name][place : place + 2], 16), int(theme["surface"][place : place + 2], 16)) for place in (1, 3, 5)
    )
    return "#" + "".join(f"{round(_STRENGTH * color + (1 - _STRENGTH) * below):02x}" for color, below in pairs)


def variables(theme: Mapping[str, str]) -> str:
    """Return the colors of a theme as CSS variables."""
    return _declared({**theme, **{f"{name}-wash": wash(theme, name) for name in WASHED}})


def themes(light: str, dark: str) -> str:
    """Return a style sheet with the colors of page and drawings.

    Example:
        >>> themes(":root", ".dark")[:36]
        ':root,:root .fairsum-drawing{--fairs'
    """
    return "".join(f"{where},{where} {_ROOT}{{{variables(theme)}}}" for where, theme in ((light, LIGHT), (dark, DARK)))


def _declared(colors: Mapping[str, str]) -> str:
    return "".join(f"--fairsum-{name}:{color};" for name, color in colors.items())


_DRAWN = [{name: theme[name] for name in theme if name not in _UNDRAWN} for theme in (LIGHT, DARK)]
# The part of a drawing's style sheet that says which shape has which color
FILLS = "".join(
    f"{_ROOT} .f-{name}{{fill:var(--fairsum-{name})}}{_ROOT} .s-{name}{{stroke:var(--fairsum-{name})}}"
    for name in _DRAWN[0]
)
# Style sheet of a drawing: its colors follow the reader's theme, or that of the notebook around it
STYLE = (
    f"{_ROOT}{{{_declared(_DRAWN[0])}}}"
    f"@media screen and (prefers-color-scheme:dark){{{_ROOT}{{{_declared(_DRAWN[1])}}}}}"
    f'[data-jp-theme-light="true"] {_ROOT}{{{_declared(_DRAWN[0])}}}'
    f'@media screen{{[data-jp-theme-light="false"] {_ROOT}{{{_declared(_DRAWN[1])}}}}}'
    f"{FILLS}"
)


# The reader's, in the order of preference
FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", "Liberation Sans", Arial, sans-serif'
# For code, signatures and file names
MONO = 'ui-monospace, "SF Mono", "Cascadia Mono", "Noto Sans Mono", "DejaVu Sans Mono", "Liberation Mono", monospace'

_BUBBLE = "M6 2h20a6 6 0 0 1 6 6v12a6 6 0 0 1-6 6H14l-6 6v-6H6a6 6 0 0 1-6-6V8a6 6 0 0 1 6-6Z"
_ONE_VOICE = "M8 8a2 2 0 0 0 0 4h16a2 2 0 0 0 0-4Z"
_ANOTHER = "".join(f"M{x} 18a2.2 2.2 0 0 0 4.4 0a2.2 2.2 0 0 0-4.4 0Z" for x in (6, 13.8, 21.6))


def logo(color: str = "currentColor", style: str = "") -> str:
    """Return the logo as SVG, for pages and files.

    Example:
        >>> logo()[:80]
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="currentColor" '
    """
    sheet = f"<style>{style}</style>" if style else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="{color}" aria-hidden="true">{sheet}'
        f'<path fill-rule="evenodd" d="{_BUBBLE}{_ONE_VOICE}{_ANOTHER}"/></svg>'
    )


def favicon() -> str:
    """Return the logo as favicon for light and dark themes."""
    return logo(LIGHT["accent"], f"@media (prefers-color-scheme:dark){{svg{{fill:{DARK['accent']}}}}}")


def as_address(svg: str) -> str:
    """Encode an SVG as a data address; pages must allow ``img-src data:``.

    Example:
        >>> as_address('<svg fill="#fff"/>')
        'data:image/svg+xml,%3Csvg%20fill%3D%22%23fff%22/%3E'
    """
    return f"data:image/svg+xml,{quote(svg)}"


# Pixels that a pattern takes below a word
HEIGHT = 4
# Patterns that there is room for below a line of text; a word of more values has a bar for all of them
_MOST = 3


class Stroke(NamedTuple):
    """A line of a pattern."""

    dashes: tuple[int, ...] = ()  # pixels that are drawn and left out in turn; none for all of the line
    thick: int = 2  # pixels
    rise: int = 0  # pixels above the foot of the pattern
    shift: int = 0  # pixels that the dashes are moved by


# Name of a color -> what is drawn below a word that is marked with it
PATTERNS: Mapping[str, Sequence[Stroke]] = {
    "v1": [Stroke()],
    "v2": [Stroke((7, 4))],
    "v3": [Stroke((2, 3))],
    "v4": [Stroke(thick=1), Stroke(thick=1, rise=3)],
    "v5": [Stroke((9, 3, 2, 3))],
    "v6": [Stroke(thick=4)],
    "v7": [Stroke(thick=1), Stroke((2, 4), thick=3, rise=1)],
    "v8": [Stroke((5, 5)), Stroke((5, 5), rise=2, shift=5)],
    "plus": [Stroke(thick=1, rise=1), Stroke((1, 5), thick=3)],
    "minus": [Stroke((12, 5), thick=1, rise=1)],
    "accent": [Stroke()],
    "muted": [Stroke((1, 3), thick=1)],
}


def mark_style(names: Sequence[str]) -> str:
    """Return the CSS of a mark: colored or striped, with underlines.

    Lines of text need a height of 2 for three patterns.

    Example:
        >>> mark_style(["v1"]).split(";")[0]
        'background:linear-gradient(var(--fairsum-v1) 0 0) 0px 100%/100% 2px no-repeat,var(--fairsum-v1-wash)'
    """
    shown = [(name, PATTERNS[name]) for name in names] if len(names) <= _MOST else [("ink", PATTERNS["v6"])]
    layers = [
        _layer(name, stroke, stroke.rise + (HEIGHT + 1) * (len(shown) - 1 - place))
        for place, (name, strokes) in enumerate(shown)
        for stroke in strokes
    ]
    background = ",".join([*layers, _behind(names)])
    return (
        f"background:{background};padding-bottom:{(HEIGHT + 1) * len(shown) - 2}px;color:inherit;"
        "box-decoration-break:clone;-webkit-box-decoration-break:clone;"
        "print-color-adjust:exact;-webkit-print-color-adjust:exact;forced-color-adjust:none"
    )


def _layer(name: str, stroke: Stroke, rise: int) -> str:
    """Return a stroke as a layer of a background."""
    color = f"var(--fairsum-{name})"
    foot = f"calc(100% - {rise}px)" if rise else "100%"
    if not stroke.dashes:
        return f"linear-gradient({color} 0 0) 0px {foot}/100% {stroke.thick}px no-repeat"
    stops, end = [], 0
    for place, pixels in enumerate(stroke.dashes):
        stops.append(f"{'#0000' if place % 2 else color} {end}px {end + pixels}px")
        end += pixels
    return f"linear-gradient(90deg,{','.join(stops)}) {stroke.shift}px {foot}/{end}px {stroke.thick}px repeat-x"


def _behind(names: Sequence[str]) -> str:
    """Return the blend of one color, or stripes of several."""
    washes = [f"var(--fairsum-{name}-wash)" for name in names]
    if len(washes) == 1:
        return washes[0]
    stripes = (f"{wash} {5 * place}px {5 * place + 5}px" for place, wash in enumerate(washes))
    return f"repeating-linear-gradient(135deg,{','.join(stripes)})"
