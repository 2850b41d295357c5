"""Plain texts as annotated documents, by careful guesses about persons.

A spaCy pipeline finds the names. Names belong to one person if they share distinctive words; a single name is a first
name if the census lists it. All pronouns are treated together, because in a text with one gender for all their
reference does not matter. If a guess could leave a partial swap, the text is refused with the reason.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from fairsum_utils._util.resources import read_words
from fairsum_utils.counterfactual.chains import cover
from fairsum_utils.counterfactual.documents import PERSON, PRONOUN_TAGS, ContentWord, Document, Mention, NamedEntity
from fairsum_utils.counterfactual.edits import ALSO_WORDS, Unswappable, any_of, listed
from fairsum_utils.counterfactual.name_parts import (
    BEFORE_LAST,
    PersonName,
    Word,
    is_particle,
    occurrences,
    parse_name,
    words_of,
)
from fairsum_utils.counterfactual.swapping.things import check_things
from fairsum_utils.families.entities.names import (
    GENDERS,
    census_first_names,
    first_name_gender,
    is_first_name,
    no_names,
    popular_first_names,
)
from fairsum_utils.text.lemmas import is_listed
from fairsum_utils.text.person_names import SUFFIXES, TITLES, is_capitals
from fairsum_utils.text.pronouns import CLOSED_CLASS, GENDERED_PRONOUNS, PRONOUNS, capitalize_like
from fairsum_utils.text.recognition import PERSON_LABELS

#: Labels of places and peoples, whose names may be first names as well.
PLACES = frozenset({"GPE", "LOC", "NORP"})

_PRONOUN = re.compile(rf"\b(?:{'|'.join(sorted(GENDERED_PRONOUNS))})\b", re.IGNORECASE)
_COMPOUND = re.compile(r"(?<![\w-])[a-z]+(?:man|men)(?![\w-])")
# Words with this ending but no gender, or listed elsewhere.
_NO_COMPOUND = re.compile(
    r"(?:wo|hu|superhu|inhu|ger|ro|otto|sha|talis|cai|speci|regi|o|acu|abdo|hy|sta|lu|fora|sel|ra|cycla)?(?:man|men)"
)
_SENTENCE_START = re.compile(r"(?:\A|[.!?:;\n\"“”‘(])[\s\"“”‘(]*")
# A quoted title: "Man With a Plan".
_TITLE_IN_QUOTES = re.compile(r"[\"“‘][^\W\d_a-z]\w*\s[^\W\d_a-z]")
# A ship, which "she" may mean.
_SHIP = re.compile(
    r"\b(?:ships?|steamers?|steamship|vessels?|schooner|frigate|yacht|boat|battleship|USS|HMS)\b[^.]{0,150}\b(?:she|her|herself)\b",
    re.IGNORECASE,
)
_JOINED = r"\s*(?:/|,|\bor\b|\band\b|\band/or\b|&)\s*(?:(?:an?|the|his|her|their)\s+)?"
_HE, _SHE = ("|".join(sorted(set(PRONOUNS[gender].values()))) for gender in ("male", "female"))
# Pronoun pairs for any gender, which a swap would merge.
_EITHER_PRONOUN = re.compile(
    rf"\(s\)he\b|\bs/he\b|\b(?:{_HE})\s*(?:/|\bor\b)\s*(?:{_SHE})\b|\b(?:{_SHE})\s*(?:/|\bor\b)\s*(?:{_HE})\b|"
    r"\b(?:he and she|she and he|him and her|her and him|he/him|she/her)\b",
    re.IGNORECASE,
)
# Words that a pipeline mistakes for the first word of a name, in addition to `text.person_names.TITLES`.
_OTHER_TITLES = frozenset(read_words("other_title"))
# Followers of a discoverer's name, which is no person of the text.
_EPONYM = re.compile(
    r"(?:['’]s?)?\s+(?:disease|syndrome|palsy|lymphoma|chorea|scale|score|index|test|sign|criteria|catheter|frame|fracture)s?\b"
)
# "Don 't go", as some tokenizers write it.
_CONTRACTION = re.compile(r" ?['’]t\b")
# Last words of names of places.
_STREETS = frozenset(read_words("street"))
# Followers of a namesake's name.
_INSTITUTION = re.compile(
    r"\s+(?:Elementary|High|School|College|University|Hospital|Award|Prize|Cup|Museum|Foundation|Airport|Bridge)\b"
)
_BEFORE_LAST = BEFORE_LAST | {"mx"}
_LONGEST_ABBREVIATION = 3
_MOST_WORDS = 5
# A degree or an honour after a name.
_DEGREE = re.compile(r"[A-Z]{2,5}")
# Percentage of women from which a lone first name is no last name.
_BORNE = 0.02
_RELATIVE_BEFORE = re.compile(rf"\b(?:{'|'.join(read_words('kin'))}),? \Z")
_LONGEST_RELATIVE = 16
# A capitalized word right before a name and perhaps part of it, matched from the preceding blank.
_BEFORE_NAME = re.compile(r"(?<![\w.'’-])([^\W\d_a-z][^\W\d_A-Z]+) \Z")


def annotate(name: str, text: str, pipeline: Any) -> Document:
    """Annotate a plain text with names, persons, pronouns and gendered words."""
    doc = pipeline(text)
    if _EITHER_PRONOUN.search(text):
        raise Unswappable("both_genders")
    if _SHIP.search(text):
        raise Unswappable("unsure_pronoun")
    names = _names(text, doc)
    places = [
        NamedEntity(entity.start_char, entity.end_char, entity.label_) for entity in doc.ents if entity.label_ in PLACES
    ]
    chains, alone = _persons(text, names)
    names = sorted([*names, *_found_again(text, doc, names, chains, alone)])
    check_things(text, doc, names)
    pronouns = [Mention(*match.span(), pos=_tag(doc, *match.span())) for match in _PRONOUN.finditer(text)]
    covered = cover(text, (name[:2] for name in names))
    if names or _PRONOUN.search(text):
        _check_missed_names(text, doc, covered, is_strict=not names)
    pronouns = [each for each in pronouns if not covered[each.start]]
    if pronouns and len(chains) == 1:
        chains[0] = sorted([*chains[0], *pronouns])
    elif pronouns:
        chains.append(pronouns)
    chains.sort()
    words = list(_gendered_words(text, covered)) if chains else []
    named = {name[:2] for name in names}
    entities = sorted([*names, *(place for place in places if place[:2] not in named)])
    return Document(name, text, tuple(entities), tuple(map(tuple, chains)), tuple(words), frozenset(alone))


def _names(text: str, doc: Any) -> list[NamedEntity]:
    """Return the persons' names found, without obvious errors: "lorry", "PMH", "Parkinson's disease"."""
    found = []
    for entity in doc.ents:
        words = words_of(text, entity.start_char, entity.end_char) if entity.label_ in PERSON_LABELS else []
        while len(words) > 1 and words[0].key in (*_OTHER_TITLES, "the"):
            words.pop(0)
        end = entity.end_char
        while len(words) > 2 and _DEGREE.fullmatch(words[-1].text) and not is_capitals(words[0].text):
            words.pop()
            end = words[-1].end
        lower = (
            word for place, word in enumerate(words[1:], 1) if word.text.islower() and not is_particle(word, place)
        )
        is_longer = len(words) > _MOST_WORDS or _NO_PART.search(text, entity.start_char, entity.end_char)
        is_capital = bool(words) and words[0].text[0].isupper()
        if is_longer or (is_capital and any(lower)) or (words and _is_after_name(text, words[0].start)):
            raise Unswappable("unsure_name")
        if not is_capital or words[0].key in _OTHER_TITLES or _CONTRACTION.match(text, words[-1].end):
            continue
        if _is_no_name(doc, words) or _begins_with_verb(text, words):
            raise Unswappable("unsure_name")
        is_street = len(words) > 1 and words[-1].key in _STREETS and not is_first_name(words[0].key)
        is_street |= bool(_INSTITUTION.match(text, words[-1].end))
        if is_street and len(words) > 1 and is_first_name(words[0].key):
            raise Unswappable("name_of_thing")
        is_short = len(words[0].text) <= _LONGEST_ABBREVIATION and is_capitals(words[0].text) and len(words[0].text) > 1
        is_short &= not is_first_name(words[0].key)
        if not _EPONYM.match(text, words[-1].end) and not (is_short or is_street):
            found.append(NamedEntity(words[0].start, end, PERSON))
    return found


