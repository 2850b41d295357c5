"""Do texts on professions speak of men more often than of women?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsum_reproductions.contract import Study
from fairsum_reproductions.labels import professions
from fairsum_reproductions.texts import continued_texts, texts_input
from fairsum_utils.errors import InputError
from fairsum_utils.families.settings import Settings, setting

if TYPE_CHECKING:
    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.tables import Part

_METHODS = {"max": "Gender-Max", "wavg": "Gender-Wavg", "unigram": "Unigram"}
"""Method -> what table 3 calls it, in its order."""


class ProfessionSettings(Settings):
    """How texts are read, and which professions are one."""

    merge: bool = setting(
        True,
        "merge BOLD's professions to the four groups of the paper's table 3; False: groups as they are",
        key="merged",
        flag="as-they-are",
        const=False,
        flag_help="groups as they are, instead of the four merged ones of the paper's table 3",
    )
    mask: bool = setting(
        True,
        "replace what a prompt is about by XYZ, where rows have its name",
        key="masked",
        flag="unmasked",
        const=False,
        flag_help="leave what a prompt is about in the texts, instead of XYZ",
    )


def mean_ratio(n_male: Sequence[int], n_female: Sequence[int]) -> float:
    """The mean of male : female over groups, each of which counts alike.

    Args:
        n_male: texts of each group that are male, at least one group.
        n_female: texts of each group that are female.

    Returns:
        At least 0; above 1 where texts are male more often. NaN if a group has no female text.

    Source: papers/bold, section 6.2, over the four groups of table 3 by Gender-Max: 2.29 for Wikipedia.

    Example:
        >>> mean_ratio([3, 1], [2, 4])
        0.875
    """
    from fairsum_utils.stats.arrays import exact_mean

    return exact_mean([male / female if female else math.nan for male, female in zip(n_male, n_female, strict=True)])


def compute(texts: Mapping[str, Sequence[Mapping[str, Any]]], *, settings: ProfessionSettings) -> dict[str, Any]:
    """System -> method -> group -> counts of male and female texts; their mean ratio; and the groups before merging."""
    found = continued_texts(settings.module, texts)
    by_group = {system: _labelled(settings, system, rows) for system, rows in found.items()}
    merged = by_group
    if settings.merge:
        merged = {system: _merged(settings, system, methods) for system, methods in by_group.items()}
    means: dict[str, Any] = {}
    undefined: dict[str, str] = {}
    for system, methods in merged.items():
        for method, rows in methods.items():
            means.setdefault(system, {})[method] = mean_ratio(
                [row["n_male"] for row in rows.values()], [row["n_female"] for row in rows.values()]
            )
            if without := [group for group, row in rows.items() if not row["n_female"]]:
                undefined[f"{_METHODS[method]} of {system}"] = f"no text on women in {', '.join(without)}"
    return {
        "groups": merged,
        "mean_male_to_female": means,
        "fine": {system: methods["max"] for system, methods in by_group.items()},
        "n_samples": {system: len(rows) for system, rows in found.items()},
        "masked": settings.mask and any("name" in rows[0] for rows in texts.values()),
        "undefined": undefined,
    }


_ROW = ("n", "n_male", "n_female", "male_to_female", "male_minus_female")


def _labelled(
    settings: ProfessionSettings, system: str, rows: Sequence[tuple[str, Mapping[str, Any]]]
) -> dict[str, dict[str, Any]]:
    """Method -> group -> how many of its texts are male and female."""
    from fairsum_utils.corpora.anonymize import anonymize_text
    from fairsum_utils.families.polarity.results import domain_table
    from fairsum_utils.session import Request, Session

    def read(text: str, row: Mapping[str, Any]) -> str:
        return anonymize_text(text, row["name"]) if settings.mask and row.get("name") else text

    requests = [
        Request("gender_polarity", label=method, settings={"method": method, "confidence_level": None})
        for method in _METHODS
    ]
    session = Session(requests, module=f"{settings.module}: {system}")
    session.add({"predictions": [read(text, row) for text, row in rows], "groups": [row["group"] for _, row in rows]})
    results = session.results()
    return {
        method: {row["group"]: {key: row[key] for key in _ROW} for row in domain_table(results[method])}
        for method in _METHODS
    }


def _merged(settings: ProfessionSettings, system: str, methods: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    found = {}
    for method, rows in methods.items():
        merge = professions(rows)
        if not merge:
            raise InputError(
                f"{settings.module}: no group of {system} is a profession of BOLD, found {', '.join([*rows][:20])}; "
                "for other groups set merge=False (--as-they-are)"
            )
        found[method] = {name: _sum([rows[group] for group in groups]) for name, groups in merge.items()}
    return found


def _sum(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    n, male, female = (sum(row[key] for row in rows) for key in _ROW[:3])
    ratio = male / female if female else math.nan
    return dict(zip(_ROW, (n, male, female, ratio, (male - female) / n), strict=True))


def parts(result: dict[str, Any]) -> list[Part]:
    """Table 3, and the means of section 6.2."""
    from fairsum_utils.reports.tables import Marked, Table

    systems = result["groups"]
    rows: list[list[Any]] = []
    for group in dict.fromkeys(group for methods in systems.values() for group in methods["max"]):
        for system, methods in systems.items():
            if group not in methods["max"]:
                continue
            row: list[Any] = [group, system, methods["max"][group]["n"]]
            for method in _METHODS:
                counts = methods[method][group]
                more = "*" if counts["n_female"] > counts["n_male"] else ""
                row += [counts["n_male"], counts["n_female"], Marked(counts["male_to_female"], more, 2)]
            rows.append(row)
    header = ["group", "model", "total"]
    for name in _METHODS.values():
        header += [f"{name} male", f"{name} female", f"{name} ratio"]
    means = [
        [system, *(Marked(of_system[method], digits=2) for method in _METHODS)]
        for system, of_system in result["mean_male_to_female"].items()
    ]
    return [
        Table(header, rows, title="Texts on men and on women, and male : female (* more on women)", n_texts=2),
        Table(["model", *_METHODS.values()], means, title="Mean of male : female over the groups"),
    ]


def drawing(result: dict[str, Any]) -> Drawing:
    """Figure 2: professions as they are, and for each system the share of male minus that of female texts."""
    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.drawings.grouped import Grouped
    from fairsum_utils.reports.drawings.legend import Group, told_apart

    systems = result["fine"]
    groups = sorted({group for rows in systems.values() for group in rows})
    bars = [
        Group(
            group.replace("_", " "),
            [rows[group]["male_minus_female"] if group in rows else math.nan for rows in systems.values()],
            f"n = {max(rows[group]['n'] for rows in systems.values() if group in rows)}",
        )
        for group in groups
    ]
    axis = "Fraction of texts on men minus that on women, by Gender-Max; right of 0: more on men"
    panel = Grouped("Male minus female, by profession", told_apart([*systems]), bars, axis, even=True)
    return Drawing("Texts on men and on women", [panel])


STUDY = Study(
    paper="bold",
    source="sections 6.1.1 and 6.2, table 3 and figure 2",
    help="do texts on professions speak of men more often than of women?",
    inputs=(
        texts_input({"group": "profession that the prompt is on"}, {"name": "page of Wikipedia that the prompt is on"}),
    ),
    settings=ProfessionSettings,
    compute=compute,
    parts=parts,
    drawing=drawing,
    choices=(
        "sewing is industrial & manufacturing, as the paper's totals need; corporate titles and drivers are left out",
        "the page's name is replaced by XYZ before words are counted, where rows have it",
        "the mean ratio is of the merged groups, by each of the three metrics; the paper's is by Gender-Max, of ratios "
        "cut to two digits",
        "of words that are equally polar the first one is Gender-Max's",
    ),
    examples=(
        "fairsum study professions prompts.jsonl",
        "fairsum study professions GPT-2=gpt2.jsonl BERT=bert.jsonl --format latex --plot figure2.svg",
    ),
)
