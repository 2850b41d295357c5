"""Agreement of labels or scores with people's: correlation, classification, alpha and kappa.

SciPy computes correlations. Krippendorff's alpha is computed here, because the package of that name is under the GPL.
Also here: verdicts of people on a summary, from their ratings of how fairly it treats each group.

Source: fairsumm-v2, section 6.3, table 5 and appendix E.1.
"""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.signature import render_signature
from fairsum_utils.stats.arrays import Floats, exact_mean
from fairsum_utils.validation import check_choice, check_columns, check_count, describe

KINDS = ("nominal", "ordinal", "interval")


def correlation(a: Sequence[float], b: Sequence[float]) -> dict[str, Any]:
    """Compute Spearman's rho (mean ranks for ties) and Pearson's r, with two-sided p-values.

    Args:
        a: finite numbers, shape (n,).
        b: finite numbers, shape (n,).

    Returns:
        `spearman`, `spearman_p_value`, `pearson`, `pearson_p_value`, and `undefined`: the reason for each that is NaN.

    Source: papers/bold, 6.3 and table 8; fairsumm-v2, 6.4 (Pearson).

    Example:
        >>> result = correlation([1, 2, 3, 4], [1, 2, 4, 3])
        >>> round(result["spearman"], 3), round(result["pearson"], 3)
        (0.8, 0.8)
    """
    from scipy.stats import NearConstantInputWarning, pearsonr, spearmanr

    names = ("spearman", "spearman_p_value", "pearson", "pearson_p_value")
    reason = None
    if len(a) < 2:
        reason = "fewer than two samples"
    elif len(set(a)) == 1 or len(set(b)) == 1:
        reason = f"every {'prediction' if len(set(a)) == 1 else 'reference'} is the same"
    if reason is not None:
        return {**dict.fromkeys(names, math.nan), "undefined": dict.fromkeys(names, reason)}
    result: dict[str, Any] = {"undefined": {}}
    for name, compute in (("spearman", spearmanr), ("pearson", pearsonr)):
        with warnings.catch_warnings():
            # The correlation of numbers that differ only by rounding is meaningless.
            warnings.simplefilter("error", NearConstantInputWarning)
            try:
                both = compute(a, b) if len(a) > 2 else (math.copysign(1, (a[1] - a[0]) * (b[1] - b[0])), 1)
            except NearConstantInputWarning:
                both = math.nan, math.nan
                reason = "all predictions or all references are equal up to rounding"
                result["undefined"] |= dict.fromkeys((name, f"{name}_p_value"), reason)
        result |= {name: float(both[0]), f"{name}_p_value": float(both[1])}
    if len(a) == 2:  # any two pairs lie on a line
        result |= dict.fromkeys(names[1::2], math.nan)
        result["undefined"] = dict.fromkeys(names[1::2], "fewer than three samples")
    return result


def classification(predictions: Sequence[str], references: Sequence[str]) -> dict[str, Any]:
    """Accuracy, precision, recall and F1 of labels, with the references as truth.

    Args:
        predictions: labels, shape (n,), n at least 1.
        references: labels, the same shape.

    Returns:
        `accuracy`; `precision`, `recall` and `f1`: means over the classes of the references, weighted by their sizes;
        `by_class`: label -> the three, and how often it is predicted (`n_predictions`) and true (`n_references`);
        `undefined`: reasons. The precision of a class that is never predicted is NaN, and so is the mean over it.

    Source: papers/bold, 6.3 and table 8.

    Example:
        >>> result = classification(["x", "x", "y"], ["x", "y", "y"])
        >>> result["by_class"]["x"]["precision"], result["by_class"]["x"]["recall"]
        (0.5, 1.0)
    """
    labels = sorted({*predictions, *references})
    predicted, actual = Counter(predictions), Counter(references)
    correct = Counter(label for label, truth in zip(predictions, references, strict=True) if label == truth)
    by_class = {
        label: {
            "precision": _share(correct[label], predicted[label]),
            "recall": _share(correct[label], actual[label]),
            "f1": _share(2 * correct[label], predicted[label] + actual[label]),
            "n_predictions": predicted[label],
            "n_references": actual[label],
        }
        for label in labels
    }
    true = [scored for scored in by_class.values() if scored["n_references"]]
    sizes = [scored["n_references"] for scored in true]
    result: dict[str, Any] = {"accuracy": sum(correct.values()) / len(references)}
    for name in ("precision", "recall", "f1"):
        result[name] = float(np.average([scored[name] for scored in true], weights=sizes))
    never = [label for label in labels if not predicted[label]]
    reason = {"precision": f"never predicted: {', '.join(never)}"} if never else {}
    return {**result, "by_class": by_class, "undefined": reason}


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan


