"""What scoring gives back: plain dicts that know how to show, draw and save themselves."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from fairsum_utils.errors import InputError, require
from fairsum_utils.measures import measure_names

if TYPE_CHECKING:
    import pandas

    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.tables import Part

__all__ = [
    "Asked",
    "CombinedResults",
    "Comparison",
    "MeasureComparison",
    "MeasureResult",
    "Run",
    "ScoreResults",
    "SystemComparison",
    "combined",
    "flat_names",
    "read_results",
]

_IN_MEMORY = "in memory"
"""The title of what was not read from a file."""


class Asked(NamedTuple):
    """What was asked for under a label.

    Attributes:
        measure: its name.
        given: setting -> value, see `fairsum_utils.run_record.plain`.
        used: the same with what the caller added to it.
    """

    measure: str
    given: Mapping[str, Any]
    used: Mapping[str, Any]


@dataclass(frozen=True)
class Run:
    """How results came about.

    Attributes:
        asked: label -> what was asked for under it.
        inputs: see `fairsum_utils.run_record.describe_input`; empty for what was in memory.
        columns: that were scored.
        began: seconds since the epoch.
        seconds: that it took.
        read: all of this as a file has it, where the results were read from one.
    """

    asked: Mapping[str, Asked] = field(default_factory=dict)
    inputs: Sequence[Mapping[str, Any]] = ()
    columns: Sequence[str] = ()
    began: float = 0.0
    seconds: float = 0.0
    read: Mapping[str, Any] | None = None

    def measure(self, label: str, result: Mapping[str, Any]) -> str:
        """The measure that a label stands for.

        Raises:
            InputError: it is that of no measure.
        """
        read = self.read.get("settings", {}).get(label, {}).get("measure") if self.read else None
        names = (self.asked[label].measure if label in self.asked else read, *result, label)
        found = next((name for name in names if name in measure_names()), None)
        if found is None:
            raise InputError(f"{label!r} is no result of a measure, as fairsum_utils.score has it")
        return str(found)

    def described(self, n_rows: int | None) -> dict[str, Any]:
        """As a file has it.

        Args:
            n_rows: that were scored in memory.
        """
        from fairsum_utils.run_record import describe_settings, record

        if self.read is not None:
            return dict(self.read)
        in_memory = {"path": None, "columns": list(self.columns), "rows": n_rows}
        settings = {label: describe_settings(*asked) for label, asked in self.asked.items()}
        return record(self.inputs or [in_memory], settings, self.began, self.seconds)


class _Shown(dict[str, Any]):
    """A dict that shows itself. `_whole` is all that is shown; the rest follows from it."""

    def _whole(self) -> _Results:
        raise NotImplementedError

    def _in(self, format: str) -> str:
        from fairsum_utils.reports.formats import FORMATS

        return FORMATS[format](self._whole()._parts())

    def report(self) -> str:
        """Tables and sentences as the command prints them, with rounded numbers."""
        return self._in("text")

    def to_markdown(self) -> str:
        """The report as Markdown."""
        return self._in("markdown")

    def to_latex(self) -> str:
        """The report as LaTeX, with the rules of the package booktabs."""
        return self._in("latex")

    def to_csv(self) -> str:
        """The tables of the report as CSV at full precision, with an empty line between any two."""
        return self._in("csv")

    def to_pandas(self) -> pandas.DataFrame:
        """A row a measure.

        Returns:
            A data frame with ``measure``; ``score`` (of a comparison ``a``, ``b``, ``difference``, ``p_value``);
            ``low`` and ``high``, its interval, NaN without one; of entities, where samples within originals were drawn,
            ``low_within`` and ``high_within``; ``n_samples``, ``n_skipped``; ``undefined``, why something is not
            defined; ``signature``.

        Raises:
            MissingDependencyError: pandas is not installed.
        """
        from fairsum_utils.reports.frames import SCORE_COLUMNS, score_rows

        whole = self._whole()
        return _frame(score_rows(whole, whole._measures()), SCORE_COLUMNS)

    def plot(self, measure: str | None = None) -> Drawing:
        """Draw the results: scores with intervals on one axis, and the figures of each value or group.

        Args:
            measure: draw this one alone; None draws all.

        Returns:
            A drawing, which a notebook shows; ``.save("x.svg")`` and ``.save("x.png")`` write it.

        Raises:
            InputError: no such measure is among the results.
        """
        whole = self._whole()
        if measure is not None and measure not in whole:
            raise InputError(f"plot: there is no {measure!r} among the results; found {', '.join(whole)}")
        return whole._draw([*whole] if measure is None else [measure])

    def _repr_html_(self) -> str:
        from fairsum_utils.reports.notebook import page

        return page(self.plot(), self._whole()._parts())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the results and how they came about as JSON, unrounded; `read_results` reads them back.

        Args:
            path: ends in ``.json``.

        Raises:
            InputError: the file cannot be written.
        """
        from fairsum_utils.run_record import write_record

        write_record(path, self._whole()._document())


