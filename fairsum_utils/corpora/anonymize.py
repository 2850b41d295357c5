"""Anonymizing prompts and texts, so that a measure does not react to the name of the person or the group itself.

Source: papers/bold, section 3.3. The paper gives the masks, "Person" and "XYZ", and no procedure.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from fairsum_utils._util.resources import read_words
from fairsum_utils.corpora.corpus import read_toml

#: What stands for the name of a person.
PERSON = "Person"
#: What stands for the name of a profession, a religion or an ideology.
XYZ = "XYZ"

_WORDS = read_toml("bold.toml")["words"]
#: The religions of BOLD and their followers, and its political ideologies and their supporters.
RELIGIONS: tuple[str, ...] = tuple(_WORDS["religions"])
IDEOLOGIES: tuple[str, ...] = tuple(_WORDS["ideologies"])

# Parts of names that are no name when they stand alone.
_NEVER_ALONE = frozenset(read_words("not_alone"))
_PATTERNS = 4096  # compiled patterns in memory


class _Span(NamedTuple):
    """A part of a text, and what comes in its place."""

    start: int
    end: int
    mask: str


def anonymize_prompt(
    text: str,
    *,
    names: Sequence[str] = (),
    terms: Sequence[str] = (),
    ner: Callable[[str], Any] | None = None,
    end: int | None = None,
) -> str:
    """Replace names of people with "Person", and names of professions, religions and ideologies with "XYZ".

    Everything is matched as whole words, so that "Mark" leaves "Markets" alone.

    A name is found in full in any case, and in part (the first name alone, the last name alone, any run of its words,
    the last name first) where the part is capitalized. Initials, particles and "Jr." count with the words beside them.
    A term is found in any case, with blanks or hyphens between its words, and with the endings -er and -ist ("dance",
    "dancer"); a plural becomes "XYZs".

    Args:
        text: the prompt.
        names: people, such as ``"Martin_Luther_King_Jr."``; ``_`` is a space.
        terms: professions, religions, ideologies, such as ``"Flight_nurse"``; ``_`` is a space. See `RELIGIONS` and
            `IDEOLOGIES`.
        ner: a spaCy pipeline (`recognition.load_ner`), whose entities with the label PERSON are people too. Its label
            NORP is not used, because it also holds nationalities.
        end: number of characters to anonymize and return. The rest is read to see whether a mention goes on beyond the
            end, in which case it is replaced all the same.

    Returns:
        The anonymized prompt; blanks at its end stay.

    Source: papers/bold, section 3.3.

    Example:
        >>> anonymize_prompt("On February 4, 2009, Debbie Allen was", names=["Debbie_Allen"])
        'On February 4, 2009, Person was'
        >>> anonymize_prompt("Flight nurses and Christian Allen's", names=["Debbie_Allen"],
        ...                  terms=["Flight_nurse", *RELIGIONS])
        "XYZs and XYZ Person's"
    """
    spans = [span for name in names for span in _name_spans(text, name)]
    spans += [span for term in terms for span in _term_spans(text, term)]
    if ner is not None:
        spans += _entity_spans(ner(text))
    return _replace(text, _disjoint(spans), len(text) if end is None else end)


def anonymize_text(text: str, page: str) -> str:
    """Replace every occurrence of the name of a page with "XYZ", in any case and also within words.

    With it the paper's table 3 can be computed from the published files.

    Args:
        text: a whole sentence, prompt included.
        page: name of the Wikipedia page, such as ``"Flight_nurse"``; ``_`` is a space.

    Returns:
        The anonymized text.

    Source: papers/bold, section 3.3 and table 3; the rule was found by trying, since the paper does not give it.

    Example:
        >>> anonymize_text("Flight nurses care; a flight nurse flies.", "Flight_nurse")
        'XYZs care; a XYZ flies.'
    """
    return _page_pattern(page).sub(XYZ, text)


def _name_spans(text: str, name: str) -> Iterator[_Span]:
    name, pattern = _name_pattern(name)
    for match in pattern.finditer(text):
        words = [word.rstrip(".,") for word in match[0].split()]
        telling = [word for word in words if len(word) > 1 and word.lower() not in _NEVER_ALONE]
        in_full = f" {name} " in f" {' '.join(words)} ".lower()
        if in_full or (telling and all(word[0].isupper() for word in telling)):
            yield _Span(match.start(), match.end(), PERSON)


@functools.lru_cache(_PATTERNS)
def _name_pattern(name: str) -> tuple[str, re.Pattern[str]]:
    """Return the words of a name, bare and in lower case, and a pattern of runs of them."""
    words = [word for word in name.replace("_", " ").split() if word.strip(".,")]
    # the full stop of "Jr." belongs to the name; that after "King" ends the sentence
    part = "|".join(re.escape(word.rstrip(".,")) + (r"\.?" if word.endswith(".") else "") for word in words)
    # not across lines, where a heading and a sentence meet; a comma only as in "King, Jr." and "King, Martin"
    between = r"(?:[^\S\n]|,[^\S\n](?-i:(?=[A-Z])))[^\S\n]*"
    pattern = rf"(?<!\w)(?:{part})(?:{between}(?:{part}))*(?!\w)"
    return " ".join(word.rstrip(".,") for word in words).lower(), re.compile(pattern, re.IGNORECASE)


def _term_spans(text: str, term: str) -> Iterator[_Span]:
    for match in _term_pattern(term).finditer(text):
        yield _Span(match.start(), match.end(), XYZ + ("s" if match["plural"] else ""))


@functools.lru_cache(_PATTERNS)
def _term_pattern(term: str) -> re.Pattern[str]:
    *first, last = (re.escape(word) for word in re.split(r"[\s_-]+", term) if word)
    end = f"{last[:-1]}(?:y|(?P<plural>ies))" if last.endswith("y") else rf"{last}(?:e?r|ist)?(?P<plural>e?s)?"
    return re.compile(r"(?<!\w)" + r"[\s_-]+".join([*first, end]) + r"(?!\w)", re.IGNORECASE)


@functools.lru_cache(_PATTERNS)
def _page_pattern(page: str) -> re.Pattern[str]:
    return re.compile(re.escape(page.replace("_", " ")), re.IGNORECASE)


def _entity_spans(document: Any) -> Iterator[_Span]:
    for entity in document.ents:
        if entity.label_ == "PERSON":
            # spaCy may count the possessive in
            possessive = 2 if entity.text.endswith(("'s", "’s")) else 0
            yield _Span(entity.start_char, entity.end_char - possessive, PERSON)


def _disjoint(spans: Sequence[_Span]) -> list[_Span]:
    """Return the spans in order without overlaps: the first and longest stays, and takes in more of its kind."""
    apart: list[_Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not apart or span.start >= apart[-1].end:
            apart.append(span)
        elif span.mask == apart[-1].mask == PERSON:
            apart[-1] = apart[-1]._replace(end=max(apart[-1].end, span.end))
    return apart


def _replace(text: str, spans: Sequence[_Span], stop: int) -> str:
    """Return the first ``stop`` characters with the spans replaced that begin there."""
    head = text[:stop]
    pieces: list[str] = []
    place = 0
    for span in spans:
        if span.start < len(head):
            pieces += [head[place : span.start], span.mask]
            place = span.end
    if place > len(head):  # the last mention swallowed the blank that a cut prompt ends in
        return "".join(pieces) + head[len(head.rstrip()) :]
    return "".join(pieces) + head[place:]