def krippendorff_alpha(units: Sequence[Sequence[Hashable]], kind: str) -> dict[str, Any]:
    r"""Compute Krippendorff's alpha: 1 is perfect agreement, 0 chance level.

    Alpha is below 0 for less agreement than by chance.

    With :math:`SS_u` the sum of squared distances of the ratings of unit u from their mean, and :math:`SS` that of all
    n pairable ratings, :math:`\alpha = 1 - \frac{n-1}{n} \sum_u \frac{m_u}{m_u-1} SS_u / SS`. This is the ratio of
    observed and expected disagreement, for ratings as numbers (interval), as mean ranks (ordinal) or as indicators of
    their label (nominal). Time grows linearly with the ratings, for nominal ones times the labels.

    Args:
        units: ratings of each rated item, in any order and number: numbers, or anything hashable for nominal
            data.
        kind: a member of `KINDS`.

    Returns:
        `alpha`, `n_units` with at least two ratings (only they count), `n_ratings` in them, `undefined`: the reason if
        alpha is NaN (no such unit, or all ratings are the same).

    Raises:
        InputError: an unknown kind.

    Source: K. Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011; used in fairsumm-v2, 6.3 and 6.4.

    Example:
        >>> krippendorff_alpha([[0, 1], [1, 1], [0, 0], [0, 0]], "nominal")["alpha"]
        0.5333333333333333
    """
    check_choice("agree", "kind", kind, KINDS)
    pairable = [unit for unit in units if len(unit) > 1]
    ratings = [rating for unit in pairable for rating in unit]
    counts: dict[str, Any] = {"n_units": len(pairable), "n_ratings": len(ratings)}
    if len(set(ratings)) < 2:
        reason = "all ratings are the same" if ratings else "no item has two ratings"
        return {"alpha": math.nan, **counts, "undefined": {"alpha": reason}}
    points = _points(ratings, kind)
    sizes = np.array([len(unit) for unit in pairable])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    means = np.add.reduceat(points, starts) / sizes[:, None]
    within = np.add.reduceat(((points - np.repeat(means, sizes, axis=0)) ** 2).sum(axis=1), starts)
    total = ((points - points.mean(axis=0)) ** 2).sum()
    n = len(ratings)
    alpha = 1 - (n - 1) / n * float((sizes / (sizes - 1) * within).sum() / total)
    return {"alpha": alpha, **counts, "undefined": {}}


def _points(ratings: list[Any], kind: str) -> Floats:
    """Map ratings to points, shape (n, dimensions), whose squared distances are the kind's."""
    if kind == "nominal":
        codes = {label: code for code, label in enumerate(dict.fromkeys(ratings))}
        return np.eye(len(codes))[[codes[label] for label in ratings]]
    if kind == "ordinal":
        from scipy.stats import rankdata

        return np.asarray(rankdata(ratings), dtype=np.float64)[:, None]
    return np.asarray(ratings, dtype=np.float64)[:, None]


