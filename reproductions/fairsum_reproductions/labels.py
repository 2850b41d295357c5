"""Shares of labels by group, for studies of labelled texts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

from fairsum_reproductions.contract import Input
from fairsum_reproductions.label_tables import domain_table, shares_by_system
from fairsum_utils.errors import InputError
from fairsum_utils.measures import get_measure, measures_of
from fairsum_utils.reports.panels import Drawing
from fairsum_utils.reports.tables import Marked
from fairsum_utils.settings import Checked, Settings, setting
from fairsum_utils.stats.tests import compare_labels
from fairsum_utils.validation import check_choice, describe, did_you_mean

# The input of studies of results.
LABEL_RESULTS = Input("results", "results of a labelled-text measure for each system", "results", systems=True)

# Further numbers of a group where labels are genders.
RATIOS = ("male_to_female", "male_minus_female")

_PROFESSIONS = "professions"
_MEASURES = measures_of("polarity")


def _read_names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _check_names(module: str, name: str, value: object) -> list[str]:
    names = _read_names(value) if isinstance(value, str) else value
    if not isinstance(names, (list, tuple)) or not names or not all(isinstance(each, str) for each in names):
        raise InputError(f"{module}: {name} must be a list of names, found {describe(value)}")
    return list(names)


Names = Annotated[str | Sequence[str], Checked(_check_names)]
"""Names, or names separated by commas."""


def _check_measure(module: str, name: str, measure: Any) -> str:
    return check_choice(module, name, measure, _MEASURES)


def _check_merge(module: str, name: str, value: object) -> Any:
    if isinstance(value, Mapping) or value == _PROFESSIONS:
        return value
    parts = [part.partition("=") for part in str(value).split(";") if part.strip()]
    merged = {merged.strip(): _read_names(groups) for merged, _, groups in parts}
    if not isinstance(value, str) or not merged or not all(merged.values()) or "" in merged:
        raise InputError(
            f"{module}: {name} must be {_PROFESSIONS}, or merged groups, as in 'arts=dance,theatre;"
            f"health=nursing', found {describe(value)}"
        )
    return merged


class LabelSettings(Settings):
    """Measure, groups and labels.

    Example:
        >>> LabelSettings(merge="arts = dance, film; health = nursing").merge
        {'arts': ['dance', 'film'], 'health': ['nursing']}
    """

    measure: Annotated[str, Checked(_check_measure, _MEASURES)] | None = setting(
        None, "measure in the results; None: the only one", key="measure"
    )
    merge: Annotated[str | Mapping[str, Sequence[str]], Checked(_check_merge)] | None = setting(
        None,
        "groups to merge: professions for BOLD's four merged professions, or NAME=GROUP,GROUP;NAME=GROUP; "
        "others are left out",
        key="merge",
    )
    labels: Names | None = setting(None, "labels to show, as in positive,negative; None: all", key="labels")
    groups: Names | None = setting(None, "groups to show, in this order; None: all", key="groups")


def professions(groups: Iterable[str]) -> dict[str, list[str]]:
    """Find the merged professions of BOLD among some groups.

    Example:
        >>> professions(["dance_occupations", "corporate_titles"])
        {'arts & entertainment': ['dance_occupations']}
    """
    from fairsum_utils.corpora.bold import MERGED_PROFESSIONS

    there = set(groups)
    merged = {name: [group for group in of_name if group in there] for name, of_name in MERGED_PROFESSIONS.items()}
    return {name: of_name for name, of_name in merged.items() if of_name}


def label_shares_of(systems: Mapping[str, Mapping[str, Mapping[str, Any]]], settings: LabelSettings) -> dict[str, Any]:
    """Count the texts of each group with each label, in several systems.

    The systems have, by group, ``n``, ``counts`` and ``shares`` by label and, where labels are genders, the `RATIOS`.
    """
    module = settings.module
    found = {system: _result_of(module, system, results, settings.measure) for system, results in systems.items()}
    measures = {system: measure for system, (measure, _) in found.items()}
    if len(set(measures.values())) > 1:
        listed = ", ".join(f"{system} of {measure}" for system, measure in measures.items())
        raise InputError(f"{module}: all results must have the same measure, found {listed}")
    tables = {
        system: domain_table(result, _merge(module, system, result, settings.merge), module=f"{module}: {system}")
        for system, (_, result) in found.items()
    }
    known = dict.fromkeys(label for _, result in found.values() for label in result["proportions"])
    labels = chosen_names(module, "label", settings.labels, known)
    for system, (_, result) in found.items():
        if absent := [label for label in labels if label not in result["proportions"]]:
            raise InputError(
                f"{module}: {system} has no label {_listed(absent)}; set labels to labels that all systems have"
            )
    groups = chosen_names(
        module, "group", settings.groups, (row["group"] for table in tables.values() for row in table)
    )
    shares = {
        system: {row["group"]: _shares(row, labels) for row in table if row["group"] in groups}
        for system, table in tables.items()
    }
    return {
        "measure": next(iter(measures.values())),
        "labels": labels,
        "groups": groups,
        "systems": shares,
        "undefined": {
            f"male_to_female of {group}, {system}": "no text on women"
            for system, of_system in shares.items()
            for group, row in of_system.items()
            if math.isnan(row.get(RATIOS[0], 0.0))
        },
    }


def _result_of(
    module: str, system: str, results: Mapping[str, Mapping[str, Any]], measure: str | None
) -> tuple[str, Mapping[str, Any]]:
    """Find the measure of labelled texts and its result."""
    wanted = _MEASURES if measure is None else (measure,)
    there = {
        label: name
        for label, result in results.items()
        for name in wanted
        if name in result and "counts_by_group" in result
    }
    if len(there) != 1:
        what = measure or "a labelled-text measure"
        raise InputError(
            f"{module}: {system} must have one result of {what}, found {_listed(there or results) or 'none'}"
            + ("; choose one with measure" if there else "")
        )
    [(label, name)] = there.items()
    return name, results[label]


def _merge(module: str, system: str, result: Mapping[str, Any], merge: Any) -> Any:
    """Map merged groups to those that exist."""
    if merge != _PROFESSIONS:
        return merge
    merged = professions(result["n_by_group"])
    if result["n_by_group"] and not merged:
        groups = _listed(result["n_by_group"])
        raise InputError(f"{module}: {system}: no group is a profession of BOLD, found {groups}; leave merge out")
    return merged or None


def _shares(row: Mapping[str, Any], labels: Sequence[str]) -> dict[str, Any]:
    return {
        "n": row["n"],
        "counts": {label: row[f"n_{label}"] for label in labels},
        "shares": {label: row[label] for label in labels},
        **{key: row[key] for key in RATIOS if key in row},
    }


def chosen_names(module: str, what: str, wanted: Any, known: Iterable[str]) -> list[str]:
    """Check the wanted names; all known ones if none are wanted.

    Example:
        >>> chosen_names("label_shares", "group", ["b"], ["a", "b"])
        ['b']
    """
    names = list(dict.fromkeys(known))
    for name in wanted or ():
        if name not in names:
            guess = did_you_mean(name, names) or f"; there are {_listed(names)}"
            raise InputError(f"{module}: unknown {what} {name!r}{guess}")
    return list(wanted or names)


def percents(numbers: Sequence[float | None]) -> list[Any]:
    """Print shares in percent, the largest of several marked; None stays.

    Example:
        >>> [str(cell) for cell in percents([0.25, 0.5])]
        ['25.00', '50.00*']
    """
    known = [number for number in numbers if number is not None and not math.isnan(number)]
    most = max(known) if len(known) > 1 and max(known) > min(known) else math.inf
    return [None if number is None else Marked(100 * number, "*" if number == most else "", 2) for number in numbers]


def label_tests(counts: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Test each label for equal frequency: z, chi2 or fisher.

    P-values are corrected by Holm over the labels; ``undefined`` where there is no test. Empty for only one name.

    Source: Dhamala et al. 2021, sections 6.1.2, 6.1.3 and 6.2.

    Example:
        >>> counts = {"men": {"n": 100, "counts": {"toxic": 30}}, "women": {"n": 100, "counts": {"toxic": 20}}}
        >>> test = label_tests(counts)["toxic"]
        >>> test["test"], round(test["p_value"], 4)
        ('z', 0.1025)
    """
    by_name = {name: each["counts"] for name, each in counts.items()}
    return compare_labels(by_name, {name: each["n"] for name, each in counts.items()})


def drawn_shares(result: dict[str, Any]) -> Drawing:
    """Draw figures 3 to 5: shares of labels by group and system."""
    title = get_measure(result["measure"]).title
    return Drawing(title, shares_by_system(result["labels"], result["groups"], result["systems"]))


def _listed(names: Iterable[str]) -> str:
    shown = list(names)
    return ", ".join(shown[:20]) + (f" and {len(shown) - 20} more" if len(shown) > 20 else "")
