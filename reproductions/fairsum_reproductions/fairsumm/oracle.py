"""Whether the measures tell summaries that are biased by design from summaries that are balanced by design."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fairsum_reproductions.contract import Input, Study
from fairsum_reproductions.shares import MEASURES, Shares, check_rows, data_set_scores, read_shares, sample_scores
from fairsum_utils.analysis.records import Intervals, mean_difference
from fairsum_utils.families import override, setting
from fairsum_utils.families.representation.settings import RepresentationSettings
from fairsum_utils.measures import get_measure
from fairsum_utils.measures.equal_coverage import TOLERANCE
from fairsum_utils.signature import render_signature
from fairsum_utils.stats.arrays import Floats, exact_mean
from fairsum_utils.stats.intervals import Moments, mean_interval, share_interval
from fairsum_utils.validation import check_choice, labels_of

if TYPE_CHECKING:
    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.tables import Cell, Part, Table

_MODULE = "oracle"
_KINDS = ("biased", "balanced")


class OracleSettings(RepresentationSettings):
    """How oracle summaries are made, and how they are scored."""

    at_random = False

    n_texts: int = setting(5, "source texts that make a summary", least=1, key="texts", flag="texts")
    n_sets: int | None = setting(
        100, "sets to draw from the data; None for all", least=1, key="sets", flag="sets", read=int
    )
    favoured: str | None = setting(
        None, "value that biased summaries speak for; None for the rarest of each set that has enough texts", key="for"
    )
    tau: float = override(RepresentationSettings, "tau", only=())
    n_points: int | None = override(RepresentationSettings, "n_points", only=())
    confidence_level: float = override(Intervals, "confidence_level")
    empty = "skip"
    single_value = "keep"
    return_samples = False
    bootstrap = None


class OracleSummaries(NamedTuple):
    """Two summaries of a set, made of as many of its texts.

    Attributes:
        favoured: the value that the biased one speaks for.
        biased: places of the texts of the biased summary, all of the favoured value.
        balanced: places of the texts of the balanced summary, in the proportions of the set.
    """

    favoured: str
    biased: list[int]
    balanced: list[int]


def apportioned(counts: Mapping[str, int], n: int) -> dict[str, int]:
    """So many of n things each value gets that all have their share, as nearly as whole things allow.

    Each value gets the whole part of its share of n; what is left goes to the largest rests, one each, of equal rests
    to the larger value, then in the order of names.

    Args:
        counts: value -> its texts.
        n: things, at most as many as texts.

    Returns:
        Value -> things; none has more than texts, and together they are n.

    Source: papers/fairsumm-v2, appendix C: a fifth of ten texts is 1 of 5. The method is that of largest remainders.

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
    """A biased and a balanced summary of a set: which of its texts each consists of.

    Args:
        values: of each text of the set.
        n_texts: texts of each summary.
        generator: of the draws.
        favoured: value that the biased summary speaks for; None for the rarest that has as many texts.

    Returns:
        The summaries, or why there are none: ``"one_value"``, ``"too_few_texts"`` (of the favoured value) or
        ``"same_texts"`` (a balanced summary of so many texts is a biased one).

    Source: papers/fairsumm-v2, appendix C and figure 7.

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
    """How many sets each measure puts in order, and its mean over biased and over balanced summaries.

    Args:
        data: rows with ``sources`` and ``values``.
        settings: of the study.

    Returns:
        ``measures``: of each ``biased`` and ``balanced`` (mean over sets; of SOF that of equation 4), ``biased_ci`` and
        ``balanced_ci``, ``difference``, ``difference_ci`` and ``p_value`` (paired), ``n_ordered``, ``n_equal`` and
        ``n_reversed`` (sets), ``ordered`` and ``ordered_ci`` (their share, mid-P interval); ``sof_of_data``,
        ``n_by_favoured``, ``matching`` (how texts were matched), ``n_usable`` (sets to draw from), ``n_samples``,
        ``n_skipped`` and ``skipped`` (reason -> sets).
    """
    settings = settings.replace(module=_MODULE).seeded()
    usable, skipped = _sets(data, settings)
    sets = _drawn(usable, settings)
    summaries: dict[str, list[str]] = {
        kind: [" ".join(data[place]["sources"][at] for at in getattr(made, kind)) for place, made in sets.items()]
        for kind in _KINDS
    }
    columns = {name: [data[place][name] for place in sets] for name in ("sources", "values")}
    shares, signature = _scored(summaries, columns, settings)
    both = sorted(set(shares["biased"].places) & set(shares["balanced"].places))
    skipped["not_scored"] += len(sets) - len(both)
    shares = {kind: each.only(np.isin(each.places, both)) for kind, each in shares.items()}
    scores = {kind: sample_scores(each, settings.tau, settings.n_points) for kind, each in shares.items()}
    made = list(sets.values())
    result: dict[str, Any] = {
        "measures": {
            name: _ordered(scores["biased"][name], scores["balanced"][name], get_measure(name).high, settings)
            for name in MEASURES
        },
        "sof_of_data": {kind: data_set_scores(shares[kind], scores[kind])["sof"] for kind in _KINDS},
        "n_by_favoured": dict(sorted(Counter(made[place].favoured for place in both).items())),
        "n_usable": len(usable),
        "n_texts": settings.n_texts,
        "confidence_level": settings.confidence_level,
        "n_samples": len(both),
        "n_skipped": skipped.total(),
        "skipped": {reason: n for reason, n in sorted(skipped.items()) if n},
        "matching": signature,
    }
    if not both:
        result["undefined"] = {"measures": "no set of which both summaries could be made and scored; see skipped"}
    return result


def _sets(
    data: Sequence[Mapping[str, Any]], settings: OracleSettings
) -> tuple[dict[int, OracleSummaries], Counter[str]]:
    """Place of a row -> its summaries; and why rows have none."""
    values = check_rows(_MODULE, data)
    if settings.favoured is not None:
        check_choice(_MODULE, "favoured", settings.favoured, values)
    sets: dict[int, OracleSummaries] = {}
    skipped: Counter[str] = Counter()
    for place, row in enumerate(data):
        generator = np.random.default_rng((settings.seed or 0, place))
        made = oracle_summaries(labels_of(row["values"]), settings.n_texts, generator, settings.favoured)
        if isinstance(made, str):
            skipped[made] += 1
        else:
            sets[place] = made
    return sets, skipped


def _drawn(sets: Mapping[int, OracleSummaries], settings: OracleSettings) -> dict[int, OracleSummaries]:
    """As many of the sets as are wanted, in their order."""
    n = len(sets) if settings.n_sets is None else min(settings.n_sets, len(sets))
    drawn = np.random.default_rng(settings.seed).choice(len(sets), n, replace=False) if n else ()
    places = list(sets)
    return {places[at]: sets[places[at]] for at in sorted(drawn)}


def _scored(
    summaries: Mapping[str, list[str]], columns: Mapping[str, list[Any]], settings: OracleSettings
) -> tuple[dict[str, Shares], str]:
    """The shares of the summaries of each kind, and what they came from."""
    from fairsum_utils.families.representation.family import FAMILY

    scorer = FAMILY.scorer(MEASURES, settings)
    try:
        shares = {}
        for kind, predictions in summaries.items():
            rows = list(scorer.rows(scorer.read({"predictions": predictions, **columns})))
            records = FAMILY.records(rows, MEASURES, settings) if rows else []
            shares[kind] = read_shares(_MODULE, kind, records)
        about = {**scorer.signature(MEASURES[0], columns), "tau": settings.tau, "points": settings.n_points or "exact"}
    finally:
        scorer.close()
    return shares, render_signature(about)


def _ordered(biased: Floats, balanced: Floats, highest: float, settings: OracleSettings) -> dict[str, Any]:
    """How often a measure finds the biased summary less fair, and by how much."""
    n, differences = len(biased), biased - balanced
    n_ordered, n_reversed = (int(np.count_nonzero(sign * differences > TOLERANCE)) for sign in (1, -1))
    ends = [
        mean_interval(Moments.of(scores), settings.confidence_level, (0.0, highest)) for scores in (biased, balanced)
    ]
    paired = mean_difference(differences, settings, (-highest, highest))
    return {
        "biased": exact_mean(biased),
        "balanced": exact_mean(balanced),
        "biased_ci": list(ends[0]),
        "balanced_ci": list(ends[1]),
        **{key: paired[key] for key in ("difference", "difference_ci", "p_value")},
        "n_ordered": n_ordered,
        "n_equal": n - n_ordered - n_reversed,
        "n_reversed": n_reversed,
        "ordered": n_ordered / n if n else math.nan,
        "ordered_ci": list(share_interval(n_ordered, n, settings.confidence_level)),
    }


def parts(result: dict[str, Any]) -> list[Part]:
    """How many sets each measure orders, and the bars of figure 7 as a table."""
    from fairsum_utils.reports.tables import number

    skipped = ", ".join(f"{n} {reason}" for reason, n in result["skipped"].items())
    favoured = ", ".join(f"{value} {n}" for value, n in result["n_by_favoured"].items())
    counts = [
        f"{result['n_samples']} of {result['n_usable']} sets that can be used; {result['n_skipped']} skipped"
        + (f" ({skipped})" if skipped else ""),
        f"Summaries of {result['n_texts']} source texts; biased ones speak for: {favoured or 'nobody'}",
    ]
    of_data = " and ".join(f"{number(result['sof_of_data'][kind])} of the {kind}" for kind in _KINDS)
    level = f"{100 * result['confidence_level']:g} % interval"
    return [
        counts,
        _orders(result["measures"], level),
        _means(
            result["measures"],
            level,
            f"SOF of a set is that of equation 4; SOF of all sets together is {of_data} ones.",
        ),
        [f"matching: {result['matching']}"],
    ]


def _orders(measures: Mapping[str, Any], level: str) -> Table:
    from fairsum_utils.reports.tables import Table, interval, short_name

    rows: list[list[Cell]] = [
        [
            short_name(name),
            measured["ordered"],
            interval(measured["ordered_ci"]),
            *(measured[f"n_{kind}"] for kind in ("ordered", "equal", "reversed")),
        ]
        for name, measured in measures.items()
    ]
    return Table(
        ["measure", "biased less fair", level, "sets", "equal", "reversed"],
        rows,
        "Sets whose biased summary the measure finds less fair than the balanced one",
        ["BUR is 0 or 1 for a set, so that it cannot tell two summaries apart that are both on one side of tau."],
    )


def _means(measures: Mapping[str, Any], level: str, below: str) -> Table:
    from fairsum_utils.reports.tables import Table, interval, short_name

    rows: list[list[Cell]] = [
        [
            short_name(name),
            *(cell for key in (*_KINDS, "difference") for cell in (measured[key], interval(measured[f"{key}_ci"]))),
            measured["p_value"],
        ]
        for name, measured in measures.items()
    ]
    header = ["measure", *(cell for key in (*_KINDS, "difference") for cell in (key, f"{key}, {level}")), "p"]
    return Table(header, rows, "Mean over sets", [below])


def drawing(result: dict[str, Any]) -> Drawing:
    """Figure 7: the mean over biased and over balanced summaries; and how many sets are in order."""
    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.drawings.chart import Mark, Panel, Row
    from fairsum_utils.reports.tables import short_name

    means, orders = [], []
    for name, measured in result["measures"].items():
        means.append(Row(short_name(name)))
        means += [
            Row(kind, [Mark(measured[kind], measured[f"{kind}_ci"], colour, "bar")])
            for kind, colour in zip(_KINDS, ("minus", "plus"), strict=True)
        ]
        orders.append(Row(short_name(name), [Mark(measured["ordered"], measured["ordered_ci"])]))
    panels = [
        Panel("Mean of oracle summaries", means, "Score (a fraction); lower is fairer"),
        Panel(
            "Sets whose biased summary is found less fair",
            orders,
            "Fraction of sets; 1: the measure tells all of them apart",
            notes=[f"Whiskers: {100 * result['confidence_level']:g} % intervals."],
        ),
    ]
    return Drawing("Biased and balanced oracle summaries", panels, [f"{result['n_samples']} sets"])


STUDY = Study(
    paper="fairsumm",
    source="v2, appendix C, figure 7",
    help="do measures tell biased from balanced summaries that are made of source texts?",
    inputs=(
        Input(
            "data",
            "any data with source texts and their values",
            kind="rows",
            columns={"sources": "the source texts of a set", "values": "the value of each of them"},
        ),
    ),
    settings=OracleSettings,
    compute=compute,
    parts=parts,
    drawing=drawing,
    choices=(
        "Both summaries of a set consist of as many of its texts: biased ones of texts of one value, balanced ones of "
        "texts of all values in the proportions of the set (largest remainders)",
        "The biased ones speak for the rarest value that has enough texts, not the same one in all sets, unless "
        "--favoured names one: the paper's is male",
        "Appendix C says that n-grams give biased summaries the lowest scores of three ways to match; appendix G of "
        "version 1 said the highest",
    ),
    examples=(
        "fairsum study oracle claritin.jsonl --favoured male --plot oracle.svg",
        "fairsum study oracle yelp.jsonl --texts 2 --sets 500 --matcher bertscore",
    ),
)
