"""The contract of a study: an analysis of a paper that runs on any results and data.

A study is a file in the folder of its paper and is found by the file's name; nothing else has to know of it. The
command, the library's call, its documentation and its files of results are made from its `STUDY`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from fairsum_utils.families.settings import Settings

if TYPE_CHECKING:
    from fairsum_utils.families.settings import Setting
    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.tables import Part

Kind: TypeAlias = Literal["rows", "samples", "results"]


class Input(NamedTuple):
    """An input of a study.

    Attributes:
        name: Name in Python, and in capitals on the command line.
        help: Description in one line, without a period.
        kind: ``"rows"`` of a data set, ``"samples"`` (records of scoring) or ``"results"`` of scoring.
        columns: Required columns of rows, name -> description.
        optional: Optional columns of rows, name -> description.
        lists: Columns with a list or a dict in each row.
        systems: Whether several named systems are taken; only the last input of a study may do so.
        families: Beginning of a system's name -> family whose records are read; the longest match counts.
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
        """The family whose records of a system are read."""
        return self.families[max(filter(system.startswith, self.families), key=len)]

    @property
    def holds_sets(self) -> bool:
        """Whether its rows are sets of source texts with their values, which come in several shapes."""
        return self.kind == "rows" and {*self.columns} == {"sources", "values"}

    @property
    def all_columns(self) -> dict[str, str]:
        """Name -> what an entry is, of all that can be used."""
        return {**self.columns, **self.optional}


class NoSettings(Settings):
    """Settings of a study without any."""


class Study(NamedTuple):
    """An analysis of a paper.

    Attributes:
        paper: the folder that it lies in.
        source: where in the paper it stands, such as ``"section 5.7, table 5"``.
        help: the question that it answers, in one line without a capital and a period.
        inputs: what it is of, at least one.
        compute: takes the inputs as lists of rows or records (label -> result of results; name -> input where there
            may be several) and ``settings``; gives plain numbers, lists and dicts. NaN is what is undefined, and
            ``undefined`` in the result says why: name -> reason.
        parts: of a result, in the layout of the paper's table.
        settings: a class of settings.
        drawing: of a result, in the form of the paper's figure; None where there is nothing to draw.
        choices: sentences on what was chosen where the paper is silent or contradicts itself.
        examples: command lines.
    """

    paper: str
    source: str
    help: str
    inputs: tuple[Input, ...]
    compute: Callable[..., dict[str, Any]]
    parts: Callable[[dict[str, Any]], Sequence[Part]]
    settings: type[Settings] = NoSettings
    drawing: Callable[[dict[str, Any]], Drawing] | None = None
    choices: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()

    @property
    def shape(self) -> dict[str, Setting]:
        """How its sets are laid out: name -> setting; nothing where it is of none."""
        from fairsum_utils.io.shapes import Shape

        if not any(each.holds_sets for each in self.inputs):
            return {}
        return {name: info for name, info in Shape.infos().items() if name != "id_column"}

    @property
    def question(self) -> str:
        """What it answers, as a sentence."""
        return f"{self.help[:1].upper()}{self.help[1:]}{'' if self.help.endswith('?') else '.'}"

    @property
    def cited(self) -> str:
        """The paper and the place in it."""
        return f"{PAPERS[self.paper]}, {self.source}"


PAPERS: Mapping[str, str] = {
    "fairsumm": "FairSumm",
    "coverage": "Coverage-based Fairness",
    "bold": "BOLD",
    "news": "Bias in News Summaries",
}
"""Folder of studies -> its paper, for short."""
