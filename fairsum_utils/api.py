"""Every measure by its name: columns in, results out."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from inspect import Parameter
from typing import Any

from fairsum_utils.errors import InputError
from fairsum_utils.family import all_measures, family_of
from fairsum_utils.family.cautions import tell
from fairsum_utils.family.documents import all_columns, derive_signature, describe_columns, describe_settings
from fairsum_utils.family.routing import split_arguments
from fairsum_utils.measures import measures_of
from fairsum_utils.results import Comparison, MeasureResult, ScoreResults, SystemComparison
from fairsum_utils.session import Request, Session
from fairsum_utils.validation import check_choice, check_columns, check_metrics, describe

__all__ = ["DEFAULT_METRICS", "compare", "compare_systems", "compute", "score"]

DEFAULT_METRICS = measures_of("representation")


def score(*columns: Any, metrics: Sequence[str] = DEFAULT_METRICS, **arguments: Any) -> ScoreResults:
    """Score summaries or other texts with measures of one family or several; what they share is done once.

    Args:
        *columns: predictions, sources and values, or those of the measures' family in its order; also by name.
        metrics: names of measures.
        **arguments: columns by name; settings for all measures that take them; and under the name of a measure a
            mapping of settings for it alone, such as ``toxicity={"threshold": 0.8}``. All are listed below.

    Returns:
        For each measure its result: plain numbers, lists and dicts, which show, draw and save themselves; see
        `fairsum_utils.results.ScoreResults`. The cards in ``metrics/`` list the keys.

    Raises:
        InputError: an input or a setting is not as described, or none of the measures takes it.

    Example:
        >>> result = score(["Tasty soup."], [["Tasty soup!", "Cold soup, slow service."]], [["pos", "neg"]])
        >>> result["bur"]["bur"], round(result["uer"]["uer"], 4)
        (1.0, 0.1667)
    """
    return _score("score", check_metrics("score", metrics, all_measures()), columns, arguments)


def compute(name: str, /, **arguments: Any) -> MeasureResult:
    """Score with one measure; messages carry its name.

    Args:
        name: of the measure.
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
    result: MeasureResult = _score(name, (name,), (), arguments)[name]
    return result


def compare(*columns: Any, metrics: Sequence[str] = DEFAULT_METRICS, **arguments: Any) -> Comparison:
    """Compare two systems on the same samples by a paired bootstrap.

    Args:
        *columns: predictions of system A, predictions of system B, and then the columns that both share, such as
            sources and values; by name in any order, those of a system as ``predictions_a``, ``mentions_b`` and so on.
        metrics: names of measures of one family or several; those of polarity, which compare groups, cannot be.
        **arguments: columns by name and settings, as `score` takes them.

    Returns:
        For each measure ``a``, ``b``, ``difference`` (A minus B; below zero A is fairer), ``difference_ci``,
        ``p_value`` (two-sided, never 0), ``lost`` (share of replicates without a score), ``n_samples``, ``n_skipped``
        (samples that either system left without a score) and ``signature``; ``undefined`` gives the reason when there
        is no interval. The dict shows itself; see `fairsum_utils.results.Comparison`.

    Raises:
        InputError: an input or a setting is not as described, or none of the measures takes it.

    Example:
        >>> sources, values = [["Tasty soup.", "Awful soup."]] * 2, [["pos", "neg"]] * 2
        >>> compare(["Tasty."] * 2, ["Tasty, awful."] * 2, sources, values, metrics=["uer"])["uer"]["difference"]
        0.25
    """
    names = check_metrics("compare", metrics, all_measures())
    with Session([Request(name) for name in names], module="compare") as session:
        session.check_comparable()
    known = all_columns(names)
    paired = [name for name, column in known.items() if column.of_system]
    order = ["predictions_a", "predictions_b", *(name for name in _order(names) if name not in paired)]
    given = _named("compare", order, columns, arguments)
    for name in paired:
        if given.get(name) is not None:
            raise InputError(f"compare: {name} are those of one system; give {name}_a and {name}_b, one of each system")
    check_columns("compare", **{name: given[name] for name in order if given.get(name) is not None})
    systems = []
    for system, other in (("a", "b"), ("b", "a")):
        mine = {name: given.get(f"{name}_{system}") for name in paired}
        for name, entries in mine.items():
            if entries is not None and given.get(f"{name}_{other}") is None:
                raise InputError(f"compare: {name} must be given for both systems, or for neither")
        systems.append(mine)
    theirs = {f"{name}_{system}" for name in paired for system in "ab"}
    named = theirs.union(known).difference(paired)
    check_columns("compare", **{name: column for name, column in given.items() if name in named and column is not None})
    shared = {name: argument for name, argument in given.items() if name not in theirs}
    asked = {name: name for name in names}
    (a, settings), (b, _) = (split_arguments("compare", asked, {**mine, **shared}) for mine in systems)
    with Session([Request(name, settings=settings[name]) for name in names], module="compare") as session:
        results = session.compare(a, b)
    tell(results)
    return results


