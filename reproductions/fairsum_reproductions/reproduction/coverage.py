"""What Coverage-based Fairness in Multi-document Summarization prints."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path

from fairsum_reproductions.coverage._printed import JUDGED, printed_results
from fairsum_reproductions.reproduction.item import Item, Outcome, percent


def _overall(measure: str, _: Path, *, within: float) -> Outcome:
    """Overall scores of ten systems from the printed scores on five data sets."""
    from fairsum_reproductions.contract import NoSettings
    from fairsum_reproductions.coverage.overall import compute, parts

    results, printed = printed_results(measure)
    found = compute(results, settings=NoSettings(module="overall"))
    overall = found[measure]["overall"]
    off = max(abs(overall[system] - score) for system, score in printed.items())
    fairest = min(printed, key=lambda system: float(overall[system]))
    is_first = fairest == min(printed, key=printed.__getitem__)
    words = f"{len(printed)} scores at most {off:.3f} off, from scores that are rounded; {fairest} is fairest"
    return Outcome(words, "near" if off <= within and is_first else "differs", parts(found))


def _at_least(successes: int) -> float:
    """The chance that so many of a bootstrap sample of the judged summaries agree with Equal Coverage."""
    n = JUDGED.coverage + JUDGED.representation
    share = Fraction(JUDGED.coverage, n)
    return float(sum(math.comb(n, x) * share**x * (1 - share) ** (n - x) for x in range(successes, n + 1)))


def _significance(_: Path) -> Outcome:
    """The paired bootstrap test of the judged summaries, exactly: no draw is needed."""
    n, gap = JUDGED.coverage + JUDGED.representation, JUDGED.coverage - JUDGED.representation
    more = n // 2 + 1  # of n summaries agree with Equal Coverage, so that it agrees in most
    one_sided = 1 - _at_least(more)
    # The difference 2 X - n lies as far from its mean as the observed gap from 0.
    low, high = (math.floor(JUDGED.coverage - gap / 2), math.ceil(JUDGED.coverage + gap / 2))
    two_sided = 1 - _at_least(low + 1) + _at_least(high)
    words = f"p = {one_sided:.3f} one-sided, as Koehn (2004) counts; {two_sided:.3f} two-sided"
    return Outcome(words, "equal" if one_sided < 0.05 else "differs")


def _groups(_: Path) -> Outcome:
    """The share of groups if both measures say the same of all judged summaries, where they always disagree."""
    parity = _at_least((JUDGED.coverage + JUDGED.representation) // 2 + 1)
    words = f"{percent(parity, 1)} and {percent(1 - parity, 1)}, if each measure names one value in all 25 summaries"
    return Outcome(words, "near" if abs(parity - JUDGED.parity) <= 0.015 else "differs")


def _exact(_: Path) -> Outcome:
    """EC and CP of made up matrices, against exact fractions."""
    import fairsum_utils

    generator = random.Random(0)
    values = [generator.choices("abc", k=6) for _ in range(200)]
    values = [[*"abc", *own] for own in values]
    coverage = [[[Fraction(generator.randint(0, 8), 8) for _ in range(4)] for _ in own] for own in values]
    scored = fairsum_utils.score(
        values=values,
        coverage=[[list(map(float, row)) for row in matrix] for matrix in coverage],
        metrics=["equal_coverage", "coverage_parity"],
    )
    extremes: dict[str, list[Fraction]] = {value: [] for value in "abc"}
    scores = []
    for own, matrix in zip(values, coverage, strict=True):
        documents = [_mean(row) for row in matrix]
        middle = _mean(documents)
        of_values = {
            value: _mean([p for p, label in zip(documents, own, strict=True) if label == value]) - middle
            for value in extremes
        }
        scores.append(_mean([*map(abs, of_values.values())]))
        for value, difference in of_values.items():
            if difference in (max(of_values.values()), min(of_values.values())):
                extremes[value].append(difference)
    parity = _mean([abs(_mean(differences)) for differences in extremes.values()])
    pairs = [("equal_coverage", _mean(scores)), ("coverage_parity", parity)]
    off = max(abs(scored[name][name] - float(exact)) for name, exact in pairs)
    words = f"{len(values)} made up samples as exact fractions give them, to {off:.0e}"
    return Outcome(words, "equal" if off < 1e-12 else "differs")


def _mean(numbers: Sequence[Fraction]) -> Fraction:
    return sum(numbers, Fraction(0)) / len(numbers)


_RUNS = "the paper's sets, summaries and units, which are not published in a form that is safe to open"
_STUDY = "fairsum study"

ITEMS: tuple[Item, ...] = (
    Item(
        what="overall scores of ten systems by significant differences",
        source="section 5.5, table 3",
        printed="ten scores, Llama2-70b the lowest",
        # Printed scores are off by up to 0.0005, so the mean of normalized ones by up to 0.017; see the tests.
        compute=partial(_overall, "equal_coverage", within=0.005),
        command=f"{_STUDY} overall SYSTEM/DATA_SET=RESULTS.json ...",
        known="near",
    ),
    Item(
        what="overall scores of ten systems by Coverage Parity",
        source="section 5.6, table 4",
        printed="ten scores, Llama2-70b the lowest",
        compute=partial(_overall, "coverage_parity", within=0.025),
        command=f"{_STUDY} overall SYSTEM/DATA_SET=RESULTS.json ...",
        known="near",
    ),
    Item(
        what=f"agreement with people, {JUDGED.coverage} of {JUDGED.coverage + JUDGED.representation} summaries",
        source="section 5.4",
        printed="p < 0.05",
        compute=_significance,
        command=f"{_STUDY} human_judgement COVERAGE BASELINE PEOPLE",
    ),
    Item(
        what=f"agreement with people in {JUDGED.groups:,} groups",
        source="section 5.4",
        printed=f"{percent(JUDGED.parity, 0)} and {percent(JUDGED.second_order, 0)}",
        compute=_groups,
        command=f"{_STUDY} group_level COVERAGE BASELINE PEOPLE",
        known="near",
    ),
    Item(
        what="Equal Coverage and Coverage Parity, the formulas",
        source="section 4, equations 2 to 6",
        printed="no numbers",
        compute=_exact,
        command="fairsum score FILE --metrics equal_coverage,coverage_parity",
    ),
    Item(
        what="scores by data set",
        source="tables 3 and 4",
        printed="2 scores of 13 systems on five data sets",
        needs=(_RUNS,),
        command="fairsum score FILE --metrics equal_coverage,coverage_parity",
    ),
    Item(
        what="correlation of entailers",
        source="section 5.3, table 2",
        printed="30 correlations",
        needs=(_RUNS, "three entailers, run over them"),
        command=f"{_STUDY} entailers ENTAILER/SYSTEM/DATA_SET=SAMPLES ...",
    ),
    Item(
        what="differences between dominated sets",
        source="section 5.7, table 5",
        printed="100 differences",
        needs=(_RUNS,),
        command=f"{_STUDY} dominance SYSTEM/DATA_SET=SAMPLES ...",
    ),
    Item(
        what="relative change where a model is asked to be fair",
        source="section 5.8, table 6",
        printed="25 differences",
        needs=(_RUNS, "summaries by the prompts of figures 6 and 7"),
        command=f"{_STUDY} relative_change ROLE/SYSTEM/DATA_SET=SAMPLES ...",
    ),
    Item(
        what="documents identified, by length of chunks",
        source="appendix A.2, table 7",
        printed="at most 0.876 of GPT-3.5's statements, with 100 words",
        needs=(_RUNS,),
        command=f"{_STUDY} chunk_size SYSTEM/DATA_SET=FILE ...",
    ),
    Item(
        what="correlation with proportional representation",
        source="appendix A.7, table 8",
        printed="25 correlations",
        needs=(_RUNS, "BARTScore, run over them"),
        command=f"{_STUDY} proportional_representation ROLE/SYSTEM/DATA_SET=SAMPLES ...",
    ),
)
