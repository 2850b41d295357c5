"""Numbers that BOLD prints, see `bold.toml`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from fairsum_reproductions.bold._printed import PRINTED, RACE_PROMPTS, REGARD_PROMPTS, table_3
from fairsum_reproductions.reproduction.item import Below, Number, Outcome, n_equal, percent
from fairsum_utils.stats.arrays import exact_mean

# Share of a group's texts by which a count of Wikipedia's may differ and be near.
_NEAR = 0.01
# Distance of two means of ratios, each of which is cut after two digits, as are the ratios.
_CUT = 0.02


def _counts(folder: Path, domain: str) -> dict[str, int]:
    """Count the prompts of each group."""
    groups = json.loads((folder / f"bold/prompts/{domain}_prompt.json").read_text(encoding="utf-8"))
    return {group: sum(map(len, pages.values())) for group, pages in groups.items()}


def table_1(folder: Path) -> Outcome:
    """Count prompts and groups by domain."""
    found = {domain: _counts(folder, domain) for domain in PRINTED["table_1"]}
    groups = {domain: len(of_domain) for domain, of_domain in found.items()}
    prompts = {domain: sum(of_domain.values()) for domain, of_domain in found.items()}
    numbers = [Number(groups[domain], n) for domain, (n, _) in PRINTED["table_1"].items()]
    numbers += [Number(prompts[domain], n) for domain, (_, n) in PRINTED["table_1"].items()]
    return Outcome(f"{sum(prompts.values()):,} prompts, {sum(groups.values())} groups", numbers)


def totals(folder: Path) -> Outcome:
    """Count texts by race and ideology."""
    numbers = []
    for domain, printed in PRINTED["totals"].items():
        counts = _counts(folder, domain)
        numbers += [Number(counts.get(group, 0), n) for group, n in printed.items()]
    return Outcome(f"{n_equal(numbers)} of {len(numbers)} equal", numbers)


def merged(folder: Path) -> Outcome:
    """Count texts of the merged professions."""
    from fairsum_utils.corpora.bold import MERGED_PROFESSIONS

    counts = _counts(folder, "profession")
    found = {name: sum(counts[group] for group in groups) for name, groups in MERGED_PROFESSIONS.items()}
    numbers = [Number(found[name], row.total) for name, row in table_3()["WIKI"].items()]
    return Outcome(", ".join(f"{n:,}" for n in found.values()) + ", with sewing as industrial", numbers)


@lru_cache(maxsize=1)
def _wikipedia(folder: Path) -> dict[str, Any]:
    """Run the study of table 3 on the texts of Wikipedia."""
    from fairsum_reproductions.bold.professions import ProfessionSettings, compute
    from fairsum_utils.corpora.bold import domain_rows

    paths = ("bold/prompts/profession_prompt.json", "bold/wikipedia/profession_wiki.json")
    rows: list[Any] = list(domain_rows("profession", *(folder / path for path in paths)))
    return compute(
        {"WIKI": [{key: row[key] for key in ("text", "group", "name")} for row in rows]},
        settings=ProfessionSettings.make({}, module="professions"),
    )


def gendered(folder: Path, of: str) -> Outcome:
    """Count Wikipedia texts that are male or female by a method."""
    from fairsum_reproductions.bold.professions import parts

    found = _wikipedia(folder)
    rows = found["groups"]["WIKI"][of]
    numbers = [
        Number(rows[group][f"n_{gender}"], getattr(getattr(row, of), gender), _NEAR * row.total)
        for group, row in table_3()["WIKI"].items()
        for gender in ("male", "female")
    ]
    n, off = n_equal(numbers), max(abs(number.got - number.printed) for number in numbers)
    words = ", ".join(f"{row['n_male']}/{row['n_female']}" for row in rows.values())
    words += f"; {n} of {len(numbers)} equal, at most {off} off" if off else ""
    most_are_equal = Number(n, len(numbers), len(numbers) / 2)
    return Outcome(words, [*numbers, most_are_equal], parts(found) if of == "unigram" else ())


def mean_ratio_of_wikipedia(folder: Path) -> Outcome:
    """Mean of male : female over the professions, from the texts."""
    mean = _wikipedia(folder)["mean_male_to_female"]["WIKI"]["max"]
    return Outcome(f"{mean:.2f}, from counts that differ", [Number(mean, PRINTED["mean_ratios"]["WIKI"], _CUT)])


def ratios(_: Path) -> Outcome:
    """Compute male : female ratios of all systems from the printed counts."""
    cells = [cell for rows in table_3().values() for row in rows.values() for cell in row[1:]]
    # Cut after two digits: in whole numbers, for 4.6 is a little less than that as a float.
    numbers = [Number(100 * cell.male // cell.female, int(cell.ratio.replace(".", ""))) for cell in cells]
    return Outcome(f"{n_equal(numbers)} of {len(cells)} equal, cut after two digits", numbers)


def classified(_: Path) -> Outcome:
    """Count texts on professions that are male or female."""
    rows = [row for groups in table_3().values() for row in groups.values()]
    share = sum(row.max.male + row.max.female for row in rows) / sum(row.total for row in rows)
    return Outcome(f"{percent(share)}, by Gender-Max", [Number(share, PRINTED["classified"])])


def mean_ratios(_: Path) -> Outcome:
    """Mean of male : female over the professions, from the printed counts."""
    found = {
        system: exact_mean([row.max.male / row.max.female for row in rows.values()])
        for system, rows in table_3().items()
    }
    words = ", ".join(f"{mean:.2f}" for mean in found.values())
    numbers = [Number(found[system], mean, _CUT) for system, mean in PRINTED["mean_ratios"].items()]
    return Outcome(f"{words}, by Gender-Max, from uncut ratios", numbers)


def _tested(shares: Sequence[float], prompts: Sequence[int], n_systems: int) -> tuple[str, float]:
    """Test the counts that shares were computed from: in words, and p."""
    from fairsum_utils.stats.tests import chi_square_test, z_test

    sizes = [n * n_systems for n in prompts]
    counts = [round(share * size) for share, size in zip(shares, sizes, strict=True)]
    name, test = ("z", z_test) if len(sizes) == 2 else ("chi-square", chi_square_test)
    found = test(counts, sizes)
    p = "< .0001" if found.p_value < 0.0001 else f"= {found.p_value:.3f}".replace("0.", ".", 1)
    return f"{name} {found.statistic:.2f}, p {p}", found.p_value


def shares(_: Path, of: str) -> Outcome:
    """Test shares of all systems' texts by gender or race."""
    printed = PRINTED[of]
    prompts = PRINTED["gender_prompts"] if of.endswith("gender") else RACE_PROMPTS
    words, p = _tested(printed["shares"], prompts, PRINTED["n_systems"])
    return Outcome(words, [Number(p, printed["p"]) if "p" in printed else Below(p, printed["p_below"])])


def regard(_: Path) -> Outcome:
    """Test of the positive regard of systems."""
    printed, size = PRINTED["positive_regard"], sum(REGARD_PROMPTS)
    texts = [
        sum(share * n for share, n in zip(shares, REGARD_PROMPTS, strict=True)) for shares in printed["shares"].values()
    ]
    words, p = _tested([n / size for n in texts], [size] * len(texts), n_systems=1)
    return Outcome(words, [Below(p, printed["p_below"])])
