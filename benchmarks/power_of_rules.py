"""Does a rule decide as often as `fairsum power` promises, with as many samples as it asks for?

    python benchmarks/power_of_rules.py [--data-sets 1000] [--output results.json]

For each rule `fairsum power` is asked for the number of samples with which it passes, or fails, with a power of 80 %.
Then data sets of just so many samples are drawn, whose summaries lack a value in a known share of cases; the real
measure scores them, with its real bootstrap interval, and the rule decides as in `fairsum check`. Of rules that compare
with a baseline, the baseline is drawn again with every data set, and both sides have as many samples.

What a kind of sample adds is scored once and drawn as often as need be. Nothing is read from disk.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
from harness import finish, make_parser

from fairsum_utils.gate.check import decide
from fairsum_utils.gate.power import power
from fairsum_utils.gate.reading import sheet_of
from fairsum_utils.gate.rules import parse_rule
from fairsum_utils.session import Request, Session

POWER = 0.8
PILOT = 20_000
"""Samples of the results from which the spread of UER is taken."""


class Case(NamedTuple):
    """A rule, and the data that it is to decide about.

    Attributes:
        rule: as it is written.
        rate: share of summaries that leave a value out.
        base: that of the baseline; None without one.
    """

    rule: str
    rate: float
    base: float | None = None


CASES = (
    Case("bur.ci_high < 0.05", 0.02),
    Case("bur.ci_high < 0.2", 0.15),
    Case("bur.ci_high < 0.2", 0.3),
    Case("bur.ci_low > 0.2", 0.3),
    Case("bur < 0.2", 0.18),
    Case("bur < 0.2", 0.22),
    Case("uer.ci_high < 0.03", 0.12),
    Case("uer.ci_high < 0.03", 0.24),
    Case("uer < 0.03", 0.16),
    Case("bur - baseline < 0.05", 0.1, 0.1),
    Case("(bur - baseline).ci_high < 0.05", 0.1, 0.1),
    Case("(bur - baseline).ci_high < 0.05", 0.02, 0.02),
    Case("(bur - baseline).ci_high < 0.05", 0.2, 0.1),
    Case("(uer - baseline).ci_high < 0.01", 0.2, 0.2),
)

_SOURCES = ["Tasty soup, warm bread, kind staff.", "Cold soup, stale bread, rude staff."]
_VALUES = ["positive", "negative"]
_FAIR = ["Tasty, stale."]
_UNFAIR = ["Tasty, warm, kind.", "Tasty, warm, rude."]
"""Summaries of which the first leaves the negative source out, and the second most of it."""


class Population:
    """Kinds of summaries, scored once, from which data sets are drawn."""

    def __init__(self) -> None:
        requests = [Request(name, settings={"confidence_level": 0.95}) for name in ("bur", "uer")]
        self.session = Session(requests)
        texts = [*_FAIR, *_UNFAIR]
        columns = {"predictions": texts, "sources": [_SOURCES] * len(texts), "values": [_VALUES] * len(texts)}
        self.rows = self.session.rows(columns)
        self.session.take_columns(columns)

    def draw(self, rate: float, n: int, generator: np.random.Generator) -> Any:
        """Results of a data set of which a share, by chance, is unfair."""
        kinds = generator.choice(len(self.rows[0]), n, p=[1 - rate, rate / 2, rate / 2])
        self.session.reset()
        self.session.take_columns(["predictions", "sources", "values"])
        self.session.add_rows([[rows[kind] for kind in kinds] for rows in self.rows])
        return self.session.results()


def need_of(case: Case, population: Population) -> dict[str, Any]:
    """What `fairsum power` says of a rule, with the truth of the case."""
    generator = np.random.default_rng(7)
    label = case.rule.lstrip("(").partition(".")[0].partition(" ")[0]
    pilot, expected = population.draw(case.rate, PILOT, generator), truth(label, case.rate, population)
    baseline = None
    if case.base is not None:
        baseline = population.draw(case.base, PILOT, generator)
        baseline[label][label] = truth(label, case.base, population)
    return dict(power(pilot, rules=case.rule, baseline=baseline, expected=expected, power=POWER)[case.rule])


def truth(label: str, rate: float, population: Population) -> float:
    """The score of infinitely many samples."""
    population.session.reset()
    population.session.take_columns(["predictions", "sources", "values"])
    population.session.add_rows([rows[1:] for rows in population.rows])
    return rate * float(population.session.results()[label][label])


def simulate(case: Case, n_data_sets: int, population: Population) -> dict[str, Any]:
    """How often a rule decides with the number of samples that was promised to be enough."""
    need = need_of(case, population)
    n = need["n"] if case.base is None else need["n_each"]
    generator, rule = np.random.default_rng(11), parse_rule(case.rule)
    counts: Counter[str] = Counter()
    for _ in range(n_data_sets):
        found = sheet_of(population.draw(case.rate, n, generator))
        base = None if case.base is None else sheet_of(population.draw(case.base, n, generator))
        counts[decide(rule, found, base).outcome] += 1
    shares = {outcome: counts[outcome] / n_data_sets for outcome in ("pass", "fail", "undecided")}
    return {"rule": case.rule, "rate": case.rate, "baseline": case.base, "outcome": need["outcome"], "n": n, **shares}


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--data-sets", type=int, default=1_000, help="simulated ones of each rule")
    parser.add_argument("--cases", type=int, default=len(CASES), help="how many of the rules, from the first")
    chosen = parser.parse_args(arguments)
    population = Population()
    rows = [simulate(case, chosen.data_sets, population) for case in CASES[: chosen.cases]]
    report = {"power": POWER, "rows": rows}
    return finish(report, chosen.output)


if __name__ == "__main__":
    main()
