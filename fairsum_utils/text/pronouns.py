"""Gendered third-person pronouns and titles, and their forms for other genders.

Source: Steen and Markert 2024, section 3.4 and appendices D and F (table 14).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fairsum_utils._util.resources import read_words
from fairsum_utils.text.person_names import is_capitals
from fairsum_utils.validation import check_choice

GENDERS = ("male", "female", "neutral")

#: Possessive stands before a noun ("his car"), independent does not ("a car of his").
CASES = ("subject", "object", "possessive", "independent", "reflexive")

#: Gender -> case -> form. "themselves" rather than "themself": like himself and herself, it is a usual stop word.
PRONOUNS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        gender: MappingProxyType(dict(zip(CASES, forms.split(), strict=True)))
        for gender, forms in (
            ("male", "he him his his himself"),
            ("female", "she her her hers herself"),
            ("neutral", "they them their theirs themselves"),
        )
    }
)

GENDERED_PRONOUNS = frozenset(form for gender in ("male", "female") for form in PRONOUNS[gender].values())

_TITLES = {
    # title: male, female, neutral
    "mr": ("mr", "ms", "mx"),
    "mrs": ("mr", "mrs", "mx"),
    "ms": ("mr", "ms", "mx"),
    "miss": ("mr", "miss", "mx"),
    "sir": ("sir", "lady", "mx"),
    "lady": ("sir", "lady", "mx"),
    "lord": ("lord", "lady", "mx"),
    "dame": ("sir", "dame", "mx"),
}
#: In lower case, without period.
GENDERED_TITLES = frozenset(_TITLES)

#: Titles that are also used without a name ("Yes, ma'am"), as `text.person_names.fold` returns them.
#: Source: the published code of Steen and Markert 2024; the singular "madam" is ours.
FORMS_OF_ADDRESS = frozenset({"ma'am", "madam", "madams", "sir", "sirs"})

# "her" and "his" have two cases; `pronoun_case` chooses one.
_CASE_OF = {form: case for forms in PRONOUNS.values() for case, form in forms.items()} | {"themself": "reflexive"}

#: Words that no noun phrase begins with after a possessive, so that "her" before them is an object.
#: Words that also begin one ("her first", "her later work", "his will", "his two cars") are left out.
CLOSED_CLASS = frozenset(read_words("closed_class"))

_OPENING = frozenset("([{$€£#“‘`«")


def pronoun_case(token: str, following: str | None, pos: str | None = None) -> str | None:
    """Return the case of a third-person pronoun.

    Two forms have two cases: "her" is object or possessive, "his" is possessive or independent. The tag decides if it
    can, otherwise the next token: at the end, before punctuation, before a word of `CLOSED_CLASS` and before a
    contraction with "n't" they are not possessive. Before opening quotes, brackets and currency signs, "his" is
    possessive.

    Source: Steen and Markert 2024, section 3.4 and appendix D; rules are ours.

    Example:
        >>> pronoun_case("her", "car"), pronoun_case("Her", "yesterday"), pronoun_case("his", ".")
        ('possessive', 'object', 'independent')
    """
    word = token.lower()
    if word == "her":
        possessive = pos == "PRP$" or (pos != "PRP" and _begins_noun_phrase(following))
        return "possessive" if possessive else "object"
    if word == "his":
        opening = bool(following) and following[0] in _OPENING  # type: ignore[index]  # not empty
        possessive = pos != "PRP" and (opening or _begins_noun_phrase(following))
        return "possessive" if possessive else "independent"
    return _CASE_OF.get(word)


def _begins_noun_phrase(following: str | None) -> bool:
    word = (following or "").lower()
    return word[:1].isalnum() and word not in CLOSED_CLASS and not word.replace("’", "'").endswith("n't")


def render(case: str, gender: str, like: str = "") -> str:
    """Return the pronoun of a case and gender.

    Source: Steen and Markert 2024, section 3.4, "gender neutral variant (they/them etc.)".

    Example:
        >>> render("subject", "male", like="She"), render("independent", "neutral", like="HERS")
        ('He', 'THEIRS')
    """
    forms = PRONOUNS[check_choice("render", "gender", gender, GENDERS)]
    return capitalize_like(forms[check_choice("render", "case", case, CASES)], like)


def title_for(title: str, gender: str) -> str:
    """Return a gender's title with the period and letter case of another title.

    A title of the same gender stays: "Mrs." is "Mrs." for female. The counterparts are Mr. and Ms., Sir and Lady, which
    are restored when changed back. Mrs. and Miss return as "Ms.", Lord as Sir, Dame as Lady. "Miss" has no period, so
    its "Mr" has none. The neutral title is "Mx".

    Source: Steen and Markert 2024, appendix D (Mr., Mrs., Ms., Sir and Lady); Miss, Lord and Dame are ours.

    Example:
        >>> title_for("Mr.", "female"), title_for("LADY", "male"), title_for("Mrs.", "female"), title_for("Dr.", "male")
        ('Ms.', 'SIR', 'Mrs.', 'Dr.')
    """
    check_choice("title_for", "gender", gender, GENDERS)
    word = title.rstrip(".")
    forms = _TITLES.get(word.lower())
    if forms is None:
        return title
    return capitalize_like(forms[GENDERS.index(gender)], word) + title[len(word) :]


def capitalize_like(word: str, like: str) -> str:
    """Write a word in the case of the word that it replaces.

    Example:
        >>> capitalize_like("they", "SHE"), capitalize_like("they", "She"), capitalize_like("they", "she")
        ('THEY', 'They', 'they')
    """
    if is_capitals(like):
        return word.upper()
    return word[:1].upper() + word[1:] if like[:1].isupper() else word
