"""The page of a measure's Space: a sample and settings to fill in, and what the command shows of the result.

``metrics/<name>/app.py`` starts one. Everything on it follows from the measure's family: what is asked for from its
columns and settings, the rest from its report. gradio is imported when the page is built.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fairsum_utils.errors import FairSumError, require
from fairsum_utils.family import family_of
from fairsum_utils.family.columns import ARTICLE_IDS, GROUPS
from fairsum_utils.hub.fields import Field, sample_fields, setting_field
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.formats import as_html, to_json
from fairsum_utils.reports.report import report_of
from fairsum_utils.reports.tables import short_name
from fairsum_utils.session import Request, Session

if TYPE_CHECKING:
    import gradio  # type: ignore[import-not-found, unused-ignore]

__all__ = ["Form", "build_demo"]

_STYLE = """<style>
.gradio-container {--font: system-ui, sans-serif; --font-mono: ui-monospace, monospace}
.report > p:first-child {font-size: 1.25em; font-weight: 600}
.report table {width: 100%}
.report p, .report td {overflow-wrap: anywhere}
</style>"""
"""Fonts of whoever looks at the page: nothing to fetch, and gradio 6.31 ships bold ones without an A."""


class Form:
    """What the Space of a measure asks for, and how it answers.

    Args:
        name: the measure.

    Attributes:
        page: what is shown before anything is scored.
        sample: fields of the sample, or of several texts where a measure compares groups of them.
        settings: fields of the settings.
        scores_at_once: whether there is an example that can be scored without a model to load or a file to give.

    Example:
        >>> shown, result = Form("sof").answer("Tasty.", [["Tasty!", "pos"], ["Awful.", "neg"]], 1, "ratio", "english")
        >>> shown.splitlines()[0]
        '<p>SOF = 0.2500 (lower is fairer; 0 at best)</p>'
    """

    def __init__(self, name: str) -> None:
        self.name, family = name, family_of(name)
        self._report = report_of(family.name)
        self.page = self._report.page(name)
        asked = self.page.example or {*family.needed(name, ()), GROUPS.name}
        self._columns = [column for column in family.columns_of(name) if column.name in asked]
        self.sample = sample_fields(self._columns, self.page.example)
        shown = {key: info for key, info in family.taken(name).items() if info.space is not None}
        self.settings = [setting_field(info, self.page.settings.get(key, info.default)) for key, info in shown.items()]
        self._fixed = {key: value for key, value in self.page.settings.items() if key not in shown}
        settings = family.settings(name)(**self._fixed, module=name)
        lacks_file = any(info.space == () and info.default is None for info in shown.values())
        needs_more = lacks_file or family.uses_model((name,), settings, asked)
        self.scores_at_once = bool(self.page.example) and not needs_more

    def answer(self, *filled_in: Any) -> tuple[str, str]:
        """Score what is filled in.

        Args:
            *filled_in: what each field holds, those of the sample first.

        Returns:
            The report as HTML, and the result as JSON.

        Raises:
            InputError: a field is empty that must not be, or a sample or a setting is not as described.
        """
        n_sample = len(self.sample)
        columns = _read(self.sample, filled_in[:n_sample])
        if any(column.name == ARTICLE_IDS.name for column in self._columns):  # whatever is typed in has one original
            columns[ARTICLE_IDS.name] = ["1"] * len(columns["predictions"])
        settings = self._fixed | _read(self.settings, filled_in[n_sample:])
        with Session([Request(self.name, settings={**settings, "return_samples": True})], module=self.name) as session:
            result = session.score(columns)[self.name]
        chosen = family_of(self.name).settings(self.name)(**settings, module=self.name)
        return as_html(self._report.explain(self.name, result, columns, chosen)), to_json(result)


def _read(fields: Sequence[Field], filled_in: Sequence[Any]) -> dict[str, Any]:
    """Columns or settings by name."""
    pairs = zip(fields, filled_in, strict=True)
    return {name: entry for field, value in pairs for name, entry in field.read(value).items()}


def build_demo(name: str) -> gradio.Blocks:
    """The page of a measure, not yet launched.

    Args:
        name: the measure, such as ``"bur"``.

    Raises:
        MissingDependencyError: gradio is not installed.
    """
    gr = require("gradio", extra="demo", purpose="show the demo")
    form, title, short = Form(name), get_measure(name).title, short_name(name)

    def respond(*filled_in: Any) -> tuple[str, str]:
        try:
            return form.answer(*filled_in)
        except FairSumError as error:  # shown until it is closed
            raise gr.Error(str(error), duration=None, print_exception=False) from error

    with gr.Blocks(title=title, analytics_enabled=False) as demo:
        heading = title if short == title else f"{short}: {title}"
        gr.Markdown(f"# {heading}\n\n{form.page.question} {form.page.note}")
        inputs = [field.show(gr) for field in form.sample]
        with gr.Row(visible=bool(form.settings)):
            inputs += [field.show(gr) for field in form.settings]
        button = gr.Button("Score", variant="primary")
        report = gr.HTML(elem_classes="report", min_height=60)
        with gr.Accordion("The result as the module returns it", open=False):
            result = gr.JSON(show_label=False)
        gr.HTML(_STYLE)
        answer = {"fn": respond, "inputs": inputs, "outputs": [report, result], "show_progress_on": report}
        button.click(**answer, api_name="score")
        if form.scores_at_once:
            demo.load(**answer, api_name=False)
    return demo  # type: ignore[no-any-return, unused-ignore]
