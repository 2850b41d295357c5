"""Coverage of intervals within originals, drawn by pairs and singly.

    python benchmarks/calibrate_entities.py [--output results.json]

Originals are fixed, each with persons of whom some are more salient than others. Their inputs are made anew for each
simulated data set as the paper makes them: half of the persons are given either group at random, and a second input
exchanges the groups. A summarizer includes a person by its salience, and more readily if it is of the favoured group.
What an infinite number of assignments would give is known: each person is of either group equally often, so the share
of a group is the mean probability of its persons. A 95 % interval is to hold it in 95 of 100 data sets.

The summarizer is nearly deterministic, as real ones are: that is where drawing singly goes wrong, for an input that
names the salient persons as women has a partner that names them as men. Nothing is read from disk.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from harness import finish, make_parser

from fairsum_utils.families.entities.results import ENGINE
from fairsum_utils.families.entities.rows import EntityRow, EntityTable
from fairsum_utils.measures.entity_inclusion import EntityInclusion
from fairsum_utils.measures.word_list_inclusion import WordListInclusion
from fairsum_utils.stats.arrays import Floats

PERSONS = 4
GROUPS = ("favoured", "other")
INCLUSION = EntityInclusion(confidence_level=0.95, n_permutations=1)
WORDS = WordListInclusion(confidence_level=0.95, reference="uniform")


class Case(NamedTuple):
    """Originals, pairs of inputs, and the favoured group's log odds ratio."""

    originals: int
    pairs: int
    bias: float


CASES = (Case(50, 10, 0.0), Case(50, 10, 0.5), Case(200, 2, 0.5))


def probabilities(case: Case) -> Floats:
    """Return inclusion probabilities by group, shape (originals, persons, 2)."""
    salience = np.random.default_rng(3).normal(scale=4, size=(case.originals, PERSONS))
    return 1 / (1 + np.exp(-(salience[..., None] + case.bias * np.array([0.5, -0.5]))))


def truth(shares: Floats) -> dict[str, float]:
    """Return the true values of the estimates and of both groups' shares."""
    first, second = shares.tolist()
    ratio = math.log(first / (1 - first)) - math.log(second / (1 - second))
    return {
        "log odds ratio": ratio,
        "share of the favoured": first,
        "entity inclusion": math.exp(abs(ratio)) - 1,
        "word list difference": first / (first + second) - 0.5,
    }


def simulate(case: Case, likely: Floats, generator: np.random.Generator) -> list[EntityRow]:
    """Simulate the rows of one data set."""
    halves = np.tile(np.arange(PERSONS) % 2, (case.originals, case.pairs, 1))
    groups = generator.permuted(halves, axis=2)
    groups = np.stack([groups, 1 - groups], axis=2)  # and the inversions
    own = np.take_along_axis(likely[:, None, None], groups[..., None], axis=4)[..., 0]
    included = generator.random(own.shape) < own
    rows = []
    for place in np.ndindex(groups.shape[:3]):
        named = [GROUPS[code] for code in groups[place].tolist()]
        inside = included[place].tolist()
        words = {group: sum(i for g, i in zip(named, inside, strict=True) if g == group) for group in GROUPS}
        rows.append(
            EntityRow(
                len(rows),
                str(place[0]),
                pair=str(place[1]),
                entities=tuple(zip(named, inside, strict=True)),  # type: ignore[arg-type]  # plain tuples do
                summary_words=words,
            )
        )
    return rows


def intervals(rows: list[EntityRow]) -> dict[str, list[float]]:
    """Map estimates to their intervals within originals."""
    table = EntityTable(rows)
    inclusion, words = (
        ENGINE.scores[each.name](ENGINE.sums_of(table, [each.name], each), each).result({})
        for each in (INCLUSION, WORDS)
    )
    [ratio] = inclusion["log_odds_ratios"]
    return {
        "log odds ratio": ratio["ci_within"],
        "share of the favoured": inclusion["entity_inclusion_by_group_ci_within"]["favoured"],
        "entity inclusion": inclusion["entity_inclusion_ci_within"],
        "word list difference": words["word_list_inclusion_by_group_ci_within"]["favoured"],
    }


def coverage(case: Case, n: int) -> list[dict[str, Any]]:
    """Measure coverage and width of the intervals of n data sets."""
    likely = probabilities(case)
    expected = truth(likely.mean(axis=(0, 1)))
    if not case.bias:
        del expected["entity inclusion"]  # its least value, which no interval of scores above it holds
    generator = np.random.default_rng(11)
    held: dict[tuple[str, str], list[tuple[bool, float]]] = {}
    for _ in range(n):
        rows = simulate(case, likely, generator)
        for drawn, each in (("pairs", rows), ("singly", [replace(row, pair=None) for row in rows])):
            for what, (low, high) in intervals(each).items():
                if what in expected:
                    held.setdefault((what, drawn), []).append((low <= expected[what] <= high, high - low))
    return [
        {
            **case._asdict(),
            "what": what,
            "truth": expected[what],
            **{f"{part}_{drawn}": float(np.mean(column)) for drawn in ("pairs", "singly")
               for part, column in zip(("held", "width"), zip(*held[what, drawn], strict=True), strict=True)},
        }
        for what in expected
    ]  # fmt: skip


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--data-sets", type=int, default=1_000, help="simulated ones of each case")
    parser.add_argument("--originals", type=int, help="of each case, instead of its own")
    chosen = parser.parse_args(arguments)
    cases = [case._replace(originals=chosen.originals or case.originals) for case in CASES]
    report = {
        "data_sets": chosen.data_sets,
        "rows": [row for case in cases for row in coverage(case, chosen.data_sets)],
    }
    return finish(report, chosen.output)


if __name__ == "__main__":
    main()
