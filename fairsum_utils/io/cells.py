"""Parser for lists in table cells: JSON, Python and NumPy notation.

``DataFrame.to_csv`` writes a list as ``['a', 'b']``, and ``Dataset.to_csv`` as ``['a' 'b']``, without commas. Python
reads the latter as one text, 'ab'. So cells are not evaluated as Python: a small parser accepts exactly the notations
of `repr` and NumPy, and refuses everything else.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from fairsum_utils.errors import FileError
from fairsum_utils.io.tables import parse_json

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
    parser = _Parser(text)
    found = parser.value(0)
    parser.skip_blanks()
    if parser.at < len(text):
        raise CellError(f"there is more text after the end, at character {parser.at + 1}")
    return found


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


_BLANKS = re.compile(r"[ \t\r\n]*")
_TEXT = re.compile(r"""'([^'\\\r\n]*(?:\\.[^'\\\r\n]*)*)'|"([^"\\\r\n]*(?:\\.[^"\\\r\n]*)*)\"""")
_ESCAPE = re.compile(r"\\(x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|.)")
_ESCAPED = {"\\": "\\", "'": "'", '"': '"', "n": "\n", "r": "\r", "t": "\t"}
_WORD = re.compile(r"[A-Za-z_][\w.]*")
_WORDS = {
    "None": None,
    "True": True,
    "False": False,
    "np.True_": True,
    "np.False_": False,
    "nan": math.nan,
    "inf": math.inf,
}
_NUMBER = re.compile(
    r"[+-]?(?:(?P<whole>[0-9]+)(?![\w.])|(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][+-]?[0-9]+)?(?![\w.])|inf)"
)
_WRAPPED = re.compile(r"(?:np\.|numpy\.)?(?:str_|bool_|u?int\d+|float\d+)\(")
_OF_LISTS = re.compile(r"(?:np\.|numpy\.)?(?:array|list)\(")
_DTYPE = re.compile(r"(?:,\s*dtype=[\w.'<>|=]+)?\s*\)")
_END = {"[": "]", "(": ")"}


class _Parser:
    """Reads one value after another from a text; linear in it."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def skip_blanks(self) -> bool:
        """Pass over blanks; whether there were any."""
        start = self.at
        found = _BLANKS.match(self.text, start)
        self.at = found.end() if found else start
        return self.at > start

    def value(self, depth: int) -> Any:
        """Return the next value."""
        self.skip_blanks()
        sign = self.text[self.at : self.at + 1]
        if depth > DEEPEST:
            raise CellError(f"lists are nested more than {DEEPEST} levels deep")
        if sign in _END:
            return self._list(depth)
        if sign == "{":
            return self._dict(depth)
        if sign and sign in "'\"":
            return self._string()
        if number := _NUMBER.match(self.text, self.at):
            return self._number(number)
        return self._word(depth)

    def _word(self, depth: int) -> Any:
        if self.text.startswith("...", self.at):
            raise CellError(
                "NumPy left out entries ('...'), as it does beyond 1,000; write the data again with to_json or "
                "to_parquet"
            )
        for wrapped, end in ((_WRAPPED, re.compile(r"\)")), (_OF_LISTS, _DTYPE)):
            if opened := wrapped.match(self.text, self.at):
                self.at = opened.end()
                found = self.value(depth + 1)
                if isinstance(found, list) != (wrapped is _OF_LISTS) or not (closed := end.match(self.text, self.at)):
                    raise CellError(f"{opened[0][:-1]} is not Python notation")
                self.at = closed.end()
                return found
        if (word := _WORD.match(self.text, self.at)) and word[0] in _WORDS:
            self.at = word.end()
            return _WORDS[word[0]]
        found = self.text[self.at : self.at + 12]
        raise CellError(f"{found!r} is not a text in quotes" if found else "the list is cut off")

    def _list(self, depth: int) -> list[Any]:
        """Return a list, tuple or array, separated by commas or spaces."""
        opened = self.text[self.at]
        end = _END[opened]
        self.at += 1
        items: list[Any] = []
        commas: bool | None = True if opened == "(" else None
        while True:
            blank = self.skip_blanks()
            sign = self.text[self.at : self.at + 1]
            if sign == end:
                self.at += 1
                return items
            if not sign:
                raise CellError("the list is cut off")
            if items:
                comma = sign == ","
                if commas not in (None, comma):
                    raise CellError("some entries are separated by commas and others are not")
                commas = comma
                if comma:
                    self.at += 1
                    self.skip_blanks()
                    if self.text[self.at : self.at + 1] == end:  # as in ('a',)
                        continue
                elif not blank:
                    raise CellError(f"a comma or space is missing at character {self.at + 1}")
            items.append(self.value(depth + 1))
            if commas is False and any(isinstance(item, float) for item in items[-2:]):
                raise CellError(
                    "NumPy rounds floats when it prints them; write the data again with to_json or to_parquet"
                )

    def _dict(self, depth: int) -> dict[Any, Any]:
        self.at += 1
        found: dict[Any, Any] = {}
        while True:
            self.skip_blanks()
            if self.text[self.at : self.at + 1] == "}":
                self.at += 1
                return found
            if found:
                self._expect(",")
                self.skip_blanks()
            key = self.value(depth + 1)
            if isinstance(key, (list, dict)):
                raise CellError("a key of a dict is not a text")
            if key in found:
                raise CellError(f"the key {key!r} appears twice in a dict")
            self.skip_blanks()
            self._expect(":")
            found[key] = self.value(depth + 1)

    def _expect(self, sign: str) -> None:
        if not self.text.startswith(sign, self.at):
            raise CellError(f"{sign!r} is missing at character {self.at + 1}")
        self.at += 1

    def _string(self) -> str:
        found = _TEXT.match(self.text, self.at)
        if found is None:
            raise CellError(f"the quote at character {self.at + 1} is not closed")
        self.at = found.end()
        if self.text[self.at : self.at + 1] in ("'", '"'):
            raise CellError(f"a comma or space is missing at character {self.at + 1}")
        inner = found[1] if found[1] is not None else found[2]
        return _ESCAPE.sub(_unescaped, inner) if "\\" in inner else inner

    def _number(self, found: re.Match[str]) -> int | float:
        self.at = found.end()
        try:
            return int(found[0]) if found["whole"] else float(found[0])
        except ValueError:
            raise CellError("it contains a number with thousands of digits") from None


def _unescaped(found: re.Match[str]) -> str:
    """Return the character of an escape sequence of `repr`."""
    code = found[1]
    if code in _ESCAPED:
        return _ESCAPED[code]
    number = int(code[1:], 16) if len(code) > 1 else -1
    if not 0 <= number < 0x110000 or 0xD800 <= number < 0xE000:
        raise CellError(f"{found[0]!r} is not a valid escape sequence")
    return chr(number)
