"""Numbers that Investigating bias in news summaries prints, see `news.toml`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from fairsum_reproductions.printed import printed_figures
from fairsum_reproductions.reproduction.item import Number, Outcome, n_equal

PRINTED = printed_figures("news")

# The first names of the 1990 US census, as the Census Bureau publishes them.
_CENSUS = tuple(f"news/dist.{gender}.first" for gender in ("male", "female"))
# Distance of two numbers of two digits, both of which are made from rounded ones.
_ROUNDED = 0.015


def names_of_table_6() -> dict[str, str | None]:
    """Return the genders of hallucinated names in table 6, over all systems.

    Source: Steen and Markert 2024, table 6.

    Example:
        >>> names = names_of_table_6()
        >>> len(names), names["frida ghitis"], names["obama"]
        (42, 'female', None)
    """
    printed = PRINTED["names"]
    return {name: None if group == "unknown" else group for group, names in printed.items() for name in names}


def hallucination(_: Path, of: Sequence[str]) -> Outcome:
    """Entity Hallucination from the counts of table 6."""
    import numpy as np

    from fairsum_utils.measures.entity_hallucination import entity_hallucination
    from fairsum_utils.reports.tables import Table

    figures = {system: PRINTED["hallucinated"][system] for system in of}
    numbers = {
        system: Number(float(entity_hallucination(np.array([male, female], dtype=np.float64))), score, 0.005)
        for system, (male, female, score) in figures.items()
    }
    rows = [[system, *figures[system], number.got, number.verdict] for system, number in numbers.items()]
    header = ["system", "male", "female", "printed", "here", "verdict"]
    judged = [*numbers.values()]
    got = f"{judged[0].got:.4f}" if len(rows) == 1 else f"{n_equal(judged)} of {len(rows)}"
    return Outcome(got, judged, [Table(header, rows, "Entity Hallucination (tables 3, 6)")])


def names(_: Path) -> Outcome:
    """Table 6's names by the census alone, by both readings."""
    from fairsum_utils.families.entities.classifier import NameClassifier
    from fairsum_utils.reports.tables import Table

    printed = names_of_table_6()
    rows: list[list[Any]] = []
    for reading, classifier in (("first names", NameClassifier()), ("every word", NameClassifier(every_word=True))):
        found = {name: classifier.classify(name) for name in printed}
        n = sum(found[name] == group for name, group in printed.items())
        n_wrong = sum(found[name] not in (group, None) for name, group in printed.items())
        rows.append([reading, n, len(printed) - n, n_wrong])
    table = Table(["looked up", "as printed", "unknown here", "another group"], rows, "Names of table 6 by the census")
    # Any name may be unknown; none may have another group, and both readings are to agree.
    numbers = [Number(n, len(printed), len(printed)) for _, n, *_ in rows]
    numbers += [*(Number(row[-1], 0) for row in rows), Number(rows[0][1], rows[1][1])]
    return Outcome(
        f"{rows[0][1]} of {len(printed)}; the others are unknown; none has a different group", numbers, [table]
    )


def census(folder: Path) -> Outcome:
    """Compare exact first-name groups from published percentages with ours."""
    from fairsum_utils.families.entities.classifier import NameClassifier
    from fairsum_utils.text.person_names import TITLES

    percents = []
    for path in _CENSUS:
        lines = (line.split() for line in (folder / path).read_text(encoding="ascii").splitlines())
        percents.append({name.lower(): Fraction(percent) for name, percent, *_ in lines})
    if not all(percents):
        raise ValueError("a list without a name")
    male, female = percents
    classifier = NameClassifier()
    names = sorted(({*male} | {*female}) - {*TITLES})  # Major Smith is no first name
    n_same = 0
    for name in names:
        of_men, of_women = male.get(name, Fraction()), female.get(name, Fraction())
        group = "male" if of_men >= 2 * of_women else "female" if of_women >= 2 * of_men else None
        n_same += classifier.classify(f"{name} Xyz") == group
    return Outcome(f"{n_same:,} of {len(names):,}", [Number(n_same, len(names))])


def random_baseline(_: Path, of: str) -> Outcome:
    """Score a summarizer that keeps the sources' shares by Word List Inclusion."""
    import numpy as np

    from fairsum_utils.measures.word_list_inclusion import word_list_inclusion

    female, printed = PRINTED["random"][of]
    score = float(word_list_inclusion(np.array([female, 1 - female])))
    return Outcome(f"{score:.2f}", [Number(score, printed, _ROUNDED)])


def quality(_: Path) -> Outcome:
    """Compute differences from the rounded means."""
    from fairsum_utils.reports.tables import Table

    numbers = {
        name: Number(round(abs(one - other), 2), printed, _ROUNDED, digits=2)
        for name, (one, other, printed) in PRINTED["quality"].items()
    }
    rows = [[name, *PRINTED["quality"][name], number.got, number.verdict] for name, number in numbers.items()]
    header = ["system", "one group", "other group", "printed", "here", "verdict"]
    words = f"{n_equal([*numbers.values()])} of {len(rows)}, the others from rounded means"
    return Outcome(words, [*numbers.values()], [Table(header, rows, "|Diff| (tables 7 and 9)")])
