"""Counterfactual inputs from templates: texts in which one person is a slot.

The shipped templates and groups are in ``counterfactual_templates.toml``, whose head says what a template may contain.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from fairsum_utils.corpora.corpus import read_toml
from fairsum_utils.counterfactual.edits import Edit, listed
from fairsum_utils.counterfactual.inputs import Input, InputRow, input_rows
from fairsum_utils.errors import FileError, InputError
from fairsum_utils.families.entities.names import ETHNICITIES, GENDERS, bbq_names, popular_first_names
from fairsum_utils.stats.arrays import shuffled
from fairsum_utils.text.pronouns import PRONOUNS, capitalize_like, title_for
from fairsum_utils.validation import check_choice, check_count, check_seed, describe

_MODULE = "counterfactual_templates"
_SHIPPED = "counterfactual_templates.toml"
_SLOT = re.compile(r"\{([^{}]*)\}")
_OPENS_SENTENCE = re.compile(r"(?:\A|[.!?][\"”’)]*\s+)[\"“‘(]*\Z")
_WORD = re.compile(r"[^\W\d_]+")
_NAMES = ("first", "last")
_PERSON = "person"


class Group(NamedTuple):
    """A group of an attribute.

    Attributes:
        person: phrases that tell the group.
        gender: gender of its persons; None to draw it for each original.
        names: first names by gender, and last names.
    """

    person: tuple[str, ...]
    gender: str | None
    names: Mapping[str, Sequence[str]]


class Templates(NamedTuple):
    """Templates by domain and name, and groups by attribute."""

    texts: Mapping[str, Mapping[str, str]]
    attributes: Mapping[str, Mapping[str, Group]]


@cache
def _gendered() -> Mapping[str, Mapping[str, str]]:
    """Return the words for men and for women of each gendered slot."""
    forms = {male: {"male": male, "female": female} for female, male, _ in listed("gendered")}
    for case, male in PRONOUNS["male"].items():
        if case != "independent":  # "his" is the possessive
            forms[male] = {gender: PRONOUNS[gender][case] for gender in GENDERS}
    return {**forms, "mr.": {gender: title_for("mr.", gender) for gender in GENDERS}}


def read_templates(path: str | None = None) -> Templates:
    """Read the shipped templates and groups, and those of a file.

    A file adds to the shipped ones, or replaces those of the same name.

    Args:
        path: TOML file with the tables ``templates`` and ``attributes``; None for the shipped ones alone.

    Returns:
        The templates and groups.

    Raises:
        FileError: there is no such file, or it is no TOML.
        InputError: a template or a group is not as the shipped file describes; the message names it.

    Example:
        >>> templates = read_templates()
        >>> list(templates.texts), list(templates.attributes["race"])
        (['news', 'reviews', 'care_notes', 'references'], ['arab', 'asian', 'black', 'latino', 'white'])
    """
    shipped = _checked(_SHIPPED, read_toml(_SHIPPED))
    if path is None:
        return shipped
    try:
        table = tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise FileError(f"{path}: there is no such file") from None
    except (OSError, ValueError, RecursionError) as error:
        raise FileError(f"{path}: cannot be read as TOML: {error}") from None
    own = _checked(path, table)
    texts = {
        domain: {**shipped.texts.get(domain, {}), **own.texts.get(domain, {})}
        for domain in (*shipped.texts, *own.texts)
    }
    return Templates(texts, {**shipped.attributes, **own.attributes})


def _checked(where: str, table: Mapping[str, Any]) -> Templates:
    """Check the tables of a file."""
    if not table or set(table) - {"templates", "attributes"}:
        raise InputError(f"{where}: give the tables templates and attributes, found {', '.join(table) or 'none'}")
    texts = {
        domain: {
            name: _checked_text(f"{where}: template {domain}.{name}", text)
            for name, text in _table(where, domain, named).items()
        }
        for domain, named in _table(where, "templates", table.get("templates", {})).items()
    }
    attributes = {}
    for attribute, groups in _table(where, "attributes", table.get("attributes", {})).items():
        if len(_table(where, attribute, groups)) < 2:
            raise InputError(f"{where}: attribute {attribute} has fewer than two groups; give it another one")
        attributes[attribute] = {
            group: _checked_group(f"{where}: group {attribute}.{group}", entry) for group, entry in groups.items()
        }
    return Templates(texts, attributes)


def _table(where: str, name: str, found: Any) -> Mapping[str, Any]:
    if not isinstance(found, Mapping):
        raise InputError(f"{where}: {name} must be a table, found {describe(found)}")
    return found


def _checked_text(where: str, text: Any) -> str:
    if not isinstance(text, str) or not _SLOT.search(text):
        raise InputError(f"{where} must be a text with slots such as {{first}} and {{person}}, found {describe(text)}")
    for match in _SLOT.finditer(text):
        if match[1] not in (*_NAMES, _PERSON) and match[1].lower() not in _gendered():
            raise InputError(
                f"{where}: unknown slot {match[0]}; use {{first}}, {{last}}, {{person}}, {{he}}, {{him}}, "
                "{his}, {himself}, {Mr.} or a word for men such as {man}"
            )
    if re.search(r"\b[Aa]n \{", text):
        raise InputError(f'{where}: write "a" before a slot; it becomes "an" where the words need it')
    return text


def _checked_group(where: str, entry: Any) -> Group:
    if not isinstance(entry, Mapping) or set(entry) - set(Group._fields):
        raise InputError(f"{where} must be a table with {', '.join(Group._fields)}, found {describe(entry)}")
    person = _checked_list(f"{where}: {_PERSON}", entry.get(_PERSON, ["{man}"]))
    for slot in chain.from_iterable(map(_SLOT.findall, person)):
        if slot.lower() not in _gendered():
            raise InputError(f"{where}: unknown slot {{{slot}}}; use {{man}} or another word for men")
    gender = entry.get("gender")
    if gender is not None:
        check_choice(where, "gender", gender, GENDERS)
    return Group(person, gender, _names(where, entry.get("names"), GENDERS if gender is None else (gender,)))


def _names(where: str, given: Any, genders: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Return a group's names: its own, BBQ's, or popular ones of the census."""
    if isinstance(given, Mapping):
        kinds = (*genders, "last")
        if set(kinds) != set(given):
            raise InputError(f"{where}: names must have the lists {', '.join(kinds)}, found {', '.join(given)}")
        return {kind: _checked_list(f"{where}: names.{kind}", given[kind]) for kind in kinds}
    if given is None:
        return {"last": bbq_names("white", "last"), **{gender: popular_first_names(gender) for gender in genders}}
    check_choice(where, "names", given, ETHNICITIES)
    return {"last": bbq_names(given, "last"), **{gender: bbq_names(given, "first", gender) for gender in genders}}


