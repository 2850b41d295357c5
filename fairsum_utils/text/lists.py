"""Lists and headings of a summary, which limit its sentences.

A summary written as a list has the same sentences as one written as prose. Its markers ("1.", "-", "a)", "[x]", rules)
and its headings are no sentences. Possible markers in prose, such as "1. FC Köln" or "- 5 degrees", count only beside
another one of their kind.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple


class Stretch(NamedTuple):
    """Part of a summary that no sentence crosses.

    Attributes:
        start: position of its first character, behind markers.
        end: position after its last character.
        is_heading: True for a heading, which names a topic and states nothing.
        is_item: True for an item of a list.
    """

    start: int
    end: int
    is_heading: bool = False
    is_item: bool = False


_BREAK = re.compile(r"\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")
# Bullets that are nothing else, and symbols and emoji that also stand in prose.
_CERTAIN = "•‣⁃◦●○■□▪▫►▸➢➤✓✔☐☑"
_SYMBOL = r"\d\ufe0f?\u20e3|[\u2190-\u21ff\u2460-\u27bf\u2b00-\u2bff\U0001f300-\U0001faff]\ufe0f?"
_BOX = r"\[[ xX✓✔]?\]"
_NUMBER = r"\d{1,3}(?:\.\d{1,2})*|[a-zA-Z]|[ivxlc]{2,7}|[IVXLC]{2,7}"
_MARKER = re.compile(
    rf"(?:\*\*|__)?(?:(?P<bullet>[-+*–—·»{_CERTAIN}]|{_SYMBOL})(?:\s*{_BOX})?(?=\s|$)|(?P<box>{_BOX})(?=\s)"
    rf"|(?P<open>[(\[（#]?)(?P<number>{_NUMBER})(?P<close>\.\)|[.)\]）:]|\s[-–—]|(?<=#\d)|(?<=#\d\d))(?=\s|\*\*|__|$)"
    r"|(?P<levels>\d{1,2}(?:\.\d{1,2}){1,3})(?=\s)|(?P<wide>\d{1,3})[、．])(?:\*\*|__)?"
)
_RULE = re.compile(r"(?:[-*_=~]\s*){3,}|`{3,}\w*|[=_]+")
_UNDERLINE = re.compile(r"=+|-{3,}")
_TABLE_RULE = re.compile(r"[|:\s-]+")
_HASHES = re.compile(r"#{1,6}\s+(?=\S)")
_BOLD_LINE = re.compile(r"(\*\*|__)(?!\s)(?:(?!\1).)+(?<![\s.!?…。！？])\1\s*[:：]?")
_RUN_IN = re.compile(r"(\*\*|__)(?!\s)(?:(?!\1).){1,60}?(?:[:：]\1|\1\s*[:：]|\1\s+[–—-](?=\s))\s*(?=\S)")
_ENDED = re.compile(r"[.!?…。！？।؟:：][\"”’')\]»*_]*\Z")
_COLON = re.compile(r"[:：](?:\*\*|__)?\Z")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_LEAD_IN = 12
"""Most words of a heading with a colon above a list, such as "Guests praised:"."""
_TITLE = 4
"""Most words of another heading with a colon, of one without, and of the topic of a table's row."""
_SENTENCE_END = re.compile(r"[.!?…。！？।؟](?:[\"”’')\]*_]*\s|[\"”’')\]*_]*\Z)")


@dataclass
class _Line:
    """Line of a text without indentation and quote marks."""

    text: str
    start: int
    indent: int
    after_blank: bool
    marker: re.Match[str] | None
    in_prose: bool = False
    is_item: bool = False
    is_heading: bool = False

    @property
    def place(self) -> int:
        """Position behind the marker of an item."""
        return self.marker.end() if self.is_item and self.marker else 0

    @property
    def content(self) -> str:
        return self.text[self.place :].strip()

    @property
    def kind(self) -> tuple[str, ...]:
        """Sort of marker, which the items of a list share."""
        return _kind(self.marker) if self.marker else ()

    @property
    def is_ended(self) -> bool:
        return _ENDED.search(self.text) is not None

    @property
    def is_row(self) -> bool:
        return self.text.startswith("|")

    @property
    def is_rule(self) -> bool:
        return _RULE.fullmatch(self.text) is not None

    @property
    def begins_small(self) -> bool:
        return self.first.islower()

    @property
    def first(self) -> str:
        """First character behind quotes, brackets and marks."""
        return self.text.lstrip("\"“„«'‘([*_")[:1]

    def is_beside(self, other: _Line | None) -> bool:
        """Return whether both are items of one list."""
        return other is not None and self.is_item and other.is_item and self.kind == other.kind


