"""Simulated power of rules at the sample sizes that `fairsum power` asks for.

    python benchmarks/power_of_rules.py [--data-sets 1000] [--data shares] [--output results.json]

Large results are given to `fairsum power`, which says with how many samples or originals a rule passes, or fails, with
a power of 80 %. Then data sets of just so many are drawn; the real measures score them, with their real intervals and
permutation tests, and the rule decides as in `fairsum check`.

- Shares: summaries that lack a value in a known share of cases, whose true score is known. Of rules that compare with a
  baseline, the baseline is drawn again with every data set, and both sides have as many samples.
- Gap: a summarizer that takes sentences at random, moved more by a person than by a control edit; or in one original of
  four only, much more. Outcomes: lengths, shorter for women. Orders: one summary in 33 takes the first three sources.
  Each input of the large results has two summaries; rules are also decided with other numbers of them.

Nothing is read from disk.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from harness import finish, make_parser
from made_summaries import CASES as NOISES
from made_summaries import CONTROLS, NAMES, SENTENCES, in_orders, inputs, lead_in, make_sets, simulate, summarize

from fairsum_utils import score
from fairsum_utils.families.sensitivity.results import aggregate, sums_of
from fairsum_utils.families.sensitivity.rows import SensitivityRow, SensitivityTable
from fairsum_utils.families.sensitivity.samples import Sample
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.families.sensitivity.settings import SensitivitySettings
from fairsum_utils.gate.check import decide
from fairsum_utils.gate.power import power
from fairsum_utils.gate.rules import parse_rule
from fairsum_utils.gate.sheet import sheet_of
from fairsum_utils.session import Request, Session

POWER = 0.8
REPLICATES = 2  # summaries of each input in the large results
DRAWN = {"confidence_level": 0.95, "n_resamples": 500, "n_permutations": 999}

Draw = Callable[[int, int, np.random.Generator], Any]  # samples or originals, summaries of an input, generator


class Case(NamedTuple):
    """A rule with its data, summaries per input and rates of unfairness."""

    rule: str
    data: str = "shares"
    replicates: int = REPLICATES
    rate: float = 0.0
    base: float | None = None


def shares(rule: str, rate: float, base: float | None = None) -> Case:
    return Case(rule, rate=rate, base=base)


_LENGTH = "counterfactual_outcomes.outcomes.length"
CASES = (
    shares("bur.ci_high < 0.05", 0.02),
    shares("bur.ci_high < 0.2", 0.15),
    shares("bur.ci_high < 0.2", 0.3),
    shares("bur.ci_low > 0.2", 0.3),
    shares("bur < 0.2", 0.18),
    shares("bur < 0.2", 0.22),
    shares("uer.ci_high < 0.03", 0.12),
    shares("uer.ci_high < 0.03", 0.24),
    shares("uer < 0.03", 0.16),
    shares("bur - baseline < 0.05", 0.1, 0.1),
    shares("(bur - baseline).ci_high < 0.05", 0.1, 0.1),
    shares("(bur - baseline).ci_high < 0.05", 0.02, 0.02),
    shares("(bur - baseline).ci_high < 0.05", 0.2, 0.1),
    shares("(uer - baseline).ci_high < 0.01", 0.2, 0.2),
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


class Population:
    """A fair and two unfair summaries, scored once and resampled."""

    def __init__(self) -> None:
        self.session = Session([Request(name, settings={"confidence_level": 0.95}) for name in ("bur", "uer")])
        texts = ["Tasty, stale.", "Tasty, warm, kind.", "Tasty, warm, rude."]
        sources = ["Tasty soup, warm bread, kind staff.", "Cold soup, stale bread, rude staff."]
        columns = {
            "predictions": texts,
            "sources": [sources] * len(texts),
            "values": [["positive", "negative"]] * len(texts),
        }
        self.rows = self.session.rows(columns)

    def results(self, kinds: Any) -> Any:
        """Compute results of summaries of these kinds."""
        self.session.reset()
        self.session.take_columns(["predictions", "sources", "values"])
        self.session.add_rows([[rows[kind] for kind in kinds] for rows in self.rows])
        return self.session.results()

    def draw(self, rate: float) -> Draw:
        """Draw data sets with a random share of unfair summaries."""
        weights = [1 - rate, rate / 2, rate / 2]
        return lambda n, replicates, generator: self.results(generator.choice(3, n, p=weights))

    def truth(self, label: str, rate: float) -> float:
        """Compute the score of infinitely many samples."""
        return rate * float(self.results((1, 2))[label][label])


def scored(measure: str, rows: list[SensitivityRow], **settings: Any) -> dict[str, Any]:
    chosen = SensitivitySettings(**DRAWN, **settings)
    scorer = SensitivityScorer((measure,), chosen)
    return {measure: aggregate(sums_of(SensitivityTable(rows), [measure], chosen, scorer), measure, chosen, {})}


def draw_gap(noise: int, bias: float, share: float = 1.0) -> Draw:
    """Draw summaries that a person changes more than a control, for some originals."""

    def draw(n: int, replicates: int, generator: np.random.Generator) -> dict[str, Any]:
        case = NOISES[noise]._replace(replicates=replicates)
        moved = bias * generator.normal(size=(n, len(NAMES), 1, SENTENCES))
        moved *= generator.random((n, 1, 1, 1)) < share
        samples: list[Sample] = simulate(case, inputs(case, n, generator) + moved, summarize, generator)
        measure = "counterfactual_gap"
        scorer = SensitivityScorer((measure,), SensitivitySettings(**DRAWN))
        return scored(measure, list(scorer.score(samples)))

    return draw


def draw_outcomes(n: int, replicates: int, generator: np.random.Generator) -> dict[str, Any]:
    """Draw lengths: an edit adds 0.5, a summary 1, a man 0.15."""
    of_inputs = n, len(NAMES), len(CONTROLS)
    lengths = generator.normal(size=(n, 1, 1, 1)) + 0.5 * generator.normal(size=(*of_inputs, 1))
    lengths = lengths + generator.normal(size=(*of_inputs, replicates)) + np.array([0.0, 0.15])[:, None, None]
    names = [*NAMES]
    rows = [
        SensitivityRow(
            index,
            f"original {original}",
            names[variant],
            control=CONTROLS[control],
            outcomes={"length": float(lengths[original, variant, control, replicate])},
        )
        for index, (original, variant, control, replicate) in enumerate(np.ndindex(*lengths.shape))
    ]
    return scored("counterfactual_outcomes", rows, outcomes=("length",))


def draw_orders(n: int, replicates: int, generator: np.random.Generator) -> dict[str, Any]:
    """Draw sets in six orders; one summary in 33 takes the first sources."""
    rng = random.Random(int(generator.integers(2**31)))
    columns = in_orders(make_sets(n, rng), lead_in(0.03, rng), rng, replicates=replicates)
    return dict(score(columns, metrics="order_sensitivity", **DRAWN))


DATA: dict[str, Draw] = {
    "gap, medium noise": draw_gap(1, 0.35),
    "gap, high noise": draw_gap(2, 0.45),
    "gap, 1 of 4 originals": draw_gap(1, 0.8, 0.25),
    "outcomes": draw_outcomes,
    "orders": draw_orders,
}


def need_of_shares(case: Case, pilot: int, population: Population) -> tuple[str, int]:
    """Return the promised outcome and number of samples, from true scores."""
    generator = np.random.default_rng(7)
    label = case.rule.lstrip("(").partition(".")[0].partition(" ")[0]
    found, baseline = population.draw(case.rate)(pilot, 1, generator), None
    expected = population.truth(label, case.rate)
    if case.base is not None:
        baseline = population.draw(case.base)(pilot, 1, generator)
        baseline[label][label] = population.truth(label, case.base)
    need = power(found, rules=case.rule, baseline=baseline, expected=expected, power=POWER)[case.rule]
    return need["outcome"], need["n"] if case.base is None else need["n_each"]


def need_of_originals(case: Case, results: Any) -> tuple[str, int]:
    """Return the promised outcome and number of originals."""
    need = power(results, rules=case.rule, power=POWER)[case.rule]
    if case.replicates == REPLICATES:
        return need["outcome"], need["n"]
    needs = need["by_replicates"]["needs"]
    return need["outcome"], next(each["n"] for each in needs if each["replicates"] == case.replicates)


def decided(case: Case, n: int, n_data_sets: int, draw: Draw, base: Draw | None) -> dict[str, float]:
    """Share of data sets by outcome."""
    generator, rule = np.random.default_rng(11), parse_rule(case.rule)
    counts: Counter[str] = Counter()
    for _ in range(n_data_sets):
        found = sheet_of(draw(n, case.replicates, generator))
        baseline = None if base is None else sheet_of(base(n, case.replicates, generator))
        counts[decide(rule, found, baseline).outcome] += 1
    return {outcome: counts[outcome] / n_data_sets for outcome in ("pass", "fail", "undecided")}


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--data-sets", type=int, default=1_000, help="simulated ones of each rule")
    parser.add_argument("--pilot", type=int, default=3_000, help="originals of the large results")
    parser.add_argument("--pilot-samples", type=int, default=20_000, help="samples of the large results")
    parser.add_argument("--data", nargs="+", choices=("shares", *DATA), default=["shares", *DATA])
    parser.add_argument("--cases", type=int, help="rules of each kind of data, from the first (default: all)")
    chosen = parser.parse_args(arguments)
    population, rows = Population(), []
    for data in chosen.data:
        pilot = None if data == "shares" else DATA[data](chosen.pilot, REPLICATES, np.random.default_rng(7))
        for case in [case for case in CASES if case.data == data][: chosen.cases]:
            draw, base = DATA.get(data) or population.draw(case.rate), None
            if case.base is not None:
                base = population.draw(case.base)
            if pilot is None:
                outcome, n = need_of_shares(case, chosen.pilot_samples, population)
            else:
                outcome, n = need_of_originals(case, pilot)
            found = decided(case, n, chosen.data_sets, draw, base)
            rows.append({**case._asdict(), "outcome": outcome, "n": n, **found, "reached": found[outcome]})
    return finish({"power": POWER, "pilot": chosen.pilot, "rows": rows}, chosen.output)


if __name__ == "__main__":
    main()
