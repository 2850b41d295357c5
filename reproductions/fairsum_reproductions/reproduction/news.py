"""What Investigating bias in news summaries prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from fairsum_reproductions.reproduction.item import Item, Outcome, judged


class Hallucinated(NamedTuple):
    """Figures of a system: hallucinated persons of each gender (table 6), and the score (table 3)."""

    male: int
    female: int
    score: float


HALLUCINATED: Mapping[str, Hallucinated] = {
    "BART CNN/DM": Hallucinated(238, 29, 0.39),
    "BART XSum": Hallucinated(1465, 212, 0.37),
    "Pegasus CNN/DM": Hallucinated(170, 24, 0.38),
    "Pegasus XSum": Hallucinated(662, 153, 0.31),
    "Llama-2 chat 7b": Hallucinated(290, 32, 0.38),
    "Llama-2 chat 13b": Hallucinated(545, 35, 0.44),
    "Llama-2 chat 70b": Hallucinated(259, 26, 0.41),
}
"""Source: papers/news-summarization-bias, tables 3 and 6."""

_DIFFERS = "Llama-2 chat 7b"
"""Whose counts do not give the printed score."""

_NAMES = {
    "male": (
        "bob greene; george w. bush; george h. w. bush; george h.w. bush; boris yeltsin; david frum; james baker; "
        "peter bergen; richard cohen; daniel ortega; julian zelizer; david weinberger; erich honecker; richard nixon; "
        "manuel noriega; walter sisulu; alan greenspan; nelson mandela; farai sevenzo; mikhail gorbachev; "
        "francois mitterrand; helmut kohl; alain juppe; naguib mahfouz; mahatma gandhi; yasser arafat; "
        "eduard shevardnadze"
    ),
    "female": "frida ghitis; sharmila tagore; pat nixon",
    None: "greene; frum; obama; zelizer; bergen; ghitis; saatchesi; bynoes; hainis; mclaren; edberg; k.",
}


def names_of_table_6() -> dict[str, str | None]:
    """Hallucinated name -> the gender that the paper gives it, of all systems.

    Source: papers/news-summarization-bias, table 6.

    Example:
        >>> names = names_of_table_6()
        >>> len(names), names["frida ghitis"], names["obama"]
        (42, 'female', None)
    """
    return {name: group for group, names in _NAMES.items() for name in names.split("; ")}


QUALITY: Mapping[str, tuple[float, float, float]] = {
    "BART XSum, gender": (4.30, 4.37, 0.07),
    "BART CNN/DM, gender": (4.84, 4.84, 0.01),
    "Pegasus XSum, gender": (4.24, 4.24, 0.00),
    "Pegasus CNN/DM, gender": (4.59, 4.59, 0.00),
    "Llama-2 chat 7b, gender": (3.50, 3.50, 0.00),
    "Llama-2 chat 13b, gender": (4.98, 4.99, 0.01),
    "Llama-2 chat 70b, gender": (5.00, 4.99, 0.01),
    "BART XSum, race": (4.22, 4.33, 0.11),
    "BART CNN/DM, race": (4.85, 4.83, 0.02),
    "Pegasus XSum, race": (4.26, 4.27, 0.00),
    "Pegasus CNN/DM, race": (4.65, 4.64, 0.01),
    "Llama-2 chat 7b, race": (3.47, 3.56, 0.09),
    "Llama-2 chat 13b, race": (4.98, 4.98, 0.00),
    "Llama-2 chat 70b, race": (4.98, 4.99, 0.01),
}
"""Mean relevance of summaries about either group, and the difference. Source: the same, tables 7 and 9."""

_FEMALE = {"XSum": (0.26, 0.24), "CNN/DM": (0.34, 0.15)}
"""Data set -> share of female identifiers, and the score of Random against equal shares. Source: the same, table 2."""

_CENSUS = tuple(f"news/dist.{gender}.first" for gender in ("male", "female"))
"""The first names of the 1990 US census, as the Census Bureau publishes them."""


def _hallucination(*systems: str) -> Outcome:
    """Entity Hallucination from the counts of table 6."""
    import numpy as np

    from fairsum_utils.measures.entity_hallucination import entity_hallucination
    from fairsum_utils.reports.tables import Table

    rows: list[list[Any]] = []
    verdicts = []
    for system in systems:
        male, female, printed = HALLUCINATED[system]
        score = float(entity_hallucination(np.array([male, female], dtype=np.float64)))
        verdicts.append(judged(score, printed, within=0.005))
        rows.append([system, male, female, printed, score, verdicts[-1]])
    table = Table(
        ["system", "male", "female", "printed", "here", "verdict"], rows, "Entity Hallucination (tables 3, 6)"
    )
    got = f"{rows[0][4]:.4f}" if len(rows) == 1 else f"{verdicts.count('equal')} of {len(rows)}"
    return Outcome(got, "equal" if set(verdicts) == {"equal"} else "differs", [table])


def _names(folder: Path) -> Outcome:
    """Table 6's names by the census alone, by both readings."""
    from fairsum_utils.families.entities.names import NameClassifier
    from fairsum_utils.reports.tables import Table

    readings = {"first names": NameClassifier(), "every word": NameClassifier(every_word=True)}
    printed = names_of_table_6()
    n_equal = {
        reading: sum(each.classify(name) == group for name, group in printed.items())
        for reading, each in readings.items()
    }
    n_wrong = Counter(
        reading
        for reading, each in readings.items()
        for name, group in printed.items()
        if each.classify(name) not in (group, None)
    )
    rows: list[list[Any]] = [[reading, n, len(printed) - n, n_wrong[reading]] for reading, n in n_equal.items()]
    table = Table(["looked up", "as printed", "unknown here", "another group"], rows, "Names of table 6 by the census")
    got = f"{n_equal['first names']} of {len(printed)}; the others are unknown here, none has another group"
    return Outcome(got, "differs" if n_wrong or len(set(n_equal.values())) > 1 else "near", [table])


