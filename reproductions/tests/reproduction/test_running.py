"""From a folder of published files to verdicts, which follow from the numbers."""

from __future__ import annotations

import importlib.util
import shlex
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from fairsum_reproductions import studies
from fairsum_reproductions.contract import PAPERS
from fairsum_reproductions.reproduction import running
from fairsum_reproductions.reproduction.item import VERDICTS, Below, Item, Number, Outcome, percent
from fairsum_reproductions.reproduction.running import items_of, parts_of, reproduce
from fairsum_utils.errors import InputError
from fairsum_utils.reports.tables import Table


def shout(folder: Path) -> Outcome:
    text = (folder / "a.txt").read_text()
    return Outcome(text.upper(), [Number(len(text), 3)], [Table(["said"], [[text]])])


ITEMS = [
    Item("a word", "table 1", "YES", shout, ("a.txt",), "shout a.txt"),
    Item("a number", "section 2", "2", lambda folder: Outcome("2", [])),
    Item("a hash", "none", "abc", lambda folder: Outcome("abc", [Number(0, 1, 2)]), known="passed", check=True),
    Item("a secret", "table 3", "?", needs=("the corpus, which needs a licence",), known="not reproduced"),
]


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "items_of", lambda paper: ITEMS)


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    ("text", "expected", "changed"),
    [("yes", {"equal": 2}, []), ("no", {"equal": 1, "differs": 1}, ["a word"]), (None, {"equal": 1, "no file": 1}, [])],
)
def test_files_that_are_there_are_computed(
    tmp_path: Path, text: str | None, expected: dict[str, int], changed: list[str]
) -> None:
    if text is not None:
        (tmp_path / "a.txt").write_text(text)
    result = reproduce("bold", None if text is None else tmp_path)
    assert result["verdicts"] == {**expected, "not reproduced": 1}
    assert result["checks"] == {"passed": 1}
    assert [row["kind"] for row in result["items"]] == ["reproduction", "reproduction", "check", "reproduction"]
    assert result["changed"] == changed
    assert [each["path"] for each in result["inputs"]] == ([] if text is None else [str(tmp_path / "a.txt")])
    shown = "\n".join(map(str, parts_of(result)))
    assert "the corpus, which needs a licence" in shown
    assert (f"[[{text!r}]]" in shown) == (text is not None)
    assert [["came out otherwise than before: a word"] in parts_of(result)] == [bool(changed)]


@pytest.mark.usefixtures("made_up")
def test_folders_without_the_files_are_refused(tmp_path: Path) -> None:
    for folder, message in ((tmp_path, r"none of the published files a\.txt"), (tmp_path / "x", "there is no folder")):
        with pytest.raises(InputError, match=message):
            reproduce("bold", folder)


def test_an_unknown_paper_is_refused() -> None:
    with pytest.raises(InputError, match=r"reproduce: .*bald"):
        reproduce("bald")


@pytest.mark.parametrize("paper", PAPERS)
def test_items_are_whole(paper: str) -> None:
    for item in items_of(paper):
        assert item.what
        assert item.source
        assert item.printed
        assert item.known in VERDICTS
        assert item.check == (item.known in ("passed", "failed"))
        assert item.compute or item.needs, f"{item.what}: name the inputs that are missing"
        words = shlex.split(item.command.replace("`", ""), posix=False)
        if words[:2] == ["fairsum", "study"]:
            assert words[2].rstrip(",") in studies()


@pytest.mark.parametrize("paper", PAPERS)
def test_printed_figures_alone_give_what_is_known(paper: str) -> None:
    assert reproduce(paper)["changed"] == []


@pytest.mark.parametrize("paper", PAPERS)
def test_published_files_give_what_is_known_and_what_the_page_says(
    paper: str, monkeypatch: pytest.MonkeyPatch, shared_data: Path, repository: Path
) -> None:
    outcomes: dict[str, Outcome] = {}

    def computed(item: Item, folder: Path) -> Outcome:
        outcomes[item.what] = compute(item, folder)
        return outcomes[item.what]

    compute = running._computed
    monkeypatch.setattr(running, "_computed", computed)
    result = reproduce(paper, shared_data)
    assert result["changed"] == []
    place = importlib.util.spec_from_file_location("reproducibility", repository / "docs" / "reproducibility.py")
    assert place is not None
    assert place.loader is not None
    page = importlib.util.module_from_spec(place)
    place.loader.exec_module(page)
    assert page.table(result, shared_data) in page.PAGE.read_text(encoding="utf-8")
    for row in result["items"]:
        if row["what"] in outcomes:
            follows_from_its_numbers(row, outcomes[row["what"]])


def follows_from_its_numbers(row: dict[str, Any], outcome: Outcome) -> None:
    """The verdict is that of the worst number, and no threshold was chosen for the gap that it is to pass."""
    assert outcome.numbers
    is_near, differs = outcome.at_best == "near", False
    for number in outcome.numbers:
        if isinstance(number, Below):
            differs |= number.got >= number.bound
            continue
        digits = -Decimal(repr(number.printed)).as_tuple().exponent if isinstance(number.printed, float) else 0
        gap = abs(number.got - number.printed)
        if round(number.got, digits if number.digits is None else number.digits) != number.printed:
            is_near = True
            differs |= gap > number.within
        if number.within:
            assert not 0.9 <= gap / number.within <= 1.1, f"{row['what']}: {number}"
    expected = "differs" if differs else "near" if is_near else "equal"
    if row["kind"] == "check":
        expected = "failed" if differs else "passed"
    assert row["verdict"] == expected, row["what"]


def test_verdicts_of_numbers() -> None:
    cases = [
        (Number(0.0250, 0.025), "equal"),
        (Number(0.02549, 0.025), "equal"),
        (Number(0.0256, 0.025, 0.001), "near"),
        (Number(0.03, 0.025, 0.001), "differs"),
        (Number(3009, 3009), "equal"),
        (Number(0.01, 0.0, 0.015, digits=2), "near"),
        (Below(0.049, 0.05), "equal"),
        (Below(0.05, 0.05), "differs"),
    ]
    for number, verdict in cases:
        assert number.verdict == verdict, number
    outcome = Outcome("", [cases[0][0], cases[2][0]])
    assert outcome.verdict == "near"
    assert outcome._replace(numbers=[case for case, _ in cases]).verdict == "differs"
    assert Outcome("", [], at_best="near").verdict == "near"
    check = ITEMS[2]
    assert [check.verdict(each) for each in (outcome, Outcome("", [Number(0, 1)]), None)] == [
        "passed",
        "failed",
        "no file",
    ]
    assert percent(1 / 3, 1) == "33.3 %"


@pytest.mark.parametrize("paper", ["bold", "fairsumm", "news"])
@pytest.mark.parametrize("text", ["", "[]", "3", '{"a": 3}', '{"a": {"b": null}}', "\x00 \x02\n", "\ud800"])
def test_files_that_are_not_those_published(tmp_path: Path, paper: str, text: str) -> None:
    needed = {path for item in items_of(paper) for path in item.needs if item.compute}
    for path in map(tmp_path.joinpath, needed):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
    with pytest.raises(InputError, match=r"^[^\n]+$"):
        reproduce(paper, tmp_path)


def test_a_fault_that_no_file_explains_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(folder: Path) -> Outcome:
        raise KeyError("ours")

    monkeypatch.setattr(running, "items_of", lambda paper: [Item("a fault", "table 1", "1", fault)])
    with pytest.raises(KeyError, match="ours"):
        reproduce("bold")
