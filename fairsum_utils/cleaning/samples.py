"""Entries of a sample as all measures read them, with notes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from operator import is_
from typing import Any, NamedTuple

from fairsum_utils._util.characters import unified
from fairsum_utils.cleaning.reasoning import without_reasoning
from fairsum_utils.errors import InputError

_PREDICTIONS, _SOURCES, _SPANS = "predictions", "sources", "serious_spans"
_NOTED = (_PREDICTIONS, _SOURCES)
"""Columns of whole texts, which are searched for markup and dashes."""

REASONING, UNFINISHED, HTML, DASHES = "reasoning", "unfinished_reasoning", "html", "joined_by_dash"
"""Notes about a sample; the last two name the column, as in ``html:sources``."""

# Each begins with a plain sign, which `re` finds fast.
_TAG = re.compile(
    r"</?(?:a|abbr|b|blockquote|body|br|code|div|em|font|h[1-6]|head|hr|html|i|img|li|ol|p|pre|small|span|strong|"
    r"sub|sup|table|tbody|td|th|thead|tr|u|ul)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"&(?:[a-z]{2,8}|#\d{1,7}|#x[0-9a-f]{1,6});", re.IGNORECASE)
_DASHES = "\u2012\u2013\u2014\u2015"
_DASHED = re.compile(rf"[^\W\d_][{_DASHES}][^\W\d_]")


class Cleaned(NamedTuple):
    """A sample as measures read it.

    Attributes:
        row: column -> entry.
        notes: remarks on its texts; empty for nearly all samples.
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
        InputError: a text holds half a character, a mapping has two keys that are the same text, or an entry is nested
            too deeply.

    Example:
        >>> cleaned("bur: sample 0", {"predictions": "<think>Hm.</think>Tasty.", "sources": ["Tasty.<br>Cold."]})
        Cleaned(row={'predictions': 'Tasty.', 'sources': ['Tasty.<br>Cold.']}, notes=('reasoning', 'html:sources'))
    """
    made: dict[str, Any] = {}
    notes: list[str] = []
    for column, entry in row.items():
        text = _joined(entry)
        try:
            made[column] = entry if text is not None and text.isascii() else _unified(where, column, entry)
        except RecursionError:
            raise InputError(f"{where}: {column} is nested too deeply") from None
        if text is None or column not in _NOTED:
            continue
        if column == _PREDICTIONS and reasoning == "remove" and isinstance(entry, str):
            answer = without_reasoning(made[column])
            if answer.is_changed:
                made[column] = text = answer.text
                notes += [REASONING, UNFINISHED] if answer.is_cut else [REASONING]
        notes += [f"{note}:{column}" for note in _markup(text, dashes)]
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


def _joined(entry: Any) -> str | None:
    """Join the texts of an entry; None if it holds anything else."""
    if isinstance(entry, str):
        return entry
    try:
        return "\n".join(entry) if isinstance(entry, (list, tuple)) else None
    except TypeError:
        return None


def _markup(text: str, dashes: bool) -> Iterator[str]:
    """Yield the notes about a text."""
    if ("<" in text and _TAG.search(text)) or ("&" in text and _ENTITY.search(text)):
        yield HTML
    if dashes and not text.isascii() and any(dash in text for dash in _DASHES) and _DASHED.search(text):
        yield DASHES


def _unified(where: str, column: str, entry: Any) -> Any:
    """Unify all texts of an entry; one without a change is returned itself."""
    if isinstance(entry, str):
        _refuse_halves(where, column, entry)
        return unified(entry, as_published=column in _NOTED)
    if isinstance(entry, (list, tuple)):
        items = [_unified(where, column, item) for item in entry]
        return entry if all(map(is_, items, entry)) else items
    if isinstance(entry, Mapping):
        made: dict[Any, Any] = {}
        for given, item in entry.items():
            key = given
            if isinstance(given, str):
                _refuse_halves(where, column, given)
                key = unified(given)
            if key in made:
                raise InputError(f"{where}: {column} has the key {key!r} twice, in different characters; keep one")
            made[key] = _unified(where, column, item)
        return made
    # Types of torch have no kind, and its tensors no texts.
    if getattr(getattr(entry, "dtype", None), "kind", None) in ("O", "U") and entry.ndim:
        return _unified(where, column, entry.tolist())
    return entry


def _refuse_halves(where: str, column: str, text: str) -> None:
    """Refuse a lone surrogate, which no file and no table of rows can hold."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        raise InputError(f"{where}: {column} holds {half!a}, which is half a character; replace it") from None


def _moved(spans: Any, before: Sequence[Any], after: Sequence[Any]) -> Any:
    """Move spans to the same characters; anything else stays, to be refused."""
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
    return [len(unified(text[:end], as_published=True)) for end in span]