def compare_systems(
    systems: Mapping[str, Any],
    *columns: Any,
    metrics: Sequence[str] = DEFAULT_METRICS,
    baseline: str | None = None,
    pairs: bool = False,
    quality: Mapping[str, Mapping[str, Sequence[float]]] | None = None,
    **arguments: Any,
) -> SystemComparison:
    """Compare any number of systems on the same samples: scores, paired differences, corrected p-values, ranks.

    Each sample's sources are read once for all systems, and every system is drawn by the same bootstrap. A sample that
    some system leaves without a score is left out for all. Of two systems the differences are those of `compare`.

    Args:
        systems: name of a system -> its predictions, or a mapping of the columns that are its own, such as
            ``{"predictions": ..., "mentions": ...}``.
        *columns: the columns that all systems share, such as sources and values, in their order; also by name.
        metrics: names of measures of one family or several; those of polarity, which compare groups, cannot be.
        baseline: the system that the others are compared with; None for the first.
        pairs: list the differences of all pairs, not only those from the baseline.
        quality: name of a score -> name of a system -> one number a sample, whose means are to stand beside the rest.
        **arguments: columns by name and settings, as `score` takes them.

    Returns:
        ``baseline``, None with `pairs`; ``systems``: name -> ``n_samples``, ``mean_words``, ``mean_characters``,
        ``share_empty``, ``share_matched`` (representation), ``mean_coverage`` (coverage) and ``columns``, the means of
        `quality`; ``metrics``: measure -> ``systems``: name -> ``score``, ``ci``, ``ci_lost``, ``rank`` (no two systems
        of a rank differ significantly; None without a score) and ``n_skipped``; ``differences``: each with ``a``,
        ``b``, ``difference`` (A minus B; below zero A is fairer), ``difference_ci``, ``p_value`` (two-sided, never 0),
        ``p_value_corrected`` (Holm's over the ``n_tests`` differences of the measure), ``lost`` and, if there is no
        interval, ``undefined``; ``alpha``, the level of significance; ``n_samples``, ``n_skipped``, ``signature`` and
        ``warnings``; and ``warnings``: systems that look fairer and say less.

    Raises:
        InputError: an input or a setting is not as described, or none of the measures takes it.

    Example:
        >>> sources, values = [["Tasty soup.", "Awful soup."]] * 3, [["pos", "neg"]] * 3
        >>> systems = {"lead": ["Tasty."] * 3, "both": ["Tasty, awful."] * 3, "none": ["Soup."] * 3}
        >>> found = compare_systems(systems, sources, values, metrics=["uer"])["metrics"]["uer"]
        >>> {name: (system["score"], system["rank"]) for name, system in found["systems"].items()}
        {'lead': (0.25, 2), 'both': (0.0, 1), 'none': (0.0, 1)}
    """
    from fairsum_utils.systems import Contest, check_baseline

    module = "compare_systems"
    names = check_metrics(module, metrics, all_measures())
    if not isinstance(systems, Mapping):
        raise InputError(f"{module}: systems must be a mapping of name -> predictions, found {describe(systems)}")
    check_baseline(module, list(systems), baseline)
    paired = [name for name, column in all_columns(names).items() if column.of_system]
    shared = _named(module, [name for name in _order(names) if name not in paired], columns, arguments)
    if own := [name for name in paired if shared.get(name) is not None]:
        raise InputError(f"{module}: {own[0]} are those of one system; give each system its own in systems")
    asked = {name: name for name in names}
    given, settings = [], {}
    for system, its in systems.items():
        mine = dict(its) if isinstance(its, Mapping) else {"predictions": its}
        if wrong := [name for name in mine if name not in paired]:
            raise InputError(
                f"{module}: {describe(wrong[0])} of system {system!r} is no column that systems have of their own; "
                f"these are {', '.join(paired)}"
            )
        each, settings = split_arguments(module, asked, {**mine, **shared})
        check_columns(f"{module}: system {system!r}", **each)
        given.append(each)
    if len({frozenset(each) for each in given}) > 1:
        raise InputError(f"{module}: every system must have the same columns, found {_columns_of(systems, given)}")
    if len({len(next(iter(each.values()))) for each in given}) > 1:
        sizes = (f"{len(next(iter(each.values())))} of {name}" for name, each in zip(systems, given, strict=True))
        raise InputError(f"{module}: compare the same samples; found {', '.join(sizes)}")
    others = _qualities(module, quality or {}, list(systems), len(next(iter(given[0].values()))))
    with Session([Request(name, settings=settings[name]) for name in names], module=module) as session:
        contest = Contest(session, list(systems))
        contest.score(given, others)
        document = contest.document(baseline=baseline, pairs=pairs)
        results = SystemComparison(document, run=session.provenance())
    tell({**document["metrics"], "systems": document})
    return results


