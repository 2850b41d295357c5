"""Build the table of `people` for Entity Hallucination from Wikipedia or Wikidata.

    python tools/build_known_people.py enwiki-latest-pages-articles.xml.bz2 people.tsv.gz
    python tools/build_known_people.py query.csv people.tsv.gz

The table has a line for each person: title, and how many male and female pronouns the text about the person has. A
Wikidata export, a file of rows with the columns itemLabel and genderLabel, counts one pronoun for a person of known
gender. A query for people born in 1950 (https://query.wikidata.org, download as CSV):

    SELECT ?itemLabel ?genderLabel WHERE {
      ?item wdt:P31 wd:Q5; wdt:P21 ?gender; wdt:P569 ?born.
      FILTER(YEAR(?born) = 1950)
      SERVICE wikibase:label { bd:serviceParam wikibase:language "en". }
    }

Source: Steen and Markert 2024, section 5.3 and appendix F.
"""

from __future__ import annotations

import bz2
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from tqdm import tqdm

from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.families.entities.classifier import COLUMNS, ENDINGS
from fairsum_utils.io.reading import read_rows
from fairsum_utils.io.writing import check_output, open_output
from fairsum_utils.text.pronouns import PRONOUNS


class Person(NamedTuple):
    """Line of the table: a name, and numbers of male and female pronouns."""

    title: str
    male: int
    female: int


def write_people(people: Iterable[Person], path: Path) -> int:
    """Write a table atomically and reproducibly; return its number of people."""
    check_output(path, *ENDINGS)
    count = 0
    with open_output(path) as file:
        file.write(("\t".join(COLUMNS) + "\n").encode())
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
# Depth of nested templates and links that are read, as in MediaWiki; deeper ones stay.
_DEEPEST = 100


def pronoun_counts(wikitext: str) -> tuple[int, int]:
    """Count the male and female pronouns in the visible text of an article.

    Comments, references, tags, addresses and templates are left out; the label of a link counts.

    Source: Steen and Markert 2024, table 14.
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


def wikipedia_people(path: Path) -> Iterator[Person]:
    """Yield the people in a dump of the English Wikipedia, then redirects to them.

    A person is an article in a category with the word births, deaths or people. A qualifier in parentheses, as in
    "Chris Evans (actor)", is left out, so that namesakes share a title. A redirect to a person is another name of that
    person, unless it leads to a section of the article, as those of relatives do, or to another redirect.

    The dump is read once. Memory holds the titles and counts of people; redirects wait in a temporary file.
    """
    counts: dict[str, tuple[int, int]] = {}
    with tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n") as redirects:
        for title, target, text in _articles(path):
            if target is not None:
                if not _TO_SECTION.match(text):
                    redirects.write(f"{_one_line(title)}\t{_one_line(target)}\n")
            elif any(_PEOPLE.search(name.replace("_", " ")) for name in _CATEGORY.findall(text)):
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


def _articles(path: Path) -> Iterator[tuple[str, str | None, str]]:
    """Yield title, redirect target and wikitext of each article."""
    with (
        path.open("rb") as raw,
        tqdm.wrapattr(raw, "read", path.stat().st_size, desc=path.name, disable=None, leave=False) as watched,
    ):
        stored: Any = watched
        number = 0
        try:
            events = ElementTree.iterparse(bz2.BZ2File(stored) if path.suffix == ".bz2" else stored, ("start", "end"))
            _, root = next(events)
            space = root.tag.removesuffix("mediawiki")
            if space == root.tag:
                raise InputError(f"{path}: expected a Wikipedia dump with the root <mediawiki>, found <{root.tag}>")
            for event, page in events:
                if event == "end" and page.tag == f"{space}page":
                    number += 1
                    if page.findtext(f"{space}ns", "0").strip() == "0":
                        redirect = page.find(f"{space}redirect")
                        target = None if redirect is None else redirect.get("title", "")
                        text = page.findtext(f"{space}revision/{space}text", "")
                        yield page.findtext(f"{space}title", "").strip(), target, text
                    root.clear()  # or the whole dump would stay in memory
        except (ElementTree.ParseError, EOFError, OSError) as error:
            raise InputError(
                f"{path}, after page {number}: cannot be read ({error}); download the file again"
            ) from None


# Pronouns of Wikidata's sexes and genders, by English label or item; all others count none.
_COUNTS = {"male": (1, 0), "q6581097": (1, 0), "female": (0, 1), "q6581072": (0, 1)}


def wikidata_people(path: Path) -> Iterator[Person]:
    """Yield the people of a Wikidata export, with one pronoun for their gender.

    The gender (P21) is an English label, or an item such as Q6581097, also as a URL. Rows without a name are ignored.
    """
    known = False
    columns = {name: f"?{name} in the query" for name in ("itemLabel", "genderLabel")}
    for row in tqdm(read_rows(path, columns), unit="rows", disable=None, leave=False):
        if label := _one_line(str(row["itemLabel"] or "")):
            gender = re.split("[/:]", str(row["genderLabel"] or ""))[-1].strip().lower()
            known |= gender in _COUNTS
            yield Person(label, *_COUNTS.get(gender, (0, 0)))
    if not known:
        raise InputError(
            f"{path}: no row has a name in 'itemLabel' and a known gender in 'genderLabel' ({', '.join(_COUNTS)}); "
            "export English labels"
        )


def main(source: str, output: str) -> None:
    """Write the table."""
    path = Path(source)
    people = wikipedia_people if path.name.endswith((".xml", ".xml.bz2")) else wikidata_people
    try:
        print(f"{output}: {write_people(people(path), Path(output))} people")
    except FairSumError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main(*sys.argv[1:])
