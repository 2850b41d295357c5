"""From a folder of published files to verdicts: what is there is computed, what is not is said."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from fairsum_reproductions.contract import PAPERS
from fairsum_reproductions.reproduction import running
from fairsum_reproductions.reproduction.item import VERDICTS, Item, Outcome, judged, percent
from fairsum_reproductions.reproduction.running import items_of, parts_of, reproduce
from fairsum_utils.errors import InputError
from fairsum_utils.reports.tables import Table


def shout(folder: Path) -> Outcome:
    text = (folder / "a.txt").read_text()
    return Outcome(text.upper(), "equal" if text == "yes" else "differs", [Table(["said"], [[text]])])


ITEMS = (
    Item("a word", "table 1", "YES", shout, ("a.txt",), "shout a.txt"),
    Item("a number", "section 2", "2", lambda folder: Outcome("2", "equal")),
    Item("a secret", "table 3", "?", needs=("the corpus, which needs a licence",)),
)


@pytest.fixture(autouse=True)
def paper(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "items_of", lambda paper: ITEMS)


def verdicts(result: dict[str, object]) -> list[str]:
    return [row["verdict"] for row in result["items"]]  # type: ignore[attr-defined,index]


def test_what_is_there_is_computed(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("yes")
    result = reproduce("bold", tmp_path)
    assert verdicts(result) == ["equal", "equal", "not reproduced"]
    assert result["items"][0]["got"] == "YES"
    assert result["verdicts"] == {"equal": 2, "not reproduced": 1}
    assert result["changed"] == []
    assert [each["path"] for each in result["inputs"]] == [str(tmp_path / "a.txt")]
    shown = "\n".join(str(part) for part in parts_of(result))
    assert "the corpus, which needs a licence" in shown
    assert "['yes']" in shown


def test_another_number_than_before_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("no")
    result = reproduce("bold", tmp_path)
    assert verdicts(result) == ["differs", "equal", "not reproduced"]
    assert result["changed"] == ["a word"]
    assert ["came out otherwise than before: a word"] in parts_of(result)


def test_without_a_folder_printed_figures_are_left() -> None:
    result = reproduce("bold")
    assert verdicts(result) == ["no file", "equal", "not reproduced"]
    assert result["inputs"] == []


def test_a_folder_without_any_of_the_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has none of the published files a\.txt"):
        reproduce("bold", tmp_path)
    with pytest.raises(InputError, match="there is no folder"):
        reproduce("bold", tmp_path / "x")


def test_an_unknown_paper_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    with pytest.raises(InputError, match=r"reproduce: .*bald"):
        reproduce("bald")


@pytest.mark.parametrize("paper", PAPERS)
def test_items_are_whole(paper: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    for item in items_of(paper):
        assert item.what
        assert item.source
        assert item.printed
        assert item.known in VERDICTS
        assert item.compute or item.needs, f"{item.what}: say what would be needed"


@pytest.mark.parametrize("paper", PAPERS)
def test_printed_figures_alone_give_what_is_known(paper: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert reproduce(paper)["changed"] == []


@pytest.mark.parametrize("paper", PAPERS)
def test_published_files_give_what_is_known_and_what_the_page_says(
    paper: str, monkeypatch: pytest.MonkeyPatch, shared_data: Path, repository: Path
) -> None:
    monkeypatch.undo()
    result = reproduce(paper, shared_data)
    assert result["changed"] == []
    place = importlib.util.spec_from_file_location("reproducibility", repository / "docs" / "reproducibility.py")
    assert place is not None
    assert place.loader is not None
    page = importlib.util.module_from_spec(place)
    place.loader.exec_module(page)
    assert page.table(result, shared_data) in page.PAGE.read_text(encoding="utf-8")


def test_verdicts_of_numbers() -> None:
    assert judged(0.0250, 0.025, within=0) == "equal"
    assert judged(0.02549, 0.025, within=0) == "equal"
    assert judged(0.0256, 0.025, within=0.001) == "near"
    assert judged(0.03, 0.025, within=0.001) == "differs"
    assert judged(3009, 3009, within=0) == "equal"
    assert percent(1 / 3, 1) == "33.3 %"


@pytest.mark.parametrize("paper", ["bold", "fairsumm", "news"])
@pytest.mark.parametrize("text", ["", "[]", "3", '{"a": 3}', '{"a": {"b": null}}', "\x00 \x02\n", "\ud800"])
def test_files_that_are_not_those_published(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, paper: str, text: str
) -> None:
    monkeypatch.setattr(running, "items_of", items_of)
    needed = {path for item in items_of(paper) for path in item.needs if item.compute}
    for path in map(tmp_path.joinpath, needed):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
    with pytest.raises(InputError, match=r"^[^\n]+$"):
        reproduce(paper, tmp_path)


def test_a_fault_that_no_file_explains_is_told_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(folder: Path) -> Outcome:
        raise KeyError("ours")

    monkeypatch.setattr(running, "items_of", lambda paper: (Item("a fault", "table 1", "1", fault),))
    with pytest.raises(KeyError, match="ours"):
        reproduce("bold")