def stretches(text: str) -> list[Stretch]:
    """Divide a summary at list items, headings, table cells and paragraphs.

    Returns:
        The stretches in order, without markers and white space around them. Prose of one paragraph is one stretch, also
        if its lines are broken by width. Time is linear in the text.

    Example:
        >>> text = "## Food\\n1. Guests like the soup.\\n2. They love the\\n   kind staff\\n"
        >>> [(text[start:end], is_heading) for start, end, is_heading, _ in stretches(text)]
        [('Food', True), ('Guests like the soup.', False), ('They love the\\n   kind staff', False)]
        >>> text = "1. FC Köln won. It was\\n- 5 degrees."
        >>> [text[start:end] for start, end, *_ in stretches(text)]
        ['1. FC Köln won. It was\\n- 5 degrees.']
    """
    if text[:2].isalpha() and not _BREAK.search(text) and not _MARKER.match(text):
        return [Stretch(0, len(text.rstrip()))]  # the usual case, in a twentieth of the time
    lines = _marked(text)
    return [each for found in _joined(lines) if (each := _trimmed(text, found)).start < each.end]


def marked_lines(text: str, labels: Collection[str] = ()) -> list[Stretch]:
    """Return the lines of a text without markers, rules and blank lines.

    Args:
        text: summary.
        labels: names that are no markers, such as speakers called A and B.

    Example:
        >>> text = "Ms Lee:\\n(1) costs rose\\n(2) rents fell"
        >>> [(text[start:end], is_heading, is_item) for start, end, is_heading, is_item in marked_lines(text)]
        [('Ms Lee:', True, False), ('costs rose', False, True), ('rents fell', False, True)]
    """
    found: list[Stretch] = []
    item: _Line | None = None
    for line in _marked(text, labels):
        goes_on = item is not None and not line.is_item and not line.after_blank and line.indent > item.indent
        if goes_on and line.begins_small:
            found[-1] = found[-1]._replace(end=line.start + len(line.text))
            continue
        item = line if line.is_item else None
        if not line.is_rule:
            found += [Stretch(start, end, line.is_heading, line.is_item) for start, end in _parts(line)]
    return [each for part in found if (each := _stripped(text, part)).start < each.end]


def is_marker(sentence: str) -> bool:
    """Return whether a sentence is a marker without an item, not an initial.

    Example:
        >>> [is_marker(sentence) for sentence in ("2.", "(iv)", "-", "[x]", "Soup.", "2024.", "A.")]
        [True, True, True, True, False, False, False]
    """
    is_initial = len(sentence) == 2 and sentence[0].isalpha()
    return not is_initial and (_MARKER.fullmatch(sentence) or re.fullmatch(_BOX, sentence)) is not None


def _marked(text: str, labels: Collection[str] = ()) -> list[_Line]:
    """Return the lines that are not blank, with items and headings marked."""
    lines = _lines(text)
    for line in lines:
        if line.marker and line.marker[0].strip("*_:") in labels:
            line.marker = None
    _mark_items(lines)
    _mark_prose(lines)
    _mark_headings(lines)
    return lines


def _lines(text: str) -> list[_Line]:
    """Return the lines that are not blank."""
    lines: list[_Line] = []
    start, after_blank = 0, False
    for stop, following in [*(found.span() for found in _BREAK.finditer(text)), (len(text), len(text))]:
        kept = text[start:stop].lstrip(" \t\u3000\xa0>").rstrip()
        if kept:
            indent = text.index(kept, start) - start
            lines.append(_Line(kept, start + indent, indent, after_blank, _MARKER.match(kept)))
        after_blank, start = not kept, following
    return lines


def _mark_items(lines: Sequence[_Line]) -> None:
    """Mark the lines whose marker is confirmed by another or by context."""
    kinds: dict[tuple[object, ...], list[int]] = {}
    numbers = {_number(line.marker) for line in lines if line.marker}
    for place, line in enumerate(lines):
        if line.marker and not line.is_rule:
            kinds.setdefault((line.kind, bool(_number(line.marker)) and line.indent), []).append(place)
    for places in kinds.values():
        values = [_values(lines[place].marker) for place in places]
        for order, place in enumerate(places):
            line, above = lines[place], lines[place - 1] if place else None
            below = lines[place + 1] if place + 1 < len(lines) else None
            others = values[max(order - 1, 0) : order] + values[order + 1 : order + 2]
            follows = {(before, value + step) for before, value in values[order] for step in (-1, 1)}
            opens = any(value == 1 and before and before in numbers for before, value in values[order])
            is_confirmed = any(follows & other for other in others) if values[order] else bool(others)
            holds_list = any(_within(line)) or (below and below.marker and below.indent > line.indent)
            line.is_item = bool(is_confirmed or opens or holds_list) or _is_clear(line, above)


