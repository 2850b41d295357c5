"""From a folder of published files to verdicts, which follow from the numbers."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from fairsum_reproductions import studies
from fairsum_reproductions.contract import PAPERS
from fairsum_reproductions.reproduction import running
from fairsum_reproductions.reproduction.item import VERDICTS, Below, Item, Number, Outcome, percent
from fairsum_reproductions.reproduction.running import items_of, parts_of, reproduce
from fairsum_utils.errors import InputError
from fairsum_utils.reports.tables import Table
from tests.conftest import load_script, takes_long


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
    assert [["different verdict than before: a word"] in parts_of(result)] == [bool(changed)]


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


@takes_long
@pytest.mark.parametrize("paper", PAPERS)
def test_published_files_give_what_is_known_and_what_the_page_says(
    paper: str, shared_data: Path, repository: Path
) -> None:
    result = reproduce(paper, shared_data)
    assert result["changed"] == []
    page = load_script(repository / "docs" / "reproducibility.py")
    assert page.tables(result) in page.PAGE.read_text(encoding="utf-8")


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
    assert percent(1 / 3, 1) == "33.3%"


@pytest.mark.parametrize("paper", ["bold", "fairsumm", "news"])
@pytest.mark.parametrize("text", ["", "[]", "3", '{"a": 3}', '{"a": {"b": null}}', "\x00 \x02\n", "\ud800"])
def test_files_that_are_not_those_published(tmp_path: Path, paper: str, text: str) -> None:
    needed = {path for item in items_of(paper) for path in item.needs if item.compute}
    for path in map(tmp_path.joinpath, needed):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
    with pytest.raises(InputError, match=r"^[^\n]+$"):
        reproduce(paper, tmp_path)
