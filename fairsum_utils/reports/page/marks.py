"""A text and the stretches that counted in it, as safe HTML: what overlaps is cut into segments that do not."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from fairsum_utils._util.terminal import SIGNS, on_one_line, printable
from fairsum_utils.families.contract import Span
from fairsum_utils.reports.formats import escaped
from fairsum_utils.reports.worst import shortened

LONGEST = 200_000
"""Characters of a text that are shown; browsers take a minute for some millions."""
_RUN = 200
"""Letters without a blank after which a line may break: browsers are slow to lay out longer words."""

_NAME = 60
"""Characters of the name of a value in the title of a mark."""
_LONG = ("unit", "chunk")
"""Kinds of stretches that follow on each other, and so show where they begin."""

_UNBROKEN = re.compile(rf"[^ \n\t]{{{_RUN + 1},}}")
_UNSEEN = re.compile(f"[{SIGNS}]+")
"""What a page shows written out."""
_PLAIN = re.compile(r"[a-z0-9']{1,40}", re.ASCII | re.IGNORECASE)
"""A word, no monster, that Python and JavaScript make the same lower case of."""


def with_signs(text: str) -> str:
    """A text for HTML, whose line feeds stay; what cannot be seen is written out and stands apart.

    Example:
        >>> with_signs("a < b \\u202e c\\x00")
        'a &lt; b <span class="fs-sign">\\\\u202e</span> c<span class="fs-sign">\\\\x00</span>'
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    shown, end = [], 0
    for sign in _UNSEEN.finditer(text):
        shown += [html.escape(text[end : sign.start()]), f'<span class="fs-sign">{printable(sign[0])}</span>']
        end = sign.end()
    return "".join([*shown, html.escape(text[end:])])


def class_of(colours: Iterable[str], pairs: bool = True) -> str:
    """The class of what counts for the values with some colours: its style sheet has a line below it for each.

    Example:
        >>> class_of(["v2", "v1"]), class_of(["v2", "v1"], pairs=False), class_of(["v3"])
        ('fs-v1-v2', 'fs-shared', 'fs-v3')
    """
    names = sorted(set(colours))
    return f"fs-{'-'.join(names)}" if len(names) == 1 or (pairs and len(names) <= 3) else "fs-shared"


class _Segment(NamedTuple):
    """A stretch of a text with one set of spans."""

    start: int
    end: int
    spans: Sequence[Span]


class Marks:
    """Writes the texts of a sample; stretches that belong together have the same name in all of them.

    Example:
        >>> soup = "Tasty Soup"
        >>> tasty = Span(0, 5, ("pos",), key="tasti", said="counted as tasti")
        >>> spans = [Span(6, 10, ("neg", "pos"), key="soup"), tasty]
        >>> print(Marks({"neg": "v1", "pos": "v2"}, [(soup, spans)]).html(soup, spans))
        <mark class="fs-word fs-v2" title="pos: counted as tasti">Tasty</mark> <mark class="fs-word fs-v1-v2"
        title="neg, pos">Soup</mark>
    """

    def __init__(self, colours: Mapping[str, str], texts: Iterable[tuple[str, Sequence[Span]]] = ()) -> None:
        self._colours = colours
        self._pairs = len(set(colours.values())) <= 4
        self._names = _names_of_keys(texts)

    def html(self, text: str, spans: Sequence[Span] = ()) -> str:
        """A text with its stretches marked, its unbroken runs breakable, and what is beyond `LONGEST` left out."""
        whole, cut = len(text), LONGEST
        text = text[:cut]
        breaks = [place for run in _UNBROKEN.finditer(text) for place in range(run.start() + _RUN, run.end(), _RUN)]
        shown = []
        for start, end, covering in _segments(len(text), spans, breaks):
            shown.append("<wbr>" if breaks and breaks[0] == start else "")
            if shown[-1]:
                del breaks[0]
            inner = with_signs(text[start:end])
            shown.append(self._mark(text[start:end], inner, start, covering) if covering else inner)
        if whole > cut:
            shown.append(f'<em class="fs-cut"> … shortened: {whole - cut:,} of {whole:,} characters are left out</em>')
        return "".join(shown)

    def _mark(self, text: str, inner: str, start: int, spans: Sequence[Span]) -> str:
        kinds = sorted({f"fs-{span.kind}" for span in spans})
        names = sorted({name for span in spans for name in span.names})
        colours = {self._colours.get(name, "accent") for name in names}
        # A long stretch is many segments, of which the first one shows where it begins.
        first = ["fs-first"] * any(span.start == start and span.kind in _LONG for span in spans)
        classes = " ".join([*kinds, *([class_of(colours, self._pairs)] if colours else []), *first])
        said = "; ".join(dict.fromkeys(span.said for span in spans if span.said))
        # Every piece of a monstrous word has a title of its own.
        title = shortened(": ".join(filter(None, (", ".join(shortened(name, _NAME) for name in names), said))))
        told = f' title="{escaped(title)}"' if title else ""
        keys = list(dict.fromkeys(self._names.get(span.key) or on_one_line(span.key) for span in spans if span.key))
        # A word is its own key, so that most need none written down.
        says_it = len(keys) == 1 and _PLAIN.fullmatch(text) is not None and text.lower() == keys[0]
        if not says_it:
            told += f' data-k="{html.escape(chr(10).join(keys))}"'
        return f'<mark class="{classes}"{told}>{inner}</mark>'


def _segments(length: int, spans: Sequence[Span], breaks: Sequence[int]) -> Iterable[_Segment]:
    """A text from its beginning to its end, cut wherever a stretch begins or ends."""
    inside = sorted(
        (span._replace(start=max(span.start, 0), end=min(span.end, length)) for span in spans),
        key=lambda span: span.start,
    )
    inside = [span for span in inside if span.start < span.end]
    cuts = sorted({0, length, *breaks, *(place for span in inside for place in (span.start, span.end))})
    active: list[Span] = []
    following = iter(inside)
    waiting = next(following, None)
    for start, end in pairwise(cuts):
        active = [span for span in active if span.end > start]
        while waiting is not None and waiting.start == start:
            active.append(waiting)
            waiting = next(following, None)
        yield _Segment(start, end, tuple(active))


def _names_of_keys(texts: Iterable[tuple[str, Sequence[Span]]]) -> dict[str, str]:
    """Key -> the form that its words mostly have, or the number of a key that is of no word; no two are alike."""
    forms: dict[str, Counter[str]] = {}
    words: set[str] = set()
    for text, spans in texts:
        for span in spans:
            if span.key:
                forms.setdefault(span.key, Counter())[text[span.start : span.end].lower()] += 1
                words |= {span.key} if span.kind in ("word", "person") else set()
    names: dict[str, str] = {}
    taken: set[str] = set()
    for key, counted in forms.items():
        form = next((form for form, _ in counted.most_common() if form not in taken), "")
        is_word = key in words and _PLAIN.fullmatch(form) is not None
        names[key] = form if is_word else f" {len(names)}"  # no word has a blank
        taken.add(names[key])
    return names
