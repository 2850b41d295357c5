"""Names of persons within names of things: titles of works, organisations, places, awards.

"Ann Lee: A Portrait", "the Ann Lee Show" and "Ann Lee Racing" do not change with the person. A swap would invent
another thing, and a name that stays would reveal the original. So such texts are refused.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from fairsum_utils._util.resources import read_words
from fairsum_utils.counterfactual.chains import cover
from fairsum_utils.counterfactual.documents import NamedEntity
from fairsum_utils.counterfactual.edits import Unswappable
from fairsum_utils.counterfactual.name_parts import Word, words_of
from fairsum_utils.families.entities.names import is_first_name
from fairsum_utils.text.person_names import SUFFIXES, TITLES

_CAPITAL = r"[^\W\d_a-z][\w'’-]*"
_SMALL = r"(?:a|an|and|at|by|for|from|in|of|on|or|the|to|vs\.?|with)"
_RUN = rf"{_CAPITAL}\s(?:{_SMALL}\s)*{_CAPITAL}"  # "Part of Me", "A Portrait"
_WORKS = "|".join(read_words("work"))
_NAMED = "|".join(read_words("named_thing"))
_LAST_WORDS = frozenset(read_words("thing"))
_ALSO_NAMES = frozenset((*read_words("thing_or_name"), *read_words("street")))
_LONGEST_BEFORE, _LONGEST_QUOTE = 80, 150

_OWNED = "|".join(sorted({word.capitalize() for word in (*read_words("thing"), *read_words("work"))}))

_TITLE_AFTER = [
    re.compile(rf"['’]s?\s(?:{_OWNED})\b"),  # "Ann's Law"
    re.compile(r"\s(?:debuted|peaked|charted|entered|reached)\s(?:[\w'’]+\s){0,4}(?:number|No\.|#|[Cc]hart)"),
    re.compile(rf":\s(?:{_RUN}|{_CAPITAL}(?:[.,;”\"’)]|\Z))"),  # "Ann Lee: A Portrait"
    re.compile(rf"['’]s?\s(?:{_CAPITAL}\s){{1,5}}{_CAPITAL}:"),  # "Ann Lee's Purple Diary: A Scandal"
    re.compile(rf"\s\((?:\d{{4}}|(?:\d{{4}}\s)?(?:[A-Z]+\s)?(?:{_WORKS}))\)"),  # "Ann Lee (2004 film)"
    re.compile(
        rf"\s(?:is|was)\s(?:an?|the)\s(?:(?!(?:of|in|on|and|for|with)\s)[\w'’-]+\s){{0,6}}(?i:{_WORKS})"
        r"(?:[.;]|\s(?:by|directed|released|written|starring|produced|recorded|created|about|set|based)\b)"
    ),  # "Ann Lee is a 1999 film directed by"
]
_TITLE_BEFORE = [
    re.compile(rf"(?:{_RUN}|{_CAPITAL}\s\d+):\s\Z"),  # "Winning Time: Ann Lee", "Volume 3: Ann Lee"
    re.compile(rf"\b(?i:{_WORKS}|(?:the|a|his|her|stage|['’]s)\splay)(?:\s(?:called|named))?(?:\s|,?\s[\"“‘'])\Z"),
    re.compile(rf"\b(?i:{_WORKS}|plays)\s(?:such as|like|include[sd]?|including)\s(?:[^.;:]{{0,60}}\s)?\Z"),
    re.compile(r"\b(?:en)?titled\s[\"“‘']?\Z"),
    re.compile(r"\b(?:Memoirs?|Life|Biography|Letters|Works|Papers)\sof\s(?:Sir\s)?\Z"),
]
# Before a name without possessive ending: "her role on Ann Lee", "starred in Ann Lee" (a title or a place)
_TITLE_OR_PLACE_BEFORE = [
    re.compile(
        r"\b(?:appear|air|cameo|cast|debut|episode|feature|guest|host|part|perform|play|role|season|star|voice)\w*\s"
        r"(?:[^.;:]{0,40}\s)?on\s\Z"
    ),
    re.compile(rf"{_CAPITAL}\s+on\s\Z"),
    re.compile(r"\b(?:season|episode|production|version|adaptation|revival|remake|cast|premiere)s? of\s\Z"),
    re.compile(r"(?<!['’]s)\b[Ii]n\s\Z"),
]
# "Her debut album, Ann Lee, was", "a series, Ann Lee's Stories"
_WORK_AND_COMMA = re.compile(rf"\b(?i:{_WORKS}),\s\Z")
_APPOSED = re.compile(rf",\s|['’]s?\s{_CAPITAL}")
_COLON_BEFORE = re.compile(rf"({_CAPITAL}):\s\Z")
_TITLE_OF_PERSON = re.compile(rf"\b(?:{'|'.join(sorted(map(str.capitalize, TITLES)))})\b\.?\s\Z")
_THING_AFTER = [
    re.compile(rf"\s&\s|\sand\s(?:[Tt]he|[Hh]is|[Hh]er)\s{_CAPITAL}"),  # "Ann Lee & Sons", "Ann Lee and the Supremes"
    re.compile(r"\sand\s(?:Company|Co|Sons|Brothers|Associates|Partners|Friends)\b"),
    re.compile(r"\s(?:awards?|prizes?|medals?|troph(?:y|ies)|lectures?)\b"),
    re.compile(r"\svs?\.?\s"),  # "Lee v. Kay"
]
_THING_BEFORE = [
    re.compile(r"(?<![\w'’-])(?:[Tt]he|[Aa]n?)\s\Z"),  # "the Ann Lee Show", "an Ann Lee film"
    re.compile(r"\svs?\.?\s\Z|\s&\s\Z"),
    re.compile(rf"\b(?i:{_NAMED})(?:\s(?:called|named))?\s[\"“‘']?\Z"),  # "the racehorse Ann Lee"
    re.compile(rf"\b(?:{'|'.join(map(str.capitalize, read_words('before_place')))})\.?\s\Z"),
    re.compile(rf"\b(?:{'|'.join(map(str.upper, read_words('before_place')))})\s\Z"),
]
# "at Ann's Emerson High School": Gary, Indiana
_PLACE_OWNER = re.compile(r"\b(?:at|in)\s\Z"), re.compile(rf"['’]s?\s{_CAPITAL}")
# Words that show a person beside a name whose first word is no listed first name.
_PERSON_AFTER = re.compile(
    r"(?:\s?\([^)]*\))?,?\s(?:(?:who|said|says|wrote|stated|told|died|born|better|known|also known|professionally)\b|"
    r"(?:(?:is|was)\s)?(?:an?|the|one)\s(?:[\w/&-]+,?\s){0,6}?[a-z/-]*(?:er|or|ist|man|woman|ian|ant|ent|ess|star|host)s?\b)"
)
_PERSONS = "|".join((*read_words("person"), *read_words("kin"), *read_words("other_title"), "referee"))
_PERSON_BEFORE = re.compile(rf"\b(?:[a-z]+(?:er|or|ist|man|woman|ian|ant|ess)|(?<!such )as|by|with|{_PERSONS}),?\s\Z")
_NOT_LATIN = re.compile(r"(?![\u0250-\u036f\u1e00-\u1eff])[^\W\d_\u0000-\u024f]")
_NEXT_CAPITAL = re.compile(rf"\s({_CAPITAL})")
_DEGREES = re.compile(r"\s(?:(?!TV|FC)[A-Z]{2,5}\b,?\s?)+(?!\w)")
# A capitalized word before a name, and not at the beginning of a sentence: "Later with ", "Death of "
_CAPITAL_BEFORE = re.compile(rf"(?<=[\w,;)]\s)({_CAPITAL})\s(?:(?:by|for|from|of|with)\s)?\Z")
#: Endings of nouns for persons.
PERSON_NOUN = re.compile(r"(?:er|or|ist|man|men|woman|ian|ant|ent|eer|ee|ess)s?\Z")
_QUOTED = re.compile(rf"[\"“]([^\"“”\n]{{1,{_LONGEST_QUOTE}}})[\"”]")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_SMALL_WORD = re.compile(_SMALL)


class _Name(NamedTuple):
    """A person's name with the text before it."""

    text: str
    start: int
    end: int
    words: Sequence[Word]
    before: str

    @property
    def shown(self) -> str:
        """Return the name as written."""
        return self.text[self.start : self.end]


