"""Summaries biased by design against summaries balanced by design."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from fairsum_reproductions.contract import Input, Intervals
from fairsum_reproductions.layout import bars, level_of, number_cells
from fairsum_reproductions.records import mean_difference
from fairsum_reproductions.shares import MEASURES, Shares, check_rows, data_set_scores, read_shares, sample_scores
from fairsum_utils.measures import get_measure
from fairsum_utils.measures._representation import RepresentationMeasure
from fairsum_utils.measures.auc import AUC
from fairsum_utils.measures.bur import BUR
from fairsum_utils.measures.equal_coverage import TOLERANCE
from fairsum_utils.reports.panels import Drawing, Mark, Points, Row
from fairsum_utils.reports.tables import Part, Table, number
from fairsum_utils.reports.wording import short_name
from fairsum_utils.settings import Count, Draws, Fraction, Level, override, setting
from fairsum_utils.signature import render_signature
from fairsum_utils.stats.arrays import Floats, exact_mean
from fairsum_utils.stats.intervals import Moments, mean_interval, share_interval
from fairsum_utils.validation import check_choice, labels_of

INPUTS = (
    Input(
        "data",
        "any data with source texts and their groups",
        kind="rows",
        columns={"sources": "source texts of a set", "values": "group of each source text"},
    ),
)

_MODULE = "oracle"
# Kind of summaries -> its color.
_KINDS = {"biased": "minus", "balanced": "plus"}


class OracleSettings(RepresentationMeasure):
    """Making and scoring of oracle summaries."""

    n_texts: Count = setting(5, "number of source texts in a summary", key="texts")
    n_sets: Count | None = setting(100, "sets to draw from the data; None for all", key="sets")
    favoured: str | None = setting(
        None, "group that biased summaries favour; None for each set's rarest group with enough texts", key="for"
    )
    tau: Fraction = override(BUR, "tau")
    n_points: Draws | None = override(AUC, "n_points")
    confidence_level: Level = override(Intervals, "confidence_level")

    # Settings of the measures that a study does not have.
    empty: Literal["skip"] = "skip"
    single_value: Literal["keep"] = "keep"
    at_random: Literal[False] = False
    return_samples: Literal[False] = False
    bootstrap: None = None


SETTINGS = OracleSettings


class OracleSummaries(NamedTuple):
    """Text positions of two summaries: one biased, one proportional."""

    favoured: str
    biased: list[int]
    balanced: list[int]


def apportioned(counts: Mapping[str, int], n: int) -> dict[str, int]:
    """Divide n items among values by largest remainders.

    Of equal remainders the larger value comes first, then the order of names.

    Source: Zhang et al. 2024, appendix C: a fifth of ten texts is 1 of 5. The method is that of largest remainders.

    Example:
        >>> apportioned({"male": 2, "female": 8}, 5), apportioned({"neg": 1, "neu": 1, "pos": 6}, 5)
        ({'male': 1, 'female': 4}, {'neg': 1, 'neu': 0, 'pos': 4})
    """
    total = sum(counts.values())
    given = {value: count * n // total for value, count in counts.items()}
    by_rest = sorted(counts, key=lambda value: (-(counts[value] * n % total), -counts[value], value))
    for value in by_rest[: n - sum(given.values())]:
        given[value] += 1
    return given


def oracle_summaries(
    values: Sequence[str], n_texts: int, generator: np.random.Generator, favoured: str | None = None
) -> OracleSummaries | str:
    """Draw a biased and a balanced summary, or return the reason for none.

    The reasons: ``"one_value"``, ``"too_few_texts"`` (of the favoured value) or ``"same_texts"`` (a balanced summary of
    so many texts is a biased one). Without a favoured value it is the rarest that has enough texts.

    Source: Zhang et al. 2024, appendix C and figure 7.

    Example:
        >>> made = oracle_summaries(["f"] * 8 + ["m"] * 5, 5, np.random.default_rng(0))
        >>> made.favoured, made.biased, len(made.balanced), sum(place < 8 for place in made.balanced)
        ('m', [8, 9, 10, 11, 12], 5, 3)
    """
    counts = Counter(values)
    if len(counts) < 2:
        return "one_value"
    enough = [value for value in sorted(counts) if counts[value] >= n_texts and favoured in (None, value)]
    if not enough:
        return "too_few_texts"
    chosen = min(enough, key=counts.__getitem__)
    given = apportioned(counts, n_texts)
    if given[chosen] == n_texts:
        return "same_texts"
    places: dict[str, list[int]] = {value: [] for value in sorted(counts)}
    for place, value in enumerate(values):
        places[value].append(place)

    def drawn(value: str, n: int) -> list[int]:
        return [places[value][at] for at in generator.choice(len(places[value]), n, replace=False)]

    biased = sorted(drawn(chosen, n_texts))
    return OracleSummaries(chosen, biased, sorted(place for value in places for place in drawn(value, given[value])))


def compute(data: Sequence[Mapping[str, Any]], *, settings: OracleSettings) -> dict[str, Any]:
    """Count the sets that each measure orders correctly, and average by kind.

    SOF is that of equation 4; comparisons are paired; ``ordered`` is the share of sets whose biased summary is less
    fair, with a mid-P interval.
    """
    settings = settings.replace(module=_MODULE).seeded()
    usable, skipped = _sets(data, settings)
    n = len(usable) if settings.n_sets is None else min(settings.n_sets, len(usable))
    drawn = np.random.default_rng(settings.seed).choice(len(usable), n, replace=False) if n else ()
    sets = [usable[at] for at in sorted(drawn)]
    shares, signature = _scored(data, sets, settings)
    both = sorted(set(shares["biased"].places) & set(shares["balanced"].places))
    skipped["not_scored"] += n - len(both)
    shares = {kind: each.only(np.isin(each.places, both)) for kind, each in shares.items()}
    scores = {kind: sample_scores(each, settings.tau, settings.n_points) for kind, each in shares.items()}
    result: dict[str, Any] = {
        "measures": {
            name: _ordered(scores["biased"][name], scores["balanced"][name], get_measure(name).high, settings)
            for name in MEASURES
        },
        "sof_of_data": {kind: data_set_scores(shares[kind], scores[kind])["sof"] for kind in _KINDS},
        "n_by_favoured": dict(sorted(Counter(sets[place][1].favoured for place in both).items())),
        "n_usable": len(usable),
        "n_texts": settings.n_texts,
        "confidence_level": settings.confidence_level,
        "n_samples": len(both),
        "n_skipped": skipped.total(),
        "skipped": {reason: n for reason, n in sorted(skipped.items()) if n},
        "matching": signature,
    }
    if not both:
        result["undefined"] = {"measures": "no set allowed making and scoring both summaries; see skipped"}
    return result


def _sets(
    data: Sequence[Mapping[str, Any]], settings: OracleSettings
) -> tuple[list[tuple[int, OracleSummaries]], Counter[str]]:
    """Draw summaries for usable rows, and count reasons for the others."""
    values = check_rows(_MODULE, data)
    if settings.favoured is not None:
        check_choice(_MODULE, "favoured", settings.favoured, values)
    sets: list[tuple[int, OracleSummaries]] = []
    skipped: Counter[str] = Counter()
    for place, row in enumerate(data):
        generator = np.random.default_rng((settings.seed or 0, place))
        made = oracle_summaries(labels_of(row["values"]), settings.n_texts, generator, settings.favoured)
        if isinstance(made, str):
            skipped[made] += 1
        else:
            sets.append((place, made))
    return sets, skipped


def _scored(
    data: Sequence[Mapping[str, Any]], sets: Sequence[tuple[int, OracleSummaries]], settings: OracleSettings
) -> tuple[dict[str, Shares], str]:
    """Compute the shares of each kind of summary, and the matching signature."""
    from fairsum_utils.families.representation import FAMILY

    columns = {name: [data[place][name] for place, _ in sets] for name in ("sources", "values")}
    scorer = FAMILY.scorer(MEASURES, settings)
    try:
        shares = {}
        for kind in _KINDS:
            texts = [" ".join(data[place]["sources"][at] for at in getattr(made, kind)) for place, made in sets]
            rows = list(scorer.rows(scorer.read({"predictions": texts, **columns})))
            records = FAMILY.records(rows, MEASURES, settings) if rows else []
            shares[kind] = read_shares(_MODULE, kind, records)
        about = {**scorer.signature(MEASURES[0], columns), "tau": settings.tau, "points": settings.n_points or "exact"}
    finally:
        scorer.close()
    return shares, render_signature(about)


def _ordered(biased: Floats, balanced: Floats, highest: float, settings: OracleSettings) -> dict[str, Any]:
    """Compare a measure of biased and balanced summaries."""
    n, differences, level = len(biased), biased - balanced, settings.confidence_level
    n_ordered, n_reversed = (int(np.count_nonzero(sign * differences > TOLERANCE)) for sign in (1, -1))
    paired = mean_difference(differences, settings, (-highest, highest))
    return {
        "biased": exact_mean(biased),
        "balanced": exact_mean(balanced),
        "biased_ci": list(mean_interval(Moments.of(biased), level, (0.0, highest))),
        "balanced_ci": list(mean_interval(Moments.of(balanced), level, (0.0, highest))),
        **{key: paired[key] for key in ("difference", "difference_ci", "p_value")},
        "n_ordered": n_ordered,
        "n_equal": n - n_ordered - n_reversed,
        "n_reversed": n_reversed,
        "ordered": n_ordered / n if n else math.nan,
        "ordered_ci": list(share_interval(n_ordered, n, level)),
    }


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out the ordered sets by measure, and the bars of figure 7."""
    skipped = ", ".join(f"{n} {reason}" for reason, n in result["skipped"].items())
    favoured = ", ".join(f"{value} {n}" for value, n in result["n_by_favoured"].items())
    counts = [
        f"{result['n_samples']} of {result['n_usable']} sets that can be used; {result['n_skipped']} skipped"
        + (f" ({skipped})" if skipped else ""),
        f"Summaries of {result['n_texts']} source texts; biased ones favour: {favoured or 'nobody'}",
    ]
    level = f"{level_of(result)} interval"
    of_data = " and ".join(f"{number(result['sof_of_data'][kind])} of the {kind}" for kind in _KINDS)
    measures, keys = result["measures"], (*_KINDS, "difference")
    orders = [
        [short_name(name), *number_cells(of, "ordered"), of["n_ordered"], of["n_equal"], of["n_reversed"]]
        for name, of in measures.items()
    ]
    means = [[short_name(name), *number_cells(of, *keys), of["p_value"]] for name, of in measures.items()]
    return [
        counts,
        Table(
            ["measure", "biased less fair", level, "sets", "equal", "reversed"],
            orders,
            "Sets whose biased summary scores as less fair than the balanced one",
            ["BUR is 0 or 1 for a set, so it cannot distinguish two summaries on the same side of tau."],
        ),
        Table(
            ["measure", *(cell for key in keys for cell in (key, f"{key}, {level}")), "p"],
            means,
            "Mean over sets",
            [f"SOF of a set follows equation 4; SOF of all sets together is {of_data} ones."],
        ),
        [f"matching: {result['matching']}"],
    ]


def drawing(result: dict[str, Any]) -> Drawing:
    """Draw figure 7: means by kind of summary, and shares of ordered sets."""
    measures = {short_name(name): of for name, of in result["measures"].items()}
    means = []
    for name, of in measures.items():
        marks = [Mark(of[kind], of[f"{kind}_ci"], color, "bar") for kind, color in _KINDS.items()]
        means += [Row(name), *(Row(kind, [mark]) for kind, mark in zip(_KINDS, marks, strict=True))]
    panels = [
        Points("Mean of oracle summaries", means, "Score (a fraction); lower is fairer"),
        Points(
            "Sets whose biased summary scores as less fair",
            bars(measures, "ordered", shape="dot"),
            "Fraction of sets; 1: the measure distinguishes all",
            notes=[f"Whiskers: {level_of(result)} intervals."],
        ),
    ]
    return Drawing("Biased and balanced oracle summaries", panels, [f"{result['n_samples']} sets"])
