"""Entries of a sample as all measures read them, and what is notable about its texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from operator import is_
from typing import Any, NamedTuple

from fairsum_utils.cleaning.characters import unified
from fairsum_utils.cleaning.reasoning import without_reasoning
from fairsum_utils.errors import InputError

_PREDICTIONS, _SOURCES, _SPANS = "predictions", "sources", "serious_spans"
_NOTED = (_PREDICTIONS, _SOURCES)
"""Columns of texts that are searched for markup and dashes."""

REASONING, UNFINISHED, HTML, DASHES = "reasoning", "unfinished_reasoning", "html", "joined_by_dash"
"""Notes about a sample; the last two name the column, as in ``html:sources``."""

_MARKUP = re.compile(
    r"</?(?:a|abbr|b|blockquote|body|br|code|div|em|font|h[1-6]|head|hr|html|i|img|li|ol|p|pre|small|span|strong|"
    r"sub|sup|table|tbody|td|th|thead|tr|u|ul)(?:\s[^<>]*)?/?>"
    r"|&(?:[a-z]{2,8}|#\d{1,7}|#x[0-9a-f]{1,6});",
    re.IGNORECASE,
)
_JOINED = re.compile(r"[^\W\d_][\u2012-\u2015][^\W\d_]")


class Cleaned(NamedTuple):
    """A sample as measures read it.

    Attributes:
        row: column -> entry.
        notes: what is notable about its texts; empty for nearly all samples.
    """

    row: dict[str, Any]
    notes: tuple[str, ...] = ()


def cleaned(where: str, row: Mapping[str, Any], *, reasoning: str = "remove", dashes: bool = False) -> Cleaned:
    """Clean the entries of a sample.

    Texts, labels and ids get one form, see `unified`, and the prediction loses its reasoning.

    Args:
        where: module and sample, for messages.
        row: column -> entry, not checked yet.
        reasoning: ``"remove"`` or ``"keep"``.
        dashes: note words that a dash joins.

    Raises:
        InputError: a mapping has two keys that are the same text.

    Example:
        >>> cleaned("bur: sample 0", {"predictions": "<think>Hm.</think>Tasty.", "sources": ["Tasty.<br>Cold."]})
        Cleaned(row={'predictions': 'Tasty.', 'sources': ['Tasty.<br>Cold.']}, notes=('reasoning', 'html:sources'))
    """
    made = {column: _unified(where, column, entry) for column, entry in row.items()}
    notes: list[str] = []
    if reasoning == "remove" and isinstance(text := made.get(_PREDICTIONS), str):
        answer = without_reasoning(text)
        if answer.is_changed:
            made[_PREDICTIONS] = answer.text
            notes += [REASONING, UNFINISHED] if answer.is_cut else [REASONING]
    for column in _NOTED:
        texts = list(_texts(made.get(column)))
        if any(("<" in text or "&" in text) and _MARKUP.search(text) for text in texts):
            notes.append(f"{HTML}:{column}")
        if dashes and any(not text.isascii() and _JOINED.search(text) for text in texts):
            notes.append(f"{DASHES}:{column}")
    if _SPANS in row and made.get(_SOURCES) is not row.get(_SOURCES):
        made[_SPANS] = _moved(row[_SPANS], row[_SOURCES], made[_SOURCES])
    return Cleaned(made, tuple(notes))


def texts_as_read(sample: Mapping[str, Any], settings: Any = None) -> dict[str, Any]:
    """Return a sample with the texts that were scored, to show where something counted.

    Args:
        sample: column -> entry, as in the data.
        settings: settings of a measure; None for the default.

    Example:
        >>> texts_as_read({"predictions": "So ...</think>Tasty."})
        {'predictions': 'Tasty.'}
    """
    return cleaned("sample", sample, reasoning=getattr(settings, "reasoning", "remove")).row


def _unified(where: str, column: str, entry: Any) -> Any:
    """Unify all texts of an entry; one without a change is returned itself."""
    if isinstance(entry, str):
        return unified(entry)
    if isinstance(entry, (list, tuple)):
        items = [_unified(where, column, item) for item in entry]
        return entry if all(map(is_, items, entry)) else items
    if isinstance(entry, Mapping):
        made: dict[Any, Any] = {}
        for given, item in entry.items():
            key = unified(given) if isinstance(given, str) else given
            if key in made:
                raise InputError(f"{where}: {column} has the key {key!r} twice, in different characters; keep one")
            made[key] = _unified(where, column, item)
        return made
    if getattr(entry, "dtype", None) is not None and entry.dtype.kind in "OU" and entry.ndim:
        return _unified(where, column, entry.tolist())
    return entry


def _texts(entry: Any) -> Iterator[str]:
    """Yield the texts of an entry."""
    if isinstance(entry, str):
        yield entry
    elif isinstance(entry, (list, tuple)):
        yield from (item for item in entry if isinstance(item, str))


def _moved(spans: Any, before: Sequence[Any], after: Sequence[Any]) -> Any:
    """Move the ends of spans to where the same characters are now; what is no span stays, to be refused."""
    if not isinstance(spans, (list, tuple)) or not len(spans) == len(before) == len(after):
        return spans
    return [
        [_ends(span, text) if text is not new else span for span in of_text]
        if isinstance(of_text, (list, tuple))
        else of_text
        for of_text, text, new in zip(spans, before, after, strict=True)
    ]


def _ends(span: Any, text: str) -> Any:
    if not isinstance(span, (list, tuple)) or not all(type(end) is int and 0 <= end <= len(text) for end in span):
        return span
    return [len(unified(text[:end])) for end in span]