def _census(folder: Path) -> Outcome:
    """Each first name's group from the published percents, in exact arithmetic, beside ours."""
    from fairsum_utils.families.entities.names import NameClassifier
    from fairsum_utils.text.tokens import TITLES

    percents = []
    for path in _CENSUS:
        lines = (line.split() for line in (folder / path).read_text(encoding="ascii").splitlines())
        percents.append({name.lower(): Fraction(percent) for name, percent, *_ in lines})
    if not all(percents):
        raise ValueError("a list without a name")
    male, female = percents
    classifier = NameClassifier()
    names = sorted(({*male} | {*female}) - {*TITLES})  # Major Smith is no first name
    n_equal = 0
    for name in names:
        of_men, of_women = male.get(name, Fraction()), female.get(name, Fraction())
        group = "male" if of_men >= 2 * of_women else "female" if of_women >= 2 * of_men else None
        n_equal += classifier.classify(f"{name} Xyz") == group
    return Outcome(f"{n_equal:,} of {len(names):,}", "equal" if n_equal == len(names) else "differs")


def _random_baseline(data_set: str) -> Outcome:
    """Word List Inclusion of a summarizer that keeps the sources' shares, against equal ones."""
    import numpy as np

    from fairsum_utils.measures.word_list_inclusion import word_list_inclusion

    female, printed = _FEMALE[data_set]
    score = float(word_list_inclusion(np.array([female, 1 - female])))
    return Outcome(f"{score:.2f}", judged(score, printed, within=0.01 + 1e-9))


def _quality(folder: Path) -> Outcome:
    """Differences from the rounded means."""
    from fairsum_utils.reports.tables import Table

    rows: list[list[Any]] = []
    for name, (one, other, printed) in QUALITY.items():
        got = round(abs(one - other), 2)
        verdict = "equal" if got == printed else "near" if abs(got - printed) < 0.015 else "differs"
        rows.append([name, one, other, printed, got, verdict])
    verdicts = Counter(row[-1] for row in rows)
    table = Table(["system", "one group", "other group", "printed", "here", "verdict"], rows, "|Diff| (tables 7 and 9)")
    got_words = f"{verdicts['equal']} of {len(rows)}, the others from rounded means"
    return Outcome(got_words, "differs" if verdicts["differs"] else "near", [table])


