"""Reporting phrases of a sentence: subject, verb, and where the statement begins."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from fairsum_utils._util.resources import read_words
from fairsum_utils.families.misattribution.names import Mention, Token, is_possessive

_FORMS = [entry.split(":") for entry in read_words("reporting_verb")]
_HEARING = frozenset(form for forms in _FORMS if forms[0] in read_words("reporting_listener") for form in forms)
"""Forms of verbs that have a listener: inform the board."""
_BASE = frozenset(forms[0] for forms in _FORMS)
_FINITE = frozenset(form for forms in _FORMS for form in forms[1:3])
_PARTICIPLES = frozenset(forms[3] for forms in _FORMS)
_BESIDE = frozenset(read_words("beside_verb"))
_AUXILIARIES = frozenset(("will", "would", "did", "does", "do", "to"))
_BE = frozenset(("is", "are", "was", "were", "be", "been", "being", "am"))
_CONJUNCTIONS = frozenset(("and", "but", "while", "whereas", "although", "though", "yet"))
_PREPOSITIONS = frozenset(read_words("preposition"))
_DETERMINERS = frozenset(read_words("determiner"))
_PRONOUNS = frozenset(("he", "she", "they", "it", "we", "i"))
_OBJECTS = frozenset(("him", "them", "us", "me", "members", "reporters", "colleagues"))
_NO_SUBJECT = _PREPOSITIONS.difference(("with",)).union(("if", "unless", "except"))
_RELATIVES = frozenset(("what", "which", "whom", "whose", "who", "how", "why"))
_OTHERS = _PRONOUNS | _CONJUNCTIONS | _RELATIVES
_ALL = frozenset(("all", "everyone", "everybody", "anyone", "anybody"))
_MODALS = frozenset(("has", "have", "had", "will", "would", "could", "should", "can", "may", "might", "must"))
_STARTERS = _CONJUNCTIONS | frozenset(read_words("starts_clause"))
"""Words between the statement of one phrase and the subject of the next."""
_TIMES = frozenset(read_words("time_word"))
_OPENERS = _CONJUNCTIONS | _PREPOSITIONS | frozenset(read_words("opens_phrase"))
_CLAUSE_ENDS = frozenset(',.;:!?”"—–)»')
_SHORT = 5
"""Words of a phrase such as "told a cheering crowd" that leaves no statement behind it."""
_MOST_BETWEEN = 12
"""Most words between a subject and its verb, or between a verb and its statement."""


class Site(NamedTuple):
    """Reporting phrase in a sentence.

    Attributes:
        start: position of its first token.
        content: position of the first token after it.
        speaker: position of the speaker; None if it attributes nothing.
        reason: reason to leave out its claim; empty for none.
        is_trailing: the statement stands before the phrase.
        goes_on: the statement also goes on after a trailing phrase.
    """

    start: int
    content: int
    speaker: int | None = None
    reason: str = ""
    is_trailing: bool = False
    goes_on: bool = False

    @property
    def is_named(self) -> bool:
        """True if the subject names one or more speakers."""
        return self.speaker is not None or self.reason in ("ambiguous", "several")


def find_sites(tokens: Sequence[Token], mentions: Sequence[Mention], owner: int | None = None) -> list[Site]:
    """Return the reporting phrases of a sentence, or of its owner's line, without overlap."""
    reader = _Reader(tokens, mentions, owner)
    found: list[Site] = []
    for place in range(len(tokens)):
        if found and place < found[-1].content:
            continue
        site = reader.at(place, found[-1] if found else None)
        if site is not None:
            found.append(site)
    return found


def _one(mention: Mention, reason: str) -> tuple[int | None, str]:
    """Return the only speaker of a subject, or the reason to skip it."""
    if reason or len(mention.speakers) > 1:
        return None, reason or "ambiguous"
    return mention.speakers[0], ""