def _is_clear(line: _Line, above: _Line | None) -> bool:
    """Return whether a marker counts alone: below a heading, or a bullet."""
    assert line.marker is not None
    if above and (_COLON.search(above.text) or _HASHES.match(above.text) or _BOLD_LINE.fullmatch(above.text)):
        return True
    bullet = line.marker["bullet"] or line.marker["box"] or ""
    if bullet[:1] in _CERTAIN or line.marker["box"]:
        return bool(bullet)
    first = line.text[line.marker.end() :].lstrip("*_ \t")[:1]
    goes_on = above and not above.is_item and not line.after_blank and not above.is_ended and first.islower()
    return bool(re.match(r"[-+*–—·»]", bullet)) and not first.isdigit() and not goes_on


def _kind(marker: re.Match[str]) -> tuple[str, ...]:
    number = _number(marker)
    case = "digit" if not number.isalpha() else "upper" if number.isupper() else "lower"
    bullet = marker["bullet"] or marker["box"] or ""
    return ("symbol" if re.match(_SYMBOL, bullet) else bullet or case, marker["open"] or "", marker["close"] or "")


def _number(marker: re.Match[str]) -> str:
    return marker["number"] or marker["levels"] or marker["wide"] or ""


def _values(marker: re.Match[str] | None) -> set[tuple[str, int]]:
    """Return the possible numbers of an ordinal; none for a bullet."""
    number = _number(marker).lower() if marker else ""
    before, _, last = number.rpartition(".")
    if last.isdecimal():
        return {(before, int(last))}
    found = {("letter", ord(last))} if len(last) == 1 else set()
    if last and set(last) <= _ROMAN.keys():
        digits = [_ROMAN[letter] for letter in last]
        found.add(("roman", sum(-a if a < b else a for a, b in pairwise([*digits, 0]))))
    return found


def _within(line: _Line) -> Iterator[re.Match[str]]:
    """Yield the markers of further items in the same line.

    They follow the end of a sentence, but for bullets that are nothing else.
    """
    assert line.marker is not None
    values, bullet, last = _values(line.marker), line.marker["bullet"], line.marker.end()
    for found in re.finditer(r"(\S)\s+(?=\S)", line.text[line.marker.end() :]):
        marker = _MARKER.match(line.text, line.marker.end() + found.end())
        if marker is None:
            continue
        is_empty = not any(map(str.isalnum, line.text[last : marker.start()]))
        last = marker.end()
        if is_empty:
            continue
        is_end = found[1] in ".!?;。！？"
        if bullet and marker["bullet"] == bullet and (is_end or bullet in _CERTAIN):
            yield marker
        elif is_end and _kind(marker) == line.kind and {(way, value + 1) for way, value in values} & _values(marker):
            values = _values(marker)
            yield marker


def _mark_prose(lines: Sequence[_Line]) -> None:
    """Mark the lines of paragraphs that contain the end of a sentence."""
    paragraphs: list[list[_Line]] = [[]]
    for line in lines:
        if line.after_blank or line.is_item:
            paragraphs.append([])
        paragraphs[-1].append(line)
    for paragraph in paragraphs:
        in_prose = any(_SENTENCE_END.search(line.content) for line in paragraph)
        for line in paragraph:
            line.in_prose = in_prose


def _mark_headings(lines: Sequence[_Line]) -> None:
    around: list[_Line | None] = [None, *lines, None]
    for place, line in enumerate(lines):
        line.is_heading = not line.is_row and _is_heading(line, around[place], around[place + 2])


