"""Known-people table: male and female pronouns in texts about each person.

A table is a file of UTF-8 text, ``.tsv`` or ``.tsv.gz``: a header line ``title<TAB>male<TAB>female``, and a line for
each person with the name and the number of male and of female pronouns. It is made from a Wikipedia dump or from a
Wikidata export, which counts one pronoun for a person of known gender.
"""

from __future__ import annotations

import bz2
import csv
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import NoneType
from typing import Any, NamedTuple
from xml.etree import ElementTree

from tqdm import tqdm

from fairsum_utils._util.terminal import bar, is_quiet
from fairsum_utils.errors import InputError
from fairsum_utils.io.columns import check_columns
from fairsum_utils.io.names import format_of, with_packing
from fairsum_utils.io.opening import place_of
from fairsum_utils.io.reading import check_input, read_rows
from fairsum_utils.io.stores import as_path
from fairsum_utils.io.tables import read_table
from fairsum_utils.io.writing import check_output, open_output
from fairsum_utils.text.pronouns import PRONOUNS
from fairsum_utils.validation import describe

_HEADER = ("title", "male", "female")
# Digits of a number of pronouns; Python makes no number of thousands of them.
_LONGEST = 18
# Endings of the name of a table.
ENDINGS = with_packing([".tsv"])

_TABS: Mapping[str, Any] = {"delimiter": "\t", "quoting": csv.QUOTE_NONE}


class Person(NamedTuple):
    """Line of the table.

    Attributes:
        title: name.
        male: number of male pronouns.
        female: number of female pronouns.
    """

    title: str
    male: int
    female: int


def agreed(pairs: Iterable[tuple[str, str | None]]) -> dict[str, str | None]:
    """Return the group of each name, or None if its people differ.

    Source: papers/news-summarization-bias, appendix F.

    Example:
        >>> agreed([("A. Lee", "male"), ("A. Lee", None), ("B. Lee", "male"), ("B. Lee", "female"), ("C. Lee", None)])
        {'A. Lee': 'male', 'B. Lee': None, 'C. Lee': None}
    """
    groups: dict[str, str | None] = {}
    differing = set()
    for name, group in pairs:
        known = groups.get(name)
        if known is None:
            groups[name] = group
        elif group not in (None, known):
            differing.add(name)
    return groups | dict.fromkeys(differing)


def read_people(path: str | Path) -> Mapping[str, str | None]:
    """Read a known-people table.

    Args:
        path: file name ending in ``.tsv`` or ``.tsv.gz``.

    Returns:
        Title -> the gender with more pronouns, ``"male"`` or ``"female"``; None for as many of both, none among them,
        and for people of the same title whose genders differ.

    Raises:
        InputError: the file is missing, its header differs or a line is malformed.
        FileError: the file cannot be unpacked.

    Source: papers/news-summarization-bias, appendix F.

    Example:
        >>> path = Path(tempfile.mkdtemp()) / "people.tsv"
        >>> write_people([Person("Pat Nixon", 3, 41), Person("Farai Sevenzo", 0, 0)], path)
        2
        >>> read_people(path)
        {'Pat Nixon': 'female', 'Farai Sevenzo': None}
    """
    path = as_path(path, "people")
    check_input(path, ENDINGS, remedy="make it with `fairsum data people`")
    people = agreed(_genders(path))
    if not people:
        raise InputError(f"{path}: the table has no people; make it again with `fairsum data people`")
    return people


def _genders(path: Path) -> Iterator[tuple[str, str | None]]:
    for where, record in read_table(path, _HEADER, what="a table made with `fairsum data people`", **_TABS):
        title, *counts = fields = [record[name] for name in _HEADER]
        if not title or not all(_is_number(count) for count in counts):
            raise InputError(
                f"{where}: expected a title and two whole numbers, found {describe(fields)}; make the table again with "
                "`fairsum data people`"
            )
        male, female = map(int, counts)
        yield title, None if male == female else "male" if male > female else "female"


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _LONGEST


def write_people(people: Iterable[Person], path: str | Path) -> int:
    """Write a table atomically and reproducibly.

    Args:
        people: people, read one by one.
        path: file name ending in ``.tsv`` or ``.tsv.gz``.

    Returns:
        How many lines follow the header.

    Raises:
        InputError: another ending.
    """
    check_output(path, *ENDINGS)
    count = 0
    with open_output(path) as file:
        file.write(("\t".join(_HEADER) + "\n").encode())
        for person in people:
            file.write(f"{_one_line(person.title)}\t{person.male}\t{person.female}\n".encode())
            count += 1
    return count


