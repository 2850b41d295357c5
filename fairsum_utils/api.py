"""The library's calls: `score`, `compute` and `compare`.

Every function takes tables or columns and returns plain numbers, lists and dicts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from fairsum_utils.errors import InputError
from fairsum_utils.families import all_measures, family_of
from fairsum_utils.families.asked import FOR_ALL, USUAL, asked_measures, completed, refuse_keyword, refuse_name
from fairsum_utils.families.inputs import all_columns
from fairsum_utils.families.warnings import warn
from fairsum_utils.io.arguments import columns_of
from fairsum_utils.io.shapes import Shape
from fairsum_utils.measures import DEFAULT_METRICS, Measure, get_measure
from fairsum_utils.results import Comparison, MeasureResult, ScoreResults
from fairsum_utils.session import Request, Session, make_requests
from fairsum_utils.settings import USUAL_LEVEL
from fairsum_utils.validation import check_choice

_LAYOUT = {name: info.default for name, info in Shape.infos().items()}
"""Layout of the samples, and its defaults."""


def score(
    *columns: Any,
    metrics: Any = DEFAULT_METRICS,
    confidence_level: float | None = USUAL_LEVEL,
    n_resamples: int | None = None,
    seed: int | None = 0,
    at_random: bool = True,
    return_samples: bool = False,
    language: str = "english",
    unlabelled: str = "error",
    group_by: str | None = None,
    id_column: str = "id",
    text_key: str | None = None,
    value_key: str | None = None,
    transcript: bool = False,
    **named: Any,
) -> ScoreResults:
    """Score texts with one or several measures.

    Args:
        *columns: a table; or predictions, sources and values, or those of the measures' family in its order, which may
            be given by name as well. A table is the name of a file, or one of pandas, polars, pyarrow or
            `datasets`, a list of dicts, or a dict of columns; a column is one of these libraries, a NumPy array or a
            list.
        metrics: names of measures, in a list or one text with commas; measures with their settings, such as
            ``["uer", BUR(tau=0.9)]``; or a mapping of label -> one of these, such as ``{"strict": BUR(tau=0.9)}``.
            ``help(BUR)`` shows what a measure can be set to.
        confidence_level: level of the intervals, in (0, 1); None for no interval.
        n_resamples: bootstrap replicates; None for each measure's own number, mostly 1,000.
        seed: seed of the bootstrap and of tests; None draws one, which the signature shows.
        at_random: also compute the chance level, the score of random summaries of the same length.
        return_samples: also return one record per sample, with its evidence.
        language: language of the texts: English name or ISO code.
        unlabelled: ``"error"`` for a text without a label, or ``"drop"`` to leave it out and count it.
        group_by: column that identifies the sample of each row, if each row has one text and its value.
        id_column: column with the ids of the samples.
        text_key: key of the text, where sources are turns.
        value_key: key of the value, where sources are turns.
        transcript: sources are one text per sample, with a line ``SPEAKER: text`` for each turn.
        **named: columns by name; with a table the names that they have in it, such as ``sources="reviews"``, where
            these are not the usual ones (``predictions`` or ``prediction``, ``sources``, ``values``).

    Settings of a measure take precedence over those of the call.

    Returns:
        For each measure its result: plain numbers, lists and dicts, which show, draw and save themselves; see
        `fairsum_utils.results.ScoreResults`. The cards in ``metrics/`` list the keys.

    Raises:
        InputError: an input or a setting is not as described, or none of the measures takes it.

    Example:
        >>> result = score(["Tasty soup."], [["Tasty soup!", "Cold soup, slow service."]], [["pos", "neg"]])
        >>> result["bur"]["bur"], round(result["uer"]["uer"], 4)
        (1.0, 0.1667)

        A table with a row for each turn:

        >>> turns = [
        ...     {"meeting": 1, "who": "Ann", "said": "Hire two people.", "minutes": "Hire two people."},
        ...     {"meeting": 1, "who": "Ben", "said": "Nobody pays them.", "minutes": ""},
        ... ]
        >>> names = {"predictions": "minutes", "sources": "said", "values": "who"}
        >>> score(turns, group_by="meeting", **names, metrics="uer")["uer"]["ratio_by_value"]
        {'Ann': 2.0, 'Ben': 0.0}
    """
    call = locals()
    asked = asked_measures("score", metrics)
    return _score("score", asked, columns, {**_chosen(call, _LAYOUT), **named}, _chosen(call, FOR_ALL), USUAL)


def _chosen(call: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call that differ from their defaults."""
    return {
        name: call[name]
        for name, default in defaults.items()
        if name in call and not (call[name] is default or call[name] == default)
    }


