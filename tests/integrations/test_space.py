"""Files that a Space is given: read as the command reads them, within limits, with mistakes in one line."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from matplotlib.figure import Figure

from fairsum_utils import compute
from fairsum_utils.errors import InputError, MissingDependencyError
from fairsum_utils.integrations import space
from fairsum_utils.integrations.space import Form, build_demo, read_samples, wanted
from fairsum_utils.measures import get_measure, measure_names
from fairsum_utils.reports import report
from fairsum_utils.reports.base import Page, Report
from fairsum_utils.reports.formats import to_json
from fairsum_utils.reports.report import report_of
from fairsum_utils.results import ScoreResults
from tests.reports._forms import near, rows_of, texts


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_columns_may_have_their_names_in_files_or_in_python(tmp_path: Path) -> None:
    sample = {"sources": ["Good soup.", "Cold soup."], "values": ["pos", "neg"]}
    expected = {"predictions": ["Soup."], "sources": [sample["sources"]], "values": [sample["values"]]}
    for column in ("prediction", "predictions"):
        path = write(tmp_path, "a.jsonl", json.dumps({column: "Soup.", **sample}) + "\n")
        assert read_samples("uer", path) == expected
    cells = ",".join('"{}"'.format(json.dumps(entry).replace('"', '""')) for entry in sample.values())
    assert read_samples("uer", write(tmp_path, "a.csv", f"prediction,sources,values\nSoup.,{cells}\n")) == expected


def test_optional_columns_are_read_where_they_are(tmp_path: Path) -> None:
    path = write(tmp_path, "a.csv", "prediction\nShe won.\n")
    assert read_samples("sentiment", path) == {"predictions": ["She won."]}
    path = write(tmp_path, "a.csv", "group,prediction,more\nw,She won.,x\n")
    assert read_samples("sentiment", path) == {"predictions": ["She won."], "groups": ["w"]}


@pytest.mark.parametrize("name", measure_names())
def test_every_measure_says_what_it_wants(name: str) -> None:
    columns = dict(wanted(name))
    assert columns["prediction"]
    assert len(columns) == len(wanted(name))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "prediction,texts\nx,y\n", "a.csv: no column 'sources', 'values'; found prediction, texts. Rename"),
        ("a.jsonl", '{"prediction": "x"\n', "a.jsonl"),
        ("a.csv", "prediction,sources,values\nx,[1,pos\n", "a.csv, line 2: column 'sources' must"),
        ("a.pdf", "%PDF", "a.pdf: the name must end in .jsonl"),
        ("a.csv.gz", "", "a.csv.gz: the name must end in"),
        ("a.csv", "", "a.csv"),
    ],
)
def test_mistakes_name_the_file_and_not_where_it_is_kept(name: str, text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        read_samples("bur", write(tmp_path, name, text))
    assert str(raised.value).startswith(message)
    assert str(tmp_path) not in str(raised.value)
    assert "\n" not in str(raised.value)
    assert "--" not in str(raised.value)


def test_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(space, "MOST_SAMPLES", 2)
    path = write(tmp_path, "a.csv", "prediction\nOne.\nTwo.\n")
    assert len(read_samples("sentiment", path)["predictions"]) == 2
    path = write(tmp_path, "a.csv", "prediction\nOne.\nTwo.\nThree.\n")
    with pytest.raises(
        InputError,
        match=r"too many samples; this page accepts at most 2 samples; the command has no limit: fairsum",
    ):
        read_samples("sentiment", path)
    monkeypatch.setattr(space, "MOST_BYTES", 20)
    with pytest.raises(InputError, match=r"a\.csv: 0\.0 MB; this page accepts at most"):
        read_samples("sentiment", path)


REVIEWS = [
    ["Great soup!", "pos"],
    ["Friendly staff, great bread.", "pos"],
    ["Cold soup, slow service.", "neg"],
    ["", ""],
]
# Measures that need a model, or a file of the visitor's.
NEED_MORE = ("psycholinguistic_norms", "regard", "toxicity")


class Component:
    """Stands for any component of gradio: what it was made with, and what a press of it does."""

    def __init__(self, kind: str, *shown: Any, **options: Any) -> None:
        self.kind, self.value, self.pressed = kind, options.get("value", shown[0] if shown else None), {}

    def __enter__(self) -> Component:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def click(self, fn: Any, inputs: Any, outputs: Any, **_: Any) -> None:
        self.pressed = {"fn": fn, "inputs": inputs, "outputs": outputs}

    def load(self, **_: Any) -> None:
        pass


class Gradio(ModuleType):
    """Stands for the module gradio where it is not installed, as far as the page uses it."""

    Error = RuntimeError

    def __init__(self) -> None:
        super().__init__("gradio")
        self.made: list[Component] = []

    def __getattr__(self, kind: str) -> Any:
        def make(*shown: Any, **options: Any) -> Component:
            self.made.append(Component(kind, *shown, **options))
            return self.made[-1]

        return make


def filled_in(form: Form) -> list[Any]:
    """What the page of a measure holds at first."""
    return [field.show(Gradio()).value for field in [*form.sample, *form.settings]]


@pytest.mark.parametrize("name", measure_names())
def test_answer_to_the_example_is_the_measures(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ScoreResults, "plot", lambda self: None)  # figures are drawn for others below
    form = Form(name)
    assert all(page.example for page in report_of(get_measure(name).family).pages.values())
    assert form.scores_at_once == (bool(form.page.example) and name not in NEED_MORE)
    if form.scores_at_once:
        page = form.page
        expected = compute(name, **page.example, **page.settings, return_samples=True)
        assert form.answer(*filled_in(form))[2] == to_json(expected)


def test_report_and_settings() -> None:
    form = Form("bur")
    shown, figure, result = form.answer("Great soup and friendly staff.", REVIEWS, 0.8, 1, "ratio", "english")
    assert shown.startswith("<p>BUR = 1.0000 (lower is fairer; 0 at best)</p>\n<style>")
    assert '</style><div class="fs-samples">' in shown
    assert figure is not None
    assert [*rows_of(figure.axes[0])] == [("BUR", 1.0, None)]
    assert "istribution" not in "".join(texts(figure))  # of one sample
    assert "Great, soup, friendly, staff" in shown
    assert json.loads(result)["bur_by_value"] == {"neg": 1.0, "pos": 0.0}
    shown, _, _ = form.answer("Great soup and friendly staff.", REVIEWS, 0.5, 1, "ratio", "english")
    assert shown.startswith("<p>BUR = 0.0000")
    assert form.answer("  ", REVIEWS, 0.8, 1, "ratio", "english")[0] == "<p>No score: the summary is empty.</p>"


def test_words_are_marked_by_value_beside_their_sources() -> None:
    shown, _, _ = Form("bur").answer("Great <b>soup</b>.", REVIEWS, 0.8, 1, "ratio", "english")
    summary, sources = re.search(r'fs-own">(.*?)</div><div class="fs-sources">(.*?)fs-evidence', shown, re.S).groups()  # type: ignore[union-attr]
    # Of neg (v1) is "soup" alone; "great" is of pos (v2), and "soup" of both.
    assert re.findall(r'<mark class="[^"]*(fs-v[^"]*)"[^>]*>([^<]+)</mark>', summary) == [
        ("fs-v2", "Great"),
        ("fs-v1-v2", "soup"),
    ]
    assert sources.count(">soup</mark>") == 2
    assert ".fs-v1-v2{" in shown
    assert "&lt;" in summary
    assert "<b>" not in summary


def test_texts_of_groups_stand_above_one_table_of_what_decided() -> None:
    form = Form("sentiment")
    shown, _, _ = form.answer(*filled_in(form))
    assert shown.count('class="fs-sample"') == 4
    assert shown.count("<caption>By text</caption>") <= 1


@pytest.mark.usefixtures("undrawn")
def test_answer_to_a_file(tmp_path: Path) -> None:
    rows = [
        {"prediction": "Great soup.", "sources": [text for text, _ in REVIEWS[:3]], "values": ["pos", "pos", "neg"]},
        {"prediction": "<i>Cold</i> soup.", "sources": ["Great soup.", "Cold soup."], "values": ["pos", "neg"]},
    ]
    given, page = tmp_path / "<s>.jsonl", tmp_path / "page.html"
    given.write_text("".join(map("{}\n".format, map(json.dumps, rows))), encoding="utf-8")
    shown, figure, result = Form("bur").answer_file(given, page, 0.8, 1, "ratio", "english")
    expected = compute("bur", rows)
    assert json.loads(result) == json.loads(to_json(expected))
    assert shown.startswith(
        f"<p>BUR = {expected['bur']:.4f} (lower is fairer; 0 at best)</p>\n<p>&lt;s&gt;.jsonl: 2 samples"
    )
    assert [*rows_of(figure.axes[0])] == near([("BUR", expected["bur"], None)])
    assert "<s>" not in shown
    assert "&lt;s&gt;.jsonl" in page.read_text(encoding="utf-8")


def test_mistakes_are_those_of_the_library() -> None:
    with pytest.raises(InputError, match=r"entities\[0\] has no name"):
        Form("entity_inclusion").answer("Ray won.", [["", "", "m"]], "Ray", 0.5)
    norms = Form("psycholinguistic_norms")
    with pytest.raises(InputError, match="lexicon is missing"):
        norms.answer(*filled_in(norms))
    with pytest.raises(InputError, match="group 'w' has only one text"):
        Form("sentiment").answer([["She won.", "w"], ["He won.", "m"], ["He ran.", "m"]], 0.5)


def test_some_of_the_names_of_a_list() -> None:
    form = Form("counterfactual_outcomes")
    *texts, outcomes, _ = filled_in(form)
    assert "length" in outcomes
    *_, result = form.answer(*texts, ["units", "length"], True)
    assert {each["outcome"] for each in json.loads(result)["outcomes"]} == {"units", "length"}
    with pytest.raises(InputError, match="outcomes must be a list of names from sentiment, length, "):
        form.answer(*texts, [], True)


def test_page_of_a_family_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairsum_utils.integrations.space.report_of", lambda family: Report())
    form = Form("bur")
    assert (form.page, form.scores_at_once) == (Page(), False)
    assert filled_in(form) == ["", [["", ""]], 0.8, 1, "ratio", "english"]
    assert json.loads(form.answer("Great soup.", REVIEWS, *filled_in(form)[2:])[2])["n_samples"] == 1
    assert filled_in(Form("sentiment")) == [[["", ""]], 0.5]
    monkeypatch.setattr(report, "find_spec", lambda name: None)
    assert "mean shortfall" in Form("uer").answer("Great soup.", REVIEWS, 1, "ratio", "english")[0]


@pytest.mark.usefixtures("undrawn")
def test_the_buttons_hand_figures_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gradio = Gradio()
    monkeypatch.setitem(sys.modules, "gradio", gradio)
    build_demo("bur")
    score, score_file = (each.pressed for each in gradio.made if each.kind == "Button")
    row = {"prediction": "Soup.", "sources": ["Soup.", "Stale."], "values": ["a", "b"]}
    given = write(tmp_path, "a.jsonl", json.dumps(row))
    for pressed, first in ((score, []), (score_file, [str(given)])):
        filled_in = [*first, *(each.value for each in pressed["inputs"][len(first) :])]
        kinds = [each.kind for each in pressed["outputs"]]
        answer = dict(zip(kinds, pressed["fn"](*filled_in), strict=True))
        assert isinstance(answer["Plot"], Figure)
        assert answer["HTML"].startswith("<p>BUR = ")
        assert json.loads(answer["JSON"])["n_samples"] == 1
    assert Path(gradio.made[-1].value).read_text(encoding="utf-8").startswith("<!DOCTYPE html>")  # the download
    for folder in score_file["fn"].__self__._pages:
        folder.cleanup()


def test_without_gradio(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gradio", None)
    with pytest.raises(MissingDependencyError, match=r"pip install .*\[demo\]"):
        build_demo("bur")
