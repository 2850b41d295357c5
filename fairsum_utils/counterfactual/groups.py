"""Groups and names of the persons in counterfactual texts.

Source: papers/news-summarization-bias, sections 5.1 and 10, appendices C, D and K.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from fairsum_utils.errors import InputError
from fairsum_utils.families.entities.names import ETHNICITIES, GENDERS, bbq_names, popular_first_names
from fairsum_utils.validation import check_choice, describe

#: Attribute -> group -> race, None for any, and genders. The last four attributes are race and gender together.
#: Source: papers/news-summarization-bias, sections 5.1 and 10, appendix K.
GROUPS: Mapping[str, Mapping[str, tuple[str | None, tuple[str, ...]]]] = MappingProxyType(
    {
        "gender": {"male": (None, ("male",)), "female": (None, ("female",))},
        "race": {"black": ("black", GENDERS), "white": ("white", GENDERS)},
        **{
            f"black_{black}_white_{white}": {
                f"black_{black}": ("black", (black,)),
                f"white_{white}": ("white", (white,)),
            }
            for black, white in (("male", "female"), ("male", "male"), ("female", "male"), ("female", "female"))
        },
    }
)

#: All groups in each text, as evenly as possible; or one group in each text, and as many texts of each group.
LAYOUTS = ("local", "global")

#: Which names are replaced: first names, or first and last names.
NAMES = ("first", "both")

_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True)
class GroupNames:
    """The names that stand for a group.

    Args:
        first: gender -> first names; a person of the group has one of these genders.
        last: last names; needed only if they are to be replaced.
    """

    first: Mapping[str, tuple[str, ...]]
    last: tuple[str, ...] = ()


@dataclass(frozen=True)
class Setting:
    """Groups, layout and names of a counterfactual text; see `make_setting`.

    Args:
        groups: group -> its names.
        layout: one of `LAYOUTS`.
        names: one of `NAMES`.
    """

    groups: Mapping[str, GroupNames]
    layout: str
    names: str

    @property
    def told_by_gender(self) -> bool:
        """Whether pronouns and titles tell the groups apart: each has one gender, and not all the same."""
        genders = {tuple(group.first) for group in self.groups.values()}
        return len(genders) > 1 and all(len(several) == 1 for several in genders)

    def tells(self, kind: str) -> bool:
        """Whether a slot of this kind (see `templates.Slot`) tells a reader the group of a person."""
        if kind == "last":
            return self.names == "both"
        return kind in ("first", "initial") or self.told_by_gender


def make_setting(
    attribute: str | None,
    layout: str,
    *,
    names: str | None = None,
    inventory: Mapping[str, Mapping[str, object]] | None = None,
) -> Setting:
    """Say which groups and names persons get.

    Args:
        attribute: a key of `GROUPS`, with the groups and names of the paper; None with an ``inventory``.
        layout: one of `LAYOUTS`.
        names: one of `NAMES`; None is ``"first"`` for gender and ``"both"`` for all others, as in the paper. Last names
            for gender, of which the paper does not say where they are from, are those of all groups of BBQ.
        inventory: groups of your own, any number from two up: group -> ``{"first": names, "gender": "male" or "female",
            "last": names}``; ``first`` may also map both genders to names, and then a person's is drawn at random.

    Returns:
        The setting.

    Raises:
        InputError: an unknown name, both or neither of attribute and inventory, or an inventory that is not as
            described; the message names the group.

    Source: papers/news-summarization-bias, sections 5.1 and 10, appendices C and K.

    Example:
        >>> list(make_setting("black_male_white_female", "global").groups)
        ['black_male', 'white_female']
        >>> make_setting(None, "local", inventory={"old": {"first": ["Ada"], "gender": "female"}})
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: make_setting: inventory must map at least two groups to their names, found 1
    """
    check_choice("make_setting", "layout", layout, LAYOUTS)
    if (attribute is None) == (inventory is None):
        raise InputError("make_setting: give either an attribute or an inventory of names")
    if attribute is not None:
        check_choice("make_setting", "attribute", attribute, tuple(GROUPS))
    chosen = default_names(attribute) if names is None else names
    check_choice("make_setting", "names", chosen, NAMES)
    if attribute is None:
        groups = _given_groups(inventory, chosen)
    else:
        groups = {group: _listed_names(race, genders) for group, (race, genders) in GROUPS[attribute].items()}
    return Setting(MappingProxyType(groups), layout, chosen)


def default_names(attribute: str | None) -> str:
    """Names that the paper replaces: first names for gender, both names else.

    Example:
        >>> default_names("gender"), default_names("race")
        ('first', 'both')
    """
    return "first" if attribute == "gender" else "both"


def _listed_names(race: str | None, genders: Sequence[str]) -> GroupNames:
    """The names of the census for any race, else those of BBQ; last names are those of BBQ."""
    races = ETHNICITIES if race is None else (race,)
    first = {
        gender: popular_first_names(gender) if race is None else bbq_names(race, "first", gender) for gender in genders
    }
    return GroupNames(first, tuple(dict.fromkeys(name for some in races for name in bbq_names(some, "last"))))


def _given_groups(inventory: object, names: str) -> dict[str, GroupNames]:
    if not isinstance(inventory, Mapping) or len(inventory) < 2:
        size = len(inventory) if isinstance(inventory, Mapping) else describe(inventory)
        raise InputError(f"make_setting: inventory must map at least two groups to their names, found {size}")
    return {str(group): _given_group(group, entry, names) for group, entry in inventory.items()}


def _given_group(group: object, entry: object, names: str) -> GroupNames:
    where = f"make_setting: inventory: group {group!r}"
    if not isinstance(entry, Mapping) or "first" not in entry or set(entry) - {"first", "last", "gender"}:
        raise InputError(f"{where} must be a mapping with first, gender and maybe last, found {describe(entry)}")
    first = entry["first"] if isinstance(entry["first"], Mapping) else {entry.get("gender"): entry["first"]}
    for gender in first or [None]:
        check_choice(where, "gender", gender, GENDERS)
    by_gender = {gender: _given_names(where, "first", first[gender]) for gender in GENDERS if gender in first}
    return GroupNames(by_gender, _given_names(where, "last", entry.get("last")) if names == "both" else ())


def _given_names(where: str, kind: str, names: object) -> tuple[str, ...]:
    listed = names if isinstance(names, Sequence) and not isinstance(names, str) else ()
    if not listed or not all(isinstance(name, str) and _LETTER.search(name) for name in listed):
        raise InputError(f"{where}: {kind} must be a list of names, found {describe(names)}")
    return tuple(dict.fromkeys(name.strip() for name in listed))
