"""The known-people table: dumps made by hand in, titles and pronouns out."""

from __future__ import annotations

import bz2
import re
import tracemalloc
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families.entities.people import (
    Person,
    pronoun_counts,
    read_people,
    wikidata_people,
    wikipedia_people,
    write_people,
)


def page(title: str, text: str = "", *, ns: int = 0, redirect: str | None = None) -> str:
    element = "" if redirect is None else f'<redirect title="{escape(redirect)}" />'
    return (
        f"<page><title>{escape(title)}</title><ns>{ns}</ns><id>1</id>{element}<revision><id>2</id>"
        f'<text xml:space="preserve">{escape(text)}</text></revision></page>'
    )


def redirect(title: str, target: str) -> str:
    return page(title, f"#REDIRECT [[{target}]]\n\n{{{{R from alternative name}}}}", redirect=target.partition("#")[0])


def dump(*pages: str, version: str = "0.11") -> str:
    space = f"http://www.mediawiki.org/xml/export-{version}/"
    return f'<mediawiki xmlns="{space}" version="{version}"><siteinfo/>{"".join(pages)}</mediawiki>'


@pytest.fixture
def write(tmp_path: Path):
    def write(content: str | bytes, name: str = "dump.xml") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


class TestPronouns:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("He him his himself. She her hers herself.", (4, 4)),
            ("HE'S here; the hen, this, there and shell are not. She-wolf.", (1, 1)),
            ("{{Infobox|spouse={{marriage|his wife}}}} She", (0, 1)),
            ("<!-- he\nhe --> <ref name=x>his book</ref> <ref name=y/> he <ref>her</ref>", (1, 0)),
            (
                "[[His Girl Friday|a film]] [[Her (film)|Her]] [[File:His.jpg|thumb|left|She with [[He-Man|him]]]]",
                (1, 2),
            ),
            ("[http://his.example/her his page] <br/> ''her''", (1, 1)),
            ("{{unclosed she", (0, 1)),
            ("his <ref>her <ref name=x>she <!-- he", (1, 2)),  # never closed: a comment runs to the end
            ("<!-- he > he <!-- he --> <ref> he </REF > <ref>she</b>", (0, 1)),  # the first one ends with the second
            (f"{{{{she {'{{' * 99}{'}}' * 99}}}}} {'[[x|' * 100}he{']]' * 100}", (1, 0)),
            (f"{{{{she {'{{' * 100}{'}}' * 100}}}}}", (0, 1)),  # deeper than MediaWiki reads
            ("", (0, 0)),
        ],
    )
    def test_by_hand(self, text: str, expected: tuple[int, int]) -> None:
        assert pronoun_counts(text) == expected


class TestTable:
    def test_genders(self, write) -> None:
        rows = "A B\t3\t2\nC D\t0\t1\nTie E\t2\t2\nNone F\t0\t0\nG H\t1\t0\n\nG H\t0\t9\nI J\t1\t0\nI J\t0\t0\n"
        assert read_people(write(f"title\tmale\tfemale\n{rows}", "people.tsv")) == {
            "A B": "male",
            "C D": "female",
            "Tie E": None,
            "None F": None,
            "G H": None,  # a man and a woman
            "I J": "male",  # a man and somebody without a pronoun
        }

    @pytest.mark.parametrize("name", ["people.tsv", "people.tsv.gz"])
    def test_written_and_read(self, tmp_path: Path, name: str) -> None:
        people = [Person("Ann\tO'Neil\n", 0, 2), Person("Ünal Ç.", 5, 1)]
        assert write_people(iter(people), tmp_path / name) == 2
        first = (tmp_path / name).read_bytes()
        assert read_people(tmp_path / name) == {"Ann O'Neil": "female", "Ünal Ç.": "male"}
        write_people(people, tmp_path / name)
        assert (tmp_path / name).read_bytes() == first

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (
                "name\tm\tf\nA\t1\t2\n",
                "no column 'title', 'male', 'female'; found name, m, f. Expected a table made with `fairsum data "
                "people`",
            ),
            ("title\tmale\tfemale\nA B\t1\n", "line 2: 2 fields, but the header has 3"),
            ("title\tmale\tfemale\nA B\t-1\t0\n", "line 2: expected a title and two whole numbers, found list"),
            (f"title\tmale\tfemale\nA B\t{'9' * 5000}\t0\n", "line 2: expected a title and two whole numbers"),
            (b"title\tmale\tfemale\nA\xff\t1\t0\n", "line 2: the text is not UTF-8"),
            ("title\tmale\tfemale\n", "the table has no people; make it again with `fairsum data people`"),
        ],
    )
    def test_bad_tables(self, write, content: str | bytes, message: str) -> None:
        path = write(content, "people.tsv")
        with pytest.raises(InputError, match=f"^{re.escape(str(path))}(, |: ){message}"):
            read_people(path)


BORN = "\n[[Category:1950 births]]"

PAGES = (
    redirect("Before", "Ann Lee"),
    page("Ann Lee", f"She met [[Bo Lee|him]]. Her life.{BORN}"),  # 1, 2
    page("Bo Lee (actor)", f"He acts.{BORN}"),
    page("Bo Lee (singer)", "She sings.\n[[category: Swiss_people|Lee, Bo]]"),
    page("Cy Lee", "No pronoun. [[Category:People from Bern]]"),
    page("Di Lee", "She died. [[Category:2001 deaths]]"),
    page("Berne", "She. [[Category:Cities]] [[:Category:1950 births]]"),
    page("Townspeople", "He. [[Category:Townspeople]]"),
    page("Talk:Ann Lee", f"He.{BORN}", ns=1),
    redirect("Ann Lee-Smith", "Ann Lee"),
    redirect("Eva Lee", "Ann Lee#Family"),
    redirect("City of Berne", "Berne"),
    redirect("Twice", "Before"),
)

