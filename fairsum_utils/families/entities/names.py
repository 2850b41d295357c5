"""Names from the 1990 US census and BBQ."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from fairsum_utils._util.resources import read_lines
from fairsum_utils.errors import InputError
from fairsum_utils.text.languages import listed_stop_words
from fairsum_utils.text.person_names import TITLES
from fairsum_utils.validation import check_choice, describe

GENDERS = ("male", "female")

ETHNICITIES = ("arab", "asian", "black", "latino", "white")

KINDS = ("first", "last")

# Popular names of each gender: each of them is borne by at least 0.08% of its gender.
POPULAR = 200
# A name that both genders bear belongs to the one that bears it at least so many times as often;
_RATIO = 2
# and it tells the gender if that one bears it so many times as often.
_CLEAR_RATIO = 10

# Percentage of a gender with a first name, from which the name is usual.
_USUAL = 0.02

# Only what the census lists as a first name, and the first of its stop words do not have.
_MONTHS_AND_DAYS = ("january", "april", "may", "june", "august", "september", "sunday")
_COUNTRIES_AND_CONTINENTS = (
    *("america", "argentina", "asia", "burma", "chad", "china", "dominica", "france", "georgia", "india", "israel"),
    *("jordan", "kenya", "trinidad"),
)


@cache
def census_first_names() -> Mapping[str, tuple[float, float]]:
    """Read the percentages of men and women with each lower-case first name.

    Source: fairsum_utils/_util/resources/README.md; Steen and Markert 2024, section 5.1.

    Example:
        >>> names = census_first_names()
        >>> len(names), names["mary"], names["leslie"]
        (5163, (0.009, 2.629), (0.081, 0.154))
    """
    fields = (line.split("\t") for line in read_lines("first_names.txt.gz"))
    return {name: (float(male), float(female)) for name, male, female in fields}


@cache
def no_names() -> frozenset[str]:
    """List words that are not names by themselves, even if the census lists them.

    The shipped English stop words ("an", "will"), except the first halves of contractions ("don", of "don't"); months
    and days; countries and continents; titles. Texts use them far more often otherwise. Before a last name they are
    first names: Will Smith, April Jones.

    Source: written for this project; Steen and Markert 2024, appendix F, looks every token up.

    Example:
        >>> sorted(word for word in no_names() if word in ("an", "china", "don", "mary", "may", "will"))
        ['an', 'china', 'may', 'will']
    """
    listed = {word for language, word in listed_stop_words() if language == "english"}
    stop_words = {word for word in listed if f"{word}'t" not in listed}
    return frozenset(stop_words.union(_MONTHS_AND_DAYS, _COUNTRIES_AND_CONTINENTS, TITLES))


def is_first_name(word: str) -> bool:
    """Return whether a lower-case word is a first name by itself.

    It is in the census and none of `no_names`.

    Example:
        >>> is_first_name("mary"), is_first_name("will"), is_first_name("okoye")
        (True, False, False)
    """
    return word in census_first_names() and word not in no_names()


@cache
def census_groups() -> Mapping[str, str]:
    """Return the gender of each unambiguous first name."""
    return {
        name: "male" if male > female else "female"
        for name, (male, female) in census_first_names().items()
        if max(male, female) >= _RATIO * min(male, female)
    }


def first_name_gender(name: str) -> str | None:
    """Return the usual gender of a first name by the census, or None.

    Example:
        >>> first_name_gender("Mary"), first_name_gender("Leslie"), first_name_gender("Okoye")
        ('female', None, None)
    """
    shares = census_first_names().get(name.lower(), (0.0, 0.0))
    if max(shares) < _CLEAR_RATIO * min(shares) or not max(shares):
        return None
    return GENDERS[shares.index(max(shares))]


def is_usual_first_name(name: str) -> bool:
    """Check whether many people have a first name by the census.

    Example:
        >>> is_usual_first_name("Mary"), is_usual_first_name("Mao")
        (True, False)
    """
    return max(census_first_names().get(name.lower(), (0.0, 0.0))) >= _USUAL


@cache
def popular_first_names(gender: str) -> tuple[str, ...]:
    """Return the `POPULAR` most frequent first names of a gender in the census.

    Names that the other gender bears more than half as often are left out, and so are the words of `no_names`.

    Args:
        gender: ``"male"`` or ``"female"``.

    Returns:
        Capitalized names, most frequent first; those of equal frequency by alphabet.

    Raises:
        InputError: unknown gender.

    Source: Steen and Markert 2024, section 5.1 (which names no limit), and appendix F for ambiguous names.

    Example:
        >>> popular_first_names("female")[:3], popular_first_names("male")[:3]
        (('Mary', 'Patricia', 'Linda'), ('James', 'John', 'Robert'))
    """
    check_choice("popular_first_names", "gender", gender, GENDERS)
    names = [name for name, group in census_groups().items() if group == gender and name not in no_names()]
    ordered = sorted((-census_first_names()[name][GENDERS.index(gender)], name) for name in names)
    return tuple(name.capitalize() for _, name in ordered[:POPULAR])


def bbq_names(ethnicity: str, kind: str, gender: str | None = None) -> tuple[str, ...]:
    """Return BBQ's first or last names that signal an ethnicity.

    Args:
        ethnicity: one of `ETHNICITIES`.
        kind: ``"first"`` or ``"last"``.
        gender: ``"male"`` or ``"female"`` for first names of one gender; None for all.

    Returns:
        The names as written and in the order published. One name, Amy, is listed both as Asian and as white.

    Raises:
        InputError: unknown ethnicity, kind or gender, or a gender together with last names.

    Source: Parrish et al. (2022), see fairsum_utils/_util/resources/README.md;
        Steen and Markert 2024, section 10.

    Example:
        >>> bbq_names("black", "first", "female")[:3], len(bbq_names("asian", "last"))
        (('Ebony', 'Latoya', 'Latasha'), 20)
    """
    check_choice("bbq_names", "ethnicity", ethnicity, ETHNICITIES)
    check_choice("bbq_names", "kind", kind, KINDS)
    if gender is not None:
        check_choice("bbq_names", "gender", gender, GENDERS)
        if kind == "last":
            raise InputError(f"bbq_names: last names have no gender, found gender={describe(gender)}; leave gender out")
    rows = (line.split("\t") for line in read_lines("bbq_names.txt.gz"))
    chosen = [(name, listed) for name, *others, listed, of in rows if (others, of) == ([kind], ethnicity)]
    return tuple(name for name, listed in chosen if gender in (None, listed))
