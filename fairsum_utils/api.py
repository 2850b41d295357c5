"""Every measure by its name: columns or a table in, results out."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter
from typing import Any

from fairsum_utils.families import all_measures
from fairsum_utils.families.routing import (
    all_columns,
    chance_settings,
    derive_signature,
    describe_columns,
    describe_infos,
    describe_settings,
    parameters_of,
    split_arguments,
    usual_settings,
)
from fairsum_utils.families.warnings import warn
from fairsum_utils.io.calls import columns_of, columns_of_both, columns_of_systems
from fairsum_utils.io.shapes import Shape
from fairsum_utils.measures import DEFAULT_METRICS
from fairsum_utils.results import Comparison, MeasureResult, ScoreResults, SystemComparison
from fairsum_utils.results.comparison import check_labels
from fairsum_utils.session import Request, Session
from fairsum_utils.settings import USUAL_LEVEL
from fairsum_utils.validation import check_choice, check_metrics


def score(*columns: Any, metrics: str | Sequence[str] = DEFAULT_METRICS, **arguments: Any) -> ScoreResults:
    """Score texts with one or several measures.

    Args:
        *columns: a table; or predictions, sources and values, or those of the measures' family in its order, which may
            be given by name as well. A table is one of pandas, polars, pyarrow or `datasets`, a list of dicts, or a
            dict of columns; a column is one of these libraries, a NumPy array or a list.
        metrics: names of measures, in a list or one text with commas.
        **arguments: columns by name, with a table the names that they have in it, such as ``sources="reviews"``, where
            these are not the usual ones (``predictions`` or ``prediction``, ``sources``, ``values``); how the samples
            are laid out; settings for all measures that take them; and under the name of a measure a mapping of
            settings for it alone, such as ``toxicity={"threshold": 0.8}``. All are listed below.

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
    return _score("score", check_metrics("score", metrics, all_measures()), columns, arguments, usual_settings)


def compute(name: str, table: Any = None, /, **arguments: Any) -> MeasureResult:
    """Score with one measure; messages carry its name.

    Args:
        name: Name of the measure.
        table: Table with the columns, in the forms that `score` takes; None if all are given by name.
        **arguments: columns and settings, as `score` takes them by name.

    Returns:
        The result of the measure, a dict that shows itself; see `fairsum_utils.results.MeasureResult`.

    Raises:
        InputError: an input or a setting is not as described, or the measure does not take it.

    Example:
        >>> compute("uer", predictions=["Tasty."], sources=[["Tasty.", "Awful."]], values=[["pos", "neg"]])["uer"]
        0.25
    """
    check_choice("compute", "the measure", name, all_measures())
    result: MeasureResult = _score(name, (name,), () if table is None else (table,), arguments)[name]
    return result


def compare(
    *columns: Any,
    metrics: str | Sequence[str] = DEFAULT_METRICS,
    labels: Sequence[str] = ("A", "B"),
    baseline: str | None = None,
    **arguments: Any,
) -> Comparison:
    """Compare two systems on the same samples by a paired bootstrap.

    A difference is the second system minus the first, which is the baseline.

    Args:
        *columns: predictions of system A, predictions of system B, and then the columns that both share, such as
            sources and values; by name in any order, those of a system as ``predictions_a``, ``mentions_b`` and so on.
            Or a table of each system, whose samples are matched by their ids, if both tables have them, and else by
            their order; B may do without the columns that both share. Or one table with the columns of both.
        metrics: names of measures of one family or several; those of polarity, which compare groups, cannot be.
        labels: names of A and B in tables, figures and pages.
        baseline: label of the baseline; None for the first. If it is the second, the two change places.
        **arguments: columns by name, or their names in the tables, and settings, as `score` takes them.

    Returns:
        For each measure ``system`` and ``baseline``, their labels; ``a``, the score of the baseline; ``b``, that of the
        system; ``difference`` (system minus baseline; below 0 the system is fairer), ``difference_ci``, ``p_value``
        (two-sided, never 0), ``lost`` (share of replicates without a score), ``n_samples``, ``n_skipped`` (samples that
        either system left without a score) and ``signature``; ``a_at_random`` and ``b_at_random``, the scores of random
        summaries as long as those of each; ``by_value`` or ``by_group``: label -> the figures of the measure;
        ``undefined`` gives the reason when there is no interval and no p-value. The dict shows itself; see
        `fairsum_utils.results.Comparison`. For a page with the samples score each system by itself, with
        ``return_samples=True``, and give what comes back to ``.report(path, samples={"A": ..., "B": ...})``.

    Raises:
        InputError: an input or a setting is not as described, or none of the measures takes it.

    Example:
        >>> sources, values = [["Tasty soup.", "Awful soup."]] * 2, [["pos", "neg"]] * 2
        >>> compare(["Tasty."] * 2, ["Tasty, awful."] * 2, sources, values, metrics=["uer"])["uer"]["difference"]
        -0.25
    """
    from fairsum_utils.session.systems import check_baseline

    names = check_metrics("compare", metrics, all_measures())
    with Session([Request(name) for name in names], module="compare") as session:
        session.check_comparable()
    systems, settings = columns_of_both(names, columns, arguments)
    asked = dict(zip(names, names, strict=True))
    (a, each), (b, _) = (split_arguments("compare", asked, {**system, **settings}) for system in systems)
    check_labels(labels)
    if check_baseline("compare", labels, baseline) != labels[0]:
        a, b, labels = b, a, (labels[1], labels[0])
    with Session(_requests(each), module="compare") as session:
        results = session.compare(a, b, labels)
    warn(results)
    return results


