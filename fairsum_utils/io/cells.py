"""Lists in table cells: JSON, Python and NumPy notation.

``DataFrame.to_csv`` writes a list as ``['a', 'b']``, and ``Dataset.to_csv`` as ``['a' 'b']``, without commas. Python
reads the latter as one text, 'ab'. So cells are not evaluated as Python: the notations of
`repr` and NumPy are rewritten as JSON, and everything else is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from fairsum_utils.errors import FileError
from fairsum_utils.io.objects import parse_json

DEEPEST = 20
"""Maximum depth of nested lists."""


# Places where a spreadsheet may begin a cell with a formula: the start, and what separates columns in some countries or
# settings, where quotes do not keep a text together that other columns precede.
_BLANK, _SIGN = r"[ \n\x0b\x0c\x85\u2028\u2029]*", r"[=+\-@\t\r＝＋－＠]"
_FORMULA = re.compile(rf'^(?={_BLANK}{_SIGN})|(?<=[;|\t])(?=(?:{_BLANK}")*{_BLANK}{_SIGN})')


def is_formula(text: str) -> bool:
    """Return whether a spreadsheet might run a text as a formula.

    Example:
        >>> is_formula("=HYPERLINK(1)"), is_formula(" @user"), is_formula("a;=1"), is_formula("a=1")
        (True, True, True, False)
    """
    return _FORMULA.search(text) is not None


def without_formulas(text: str) -> str:
    """Put a ``'`` where a spreadsheet might begin a formula.

    Example:
        >>> print(without_formulas("=1+1"), without_formulas("a; =1"), sep=" | ")
        '=1+1 | a;' =1
    """
    return _FORMULA.sub("'", text)


class CellError(ValueError):
    """Unreadable cell; the message completes a sentence."""


def parse_cell(text: str) -> Any:
    """Return the list or dict in a cell.

    Example:
        >>> [parse_cell(text) for text in ('["a", "b"]', "['a', 'b']", "['a' 'b']", "array(['a', None], dtype=object)")]
        [['a', 'b'], ['a', 'b'], ['a', 'b'], ['a', None]]
        >>> parse_cell("['a' 'b', 'c']")
        Traceback (most recent call last):
        ...
        fairsum_utils.io.cells.CellError: some entries are separated by commas and others are not
    """
    try:
        return parse_json(text)
    except ValueError as error:
        if "character" in str(error):  # half of one
            raise CellError(str(error)) from None
    try:
        return parse_json(_Rewriter(text).json())
    except CellError:
        raise
    except json.JSONDecodeError as error:
        raise CellError("a key of a dict is not a text" if "property name" in error.msg else error.msg) from None
    except ValueError as error:
        raise CellError(str(error)) from None


_OF_PYTHON = re.compile(r"""\s*(?:[\[{]|(?:np\.|numpy\.)?array\(|b['"])""")
_BYTES = re.compile(r"""\s*b(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")\s*""")


def is_notation(text: str) -> bool:
    """Return whether a text begins like a list, a dict or bytes."""
    return _OF_PYTHON.match(text) is not None


def as_cell(text: str) -> Any:
    """Return the list, dict or bytes that a whole text is; else the text.

    A column of single texts refuses them like those of a typed file.

    Example:
        >>> as_cell("['Positive']"), as_cell("b'Tasty.'"), as_cell("[Music] Hello."), as_cell("[deleted]")
        (['Positive'], b'Tasty.', '[Music] Hello.', '[deleted]')
    """
    if not is_notation(text):
        return text
    if _BYTES.fullmatch(text):
        return text.strip()[2:-1].encode()
    try:
        return parse_cell(text)
    except CellError:
        return text


def list_in(text: str, column: str, where: Callable[[], str]) -> Any:
    """Return the list or dict in a cell of a column of lists.

    Example:
        >>> list_in("['a', 'b']", "sources", lambda: "rows.csv, line 2")
        ['a', 'b']
    """
    try:
        return parse_cell(text)
    except CellError as error:
        raise FileError(
            f'{where()}: column {column!r} must contain a list such as ["first text", "second text"], found '
            f"{text[:40]!r}: {error}"
        ) from None


def entries_in(entries: Sequence[Any], column: str, where: Callable[[int], str], *, are_lists: bool) -> list[Any]:
    """Read texts in the notation of Python or JSON, which only lists may have.

    Example:
        >>> entries_in(["['a']", ["b"]], "sources", "row {}".format, are_lists=True)
        [['a'], ['b']]
    """
    found = list(entries)
    for index, entry in enumerate(entries):
        if isinstance(entry, str) and is_notation(entry):
            found[index] = list_in(entry, column, partial(where, index)) if are_lists else as_cell(entry)
    return found


_TOKEN = re.compile(
    r"""[ \t\r\n]*(?:(?P<text>'[^'\\\r\n]*(?:\\.[^'\\\r\n]*)*'|"[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*")"""
    r"|(?P<made>(?:np\.|numpy\.)?(?:array|list|str_|bool_|u?int\d+|float\d+)\()|(?P<open>[\[({])|(?P<close>[\])}])"
    r"|(?P<dtype>,\s*dtype=[\w.'<>|=]+(?=\s*\)))|(?P<mark>[,:])|(?P<word>[^\s'\"\[\](){},:]+))[ \t\r\n]*"
)
_WORDS = {
    "None": "null",
    "True": "true",
    "False": "false",
    "np.True_": "true",
    "np.False_": "false",
    "nan": "NaN",
    "inf": "Infinity",
    "-inf": "-Infinity",
}
_ESCAPE = re.compile(r"\\(x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|.)")
_ESCAPED = {"\\": "\\", "'": "'", '"': '"', "n": "\n", "r": "\r", "t": "\t"}
_WHOLE = re.compile(r"-?\d+")
_FLOAT = re.compile(r"-?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?")
_PAIRS = {"[": ("[", "]"), "(": ("[", "]"), "{": ("{", "}")}
_OPENED = {"]": "[", ")": "(", "}": "{"}


_BEGINS_VALUE = ("text", "made", "open", "word")
_ENDS_VALUE = ("text", "word", "close")
_as_json = json.JSONEncoder().encode


class _Level:
    """An open list, tuple or dict."""

    def __init__(self, opening: str, closing: str) -> None:
        self.opening, self.closing = opening, closing
        self.separator = "" if opening == "[" else ","  # a comma or a blank; empty if not known yet


class _Rewriter:
    """Rewrites the notation of Python or NumPy as JSON; linear in the text."""

    def __init__(self, text: str) -> None:
        self.text = text.rstrip(" \t\r\n")
        self.made: list[str] = []
        self.levels: list[_Level] = []

    def json(self) -> str:
        """Return the text as JSON."""
        at, last, ends_value = 0, "", False
        while token := _TOKEN.match(self.text, at):
            kind = str(token.lastgroup)
            sign, at = token[kind], token.end()
            if ends_value and kind in _BEGINS_VALUE:
                self._split(token.start(kind), last, sign)
            if kind == "text":
                self.made.append(_as_json(_text_of(sign)))
            elif kind == "mark":
                self._mark(sign)
            elif kind == "word":
                self.made.append(self._word(sign, token.start(kind)))
            else:
                self._bracket(kind, sign, token.start(kind))
            last, ends_value = sign, kind in _ENDS_VALUE
        if at < len(self.text):
            raise CellError(f"the quote at character {at + 1} is not closed")
        if self.levels or not self.made:
            raise CellError("the list is cut off")
        return "".join(self.made)

    def _split(self, at: int, last: str, this: str) -> None:
        """Put a comma where NumPy has a blank between two entries."""
        if not self.levels:
            raise CellError(f"there is more text after the end, at character {at + 1}")
        if self.text[at - 1] not in " \t\r\n":
            raise CellError(f"a comma or space is missing at character {at + 1}")
        self._use(" ")
        if _FLOAT.fullmatch(last) or _FLOAT.fullmatch(this):
            raise CellError("NumPy rounds floats when it prints them; write the data again with to_json or to_parquet")
        self.made.append(",")

    def _use(self, separator: str) -> None:
        level = self.levels[-1]
        if level.separator not in ("", separator):
            raise CellError("some entries are separated by commas and others are not")
        level.separator = separator

    def _mark(self, sign: str) -> None:
        if sign == "," and self.levels:
            self._use(sign)
        self.made.append(sign)

    def _bracket(self, kind: str, sign: str, at: int) -> None:
        """Open or close a list, tuple, dict or wrapper."""
        if kind == "close":
            if not self.levels or self.levels[-1].opening != _OPENED[sign]:
                raise CellError(f"{sign!r} at character {at + 1} closes nothing")
            if self.made[-1] == ",":  # as in ('a',)
                self.made.pop()
            self.made.append(self.levels.pop().closing)
        elif kind != "dtype":
            if len(self.levels) > DEEPEST:
                raise CellError(f"lists are nested more than {DEEPEST} levels deep")
            opening, closing = _PAIRS[sign] if kind == "open" else ("", "")
            self.made.append(opening)
            self.levels.append(_Level(sign[-1], closing))

    def _word(self, word: str, at: int) -> str:
        """Return a constant or a number in the notation of JSON."""
        if word in _WORDS:
            return _WORDS[word]
        if word.startswith("..."):
            raise CellError(
                "NumPy left out entries ('...'), as it does beyond 1,000; write the data again with to_json or "
                "to_parquet"
            )
        if _WHOLE.fullmatch(word):
            return word
        if _FLOAT.fullmatch(word):
            return repr(float(word))
        raise CellError(f"{self.text[at : at + 12]!r} is not a text in quotes")


def _text_of(quoted: str) -> str:
    """Return the text that a text in quotes is in Python."""
    return _ESCAPE.sub(_unescaped, quoted[1:-1]) if "\\" in quoted else quoted[1:-1]


def _unescaped(code: re.Match[str]) -> str:
    """Return the character of an escape sequence of `repr`."""
    try:
        return _ESCAPED.get(code[1]) or chr(int(code[1][1:], 16))
    except ValueError:
        raise CellError(f"{code[0]!r} is not a valid escape sequence") from None
