"""Claims of a summary: statements with the speaker they are attributed to.

A claim belongs to the subject of its reporting verb: "X said that ...", "..., X said", "..., said X", "according to X,
...", and "X: ..." at the beginning of a line. The rest of the clause is the statement; name and reporting phrase are
cut. Nothing is attributed to the object of a verb, the agent of a passive, a possessive, a pronoun or another person.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from fairsum_utils._util.resources import read_words
from fairsum_utils.families.misattribution.names import Mention, Roster, Token
from fairsum_utils.families.misattribution.sites import find_sites
from fairsum_utils.text.lists import Stretch, is_marker, marked_lines
from fairsum_utils.text.splitting import get_splitter, located

AMBIGUOUS, SEVERAL, PRONOUN = "ambiguous", "several", "pronoun"
"""Reasons to leave out a claim: several speakers have the name; two names are subjects; the subject is a pronoun."""

_OPEN, _CLOSE = "“«", "”»"
_QUOTES = ("“", "”", "«", "»", '"')
_MOST_QUOTED = 8
"""Most sentences of one quotation."""
_ASKED = re.compile(r"[?!][\"”’']\Z")
_AGREEING = frozenset(read_words("agreeing_verb"))
_ASKING = frozenset(("whether", "if", "how", "what", "when", "where", "which", "who", "why"))
_HEDGING = _ASKING | {"that"}
"""Words near the beginning of a line ``X: doubts that ...``, which says what X thinks of a statement."""
_JOINING = frozenset(("and", "but", "while", "whereas", "as", "although", "though"))


class Claim(NamedTuple):
    """Statement that a summary attributes to a speaker.

    Attributes:
        speaker: position of the speaker.
        statement: the statement without name and reporting phrase.
        spans: spans of the statement in the summary; two if the reporting phrase stands within it.
        is_shared: the speaker agrees, asks or doubts, so another's words are no evidence against the claim.
    """

    speaker: int
    statement: str
    spans: tuple[tuple[int, int], ...]
    is_shared: bool = False


class Extracted(NamedTuple):
    """Claims of a summary in their order.

    Attributes:
        claims: the claims that are attributed to one speaker.
        left_out: reason -> reporting phrases that attribute nothing.
        named: positions of the speakers that the summary names anywhere.
        n_claimless: sentences that name a speaker, without a claim and without a reason above.
    """

    claims: list[Claim]
    left_out: Counter[str]
    named: frozenset[int]
    n_claimless: int = 0


def extract_claims(summary: str, roster: Roster) -> Extracted:
    """Return the claims of an English summary; time grows linearly with its length.

    Example:
        >>> found = extract_claims("Ms Lee said costs rose. Rents fell, according to Park.", Roster(["Lee", "Park"]))
        >>> [(claim.speaker, claim.statement) for claim in found.claims]
        [(0, 'costs rose'), (1, 'Rents fell')]
    """
    claims: list[Claim] = []
    left_out: Counter[str] = Counter()
    named: set[int] = set()
    heading: int | None = None  # speaker of a line such as "Ms Smith:" above a list
    n_claimless = 0
    lines = list(_lines(summary, roster))
    for number, (line, sentences) in enumerate(lines, 1):
        is_above_list = any(below.is_item for below, _ in lines[number : number + 1])
        quoted: int | None = None  # speaker of the quotation before
        owner = heading if line.is_item else None
        for place, (begin, end) in enumerate(sentences):
            at = line.start + begin
            text = summary[at : line.start + end]
            tokens: Sequence[Token] = roster.tokens(text)
            mentions: Sequence[Mention] = roster.find(tokens)
            named.update(mention.speakers[0] for mention in mentions if len(mention.speakers) == 1)
            speaker, cut = _label(tokens, mentions, is_heading=line.is_heading)
            if place == 0 and (cut == len(text) or not line.is_item):
                heading = speaker if cut == len(text) else None
            if speaker is not None:
                owner, text = speaker, " " * cut + text[cut:]
                tokens = roster.tokens(text)
                mentions = roster.find(tokens)
            is_quoted = place > 0 and text[:1] in _QUOTES and text[-1:] in _QUOTES
            found, reasons = _of_sentence(text, tokens, mentions, quoted if is_quoted and owner is None else owner)
            quoted = found[-1].speaker if found and (is_quoted or any(mark in text for mark in _QUOTES)) else None
            left_out += reasons
            is_naming = bool(mentions) or (speaker is not None and not is_above_list)
            n_claimless += is_naming and not found and not reasons
            claims += [claim._replace(spans=tuple((at + a, at + b) for a, b in claim.spans)) for claim in found]
    return Extracted(claims, left_out, frozenset(named), n_claimless)


def _lines(summary: str, roster: Roster) -> Iterator[tuple[Stretch, list[tuple[int, int]]]]:
    """Yield each line and the spans of its sentences within it."""
    for line in marked_lines(summary, roster.speakers):
        text = summary[line.start : line.end]
        starts = roster.starts(text)
        spans: list[tuple[int, int]] = []
        open_since = 0
        for begin, end in _sentences(text, starts):
            is_quoting = 0 < open_since < _MOST_QUOTED
            is_asked = bool(spans) and _ASKED.search(text, spans[-1][0], spans[-1][1]) is not None
            if spans and (is_quoting or is_asked or (text[begin].islower() and begin not in starts)):
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((begin, end))
                open_since = 0
            open_since = open_since + 1 if _is_open(text[spans[-1][0] : end]) else 0
        if spans:
            yield line, spans


def _sentences(text: str, starts: Collection[int]) -> Iterator[tuple[int, int]]:
    """Yield the spans of sentences, some of which begin at known places."""
    splitter = get_splitter("english")
    for start, stop in pairwise((0, *sorted(starts), len(text))):
        part = text[start:stop]
        for begin, end in located(part, splitter.sentences(part)):
            if not is_marker(part[begin:end]):
                yield start + begin, start + end


def _is_open(text: str) -> bool:
    """Return whether a quotation goes on after a text."""
    n_open, n_close = (sum(map(text.count, marks)) for marks in (_OPEN, _CLOSE))
    return n_open > n_close or text.count('"') % 2 == 1


def _label(tokens: Sequence[Token], mentions: Sequence[Mention], *, is_heading: bool) -> tuple[int | None, int]:
    """Return the speaker before a colon or heading, and characters to cut."""
    if mentions and mentions[0].start == 0 and len(mentions[0].speakers) == 1:
        mention = mentions[0]
        last = tokens[mention.stop - 1]
        if ":" in last.after or (is_heading and mention.stop == len(tokens)):
            return mention.speakers[0], last.end + len(last.after)
    return None, 0


def _of_sentence(
    text: str, tokens: Sequence[Token], mentions: Sequence[Mention], owner: int | None
) -> tuple[list[Claim], Counter[str]]:
    """Return the claims of a sentence, or of the owner of its line."""
    sites = find_sites(tokens, mentions, owner)
    reasons: Counter[str] = Counter()
    claims = []
    if owner is not None and not sites:
        is_shared = not _HEDGING.isdisjoint(token.lower for token in tokens[:4])
        claims = _claim(text, tokens, owner, [(0, len(tokens))], is_shared=is_shared)
    begin = 0  # first token that is part of no claim yet
    place = 0
    while place < len(sites):
        site = sites[place]
        following = sites[place + 1] if place + 1 < len(sites) else None
        until = len(tokens) if following is None else following.start
        is_nested = following is not None and following.is_named and until <= site.content
        if is_nested and site.is_named and not site.is_trailing:
            reasons[SEVERAL] += 1
            place += 2
            begin = sites[place].start if place < len(sites) else len(tokens)
            continue
        parts = [(site.content, until)]
        if site.is_trailing:
            parts = [(begin, site.start), *parts[: site.goes_on]]
        words = [token.lower for token in tokens[site.start : site.content + 1]]
        is_shared = not _AGREEING.isdisjoint(words) or not _ASKING.isdisjoint(words[-2:])
        found = _claim(text, tokens, site.speaker or 0, parts, is_shared=is_shared)
        if site.reason and found:
            reasons[site.reason] += 1
        elif site.speaker is not None:
            claims += found
        begin, place = until, place + 1
    return claims, reasons


def _claim(
    text: str, tokens: Sequence[Token], speaker: int, parts: Sequence[tuple[int, int]], *, is_shared: bool
) -> list[Claim]:
    """Make the claim of some tokens, without conjunctions around them; none without a word."""
    spans = []
    for start, stop in parts:
        while start < stop and tokens[stop - 1].lower in _JOINING:
            stop -= 1
        start += start < stop and tokens[start].lower in ("that", "whether", "if")
        if start < stop:
            spans.append((tokens[start].start, tokens[stop - 1].end))
    statement = " ".join(text[start:end] for start, end in spans)
    return [Claim(speaker, statement, tuple(spans), is_shared)] if spans else []
