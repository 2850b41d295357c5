"""Name lists against their sources, and names of the paper and of our own through the classifier."""

from __future__ import annotations

import csv
import gzip
import importlib
from fractions import Fraction
from pathlib import Path

import pytest

from fairsum_reproductions.reproduction.news import names_of_table_6
from fairsum_utils.errors import InputError
from fairsum_utils.families.entities.classifier import NameClassifier
from fairsum_utils.families.entities.names import (
    ETHNICITIES,
    GENDERS,
    POPULAR,
    bbq_names,
    census_first_names,
    no_names,
    popular_first_names,
)
from fairsum_utils.text.person_names import TITLES

NEEDS_PEOPLE = {
    "male": (
        "farai sevenzo; mikhail gorbachev; francois mitterrand; helmut kohl; alain juppe; naguib mahfouz; "
        "mahatma gandhi; yasser arafat; eduard shevardnadze"
    ),
    "female": "sharmila tagore; pat nixon",
}
"""Of table 6, whom the census does not know, though the paper tells the gender."""
PEOPLE_OF_TABLE_6 = {name: group for group, names in NEEDS_PEOPLE.items() for name in names.split("; ")}
TABLE_6 = {name: group for name, group in names_of_table_6().items() if name not in PEOPLE_OF_TABLE_6}
"""What the census alone can know of it."""


def raw_census(folder: Path) -> dict[str, dict[str, Fraction]]:
    """Gender -> name -> percent, exactly."""
    lists = {}
    for gender in GENDERS:
        lines = [line.split() for line in (folder / f"dist.{gender}.first").read_text().splitlines()]
        lists[gender] = {name.lower(): Fraction(percent) for name, percent, *_ in lines}
    return lists


@pytest.fixture
def census(shared_data: Path) -> dict[str, dict[str, Fraction]]:
    return raw_census(shared_data / "news")


class TestTables:
    def test_the_tool_writes_what_is_shipped(
        self, shared_data: Path, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.syspath_prepend(repository / "tools")
        tool = importlib.import_module("build_names")
        monkeypatch.setattr(importlib.import_module("_common"), "RESOURCES", tmp_path)
        runs = []
        for _ in range(2):
            tool.main(str(shared_data / "news"))
            runs.append({path.name: path.read_bytes() for path in tmp_path.iterdir()})
        assert runs[0] == runs[1]
        assert set(runs[0]) == {"first_names.txt.gz", "bbq_names.txt.gz"}
        for name, packed in runs[0].items():
            shipped = (repository / "fairsum_utils" / "_util" / "resources" / name).read_bytes()
            assert gzip.decompress(packed) == gzip.decompress(shipped)

    def test_census(self, census: dict[str, dict[str, Fraction]]) -> None:
        expected = {
            name: tuple(float(census[gender].get(name, 0)) for gender in GENDERS)
            for name in census["male"] | census["female"]
        }
        assert census_first_names() == expected
        # Known of the lists: 1,219 male and 4,275 female names, 331 of them in both.
        assert len(expected) == 1219 + 4275 - 331

    def test_bbq(self, shared_data: Path) -> None:
        with (shared_data / "news" / "vocabulary_proper_names.csv").open() as file:
            rows = [row for row in csv.DictReader(file) if row["First_last"] != "first_only"]
        for ethnicity in ETHNICITIES:
            own = [row for row in rows if row["ethnicity"].lower() == ethnicity]
            assert bbq_names(ethnicity, "last") == tuple(row["Name"] for row in own if row["First_last"] == "last")
            first = [row for row in own if row["First_last"] == "first"]
            assert bbq_names(ethnicity, "first") == tuple(row["Name"] for row in first)
            for gender, letter in (("male", "M"), ("female", "F")):
                names = tuple(row["Name"] for row in first if row["gender"] == letter)
                assert bbq_names(ethnicity, "first", gender) == names
                assert len(names) == 10


class TestPopular:
    def test_against_the_lists(self, census: dict[str, dict[str, Fraction]]) -> None:
        for gender, other in (GENDERS, GENDERS[::-1]):
            names = [name.lower() for name in popular_first_names(gender)]
            assert len(set(names)) == POPULAR == 200
            percents = [census[gender][name] for name in names]
            assert percents == sorted(percents, reverse=True)
            assert percents[-1] >= Fraction("0.08")
            # Whatever is as frequent as the last one and missing is ambiguous, or no name.
            frequent = {name for name, percent in census[gender].items() if percent > percents[-1]}
            for name in frequent - set(names):
                assert census[other].get(name, 0) * 2 > census[gender][name] or name in no_names(), name
            assert all(census[other].get(name, 0) * 2 <= census[gender][name] for name in names)
            assert no_names().isdisjoint(names)


class TestCensus:
    @pytest.mark.parametrize(("name", "group"), TABLE_6.items())
    def test_table_6(self, name: str, group: str | None) -> None:
        assert NameClassifier().classify(name) == group

    def test_rest_of_table_6_needs_known_people(self) -> None:
        people = PEOPLE_OF_TABLE_6
        assert [NameClassifier().classify(name) for name in people] == [None] * len(people)
        known = NameClassifier(people=people)
        assert {name: known.classify(name.upper()) for name in people} == people
        # 31 of 42 names of table 6 by the census alone, all by both.
        assert (len(people), len(TABLE_6)) == (11, 31)

    def test_every_name_by_exact_ratio(self, census: dict[str, dict[str, Fraction]]) -> None:
        classifier = NameClassifier()
        for name in census_first_names():
            male, female = (census[gender].get(name, Fraction()) for gender in GENDERS)
            expected = "male" if male >= 2 * female else "female" if female >= 2 * male else None
            is_title = name in TITLES  # Major Xyz
            assert classifier.classify(f"{name} Xyz") == (None if is_title else expected), name
            assert classifier.classify(name) == (None if name in no_names() else expected), name

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            # census percents (male, female)
            ("Leslie Howard", None),  # 0.081, 0.154: less than twice
            ("Taylor Brown", "male"),  # 0.024, 0.012: exactly twice
            ("Kelly Carter", "female"),  # 0.064, 0.379; Carter is a male first name, but the last word
            ("Hillary Rodham Clinton", "female"),  # Clinton is male
            ("John Kelly Smith", None),  # of both lists
            ("George Leslie Smith", "male"),  # ambiguous ones do not count
            # words that begin a name
            ("April Jones", "female"),  # 0, 0.154
            ("Jordan Peele", "male"),  # 0.056, 0.012
            ("Will Smith", "male"),  # 0.018, 0
            ("WILL SMITH’S", "male"),
            # elsewhere in a name such words tell nothing
            ("Mary Chad Smith", "female"),
            ("Chad-April Jones", None),
            # spelling
            ("BOB GREENE", "male"),
            ("Mr. Bob Greene", "male"),
            ("Major Ann Smith", "female"),  # or both lists
            ("Mr. Thomas", None),  # after a title, a last name
            ("King", None),
            ("Queen Elizabeth II", "female"),  # after these titles, a first name
            ("Robert Kelly Jr.", "male"),  # else Kelly would be a first name
            ("Martin Luther King, Jr.", "male"),
            ("Mary-Jane Watson", "female"),
            ("Jean-Claude Juncker", None),  # Jean is female, Claude male
            ("Anna van Dyke", "female"),
            ("Al Gore", "male"),
            ("Asma al Assad", None),
            ("", None),
            ("Jr.", None),
        ],
    )
    def test_names_by_the_census(self, name: str, expected: str | None) -> None:
        assert NameClassifier().classify(name) == expected