def compute(measure: str | Measure, table: Any = None, /, **arguments: Any) -> MeasureResult:
    """Score with one measure; messages carry its name.

    Args:
        measure: the measure, or its name.
        table: table with the columns, in the forms that `score` takes; None if all are given by name.
        **arguments: columns and layout, as `score` takes them, and settings of the measure.

    Returns:
        The result of the measure, a dict that shows itself; see `fairsum_utils.results.MeasureResult`.

    Raises:
        InputError: an input or a setting is not as described, or the measure does not take it.

    Example:
        >>> compute("uer", predictions=["Tasty."], sources=[["Tasty.", "Awful."]], values=[["pos", "neg"]])["uer"]
        0.25
    """
    if isinstance(measure, str):
        measure = get_measure(check_choice("compute", "the measure", measure, all_measures()))()
    name, infos = measure.name, measure.infos()
    settings = {key: value for key, value in arguments.items() if key in infos}
    others = {key: value for key, value in arguments.items() if key not in infos}
    asked = {name: measure.replace(**settings, module=name)}
    result: MeasureResult = _score(name, asked, () if table is None else (table,), others, {}, {}, by_keyword=True)[
        name
    ]
    return result


def compare(
    systems: Any = None,
    *columns: Any,
    metrics: Any = DEFAULT_METRICS,
    labels: Sequence[str] | None = None,
    baseline: str | None = None,
    pairs: bool = False,
    quality: Mapping[str, Mapping[str, Sequence[float]]] | None = None,
    confidence_level: float = USUAL_LEVEL,
    n_resamples: int | None = None,
    seed: int | None = 0,
    at_random: bool = True,
    language: str = "english",
    unlabelled: str = "error",
    group_by: str | None = None,
    id_column: str = "id",
    text_key: str | None = None,
    value_key: str | None = None,
    transcript: bool = False,
    **named: Any,
) -> Comparison:
    """Compare systems on the same samples: scores, differences, p-values, ranks.

    Each sample's sources are read once for all systems, and every system is drawn by the same bootstrap. A sample that
    some system leaves without a score is left out for all. A difference is a system minus the baseline, or of all pairs
    the second minus the first.

    Args:
        systems: name of a system -> its predictions, such as ``{"gpt4": [...], "lead": [...]}``, which beside a table
            may be a mapping of id -> prediction; or the columns that are its own, such as
            ``{"predictions": ..., "mentions": ...}``; or its table, such as a data frame, whose samples are matched by
            their ids, if all tables have them, and else by their order. Shared columns may be in the first table only.
            With a table of shared columns, a name stands for a column of it. Instead of a mapping, predictions or
            tables of two systems can be the first two arguments.
        *columns: the columns that all systems share, such as sources and values, in their order; also by name; or one
            table with them.
        metrics: measures, as `score` takes them; those of polarity compare groups, and cannot be compared.
        labels: names of two systems without names; None for A and B.
        baseline: the system that the others are compared with; None for the first.
        pairs: list the differences of all pairs, not only those from the baseline.
        quality: quality scores: score name -> system name -> one number per sample; means are added to the table.
        confidence_level: level of the intervals, see `score`.
        n_resamples: bootstrap replicates, see `score`.
        seed: seed of the bootstrap, see `score`.
        at_random: also compute the chance level of each system.
        language: language of the texts, see `score`.
        unlabelled: action for texts without a label, see `score`.
        group_by: column that identifies the sample of each row, see `score`.
        id_column: column with the ids of the samples.
        text_key: key of the text, where sources are turns.
        value_key: key of the value, where sources are turns.
        transcript: sources are transcripts, see `score`.
        **named: columns by name, or their names in the tables.

    Returns:
        For each measure ``systems``: name -> ``score``, ``ci``, ``ci_lost``, ``at_random`` (score of random summaries
        as long as those of the system), ``rank`` (no two systems of a rank differ significantly; None without a score)
        and ``n_skipped``; ``differences``: each with ``system`` and ``baseline``, ``difference`` (system minus
        baseline; below 0 the system is fairer), ``difference_ci``, ``p_value`` (two-sided, never 0),
        ``p_value_corrected`` (Holm's over the ``n_tests`` differences of the measure), ``lost`` (share of replicates
        without a score) and, if there is no interval, ``undefined``; ``by_value`` or ``by_group``: system -> the
        figures of the measure; ``alpha``, the level of significance; ``n_samples``, ``n_skipped``, ``settings``,
        ``signature`` and ``warnings``. With two systems ``result["uer"]["p_value"]`` is that of the one difference.
        Lengths and qualities of the systems are in ``result.systems``. The dict shows itself; see
        `fairsum_utils.results.Comparison`. For a page with the samples score each system by itself, with
        ``return_samples=True``, and give what comes back to ``.report(path, samples={"lead": ..., ...})``.

    Raises:
        InputError: an input or a setting is not as described, or none of the measures takes it.

    Example:
        >>> sources, values = [["Tasty soup.", "Awful soup."]] * 20, [["pos", "neg"]] * 20
        >>> systems = {"lead": ["Tasty."] * 20, "both": ["Tasty, awful."] * 20, "none": ["Soup."] * 20}
        >>> found = compare(systems, sources, values, metrics=["uer"])["uer"]
        >>> {name: (system["score"], system["rank"]) for name, system in found["systems"].items()}
        {'lead': (0.25, 2), 'both': (0.0, 1), 'none': (0.0, 1)}

        Two systems without names:

        >>> compare(["Tasty."] * 20, ["Tasty, awful."] * 20, sources, values, metrics=["uer"])["uer"]["difference"]
        -0.25
    """
    call = locals()
    from fairsum_utils.io.systems import columns_of_systems
    from fairsum_utils.session.quality import check_qualities
    from fairsum_utils.session.systems import ComparedSystems, check_baseline

    asked = asked_measures("compare", metrics)
    asked = completed("compare", asked, {"at_random": True}, _chosen(call, FOR_ALL))
    with Session([Request(measure, label) for label, measure in asked.items()], module="compare") as session:
        session.check_comparable()
        given, rest = columns_of_systems(systems, columns, asked, {**_chosen(call, _LAYOUT), **named}, labels)
        names = [*given]
        check_baseline("compare", names, baseline)
        _refuse_others("compare", asked, rest)
        n_samples = len(next(iter(given[names[0]].values())))
        compared = ComparedSystems(session, names)
        compared.score(list(given.values()), check_qualities("compare", quality or {}, names, n_samples))
        results = compared.comparison(baseline=baseline, pairs=pairs)
    warn({**results, **({"systems": {"warnings": results.warnings}} if results.warnings else {})})
    return results