PEOPLE = [
    Person("Ann Lee", 1, 2),
    Person("Bo Lee", 1, 0),
    Person("Bo Lee", 0, 1),
    Person("Cy Lee", 0, 0),
    Person("Di Lee", 0, 1),
    Person("Before", 1, 2),
    Person("Ann Lee-Smith", 1, 2),
]


class TestWikipedia:
    @pytest.mark.parametrize("version", ["0.10", "0.11"])
    def test_by_hand(self, write, version: str) -> None:
        assert list(wikipedia_people(write(dump(*PAGES, version=version)))) == PEOPLE

    def test_packed_in_several_streams(self, write) -> None:
        content = dump(*PAGES).encode()
        path = write(bz2.compress(content[:700]) + bz2.compress(content[700:]), "dump.xml.bz2")
        assert list(wikipedia_people(path)) == PEOPLE

    def test_memory_does_not_grow_with_the_dump(self, write) -> None:
        """Other pages and redirects leave nothing behind: a tenfold dump costs no more."""
        peaks = []
        for n in (300, 3000):
            others = (page(f"Town {number}", "x" * 1000) + redirect(f"R {number}", "Town 1") for number in range(n))
            path = write(dump(PAGES[1], *others))
            tracemalloc.start()
            assert len(list(wikipedia_people(path))) == 1
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        assert peaks[1] < 1.5 * peaks[0]

    @pytest.mark.parametrize(
        ("content", "name", "message"),
        [
            (
                dump(*PAGES)[:-80],
                "dump.xml",
                r", after page 12: the XML is invalid \(.*line 13, column \d+\); download the file",
            ),
            (dump(PAGES[1], "<page><title>A & B"), "dump.xml", r", after page 1: the XML is invalid"),
            (
                bz2.compress(dump(*PAGES).encode())[:-20],
                "a.bz2",
                ", after page 0: cannot be read .*download the file again",
            ),
            ("<html><body/></html>", "dump.xml", ": expected a Wikipedia dump with the root <mediawiki>, found <html>"),
            (
                dump("<page><ns>0</ns></page>"),
                "dump.xml",
                ", page 1: the page has no title; give a pages-articles dump",
            ),
            (dump(PAGES[6]), "dump.xml", ": no article has a category with the word births, deaths or people; give"),
        ],
    )
    def test_bad_dumps(self, write, content: str | bytes, name: str, message: str) -> None:
        path = write(content, name)
        with pytest.raises(InputError, match=f"^{re.escape(str(path))}{message}"):
            list(wikipedia_people(path))


ITEM = "http://www.wikidata.org/entity"
EXPECTED = [Person("Ann Lee", 0, 1), Person('Bo "B" Lee', 1, 0), Person("Cy Lee", 0, 0), Person("Di Lee", 0, 0)]


class TestWikidata:
    @pytest.mark.parametrize(
        ("name", "content"),
        [
            (
                "query.csv",
                'item,itemLabel,genderLabel\nQ1,Ann Lee,female\nQ2,"Bo ""B"" Lee",Male\nQ3,Cy Lee,non-binary\n'
                "Q4,Di Lee,\nQ5,,male\n",
            ),
            (
                "query.tsv",
                f'?item\t?itemLabel\t?genderLabel\n<{ITEM}/Q1>\t"Ann Lee"@en\t<{ITEM}/Q6581072>\n'
                f'<{ITEM}/Q2>\t"Bo \\"B\\" Lee"@en\t"male"@en\n<{ITEM}/Q3>\t"Cy Lee"@en\t<{ITEM}/Q48270>\n'
                f'<{ITEM}/Q4>\t"Di Lee"@en\t\n<{ITEM}/Q5>\t\t"male"@en\n',
            ),
            (
                "query.jsonl",
                '{"itemLabel": "Ann Lee", "genderLabel": "wd:Q6581072"}\n'
                '{"itemLabel": "Bo \\"B\\" Lee", "genderLabel": "Q6581097"}\n'
                '{"itemLabel": "Cy Lee", "genderLabel": "trans-feminine"}\n'
                '{"itemLabel": " Di\\tLee", "genderLabel": null}\n{"itemLabel": null, "genderLabel": "male"}\n',
            ),
        ],
    )
    def test_formats(self, write, name: str, content: str) -> None:
        assert list(wikidata_people(write(content, name))) == EXPECTED

    @pytest.mark.parametrize(
        ("name", "content", "message"),
        [
            ("a.txt", "[]", ": unknown format; the name must end in one of .jsonl, .ndjson, .json, .csv, .tsv, "),
            (
                "a.tsv",
                "?itemLabel\tsex\nA\tmale\n",
                ", line 2: no column 'genderLabel'; found itemLabel, sex. Name the right",
            ),
            (
                "a.csv",
                "name,genderLabel\nA,male\n",
                ": no column 'itemLabel'; found name, genderLabel. Name the",
            ),
            ("a.jsonl", '{"itemLabel": "A", "genderLabel": 1}\n', ", row 1: genderLabel must be a string, found int 1"),
            (
                "a.jsonl",
                "{",
                ", line 1: not valid JSON (Expecting property name enclosed in double quotes at column 2); the",
            ),
            (
                "a.csv",
                "itemLabel,genderLabel\nA,männlich\n",
                ": no row has a name in 'itemLabel' and a known gender in 'genderLabel' (male, q658",
            ),
        ],
    )
    def test_bad_exports(self, write, name: str, content: str, message: str) -> None:
        path = write(content, name)
        with pytest.raises(InputError, match=f"^{re.escape(str(path))}{re.escape(message)}"):
            list(wikidata_people(path))
