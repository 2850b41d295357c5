from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest

from fairsum_utils.measures import get_measure
from fairsum_utils.reports.page.contents import Contents
from fairsum_utils.reports.page.sample import Lens, readings, sample_html, scores, spread
from fairsum_utils.reports.representation import RepresentationReport
from fairsum_utils.reports.tables import Table
from fairsum_utils.reports.theme import VALUES

Made = Callable[..., Contents]


def read_tags(html: str) -> dict[str, set[str]]:
    """Tag -> names of its attributes."""
    found: dict[str, set[str]] = {}
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, given: found.setdefault(tag, set()).update(name for name, _ in given)
    parser.feed(html)
    return found


@pytest.fixture
def parts(review: Contents) -> tuple:
    """The sample of a page, its records and lenses."""
    contents = review
    given = next(iter(contents.samples))
    return given.sample, given.records, readings(contents.lenses)


def test_the_words_of_each_text_are_marked(parts: tuple):
    shown = sample_html(*parts)
    own, sources = shown.split('<div class="fs-sources">')
    marks = re.findall(r'<mark class="fs-word ([^"]+)" title="([^"]+)" data-keys="(.)">([^<]+)</mark>', own)
    assert marks == [
        ("fs-v2", "pos: counted as tasti", "0", "Tasty"),
        ("fs-v1-v2", "neg, pos", "1", "soup"),
        ("fs-v2", "pos", "2", "kind"),
        ("fs-v1-v2", "neg, pos", "3", "staff"),
    ]
    assert 'Cold <mark class="fs-word fs-v1-v2" title="neg, pos" data-keys="1">soup</mark>, slow <mark' in sources


def test_scores_stand_at_the_level_that_is_asked_for(parts: tuple):
    shown = sample_html(*parts, level=2)
    # tasty, soup, kind, staff for pos, soup and staff for neg: 2/3 and 1/3, as the sources' 4 and 4 words do not
    assert '<span class="fs-score">BUR <b>1</b></span>' in shown
    assert set(re.findall(r"<h(\d)", shown)) == {"2", "3"}


def test_texts_are_shown_as_they_were_read(made: Made):
    for reasoning, kept in (("remove", False), ("keep", True)):
        text = "Cold soup?</think>Tasty soup."
        contents = made([("r1", "", text, ["The soup.", "Staff."], ["pos", "neg"])], {"bur": {"reasoning": reasoning}})
        given = next(iter(contents.samples))
        assert ("/think" in sample_html(given.sample, given.records, readings(contents.lenses))) == kept


def test_without_texts_there_are_numbers_alone(parts: tuple):
    _, records, lenses = parts
    shown = sample_html({}, records, lenses)
    assert "<b>1</b>" in shown
    assert "<table>" in shown  # spread
    assert not re.search("soup|staff|Cold|fs-text", shown)


def test_other_texts_than_those_of_the_record_are_not_marked(parts: tuple):
    sample, records, [reading] = parts
    assert "No words are marked" not in sample_html(*parts)
    unknown = readings({label: lens._replace(settings=None) for label, lens in reading.lenses.items()})
    for wrong, made in ((sample | {"predictions": "Another summary."}, [reading]), (sample, unknown)):
        shown = sample_html(wrong, records, made)
        assert "No words are marked" in shown
        assert "<mark" not in shown


def test_hostile_texts_are_escaped(made: Made):
    evil = '</p><script>alert(1)</script><img src=x onerror=alert(1)>" onclick="alert(1)'
    contents = made([("r1", "", evil, [evil, "no"], [evil, "__proto__"])])
    given = next(iter(contents.samples))
    shown = sample_html(given.sample | {evil: evil, "groups": "wo<men"}, given.records, readings(contents.lenses))
    assert "&lt;img" in shown
    assert '<dt>groups</dt><dd dir="auto">wo&lt;men</dd>' in shown
    allowed = "div h4 h5 p br mark bdi small span b dl dt dd table caption thead tbody tr th td"
    assert read_tags(shown).keys() <= {*allowed.split()}
    assert set().union(*read_tags(shown).values()) <= {"class", "title", "dir", "scope", "tabindex", "data-keys"}


