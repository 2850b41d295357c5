"""What BOLD prints."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from fairsum_reproductions.bold._printed import PRINTED, RACE_PROMPTS, REGARD_PROMPTS, table_3
from fairsum_reproductions.reproduction.item import Item, Outcome, Verdict, percent

_FILES = {
    domain: (f"bold/prompts/{domain}_prompt.json", f"bold/wikipedia/{domain}_wiki.json")
    for domain in PRINTED["table_1"]
}
"""Domain -> its files of prompts and of sentences."""
_COMMAND = "fairsum study professions p.jsonl, of fairsum data build bold --config profession --output p.jsonl"
_METHODS = {"unigram": "unigram matching", "wavg": "Gender-Wavg", "max": "Gender-Max"}
_NEAR = 8
"""Texts by which a count of Wikipedia's may differ and be near: about one in twenty of the largest."""


def _counts(folder: Path, domain: str) -> dict[str, int]:
    """Group -> prompts."""
    groups = json.loads((folder / _FILES[domain][0]).read_text(encoding="utf-8"))
    return {group: sum(map(len, pages.values())) for group, pages in groups.items()}


def _table_1(folder: Path) -> Outcome:
    found = {domain: _counts(folder, domain) for domain in PRINTED["table_1"]}
    counts = {domain: [len(groups), sum(groups.values())] for domain, groups in found.items()}
    n, prompts = map(sum, zip(*counts.values(), strict=True))
    return Outcome(f"{prompts:,} prompts, {n} groups", "equal" if counts == PRINTED["table_1"] else "differs")


def _totals(folder: Path) -> Outcome:
    found = {domain: _counts(folder, domain) for domain in PRINTED["totals"]}
    pairs = [
        (found[domain].get(group), n) for domain, groups in PRINTED["totals"].items() for group, n in groups.items()
    ]
    equal = sum(here == there for here, there in pairs)
    return Outcome(f"{equal} of {len(pairs)} equal", "equal" if equal == len(pairs) else "differs")


def _merged(folder: Path) -> Outcome:
    from fairsum_utils.corpora.bold import MERGED_PROFESSIONS

    counts = _counts(folder, "profession")
    found = {name: sum(counts[group] for group in groups) for name, groups in MERGED_PROFESSIONS.items()}
    there = {group: row.total for group, row in table_3()["WIKI"].items()}
    told = ", ".join(f"{n:,}" for n in found.values())
    return Outcome(f"{told}, if sewing counts as industrial", "equal" if found == there else "differs")


@lru_cache(maxsize=1)
def _wikipedia(folder: Path) -> dict[str, Any]:
    """The study of table 3 on the texts of Wikipedia."""
    from fairsum_reproductions.bold.professions import ProfessionSettings, compute
    from fairsum_utils.corpora.bold import domain_rows

    rows: list[Any] = list(domain_rows("profession", *(folder / path for path in _FILES["profession"])))
    return compute(
        {"WIKI": [{key: row[key] for key in ("text", "group", "name")} for row in rows]},
        settings=ProfessionSettings(module="professions"),
    )


def _gendered(method: str, known: Verdict) -> Item:
    """Texts of Wikipedia that are male and female by a metric."""
    there = {group: getattr(row, method) for group, row in table_3()["WIKI"].items()}

    def compute(folder: Path) -> Outcome:
        from fairsum_reproductions.bold.professions import parts

        found = _wikipedia(folder)
        rows = found["groups"]["WIKI"][method]
        pairs = [
            (rows[group][f"n_{gender}"], getattr(cell, gender))
            for group, cell in there.items()
            for gender in ("male", "female")
        ]
        off = max(abs(here - printed_) for here, printed_ in pairs)
        equal = sum(here == printed_ for here, printed_ in pairs)
        told = ", ".join(f"{rows[group]['n_male']}/{rows[group]['n_female']}" for group in there)
        verdict: Verdict = "equal" if not off else "near" if off <= _NEAR else "differs"
        reason = "" if not off else f"; {equal} of {len(pairs)} equal, at most {off} off"
        return Outcome(told + reason, verdict, parts(found) if method == "unigram" else ())

    return Item(
        f"male/female texts of Wikipedia on professions, {_METHODS[method]}",
        "table 3",
        ", ".join(f"{cell.male}/{cell.female}" for cell in there.values()),
        compute,
        _FILES["profession"],
        _COMMAND,
        known,
    )


def _ratios(_: Path) -> Outcome:
    cells = [cell for rows in table_3().values() for row in rows.values() for cell in row[1:]]
    # Cut after two digits: in whole numbers, for 4.6 is a little less than that as a float.
    equal = sum(f"{(cut := 100 * cell.male // cell.female) // 100}.{cut % 100:02}" == cell.ratio for cell in cells)
    return Outcome(
        f"{equal} of {len(cells)} equal, cut after two digits", "equal" if equal == len(cells) else "differs"
    )


def _classified(_: Path) -> Outcome:
    rows = [row for groups in table_3().values() for row in groups.values()]
    share = sum(row.max.male + row.max.female for row in rows) / sum(row.total for row in rows)
    is_equal = round(share, 4) == PRINTED["classified"]
    return Outcome(f"{percent(share)}, by Gender-Max", "equal" if is_equal else "differs")


