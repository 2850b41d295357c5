"""False alarms and detection delays of `fairsum monitor`.

    python benchmarks/calibrate_monitor.py [--streams 1000] [--output results.json]

Each stream has a baseline and 100 windows, whose samples are drawn at random. First nothing changes: of 100 streams at
most 5 may have an alarm in any of their windows (alpha is 0.05, its default). Then the mean rises by 0.05 after 20
windows; the delay is the number of windows from then to the alarm, the last one included.

- `bur 0.01`, `0.05`, `0.3`: shares of samples; with 0.01 most windows of 20 have none.
- `uer`: one summary in five lacks something, 0.125 on average. `uer rare`: one in twenty, and few very much.
- `ec`: scores of a beta distribution with a mean of 0.1, as those of Equal Coverage.
- `auc`: scores of a beta distribution with a mean of 0.4.

What the monitor is told are scores, numbers of samples and, of all but shares, the standard deviation of a sample, as
results have them. Nothing is read from disk.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from harness import finish, make_parser

from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.sequential import Evidence, Pool

WINDOWS = 100
# Windows before the change.
QUIET = 20
SHIFT = 0.05
# Evidence of an alarm of one measure with alpha 0.05, as a logarithm.
BAR = math.log(20)
BASELINES = (100, 1_000, 10_000)
SIZES = (20, 50, 200)

Draw = Callable[[np.random.Generator, int], Floats]


class Kind(NamedTuple):
    """Samples of some kind.

    Attributes:
        before: draws samples of the baseline.
        after: draws samples with a mean `SHIFT` higher.
        high: the largest score.
        is_share: True if every sample counts 0 or 1.
    """

    before: Draw
    after: Draw
    high: float = 1.0
    is_share: bool = False


def shares(rate: float) -> Kind:
    """Draw samples that are 1 at some rate."""

    def draw(rate: float) -> Draw:
        return lambda generator, n: (generator.random(n) < rate).astype(np.float64)

    return Kind(draw(rate), draw(rate + SHIFT), is_share=True)


def lacking(rate: float, a: float, b: float) -> Kind:
    """Draw samples that are mostly 0, else half of a beta distribution."""
    higher = rate + SHIFT * 2 * (a + b) / a

    def draw(rate: float) -> Draw:
        return lambda generator, n: np.where(generator.random(n) < rate, generator.beta(a, b, n) / 2, 0.0)

    return Kind(draw(rate), draw(min(higher, 1.0)), high=0.5)


def beta(mean: float, size: float) -> Kind:
    """Draw samples of a beta distribution."""

    def draw(mean: float) -> Draw:
        return lambda generator, n: generator.beta(mean * size, (1 - mean) * size, n)

    return Kind(draw(mean), draw(mean + SHIFT))


KINDS: dict[str, Kind] = {
    "bur 0.01": shares(0.01),
    "bur 0.05": shares(0.05),
    "bur 0.3": shares(0.3),
    "uer": lacking(0.2, 1, 3),
    "uer rare": lacking(0.05, 0.5, 3),
    "ec": beta(0.1, 20),
    "auc": beta(0.4, 2),
}


def told(scores: Floats, is_share: bool) -> Pool:
    """Return the number, mean and spread of samples."""
    n, mean = len(scores), float(scores.mean())
    return Pool(n, mean, n * (mean * (1 - mean) if is_share else float(scores.var(ddof=1))))


def alarm_at(kind: Kind, baseline: int, size: int, seed: tuple[int, ...], change: int | None) -> int | None:
    """Return the window of a stream's first alarm, from 0, or None."""
    generator = np.random.default_rng(seed)
    evidence = Evidence(told(kind.before(generator, baseline), kind.is_share), high=kind.high, is_share=kind.is_share)
    for window in range(WINDOWS + (change or 0)):
        draw = kind.before if change is None or window < change else kind.after
        if evidence.add(told(draw(generator, size), kind.is_share)) >= BAR:
            return window
    return None


def simulate(name: str, baseline: int, size: int, n_streams: int) -> dict[str, Any]:
    """Simulate false alarms and delays for one kind, baseline and window size."""
    kind = KINDS[name]
    seeds = [(place, baseline, size) for place in range(n_streams)]
    alarms = sum(alarm_at(kind, baseline, size, (*seed, 0), None) is not None for seed in seeds)
    ends = [alarm_at(kind, baseline, size, (*seed, 1), QUIET) for seed in seeds[: max(n_streams // 4, 1)]]
    delays = [math.inf if end is None else end + 1 - QUIET for end in ends if end is None or end >= QUIET]
    half, most = np.quantile(delays, [0.5, 0.9], method="higher") if delays else (math.nan, math.nan)
    return {
        "kind": name,
        "baseline": baseline,
        "size": size,
        "streams": n_streams,
        "false_alarms": alarms,
        "delay_median": float(half),
        "delay_9_of_10": float(most),
    }


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--streams", type=int, default=1_000, help="without a change; a quarter as many with one")
    parser.add_argument("--kinds", nargs="+", choices=[*KINDS], default=[*KINDS])
    parser.add_argument("--baselines", nargs="+", type=int, default=[*BASELINES])
    parser.add_argument("--sizes", nargs="+", type=int, default=[*SIZES], help="samples of a window")
    chosen = parser.parse_args(arguments)
    cases = [*product(chosen.kinds, chosen.baselines, chosen.sizes)]
    return finish({"shift": SHIFT, "rows": [simulate(*case, chosen.streams) for case in cases]}, chosen.output)


if __name__ == "__main__":
    main()
