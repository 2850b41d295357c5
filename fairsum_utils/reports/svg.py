"""SVG shapes, estimated text widths, and drawings."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from html import escape
from typing import Any, Protocol

from wcwidth import wcwidth

from fairsum_utils._util.terminal import printable
from fairsum_utils.errors import FairSumError, require
from fairsum_utils.reports.theme import FONT, HEAD, LIGHT, SMALL, STYLE, TITLE

# Width of bold letters over that of others
BOLDER = 1.1
# Pixels beside everything, and between parts
EDGE, GAP = 16, 12
# Narrower drawings are those of a phone
PHONE = 480
# Pixels of a page and of a phone
WIDE, NARROW = 680, 344
# Smallest number that is shown
_LITTLE = 0.0001
# Pixels of a PNG for each pixel of the drawing
_SHARP = 2
_SQUARE = "<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'><text font-family='{}' y='15'>{}</text></svg>"
_PAIR = (
    "<style>.fairsum-narrow{display:none}@media (max-width:560px)"
    "{.fairsum-wide{display:none}.fairsum-narrow{display:block}}</style>"
)
_STYLES = re.compile(r'<style>.*?</style>| style="[^"]*"| font-family="[^"]*"', re.DOTALL)
# Character -> its width in a wide sans serif such as Verdana, in units of the font's size, rounded up
_WIDTHS = {
    **dict.fromkeys("ijlI|!.,:;' ()[]/\\-", 0.42),
    **dict.fromkeys('ftrJ"', 0.48),
    **dict.fromkeys("mMwW@%", 1.0),
    **dict.fromkeys("GOQDHNU+=<>~#&^", 0.86),
    **dict.fromkeys("ABCEFKLPRSTVXYZ", 0.74),
}
# Columns in a terminal -> width of any other character
_OTHER = {0: 0.0, 1: 0.68, 2: 1.05}


def shown(number: float) -> str:
    """Round a number as drawings show it.

    Example:
        >>> shown(-0.25), shown(-0.00034), shown(-1e-9), shown(float("nan"))
        ('−0.250', '−0.0003', '0.000', 'undefined')
    """
    if math.isnan(number):
        return "undefined"
    if not math.isfinite(number):
        return "∞" if number > 0 else "−∞"
    if abs(number) < _LITTLE / 2:
        number = 0.0
    return f"{number:.{4 if 0 < abs(number) < 10 * _LITTLE else 3}f}".replace("-", "−")


def ends_of(interval: Sequence[float] | None) -> tuple[float, float] | None:
    """Return the finite ends of an interval, or None."""
    if interval is None or not all(map(math.isfinite, interval)):
        return None
    low, high = interval
    return low, high


def shown_with(number: float, interval: Sequence[float] | None) -> str:
    """Round a number with its interval."""
    ends = ends_of(interval)
    return shown(number) + ("" if ends is None else f" [{shown(ends[0])}, {shown(ends[1])}]")


def clean(text: str) -> str:
    """Put a text on one line, and escape invalid and direction characters.

    Example:
        >>> clean("a\\n  b\\x00")
        'a b\\\\x00'
    """
    return printable(" ".join(text.split())).replace("\ufffe", "").replace("\uffff", "")


def dozen(parts: Sequence[str], between: str = ", ") -> str:
    """Join the first twelve parts, and count the others.

    Example:
        >>> dozen(["a", "b"]), dozen(["a"] * 14, "")
        ('a, b', 'aaaaaaaaaaaa and 2 more')
    """
    return between.join(parts[:12]) + (f" and {len(parts) - 12} more" if len(parts) > 12 else "")


def width(text: str, size: float) -> float:
    """Estimate the width of a text in pixels, from above.

    Example:
        >>> width("ill", 10), width("\\u4e2d", 10)
        (12.6, 10.5)
    """
    units = sum(_WIDTHS.get(character) or _OTHER[max(wcwidth(character), 0)] for character in text)
    return round(units * size, 2)


def shortened(text: str, size: float, most: float) -> str:
    """Cut a text that is too long before an ellipsis.

    Example:
        >>> shortened("underrepresented", 10, 60)
        'underrep…'
    """
    if width(text, size) <= most:
        return text
    kept, room = "", most - width("…", size)
    for character in text:
        room -= width(character, size)
        if room < 0:
            break
        kept += character
    return f"{kept.rstrip()}…"


def wrapped(text: str, size: float, most: float, lines: int = 3) -> list[str]:
    """Break a text into lines that fit; the last one is cut.

    Example:
        >>> wrapped("one two three", 10, 50)
        ['one two', 'three']
    """
    made: list[str] = []
    for word in text.split():
        if made and width(f"{made[-1]} {word}", size) <= most:
            made[-1] += f" {word}"
        else:
            made.append(word)
    if len(made) > lines:
        made[lines - 1 :] = [" ".join(made[lines - 1 :])]
    return [shortened(line, size, most) for line in made]


class Sheet:
    """Shapes of a drawing, each with a light colour and a class."""

    def __init__(self, wide: float) -> None:
        self.wide = wide
        self.shapes: list[str] = []

    @contextmanager
    def group(self, kind: str, title: str = "", **data: object) -> Iterator[None]:
        """Group shapes, with a title and with data for scripts."""
        attributes = "".join(
            f' data-{name}="{escape(entry) if isinstance(entry, str) else repr(entry)}"'
            for name, entry in data.items()
            if entry is not None
        )
        self.shapes.append(f'<g class="{kind}"{attributes}>' + (f"<title>{escape(title)}</title>" if title else ""))
        yield
        self.shapes.append("</g>")

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: int = SMALL,
        *,
        colour: str = "ink",
        bold: bool = False,
        anchor: str = "start",
        rim: bool = False,
        most: float = math.inf,
    ) -> None:
        """Write a text, cut to a width; `rim` keeps it readable across lines."""
        words = clean(words)
        cut = shortened(words, size * (BOLDER if bold else 1), most)
        more = ' font-weight="600"' if bold else ""
        more += "" if anchor == "start" else f' text-anchor="{anchor}"'
        more += f' stroke="{LIGHT["surface"]}" stroke-width="4" paint-order="stroke"' if rim else ""
        classes = f"f-{colour} s-surface" if rim else f"f-{colour}"
        place = f'x="{round(x, 2):g}" y="{round(y, 2):g}" font-size="{size}"'
        title = f"<title>{escape(words)}</title>" if cut != words else ""
        self.shapes.append(f'<text class="{classes}" {place} fill="{LIGHT[colour]}"{more}>{escape(cut)}{title}</text>')

    def line(
        self, x1: float, y1: float, x2: float, y2: float, colour: str, *, broad: float = 1, dashed: bool = False
    ) -> None:
        """Draw a straight line."""
        dashes = ' stroke-dasharray="4 3"' if dashed else ""
        self.shapes.append(
            f'<line class="s-{colour}" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{LIGHT[colour]}" '
            f'stroke-width="{broad:g}"{dashes}/>'
        )

    def rect(
        self, x: float, y: float, wide: float, high: float, colour: str, *, corner: float = 0, strength: float = 1
    ) -> None:
        """Draw a rectangle."""
        more = f' rx="{corner:g}"' if corner else ""
        more += f' fill="{LIGHT[colour]}"' + (f' fill-opacity="{strength:g}"' if strength < 1 else "")
        place = f'x="{x:g}" y="{y:g}" width="{round(wide, 2):g}" height="{high:g}"'
        self.shapes.append(f'<rect class="f-{colour}" {place}{more}/>')

    def path(self, way: str, colour: str, *, broad: float = 1, dashes: Sequence[float] = ()) -> None:
        """Draw a line of several parts."""
        more = f' stroke-dasharray="{" ".join(f"{each:g}" for each in dashes)}"' if dashes else ""
        self.shapes.append(
            f'<path class="s-{colour}" d="{way}" fill="none" stroke="{LIGHT[colour]}" stroke-width="{broad:g}" '
            f'stroke-linejoin="round"{more}/>'
        )

    def band(self, way: str, colour: str) -> None:
        """Draw the area within a line."""
        self.shapes.append(f'<path class="f-{colour}" d="{way}" fill="{LIGHT[colour]}" fill-opacity="0.16"/>')

    def dot(self, x: float, y: float, colour: str, radius: int, title: str = "") -> None:
        """Draw a dot with a rim."""
        inner = f"<title>{escape(title)}</title>" if title else ""
        self.shapes.append(
            f'<circle class="f-{colour} s-surface" cx="{x:g}" cy="{y:g}" r="{radius}" fill="{LIGHT[colour]}" '
            f'stroke="{LIGHT["surface"]}" stroke-width="1.5">{inner}</circle>'
        )

    def hit_area(self, x: float, y: float, wide: float, high: float) -> None:
        """Draw an invisible rectangle for the pointer."""
        place = f'x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}"'
        self.shapes.append(f'<rect {place} fill="none" pointer-events="all"/>')

    def heading(self, title: str, y: float, size: int = HEAD, lines: int = 2) -> float:
        """Write a title below `y`; returns where it ends."""
        for words in wrapped(clean(title), size * BOLDER, self.wide - 2 * EDGE, lines):
            y += size + 3
            self.text(EDGE, y, words, size, bold=True)
        return y

    def paragraphs(self, y: float, sentences: Iterable[str], apart: float = 2) -> float:
        """Write sentences below `y`; returns where they end."""
        for sentence in sentences:
            y += apart
            for words in wrapped(clean(sentence), SMALL, self.wide - 2 * EDGE):
                y += SMALL + 4
                self.text(EDGE, y, words, colour="muted")
        return y


class Panel(Protocol):
    """One panel of a drawing; the kinds are in `fairsum_utils.reports.panels`."""

    @property
    def title(self) -> str:
        """Title above the panel."""

    def draw(self, sheet: Sheet, y: float, beside: Sequence[Panel]) -> float:
        """Draw the panel below `y`; returns where it ends."""

    def described(self) -> str:
        """Describe the panel for screen readers."""


class Drawing:
    """Panels of figures with intervals.

    A notebook shows it in the light or dark colours of the page, and on a narrow screen in a narrow form.

    Args:
        title: title of the drawing.
        panels: panels in their order.
        said: sentences below the title.
        notes: sentences at the end.
    """

    def __init__(
        self, title: str, panels: Sequence[Panel], said: Sequence[str] = (), notes: Sequence[str] = ()
    ) -> None:
        self.title = title
        self.panels = tuple(panels)
        self.said = tuple(said)
        self.notes = tuple(notes)

    def at(self, wide: float) -> str:
        """Return the drawing as SVG.

        Args:
            wide: width in pixels.
        """
        sheet = Sheet(wide)
        y = sheet.heading(self.title, EDGE + 1, TITLE, 3) + 4
        y = sheet.paragraphs(y, self.said, 0)
        for panel in self.panels:
            with sheet.group("panel"):
                y = panel.draw(sheet, y + 2 * GAP, self.panels)
        y = sheet.paragraphs(y + (GAP if self.notes else 0), self.notes, 0)
        high = math.ceil(y + EDGE)
        sentences = [*self.said, *(panel.described() for panel in self.panels), *self.notes]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="fairsum-drawing" role="img" viewBox="0 0 {wide:g} {high}" '
            f'width="{wide:g}" height="{high}" style="max-width:100%;height:auto" font-family="{escape(FONT)}">'
            f"<title>{escape(clean(self.title))}</title><desc>{escape(' '.join(map(clean, sentences)))}</desc>"
            f'<style>{STYLE}</style><rect class="f-surface" width="{wide:g}" height="{high}" rx="6" '
            f'fill="{LIGHT["surface"]}"/>{"".join(sheet.shapes)}</svg>'
        )

    @property
    def svg(self) -> str:
        """Return the drawing as self-contained SVG for light and dark themes."""
        return self.at(WIDE)

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return f"{_PAIR}{self._pair(self.svg, self.at(NARROW))}"

    def __repr__(self) -> str:
        return f"<Drawing {self.title!r} of {len(self.panels)} panels>"

    @staticmethod
    def _pair(wide: str, narrow: str) -> str:
        return f'<div class="fairsum-wide">{wide}</div><div class="fairsum-narrow">{narrow}</div>'

    def for_page(self) -> str:
        """Return both widths as HTML without styles; empty without panels.

        Example:
            >>> from fairsum_utils.reports.panels import Mark, Points, Row
            >>> html = Drawing("Scores", [Points("Scores", [Row("BUR", [Mark(0.5)])], "Score")]).for_page()
            >>> html.count("<svg"), "style" in html
            (2, False)
        """
        if not self.panels:
            return ""
        wide, narrow = (_STYLES.sub("", self.at(pixels)) for pixels in (WIDE, NARROW - EDGE))
        for side, name in (("f", "fill"), ("s", "stroke")):
            coloured = rf'(<[^>]* class="(?:[^"]* )?{side}-[^>]*?) {name}="#[0-9a-f]{{6}}"'
            wide, narrow = (re.sub(coloured, r"\1", drawing) for drawing in (wide, narrow))
        return f'<div class="fairsum-drawings">{self._pair(wide, narrow)}</div>'

    def png(self) -> bytes:
        """Return the drawing as PNG, in light colours and twice the resolution.

        Raises:
            MissingDependencyError: resvg-py is not installed.
            FairSumError: No usable font is installed.
        """
        resvg: Any = require("resvg_py", extra="plot", purpose="save a drawing as PNG (.svg needs no package)")
        return self._converted(lambda svg: bytes(resvg.svg_to_bytes(svg_string=svg, zoom=_SHARP)))

    def pdf(self) -> bytes:
        """Return the drawing as a one-page PDF with searchable text.

        Raises:
            MissingDependencyError: svg2pdf-py is not installed.
            FairSumError: No usable font is installed.
        """
        svg2pdf: Any = require("svg2pdf_py", extra="plot", purpose="save a drawing as PDF (.svg needs no package)")
        fonts = svg2pdf.FontDatabase.system()
        return self._converted(lambda svg: bytes(svg2pdf.svg_to_pdf(svg, fonts)))

    def _converted(self, convert: Callable[[str], bytes]) -> bytes:
        blank, written = (convert(_SQUARE.format(FONT, text)) for text in (" ", "W"))
        if blank == written:
            raise FairSumError("no usable font found on this machine; install one, or save as .svg")
        # Without the style sheet, whose variables only browsers know: every shape has its light colour besides.
        return convert(re.sub(r"<style>.*?</style>", "", self.svg, flags=re.DOTALL))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the drawing.

        Args:
            path: path of the file, ending in ``.svg``, ``.png`` or ``.pdf``.

        Raises:
            InputError: The file cannot be written, or its ending is another one.
            MissingDependencyError: The file is a PNG or a PDF, and what makes it is not installed.
        """
        from fairsum_utils.io.names import PICTURES, format_of
        from fairsum_utils.io.writing import check_output, replacing

        check_output(path, *PICTURES)
        made = {".png": self.png, ".pdf": self.pdf}.get(format_of(path), lambda: f"{self.svg}\n".encode())()
        with replacing(path) as temporary:
            temporary.write_bytes(made)
