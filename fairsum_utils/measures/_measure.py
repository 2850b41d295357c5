"""Base class of measures, with the settings that all have."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Collection, Mapping
from typing import Any, ClassVar, Literal, NamedTuple, Self

from fairsum_utils.errors import InputError
from fairsum_utils.settings import Resampling, describe_settings, setting
from fairsum_utils.validation import describe

# Columns of a p-value and of its correction
P_VALUES = (("p", "p_value"), ("p (Holm)", "p_value_corrected"))


class Figures(NamedTuple):
    """A table and a chart of figures by group.

    Attributes:
        columns: table columns as pairs: heading -> key of the result; the heading of several by label is that of each.
        title: heading of the chart.
        axis: label of the chart's axis; ``{tau}`` and the like are replaced by settings.
        kind: kind of chart: ``"bars"`` of groups, ``"labels"`` (bars of groups for each label), ``"heat"`` (rows and
            columns), ``"curve"`` (numbers along the sources; no table), or empty for a table only.
        rows: key of records in the result (a list, or a mapping), whose fields the columns are; empty if the columns
            are keys of the result itself.
        named: name of a record, with its fields in braces; empty for its key.
        table: title of the table, by default that of the chart; figures of a family with the same one share a table.
        heading: kind of the rows.
        counts: columns before the others; the first one stands beside the bars of the chart.
        drawn: key of the figures in the chart; the first column by default.
        fair: label of the fair point, which is `base` or an equal share; empty for no such point.
        base: number at which bars begin.
        are_shares: the figures are shares with sum 1.
        first: rows that a chart begins with: those of the ``"largest"`` or the ``"smallest"`` figures; empty for the
            order of the result.
        over: further chart, from the records of samples: ``"tau"``, the rate of unfair samples over the tolerance, or
            ``"samples"``, the distribution of the ratios; empty for none.
    """

    columns: tuple[tuple[str, str], ...]
    title: str
    axis: str = ""
    kind: Literal["bars", "labels", "heat", "curve", ""] = "bars"
    rows: str = ""
    named: str = ""
    table: str | None = None
    heading: str = "group"
    counts: tuple[tuple[str, str], ...] = (("samples", "n_by_value"),)
    drawn: str = ""
    fair: str = ""
    base: float = 0.0
    are_shares: bool = False
    first: str = ""
    over: Literal["tau", "samples", ""] = ""

    @property
    def key(self) -> str:
        """Key of the figures in the chart."""
        return self.drawn or self.columns[0][1]

    @property
    def place(self) -> tuple[str, str]:
        """Title and heading of the table."""
        return self.title if self.table is None else self.table, self.heading

    def columns_in(self, result: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return key -> group -> entry; records become such columns.

        Intervals of records stand under the key of the first column.

        Example:
            >>> pairs = [{"a": "f", "b": "m", "gap": 0.5, "ci": [0.25, 1.0]}, {"a": "f", "b": "x", "gap": 0.0}]
            >>> figures = Figures((("gap", "gap"),), "Gaps", rows="pairs", named="{a}, {b}")
            >>> figures.columns_in({"pairs": pairs})["gap_ci"]
            {'f, m': [0.25, 1.0], 'f, x': None}
        """
        if not self.rows:
            return result
        found = result.get(self.rows) or {}
        first, named = self.columns[0][1], dict[str, Mapping[str, Any]]()
        for key, record in found.items() if isinstance(found, Mapping) else enumerate(found):
            name = self.named.format(**record) if self.named else str(key)
            if record.get(first) != {}:
                named[f"{name} ({len(named) + 1})" if name in named else name] = record
        fields = dict.fromkeys(field for record in named.values() for field in record)
        return {
            f"{first}_{field}" if field in ("ci", "ci_within") else field: {
                name: record.get(field) for name, record in named.items()
            }
            for field in fields
        }


class About(NamedTuple):
    """Guidance for choosing a measure, beyond its card.

    Attributes:
        formula: formula in plain text.
        example: function that returns a worked example, one step a line, with computed numbers.
        instead: advice about alternative measures.
        at_random: function that describes a random draw and returns its mean score; None if it depends on the data.
    """

    formula: str
    example: Callable[[], list[str]]
    instead: str
    at_random: Callable[[Any], tuple[str, float]] | None = None


class Reads(NamedTuple):
    """Needs of a measure: how it reads the words of its texts.

    Attributes:
        words: words of the summary are cut at spaces.
        sources: so are words of the sources.
        english: words of the summary must be English.
    """

    words: bool = False
    sources: bool = False
    english: bool = False


