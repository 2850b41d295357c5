"""Shared parts of BUR, UER, AUC and SOF."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, Literal, get_args

from fairsum_utils.errors import InputError
from fairsum_utils.measures._measure import Figures, Measure
from fairsum_utils.measures._shares import shortfall
from fairsum_utils.settings import ChanceSettings, Checked, Count, Positive, TextSettings, setting, whole
from fairsum_utils.settings.models import InferenceSettings, ModelId
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.validation import check_choice, check_distribution, describe, is_function

# Matchers that run a model.
NEURAL = ("bertscore", "bartscore")
# Matchers that are known by name.
MATCHERS = ("ngram", *NEURAL)
TARGETS = ("ratio", "equal")
Unmatched = Literal["uniform", "skip", "unfair"]
# Desired distributions that are known by name.
UNMATCHED = get_args(Unmatched)

# Largest difference of a sum of shares from 1.
SUM_TOLERANCE = 1e-6
RATIO = Figures(
    columns=(("ratio", "ratio_by_value"),),
    title="Share in the summary over desired share",
    axis="Ratio, mean of a group's samples; left of 1: less than desired, right of 1: more",
    fair="desired share",
    base=1.0,
    table="",
    first="smallest",
    over="samples",
)


def _check_matcher(module: str, name: str, matcher: Any) -> Any:
    return matcher if is_function(matcher) else check_choice(module, name, matcher, MATCHERS)


def _check_rescale(module: str, name: str, rescale: object) -> bool:
    if not isinstance(rescale, bool):
        raise InputError(f"{module}: {name} must be True, False or None, found {describe(rescale)}")
    return rescale


def _check_target(module: str, name: str, target: object) -> str | dict[str, float]:
    if isinstance(target, str) or not isinstance(target, Mapping):
        if not isinstance(target, str) or target not in TARGETS:
            raise InputError(
                f"{module}: {name} must be one of {', '.join(TARGETS)} or a mapping from group to share, "
                f"found {describe(target)}"
            )
        return target
    shares = check_distribution(f"{module}: {name}", target)
    total = sum(shares.values())
    if abs(total - 1) > SUM_TOLERANCE:
        raise InputError(f"{module}: the shares of {name} must have a sum of 1, found {total:g}")
    return shares


class RepresentationMeasure(InferenceSettings, TextSettings, ChanceSettings, Measure):
    """Measures of the shares that groups have in a summary.

    Example:
        >>> RepresentationMeasure(matcher="bertscore", k=2, module="bur")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: bur: k applies only to matcher='ngram', found int 2; leave it out, or
        choose matcher='ngram'
    """

    family = "representation"
    needs = ("predictions", "sources", "values")
    takes = ("target_distributions",)

    matcher: Annotated[str | Callable[..., Any], Checked(_check_matcher)] = setting(
        "ngram",
        "way to attribute a summary to groups: ngram; or a model, bertscore or bartscore; in Python also a function "
        "(joined source texts of each group, summary) -> one weight of at least 0 per group",
        key="matcher",
    )
    model: ModelId | None = setting(
        None,
        "for bertscore or bartscore: id or folder of the model; None for the paper's model",
        key="model",
    )
    revision: str | None = setting(None, "branch, tag or commit of the model")
    num_layers: Annotated[int, whole(0)] | None = setting(
        None,
        "for bertscore: hidden layer; None for bert-score's default if it has one, otherwise the last",
        key="layers",
    )
    rescale: Annotated[bool, Checked(_check_rescale)] | None = setting(
        None,
        "for bertscore: rescale by the model's baseline; None to rescale if bert-score has a baseline",
        key="rescale",
    )
    temperature: Positive = setting(
        0.1, "for bertscore or bartscore: temperature of the softmax over groups", key="temp"
    )
    k: Count = setting(1, "length of the n-grams", key="k", space=(1, 4))
    target: Annotated[str | Mapping[str, float], Checked(_check_target, TARGETS)] = setting(
        "ratio",
        "desired shares: ratio (as in the sources), equal, or a share for each group (GROUP=SHARE,... on the command "
        "line)",
        key="target",
        space=True,
    )
    empty: Literal["skip", "uniform", "error"] = setting(  # type: ignore[assignment]  # wider than in others; frozen
        "skip",
        "action for an empty summary: skip and count it, score it as uniform, or error",
        key="empty",
        shared=True,
    )
    unmatched: Unmatched | None = setting(
        None,
        "action for a summary that has nothing in common with its sources: uniform (equal shares, as in the paper), "
        "skip and count it, or unfair (no share for any group); None for uniform, but no score above 20% of summaries",
        key="unmatched",
    )
    single_value: Literal["keep", "skip"] = setting(
        "keep",
        "action for a sample with one group, which cannot be unfair: keep it, as in the paper, or skip and count it",
        key="single",
    )

    @classmethod
    def needed(cls, given: Collection[str] = ()) -> tuple[str, ...]:
        """Return the columns that it needs; `target_distributions` or a given matcher replace the summary."""
        if "predictions" not in given and {"target_distributions", "matcher"} & {*given}:
            return "sources", "values"
        return cls.needs

    def uses_model(self, given: Collection[str]) -> bool:
        """Check whether a neural model matches the summaries."""
        return self.matcher != "ngram" and "target_distributions" not in given

    def per_sample(self, p_y: Floats, p_g: Floats) -> Floats:
        """Score samples, if the measure is a mean over them.

        Args:
            p_y: shares in the summary, shape (..., r).
            p_g: desired shares, a shape that broadcasts with `p_y`.

        Returns:
            Shape (...).

        Example:
            >>> import numpy as np
            >>> from fairsum_utils.measures.uer import UER
            >>> float(UER().per_sample(np.array([1.0, 0.0]), np.array([0.5, 0.5])))
            0.25
        """
        raise NotImplementedError(f"{self.name} is not a mean over samples")

    def per_group(self, p_y: Floats, p_g: Floats) -> Floats:
        """Score each group of samples, for the figures by group: its shortfall.

        Args:
            p_y: shares in the summary, shape (..., r).
            p_g: desired shares, a shape that broadcasts with `p_y`.

        Returns:
            Shape (..., r).

        Example:
            >>> import numpy as np
            >>> from fairsum_utils.measures.sof import SOF
            >>> SOF().per_group(np.array([1.0, 0.0]), np.array([0.5, 0.5])).tolist()
            [0.0, 0.5]
        """
        return shortfall(p_y, p_g)

    @property
    def is_neural(self) -> bool:
        """Check whether the matcher runs a model."""
        return self.matcher in NEURAL

    def check_together(self) -> None:
        """Check that every setting applies to the chosen matcher."""
        super().check_together()
        choose = "leave it out, or choose "
        neural = " or ".join(f"matcher={name!r}" for name in NEURAL)
        self.only_with(self.is_neural, ("model", "revision", "temperature"), neural, f"{choose}{neural}")
        layers = ("num_layers", "rescale")
        self.only_with(self.matcher == "bertscore", layers, "matcher='bertscore'", f"{choose}matcher='bertscore'")
        self.only_with(self.matcher == "ngram", ("k",), "matcher='ngram'", f"{choose}matcher='ngram'")