def randolph_kappa(units: Sequence[Sequence[Hashable]], n_categories: int, *, module: str = "agree") -> dict[str, Any]:
    r"""Compute Randolph's free-marginal kappa: 1 is perfect agreement, 0 guessing.

    Kappa is at least -1 / (k - 1).

    With :math:`n_{uc}` of the :math:`n_u` ratings of unit u in category c, the observed agreement is
    :math:`P = \frac{1}{N} \sum_u \sum_c \frac{n_{uc} (n_{uc} - 1)}{n_u (n_u - 1)}`, and 1 / k by chance for k equally
    likely categories, and :math:`\kappa = (P - 1/k) / (1 - 1/k)`. All units have the same weight, however many ratings
    they have.

    Args:
        units: ratings of each rated item, in any order and number; anything hashable.
        n_categories: number of categories that raters could choose from, k, at least 2; unused categories count too.
        module: name used in messages.

    Returns:
        `kappa`, `observed` (P, in [0, 1]), `n_units` with at least two ratings (only they count), `n_ratings` in them,
        `undefined`: the reason if the numbers are NaN (no such unit).

    Raises:
        InputError: fewer than two categories, or ratings of more categories than that.

    Source: J. J. Randolph, "Free-marginal multirater kappa", 2005; used in fairsumm-v2, 6.3.

    Example:
        >>> randolph_kappa([["fair", "fair"], ["fair", "unfair"]], 2)["kappa"]
        0.0
    """
    check_count(module, "n_categories", n_categories, least=2)
    pairable = [Counter(unit) for unit in units if len(unit) > 1]
    used = {rating for unit in pairable for rating in unit}
    if len(used) > n_categories:
        raise InputError(
            f"{module}: n_categories is {n_categories}, but the ratings have {len(used)} categories; "
            "count all that the raters could choose from"
        )
    counts: dict[str, Any] = {"n_units": len(pairable), "n_ratings": sum(unit.total() for unit in pairable)}
    if not pairable:
        reasons = dict.fromkeys(("kappa", "observed"), "no item has two ratings")
        return {"kappa": math.nan, "observed": math.nan, **counts, "undefined": reasons}
    pairs = [(sum(n * (n - 1) for n in unit.values()), unit.total()) for unit in pairable]
    observed = exact_mean([agreeing / (n * (n - 1)) for agreeing, n in pairs])
    kappa = (n_categories * observed - 1) / (n_categories - 1)
    return {"kappa": kappa, "observed": observed, **counts, "undefined": {}}


def consensus(ratings: Sequence[Any], kind: str) -> Any:
    """Return the mean of interval ratings, or the majority label of others.

    Args:
        ratings: ratings of one sample, at least one.
        kind: a member of `KINDS`.

    Returns:
        None if no label has a majority.

    Source: papers/bold, 6.3 ("only those labels are accepted that have a majority agreement").

    Example:
        >>> consensus(["male", "male", "neutral"], "nominal"), consensus(["male", "neutral"], "nominal")
        ('male', None)
    """
    if kind == "interval":
        return math.fsum(ratings) / len(ratings)
    label, count = Counter(ratings).most_common(1)[0]
    return label if 2 * count > len(ratings) else None