def _is_after_name(text: str, start: int) -> bool:
    """Return whether the word before a name may be part of it."""
    before = _BEFORE_NAME.search(text, text.rfind(" ", 0, max(0, start - 1)) + 1, start)
    return before is not None and not is_listed(before[1].lower()) and before[1].lower() not in TITLES | _OTHER_TITLES


def _is_no_name(doc: Any, words: Sequence[Word]) -> bool:
    """Return whether a verb, a repeated word or an abbreviation is among the words."""
    span = doc.char_span(words[0].start, words[-1].end)
    is_verb = span is not None and any(token.tag_ in {"VBD", "VBZ", "VBP"} for token in span)
    long = [word for word in words if len(word.text) > 2 and word.key not in SUFFIXES]
    is_mixed = len({is_capitals(word.text) for word in long}) > 1
    return len(words) > 1 and (is_verb or is_mixed or words[-1].key in {word.key for word in words[:-1]})


def _begins_with_verb(text: str, words: Sequence[Word]) -> bool:
    """Return whether the first word may be a verb: "Love Kenny!"."""
    first, last = words[0], words[-1]
    if len(words) == 1 or not is_listed(first.key) or _is_no_last_name(first.key) or not is_first_name(last.key):
        return False
    return bool(_SENTENCE_START.fullmatch(text[max(0, first.start - 2) : first.start]))