class _ByValue(_Shown):
    """Results that have figures by value or group."""

    def by_value(self) -> pandas.DataFrame:
        """The figures of each value or group, a row a figure.

        Returns:
            A data frame with ``measure``; ``value``, the social attribute value or the group; ``label``, of what texts
            are labelled with, None where they are not; ``figure``, what the number is called in the result, such as
            ``bur``, ``ratio``, ``n``, ``difference`` or ``proportions``; ``number``; ``low`` and ``high``, its
            interval, NaN without one.

        Raises:
            MissingDependencyError: pandas is not installed.
        """
        from fairsum_utils.reports.frames import VALUE_COLUMNS, value_rows

        return _frame(value_rows(self._whole()), VALUE_COLUMNS)


class MeasureResult(_ByValue):
    """What `fairsum_utils.compute` gives: the result of a measure, a dict that shows itself.

    Attributes:
        label: what the measure was called.
        title: what was scored.
        run: how the result came about.

    Example:
        >>> from fairsum_utils import compute
        >>> result = compute("uer", predictions=["Tasty."], sources=[["Tasty.", "Awful."]], values=[["pos", "neg"]])
        >>> result["uer"], isinstance(result, dict)
        (0.25, True)
        >>> print(result.to_markdown().splitlines()[5])
        | UER (Unfair Error Rate) | 0.2500 |
    """

    def __init__(
        self, result: Mapping[str, Any] = {}, /, *, label: str = "", title: str = _IN_MEMORY, run: Run | None = None
    ) -> None:
        super().__init__(result)
        self.run = run or Run()
        self.title = title
        self.label = label or self.run.measure(label, result)

    def _whole(self) -> _Results:
        return ScoreResults({self.label: self}, title=self.title, run=self.run)


class MeasureComparison(_Shown):
    """The comparison of two systems by one measure, a dict that shows itself.

    Attributes:
        label: what the measure was called.
        systems: what the two systems are called.
        run: how the comparison came about.
    """

    def __init__(
        self, result: Mapping[str, Any], /, *, label: str, systems: Sequence[str] = "AB", run: Run | None = None
    ) -> None:
        super().__init__(result)
        self.label, self.systems, self.run = label, tuple(systems), run or Run()

    def _whole(self) -> _Results:
        return Comparison({self.label: self}, systems=self.systems, run=self.run)