def _one_line(text: str) -> str:
    return " ".join(text.split())


_PEOPLE = re.compile(r"\b(?:births|deaths|people)\b", re.IGNORECASE)
_CATEGORY = re.compile(r"\[\[\s*category\s*:\s*([^\[\]|]*)", re.IGNORECASE)
_TO_SECTION = re.compile(r"[^\[]*\[\[[^\[\]|#]*#")
_QUALIFIER = re.compile(r" \([^()]*\)$")
_MALE, _FEMALE = ("|".join(PRONOUNS[gender].values()) for gender in ("male", "female"))
_PRONOUN = re.compile(rf"\b(?:({_MALE})|{_FEMALE})\b", re.IGNORECASE)

# Comments, which may run to the end, references, addresses and tags.
_UNSEEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<ref\b[^<>]*(?<!/)>(?:(?!<ref\b).)*?</ref\s*>|https?://[^\s\]]*|<[^<>]*>",
    re.IGNORECASE | re.DOTALL,
)
_TEMPLATE = re.compile(r"\{\{[^{}]*\}\}")
_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)*([^\[\]|]*)\]\]")
# Templates or links within each other, as of MediaWiki; what is nested deeper stays.
_DEEPEST = 100


def pronoun_counts(wikitext: str) -> tuple[int, int]:
    """Count the male and female pronouns in the visible text of an article.

    Comments, references, tags, addresses and templates are left out; of a link its label counts.

    Source: papers/news-summarization-bias, table 14.

    Example:
        >>> pronoun_counts("{{Quote|He said.}} She thanked [[His Holiness|the pope]].<ref>Her life</ref> She's 80.")
        (0, 2)
    """
    text = _UNSEEN.sub(" ", wikitext)
    for nested, visible in ((_TEMPLATE, " "), (_LINK, r"\1")):
        for _ in range(_DEEPEST):
            text, n_replaced = nested.subn(visible, text)
            if not n_replaced:
                break
    pronouns = _PRONOUN.findall(text)
    n_male = sum(map(bool, pronouns))
    return n_male, len(pronouns) - n_male


def wikipedia_people(path: str | Path) -> Iterator[Person]:
    """Yield the people in a dump of the English Wikipedia with their pronouns.

    A person is an article in a category with the word births, deaths or people. What follows a name in parentheses, as
    in "Chris Evans (actor)", is no part of it, so that namesakes share a title. A redirect to a person is that
    person by another name, unless it leads to a section of the article, as those of relatives do. Redirects to
    redirects, which Wikipedia does not follow either, are left out.

    The dump is read once. Memory holds the titles and counts of people; redirects wait in a temporary file.

    Args:
        path: ``pages-articles.xml``, plain or compressed (``.bz2``).

    Yields:
        People in the order of the dump, then those that redirect to them.

    Raises:
        InputError: the file is missing, truncated, not a well-formed dump, or has no people.

    Source: papers/news-summarization-bias, section 5.3 and appendix F.
    """
    path = as_path(path)
    if not path.is_file():
        raise InputError(f"{path}: no such file; give a pages-articles dump of the English Wikipedia")
    counts: dict[str, tuple[int, int]] = {}
    with tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n") as redirects:
        for title, target, text in _articles(path):
            if target is not None:
                if not _TO_SECTION.match(text):
                    redirects.write(f"{_one_line(title)}\t{_one_line(target)}\n")
            elif _is_person(text):
                counts[title] = pronoun_counts(text)
                yield Person(_QUALIFIER.sub("", title), *counts[title])
        redirects.seek(0)
        for line in redirects:
            title, target = line.rstrip("\n").split("\t")
            if target in counts:
                yield Person(_QUALIFIER.sub("", title), *counts[target])
    if not counts:
        raise InputError(
            f"{path}: no article has a category with the word births, deaths or people; give a pages-articles dump of "
            "the English Wikipedia"
        )


def _is_person(text: str) -> bool:
    return any(_PEOPLE.search(name.replace("_", " ")) for name in _CATEGORY.findall(text))


