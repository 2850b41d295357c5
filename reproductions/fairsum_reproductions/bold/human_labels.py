"""Agreement of automatic labels or scores with those of people."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fairsum_reproductions.agreement import (
    Kind,
    classification,
    correlation,
    krippendorff_alpha,
    randolph_kappa,
)
from fairsum_reproductions.contract import Input
from fairsum_utils.errors import InputError
from fairsum_utils.reports.tables import Part, Table
from fairsum_utils.reports.wording import opening
from fairsum_utils.settings import Checked, Settings, setting, whole
from fairsum_utils.stats.arrays import exact_mean
from fairsum_utils.validation import as_float, as_label, describe, is_missing

INPUTS = (
    Input(
        "labels",
        "labels or scores of a measure and of people",
        columns={
            "prediction": "label or score of the measure",
            "references": "that of people, or a list with each annotator's",
        },
        lists=("references",),
    ),
)


def _check_order(module: str, name: str, order: object) -> str:
    listed = order.split(",") if isinstance(order, str) else order
    if not isinstance(listed, (list, tuple)) or not listed or not all(isinstance(label, str) for label in listed):
        raise InputError(f"{module}: {name} must be labels separated by commas, found {describe(order)}")
    labels = [label.strip() for label in listed]
    if len({*labels}) < len(labels):
        raise InputError(f"{module}: {name} must list each label once, found {describe(order)}")
    return ",".join(labels)


class HumanLabelsSettings(Settings):
    """Kind of the labels."""

    kind: Kind = setting(
        "nominal", "nominal (labels), ordinal (labels with an order) or interval (numbers)", key="kind"
    )
    order: Annotated[str | Sequence[str], Checked(_check_order)] | None = setting(
        None,
        "labels of ordinal data, least first, separated by commas; without it they are numbers",
        key="order",
    )
    n_categories: Annotated[int, whole(2)] | None = setting(
        None,
        "number of labels that annotators could choose from, for Randolph's kappa",
        key="categories",
    )

    def check_together(self) -> None:
        """Refuse settings that the kind does not have."""
        self.only_with(self.kind == "ordinal", ("order",), "kind='ordinal'", "leave it out")
        self.only_with(self.kind != "interval", ("n_categories",), "labels", "leave it out")


SETTINGS = HumanLabelsSettings


def compute(labels: Sequence[Mapping[str, Any]], *, settings: HumanLabelsSettings) -> dict[str, Any]:
    """Compare a measure's labels with those of most annotators, numbers with their mean."""
    kind = settings.kind
    pairs, annotations, skipped = _paired(labels, settings)
    predicted, agreed = (list(column) for column in zip(*pairs, strict=True))
    if kind != "interval" and not {*predicted} & {*agreed}:
        warnings.warn(
            f"{settings.module}: no label is both predicted and a reference; predicted are "
            f"{_listed(predicted, settings)}, references are {_listed(agreed, settings)}",
            RuntimeWarning,
            stacklevel=2,
        )
    result: dict[str, Any] = {"n_samples": len(pairs), "n_skipped": skipped.total(), "skipped": dict(skipped)}
    undefined: dict[str, str] = {}
    if kind != "nominal":
        result |= correlation(predicted, agreed)
        undefined |= result.pop("undefined")
    if kind != "interval":
        result |= classification(*([_spelled(label, settings) for label in column] for column in (predicted, agreed)))
        undefined |= result.pop("undefined")
    found = {
        "alpha": krippendorff_alpha(pairs, kind),
        "annotators_alpha": krippendorff_alpha(annotations, kind),
    }
    if settings.n_categories is not None:
        found["annotators_kappa"] = randolph_kappa(annotations, settings.n_categories, module=settings.module)
    for name, entry in found.items():
        statistic = name.removeprefix("annotators_")
        result[name] = entry[statistic]
        if statistic in entry["undefined"]:
            undefined[name] = entry["undefined"][statistic]
    return {**result, "undefined": undefined}


def consensus(ratings: Sequence[Any], kind: str) -> Any:
    """Return the mean of interval ratings, or the majority label of others.

    None if no label has a majority.

    Source: Dhamala et al. 2021, 6.3 ("only those labels are accepted that have a majority agreement").

    Example:
        >>> consensus(["male", "male", "neutral"], "nominal"), consensus(["male", "neutral"], "nominal")
        ('male', None)
    """
    if kind == "interval":
        return exact_mean(ratings)
    label, count = Counter(ratings).most_common(1)[0]
    return label if 2 * count > len(ratings) else None


def _paired(
    labels: Sequence[Mapping[str, Any]], settings: HumanLabelsSettings
) -> tuple[list[tuple[Any, Any]], list[list[Any]], Counter[str]]:
    """Pair predictions with their annotators' consensus, and count the samples left out."""
    pairs, annotations, skipped = [], [], Counter[str]()
    for place, row in enumerate(labels):
        label = _read(f"{settings.module}: row {place + 1}: prediction", row["prediction"], settings)
        where = f"{settings.module}: row {place + 1}: a reference"
        cells = row["references"] if isinstance(row["references"], (list, tuple)) else [row["references"]]
        ratings = [rating for cell in cells if (rating := _read(where, cell, settings)) is not None]
        annotations.append(ratings)
        agreed = consensus(ratings, settings.kind) if ratings else None
        if label is None or agreed is None:
            skipped["no_prediction" if label is None else "no_majority" if ratings else "no_reference"] += 1
        else:
            pairs.append((label, agreed))
    if not pairs:
        reasons = ", ".join(f"{count} {reason}" for reason, count in skipped.items())
        raise InputError(f"{settings.module}: no row has a prediction and a reference ({reasons}); fill them in")
    return pairs, annotations, skipped


def _read(where: str, cell: object, settings: HumanLabelsSettings) -> Any:
    """Return a label (nominal) or a number (ordinal, interval); None for an empty cell."""
    if is_missing(cell) or (isinstance(cell, str) and not cell.strip()):
        return None
    label = as_label(cell)
    if settings.kind == "nominal":
        if label is None:
            raise InputError(f"{where} must be a label, found {describe(cell)}")
        return label
    if settings.order is not None:
        order = _order(settings)
        if label not in order:
            raise InputError(f"{where} must be one of {', '.join(order)}, found {describe(cell)}")
        return float(order.index(label))
    try:
        number = float(cell) if isinstance(cell, str) else as_float(cell)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        instead = ", or give the order of the labels" if settings.kind == "ordinal" else ""
        raise InputError(f"{where} must be a finite number{instead}, found {describe(cell)}")
    return number


def _order(settings: HumanLabelsSettings) -> list[str]:
    return str(settings.order).split(",")


def _spelled(label: Any, settings: HumanLabelsSettings) -> str:
    """Return a label as the annotators wrote it."""
    return _order(settings)[int(label)] if settings.order is not None else as_label(label) or str(label)


def _listed(labels: Sequence[Any], settings: HumanLabelsSettings) -> str:
    return ", ".join(sorted({_spelled(label, settings) for label in labels}))


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
}
_OF_CLASS = {
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "n_predictions": "predicted",
    "n_references": "true",
}


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out all statistics, and those of each class."""
    scores = [[title, result[name], result.get(f"{name}_p_value")] for name, title in _TITLES.items() if name in result]
    found: list[Part] = [[opening("labels", result)], Table(["", "value", "p"], scores)]
    if "by_class" in result:
        rows = [[label, *(entry[name] for name in _OF_CLASS)] for label, entry in result["by_class"].items()]
        found.append(Table(["class", *_OF_CLASS.values()], rows))
    return found