_ONTONOTES = "OntoNotes 5.0, which the LDC licenses"
_SUMMARIES = f"summaries of inputs made from {_ONTONOTES}"

ITEMS: tuple[Item, ...] = (
    Item(
        "Entity Hallucination, six of seven systems",
        "table 3, from the counts of table 6",
        "0.39, 0.37, 0.38, 0.31, 0.44, 0.41",
        lambda folder: _hallucination(*(system for system in HALLUCINATED if system != _DIFFERS)),
    ),
    Item(
        f"Entity Hallucination, {_DIFFERS}",
        "table 3, from the counts of table 6",
        "0.38",
        lambda folder: _hallucination(_DIFFERS),
        known="differs",
    ),
    Item("groups of 42 names, by the census alone", "table 6, appendix F", "42", _names, known="near"),
    Item(
        "groups of 42 names, with known people",
        "table 6, appendix F",
        "42",
        needs=("a dump of the English Wikipedia",),
        command="fairsum people enwiki.xml.bz2 --output people.tsv.gz",
    ),
    Item(
        "groups of the census's first names",
        "appendix F, at least twice as often",
        "no number",
        _census,
        needs=_CENSUS,
    ),
    Item(
        "Word List Inclusion of Random against equal shares, XSum",
        "table 2, from its share of women",
        "0.24",
        lambda folder: _random_baseline("XSum"),
    ),
    Item(
        "Word List Inclusion of Random against equal shares, CNN/DM",
        "table 2, from its share of women, a rounded 34 %",
        "0.15",
        lambda folder: _random_baseline("CNN/DM"),
        known="near",
    ),
    Item(
        "differences of quality, 14 of them", "tables 7 and 9, from their means", "14 numbers", _quality, known="near"
    ),
    Item(
        "words of men and women, other figures of the four summarizers",
        "tables 1 and 2",
        "printed",
        needs=("test sets of CNN/DM and XSum",),
        command="fairsum diagnose cnn_dm.jsonl",
    ),
    Item(
        "683 originals and 13,660 inputs; 12,240 for race",
        "sections 5.1 and 10",
        "printed",
        needs=(_ONTONOTES,),
        command="fairsum data build counterfactual_ontonotes --config gender_local --data-dir DIR",
    ),
    Item(
        "inclusion, distinguishability and all intervals s and d",
        "tables 3, 8, 12 and 20",
        "printed",
        needs=(_SUMMARIES,),
        command="fairsum study bias_table bart/local=local.json bart/global=global.json",
    ),
    Item(
        "induced bias of Llama-2 chat 13b",
        "section 8.3, table 5",
        "0.42 and 0.71",
        needs=(_SUMMARIES,),
        command="fairsum study induced_bias llama.json llama=llama_women.json",
    ),
    Item(
        'times that BART XSum says "first woman", "first female", "first man", "first male"',
        "section 9.2",
        "12, 11, 1, 0",
        needs=(_SUMMARIES,),
        command="fairsum study ranked_articles bart.parquet",
    ),
    Item(
        "most frequent hallucinated names",
        "section 9.1, table 6",
        "printed",
        needs=(_SUMMARIES,),
        command="fairsum study hallucinated_names bart.parquet --people people.tsv.gz",
    ),
    Item(
        "lengths, entities and hallucinated shares of summaries",
        "appendix H, tables 16 and 17",
        "printed",
        needs=(_SUMMARIES,),
        command="fairsum study summary_statistics bart/local=local.json bart/global=global.json",
    ),
    Item(
        "scores with content words adapted",
        "appendix J, table 19",
        "printed",
        needs=(_SUMMARIES, "100 articles annotated by people"),
        command="fairsum study annotation_candidates corpus.jsonl --n 100",
    ),
    Item(
        "quality of summaries",
        "tables 4, 7 and 9",
        "printed",
        needs=(_SUMMARIES, "ratings of gpt-3.5-turbo-1106"),
        command="fairsum relevance summaries.jsonl --sources-column text --model gpt-3.5-turbo-1106",
    ),
    Item("errors of the alignment", "appendix E, table 13", "2 of 208; 13 of 40", needs=("the paper's annotations",)),
)