def _articles(path: Path) -> Iterator[tuple[str, str | None, str]]:
    """Yield title, redirect target and wikitext of each article."""
    quiet = True if is_quiet() else None
    with (
        path.open("rb") as raw,
        tqdm.wrapattr(raw, "read", path.stat().st_size, desc=path.name, disable=quiet, leave=False) as watched,
    ):
        stored: Any = watched
        file = bz2.BZ2File(stored) if path.suffix == ".bz2" else stored
        number = 0
        try:
            events = ElementTree.iterparse(file, events=("start", "end"))
            _, root = next(events)
            space = root.tag.removesuffix("mediawiki")
            if space == root.tag:
                raise InputError(f"{path}: expected a Wikipedia dump with the root <mediawiki>, found <{root.tag}>")
            for event, page in events:
                if event == "end" and page.tag == f"{space}page":
                    number += 1
                    if page.findtext(f"{space}ns", "0").strip() == "0":
                        yield _article(f"{path}, page {number}", page, space)
                    root.clear()  # or the whole dump would stay in memory
        except ElementTree.ParseError as error:
            raise InputError(
                f"{path}, after page {number}: the XML is invalid ({error}); download the file again"
            ) from None
        except (EOFError, OSError) as error:
            raise InputError(
                f"{path}, after page {number}: cannot be read ({error}); download the file again"
            ) from None


def _article(where: str, page: ElementTree.Element, space: str) -> tuple[str, str | None, str]:
    title = page.findtext(f"{space}title", "").strip()
    if not title:
        raise InputError(f"{where}: the page has no title; give a pages-articles dump of the English Wikipedia")
    redirect = page.find(f"{space}redirect")
    text = page.findtext(f"{space}revision/{space}text", "")
    return title, None if redirect is None else redirect.get("title", ""), text


# Pronouns of Wikidata's sexes and genders, by English label or item; all others count none.
_COUNTS = {"male": (1, 0), "q6581097": (1, 0), "female": (0, 1), "q6581072": (0, 1)}
_LITERAL = re.compile(r'"(.*)"(?:@[\w-]+)?|<(.*)>', re.DOTALL)


def wikidata_people(
    path: str | Path, *, label_column: str = "itemLabel", gender_column: str = "genderLabel", **reading: Any
) -> Iterator[Person]:
    """Yield the people of a Wikidata export, with one pronoun for their gender.

    Args:
        path: file with one row for each person: ``.csv`` or ``.tsv`` from the query service, any other file of rows
            (`names.ENDINGS`), or a saved data set.
        label_column: column of names; rows without a name are ignored.
        gender_column: column of sex or gender (P21): English labels, or items such as Q6581097, also as URLs.
        **reading: encoding, format, split and largest row, see `fairsum_utils.io.reading.read_rows`.

    Yields:
        People in the order of the file.

    Raises:
        InputError: the file or a column is missing, the format is unknown, or no person is male or female.

    Source: papers/news-summarization-bias, appendix F, uses Wikipedia; this is the smaller download.

    Example:
        >>> path = Path(tempfile.mkdtemp()) / "query.csv"
        >>> _ = path.write_text("itemLabel,genderLabel\\nPat Nixon,female\\nSam Smith,non-binary\\n", encoding="utf-8")
        >>> list(wikidata_people(path))
        [Person(title='Pat Nixon', male=0, female=1), Person(title='Sam Smith', male=0, female=0)]
    """
    rows = bar(_rows(path, reading, label_column, gender_column), unit="rows", title=Path(path).name)
    known = False
    for number, row in enumerate(rows, start=1):
        for column in (label_column, gender_column):
            if not isinstance(row[column], (str, NoneType)):
                raise InputError(f"{path}, row {number}: {column} must be a string, found {describe(row[column])}")
        if label := _one_line(row[label_column] or ""):
            gender = re.split("[/:]", row[gender_column] or "")[-1].strip().lower()
            known |= gender in _COUNTS
            yield Person(label, *_COUNTS.get(gender, (0, 0)))
    if not known:
        raise InputError(
            f"{path}: no row has a name in {label_column!r} and a known gender in {gender_column!r} "
            f"({', '.join(_COUNTS)}); export English labels, or name the right columns"
        )


def _rows(path: str | Path, reading: Mapping[str, Any], *needed: str) -> Iterator[Mapping[str, Any]]:
    options = dict.fromkeys(needed, "label_column or gender_column (--label-column, --gender-column)")
    if format_of(path) != ".tsv":
        yield from read_rows(path, options, **reading)
        return
    place = place_of(path, encoding=reading.get("encoding"), max_row_bytes=reading.get("max_row_bytes"))
    for where, record in read_table(place, (), **_TABS):
        # The query service writes ?variable in the header, and "label"@en or <address> below.
        row = {name.removeprefix("?"): _plain(term) for name, term in record.items()}
        check_columns(where, options, row)
        yield row


def _plain(term: str) -> str:
    literal = _LITERAL.fullmatch(term)
    return term if literal is None else (literal[1] or literal[2] or "").replace('\\"', '"')
