"""Results of scoring: plain dicts that show, draw and save themselves."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from fairsum_utils.errors import InputError
from fairsum_utils.results.base import IN_MEMORY, Results, finite_numbers, flat_names
from fairsum_utils.results.record import Run, whole_record

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from fairsum_utils.reports.panels import Drawing
    from fairsum_utils.reports.tables import Cell, Part


class Shown(dict[str, Any]):
    """A dict that shows itself; `whole` returns all that is shown."""

    def whole(self) -> ShownResults:
        """Return the results that are shown."""
        raise NotImplementedError

    def _report(self) -> list[Part]:
        """Return the parts of the report."""
        return self.whole()._parts()

    def _file(self) -> dict[str, Any]:
        """Return the contents of a file."""
        return self.whole().document()

    def _checked(self) -> AbstractContextManager[None]:
        """Turn errors of edited result files into one line."""
        return nullcontext() if self.whole().run.read is None else whole_record("the record that was read")

    def _formatted(self, format: str) -> str:
        from fairsum_utils.reports.formats import FORMATS

        with self._checked():
            return FORMATS[format](self._report())

    @overload
    def report(self) -> str: ...

    @overload
    def report(
        self, path: str | os.PathLike[str], *, samples: Any = None, title: str | None = None, redact: bool = False
    ) -> None: ...

    def report(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        samples: Any = None,
        title: str | None = None,
        redact: bool = False,
    ) -> str | None:
        """Return the report as text, or write it as one self-contained HTML file.

        The text equals the output of the command: tables and sentences, with rounded numbers. The page also has the
        samples with their texts, if available: results of `score` and `compute` with ``return_samples=True`` keep the
        scored columns until they are pickled or saved. After that, and for a comparison, pass `samples`. With more than
        500 samples, the page shows the worst of each measure and some others.

        Args:
            path: path of the page, ending in ``.html``; None returns the text instead.
            samples: the scored data, if the results have records of it; or files of samples, as
                ``fairsum score --samples FILE --with-texts`` writes them; or, for a comparison, a mapping from the name
                of a system to its results of `score` with ``return_samples=True``. None for the kept
                data.
            title: title of the page; None for the scored data.
            redact: omit all texts and ids, and the folders of paths.

        Returns:
            The text; None if a page is written.

        Raises:
            InputError: the file cannot be written, or the samples are not those of the results.
        """
        if path is None:
            return self._formatted("text")
        from fairsum_utils.reports.page.document import write_page
        from fairsum_utils.results.pages import contents_of, parts_of, scores_of

        whole = self.whole()
        parts, scores = parts_of(whole, samples), scores_of(whole, samples)
        write_page(path, contents_of(whole, parts, scores=scores, title=title, redact=redact))
        return None

    def to_markdown(self) -> str:
        """Return the report as Markdown."""
        return self._formatted("markdown")

    def to_latex(self) -> str:
        """Return the report as LaTeX with booktabs rules."""
        return self._formatted("latex")

    def to_csv(self) -> str:
        """Return the report's tables as one CSV table at full precision."""
        return self._formatted("csv")

    def to_pandas(self) -> pandas.DataFrame:
        """Return a row per measure, or of a comparison per measure and system.

        Returns:
            A data frame with ``measure``; ``score``; ``low`` and ``high``, its interval, NaN without one; of entities,
            where samples within originals were drawn, ``low_within`` and ``high_within``; ``at_random``, the chance
            level, if there is one; ``n_samples``, ``n_skipped``; ``undefined``, why something is not defined;
            ``signature``. A comparison also has ``system`` and ``rank``, and of the difference from the baseline
            ``difference``, ``difference_low``, ``difference_high``, ``p_value`` and ``p_value_corrected``, which are
            NaN for the baseline and if all pairs were compared; it has no counts, reasons and signatures.
        """
        whole = self.whole()
        with self._checked():
            return frame(*whole._rows())

    def numbers(self) -> dict[str, float]:
        """Return all finite numbers in one flat dict, as experiment trackers log them.

        Returns:
            Name -> number: ``bur``, ``bur_ci/low``, ``bur_by_value/<group>``, ``bur_n_samples`` and so on; of a
            comparison ``bur_systems/gpt4/score``, ``bur_differences/gpt4 - lead/difference`` and so on.
            ``bur_warnings`` is the number of warnings. Settings, samples and undefined numbers are left out.

        Example:
            >>> from fairsum_utils import score
            >>> results = score(["Tasty."], [["Tasty.", "Awful."]], [["pos", "neg"]], metrics=["uer"])
            >>> numbers = results.numbers()
            >>> numbers["uer"], numbers["uer_by_value/neg"], numbers["uer_n_samples"]
            (0.25, 0.5, 1.0)
        """
        whole = self.whole()
        results, numbers = whole.by_label(), dict[str, float]()
        with self._checked():
            for label, measure in whole.measure_by_label().items():
                for key, name in flat_names(label, measure, results[label]).items():
                    entry = results[label][key]
                    if key == "warnings":
                        numbers[name] = float(len(entry))
                    elif key not in ("samples", "settings"):
                        numbers.update(finite_numbers(name, entry))
        return numbers

    def plot(self, measure: str | None = None, ax: Axes | None = None, *, samples: Any = None) -> Figure:
        """Draw scores and differences with intervals, and the figures by group.

        With records of the samples, distributions over samples are drawn, too.

        Args:
            measure: measure to draw; None for all.
            ax: axes of matplotlib for one chart: the figures by group of one measure, or the scores of several; of a
                comparison the differences of one measure. None for a figure with all charts.
            samples: files of samples of one system, as for `report`; None for the records that the results have.

        Returns:
            A figure of matplotlib, which a notebook shows and ``savefig("x.pdf")`` writes. Styles and settings of
            matplotlib that are in use when it is made win over ours.

        Raises:
            InputError: the results lack this measure, the samples are not those of the results, or there is no chart
                for `ax`.

        Example:
            >>> from fairsum_utils import score
            >>> results = score(["Tasty."], [["Tasty.", "Awful."]], [["pos", "neg"]], metrics=["uer"])
            >>> [float(bar.get_width()) for bar in results.plot().axes[1].patches]  # by group
            [0.5, 0.0]
        """
        from fairsum_utils.reports.figures import draw_on, figure_of

        whole = self.whole()
        if samples is not None:
            from fairsum_utils.results.pages import with_records

            whole = ScoreResults(with_records(whole, samples), title=whole.short_title(), run=whole.run)
        labels = [*whole.by_label()]
        if measure is not None and measure not in labels:
            raise InputError(f"plot: there is no {measure!r} among the results; found {', '.join(labels)}")
        with self._checked():
            drawing = whole._draw(labels if measure is None else [measure])
            if ax is None:
                return figure_of(drawing)
            if drawing.alone is None:
                raise InputError(f"plot: ax takes one chart; name a measure: {', '.join(labels)}")
            return draw_on(ax, drawing.alone)

    def _repr_html_(self) -> str:
        from fairsum_utils.reports.html import notebook_page

        with self._checked():
            return notebook_page(self.plot() if self.whole() and self.whole().is_drawn else None, self._report())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the results and their provenance as JSON, for `read_results`.

        Args:
            path: ends in ``.json``.

        Raises:
            InputError: the file cannot be written.
        """
        from fairsum_utils.results.record import write_record

        write_record(path, self._file())


class ByValue(Shown):
    """Results that have figures by value or group."""

    @property
    def samples(self) -> pandas.DataFrame:
        """Samples as a data frame with the columns of ``fairsum score --samples FILE``.

        The measures must have been scored with ``return_samples=True``.

        Returns:
            A data frame with one row per sample: ``id``; ``index``, its position in the data; ``skipped``, why it has
            no score, or None; the score of each measure that has one of a sample; the other keys of its record, see
            the page of the family; ``fairsum``, the measures with their settings. If measures with other rows have a
            column, too, its name begins with the family, or with the measure if two are of one family.

        Raises:
            InputError: there are no records of samples.

        Example:
            >>> from fairsum_utils import score
            >>> columns = ["Tasty.", "Soup."], [["Tasty.", "Awful."]] * 2, [["pos", "neg"]] * 2
            >>> results = score(*columns, metrics=["bur", "uer"], return_samples=True)
            >>> results.samples[["id", "bur", "uer", "values"]].to_dict("records")[0]
            {'id': '0', 'bur': 1.0, 'uer': 0.25, 'values': ['neg', 'pos']}
        """
        from fairsum_utils.results.samples import frame_of

        with self._checked():
            return frame_of(self.whole())

    def by_value(self) -> pandas.DataFrame:
        """Return the figures by group, one row per figure.

        Returns:
            A data frame with ``measure``; ``value``, the social attribute value or the group; ``label``, of what texts
            are labelled with, None where they are not; ``figure``, what the number is called in the result, such as
            ``bur``, ``ratio``, ``n``, ``difference`` or ``proportions``; ``number``; ``low`` and ``high``, its
            interval, NaN without one.
        """
        from fairsum_utils.reports.frames import VALUE_COLUMNS, value_rows

        with self._checked():
            return frame(value_rows(self.whole()), VALUE_COLUMNS)


class ShownResults(Results, Shown):
    """Label -> result, a dict that shows itself."""

    @property
    def is_drawn(self) -> bool:
        """True if such results can be drawn."""
        return True

    def whole(self) -> ShownResults:
        """Return the results themselves."""
        return self

    def _parts(self) -> list[Part]:
        raise NotImplementedError

    def _rows(self) -> tuple[Sequence[Mapping[str, Any]], Sequence[str]]:
        """Return the rows of a data frame, and its columns if there are none."""
        from fairsum_utils.reports.frames import SCORE_COLUMNS, score_rows

        return score_rows(self, self.measure_by_label()), SCORE_COLUMNS

    def _draw(self, labels: Sequence[str]) -> Drawing:
        raise NotImplementedError


def frame(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> pandas.DataFrame:
    """Make a data frame of rows, or an empty one with these columns."""
    import pandas

    return pandas.DataFrame(list(rows), columns=None if rows else list(columns))


class MeasureResult(ByValue):
    """Result of `fairsum_utils.compute` for one measure, a dict that shows itself.

    Attributes:
        label: label of the measure.
        title: name of the scored data.
        run: record of the run.

    Example:
        >>> from fairsum_utils import compute
        >>> result = compute("uer", predictions=["Tasty."], sources=[["Tasty.", "Awful."]], values=[["pos", "neg"]])
        >>> result["uer"], isinstance(result, dict)
        (0.25, True)
        >>> print(result.to_markdown().splitlines()[4])
        | UER (Unfair Error Rate) | 0.2500 |
    """

    def __init__(
        self, result: Mapping[str, Any] = {}, /, *, label: str = "", title: str = IN_MEMORY, run: Run | None = None
    ) -> None:
        super().__init__(result)
        self.run = run or Run()
        self.title = title
        self.label = label or self.run.measure(label, result)

    def whole(self) -> ShownResults:
        """Return the results of this measure."""
        return ScoreResults({self.label: self}, title=self.title, run=self.run)


class ScoreResults(ShownResults, ByValue):
    """Result of `fairsum_utils.score`: measure -> result, a dict that shows itself.

    Attributes:
        title: name of the scored data.
        run: record of the run.

    Example:
        >>> from fairsum_utils import score
        >>> results = score(["Tasty."], [["Tasty.", "Awful."]], [["pos", "neg"]], metrics=["bur", "uer"])
        >>> results["uer"]["uer"], isinstance(results, dict)
        (0.25, True)
        >>> print(results.to_csv().splitlines()[1])
        measure,BUR (Binary Unfair Rate),1.0,,,1.0,,,,,
    """

    kind = "score"

    def __init__(self, results: Mapping[str, Any] = {}, /, *, title: str = IN_MEMORY, run: Run | None = None) -> None:
        self.title, self.run = title, run or Run()
        super().__init__(
            {label: MeasureResult(result, label=label, title=title, run=self.run) for label, result in results.items()}
        )

    def export(
        self,
        to: str,
        path: str | os.PathLike[str],
        *,
        model: str,
        dataset: str | None = None,
        config: str | None = None,
        split: str | None = None,
    ) -> Path:
        """Write the results in a format of the Hub.

        Direction and interval are never lost. The ``.eval_results`` have one value where higher is better: 1 - BUR is
        written as ``one_minus_bur``, and the notes have the score itself, its interval, chance level and signature.

        Args:
            to: ``"hf-eval"`` (``.eval_results/*.yaml`` of a model's repository) or ``"model-index"`` (metadata of a
                model card).
            path: file that ends in ``.yaml``.
            model: id of the model that wrote the summaries, such as ``"user/model"``.
            dataset: id of the data set on the Hub, or any name; None for the name of the scored file.
            config: configuration of the data set.
            split: split of the data set.

        Returns:
            The written file.

        Raises:
            InputError: an argument is invalid, or no score is defined.

        Example:
            >>> import tempfile
            >>> from fairsum_utils import score
            >>> results = score(["Tasty."], [["Tasty.", "Awful."]], [["pos", "neg"]], metrics=["bur"])
            >>> path = tempfile.mkdtemp() + "/card.yaml"
            >>> written = results.export("model-index", path, model="me/model", dataset="soups")
            >>> written.read_text().splitlines()[:3]
            ['model-index:', '- name: model', '  results:']
        """
        from fairsum_utils.results.exports import Subject, dataset_of, export

        return export(self, to, path, Subject(model, dataset or dataset_of(self.title), config, split))

    def _parts(self) -> list[Part]:
        from fairsum_utils.reports.report import parts_of
        from fairsum_utils.reports.tables import notes_last

        views = list(self.views())
        parts = [part for more, view in views for part in parts_of(f"{self.title}{more}", view)]
        return notes_last(parts) if len(views) > 1 else parts

    def _draw(self, labels: Sequence[str]) -> Drawing:
        from fairsum_utils.reports.charts import draw

        chosen = ScoreResults({label: self[label] for label in labels}, title=self.title, run=self.run)
        return draw([(f"{self.title}{more}", view) for more, view in chosen.views()])

    def short_title(self) -> str:
        """Return the name of the scored data without folders."""
        from fairsum_utils.reports.page.contents import file_name

        return file_name(self.title)

    def _titles(self) -> dict[str, Any]:
        return {} if self.title == IN_MEMORY else {"file": self.title}


class CombinedResults(ByValue):
    """Result of `combine`: all results in one flat dict, with views.

    Attributes:
        measures: label -> result, of the measures of this package.
        others: label -> name in the dict -> result, of other modules.
        order: the labels of both, in order.

    Example:
        >>> from fairsum_utils import combine
        >>> sources, values = [["Tasty.", "Awful."]], [["pos", "neg"]]
        >>> found = combine(["uer"]).compute(predictions=["Tasty."], sources=sources, values=values)
        >>> found["uer_n_samples"], found.measures["uer"]["n_samples"]
        (1, 1)
    """

    def __init__(
        self, measures: ScoreResults, others: Mapping[str, Mapping[str, Any]] = {}, order: Sequence[str] = ()
    ) -> None:
        super().__init__()
        self.measures, self.others, self.order = measures, others, tuple(order)
        chosen = measures.measure_by_label()
        for label in order:
            if label in measures:
                for key, name in flat_names(label, chosen[label], measures[label]).items():
                    self[name] = measures[label][key]
            else:
                self.update(others[label])

    def whole(self) -> ShownResults:
        """Return the results of the measures of this package."""
        return self.measures

    def numbers(self) -> dict[str, float]:
        """Return all finite numbers, those of other modules too, in one flat dict."""
        numbers = super().numbers()
        for result in self.others.values():
            numbers.update(finite_numbers("", result))
        return numbers

    def _report(self) -> list[Part]:
        """Return the measures' report and a table of other modules' numbers."""
        from fairsum_utils.reports.tables import Table

        rows: list[list[Cell]] = [
            [name, number]
            for results in self.others.values()
            for name, number in results.items()
            if isinstance(number, (int, float))
        ]
        return [*super()._report(), *([Table(["other modules", "result"], rows)] if rows else [])]

    def _file(self) -> dict[str, Any]:
        return {**super()._file(), "kind": "combine", "others": self.others, "order": list(self.order)}