def _found_again(
    text: str, doc: Any, names: Sequence[NamedEntity], chains: Sequence[list[Mention]], alone: Collection[str]
) -> list[NamedEntity]:
    """Add known persons' first names that the pipeline missed to their chains."""
    others = sorted((entity.start_char, entity.end_char, entity.label_) for entity in doc.ents)
    known = cover(text, (name[:2] for name in names))
    after_capital = {match.end() + 1 for match in _AFTER_CAPITAL.finditer(text)}
    starts: dict[str, list[int]] = {}
    for word, start in occurrences(text, (word.text for name in names for word in words_of(text, *name[:2]))):
        if not known[start] and text.startswith(word, start) and start not in after_capital:
            starts.setdefault(word, []).append(start)
    found = []
    for chain in chains:
        parsed = [parse_name(text, mention.start, mention.end) for mention in chain]
        firsts = {name.words[0].text for name in parsed if len(name.words) > 1 or name.words[0].key in alone}
        for first in sorted(word for word in firsts if word.lower() not in no_names() and len(word) > 1):
            for start in starts.get(first, ()):
                span = start, start + len(first)
                if _is_by_itself(text, *span, others):
                    found.append(NamedEntity(*span, PERSON))
                    chain.append(Mention(*span))
        chain.sort()
    return found


def _is_by_itself(text: str, start: int, end: int, others: Sequence[tuple[int, int, str]]) -> bool:
    """Return whether a first name is no place, word or part of a name."""
    last = bisect(others, start, key=lambda each: each[0]) - 1
    around = [(a, b, label) for a, b, label in others[max(last, 0) : last + 1] if start < b]
    if any(label in PLACES or len(words_of(text, a, b)) > 1 for a, b, label in around):
        return False
    if (not around and text[start:end].lower() in ALSO_WORDS) or _WITHIN.search(text, max(0, start - 4), start):
        return False
    return not _BESIDE_CAPITAL.match(text, end)