def _mean_ratios(_: Path) -> Outcome:
    from fairsum_reproductions.bold.professions import mean_ratio

    found = {
        system: mean_ratio([row.max.male for row in rows.values()], [row.max.female for row in rows.values()])
        for system, rows in table_3().items()
    }
    off = max(abs(found[system] - mean) for system, mean in PRINTED["mean_ratios"].items())
    told = ", ".join(f"{mean:.2f}" for mean in found.values())
    exact = all(round(found[system], 2) == mean for system, mean in PRINTED["mean_ratios"].items())
    return Outcome(
        f"{told}, by Gender-Max, from uncut ratios", "equal" if exact else "near" if off < 0.011 else "differs"
    )


def _tested(
    shares: Sequence[float], prompts: Sequence[int], n_systems: int = PRINTED["n_systems"]
) -> tuple[str, float, float]:
    """Test, statistic and p of the counts that shares were computed from."""
    from fairsum_utils.stats.tests import chi_square_test, z_test

    sizes = [n * n_systems for n in prompts]
    counts = [round(share * size) for share, size in zip(shares, sizes, strict=True)]
    found = z_test(counts, sizes) if len(sizes) == 2 else chi_square_test(counts, sizes)
    return ("z" if len(sizes) == 2 else "chi-square"), found.statistic, found.p_value


def _told(test: tuple[str, float, float]) -> str:
    name, statistic, p = test
    return f"{name} {statistic:.2f}, p {'< .0001' if p < 0.0001 else f'= {p:.3f}'.replace('0.', '.', 1)}"


def _positive_by_gender(_: Path) -> Outcome:
    test = _tested(PRINTED["positive_by_gender"]["shares"], PRINTED["gender_prompts"])
    return Outcome(_told(test), "equal" if round(test[2], 3) == PRINTED["positive_by_gender"]["p"] else "differs")


def _below(figure: str, prompts: Sequence[int]) -> Outcome:
    test = _tested(PRINTED[figure]["shares"], prompts)
    return Outcome(_told(test), "equal" if test[2] < PRINTED[figure]["p_below"] else "differs")


def _regard(_: Path) -> Outcome:
    sizes = [sum(REGARD_PROMPTS)] * len(PRINTED["positive_regard"]["shares"])
    texts = [
        sum(share * n for share, n in zip(shares, REGARD_PROMPTS, strict=True))
        for shares in PRINTED["positive_regard"]["shares"].values()
    ]
    test = _tested([n / size for n, size in zip(texts, sizes, strict=True)], sizes, n_systems=1)
    assert math.isfinite(test[2])
    return Outcome(_told(test), "equal" if test[2] < PRINTED["positive_regard"]["p_below"] else "differs")


ITEMS: tuple[Item, ...] = (
    Item(
        "prompts and groups of the five domains",
        "table 1",
        "{1:,} prompts, {0} groups".format(*map(sum, zip(*PRINTED["table_1"].values(), strict=True))),
        _table_1,
        tuple(prompts for prompts, _ in _FILES.values()),
        "fairsum data build bold --config all --data-dir DIR/bold --output all.jsonl",
    ),
    Item(
        "texts of four races and twelve ideologies",
        "tables 9 to 11",
        "16 totals",
        _totals,
        tuple(_FILES[domain][0] for domain in PRINTED["totals"]),
    ),
    Item(
        "texts of four merged professions",
        "table 3",
        ", ".join(f"{row.total:,}" for row in table_3()["WIKI"].values()),
        _merged,
        _FILES["profession"][:1],
    ),
    _gendered("unigram", "equal"),
    _gendered("wavg", "near"),
    _gendered("max", "near"),
    Item("male : female of all systems, from the counts beside them", "table 3", "72 ratios", _ratios),
    Item("texts on professions that are male or female", "section 6.1.1", percent(PRINTED["classified"]), _classified),
    Item(
        "mean of male : female over professions",
        "section 6.2",
        ", ".join(map(str, PRINTED["mean_ratios"].values())),
        _mean_ratios,
        command="fairsum study professions WIKI=p.jsonl GPT-2=gpt2.jsonl",
        known="near",
    ),
    Item(
        "positive sentiment of men and women, from the shares",
        "section 6.1.2",
        f"p = {PRINTED['positive_by_gender']['p']}",
        _positive_by_gender,
        command="fairsum study label_shares WIKI=wiki.json GPT-2=gpt2.json",
    ),
    Item(
        "negative sentiment of men and women, from the shares",
        "section 6.1.2",
        f"p < {PRINTED['negative_by_gender']['p_below']}",
        lambda _: _below("negative_by_gender", PRINTED["gender_prompts"]),
    ),
    Item(
        "negative sentiment by race, from the shares",
        "section 6.1.3",
        f"p < {PRINTED['negative_by_race']['p_below']}",
        lambda _: _below("negative_by_race", RACE_PROMPTS),
    ),
    Item(
        "toxicity by race, from the shares",
        "section 6.1.3",
        f"p < {PRINTED['toxic_by_race']['p_below']}",
        lambda _: _below("toxic_by_race", RACE_PROMPTS),
        known="differs",
    ),
    Item(
        "positive regard of four systems, from table 5",
        "section 6.2",
        f"p < {PRINTED['positive_regard']['p_below']}",
        _regard,
    ),
    Item(
        "shares of sentiment, toxicity, regard and emotions; counts of other systems",
        "tables 3 to 6 and 9 to 11, figures 1 to 5",
        "printed",
        needs=(
            "texts of BERT, GPT-2 and CTRL; `fairsum generate` makes others, `fairsum study` their tables and figures: "
            "professions, label_shares, label_differences, domain_table, continuations",
        ),
        known="not reproduced",
    ),
    Item(
        "agreement of the measures with people",
        "section 6.3, table 8, figure 6",
        "printed",
        needs=("the labels of the crowd workers and their texts; then `fairsum agree`",),
        known="not reproduced",
    ),
)
