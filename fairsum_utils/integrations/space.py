"""Page of a measure's Space: input, settings and report.

The ``app.py`` of a Space starts one. gradio is imported when the page is built.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from fairsum_utils._util.terminal import printable
from fairsum_utils.errors import FairSumError, InputError, require
from fairsum_utils.families import Column, family_of
from fairsum_utils.families.columns import ARTICLE_IDS, GROUPS
from fairsum_utils.integrations.space_fields import Field, sample_fields, setting_field
from fairsum_utils.io.layout import Layout
from fairsum_utils.io.names import EXCEL, FORMATS
from fairsum_utils.io.reading import columns_of
from fairsum_utils.io.samples import read_chunks
from fairsum_utils.io.shapes import Shape
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.base import Record
from fairsum_utils.reports.formats import to_json
from fairsum_utils.reports.html import as_html
from fairsum_utils.reports.page.document import sample_style
from fairsum_utils.reports.page.sample import Lens, readings, sample_html
from fairsum_utils.reports.report import parts_of, report_of
from fairsum_utils.reports.theme import FONT, MONO, colors_of, logo, sheet, themes
from fairsum_utils.reports.wording import short_name
from fairsum_utils.results import ScoreResults
from fairsum_utils.session import Request, Session

if TYPE_CHECKING:
    import gradio  # type: ignore[import-not-found, unused-ignore]
    from matplotlib.figure import Figure

# Endings of files that are read; none is compressed, so that the size of a file shows how much it contains.
ENDINGS = tuple(format for format in FORMATS if format != EXCEL)
MOST_SAMPLES = 1_000
# Limits of a Space; the command has none.
MOST_BYTES = 5_000_000


def wanted(name: str) -> list[tuple[str, bool]]:
    """Return the names of a file's columns, required and optional.

    Example:
        >>> wanted("sentiment")
        [('prediction', True), ('group', False)]
    """
    family = family_of(name)
    columns = family.columns_of(name)
    needed = get_measure(name).needed([column.name for column in columns if column.in_file])
    return [(column.in_file or column.name, column.name in needed) for column in columns]


def read_samples(name: str, path: Path) -> dict[str, list[Any]]:
    """Read all samples of a file.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp(), "texts.csv")
        >>> _ = path.write_text("prediction,group\\nShe won.,w\\nHe lost.,m\\n")
        >>> read_samples("sentiment", path)
        {'predictions': ['She won.', 'He lost.'], 'groups': ['w', 'm']}
    """
    if path.stat().st_size > MOST_BYTES:
        raise InputError(
            f"{path.name}: {path.stat().st_size / 1e6:.1f} MB; {_instead(f'{MOST_BYTES / 1e6:g} MB', name)}"
        )
    if path.suffix not in ENDINGS:
        raise InputError(f"{path.name}: the name must end in {', '.join(ENDINGS)}")
    try:
        layout = Layout(_columns(name, path), Shape.make({}, module=name))
        chunk = next(read_chunks(path, layout, MOST_SAMPLES + 1))
    except FairSumError as error:
        raise InputError(str(error).replace(str(path), path.name)) from error
    if len(chunk.ids) > MOST_SAMPLES:
        raise InputError(f"{path.name}: too many samples; {_instead(f'{MOST_SAMPLES:,} samples', name)}")
    return chunk.columns


def _instead(most: str, name: str) -> str:
    return f"this page accepts at most {most}; the command has no limit: fairsum score FILE --metrics {name}"


def _columns(name: str, path: Path) -> tuple[tuple[Column, str], ...]:
    """Return the columns of a file, under any of their names."""
    there = columns_of(path)
    columns = family_of(name).columns_of(name)
    usual = [(column.in_file, column.name, *column.also) for column in columns]
    names = [next((each for each in names if each in there), None) for names in usual]
    found = tuple((column, each) for column, each in zip(columns, names, strict=True) if each is not None)
    needed = get_measure(name).needed([column.name for column, _ in found])
    missing = [
        column.in_file or column.name for column in columns if column.name in needed and column not in dict(found)
    ]
    if missing:
        lacking, others = ", ".join(map(repr, missing)), ", ".join(there) or "nothing"
        raise InputError(f"{path}: no column {lacking}; found {others}. Rename the columns of the file")
    return found


class Form:
    """The form of a Space: its fields and its answers.

    Attributes:
        page: report shown before scoring.
        sample: fields of the sample, or of several texts where a measure compares groups of them.
        settings: fields of the settings.
        scores_at_once: True if an example needs no model and no file.

    Example:
        >>> sources = [["Tasty!", "pos"], ["Awful.", "neg"]]
        >>> shown, figure, result = Form("sof").answer("Tasty.", sources, 1, "ratio", "english")
        >>> shown.splitlines()[0]
        '<p>SOF = 0.2500 (lower is fairer; 0 at best)</p>'
    """

    def __init__(self, name: str) -> None:
        self.name, family = name, family_of(name)
        self._report = report_of(family.name)
        self.page = self._report.page(name)
        asked = self.page.example or {*get_measure(name).needs, GROUPS.name}
        self._columns = [column for column in family.columns_of(name) if column.name in asked]
        self.sample = sample_fields(self._columns, self.page.example)
        shown = {key: info for key, info in get_measure(name).infos().items() if info.space is not None}
        self.settings = [setting_field(info, self.page.settings.get(key, info.default)) for key, info in shown.items()]
        self._fixed = {key: value for key, value in self.page.settings.items() if key not in shown}
        settings = get_measure(name).make(self._fixed, module=name)
        lacks_file = any(info.space == () and info.default is None for info in shown.values())
        needs_more = lacks_file or settings.uses_model(asked)
        self.scores_at_once = bool(self.page.example) and not needs_more

    def answer(self, *filled_in: Any) -> tuple[str, Figure | None, str]:
        """Score what is filled in: report, figure and result."""
        n_sample = len(self.sample)
        columns = _read(self.sample, filled_in[:n_sample])
        if any(column.name == ARTICLE_IDS.name for column in self._columns):  # whatever is typed in has one original
            columns[ARTICLE_IDS.name] = ["1"] * len(columns["predictions"])
        settings = self._settings(filled_in[n_sample:])
        results = self._score(columns, settings, "Your input")
        result = results[self.name]
        many = len(result["samples"]) > 1
        # Evidence is shown with one sample, or in one table for many.
        chosen = self._chosen(settings)
        (headline, *warnings), *figures = self._report.explain(self.name, result, columns if many else {}, chosen)
        shown, figure = [as_html([[str(headline)], list(map(str, warnings))])], None
        if any(record["skipped"] is None for record in result["samples"]):
            # A distribution over a sample or two says nothing.
            few = {key: entry for key, entry in result.items() if key != "samples"}
            figure = ScoreResults({self.name: few}, title=results.title, run=results.run).plot()
            shown += [self._texts(result, settings, columns), as_html(figures)]
        return "\n".join(shown), figure, to_json(result)

    def answer_file(self, path: Path, page: Path, *filled_in: Any) -> tuple[str, Figure, str]:
        """Score the samples of a file."""
        columns = read_samples(self.name, path)
        settings = self._settings(filled_in)
        results = self._score(columns, settings, path.name)
        results.report(page)
        result = {key: entry for key, entry in results[self.name].items() if key != "samples"}
        headline = self._report.headline(self.name, results[self.name])
        first, *figures = parts_of(path.name, {self.name: result})
        return as_html([[headline], first, *figures]), results.plot(), to_json(result)

    def _settings(self, filled_in: Sequence[Any]) -> dict[str, Any]:
        return self._fixed | _read(self.settings, filled_in)

    def _chosen(self, settings: Mapping[str, Any]) -> Any:
        return get_measure(self.name).make(settings, module=self.name)

    def _score(self, columns: Mapping[str, Any], settings: Mapping[str, Any], title: str) -> ScoreResults:
        with Session([Request(get_measure(self.name)(**settings, return_samples=True))], module=self.name) as session:
            results = session.score(columns)
        results.title = title
        return results

    def _texts(self, result: Record, settings: Mapping[str, Any], columns: Mapping[str, Sequence[Any]]) -> str:
        """Return the texts with marked evidence, and the reasons."""
        many = len(result["samples"]) > 1
        made = readings({self.name: Lens(self.name, self._chosen(settings), result)})
        colors = colors_of(columns[GROUPS.name]) if GROUPS.name in columns else None
        texts = "".join(
            sample_html(
                {column: entries[place] for column, entries in columns.items() if column != ARTICLE_IDS.name},
                {self.name: record},
                made,
                colors=colors,
                level=2,
                decided=not many,
            )
            for place, record in enumerate(result["samples"])
            if record["skipped"] is None
        )
        used = set(re.findall(r"\bv[1-8]\b", " ".join(re.findall(r'class="([^"]*)"', texts))))
        return f'<style>{sample_style(used)}</style><div class="fs-samples{" fs-many" * many}">{texts}</div>'


def _read(fields: Sequence[Field], filled_in: Sequence[Any]) -> dict[str, Any]:
    """Return columns or settings by name."""
    pairs = zip(fields, filled_in, strict=True)
    return {name: entry for field, value in pairs for name, entry in field.read(value).items()}


_STYLE = Template(files("fairsum_utils.integrations").joinpath("space.css").read_text("utf-8")).substitute(
    themes=themes(".gradio-container", ".dark .gradio-container"), font=FONT, mono=MONO, tables=sheet("tables.css")
)

# Pages of reports that are kept until gradio has taken them over.
_KEPT = 8


def build_demo(name: str) -> gradio.Blocks:
    """Return the page of a measure, not yet launched.

    Args:
        name: the measure, such as ``"bur"``.

    Raises:
        MissingDependencyError: gradio is not installed.
    """
    gr = require("gradio", extra="demo", purpose="show the demo")
    title, short = get_measure(name).title, short_name(name)
    answers = _Answers(gr, name)
    form = answers.form
    # All input is deleted within two hours.
    with gr.Blocks(title=title, analytics_enabled=False, delete_cache=(3600, 3600)) as demo:
        heading = title if short == title else f"{short}: {title}"
        face = f'<div class="face">{logo()}<h1>{escape(heading)}</h1></div>'
        gr.HTML(f"<style>{_STYLE}</style>{face}", apply_default_css=False)
        gr.Markdown(f"{form.page.question} {form.page.note}")
        # Settings without a default are visible.
        with gr.Accordion("Settings", open=not form.scores_at_once, visible=bool(form.settings)), gr.Row():
            settings = [field.show(gr) for field in form.settings]
        with gr.Tab("Texts"):
            texts = [field.show(gr) for field in form.sample]
            button = gr.Button("Score", variant="primary")
        with gr.Tab("File"):
            gr.Markdown(_file_help(name))
            file = gr.File(label="File", type="filepath", file_types=[*ENDINGS], height=140)
            file_button = gr.Button("Score the file", variant="primary")
            download = gr.DownloadButton("Download the report with every sample", visible=False)
        report = gr.HTML(elem_classes="report", min_height=60, apply_default_css=False)
        figure = gr.Plot(label="Figure", format="png")
        with gr.Accordion("Result as returned by the module", open=False):
            result = gr.JSON(show_label=False)
        shown = {"show_progress_on": report}
        answer = {"fn": answers.to_texts, "inputs": [*texts, *settings], "outputs": [report, figure, result], **shown}
        button.click(**answer, api_name="score")
        outputs = [report, figure, result, download]
        file_button.click(answers.to_file, [file, *settings], outputs, api_name="score_file", **shown)
        if form.scores_at_once:
            demo.load(**answer, api_name=False)
    return demo  # type: ignore[no-any-return, unused-ignore]


class _Answers:
    """Actions of the buttons; errors become messages of the page."""

    def __init__(self, gr: Any, name: str) -> None:
        self.form = Form(name)
        self._gr, self._name = gr, name
        self._pages: deque[TemporaryDirectory[str]] = deque()

    def to_texts(self, *filled_in: Any) -> tuple[str, Figure | None, str]:
        """Return report, figure and result of the filled-in fields."""
        with self._shown_errors():
            return self.form.answer(*filled_in)

    def to_file(self, path: str | None, *settings: Any) -> tuple[str, Figure, str, Any]:
        """Return report, figure and result of a file, and a download button."""
        while len(self._pages) >= _KEPT:
            self._pages.popleft().cleanup()
        self._pages.append(TemporaryDirectory(prefix="fairsum-"))
        with self._shown_errors():
            if not path:
                raise InputError("No file yet; add one first.")
            page = Path(self._pages[-1].name, f"{Path(path).stem}-{self._name}.html")
            shown, figure, result = self.form.answer_file(Path(path), page, *settings)
        return shown, figure, result, self._gr.DownloadButton(value=page, visible=True)

    @contextmanager
    def _shown_errors(self) -> Iterator[None]:
        """Show messages until closed, with cited text escaped as HTML."""
        try:
            yield
        except FairSumError as error:
            raise self._gr.Error(
                escape(printable(str(error)), quote=False), duration=None, print_exception=False
            ) from error


def _file_help(name: str) -> str:
    """Describe the expected file in Markdown."""
    columns = ", ".join(f"`{column}`" + ("" if needed else " (optional)") for column, needed in wanted(name))
    return (
        f"One row per sample, with the columns {columns}; lists are JSON. CSV, JSON, Parquet and similar formats, up "
        f"to {MOST_SAMPLES:,} samples in {MOST_BYTES / 1000000.0:g} MB."
    )