def compare_systems(
    systems: Mapping[str, Any],
    *columns: Any,
    metrics: str | Sequence[str] = DEFAULT_METRICS,
    baseline: str | None = None,
    pairs: bool = False,
    quality: Mapping[str, Mapping[str, Sequence[float]]] | None = None,
    **arguments: Any,
) -> SystemComparison:
    """Compare systems on the same samples: scores, differences, p-values, ranks.

    Each sample's sources are read once for all systems, and every system is drawn by the same bootstrap. A sample that
    some system leaves without a score is left out for all. A difference is a system minus the baseline, or of all pairs
    the second minus the first; of two systems it is that of `compare`.

    Args:
        systems: name of a system -> its predictions, or a mapping of the columns that are its own, such as
            ``{"predictions": ..., "mentions": ...}``.
        *columns: the columns that all systems share, such as sources and values, in their order; also by name.
        metrics: names of measures of one family or several; those of polarity, which compare groups, cannot be.
        baseline: the system that the others are compared with; None for the first.
        pairs: list the differences of all pairs, not only those from the baseline.
        quality: Quality scores: score name -> system name -> one number per sample; means are added to the table.
        **arguments: columns by name and settings, as `score` takes them.

    Returns:
        ``baseline``, None with `pairs`; ``systems``: name -> ``n_samples``, ``mean_words``, ``mean_characters``,
        ``share_empty``, ``share_matched`` (representation), ``mean_coverage`` (coverage) and ``columns``, the means of
        `quality`; ``metrics``: measure -> ``systems``: name -> ``score``, ``ci``, ``ci_lost``, ``at_random``
        (score of random summaries as long as those of the system), ``rank`` (no two systems of a rank differ
        significantly; None without a score) and ``n_skipped``; ``differences``: each with the names ``a``, the
        baseline, and ``b``, ``difference`` (B minus A; below 0 B is fairer), ``difference_ci``, ``p_value`` (two-sided,
        never 0), ``p_value_corrected`` (Holm's over the ``n_tests`` differences of the measure), ``lost`` and, if there
        is no interval, ``undefined``; ``by_value`` or ``by_group``: system -> the figures of the measure; ``alpha``,
        the level of significance; ``n_samples``, ``n_skipped``, ``signature`` and ``warnings``; and ``warnings``:
        systems that look fairer and say less. For a page with the samples score each system by itself, with
        ``return_samples=True``, and give what comes back to ``.report(path, samples={"lead": ..., ...})``.

    Raises:
        InputError: an input or a setting is not as described, or none of the measures takes it.

    Example:
        >>> sources, values = [["Tasty soup.", "Awful soup."]] * 20, [["pos", "neg"]] * 20
        >>> systems = {"lead": ["Tasty."] * 20, "both": ["Tasty, awful."] * 20, "none": ["Soup."] * 20}
        >>> found = compare_systems(systems, sources, values, metrics=["uer"])["metrics"]["uer"]
        >>> {name: (system["score"], system["rank"]) for name, system in found["systems"].items()}
        {'lead': (0.25, 2), 'both': (0.0, 1), 'none': (0.0, 1)}
    """
    from fairsum_utils.session.systems import ComparedSystems, check_baseline, check_qualities

    module = "compare_systems"
    names = check_metrics(module, metrics, all_measures())
    given, arguments = columns_of_systems(systems, names, columns, arguments)
    check_baseline(module, list(systems), baseline)
    _, settings = split_arguments(module, dict(zip(names, names, strict=True)), arguments)
    n = len(next(iter(given[0].values())))
    others = check_qualities(module, quality or {}, list(systems), n)
    with Session(_requests(settings), module=module) as session:
        compared = ComparedSystems(session, list(systems))
        compared.score(given, others)
        document = compared.document(baseline=baseline, pairs=pairs)
        results = SystemComparison(document, run=session.provenance())
    warn({**document["metrics"], "systems": document})
    return results