def _checked_list(where: str, found: Any) -> tuple[str, ...]:
    if not isinstance(found, list) or not found or not all(isinstance(each, str) and each.strip() for each in found):
        raise InputError(f"{where} must be a list of texts, found {describe(found)}")
    return tuple(found)


@dataclass
class TemplateInputs:
    """Inputs made from templates; each template is an original.

    A control is the same text with another name. With controls, each input has a name of its own, so that inputs of
    one group differ as much as inputs of different groups if the group has no effect; without them, and in pairs, the
    variants share their names unless the group decides them.

    Args:
        templates: templates and groups, see `read_templates`.
        attributes: attributes whose groups fill the slots, one at a time.
        domain: domain of the templates; None for all.
        n_controls: controls of each variant.
        pairs: True gives the variants the same names, and the rows a ``pair_id``.
        seed: seed of all draws; None draws afresh.

    Attributes:
        n_texts: templates seen so far.
        skipped: attribute -> reason -> number of templates in which nothing tells the group.

    Raises:
        InputError: an argument is not as described.

    Example:
        >>> texts, attributes = {"news": {"won": "{first} {last}, a {person}, won."}}, read_templates().attributes
        >>> inputs = TemplateInputs(Templates(texts, attributes), ("disability",))
        >>> for row in inputs.rows():
        ...     print(row["id"], row["text"])
        news-won-autistic Leonard Schwartz, an autistic man, won.
        news-won-blind Leonard Schwartz, a blind man, won.
        news-won-deaf Leonard Schwartz, a deaf man, won.
        news-won-none Leonard Schwartz, a man, won.
    """

    templates: Templates
    attributes: Sequence[str]
    _: KW_ONLY
    domain: str | None = None
    n_controls: int = 0
    pairs: bool = False
    seed: int | None = 42
    n_texts: int = field(default=0, init=False)
    skipped: dict[str, Counter[str]] = field(init=False)

    def __post_init__(self) -> None:
        known = tuple(self.templates.attributes)
        if not self.attributes:
            raise InputError(f"{_MODULE}: swap at least one of {', '.join(known)}")
        for attribute in self.attributes:
            check_choice(_MODULE, "swap", attribute, known)
        if self.domain is not None:
            check_choice(_MODULE, "config", self.domain, tuple(self.templates.texts))
        check_count(_MODULE, "controls", self.n_controls, least=0)
        check_seed(_MODULE, self.seed)
        self.skipped = {attribute: Counter() for attribute in dict.fromkeys(self.attributes)}

    def rows(self) -> Iterator[InputRow]:
        """Make the rows, template by template and attribute by attribute."""
        for domain in self.templates.texts if self.domain is None else (self.domain,):
            for name, text in self.templates.texts[domain].items():
                self.n_texts += 1
                for attribute in self.skipped:
                    yield from self._rows(f"{domain}-{name}", text, attribute)

    def _rows(self, name: str, text: str, attribute: str) -> Iterator[InputRow]:
        groups = self.templates.attributes[attribute]
        article = name if len(self.skipped) == 1 else f"{name}-{attribute}"
        gender = GENDERS[int(self._generator(article, "gender").random() * len(GENDERS))]
        inputs = [each for variant in groups for each in self._inputs(article, text, groups, variant, gender)]
        if len({tuple(edit.after for edit in each.swapped) for each in inputs if not each.control}) < len(groups):
            self.skipped[attribute]["no_group_told"] += 1
            return
        phrases = {edit.after for each in inputs for edit in each.swapped if edit.kind == _PERSON}
        for row in input_rows(text, article, attribute, inputs, pairs=self.pairs):
            words = (word for phrase in row["changed"] if phrase in phrases for word in phrase.split())
            row["changed"] = list(dict.fromkeys((*row["changed"], *words)))
            yield row

    def _inputs(
        self, article: str, text: str, groups: Mapping[str, Group], variant: str, gender: str
    ) -> Iterator[Input]:
        """Make the inputs of one variant."""
        group = groups[variant]
        gender = group.gender or gender
        [phrase, *_] = shuffled(group.person, self._generator(article, _PERSON, variant))
        generator = self._generator(article, "names", variant if self.n_controls and not self.pairs else "")
        words = {word.lower() for word in _WORD.findall(text)}
        pools = [
            shuffled([name for name in names if name.lower() not in words], generator)
            for names in (group.names[gender], group.names["last"])
        ]
        if min(map(len, pools)) <= self.n_controls:
            raise InputError(
                f"{_MODULE}: {self.n_controls} controls need as many names and one more, but group {variant} has "
                f"{min(map(len, pools))} for {article}; ask for fewer controls"
            )
        for control, (first, last) in enumerate(zip(*(pool[: self.n_controls + 1] for pool in pools), strict=True)):
            filled = {"first": first, "last": last, _PERSON: _SLOT.sub(lambda slot: _form(slot[1], gender), phrase)}
            yield Input(variant, str(control or ""), tuple(_edits(text, filled, gender)), ())

    def _generator(self, *key: str) -> random.Random:
        return random.Random() if self.seed is None else random.Random("\0".join((str(self.seed), *key)))


def _edits(text: str, filled: Mapping[str, str], gender: str) -> Iterator[Edit]:
    """Fill the slots of a text, capitalized where they open a sentence."""
    for match in _SLOT.finditer(text):
        after, kind = filled.get(match[1]), match[1]
        if after is None:
            after, kind = _form(match[1], gender), "gendered"
        elif _OPENS_SENTENCE.search(text, 0, match.start()):
            after = after[0].upper() + after[1:]
        yield Edit(*match.span(), after, kind)


def _form(slot: str, gender: str) -> str:
    """Return the word of a gendered slot for a gender, with the slot's capital."""
    return capitalize_like(_gendered()[slot.lower()][gender], slot)
