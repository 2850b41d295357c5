"""Contract of a study: a paper's analysis that runs on any data.

A study is a module in the folder of its paper. It declares ``INPUTS`` and ``SETTINGS``, and defines ``compute``,
``parts`` and, with a figure, ``drawing``; its words are in ``studies.toml`` of the folder. The command, the library's
call, its documentation and its files of results are made from these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeAlias

from fairsum_reproductions.printed import read_toml
from fairsum_utils.settings import USUAL_LEVEL, Level, Resampling, Settings, override, whole

if TYPE_CHECKING:
    from types import ModuleType

    from fairsum_utils.reports.panels import Drawing
    from fairsum_utils.reports.tables import Part
    from fairsum_utils.settings import Setting

Kind: TypeAlias = Literal["rows", "samples", "results"]

Seed = Annotated[int, whole(0)] | None
"""Seed of random draws; None for a fresh one."""


class Input(NamedTuple):
    """An input of a study.

    Attributes:
        name: name in Python, and in capitals on the command line.
        help: description in one line, without a period.
        kind: ``"rows"`` of a data set, ``"samples"`` (records of scoring) or ``"results"`` of scoring.
        columns: required columns of rows, name -> description.
        optional: optional columns of rows, name -> description.
        lists: columns with a list or a dict in each row.
        systems: True if several named systems are allowed; only the last input of a study may allow them.
        families: prefix of a system's name -> family of its records; the longest match counts.
    """

    name: str
    help: str
    kind: Kind = "rows"
    columns: Mapping[str, str] = {}
    optional: Mapping[str, str] = {}
    lists: Sequence[str] = ()
    systems: bool = False
    families: Mapping[str, str] = {}

    def family(self, system: str = "") -> str:
        """Choose the family of a system's records."""
        return self.families[max(filter(system.startswith, self.families), key=len)]

    @property
    def holds_sets(self) -> bool:
        """True if its rows are sets of source texts and values."""
        return self.kind == "rows" and {*self.columns} == {"sources", "values"}

    @property
    def all_columns(self) -> dict[str, str]:
        """Required and optional columns, name -> description."""
        return {**self.columns, **self.optional}


class NoSettings(Settings):
    """Settings of a study without any."""


class Intervals(Resampling):
    """Settings of a study that always gives intervals."""

    confidence_level: Level = override(
        Resampling, "confidence_level", default=USUAL_LEVEL, help="level of the intervals"
    )
    bootstrap: None = None  # samples are always resampled


class Study(NamedTuple):
    """An analysis of a paper, as its module declares it.

    Attributes:
        name: name of the module.
        paper: name of the folder of its paper.
        source: place in the paper, such as ``"section 5.7, table 5"``.
        help: question that it answers, in one line without a capital and a period.
        inputs: one or more inputs (``INPUTS``).
        compute: function of the inputs, as lists of rows or records (label -> result for results; name -> input where
            there may be several), and of ``settings``; gives plain numbers, lists and dicts. Undefined numbers are NaN,
            and ``undefined`` in the result says why: name -> reason.
        parts: layout of a result: the paper's tables.
        settings: class of its settings (``SETTINGS``).
        drawing: the paper's figure of a result; None without one.
        choices: sentences on what was chosen where the paper is silent or contradicts itself.
        examples: command lines.
    """

    name: str
    paper: str
    source: str
    help: str
    inputs: tuple[Input, ...]
    compute: Callable[..., dict[str, Any]]
    parts: Callable[[dict[str, Any]], Sequence[Part]]
    settings: type[Settings] = NoSettings
    drawing: Callable[[dict[str, Any]], Drawing] | None = None
    choices: Sequence[str] = ()
    examples: Sequence[str] = ()

    @classmethod
    def of_module(cls, module: ModuleType) -> Study:
        """Read a study from its module and its texts from its paper's file."""
        _, paper, name = module.__name__.split(".")
        names = ("INPUTS", "SETTINGS", "compute", "parts", "drawing")
        facts = {name.lower(): vars(module)[name] for name in names if name in vars(module)}
        return cls(name, paper, **facts, **read_toml(paper, "studies.toml")[name])

    @property
    def shape(self) -> dict[str, Setting]:
        """Settings of the set layout by name, if any input has sets."""
        from fairsum_utils.io.shapes import Shape

        if not any(each.holds_sets for each in self.inputs):
            return {}
        return {name: info for name, info in Shape.infos().items() if name != "id_column"}

    @property
    def question(self) -> str:
        """Question as a sentence."""
        return f"{self.help[:1].upper()}{self.help[1:]}{'' if self.help.endswith('?') else '.'}"

    @property
    def cited(self) -> str:
        """Paper and place in it."""
        return f"{PAPERS[self.paper]}, {self.source}"


# Folder of studies -> its paper, for short.
PAPERS: Mapping[str, str] = {
    "fairsumm": "FairSumm",
    "coverage": "Coverage-based Fairness",
    "bold": "BOLD",
    "news": "Bias in News Summaries",
}