def _is_heading(line: _Line, above: _Line | None, below: _Line | None) -> bool:
    """Return whether a line names the topic of those below."""
    content = line.content
    if _HASHES.match(content):
        return True
    if below is None or line.is_rule or line.is_beside(above):
        return False
    if line.is_beside(below) and below.indent <= line.indent:
        return False
    if _UNDERLINE.fullmatch(below.text) and not below.after_blank and not line.is_ended:
        return True
    if _BOLD_LINE.fullmatch(content):
        return below.after_blank or not _BOLD_LINE.fullmatch(below.content)
    opens = above is None or line.after_blank or line.is_item or above.is_heading or above.is_ended
    goes_on = line.in_prose or line.begins_small or (above is not None and above.is_item and line.indent > above.indent)
    if (not opens and goes_on) or _SENTENCE_END.search(content):
        return False
    n_words = len(content.split())
    is_within = below.indent > line.indent and below.kind != line.kind
    leads = below.is_row or (below.is_item and (not line.is_item or is_within))
    if _COLON.search(content):
        return n_words <= (_LEAD_IN if leads else _TITLE) and (leads or not below.begins_small)
    if leads:
        return n_words < _TITLE
    long_words = [word for word in content.split() if len(word) >= _TITLE]
    is_title = n_words <= _TITLE and bool(long_words) and not any(word[0].islower() for word in long_words)
    return (
        is_title
        and not line.is_item
        and below.is_ended
        and not below.begins_small
        and len(below.text.split()) >= _TITLE
    )


def _joined(lines: Sequence[_Line]) -> Iterator[Stretch]:
    """Yield the stretches of lines, with the white space around them."""
    start = end = -1  # ends of the open stretch
    item: _Line | None = None
    for place, line in enumerate(lines):
        is_apart = line.is_heading or line.is_row or line.is_rule
        is_empty = item is not None and start == end
        if start >= 0 and (is_apart or line.is_item or (not is_empty and _begins(line, lines[place - 1], item))):
            yield Stretch(start, end, is_item=item is not None)
            start, item = -1, None
        *whole, (begin, end) = _parts(line)
        if line.is_row:
            yield from _cells(line, lines[place + 1] if place + 1 < len(lines) else None)
        elif line.is_heading:
            yield Stretch(begin, end, is_heading=True)
        elif line.is_item:
            yield from (Stretch(*part, is_item=True) for part in whole)
            start, item = begin, line
        elif start < 0 and not is_apart:
            start = begin
    if start >= 0:
        yield Stretch(start, end, is_item=item is not None)


def _parts(line: _Line) -> list[tuple[int, int]]:
    """Locate the text behind a marker, for each item of a line."""
    hashes = _HASHES.match(line.text)
    markers = list(_within(line)) if line.is_item else []
    starts = [hashes.end() if hashes else line.place, *(marker.end() for marker in markers)]
    ends = [*(marker.start() for marker in markers), len(line.text)]
    return [(line.start + start, line.start + end) for start, end in zip(starts, ends, strict=True)]


def _begins(line: _Line, above: _Line, item: _Line | None) -> bool:
    """Return whether an unmarked line begins a stretch of its own."""
    if line.begins_small or (line.text[0].isdigit() and not line.after_blank):
        return False
    if line.after_blank:
        return True
    is_within = item is not None and line.indent > item.indent
    ends_open = above.is_ended or above.text[-1] in ",;([–—-"  # within a paragraph, the splitter decides
    return line.first.isalpha() and not is_within and not ends_open and (not line.in_prose or above.is_item)


def _cells(line: _Line, below: _Line | None) -> Iterator[Stretch]:
    """Yield the cells of a table's row without heads and topics."""
    if _TABLE_RULE.fullmatch(line.text):
        return
    is_head = below is not None and below.is_row and _TABLE_RULE.fullmatch(below.text) is not None
    cells = list(re.finditer(r"[^|]+", line.text))
    longest = max((len(cell[0].split()) for cell in cells), default=0)
    for cell in cells:
        n_words = len(cell[0].split())
        is_topic = n_words < _TITLE <= longest and not _ENDED.search(cell[0].rstrip())
        if not is_marker(cell[0].strip()) and not cell[0].strip().isdigit():
            yield Stretch(line.start + cell.start(), line.start + cell.end(), is_head or is_topic)


def _trimmed(text: str, found: Stretch) -> Stretch:
    """Cut white space, bold topics and bold marks around a text."""
    start, end, *_ = _stripped(text, found)
    end -= found.is_item and text[start:end].endswith((",", ";"))
    topic = _RUN_IN.match(text, start, end)
    if topic and not text[topic.end()].islower() and len(text[topic.end() : end].split()) >= _TITLE - 1:
        start = topic.end()
    for mark in ("**", "__"):
        n_marks = text.count(mark, start, end)
        if n_marks in (1, 2) and text.endswith(mark, start, end) and (n_marks == 1 or text.startswith(mark, start)):
            start, end = (start + len(mark) * (n_marks - 1), end - len(mark))
    return found._replace(start=start, end=end)


def _stripped(text: str, found: Stretch) -> Stretch:
    part = text[found.start : found.end].rstrip()
    return found._replace(start=found.start + len(part) - len(part.lstrip()), end=found.start + len(part))