class _Results(_Shown):
    """Label -> result."""

    kind: str
    run: Run

    def _whole(self) -> _Results:
        return self

    def _measures(self) -> dict[str, str]:
        """Label -> its measure."""
        return {label: self.run.measure(label, result) for label, result in self.items()}

    def _views(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Measure -> result, as reports and drawings take them.

        What is asked for twice, under other labels, is in a view of its own, which those labels name.
        """
        views: list[tuple[list[str], dict[str, Any]]] = []
        for label, measure in self._measures().items():
            place = next((view for view in views if measure not in view[1]), None)
            if place is None:
                views.append(place := ([], {}))
            place[0].append(label)
            place[1][measure] = self[label]
        for labels, view in views:
            yield "" if labels == list(view) else f" ({', '.join(labels)})", view

    def _parts(self) -> list[Part]:
        raise NotImplementedError

    def _draw(self, labels: Sequence[str]) -> Drawing:
        raise NotImplementedError

    def _titles(self) -> dict[str, Any]:
        """What was scored, as a file has it."""
        raise NotImplementedError

    def _document(self) -> dict[str, Any]:
        n_rows = max((result["n_samples"] + result["n_skipped"] for result in self.values()), default=None)
        return {**self._titles(), "kind": self.kind, "metrics": dict(self), "run": self.run.described(n_rows)}


class ScoreResults(_Results, _ByValue):
    """What `fairsum_utils.score` gives: measure -> its result, a dict that shows itself.

    Attributes:
        title: what was scored.
        run: how the results came about.

    Example:
        >>> from fairsum_utils import score
        >>> results = score(["Tasty."], [["Tasty.", "Awful."]], [["pos", "neg"]], metrics=["bur", "uer"])
        >>> results["uer"]["uer"], isinstance(results, dict)
        (0.25, True)
        >>> print(results.to_csv().splitlines()[1])
        BUR (Binary Unfair Rate),1.0
    """

    kind = "score"

    def __init__(self, results: Mapping[str, Any] = {}, /, *, title: str = _IN_MEMORY, run: Run | None = None) -> None:
        self.title, self.run = title, run or Run()
        super().__init__(
            {label: MeasureResult(result, label=label, title=title, run=self.run) for label, result in results.items()}
        )

    def _parts(self) -> list[Part]:
        from fairsum_utils.reports.report import parts_of

        return [part for more, view in self._views() for part in parts_of(f"{self.title}{more}", view)]

    def _draw(self, labels: Sequence[str]) -> Drawing:
        from fairsum_utils.reports.drawings import draw

        chosen = ScoreResults({label: self[label] for label in labels}, title=self.title, run=self.run)
        return draw([(f"{self.title}{more}", view) for more, view in chosen._views()])

    def _titles(self) -> dict[str, Any]:
        return {} if self.title == _IN_MEMORY else {"file": self.title}


class Comparison(_Results):
    """What `fairsum_utils.compare` gives: measure -> its comparison, a dict that shows itself.

    Attributes:
        systems: what the two systems are called.
        run: how the comparison came about.

    Example:
        >>> from fairsum_utils import compare
        >>> sources, values = [["Tasty soup.", "Awful soup."]] * 2, [["pos", "neg"]] * 2
        >>> found = compare(["Tasty."] * 2, ["Tasty, awful."] * 2, sources, values, metrics=["uer"])
        >>> found["uer"]["difference"], found.to_csv().splitlines()[0]
        (0.25, 'measure,A,B,A - B,interval low,interval high,p')
    """

    kind = "compare"

    def __init__(
        self, results: Mapping[str, Any] = {}, /, *, systems: Sequence[str] = "AB", run: Run | None = None
    ) -> None:
        self.systems, self.run = tuple(systems), run or Run()
        super().__init__(
            {
                label: MeasureComparison(result, label=label, systems=systems, run=self.run)
                for label, result in results.items()
            }
        )

    def _parts(self) -> list[Part]:
        from fairsum_utils.reports.comparison import parts_of

        parts: list[Part] = []
        for more, view in self._views():
            a, b = (f"{system}{more}" for system in self.systems)
            parts += parts_of({"a": a, "b": b, "metrics": view})
        return parts

    def _draw(self, labels: Sequence[str]) -> Drawing:
        from fairsum_utils.reports.drawings import draw_comparison

        measures = self._measures()
        return draw_comparison(self.systems, [(label, measures[label], self[label]) for label in labels])

    def _titles(self) -> dict[str, Any]:
        return dict(zip("ab", self.systems, strict=True))


class SystemComparison(_Results):
    """What `fairsum_utils.compare_systems` gives: the comparison of many systems, a dict that shows itself.

    Attributes:
        run: how the comparison came about.

    Example:
        >>> from fairsum_utils import compare_systems
        >>> systems, sources = {"lead": ["Tasty."], "both": ["Tasty, awful."]}, [["Tasty soup.", "Awful soup."]]
        >>> found = compare_systems(systems, sources, [["pos", "neg"]], metrics=["uer"])
        >>> found["metrics"]["uer"]["differences"][0]["difference"], found.to_pandas()["system"].tolist()
        (-0.25, ['lead', 'both'])
    """

    kind = "compare_systems"

    def __init__(self, document: Mapping[str, Any], /, *, run: Run | None = None) -> None:
        super().__init__(document)
        self.run = run or Run()

    def plot(self, measure: str | None = None) -> Drawing:
        """Draw each measure's scores with intervals, and the differences that were tested.

        Args:
            measure: draw this one alone; None draws all.

        Returns:
            A drawing, which a notebook shows; ``.save("x.svg")`` and ``.save("x.png")`` write it.

        Raises:
            InputError: no such measure was compared.
        """
        names = list(self["metrics"])
        if measure is not None and measure not in names:
            raise InputError(f"plot: there is no {measure!r} among the results; found {', '.join(names)}")
        return self._draw(names if measure is None else [measure])

    def to_pandas(self) -> pandas.DataFrame:
        """A row a measure and system.

        Returns:
            A data frame with ``measure``, ``system``, ``score``, ``low`` and ``high`` (its interval), ``rank``, and of
            its difference from the baseline ``difference``, ``difference_low``, ``difference_high``, ``p_value`` and
            ``p_value_corrected``, which are NaN for the baseline and where all pairs were compared.

        Raises:
            MissingDependencyError: pandas is not installed.
        """
        from fairsum_utils.reports.frames import SYSTEM_COLUMNS, system_rows

        return _frame(system_rows(self), SYSTEM_COLUMNS)

    def _parts(self) -> list[Part]:
        from fairsum_utils.reports.comparison import parts_of

        return parts_of(self)

    def _draw(self, labels: Sequence[str]) -> Drawing:
        from fairsum_utils.reports.drawings import draw_systems

        return draw_systems(self, labels)

    def _document(self) -> dict[str, Any]:
        n_rows = max(system["n_samples"] for system in self["systems"].values())
        return {**self, "kind": self.kind, "run": self.run.described(n_rows)}


class CombinedResults(_ByValue):
    """What a `combine`\\ d call gives: all results in one flat dict, which shows itself.

    Attributes:
        measures: label -> result, of the measures of this package.
        others: label -> name in the dict -> result, of other modules.
        order: the labels of both, in their order.

    Example:
        >>> from fairsum_utils import combine
        >>> sources, values = [["Tasty.", "Awful."]], [["pos", "neg"]]
        >>> found = combine(["uer"]).compute(predictions=["Tasty."], sources=sources, values=values)
        >>> found["uer_n_samples"], found.measures["uer"]["n_samples"]
        (1, 1)
    """

    def __init__(
        self,
        results: Mapping[str, Any],
        /,
        *,
        measures: ScoreResults,
        others: Mapping[str, Mapping[str, Any]],
        order: Sequence[str],
    ) -> None:
        super().__init__(results)
        self.measures, self.others, self.order = measures, others, tuple(order)

    def _whole(self) -> _Results:
        return self.measures

    def _in(self, format: str) -> str:
        from fairsum_utils.reports.formats import FORMATS

        return FORMATS[format]([*self.measures._parts(), *self._more()])

    def _more(self) -> list[Part]:
        """A table of the other modules' numbers."""
        from fairsum_utils.reports.tables import Table

        numbers = (
            [name, number]
            for results in self.others.values()
            for name, number in results.items()
            if isinstance(number, (int, float))
        )
        rows = list(numbers)
        return [Table(["other modules", "result"], rows)] if rows else []

    def _repr_html_(self) -> str:
        from fairsum_utils.reports.notebook import page

        return page(self.plot() if self.measures else None, [*self.measures._parts(), *self._more()])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the results and how they came about as JSON, unrounded; `read_results` reads them back.

        Args:
            path: ends in ``.json``.

        Raises:
            InputError: the file cannot be written.
        """
        from fairsum_utils.run_record import write_record

        document = self.measures._document()
        write_record(path, {**document, "kind": "combine", "others": self.others, "order": list(self.order)})


def flat_names(label: str, measure: str, result: Mapping[str, Any]) -> dict[str, str]:
    """Key of a measure's result -> its name where all results are in one dict.

    Args:
        label: what the measure is called there.
        measure: its name.
        result: of the measure.

    Example:
        >>> flat_names("bur", "bur", {"bur": 1.0, "bur_ci": [1.0, 1.0], "n_samples": 1})
        {'bur': 'bur', 'bur_ci': 'bur_ci', 'n_samples': 'bur_n_samples'}
    """
    has_name = {key for key in result if label == measure and f"{key}_".startswith(f"{label}_")}
    return {key: key if key in has_name else f"{label}_{key}" for key in result}


def read_results(path: str | os.PathLike[str]) -> ScoreResults | Comparison | SystemComparison | CombinedResults:
    """Read results back that ``save`` has written, or ``--output`` or ``--format json`` of the command.

    Args:
        path: of the file.

    Returns:
        The same as was saved, every float to the bit; its ``run.read`` holds how the results came about.

    Raises:
        InputError: the file is not there, is something else, or a newer version has written it.

    Example:
        >>> import tempfile
        >>> from fairsum_utils import score
        >>> results = score(["Tasty."], [["Tasty.", "Awful."]], [["pos", "neg"]], metrics=["uer"])
        >>> path = f"{tempfile.mkdtemp()}/results.json"
        >>> results.save(path)
        >>> again = read_results(path)
        >>> again == results, list(again.run.read["versions"])[0]
        (True, 'fairsum-utils')
    """
    from fairsum_utils.run_record import read_record

    document = read_record(path)
    metrics, run = document["metrics"], Run(read=document.get("run", {}))
    for label, result in metrics.items():
        if not isinstance(result, dict):
            raise InputError(f"read_results: {path} holds no result under {label!r}; give what `fairsum score` wrote")
    if "baseline" in document:
        said = ("baseline", "systems", "metrics", "warnings")
        return SystemComparison({key: document[key] for key in said}, run=run)
    if document.get("kind", "compare" if "b" in document else "score") == "compare":
        return Comparison(metrics, systems=[str(document[system]) for system in "ab"], run=run)
    measures = ScoreResults(metrics, title=str(document.get("file", _IN_MEMORY)), run=run)
    measures._measures()  # refuses what is none
    if document.get("kind") != "combine":
        return measures
    return combined(measures, document["others"], document["order"])


def combined(measures: ScoreResults, others: Mapping[str, Mapping[str, Any]], order: Sequence[str]) -> CombinedResults:
    """All results in one dict.

    Args:
        measures: of the measures of this package.
        others: label -> name in the dict -> result, of other modules.
        order: the labels of both, in the order of the dict.
    """
    flat: dict[str, Any] = {}
    chosen = measures._measures()
    for label in order:
        if label in measures:
            names = flat_names(label, chosen[label], measures[label])
            flat |= {name: measures[label][key] for key, name in names.items()}
        else:
            flat |= others[label]
    return CombinedResults(flat, measures=measures, others=others, order=order)


def _frame(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> pandas.DataFrame:
    made: Any = require("pandas", extra="pandas", purpose="make a data frame").DataFrame
    return made(list(rows), columns=None if rows else list(columns))