class _Reader:
    """Grammar of one sentence."""

    def __init__(self, tokens: Sequence[Token], mentions: Sequence[Mention], owner: int | None) -> None:
        self.tokens, self.mentions, self.owner = tokens, mentions, owner
        self.starting = {mention.start: mention for mention in mentions}
        self.ending = {mention.stop: mention for mention in mentions}
        # Places of words that no subject has between itself and its verb.
        self.others = [place for place, token in enumerate(tokens) if token.lower in _OTHERS]

    def at(self, place: int, before: Site | None) -> Site | None:
        """Return the phrase whose first token stands here."""
        token = self.tokens[place]
        if token.lower == "according" and self._word(place + 1) == "to":
            return self._according(place)
        if place in self.starting:
            return self._of_subject(self.starting[place], before)
        if token.lower in _PRONOUNS:
            verb = None if self._is_relative(place, before) else self._verb(place + 1)
            return self._site(place, verb, None, "pronoun") if verb else None
        if token.lower in _FINITE:
            if place == 0 and self.owner is not None:  # "X: said that"
                return self._site(0, 0, self.owner)
            return self._inverted(place) or self._shared(place, before)
        if token.lower in _PARTICIPLES:
            return self._adding(place, before)
        return None

    def _word(self, place: int) -> str:
        return self.tokens[place].lower if 0 <= place < len(self.tokens) else ""

    def _after(self, place: int) -> str:
        return self.tokens[place].after if 0 <= place < len(self.tokens) else ""

    def _ends(self, place: int) -> bool:
        """Return whether a clause ends behind a word."""
        return not _CLAUSE_ENDS.isdisjoint(self._after(place))

    def _according(self, place: int) -> Site | None:
        """Read "according to X"."""
        mention = self.starting.get(place + 2)
        if mention is None or is_possessive(self.tokens[mention.stop - 1]):
            return None
        stop, reason = self._list_end(mention)
        speaker, reason = _one(mention, reason)
        is_trailing = "," in self._after(place - 1) or (place > 0 and stop == len(self.tokens))
        return Site(place, stop, speaker, reason, is_trailing, goes_on=is_trailing and self._goes_on(stop))

    def _goes_on(self, place: int) -> bool:
        """Return whether the statement goes on here, after a phrase within it."""
        is_last = place == len(self.tokens) or self._word(place) in _OPENERS | _PARTICIPLES | _FINITE
        return self._ends(place - 1) and not is_last

    def _list_end(self, mention: Mention) -> tuple[int, str]:
        """Return the end of a list of names and the reason to skip it."""
        stop, reason = mention.stop, ""
        while True:
            joined = stop + 1 if self._word(stop) in ("and", "or") else stop
            following = self.starting.get(joined)
            if following is None or (joined == stop and "," not in self._after(stop - 1)):
                return stop, reason
            stop, reason = following.stop, "several"

    def _of_subject(self, mention: Mention, before: Site | None) -> Site | None:
        """Read "X said"."""
        reason, start = self._left_of(mention)
        if reason is None or self._is_relative(mention.start, before):
            return None
        verb = self._verb(mention.stop, is_plural=bool(reason), after_with=self._word(mention.start - 1) == "with")
        return None if verb is None else self._site(start, verb, *_one(mention, reason))

    def _is_relative(self, start: int, before: Site | None) -> bool:
        """Return whether a subject begins a relative clause: "the plan that X proposed"."""
        place = start - 1
        if self._word(place) in _RELATIVES:
            return self._word(place) != "which" or self._word(place - 1) not in _PREPOSITIONS  # "to which X replied"
        if before is not None and start == before.content and start not in self.starting:
            return self.tokens[place].is_joined  # "X said she had asked"
        if before is None or place < before.content or not self.tokens[place].is_joined:
            return False
        return self._word(place) not in _STARTERS

    def _left_of(self, mention: Mention) -> tuple[str | None, int]:
        """Return the reason to skip a subject and the start of its phrase."""
        place = mention.start - 1
        if place < 0 or not self.tokens[place].is_joined:
            return "", mention.start
        word = self._word(place)
        if word in _NO_SUBJECT or (word == "but" and self._word(place - 1) in _ALL):  # "everyone but X said"
            return None, mention.start
        if word in ("and", "or", "nor", "&"):
            is_list = place in self.ending and self.tokens[place - 1].is_joined
            return ("several", self.ending[place].start) if is_list else ("", place)
        return "", place - 1 if word == "which" else mention.start

    def _verb(self, place: int, *, is_plural: bool = False, after_with: bool = False) -> int | None:
        """Return the reporting verb of a subject that ends before `place`."""
        place, has_auxiliary = self._skip_apposition(place), is_plural
        for verb in range(place, min(place + _MOST_BETWEEN, len(self.tokens))) if place > 0 else ():
            token, word = self.tokens[verb], self._word(verb)
            if word in (_PARTICIPLES if after_with else _FINITE | _BASE if has_auxiliary else _FINITE):
                is_clause = token.is_joined and self._word(verb + 1) in _BE | _MODALS  # "the plan that X proposed was"
                return None if is_clause else verb
            is_planned = word == "to" and self._word(verb - 1) != "on"  # "X to ask": what is to be done
            is_unreal = word == "have" and self._word(verb - 1) == "would"  # "X would have said"
            if is_planned or is_unreal or not self._is_beside(word):
                return None
            if not (token.is_joined or token.after.strip() == ","):
                return None
            has_auxiliary = has_auxiliary or word in _AUXILIARIES
        return None

    def _skip_apposition(self, place: int) -> int:
        """Return where a verb may stand after "(Labour)" and the like, or -1."""
        if not 0 < place < len(self.tokens) or is_possessive(self.tokens[place - 1]):
            return -1
        after = self._after(place - 1)
        if self.tokens[place - 1].is_joined:
            if self._word(place) not in ("of", "from", "for", "at", "in"):
                return place
            verbs = (each for each in range(place + 1, place + 6) if self._word(each) in _FINITE)
            return next((verb for verb in verbs if all(map(self._is_inner, range(place, verb)))), -1)
        closing = ")" if "(" in after else "," if after.strip() == "," else ""
        if not closing or (closing == "," and self._word(place) in _FINITE):
            return place if closing and self._is_enclosed(place) else -1
        for stop in range(place, min(place + _MOST_BETWEEN, len(self.tokens))):
            is_other = stop in self.starting or (closing == "," and self._word(stop) in _FINITE)
            if is_other or closing in self._after(stop):
                return -1 if is_other else stop + 1
            if not self.tokens[stop].is_joined:
                return -1
        return -1

    def _is_inner(self, place: int) -> bool:
        """Return whether a word belongs to a phrase such as "of Leeds"."""
        return self.tokens[place].is_joined and place not in self.starting

    def _is_enclosed(self, place: int) -> bool:
        """Return whether a name between commas is the subject: "The chair, Smith, said that"."""
        mention = self.ending.get(place)
        if mention is None or place + 1 in self.starting or mention.start == 0:
            return False
        return "," in self._after(mention.start - 1) and mention.start <= 4 and self._word(0) in _DETERMINERS

    def _site(self, start: int, verb: int, speaker: int | None, reason: str = "") -> Site:
        """Find the statement of a phrase."""
        after = self._after(verb)
        content = self._content(verb)
        opens = any(mark in after for mark in "“«:") or after.rstrip().endswith('"')
        quotes_before = any(mark in self._after(start - 1) for mark in '”»"')
        site = Site(start, content, speaker, reason)
        if content >= len(self.tokens):
            return site._replace(is_trailing=True)
        if not self._ends(start - 1) or (opens and not quotes_before):
            return site
        if content == verb + 1 and self._ends(verb):
            return site._replace(is_trailing=True, goes_on=opens or self._goes_on(content))
        is_heard = self._word(verb) in _HEARING and len(self.tokens) - verb <= _SHORT
        if (is_heard and (quotes_before or start >= _SHORT - 1)) or self._is_adjunct(content, start):
            return site._replace(content=len(self.tokens), is_trailing=True)
        return site

    def _is_adjunct(self, content: int, before: int) -> bool:
        """Return whether a short phrase such as "on Monday" is left."""
        if self._word(before) in _CONJUNCTIONS:
            return False
        rest = self.tokens[content:]
        starts = rest[0].lower in _PREPOSITIONS | _TIMES and rest[0].lower not in ("for", "about")
        most = 6 if before >= _SHORT - 1 and rest[0].lower != "to" else 4
        return len(rest) <= most and starts and all(token.is_joined for token in rest[:-1])

    def _content(self, verb: int) -> int:
        """Return the first token after a verb, its listener, the time and "that"."""
        place = verb + 1
        if not self.tokens[verb].is_joined:
            return place
        if self._word(place) == "out":
            place += 1
        first = self._word(place)
        if first == "that":
            return place + 1
        hears = self._word(verb) in _HEARING
        if hears or first in _PREPOSITIONS | _TIMES:
            for that in range(place, min(place + _MOST_BETWEEN, len(self.tokens))):
                if self._word(that) in ("that", "whether"):
                    return that + 1
                if not self.tokens[that].is_joined:
                    break
        if hears and place in self.starting:
            return self.starting[place].stop
        n_words = 2 if first in _DETERMINERS else int(first in _OBJECTS)  # words for the listener
        return min(place + n_words * hears, len(self.tokens))

    def _inverted(self, verb: int) -> Site | None:
        """Read "..., said X"."""
        mention = self.starting.get(verb + 1)
        if mention is None or not self._ends(verb - 1) or is_possessive(self.tokens[mention.stop - 1]):
            return None
        stop, reason = self._list_end(mention)
        after = self._after(stop - 1)
        if stop < len(self.tokens) and not self._ends(stop - 1) and self._word(stop) not in _OPENERS:
            return None
        speaker, reason = _one(mention, reason)
        goes_on = self._goes_on(stop) or any(mark in after for mark in '“«"')
        return Site(verb, stop, speaker, reason, is_trailing=True, goes_on=goes_on)

    def _shared(self, verb: int, before: Site | None) -> Site | None:
        """Read "and added that" with the subject of the phrase before."""
        if before is None:
            return self._second(verb)
        for place in range(verb - 1, max(before.content, verb - 7) - 1, -1):
            if self._word(place) not in _CONJUNCTIONS and ";" not in self._after(place - 1):
                continue
            first = place + 1 if self._word(place) in _CONJUNCTIONS else place
            own = [each for each in range(first, verb) if not self._is_beside(self._word(each))]
            content = self._content(verb)
            if not own:
                return Site(place, content, before.speaker, before.reason)
            is_subject = self._word(own[0]) in _DETERMINERS or self.tokens[own[0]].is_capitalized
            return Site(place, content) if is_subject or self._word(verb + 1) == "that" else None
        return None

    def _second(self, verb: int) -> Site | None:
        """Read "X opened the debate and said that" with the subject X."""
        joined = verb - 1
        while joined > 0 and self._is_beside(self._word(joined)):
            joined -= 1
        mention = self._subject(joined)
        if mention is None or self._word(joined) != "and":
            return None
        return Site(mention.start, self._content(verb), mention.speakers[0])

    def _subject(self, stop: int) -> Mention | None:
        """Return the speaker who begins the sentence or its main clause."""
        n_named = bisect_right(self.mentions, stop, key=attrgetter("stop"))
        if not n_named:
            return None
        mention = self.mentions[n_named - 1]
        if len(mention.speakers) > 1 or is_possessive(self.tokens[mention.stop - 1]):
            return None
        start = mention.start
        has_others = bisect_left(self.others, start) < bisect_left(self.others, stop)
        is_first = start == 0 or ("," in self._after(start - 1) and not self._after(mention.stop - 1).strip())
        return mention if is_first and not has_others else None

    def _adding(self, place: int, before: Site | None) -> Site | None:
        """Read ", adding that" with the subject of the phrase before."""
        if self._word(place + 1) != "that" or "," not in self._after(place - 1):
            return None
        if before is not None:
            return Site(place, place + 2, before.speaker, before.reason)
        subject = self._subject(place)
        return None if subject is None else Site(subject.start, place + 2, subject.speakers[0])

    @staticmethod
    def _is_beside(word: str) -> bool:
        return word in _BESIDE or word.endswith("ly")