class Measure(Resampling):
    """A measure with its settings; subclasses are the measures.

    Attributes:
        name: name of the measure, its module and its file.
        title: name for headings.
        family: name of its family.
        reader: measures of one reader may share rows; the family, or the measure if it shares none.
        low: lowest possible score.
        high: highest possible score.
        lower_is_fairer: a lower score is fairer.
        place: position in its family, in the order of the paper, from 1.
        averages: kind of mean over samples or originals: ``"shares"`` of samples that count 1 or 0, ``"scores"`` of
            samples or originals; empty if the score is not a mean.
        unit: unit of a score without an upper bound.
        figures: tables and charts by group; the first column of the first one is compared between systems.
        needs: columns that it needs.
        takes: further columns that it can use.
        needs_all_rows: the record of a sample depends on the rows of other samples.
        extra: extra of the package that it needs by default; empty for none.

    Example:
        >>> from fairsum_utils.measures import get_measure
        >>> get_measure("bur")(tau=0.9)
        BUR(tau=0.9)
        >>> get_measure("bur")(tau=2)
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: bur: tau must be a number in [0, 1], found int 2
    """

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    family: ClassVar[str] = ""
    reader: ClassVar[str] = ""
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0
    lower_is_fairer: ClassVar[bool] = True
    place: ClassVar[int] = 1
    averages: ClassVar[Literal["shares", "scores", ""]] = ""
    unit: ClassVar[str] = "a number"
    figures: ClassVar[tuple[Figures, ...]] = ()
    needs: ClassVar[tuple[str, ...]] = ()
    takes: ClassVar[tuple[str, ...]] = ()
    needs_all_rows: ClassVar[bool] = False
    is_signed: ClassVar[bool] = False
    extra: ClassVar[str] = ""

    empty: Literal["skip", "error"] = setting(
        "skip", 'action for an empty prediction: "skip" and count it, or "error"', shared=True
    )
    reasoning: Literal["remove", "keep"] = setting(
        "remove",
        "action for a model's reasoning in a prediction, such as between think tags: remove and count it, or keep it",
        key="reasoning",
        shared=True,
    )
    unlabelled: Literal["error", "drop"] = setting(
        "error",
        'action for a text without a label (empty, missing or "nan"): "error", or "drop" it and count it',
        shared=True,
    )
    return_samples: bool = setting(
        False, "also return one record per sample, with its evidence", stage="results", shared=True
    )

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        cls.called = cls.name or cls.called
        cls.reader = cls.reader or cls.family
        cls.is_signed = cls.low < 0  # the fair score, 0, lies inside the range
        if cls.name:  # for `help`
            cls.__doc__ = f"{cls.__doc__ or cls.title}\n\nArgs:\n{describe_settings(cls.infos().values(), '    ')}\n"

    @classmethod
    def needed(cls, given: Collection[str] = ()) -> tuple[str, ...]:
        """Return the columns that it needs; given ones may replace some."""
        return cls.needs

    def uses_model(self, given: Collection[str]) -> bool:
        """Check whether a neural model scores samples with the given columns."""
        return False

    @property
    def reads(self) -> Reads:
        """Way of reading words; measures that differ share no rows."""
        return Reads()

    @classmethod
    def unfairness(cls, score: float) -> float:
        """Return the distance of a score from the fairest one; lower is fairer.

        Example:
            >>> from fairsum_utils.measures import get_measure
            >>> get_measure("distinguishability").unfairness(-0.5), get_measure("uer").unfairness(0.25)
            (0.5, 0.25)
        """
        return abs(score) if cls.is_signed else score

    def completed(self, *, module: str | None = None, **usual: Any) -> Self:
        """Copy with settings that it takes and that were not given to it.

        Example:
            >>> from fairsum_utils.measures import get_measure
            >>> get_measure("uer")(seed=3).completed(seed=1, n_resamples=99, tau=0.9)
            UER(n_resamples=99, seed=3)
        """
        infos = self.infos()
        added = {
            name: value
            for name, value in usual.items()
            if name in infos and name not in self.model_fields_set and value != infos[name].default
        }
        return self.replace(**added, module=module or self.module) if added else self

    def check_picklable(self, module: str) -> None:
        """Refuse functions that other processes cannot get.

        Example:
            >>> from fairsum_utils.measures import get_measure
            >>> get_measure("uer")(matcher=lambda texts, summary: [1.0] * len(texts)).check_picklable("score")
            Traceback (most recent call last):
            ...
            fairsum_utils.errors.InputError: score: matcher of uer is a lambda or an inner function, which other
            processes cannot get; define it with def at the top of a module
        """
        for name, value in self.given().items():
            try:
                pickle.dumps(value)
            except (pickle.PicklingError, AttributeError, TypeError):
                what = "a lambda or an inner function" if callable(value) else describe(value)
                raise InputError(
                    f"{module}: {name} of {self.name} is {what}, which other processes cannot get; define it with def "
                    "at the top of a module"
                ) from None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the measures; of `Agreed` there are several."""
        return (self.name,)

    def of(self, measure: str) -> Self:
        """Return the measure with this name, which `Agreed` needs."""
        return self

    def keyed(self, measure: str, *left_out: str) -> dict[str, object]:
        """Return the settings that change results after the rows are made, by signature key.

        Args:
            measure: name of the measure, which `Agreed` needs.
            *left_out: names of settings without effect in this case.
        """
        found: dict[str, object] = {}
        for info in self.infos().values():
            if info.key is not None and info.stage == "results" and info.name not in left_out:
                value = getattr(self, info.name)
                found[info.key] = info.unset if value is None else value
        return {**found, "unlabelled": "drop" if self.unlabelled == "drop" else None}
