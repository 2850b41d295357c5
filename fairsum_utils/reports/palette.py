"""The colours of everything that is drawn, once: told apart by people of any colour vision, on light and on dark.

The eight colours of values start from the set of Okabe and Ito (Color Universal Design, 2008), moved until each has a
contrast of 3 with the surface it is on, as WCAG 2.2 asks of graphics, and any two differ in every colour vision.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

__all__ = ["DARK", "FILLS", "LIGHT", "STYLE", "VALUES", "WASHED", "colours_of", "themes", "variables", "wash"]

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
"""Name of a colour -> the colour on a light page.

Texts are ``ink`` or ``muted``, links and buttons ``accent``, with ``on-accent`` on them; ``surface`` is the page, and
``raised`` a part of it that stands out. ``warning`` is a caution, ``plus`` and ``minus`` what raises and lowers a
number, and the rest are the values.
"""

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
"""Name of a colour -> the colour on a dark page."""

VALUES = tuple(name for name in LIGHT if name.startswith("v"))
"""The colours of values."""


_STRENGTH = 0.16
"""Of a wash."""
_ROOT = ".fairsum-drawing"
_UNDRAWN = ("raised", "on-accent", "warning")


def colours_of(values: Iterable[str]) -> dict[str, str]:
    """A colour for each value, the same wherever the same values are drawn; all have one where there are too many.

    Args:
        values: of an attribute, or groups, in any order.

    Returns:
        Value -> name of its colour.

    Example:
        >>> colours_of(["pos", "neg"])
        {'neg': 'v1', 'pos': 'v2'}
    """
    names = sorted(set(values))
    if len(names) > len(VALUES):
        return dict.fromkeys(names, "accent")
    return dict(zip(names, VALUES, strict=False))


WASHED = (*VALUES, "accent", "muted", "plus", "minus", "warning")
"""The colours that there are as a wash, for what is behind a text."""


def wash(theme: Mapping[str, str], name: str) -> str:
    """A colour thinned with the surface, so that ``ink`` is read on it.

    Args:
        theme: `LIGHT` or `DARK`.
        name: of the colour.

    Example:
        >>> wash(LIGHT, "v1")
        '#d6e5ef'
    """
    pairs = (
        (int(theme[name][place : place + 2], 16), int(theme["surface"][place : place + 2], 16)) for place in (1, 3, 5)
    )
    return "#" + "".join(f"{round(_STRENGTH * colour + (1 - _STRENGTH) * below):02x}" for colour, below in pairs)


def variables(theme: Mapping[str, str]) -> str:
    """All colours of a theme as declarations of CSS: ``--fairsum-`` and the name, and ``-wash`` behind it.

    Args:
        theme: `LIGHT` or `DARK`.
    """
    return _declared({**theme, **{f"{name}-wash": wash(theme, name) for name in WASHED}})


def themes(light: str, dark: str) -> str:
    """Style sheet of a page that its own selectors tell the theme of: the colours of the page, and of drawings on it.

    Args:
        light: selector of whatever is shown in light colours.
        dark: selector of whatever is shown in dark ones.

    Example:
        >>> themes(":root", ".dark")[:36]
        ':root,:root .fairsum-drawing{--fairs'
    """
    return "".join(f"{where},{where} {_ROOT}{{{variables(theme)}}}" for where, theme in ((light, LIGHT), (dark, DARK)))


def _declared(colours: Mapping[str, str]) -> str:
    return "".join(f"--fairsum-{name}:{colour};" for name, colour in colours.items())


_DRAWN = [{name: theme[name] for name in theme if name not in _UNDRAWN} for theme in (LIGHT, DARK)]
FILLS = "".join(
    f"{_ROOT} .f-{name}{{fill:var(--fairsum-{name})}}{_ROOT} .s-{name}{{stroke:var(--fairsum-{name})}}"
    for name in _DRAWN[0]
)
"""The part of a drawing's style sheet that says which shape has which colour."""
STYLE = (
    f"{_ROOT}{{{_declared(_DRAWN[0])}}}"
    f"@media screen and (prefers-color-scheme:dark){{{_ROOT}{{{_declared(_DRAWN[1])}}}}}"
    f'[data-jp-theme-light="true"] {_ROOT}{{{_declared(_DRAWN[0])}}}'
    f'@media screen{{[data-jp-theme-light="false"] {_ROOT}{{{_declared(_DRAWN[1])}}}}}'
    f"{FILLS}"
)
"""Style sheet of a drawing: its colours follow the reader's theme, or that of the notebook around it."""
