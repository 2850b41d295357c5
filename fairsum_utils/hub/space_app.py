"""The page of a measure's Space: texts or a file to fill in, settings, and the answer.

``metrics/<name>/app.py`` starts one. gradio is imported when the page is built.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from fairsum_utils._util.terminal import printable
from fairsum_utils.errors import FairSumError, InputError, require
from fairsum_utils.hub.space_form import ENDINGS, MOST_BYTES, MOST_SAMPLES, Form, wanted
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.tables import short_name
from fairsum_utils.reports.theme import FONT, MONO, TABLES, logo, themes

if TYPE_CHECKING:
    import gradio  # type: ignore[import-not-found, unused-ignore]


_STYLE = f"""<style>
{themes(".gradio-container", ".dark .gradio-container")}
.gradio-container {{
--font: {FONT}; --font-mono: {MONO};
--body-background-fill: var(--fairsum-surface); --background-fill-primary: var(--fairsum-surface);
--background-fill-secondary: var(--fairsum-raised); --block-background-fill: var(--fairsum-surface);
--input-background-fill: var(--fairsum-surface); --body-text-color: var(--fairsum-ink);
--body-text-color-subdued: var(--fairsum-muted); --block-info-text-color: var(--fairsum-muted);
--block-label-background-fill: var(--fairsum-surface); --block-label-text-color: var(--fairsum-muted);
--block-title-text-color: var(--fairsum-ink); --border-color-primary: var(--fairsum-grid);
--block-border-color: var(--fairsum-grid); --input-border-color: var(--fairsum-grid);
--color-accent: var(--fairsum-accent); --color-accent-soft: var(--fairsum-accent-wash);
--table-even-background-fill: var(--fairsum-surface); --table-odd-background-fill: var(--fairsum-raised);
--table-border-color: var(--fairsum-grid); --table-text-color: var(--fairsum-ink);
--slider-color: var(--fairsum-accent); --loader-color: var(--fairsum-accent);
--checkbox-background-color-selected: var(--fairsum-accent); --checkbox-border-color-selected: var(--fairsum-accent);
--button-primary-background-fill: var(--fairsum-accent); --button-primary-background-fill-hover: var(--fairsum-accent);
--button-primary-text-color: var(--fairsum-on-accent); --button-primary-text-color-hover: var(--fairsum-on-accent);
--button-primary-border-color: var(--fairsum-accent); --link-text-color: var(--fairsum-accent);
background: var(--fairsum-surface); color: var(--fairsum-ink);
}}
.gradio-container table, .gradio-container .table-wrap {{--font-mono: var(--font)}}
.face {{display: flex; align-items: center; gap: 0.6rem}}
.face svg {{width: 2rem; height: 2rem; flex: none; color: var(--fairsum-accent)}}
.face h1 {{margin: 0; font-size: 1.5rem; font-weight: 600}}
.report {{line-height: 1.5}}
.report > p:first-child {{font-size: 1.25em; font-weight: 600}}
.report p {{margin: 0.6em 0; overflow-wrap: anywhere}}
.report td {{overflow-wrap: break-word}}
.report .fs-samples {{margin: 1.5rem 0}}
.report .fs-samples :is(h2, h3) {{margin: 0 0 0.5rem; font-size: 0.875rem; font-weight: 600}}
.report .fs-samples h2 {{color: var(--fairsum-muted)}}
.report .fs-many h2 {{display: none}}
.report .fs-many .fs-own {{display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 1rem}}
.report .fairsum-drawing {{border: 1px solid var(--fairsum-grid); border-radius: 6px}}
{TABLES}
</style>"""
"""The face of reports, in fonts of whoever looks: nothing to fetch, and gradio 6.31 ships bold ones without an A."""

_KEPT = 8
"""Pages of reports that are kept until gradio has taken them over."""


def build_demo(name: str) -> gradio.Blocks:
    """The page of a measure, not yet launched.

    Args:
        name: the measure, such as ``"bur"``.

    Raises:
        MissingDependencyError: gradio is not installed.
    """
    gr = require("gradio", extra="demo", purpose="show the demo")
    title, short = get_measure(name).title, short_name(name)
    answers = _Answers(gr, name)
    form = answers.form
    # Whatever is given is forgotten within two hours.
    with gr.Blocks(title=title, analytics_enabled=False, delete_cache=(3600, 3600)) as demo:
        heading = title if short == title else f"{short}: {title}"
        gr.HTML(f'{_STYLE}<div class="face">{logo()}<h1>{escape(heading)}</h1></div>', apply_default_css=False)
        gr.Markdown(f"{form.page.question} {form.page.note}")
        # What has no default is to be seen.
        with gr.Accordion("Settings", open=not form.scores_at_once, visible=bool(form.settings)), gr.Row():
            settings = [field.show(gr) for field in form.settings]
        with gr.Tab("Texts"):
            texts = [field.show(gr) for field in form.sample]
            button = gr.Button("Score", variant="primary")
        with gr.Tab("A file of many"):
            gr.Markdown(_file_help(name))
            file = gr.File(label="File", type="filepath", file_types=[*ENDINGS], height=140)
            file_button = gr.Button("Score the file", variant="primary")
            download = gr.DownloadButton("Download the report with every sample", visible=False)
        report = gr.HTML(elem_classes="report", min_height=60, apply_default_css=False)
        with gr.Accordion("The result as the module returns it", open=False):
            result = gr.JSON(show_label=False)
        shown = {"show_progress_on": report}
        answer = {"fn": answers.to_texts, "inputs": [*texts, *settings], "outputs": [report, result], **shown}
        button.click(**answer, api_name="score")
        outputs = [report, result, download]
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

    def to_texts(self, *filled_in: Any) -> tuple[str, str]:
        """The report and the result of what is filled in."""
        with self._told():
            return self.form.answer(*filled_in)

    def to_file(self, path: str | None, *settings: Any) -> tuple[str, str, Any]:
        """The report and the result of a file, and the button that gives the page of all samples."""
        while len(self._pages) >= _KEPT:
            self._pages.popleft().cleanup()
        self._pages.append(TemporaryDirectory(prefix="fairsum-"))
        with self._told():
            if not path:
                raise InputError("There is no file; drop one in first.")
            page = Path(self._pages[-1].name, f"{Path(path).stem}-{self._name}.html")
            shown, result = self.form.answer_file(Path(path), page, *settings)
        return shown, result, self._gr.DownloadButton(value=page, visible=True)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Messages stay until they are closed; gradio shows them as HTML, and what they cite of a text is a text."""
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
        f"A row for each sample, with the columns {columns}; lists are JSON. CSV, JSON, Parquet and their like, up to "
        f"{MOST_SAMPLES:,} samples in {MOST_BYTES / 1e6:g} MB."
    )