def _columns_of(systems: Mapping[str, Any], given: Sequence[Mapping[str, Any]]) -> str:
    return "; ".join(f"{', '.join(each)} of {name}" for name, each in zip(systems, given, strict=True))


def _qualities(
    module: str, quality: Mapping[str, Mapping[str, Sequence[float]]], systems: Sequence[str], n: int
) -> list[dict[str, Sequence[float]]]:
    """For each system its columns of numbers."""
    for name, by_system in quality.items():
        for system in systems:
            if system not in by_system:
                raise InputError(f"{module}: the quality {name!r} lacks system {system!r}; give it for every system")
            if len(by_system[system]) != n:
                raise InputError(
                    f"{module}: the quality {name!r} of system {system!r} has {len(by_system[system])} numbers for {n} "
                    "samples; give one a sample"
                )
    return [{name: by_system[system] for name, by_system in quality.items()} for system in systems]


def _score(module: str, names: Sequence[str], columns: Sequence[Any], arguments: Mapping[str, Any]) -> ScoreResults:
    given, settings = split_arguments(
        module, {name: name for name in names}, _named(module, _order(names), columns, arguments)
    )
    with Session([Request(name, settings=settings[name]) for name in names], module=module) as session:
        results = session.score(given)
    tell(results, stacklevel=4)
    return results


def _order(names: Sequence[str]) -> list[str]:
    """The columns that may be given by position: those that all families have at the same place."""
    orders = [[column.name for column in family.columns] for family in {family_of(name): None for name in names}]
    order = []
    for places in zip(*orders, strict=False):
        if len(set(places)) > 1:
            break
        order.append(places[0])
    return order


def _named(module: str, order: Sequence[str], columns: Sequence[Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """All arguments by name."""
    if len(columns) > len(order):
        raise InputError(
            f"{module}: found {len(columns)} columns without a name, but only {', '.join(order)} can be told by their "
            "place; name the others"
        )
    given = dict(zip(order, columns, strict=False))
    for name in given:
        if name in arguments:
            raise InputError(f"{module}: {name} is given twice, by its place and by its name")
    return {**given, **arguments}


def _document() -> None:
    """Show every column and setting in the signatures and the help of the calls."""
    measures = all_measures()
    metrics = Parameter("metrics", Parameter.KEYWORD_ONLY, default=DEFAULT_METRICS, annotation="Sequence[str]")
    details = f"\n\nColumns:\n{describe_columns(measures)}\n\nSettings:\n{describe_settings(measures)}\n"
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
    by_systems = derive_signature(measures, metrics, *options, columns=shared)
    by_systems = by_systems.replace(parameters=[systems, *by_systems.parameters.values()])
    for function, signature in (
        (score, derive_signature(measures, metrics)),
        (compare, derive_signature(measures, metrics, columns=both)),
        (compare_systems, by_systems),
    ):
        function.__signature__ = signature  # type: ignore[attr-defined]
        function.__doc__ = f"{function.__doc__}{details}"
    by_name = [
        parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in derive_signature(measures).parameters.values()
    ]
    compute.__signature__ = derive_signature([]).replace(parameters=[name, *by_name])  # type: ignore[attr-defined]


_document()