def test_long_texts_in_tables_are_short_and_can_be_broken(monkeypatch: pytest.MonkeyPatch, parts: tuple):
    table = Table(["text", "n"], [["x" * 100_000, 1]])
    monkeypatch.setattr(RepresentationReport, "evidence", lambda *_: [table])
    shown = sample_html(*parts)
    assert len(shown) < 10_000
    assert re.findall("x+", shown.split("<tbody>")[1])[0] == "x" * 60
    assert "+98,000 characters" in shown


def test_last_texts_of_a_wide_table_stand_below_it(monkeypatch: pytest.MonkeyPatch, parts: tuple):
    rows = [["neg", 1, 2, 3, 4, "a, b"], ["pos", 1, 2, 3, 4, ""]]
    table = Table(["group", *"wxyz", "words"], rows)
    for wide, found in ((table, True), (Table(table.header[1:], [row[1:] for row in rows]), False)):
        monkeypatch.setattr(RepresentationReport, "evidence", lambda *_, wide=wide: [wide])
        shown = sample_html(*parts)
        assert ("</table></div>\n<p>Words:<br>neg: a, b</p>" in shown) == found
        assert ("a, b</td>" in shown) != found


def lens(measure: str, **settings: object) -> Lens:
    return Lens(measure, get_measure(measure)(**settings), {})


def test_lenses_that_read_alike_are_one_reading():
    lenses = {
        "bur": lens("bur"),
        "strict": lens("bur", tau=0.5),  # another threshold: the same words
        "sof": lens("sof"),
        "pairs": lens("bur", k=2),
        "equal_coverage": lens("equal_coverage", entailer="lexical"),
        "coverage_parity": lens("coverage_parity", entailer="lexical"),
    }
    assert [list(reading.lenses) for reading in readings(lenses)] == [
        ["bur", "strict", "sof"],
        ["pairs"],
        ["equal_coverage", "coverage_parity"],
    ]
    assert [reading.title for reading in readings(lenses)][1] == "pairs"


def test_values_that_outnumber_the_colors_have_those_of_the_sample(parts: tuple):
    many = dict.fromkeys(map(str, range(len(VALUES) + 1)), "accent")
    assert "fs-v1-v2" in sample_html(*parts, colors=many)
    few = {"pos": "v7", "neg": "v3"}
    assert "fs-v3-v7" in sample_html(*parts, colors=few)


def test_scores_and_spread_of_a_sample(parts: tuple):
    _, records, [reading] = parts
    # Words that count: soup, tasty, kind, staff of pos (4), and cold, soup, slow, staff of neg (4), so 1/2 is desired;
    # the summary's four words match pos four times and neg twice: 2/3 and 1/3.
    found = scores(reading.lenses, records)
    assert found["bur"]["BUR"] == 1
    assert found["uer"]["UER"] == pytest.approx((1 / 2 - 1 / 3) / 2)
    differences = spread(reading, records)
    assert differences == pytest.approx({"neg": 1 / 6, "pos": -1 / 6})


def test_a_distribution_is_of_one_thing():
    """Shares of words by gender and persons by race are not drawn on one axis, though one sample has no words."""
    words_read, persons_read = readings({name: lens(name) for name in ("word_list_inclusion", "entity_inclusion")})
    entities = [{"group": "black", "included": True}, {"group": "white", "included": False}]
    for n_female, expected in ((1, {"female": 0.5, "male": -0.5}), (0, {})):
        counts = {"female": n_female, "male": 0}
        words = {"skipped": None, "summary_words": counts, "source_words": {"female": 2, "male": 2}}
        records = {"word_list_inclusion": words, "entity_inclusion": {"skipped": None, "entities": entities}}
        assert spread(words_read, records) == expected
        assert spread(persons_read, records).keys() == {"black", "white"}


def test_tables_with_one_title_name_their_measures(monkeypatch: pytest.MonkeyPatch, parts: tuple):
    record = {"bur": Table(["text"], [["a"]], "By text"), "uer": Table(["text"], [["b"]], "By text")}
    monkeypatch.setattr(
        RepresentationReport, "evidence", lambda self, name, *_: [record[name], Table(["n"], [[1]], "All")]
    )
    shown = sample_html(*parts)
    assert re.findall("<caption>([^<]*)", shown) == ["By text (BUR)", "All", "By text (UER)"]