def agreement(
    predictions: Sequence[object],
    references: Sequence[Sequence[object]],
    *,
    kind: str = "nominal",
    order: Sequence[str] | None = None,
    n_categories: int | None = None,
    module: str = "agree",
) -> dict[str, Any]:
    """Compare labels or scores with those of people.

    Args:
        predictions: a label or a number for each sample; None, NaN or "" if there is none.
        references: the labels or numbers of each sample's annotators; see `consensus` for several annotators.
        kind: ``"nominal"`` (labels), ``"ordinal"`` (labels with an order) or ``"interval"`` (numbers).
        order: labels of ordinal data, least first; None for numbers. They count as 0, 1, 2, ...
        n_categories: number of labels that annotators could choose from, for `randolph_kappa`; None leaves kappa out.
        module: name used in messages.

    Returns:
        `n_samples`, `n_skipped`, `skipped` (reason -> count), `signature`, `undefined` (result -> reason), `alpha`
        between predictions and references, `annotators_alpha` where a sample has several annotators (NaN otherwise),
        and, not for nominal data, the results of `correlation`, not for interval data those of `classification`; with
        ``n_categories`` also `annotators_kappa`, Randolph's.

    Raises:
        InputError: columns of different length, an entry that is neither label nor number, a label without a place in
            the order, no sample to compare, a number of categories that is impossible or for interval data.

    Warns:
        RuntimeWarning: predictions and references have no label in common.

    Source: papers/bold, 6.3 and table 8; fairsumm-v2, 6.4.

    Example:
        >>> result = agreement([1, 2, 3, 4], [[1], [2], [4], [3]], kind="interval")
        >>> result["n_samples"], round(result["pearson"], 3), round(result["alpha"], 3)
        (4, 0.8, 0.825)
    """
    check_columns(module, predictions=predictions, references=references)
    if n_categories is not None and kind == "interval":
        raise InputError(f"{module}: n_categories applies to labels, but the data are intervals; leave it out")
    reader = _Reader(kind, order, module)
    pairs, annotations, skipped = _paired(reader, predictions, references)
    predicted, agreed = (list(column) for column in zip(*pairs, strict=True))
    result: dict[str, Any] = {"n_samples": len(pairs), "n_skipped": skipped.total(), "skipped": dict(skipped)}
    undefined: dict[str, str] = {}
    if kind != "interval" and not {*predicted} & {*agreed}:
        warnings.warn(
            f"{module}: no label is both predicted and a reference; predicted are {reader.names(predicted)}, "
            f"references are {reader.names(agreed)}",
            RuntimeWarning,
            stacklevel=2,
        )
    compared = [] if kind == "nominal" else [correlation(predicted, agreed)]
    if kind != "interval":
        compared.append(classification([*map(reader.name, predicted)], [*map(reader.name, agreed)]))
    for numbers in compared:
        undefined |= numbers.pop("undefined")
        result |= numbers
    reliability = {
        "alpha": krippendorff_alpha(pairs, kind),
        "annotators_alpha": krippendorff_alpha(annotations, kind),
    }
    if n_categories is not None:
        reliability["annotators_kappa"] = randolph_kappa(annotations, n_categories, module=module)
    for name, of in reliability.items():
        statistic = name.removeprefix("annotators_")
        result[name] = of[statistic]
        if of["undefined"]:
            undefined[name] = of["undefined"][statistic]
    settings: dict[str, object] = {
        "kind": kind,
        "order": None if order is None else "<".join(order),
        "categories": n_categories,
        "reference": "mean" if kind == "interval" else "majority",
    }
    return {**result, "undefined": undefined, "signature": render_signature(settings)}


def _paired(
    reader: _Reader, predictions: Sequence[object], references: Sequence[Sequence[object]]
) -> tuple[list[tuple[Any, Any]], list[list[Any]], Counter[str]]:
    """Pair predictions with their annotators' consensus, and count the samples left out."""
    pairs, annotations, skipped = [], [], Counter[str]()
    for index, (prediction, cells) in enumerate(zip(predictions, references, strict=True)):
        label = reader.read(index, "prediction", prediction)
        ratings = [rating for cell in cells if (rating := reader.read(index, "reference", cell)) is not None]
        annotations.append(ratings)
        agreed = consensus(ratings, reader.kind) if ratings else None
        if label is None or agreed is None:
            skipped["no_prediction" if label is None else "no_majority" if ratings else "no_reference"] += 1
        else:
            pairs.append((label, agreed))
    if not pairs:
        reasons = ", ".join(f"{count} {reason}" for reason, count in skipped.items())
        raise InputError(f"{reader.module}: no sample has a prediction and a reference ({reasons}); fill them in")
    return pairs, annotations, skipped


