"""Whether two entailers put summaries in the same order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from fairsum_reproductions.contract import Input, Study
from fairsum_reproductions.correlation import rank_correlation
from fairsum_reproductions.coverage._extremes import parity_of
from fairsum_reproductions.coverage._tables import SIGNIFICANT, place_of, starred
from fairsum_utils.analysis.records import Record, check_paired, record_entries
from fairsum_utils.errors import InputError
from fairsum_utils.families import Settings
from fairsum_utils.families.settings import Resampling, override, setting

if TYPE_CHECKING:
    from fairsum_utils.reports.tables import Part


class EntailerSettings(Settings):
    """How sure a correlation is."""

    n_permutations: int = setting(5_000, "random orders that the p-value compares with", least=1, key="perms")
    seed: int | None = override(Resampling, "seed")


def entailer_correlation(
    pairs: Sequence[Mapping[str, Sequence[Record]]], settings: EntailerSettings | None = None
) -> dict[str, Any]:
    """Do two entailers order the same summaries alike? Spearman's rho of EC over the samples of all systems.

    Args:
        pairs: for each system, records of ``equal_coverage`` of the same summaries by the names of two runs, first that
            with one entailer, then that with the other.
        settings: random orders that the p-value compares with; None for the defaults.

    Returns:
        ``rho``, ``p_value``, ``n_samples`` and ``n_skipped``, see `rank_correlation`.

    Raises:
        InputError: records that are not of the same samples, or not of ``equal_coverage``.

    Source: papers/coverage-fairness, section 5.3, table 2.

    Example:
        >>> one = [{"index": index, "equal_coverage": score} for index, score in enumerate([0.1, 0.3, 0.2])]
        >>> other = [{"index": index, "equal_coverage": score} for index, score in enumerate([0.2, 0.3, None])]
        >>> result = entailer_correlation([{"roberta": one, "deberta": other}])
        >>> result["rho"], result["n_samples"], result["n_skipped"]
        (1.0, 2, 1)
    """
    settings = settings or EntailerSettings(module="entailers")
    columns: tuple[list[Any], list[Any]] = ([], [])
    for runs in pairs:
        check_paired(settings.module, **runs)
        for column, run in zip(columns, runs.items(), strict=True):
            column += record_entries(settings.module, *run, "equal_coverage")
    return _correlation(columns, settings)


def _parity_correlation(pairs: Sequence[Mapping[str, Sequence[Record]]], settings: EntailerSettings) -> dict[str, Any]:
    """The correlation of CP over systems, of the same pairs."""
    parities = ([parity_of(settings.module, *run) for run in runs.items()] for runs in pairs)
    return _correlation(list(zip(*parities, strict=True)), settings)


def _correlation(columns: Sequence[Sequence[float | None]], settings: EntailerSettings) -> dict[str, Any]:
    return rank_correlation(
        *columns, n_permutations=settings.n_permutations, seed=settings.seed, module=settings.module
    )


def compute(samples: Mapping[str, Sequence[Record]], *, settings: EntailerSettings) -> dict[str, Any]:
    """Spearman's rho of each pair of entailers on each data set: of EC over samples, of CP over systems."""
    runs: dict[str, dict[tuple[str, str], str]] = {}
    for name in samples:
        entailer, _, rest = name.partition("/")
        system, _, data_set = rest.rpartition("/")
        runs.setdefault(entailer, {})[data_set, system] = name
    if len(runs) < 2:
        raise InputError(f"{settings.module}: needs runs with at least two entailers, found {', '.join(runs)}")
    found: dict[str, Any] = {"equal_coverage": [], "coverage_parity": [], "undefined": {}}
    for data_set in dict.fromkeys(key[0] for of_entailer in runs.values() for key in of_entailer):
        for one, other in combinations(runs, 2):
            shared = [key for key in runs[one] if key[0] == data_set and key in runs[other]]
            if not shared:
                continue
            pairs = [{name: samples[name] for name in (runs[one][key], runs[other][key])} for key in shared]
            compared = {"equal_coverage": entailer_correlation(pairs, settings)}
            if any(system for _, system in shared):
                compared["coverage_parity"] = _parity_correlation(pairs, settings)
            for measure, result in compared.items():
                if "undefined" in result:
                    found["undefined"][place_of(f"{measure} of {one} and {other}", data_set)] = result["undefined"]
                told = {"data_set": data_set, "entailers": [one, other], "systems": [system for _, system in shared]}
                found[measure].append({**told, **result})
    return found


def parts(result: dict[str, Any]) -> list[Part]:
    """The paper's table 2, a table a measure: a row a data set, a column a pair of entailers."""
    from fairsum_utils.reports.tables import Table, short_name

    made: list[Part] = []
    for measure, over in (("equal_coverage", "samples"), ("coverage_parity", "systems")):
        pairs: dict[str, dict[str, Any]] = {}
        for each in result[measure]:
            row = pairs.setdefault(" and ".join(each["entailers"]), {})
            row[each["data_set"]] = starred(each["rho"], each["p_value"])
        data_sets = dict.fromkeys(each["data_set"] for each in result[measure])
        rows = [[data_set or "all", *(row.get(data_set) for row in pairs.values())] for data_set in data_sets]
        title = f"Spearman's rho of {short_name(measure)} over {over} (* p < {SIGNIFICANT})"
        if rows:
            made.append(Table(["data set", *pairs], rows, title=title))
    return made


STUDY = Study(
    paper="coverage",
    source="section 5.3, table 2",
    help="do two entailers put the same summaries in the same order of fairness?",
    inputs=(
        Input(
            "samples",
            "records of equal_coverage, as ENTAILER, ENTAILER/DATA_SET or ENTAILER/SYSTEM/DATA_SET",
            "samples",
            systems=True,
            families={"": "coverage"},
        ),
    ),
    settings=EntailerSettings,
    compute=compute,
    parts=parts,
    choices=(
        "the p-value is that of random orders, and never 0",
        "of Equal Coverage the samples of all systems are put in one order, of Coverage Parity the systems",
    ),
    examples=(
        "fairsum study entailers roberta.parquet deberta.parquet",
        "fairsum study entailers roberta/amazon=a.parquet deberta/amazon=b.parquet albert/amazon=c.parquet",
        "fairsum study entailers roberta/gpt4/amazon=a.parquet roberta/llama/amazon=b.parquet "
        "deberta/gpt4/amazon=c.parquet deberta/llama/amazon=d.parquet",
    ),
)
