"""The tool that builds known-people tables: dumps made by hand in, titles and pronouns out."""

from __future__ import annotations

import bz2
import re
import tracemalloc
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families.entities.classifier import read_people
from tests.conftest import ROOT, load_script

tool = load_script(ROOT / "tools" / "build_known_people.py")
Person = tool.Person


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
        assert tool.pronoun_counts(text) == expected


@pytest.mark.parametrize("name", ["people.tsv", "people.tsv.gz"])
def test_written_and_read(tmp_path: Path, name: str) -> None:
    people = [Person("Ann\tO'Neil\n", 0, 2), Person("Ünal Ç.", 5, 1)]
    assert tool.write_people(iter(people), tmp_path / name) == 2
    first = (tmp_path / name).read_bytes()
    assert read_people(tmp_path / name) == {"Ann O'Neil": "female", "Ünal Ç.": "male"}
    tool.write_people(people, tmp_path / name)
    assert (tmp_path / name).read_bytes() == first


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
        assert list(tool.wikipedia_people(write(dump(*PAGES, version=version)))) == PEOPLE

    def test_packed_in_several_streams(self, write) -> None:
        content = dump(*PAGES).encode()
        path = write(bz2.compress(content[:700]) + bz2.compress(content[700:]), "dump.xml.bz2")
        assert list(tool.wikipedia_people(path)) == PEOPLE

    def test_memory_does_not_grow_with_the_dump(self, write) -> None:
        """Other pages and redirects leave nothing behind: a tenfold dump costs no more."""
        peaks = []
        for n in (100, 1000):
            others = (page(f"Town {number}", "x" * 1000) + redirect(f"R {number}", "Town 1") for number in range(n))
            path = write(dump(PAGES[1], *others))
            tracemalloc.start()
            assert len(list(tool.wikipedia_people(path))) == 1
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        assert peaks[1] < 1.5 * peaks[0]

    @pytest.mark.parametrize(
        ("content", "name", "message"),
        [
            (
                dump(*PAGES)[:-80],
                "dump.xml",
                r", after page 12: cannot be read \(.*line 13, column \d+\); download the file",
            ),
            (dump(PAGES[1], "<page><title>A & B"), "dump.xml", r", after page 1: cannot be read"),
            (
                bz2.compress(dump(*PAGES).encode())[:-20],
                "a.bz2",
                ", after page 0: cannot be read .*download the file again",
            ),
            ("<html><body/></html>", "dump.xml", ": expected a Wikipedia dump with the root <mediawiki>, found <html>"),
            (dump(PAGES[6]), "dump.xml", ": no article has a category with the word births, deaths or people; give"),
        ],
    )
    def test_bad_dumps(self, write, content: str | bytes, name: str, message: str) -> None:
        path = write(content, name)
        with pytest.raises(InputError, match=f"^{re.escape(str(path))}{message}"):
            list(tool.wikipedia_people(path))


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
                "query.jsonl",
                '{"itemLabel": "Ann Lee", "genderLabel": "wd:Q6581072"}\n'
                '{"itemLabel": "Bo \\"B\\" Lee", "genderLabel": "http://www.wikidata.org/entity/Q6581097"}\n'
                '{"itemLabel": "Cy Lee", "genderLabel": "trans-feminine"}\n'
                '{"itemLabel": " Di\\tLee", "genderLabel": null}\n{"itemLabel": null, "genderLabel": "male"}\n',
            ),
        ],
    )
    def test_formats(self, write, name: str, content: str) -> None:
        assert list(tool.wikidata_people(write(content, name))) == EXPECTED

    @pytest.mark.parametrize(
        ("name", "content", "message"),
        [
            (
                "a.csv",
                "name,genderLabel\nA,male\n",
                ": no column 'itemLabel'; found name, genderLabel. Name the",
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
            list(tool.wikidata_people(path))


def test_as_a_script(write, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "people.tsv"
    tool.main(str(write(dump(*PAGES))), str(output))
    assert capsys.readouterr().out == f"{output}: 7 people\n"
    assert output.read_text().splitlines()[:2] == ["title\tmale\tfemale", "Ann Lee\t1\t2"]
    with pytest.raises(SystemExit, match=r"people.csv: .* must end in \.tsv"):
        tool.main(str(tmp_path / "dump.xml"), str(tmp_path / "people.csv"))
    broken = write(dump(*PAGES).removesuffix("</mediawiki>"), "broken.xml")
    with pytest.raises(SystemExit, match=r"after page 13: cannot be read"):
        tool.main(str(broken), str(tmp_path / "none.tsv"))
    assert not (tmp_path / "none.tsv").exists()
