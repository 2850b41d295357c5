"""The colours of everything that is drawn, once: told apart by people of any colour vision, on light and on dark.

The eight colours of values start from the set of Okabe and Ito (Color Universal Design, 2008), moved until each has a
contrast of 3 with the surface it is on, as WCAG 2.2 asks of graphics, and any two differ in every colour vision.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

__all__ = ["DARK", "LIGHT", "STYLE", "VALUES", "colours_of"]

LIGHT: Mapping[str, str] = {
    "surface": "#ffffff",
    "ink": "#1b1f24",
    "muted": "#5a636e",
    "grid": "#e3e6ea",
    "accent": "#005a9e",
    "v1": "#005a9e",
    "v2": "#d9730d",
    "v3": "#00a063",
    "v4": "#8c2f5c",
    "v5": "#7c8fdc",
    "v6": "#655300",
    "v7": "#14105c",
    "v8": "#9c7f97",
}
"""Name of a colour -> the colour on a light page."""

DARK: Mapping[str, str] = {
    "surface": "#14181d",
    "ink": "#e8eaed",
    "muted": "#a4adb8",
    "grid": "#2c333b",
    "accent": "#5b9bf5",
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


def _variables(colours: Mapping[str, str]) -> str:
    return "".join(f"--fairsum-{name}:{colour};" for name, colour in colours.items())


_ROOT = ".fairsum-drawing"
STYLE = (
    f"{_ROOT}{{{_variables(LIGHT)}}}"
    f"@media screen and (prefers-color-scheme:dark){{{_ROOT}{{{_variables(DARK)}}}}}"
    f'[data-jp-theme-light="true"] {_ROOT}{{{_variables(LIGHT)}}}'
    f'@media screen{{[data-jp-theme-light="false"] {_ROOT}{{{_variables(DARK)}}}}}'
    + "".join(
        f"{_ROOT} .f-{name}{{fill:var(--fairsum-{name})}}{_ROOT} .s-{name}{{stroke:var(--fairsum-{name})}}"
        for name in LIGHT
    )
)
"""Style sheet of a drawing: its colours follow the reader's theme, or that of the notebook around it."""