# A dash, or a possessive ending before another word.
_NO_PART = re.compile(r"\s[-–—]\s|['’]s?\s+\w")
# A pronoun in a title.
_CAPITAL_PRONOUN = re.compile(rf"(?<=[\w,;] )(?:{'|'.join(sorted(map(str.capitalize, GENDERED_PRONOUNS)))})\b")
_PAIR = re.compile(r"(?<![\w'’-])[^\W\d_a-z][^\W\d_A-Z]+ [^\W\d_a-z][\w’'-]*[^\W\d_]")
_ADDRESSES = frozenset(read_words("before_place")) | TITLES
_NO_PERSONS = PLACES | {"FAC", "DATE", "TIME"}
_BESIDE_CAPITAL = re.compile(r"['’]?s?\s[^\W\d_a-z]")
_WITHIN = re.compile(r"\b(?:in|at) \Z")
# Another capitalized word next to it, not sentence-initial: both may name something else.
_AFTER_CAPITAL = re.compile(r"(?<=[\w,'’)])\s+(?!(?:Mr|Mrs|Ms|Miss|Dr)\b)[^\W\d_a-z][\w'’-]*\.?(?=\s)")


def _check_missed_names(text: str, doc: Any, covered: bytearray, *, is_strict: bool) -> None:
    """Refuse two capitalized words that may name a missed person."""
    known = cover(
        text,
        (
            (each.start_char, each.end_char)
            for each in doc.ents
            if each.label_ in _NO_PERSONS
            or (each.label_ == "ORG" and text.count(" ", each.start_char, each.end_char) > 1)
        ),
    )
    for match in _PAIR.finditer(text):
        words = re.sub(r"['’]s\b", "", match[0].lower()).split()
        unknown = [not _is_word(word) for word in words]
        is_name = (is_first_name(words[0]) or any(unknown)) if is_strict else all(unknown)
        if is_name and not covered[match.start()] and not known[match.start()]:
            raise Unswappable("name_elsewhere")
    if _CAPITAL_PRONOUN.search(text):
        raise Unswappable("gendered_name")


def _is_word(word: str) -> bool:
    """Return whether a word or its singular is in a dictionary or a title."""
    return is_listed(word) or is_listed(word.removesuffix("s")) or word in CLOSED_CLASS or word in _ADDRESSES


def _tag(doc: Any, start: int, end: int) -> str | None:
    """Return the Penn tag of a pronoun."""
    span = doc.char_span(start, end)
    tag = span[0].tag_ if span is not None and len(span) == 1 else ""
    if tag not in PRONOUN_TAGS:
        return None
    following = doc[span[0].i + 1 : span[0].i + 3]
    if doc.text[start:end].lower() == "her" and len(following) and _is_unsure(tag, following):
        raise Unswappable("unsure_pronoun")
    return tag


def _is_unsure(tag: str, following: Any) -> bool:
    """Return whether "her" has an unclear case: "does her washing", "called her selfish"."""
    word, next_tag = following[0].lower_, following[0].tag_
    if word in CLOSED_CLASS or word == "own":
        return False
    if next_tag in (_AFTER_POSSESSIVE if tag == "PRP" else _AFTER_OBJECT):
        return True
    return next_tag == "JJ" and (len(following) == 1 or not following[1].tag_.startswith(_AFTER_ADJECTIVE))


_AFTER_ADJECTIVE = ("NN", "JJ", "CC", ",", "HYPH", "CD", "VBG", "VBN")
_AFTER_POSSESSIVE = frozenset({"NN", "NNS", "JJ", "VBG"})
_AFTER_OBJECT = frozenset({"VB", "VBD", "VBP", "VBZ", "IN", "TO", "DT", "PRP", "PRP$", ".", ",", "CC"})