def _score(
    module: str,
    names: Sequence[str],
    columns: Sequence[Any],
    arguments: Mapping[str, Any],
    add_defaults: Callable[[str, Mapping[str, Any]], dict[str, Any]] | None = None,
) -> ScoreResults:
    given = columns_of(module, names, columns, arguments)
    given, settings = split_arguments(module, dict(zip(names, names, strict=True)), given)
    with Session(_requests(settings, add_defaults), module=module) as session:
        results = session.score(given)
    warn(results, stacklevel=4)
    return results


def _requests(
    settings: Mapping[str, Mapping[str, Any]],
    add_defaults: Callable[[str, Mapping[str, Any]], dict[str, Any]] | None = chance_settings,
) -> list[Request]:
    """Make requests of measure -> its settings."""
    return [
        Request(name, settings=add_defaults(name, given) if add_defaults else given, given=given)
        for name, given in settings.items()
    ]


# Defaults of `compare` and `compare_systems`, and of `score`, where they differ from those of the measures.
_COMPARED = {"at_random": True}
_SCORED = {**_COMPARED, "confidence_level": USUAL_LEVEL}


def _document() -> None:
    """Add every column and setting to the calls' signatures and help."""
    measures = all_measures()
    metrics = Parameter("metrics", Parameter.KEYWORD_ONLY, default=DEFAULT_METRICS, annotation="str | Sequence[str]")
    labels = Parameter("labels", Parameter.KEYWORD_ONLY, default=("A", "B"), annotation="Sequence[str]")
    baseline = Parameter("baseline", Parameter.KEYWORD_ONLY, default=None, annotation="str | None")
    shape = parameters_of(Shape.infos().values())
    inputs = f"\n\nColumns:\n{describe_columns(measures)}\n\nLayout:\n{describe_infos(Shape.infos().values())}"
    known = all_columns(measures)
    paired = [f"{name}_{system}" for name, column in known.items() if column.of_system for system in "ab"]
    shared = [name for name, column in known.items() if not column.of_system]
    both = [*paired, *shared]
    name = Parameter("name", Parameter.POSITIONAL_ONLY, annotation="str")
    systems, *options = (
        parameter
        for parameter in inspect.signature(compare_systems).parameters.values()
        if parameter.name in ("systems", "baseline", "pairs", "quality")
    )
    by_systems = derive_signature(measures, metrics, *options, *shape, columns=shared, defaults=_COMPARED)
    by_systems = by_systems.replace(parameters=[systems, *by_systems.parameters.values()])
    table = Parameter("table", Parameter.POSITIONAL_ONLY, default=None)
    for function, signature, defaults in (
        (score, derive_signature(measures, metrics, *shape, defaults=_SCORED), _SCORED),
        (
            compare,
            derive_signature(measures, metrics, labels, baseline, *shape, columns=both, defaults=_COMPARED),
            _COMPARED,
        ),
        (compare_systems, by_systems, _COMPARED),
    ):
        function.__signature__ = signature  # type: ignore[attr-defined]
        settings = describe_settings(measures, defaults=defaults)
        function.__doc__ = f"{function.__doc__}{inputs}\n\nSettings:\n{settings}\n"
    by_name = [
        parameter.replace(kind=Parameter.KEYWORD_ONLY)
        for parameter in derive_signature(measures, *shape).parameters.values()
    ]
    compute.__signature__ = derive_signature([]).replace(  # type: ignore[attr-defined]
        parameters=[name, table, *by_name]
    )


_document()