def check_things(text: str, doc: Any, names: Iterable[NamedEntity]) -> None:
    """Refuse a text if a person's name may name or title a thing."""
    names = sorted(names)
    covered = cover(text, (name[:2] for name in names))
    labels = {entity.start_char: entity.label_ for entity in doc.ents}
    ends = {entity.end_char for entity in doc.ents}
    confirmed: dict[tuple[str, str], bool] = {}
    for start, end, _ in names:
        words = words_of(text, start, end)
        name = _Name(text, start, words[-1].end, words, text[max(0, start - _LONGEST_BEFORE) : start])
        key = words[0].key, words[-1].key
        confirmed[key] = confirmed.get(key, False) or _is_confirmed(name)
        if _is_title(name, covered):
            raise Unswappable("name_in_title")
        if _is_thing(name, covered, labels) or _is_joined(name, ends):
            raise Unswappable("name_of_thing")
    _check_quotes(text, covered)
    alone = {key[0] for key in confirmed if key[0] == key[1]}
    if not all(is_person or alone.intersection(key) for key, is_person in confirmed.items()):
        raise Unswappable("unsure_name")


def _is_confirmed(name: _Name) -> bool:
    """Return whether a first name or the words around it show a person."""
    if _NOT_LATIN.search(name.shown):
        return False
    if len(name.words) == 1 or any(is_first_name(word.key) for word in name.words[:-1]):
        return True
    titled = name.words[0].key in TITLES or _TITLE_OF_PERSON.search(name.before)
    return bool(titled or _PERSON_AFTER.match(name.text, name.end) or _PERSON_BEFORE.search(name.before))