def _persons(text: str, names: Sequence[NamedEntity]) -> tuple[list[list[Mention]], set[str]]:
    """Return each person's mentions by name, and the single names used as first names.

    Names of several words are one person's if their first and last words agree, or if one has further first names
    ("Mary Ann Lee", "Ann Lee"). A single word is that of the one person who has it.
    """
    parsed = [(Mention(entity.start, entity.end), parse_name(text, entity.start, entity.end)) for entity in names]
    persons: dict[tuple[str, str], list[Mention]] = {}
    given = {(word.key, name.words[-1].key): name.words[0].key for _, name in parsed for word in name.words[1:-1]}
    for mention, name in parsed:
        if len(name.words) > 1:
            first, last = name.words[0].key, name.words[-1].key
            persons.setdefault((given.get((first, last), first), last), []).append(mention)
    full = tuple(persons)
    by_word: dict[str, list[tuple[str, str]]] = {}
    for person in full:
        for part in dict.fromkeys(person):
            by_word.setdefault(part, []).append(person)
    titled = {name.words[0].key: {title.key for title in name.titles} for _, name in parsed if name.titles}
    alone = set()
    for mention, name in parsed:
        if len(name.words) == 1:
            relative = _RELATIVE_BEFORE.search(text, max(0, mention.start - _LONGEST_RELATIVE), mention.start)
            bearer = _bearer(name, by_word.get(name.words[0].key, ()), titled, is_relative=relative is not None)
            persons.setdefault(bearer, []).append(mention)
            if not bearer[1]:
                alone.add(bearer[0])
    _check_firsts(full)
    return [sorted(mentions) for mentions in persons.values()], alone


def _check_firsts(full: Sequence[tuple[str, str]]) -> None:
    """Refuse full names that may lack a first name or name two persons.

    Examples: "Seminole Lodge", and "Warden Sands" next to "Miriam Sands".
    """
    known = census_first_names()
    firsts, lasts = (Counter(names) for names in (zip(*full, strict=True) if full else ((), ())))
    for first, last in full:
        if first not in known and _is_word(first):
            raise Unswappable("unsure_name")
        if firsts[first] > 1 or (first not in known and lasts[last] > 1):
            raise Unswappable("ambiguous_name")


def _bearer(
    name: PersonName, bearers: Sequence[tuple[str, str]], titled: Mapping[str, set[str]], *, is_relative: bool
) -> tuple[str, str]:
    """Return first and last name of a single name's person; unknown parts are empty."""
    [word] = name.words
    if len(bearers) > 1 and any(word.key == first for first, _ in bearers):
        raise Unswappable("ambiguous_name")
    if len(bearers) > 1:
        return ("", word.key)  # one of a family
    if bearers:
        return bearers[0]
    titles = titled.get(word.key, set())
    if titles & _BEFORE_LAST or (titles and word.key not in census_first_names()):
        return ("", word.key)
    if titles or not is_first_name(word.key) or not (is_relative or _is_no_last_name(word.key)):
        raise Unswappable("single_name")
    return (word.key, "")


def _is_no_last_name(word: str) -> bool:
    """Return whether a lone word is a frequent first name, unlike "Cruz"."""
    if first_name_gender(word) == "female":
        return census_first_names()[word][1] >= _BORNE
    return any(word.capitalize() in popular_first_names(gender) for gender in GENDERS)


def _gendered_words(text: str, covered: bytearray) -> Iterator[ContentWord]:
    forms = {word: entry for entry in listed("gendered") for word in entry[:2]}
    compounds = set(_COMPOUND.findall(text)) - set(forms)
    if any_of(word for (word,) in listed("untold")).search(text) or not all(map(_NO_COMPOUND.fullmatch, compounds)):
        raise Unswappable("untold_word")
    starts = {match.end() for match in _SENTENCE_START.finditer(text)}
    known = "|".join(re.escape(word) for word in sorted(forms, key=len, reverse=True))
    for match in re.finditer(rf"(?<!\w)(?:{known})(?!\w)", text, re.IGNORECASE):
        if covered[match.start()]:
            raise Unswappable("gendered_name")
        word = match[0].lower()
        other = forms[word][1 - forms[word].index(word)]
        if re.compile(rf"{_JOINED}{re.escape(other)}(?![\w-])", re.IGNORECASE).match(text, match.end()):
            raise Unswappable("both_genders")
        around = text[match.start() - 1 : match.start()] + text[match.end() : match.end() + 1]
        if "-" in around:
            raise Unswappable("gendered_compound")
        capitalized = match[0][0].isupper() and not is_capitals(match[0])
        if capitalized and (match.start() not in starts or _TITLE_IN_QUOTES.match(text, match.start() - 1)):
            raise Unswappable("gendered_name")
        female, male, neutral = (capitalize_like(form, match[0]) for form in forms[word])
        yield ContentWord(*match.span(), (0,), male, female, neutral)
