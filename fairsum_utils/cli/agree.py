"""`fairsum analyse agree`: labels or scores against those of people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairsum_utils.cli.command import Option, Options, command, in_group
from fairsum_utils.cli.options import file_argument, given_settings, read_file, reading_options, setting_options
from fairsum_utils.cli.outputs import output_options, write_result

if TYPE_CHECKING:
    from fairsum_utils.families import Setting
    from fairsum_utils.reports.tables import Part


_RATING = "rating"


def _settings() -> list[Setting]:
    from fairsum_utils.analysis.ratings import RatingSettings

    return list(RatingSettings.infos().values())


@command(
    file_argument(),
    *reading_options(),
    Option("--prediction-column", metavar="NAME", help="the label or score to judge"),
    Option("--reference-column", required=True, multiple=True, metavar="NAME", help="of people; may be repeated"),
    Option("--kind", default="nominal", metavar="KIND", help="nominal, ordinal, interval or rating"),
    Option("--order", metavar="LIST", help="labels of ordinal data, least first, separated by commas"),
    Option("--categories", type=int, metavar="N", help="labels annotators could choose from, for Randolph's kappa"),
    *in_group(
        "ratings: with --kind rating",
        Option("--sample-column", default="id", metavar="NAME", help="which summary"),
        Option("--value-column", metavar="NAME", help="which value of it, for the shares by value"),
        *setting_options(_settings()),
    ),
    *output_options(),
)
def agree(options: Options) -> int:
    r"""Compare automatic labels or scores with those of people.

    kinds:
      nominal    labels: accuracy, precision, recall, F1 (by class, and weighted by class size), alpha
      ordinal    labels with an order (--order, least first) or whole numbers: the same, Spearman's rho and Pearson's r
      interval   numbers: rho, r, alpha
      rating     no predictions, but people's ratings from 1 to 5 of how fairly a summary treats a value, a row each:
                 the share of unfair summaries (any value below 5), by value, Randolph's kappa of ratings and of
                 verdicts

    Several annotators: name their columns one by one, or one column of lists. Their label is that of the
    majority (samples without one are skipped and counted), their number the mean; the alpha among them is given
    too. Empty cells are missing.

    examples:
      fairsum analyse agree labels.jsonl --prediction-column label --reference-column human
      fairsum analyse agree labels.csv --prediction-column gender --reference-column a1 --reference-column a2 \
          --reference-column a3 --kind ordinal --order male,neutral,female
      fairsum analyse agree scores.parquet --prediction-column share --reference-column human_share \
          --kind interval --format json
      fairsum analyse agree ratings.csv --kind rating --sample-column id --value-column gender --reference-column r1 \
          --reference-column r2 --reference-column r3 --reference-column r4
    """
    write_result(options, _ratings(options) if options.kind == _RATING else _agreement(options), parts_of)
    return 0


def _agreement(options: Options) -> dict[str, Any]:
    from fairsum_utils.errors import InputError
    from fairsum_utils.stats.agreement import agreement

    if options.prediction_column is None:
        raise InputError(f"agree: --kind {options.kind} needs --prediction-column; only --kind {_RATING} has none")
    order = None if options.order is None else [label.strip() for label in options.order.split(",")]
    (predictions,), references = _columns(options, "prediction_column")
    return agreement(predictions, references, kind=options.kind, order=order, n_categories=options.categories)


def _ratings(options: Options) -> dict[str, Any]:
    from fairsum_utils.analysis.ratings import RatingSettings, rating_agreement
    from fairsum_utils.errors import InputError

    for flag in ("prediction_column", "order", "categories"):
        if getattr(options, flag) is not None:
            raise InputError(f"agree: --kind {_RATING} has no --{flag.replace('_', '-')}; leave it out")
    names = ["sample_column", *(["value_column"] if options.value_column is not None else [])]
    (samples, *values), ratings = _columns(options, *names)
    settings = RatingSettings.make(given_settings(options, "agree", _settings()), module="agree")
    return rating_agreement(samples, ratings, values=values[0] if values else None, settings=settings)


def _columns(options: Options, *flags: str) -> tuple[list[list[Any]], list[list[Any]]]:
    """Return the columns named by flags, and the ratings of each row."""
    needed = {getattr(options, flag): f"--{flag.replace('_', '-')}" for flag in flags}
    needed |= dict.fromkeys(options.reference_column, "--reference-column")
    columns: list[list[Any]] = [[] for _ in flags]
    references = []
    for row in read_file(options, needed):
        for column, flag in zip(columns, flags, strict=True):
            column.append(row[getattr(options, flag)])
        cells = (row[name] for name in options.reference_column)
        references.append([one for cell in cells for one in (cell if isinstance(cell, list) else [cell])])
    return columns, references


_TITLES = {
    "accuracy": "accuracy",
    "precision": "precision (weighted)",
    "recall": "recall (weighted)",
    "f1": "F1 (weighted)",
    "spearman": "Spearman's rho",
    "pearson": "Pearson's r",
    "alpha": "Krippendorff's alpha",
    "annotators_alpha": "alpha among annotators",
    "annotators_kappa": "Randolph's kappa among annotators",
    "rating_score": "unfair summaries",
    "ratings_kappa": "Randolph's kappa of ratings",
    "verdicts_kappa": "Randolph's kappa of verdicts",
    "ratings_alpha": "Krippendorff's alpha of ratings",
}
_OF_CLASS = {"precision": "precision", "recall": "recall", "f1": "F1"}
_OF_VALUE = {"unfair": "rated unfair", "mean_rating": "mean rating", "n_ratings": "ratings"}
_SIZES = {"n_predictions": "predicted", "n_references": "true"}


def parts_of(result: dict[str, Any]) -> list[Part]:
    """Return the parts of the agreement report."""
    from fairsum_utils.reports.tables import Table, closing, opening

    beside = ("interval", "ci") if "rating_score" in result else ("p", "p_value")
    scores = [
        [title, result[name], _beside(result.get(f"{name}_{beside[1]}"))]
        for name, title in _TITLES.items()
        if name in result
    ]
    parts: list[Part] = [[opening(result["file"], result)], Table(["", "value", beside[0]], scores)]
    if "by_class" in result:
        rows = [[label, *(one[name] for name in (*_OF_CLASS, *_SIZES))] for label, one in result["by_class"].items()]
        parts.append(Table(["class", *_OF_CLASS.values(), *_SIZES.values()], rows))
    if "rating_by_combination" in result:
        rows = [*map(list, result["rating_by_combination"].items())]
        parts.append(Table(["raters combined by", "unfair summaries"], rows))
    if "by_value" in result:
        rows = [[value, *(of[name] for name in _OF_VALUE)] for value, of in result["by_value"].items()]
        parts.append(Table(["value", *_OF_VALUE.values()], rows))
    if "choices" in result:
        parts.append([f"chosen: {choice}" for choice in result["choices"]])
    return [*parts, *closing(result)]


def _beside(entry: Any) -> Any:
    """Return a score's p-value, or the ends of its interval."""
    from fairsum_utils.reports.tables import interval

    return interval(entry) if isinstance(entry, list) else entry
