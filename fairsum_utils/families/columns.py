"""Columns of a data set, and the units that scores are of."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from fairsum_utils.validation import as_float


class Column(NamedTuple):
    """Column of a data set, with one entry for each sample.

    Attributes:
        name: name in Python, such as ``"predictions"``.
        entry: name of an entry, such as ``"prediction"``, and of the command-line option.
        kind: type of an entry: str, a list or a mapping of strings and numbers, or a list of a typed dictionary.
        help: description of an entry, in one line without a final period.
        needed: measures that need it, where several are meant; True for the only one.
        taken: measures that can use it, where several are meant.
        of_system: each compared system has its own.
        in_file: default name in a file; None to read it only if named.
        also: further default names, used if a file lacks the column `in_file`.
        label: name of an entry in forms; empty for `entry`.
        without: effect of omitting an optional column, used in the help of the option.
        sparse: an entry may be None, and a file may lack the column.
        by_text: an entry has one item for each source text; in a table with one row per text, a row has the item.
        follows_texts: an entry has one item for each source text, also where it is not `by_text`.
        labels: an entry is a group, or a list of groups; see `fairsum_utils.validation.as_label`.
        made_by: command that adds the column to a file, for the error about a missing column.
    """

    name: str
    entry: str
    kind: Any
    help: str
    needed: tuple[str, ...] | bool = False
    taken: tuple[str, ...] = ()
    of_system: bool = False
    in_file: str | None = None
    also: tuple[str, ...] = ()
    without: str | None = None
    label: str = ""
    sparse: bool = False
    by_text: bool = False
    follows_texts: bool = False
    labels: bool = False
    made_by: str = ""

    def takes(self, measure: str) -> bool:
        """Check whether a measure of the family can use it."""
        return not self.taken or measure in self.taken

    def needed_by(self, measure: str) -> bool:
        """Check whether a measure of the family needs it."""
        return self.needed if isinstance(self.needed, bool) else measure in self.needed

    @property
    def flag(self) -> str:
        """Command-line option that names it in a file.

        Example:
            >>> PREDICTIONS.flag, ARTICLE_IDS.flag
            ('--prediction-column', '--column article_id=NAME')
        """
        return f"--{self.entry}-column" if self.entry in _WITH_FLAG else f"--column {self.entry}=NAME"

    def named(self, name: str) -> str:
        """Write the option with a name.

        Example:
            >>> SOURCES.named("text"), ARTICLE_IDS.named("none")
            ('--sources-column text', '--column article_id=none')
        """
        return self.flag.replace("NAME", name) if "=" in self.flag else f"{self.flag} {name}"


_WITH_FLAG = ("prediction", "sources", "values", "group", "quality")
"""Entries with a command-line option of their own."""

PREDICTIONS = Column(
    name="predictions",
    entry="prediction",
    kind=str,
    help="the summary, or another generated text",
    of_system=True,
    in_file="prediction",
    label="summary",
)
SOURCES = Column(
    name="sources",
    entry="sources",
    kind=list[str],
    help="the source texts, at least one",
    in_file="sources",
    label="source text",
    follows_texts=True,
)
VALUES = Column(
    name="values",
    entry="values",
    kind=list[str],
    help="the group of each source text: a string, whole number or boolean",
    in_file="values",
    label="value",
    follows_texts=True,
    labels=True,
)
GROUPS = Column(
    name="groups",
    entry="group",
    kind=str,
    help="the group of the text; at least two texts per group",
    in_file="group",
    also=("text_group",),  # counterfactual_ontonotes, whose persons have a group each
    without="compare nothing",
    labels=True,
)
ARTICLE_IDS = Column(
    name="article_ids",
    entry="article_id",
    kind=str,
    help="id of the original: string or whole number",
    in_file="article_id",
    without="treat each sample as its own original",
)
PAIR_IDS = Column(
    name="pair_ids",
    entry="pair_id",
    kind=str,
    help="id of the pair, such as an assignment and its inversion; None for a sample without a pair",
    in_file="pair_id",
    without="draw single samples",
    sparse=True,
)


class Unit(NamedTuple):
    """Unit of scores, such as sample or original.

    Attributes:
        name: name, as in keys of results.
        counted: keys of its number in a result; the first one present counts.
        few: code of the warning about too few units.
    """

    name: str
    counted: tuple[str, ...]
    few: str

    @property
    def several(self) -> str:
        """Plural of the name."""
        return f"{self.name}s"

    def number(self, result: Mapping[str, Any]) -> float:
        """Read the number of units from a result; NaN if missing.

        Example:
            >>> result = {"n_samples": 240, "n_articles": 40, "n_articles_scored": 38}
            >>> ORIGINAL.number(result), SAMPLE.number(result), ORIGINAL.number({"n_samples": 240})
            (38.0, 240.0, nan)
        """
        return next((as_float(result[key]) for key in self.counted if key in result), math.nan)


SAMPLE = Unit("sample", ("n_samples",), "few_samples")
ORIGINAL = Unit("original", ("n_articles_scored", "n_articles"), "few_originals")
UNITS = (SAMPLE, ORIGINAL)