PEOPLE = {"Pat Nixon": "female", "Robin Smith": None, "Obama": "male", "Joan Miro": "male"}


class TestPeople:
    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("Pat Nixon", "female"),  # ambiguous in the census
            ("Joan Miró", "male"),  # female in the census
            ("Joan Miro Smith", "female"),  # no exact match
            ("Robin Smith", None),  # known without gender: not passed on, though Robin is female in the census
            ("Robin Jones", "female"),
            ("Obama", None),  # one word
            ("Bob Greene", "male"),  # not known
        ],
    )
    def test_known_people_come_first(self, name: str, expected: str | None) -> None:
        assert NameClassifier(people=PEOPLE).classify(name) == expected

    def test_titles_that_become_one(self) -> None:
        people = {"George W. Bush": "male", "George W Bush": None}
        people |= {"Lee Ann": "male", "LEE ANN": "female", "Lée Ann": "male"}
        classifier = NameClassifier(people=people)
        assert classifier.classify("George W. Bush") == "male"
        assert classifier.classify("Lee Ann") is None


class TestEveryWord:
    """Appendix F: a name is male if any token is a male first name, unless one is a female one, and the other way."""

    @pytest.mark.parametrize(
        ("name", "first", "every"),
        [
            ("James Kelly", "male", None),  # Kelly: 0.063% of men, 0.283% of women
            ("Mary Nelson", "female", None),
            ("Mr. Nelson", None, "male"),  # after a title a single word is a last name
            ("April", None, "female"),  # a word of `no_names`
            ("Anna van Dyke", "female", None),  # Van: male
            ("Bob Greene", "male", "male"),
        ],
    )
    def test_both_readings(self, name: str, first: str | None, every: str | None) -> None:
        assert [NameClassifier(every_word=choice).classify(name) for choice in (False, True)] == [first, every]


class TestGivenFirstNames:
    def test_any_groups(self) -> None:
        names = {"Ebony": "black", "May": "white", "mary-jane": "white", "Émile": "white", "Chen": "asian"}
        classifier = NameClassifier(names)
        assert classifier.groups == ("asian", "black", "white")
        found = [classifier.classify(name) for name in ("EBONY Chen", "May Ho", "Mary-Jane Ho", "Emile Ho", "Mary Ho")]
        assert found == ["black", "white", "white", "white", None]
        assert classifier.classify("Ebony-May Ho") is None
        assert names == {"Ebony": "black", "May": "white", "mary-jane": "white", "Émile": "white", "Chen": "asian"}

    @pytest.mark.parametrize(
        ("first_names", "message"),
        [
            ({"Mary Ann": "f"}, "names of one word to groups, found str 'Mary Ann' with the group str 'f'"),
            ({"Mary": None}, "names of one word to groups, found str 'Mary' with the group None"),
            ({"José": "m", "JOSE": "f"}, "m: first_names has 'jose' in two groups, 'm' and 'f' .* keep one"),
        ],
    )
    def test_refuses(self, first_names: object, message: str) -> None:
        with pytest.raises(InputError, match=message):
            NameClassifier(first_names, module="m")  # type: ignore[arg-type]


class TestSignature:
    def test_changes_with_the_table_and_not_with_its_order(self) -> None:
        signature = NameClassifier(people=PEOPLE).signature()
        assert NameClassifier(people=dict(reversed(PEOPLE.items()))).signature() == signature
        assert NameClassifier(people=PEOPLE | {"Robin Smith": "male"}).signature() != signature
        assert NameClassifier({"Bo": "a"}).signature() != NameClassifier({"Bo": "b"}).signature()
