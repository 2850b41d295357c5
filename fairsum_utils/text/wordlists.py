"""Word lists that identify groups, and their tokenizer."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from fairsum_utils._util.characters import unified
from fairsum_utils._util.resources import read_lines
from fairsum_utils.errors import InputError
from fairsum_utils.text.locations import located_in, lowered_origins
from fairsum_utils.validation import describe

WordLists: TypeAlias = Mapping[str, tuple[str, ...]]
"""Group -> the words that identify it."""


def _pairs(name: str) -> list[list[str]]:
    """Read the female and male words of a shipped list, in pairs."""
    rows = [line.split("\t") for line in read_lines("gender_pairs.txt")]
    return [pair for listed, *pair in rows if listed == name]


def _by_gender(name: str) -> WordLists:
    female, male = zip(*_pairs(name), strict=True)
    return MappingProxyType({"female": female, "male": male})


HELM_GENDER = _by_gender("helm")
"""The lists of HELM (Liang et al., 2022).

`femen`, where one expects "females", is likely a mistake in HELM; the paper keeps it for comparability, and so do we:
"females" is not counted, "males" is. `EXTENDED_GENDER` has both.

Source: Steen and Markert 2024, appendix A, table 10.
"""

EXTENDED_GENDER = _by_gender("extended")
"""Content words that depend on gender. No pronouns.

Source: Steen and Markert 2024, appendix J, table 18.
"""

WORD_LISTS: Mapping[str, WordLists] = MappingProxyType({"helm": HELM_GENDER, "extended": EXTENDED_GENDER})
"""The shipped lists by name."""


# Simpler than the tokens of names, which compare accents too: sources are long, and every word of theirs is looked up.
_CLITIC = r"(?:s|d|m|ll|re|ve)\b"
_WORD = re.compile(rf"(?<![^\W_])(?<!\w['’])[^\W_]+(?:['’\-‐‑](?!{_CLITIC})[^\W_]+)*")


def lists_name(word_lists: WordLists) -> str:
    """Identify word lists in a signature: by name, or by a digest.

    Example:
        >>> lists_name(HELM_GENDER), lists_name({"young": ("teen",), "old": ("pensioner",)})
        ('helm', 'given@593b3aa4')
    """
    for name, shipped in WORD_LISTS.items():
        if word_lists == shipped:
            return name
    from hashlib import blake2b

    content = json.dumps({group: sorted(listed) for group, listed in word_lists.items()}, sort_keys=True)
    return f"given@{blake2b(content.encode(), digest_size=4).hexdigest()}"


def words(text: str) -> list[str]:
    """Split a text into lower-case words.

    Hyphens and apostrophes join a word, so that "mother-in-law" is one; clitics such as that of "she's" are dropped.

    Example:
        >>> words("She's Ann O'Boyle's step-mother; HER son's!")
        ['she', 'ann', "o'boyle", 'step-mother', 'her', 'son']
    """
    return _WORD.findall(text.lower())


def count_identifiers(text: str, word_lists: WordLists = HELM_GENDER) -> dict[str, int]:
    """Count the words of each group in a text, with repeats.

    Summaries and their sources must both be counted by this function: a summary that copies its source then has the
    source's shares.

    Source: Steen and Markert 2024, section 3.1, cnt(W_g, S).

    Example:
        >>> count_identifiers("She's here. Her brother, a he-man, met Sherry and the women.")
        {'female': 3, 'male': 1}
    """
    group_of = {word: group for group, listed in word_lists.items() for word in listed}
    groups = [group_of[word] for word in words(text) if word in group_of]
    return {group: groups.count(group) for group in word_lists}


class Identifier(NamedTuple):
    """Word of a text that identifies a group.

    Attributes:
        start: position of the first character in the text.
        end: position after the last character.
        word: word as in the lists.
        group: group that it identifies.
    """

    start: int
    end: int
    word: str
    group: str


def find_identifiers(text: str, word_lists: WordLists = HELM_GENDER) -> list[Identifier]:
    """Locate the words that `count_identifiers` counts, in text order.

    Example:
        >>> [(found.word, found.start) for found in find_identifiers("She's here with HIM.")]
        [('she', 0), ('him', 16)]
    """
    group_of = {word: group for group, listed in word_lists.items() for word in listed}
    words = ((match[0], *match.span()) for match in _WORD.finditer(text.lower()) if match[0] in group_of)
    return [
        Identifier(start, end, word, group_of[word]) for word, start, end in located_in(words, lowered_origins(text))
    ]


def check_word_lists(module: str, word_lists: object = "helm") -> WordLists:
    """Check custom word lists, or find shipped ones by name.

    Example:
        >>> dict(check_word_lists("word_list_inclusion", {"young": ["teen", "teens"], "old": ["pensioner"]}))
        {'young': ('teen', 'teens'), 'old': ('pensioner',)}
        >>> check_word_lists("word_list_inclusion", {"a": ["she"], "b": ["he", "she"]})
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: word_list_inclusion: word_lists: 'she' is in the lists of 'a' and 'b';
        keep it in one of them
    """
    where = f"{module}: word_lists"
    if isinstance(word_lists, str) and word_lists in WORD_LISTS:
        return WORD_LISTS[word_lists]
    if not isinstance(word_lists, Mapping):
        raise InputError(
            f"{where} must be one of {', '.join(WORD_LISTS)} or a mapping from group to its words, "
            f"found {describe(word_lists)}"
        )
    if len(word_lists) < 2:
        raise InputError(
            f"{where} must have at least two groups, found {len(word_lists)}; add the words of another group"
        )
    checked = {group: _check_list(where, group, listed) for group, listed in word_lists.items()}
    group_of: dict[str, str] = {}
    for group, word in ((group, word) for group, listed in checked.items() for word in listed):
        if word in group_of:
            other = "twice in the list of" if group_of[word] == group else f"in the lists of {group_of[word]!r} and"
            remedy = "list it once" if group_of[word] == group else "keep it in one of them"
            raise InputError(f"{where}: {word!r} is {other} {group!r}; {remedy}")
        group_of[word] = group
    return MappingProxyType(checked)


def _check_list(where: str, group: object, listed: object) -> tuple[str, ...]:
    if not isinstance(group, str):
        raise InputError(f"{where}: groups must be strings, found {describe(group)}; use str()")
    if not isinstance(listed, (list, tuple)) or not listed:
        raise InputError(f"{where}: {group!r} must have a non-empty list of words, found {describe(listed)}")
    for word in listed:
        if not isinstance(word, str):
            raise InputError(f"{where}: {group!r}: words must be strings, found {describe(word)}")
        if words(unified(word)) != [unified(word)]:
            raise InputError(
                f"{where}: {group!r}: {word!r} is not a single lower-case word, so it would never match; use words "
                f"such as {words(word) or ['she']}"
            )
    return tuple(map(unified, listed))
