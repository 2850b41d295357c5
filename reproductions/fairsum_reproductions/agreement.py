"""Agreement with people and of people: correlation, classification, alpha and kappa.

SciPy computes correlations. Krippendorff's alpha is computed here, because the package of that name is under the GPL.
"""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any, Literal, get_args

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.stats.arrays import Floats, exact_mean
from fairsum_utils.validation import check_choice, check_count

Kind = Literal["nominal", "ordinal", "interval"]
KINDS = get_args(Kind)


def correlation(a: Sequence[float], b: Sequence[float]) -> dict[str, Any]:
    """Compute Spearman's rho (mean ranks for ties) and Pearson's r, with two-sided p-values.

    Args:
        a: finite numbers, shape (n,).
        b: finite numbers, shape (n,).

    Returns:
        `spearman`, `spearman_p_value`, `pearson`, `pearson_p_value`, and `undefined`: the reason for each that is NaN.

    Source: Dhamala et al. 2021, 6.3 and table 8; Zhang et al. 2024, 6.4 (Pearson).

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

    Source: Dhamala et al. 2021, 6.3 and table 8.

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

    Source: K. Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011; used in Zhang et al. 2024, 6.3 and 6.4.

    Example:
        >>> krippendorff_alpha([[0, 1], [1, 1], [0, 0], [0, 0]], "nominal")["alpha"]
        0.5333333333333333
    """
    check_choice("agreement", "kind", kind, KINDS)
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


def randolph_kappa(
    units: Sequence[Sequence[Hashable]], n_categories: int, *, module: str = "agreement"
) -> dict[str, Any]:
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

    Source: J. J. Randolph, "Free-marginal multirater kappa", 2005; used in Zhang et al. 2024, 6.3.

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
