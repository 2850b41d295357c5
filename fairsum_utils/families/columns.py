"""The columns of a data set: what each holds, and what it is called in Python, in files and on the command line."""

from __future__ import annotations

from typing import Any, NamedTuple


class Column(NamedTuple):
    """One entry a sample.

    Attributes:
        name: name in Python, such as ``"predictions"``.
        entry: name of an entry, such as ``"prediction"``, and of the command line's option.
        kind: the type of an entry: str, a list or a mapping of strings and numbers, or a list of a typed dictionary.
        help: description of an entry, in one line without a final period.
        needed: the measures that cannot do without it; True for all that take it.
        taken: the measures that can use it; empty for all of the family.
        of_system: two systems that are compared have one each.
        stored: an `evaluate` module takes it sample by sample; otherwise only whole, when it computes.
        in_file: default name in a file; None if it is read only where it is named.
        label: name of an entry in forms for people; empty for `entry`.
        without: effect of leaving an optional column out; the command line's option is "none".
        sparse: an entry may be None, and a file need not have the column.
    """

    name: str
    entry: str
    kind: Any
    help: str
    needed: tuple[str, ...] | bool = False
    taken: tuple[str, ...] = ()
    of_system: bool = False
    stored: bool = True
    in_file: str | None = None
    without: str | None = None
    label: str = ""
    sparse: bool = False

    def takes(self, measure: str) -> bool:
        """Tell whether a measure of the family can use it."""
        return not self.taken or measure in self.taken

    def needed_by(self, measure: str) -> bool:
        """Tell whether a measure of the family needs it."""
        return self.needed if isinstance(self.needed, bool) else measure in self.needed

    @property
    def flag(self) -> str:
        """Its option on the command line, without dashes.

        Example:
            >>> PREDICTIONS.flag
            'prediction-column'
        """
        return f"{self.entry.removesuffix('_id')}-column"


PREDICTIONS = Column(
    name="predictions",
    entry="prediction",
    kind=str,
    help="the summary, or another generated text; an empty one is data, see `empty`",
    of_system=True,
    in_file="prediction",
    label="summary",
)
SOURCES = Column(
    name="sources",
    entry="sources",
    kind=list[str],
    help="the source texts of a sample, at least one",
    in_file="sources",
    label="source text",
)
VALUES = Column(
    name="values",
    entry="values",
    kind=list[str],
    help="the social attribute value of each source text, as long as `sources`: strings, whole numbers or booleans",
    in_file="values",
    label="value",
)
GROUPS = Column(
    name="groups",
    entry="group",
    kind=str,
    help="the group of a text; every group needs at least two texts that are not empty",
    in_file="group",
    without="compare nothing",
)
ARTICLE_IDS = Column(
    name="article_ids",
    entry="article_id",
    kind=str,
    help="the original that a sample was made from, a string or a whole number",
    in_file="article_id",
    without="take each sample for an original of its own",
)
PAIR_IDS = Column(
    name="pair_ids",
    entry="pair_id",
    kind=str,
    help="of samples of an original that were made together, such as an assignment of groups and its inversion: "
    "intervals within originals draw them as one; a string or a whole number, None for a sample by itself",
    in_file="pair_id",
    without="draw samples singly",
    sparse=True,
)