def _is_title(name: _Name, covered: bytearray) -> bool:
    """Return whether the words around a name show a title."""
    before = _TITLE_OF_PERSON.sub("", name.before)
    if any(pattern.search(before) for pattern in _TITLE_BEFORE):
        return True
    possessive = name.text[name.end : name.end + 1] in {"'", "’"}
    if not possessive and any(pattern.search(before) for pattern in _TITLE_OR_PLACE_BEFORE):
        return True
    if _WORK_AND_COMMA.search(before) and _APPOSED.match(name.text, name.end):
        return True
    colon = _COLON_BEFORE.search(name.before)
    if colon and not covered[name.start - len(name.before) + colon.start(1)] and not _is_of_person(colon[1]):
        return True
    is_person_next = any(covered[name.end + 2 : name.end + 3])  # "said of Lee: Ann Lee had"
    return not is_person_next and any(pattern.match(name.text, name.end) for pattern in _TITLE_AFTER)


def _is_thing(name: _Name, covered: bytearray, labels: Mapping[int, str]) -> bool:
    """Return whether last word or neighbours show an organisation or a place."""
    words = name.words
    last = words[-1].key
    if len(words) > 1 and (last in _LAST_WORDS or (last in _ALSO_NAMES and not is_first_name(words[-2].key))):
        return True
    if len(words) > 1 and last.endswith(("ism", "ology")):
        return True
    if any(pattern.search(name.before) for pattern in _THING_BEFORE):
        return True
    if any(pattern.match(name.text, name.end) for pattern in _THING_AFTER):
        return True
    owner, owned = _PLACE_OWNER
    if owner.search(name.before) and owned.match(name.text, name.end):
        return True
    following = _NEXT_CAPITAL.match(name.text, name.end)
    if following is None or covered[following.start(1)] or labels.get(following.start(1)) in {"DATE", "TIME"}:
        return False
    return following[1].lower() not in SUFFIXES | {"i"} and not _DEGREES.match(name.text, name.end)


def _is_joined(name: _Name, ends: Collection[int]) -> bool:
    """Return whether the capitalized word before a name may belong to it.

    It does not in "Later with Ann Lee".
    """
    word = _CAPITAL_BEFORE.search(name.before)
    if word is None or name.start - len(name.before) + word.end(1) in ends:
        return False
    return not (_is_of_person(word[1]) or word[1].endswith(("'s", "’s", "'", "’")))


def _is_of_person(word: str) -> bool:
    """Return whether a capitalized word may stand before a person's name: "President", "Director"."""
    return word.lower() in TITLES or bool(PERSON_NOUN.search(word))


def _check_quotes(text: str, covered: bytearray) -> None:
    """Refuse a quoted title with a person's name: "Lee Dead at 58"."""
    for quote in _QUOTED.finditer(text):
        if not any(covered[slice(*quote.span(1))]):
            continue
        words = [word[0] for word in _WORD.finditer(text, *quote.span(1)) if not covered[word.start()]]
        is_capital = any(word[0].isupper() and word.lower() not in TITLES for word in words)
        if is_capital and all(word[0].isupper() or _SMALL_WORD.fullmatch(word) for word in words):
            raise Unswappable("name_in_title")
