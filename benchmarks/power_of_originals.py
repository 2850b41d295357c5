"""Does a rule on a measure of originals decide as often as `fairsum power` promises, also with other replicates?

    nice python benchmarks/power_of_originals.py [--data-sets 400] [--pilot 3000] [--output results.json]

Large results, in which each input has two summaries, are given to `fairsum power`, which says how many originals a rule
needs with a power of 80 %, with as many summaries of each input and with other numbers of them. Then data sets of just
so many originals are drawn, with so many summaries; the real measures score them, with their real intervals and
permutation tests, and the rule decides as in `fairsum check`.

- The gap: texts of a summarizer that takes sentences at random, of which a person moves more than a control edit does;
  or in one original of four only, much more, so that originals differ.
- Outcomes: lengths, of which those for women are shorter.
- Orders: a summarizer that takes the first three sources of some sets, and random ones of the others.

Nothing is read from disk.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import calibrate_orders as orders
import calibrate_outcomes as outcomes
import calibrate_sensitivity as gap
import numpy as np
from harness import finish, make_parser

from fairsum_utils.families.sensitivity.results import aggregate, sums_of
from fairsum_utils.families.sensitivity.rows import SensitivityRow, SensitivityTable
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.families.sensitivity.settings import SensitivitySettings
from fairsum_utils.gate.check import decide
from fairsum_utils.gate.power import power
from fairsum_utils.gate.reading import sheet_of
from fairsum_utils.gate.rules import parse_rule
from fairsum_utils.stats.arrays import Floats

POWER = 0.8
REPLICATES = 2
"""Summaries of each input in the results that are given."""
DRAWN = {"confidence_level": 0.95, "n_resamples": 500, "n_permutations": 999}

Draw = Callable[[int, int, np.random.Generator], dict[str, Any]]
"""Originals, summaries of each input and generator -> results."""


class Case(NamedTuple):
    """A rule, the data that it is to decide about, and how many summaries each input then has.

    Attributes:
        rule: as it is written.
        data: name of what draws it.
        replicates: summaries of each input.
    """

    rule: str
    data: str
    replicates: int = REPLICATES


def draw_gap(noise: int, bias: float, share: float = 1.0) -> Draw:
    """Summaries of inputs in which the person moves more than a control edit does, in a share of the originals."""

    def draw(n: int, replicates: int, generator: np.random.Generator) -> dict[str, Any]:
        case = gap.CASES[noise]._replace(replicates=replicates)
        moved = bias * generator.normal(size=(n, len(gap.NAMES), 1, gap.SENTENCES))
        moved *= generator.random((n, 1, 1, 1)) < share
        rows = gap.simulate(case, gap.inputs(case, n, generator) + moved, generator)
        return scored(gap.MEASURE, rows, SensitivitySettings(**DRAWN))

    return draw


def draw_outcomes(n: int, replicates: int, generator: np.random.Generator) -> dict[str, Any]:
    """Lengths to which an edit adds 0.5 and a summary 1, and being a man 0.15."""
    inputs = n, len(outcomes.VARIANTS), len(outcomes.CONTROLS)
    lengths: Floats = generator.normal(size=(n, 1, 1, 1)) + 0.5 * generator.normal(size=(*inputs, 1))
    lengths = lengths + generator.normal(size=(*inputs, replicates)) + np.array([0.0, 0.15])[:, None, None]
    rows = [
        SensitivityRow(
            index,
            f"original {original}",
            outcomes.VARIANTS[variant],
            control=outcomes.CONTROLS[control],
            outcomes={"length": float(lengths[original, variant, control, replicate])},
        )
        for index, (original, variant, control, replicate) in enumerate(np.ndindex(*lengths.shape))
    ]
    return scored(outcomes.MEASURE, rows, SensitivitySettings(outcomes=("length",), **DRAWN))


def draw_orders(n: int, replicates: int, generator: np.random.Generator) -> dict[str, Any]:
    """Sets in six orders, each summarized several times; one summary in 33 takes the first three sources."""
    rng = random.Random(int(generator.integers(2**31)))
    summarize = orders.lead_in(0.03, rng)
    rows = list(orders.Orders(orders.make_sets(n, rng), n_orders=orders.N_ORDERS, seed=1).rows()) * replicates
    columns = {name: [row[name] for row in rows] for name in ("variant", "sources", "values", "article_id")}
    result = orders.score(
        predictions=[summarize(sources) for sources in columns["sources"]],
        article_ids=columns["article_id"],
        variants=columns["variant"],
        sources=columns["sources"],
        values=columns["values"],
        metrics=orders.MEASURE,
        **DRAWN,
    )
    return dict(result)


DATA: dict[str, Draw] = {
    "gap, medium noise": draw_gap(1, 0.35),
    "gap, high noise": draw_gap(2, 0.45),
    "gap, 1 of 4 originals": draw_gap(1, 0.8, 0.25),
    "outcomes": draw_outcomes,
    "orders": draw_orders,
}
_LENGTH = "counterfactual_outcomes.outcomes.length"
CASES = (
    *(Case("counterfactual_gap.p_value < 0.05", "gap, medium noise", n) for n in (1, 2, 5)),
    *(Case("counterfactual_gap.ci_low > 0", "gap, medium noise", n) for n in (1, 2, 5)),
    Case("counterfactual_gap.ci_high < 0.03", "gap, medium noise"),
    *(Case("counterfactual_gap.p_value < 0.05", "gap, high noise", n) for n in (1, 2, 5)),
    *(Case("counterfactual_gap.p_value < 0.05", "gap, 1 of 4 originals", n) for n in (1, 2)),
    Case("counterfactual_gap.ci_low > 0", "gap, 1 of 4 originals"),
    *(Case(f"{_LENGTH}.p_value < 0.05", "outcomes", n) for n in (1, 2, 5)),
    Case(f"{_LENGTH}.difference_ci_high < 0", "outcomes"),
    Case("order_sensitivity.p_value < 0.05", "orders"),
    Case("order_sensitivity.p_value < 0.05", "orders", 1),
    Case("order_sensitivity.ci_high < 0.06", "orders"),
)


def scored(measure: str, rows: list[SensitivityRow], settings: SensitivitySettings) -> dict[str, Any]:
    """Label -> result."""
    scorer = SensitivityScorer((measure,), settings)
    sums = sums_of(SensitivityTable(rows), [measure], settings, scorer)
    return {measure: aggregate(sums, measure, settings, {})}


def simulate(case: Case, pilot: dict[str, Any], n_data_sets: int) -> dict[str, Any]:
    """How often a rule decides with the number of originals that was promised to be enough."""
    need = power(pilot, rules=case.rule, power=POWER)[case.rule]
    n = need["n"]
    if case.replicates != REPLICATES:
        n = next(each["n"] for each in need["by_replicates"]["needs"] if each["replicates"] == case.replicates)
    generator, rule = np.random.default_rng(11), parse_rule(case.rule)
    counts: Counter[str] = Counter()
    for _ in range(n_data_sets):
        counts[decide(rule, sheet_of(DATA[case.data](n, case.replicates, generator))).outcome] += 1
    return {**case._asdict(), "outcome": need["outcome"], "n": n, "reached": counts[need["outcome"]] / n_data_sets}


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--data-sets", type=int, default=400, help="simulated ones of each rule")
    parser.add_argument("--pilot", type=int, default=3_000, help="originals of the results that are given")
    parser.add_argument("--cases", type=int, default=len(CASES), help="how many of the rules, from the first")
    chosen = parser.parse_args(arguments)
    pilots: dict[str, Any] = {}
    rows = []
    for case in CASES[: chosen.cases]:
        if case.data not in pilots:
            pilots[case.data] = DATA[case.data](chosen.pilot, REPLICATES, np.random.default_rng(7))
        rows.append(simulate(case, pilots[case.data], chosen.data_sets))
    report = {"power": POWER, "pilot": chosen.pilot, "rows": rows}
    return finish(report, chosen.output)


if __name__ == "__main__":
    main()