def compare_systems(*_: Any, **__: Any) -> NoReturn:
    """Refuse the call of earlier versions; see `compare`.

    Raises:
        InputError: always; it names the new call.

    Example:
        >>> compare_systems({"gpt4": ["Tasty."], "lead": ["Awful."]})
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: compare_systems is now compare, with the same arguments: compare(systems,
        sources, values). It returns measure -> comparison, without "metrics"
    """
    raise InputError(
        "compare_systems is now compare, with the same arguments: compare(systems, sources, values). It returns "
        'measure -> comparison, without "metrics"'
    )


def _score(
    module: str,
    asked: Mapping[str, Measure],
    columns: Sequence[Any],
    arguments: Mapping[str, Any],
    given: Mapping[str, Any],
    usual: Mapping[str, Any],
    *,
    by_keyword: bool = False,
) -> ScoreResults:
    found, ids = columns_of(module, asked, columns, arguments)
    known = all_columns([measure.name for measure in asked.values()])
    _refuse_others(module, asked, found, by_keyword)
    with Session(make_requests(module, asked, usual, given), module=module) as session:
        given_columns = _without_none({name: entries for name, entries in found.items() if name in known})
        results = session.score(given_columns, ids)
    warn(results, stacklevel=4)
    return results


def _without_none(columns: Mapping[str, Any]) -> dict[str, Any]:
    return {name: entries for name, entries in columns.items() if entries is not None}


def _refuse_others(
    module: str, asked: Mapping[str, Measure], others: Mapping[str, Any], by_keyword: bool = False
) -> None:
    """Refuse keywords that are neither options nor columns of a family."""
    relatives = {column.name for measure in asked.values() for column in family_of(measure.name).columns}
    for name, value in others.items():
        if name in relatives or (value is None and name in all_columns(all_measures())):
            continue
        known = all_columns([measure.name for measure in asked.values()])
        if by_keyword:
            raise refuse_name(module, name, asked, known)
        raise refuse_keyword(module, name, value, asked, known)