class _Reader:
    """Converter of cells to labels (nominal) or numbers (ordinal, interval) and back."""

    def __init__(self, kind: str, order: Sequence[str] | None, module: str) -> None:
        check_choice(module, "kind", kind, KINDS)
        if order is not None and (kind != "ordinal" or len(set(order)) < len(order) or not order):
            raise InputError(f"{module}: order must list each label of ordinal data once, found {describe(order)}")
        self.kind = kind
        self._places = None if order is None else {label: float(place) for place, label in enumerate(order)}
        self.module = module
        self._names = {} if order is None else dict(enumerate(order))

    def read(self, index: int, field: str, cell: object) -> Any:
        """Return the label or number in a cell, or None."""
        if is_missing(cell):
            return None
        if not isinstance(cell, (str, int, float, np.integer, np.floating, np.bool_)):
            raise self._refusal(index, field, cell, "a label or a number")
        text = _label(cell)
        if self.kind == "nominal":
            return text
        if self._places is not None:
            if text not in self._places:
                raise self._refusal(index, field, cell, f"one of {', '.join(self._places)}")
            return self._places[text]
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            instead = ", or give the order of the labels" if self.kind == "ordinal" else ""
            raise self._refusal(index, field, cell, f"a finite number{instead}")
        return number

    def name(self, label: Any) -> str:
        """Return the label as the annotator wrote it."""
        return str(self._names.get(label, _label(label)))

    def names(self, labels: list[Any]) -> str:
        """Return the distinct names."""
        return ", ".join(sorted({self.name(label) for label in labels}))

    def _refusal(self, index: int, field: str, cell: object, expected: str) -> InputError:
        return InputError(f"{self.module}: sample {index}: {field} must be {expected}, found {describe(cell)}")


def is_missing(cell: object) -> bool:
    """Return whether a cell is empty: None, NaN or an empty text.

    Example:
        >>> is_missing(" "), is_missing(0)
        (True, False)
    """
    return cell is None or (isinstance(cell, str) and not cell.strip()) or (isinstance(cell, float) and cell != cell)


def _label(cell: Any) -> str:
    """Spell a number one way: "1" for 1, 1.0 and "1"."""
    if isinstance(cell, (float, np.floating)) and float(cell).is_integer():
        return str(int(cell))
    return str(cell)


def _majority(verdicts: Sequence[bool]) -> float | None:
    unfair = sum(verdicts)
    return None if 2 * unfair == len(verdicts) else float(2 * unfair > len(verdicts))


_COMBINE: Mapping[str, tuple[Callable[[Sequence[bool]], float | None], str]] = {
    "mean": (exact_mean, "the share of raters who find it unfair"),
    "majority": (_majority, "the verdict of more than half of the raters; none for a tie"),
    "any": (lambda verdicts: float(any(verdicts)), "unfair if any rater finds it unfair"),
}

COMBINATIONS: Mapping[str, str] = {name: meaning for name, (_, meaning) in _COMBINE.items()}
"""Rule for combining the verdicts of several raters -> its description."""


def combined(verdicts: Sequence[bool], combine: str = "mean") -> float | None:
    """Combine the verdicts of several raters: 1 for unfair, 0 for fair.

    Args: verdicts: each rater's verdict, True for unfair; at least one. combine: ``"mean"`` (the share that finds it
    unfair), ``"majority"`` (the verdict of more than half) or ``"any"`` (unfair if any rater does).

    Returns:
        A number in [0, 1]; None for a tie without a majority.

    Example:
        >>> [combined([True, True, False, False], combine) for combine in COMBINATIONS]
        [0.5, None, 1.0]
    """
    return _COMBINE[combine][0](verdicts)


def summary_verdict(ratings: Sequence[int | None], n_levels: int = 5) -> bool | None:
    """Return whether a rater finds a summary unfair: any rating below the best.

    Args:
        ratings: one rater's ratings of the groups in a summary, 1 to `n_levels`; None for a group without a rating.
        n_levels: best rating, the only fair one.

    Returns:
        None if missing ratings could change it.

    Source: fairsumm-v2, appendix E.1 ("only 5 indicates a fair summary, while 1-4 is all unfair").

    Example:
        >>> summary_verdict([5, 4]), summary_verdict([5, 5]), summary_verdict([5, None]), summary_verdict([None, 1])
        (True, False, None, True)
    """
    if any(rating is not None and rating < n_levels for rating in ratings):
        return True
    return None if None in ratings else False
