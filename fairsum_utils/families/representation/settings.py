"""Settings of BUR, UER, AUC and SOF."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsum_utils.errors import InputError
from fairsum_utils.families import MeasureSettings, setting
from fairsum_utils.families.settings import MOST_DRAWS, ChanceSettings, TextSettings, check_positive
from fairsum_utils.inference.settings import InferenceSettings, check_model
from fairsum_utils.validation import check_choice, check_distribution, check_fraction, describe

if TYPE_CHECKING:
    from fairsum_utils.families.representation.matchers import Matcher

# Matchers that run a model.
NEURAL = ("bertscore", "bartscore")
# Matchers that are known by name.
MATCHERS = ("ngram", *NEURAL)
TARGETS = ("ratio", "equal")
# Desired distributions that are known by name.
UNMATCHED = ("uniform", "skip", "unfair")

# How far from 1 shares may sum up.
SUM_TOLERANCE = 1e-6


def _check_matcher(module: str, name: str, matcher: Any) -> Any:
    return matcher if callable(matcher) else check_choice(module, name, matcher, MATCHERS)


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


def _read_target(text: str) -> str | dict[str, float]:
    """Read `--target`: shares such as male=0.5,female=0.5, or a name."""
    if "=" not in text:
        return text
    shares = {}
    for part in text.split(","):
        value, _, share = part.rpartition("=")
        try:
            shares[value.strip()] = float(share)
        except ValueError:
            example = "--target male=0.5,female=0.5"
            raise InputError(f"--target: {part!r} does not have the form GROUP=SHARE; write {example}") from None
    return shares


class RepresentationSettings(InferenceSettings, TextSettings, ChanceSettings, MeasureSettings):
    """Settings of the representation family.

    Example:
        >>> RepresentationSettings(matcher="bertscore", k=2, module="bur")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: bur: k applies only to matcher='ngram', found int 2; leave it out, or
        choose matcher='ngram'
    """

    matcher: str | Matcher = setting(
        "ngram",
        "way to attribute a summary to groups: ngram; or a model, bertscore or bartscore; in Python also a function "
        "(joined source texts of each group, summary) -> one weight of at least 0 per group",
        check=_check_matcher,
        key="matcher",
    )
    model: str | Path | None = setting(
        None,
        "for bertscore or bartscore: id or folder of the model; None for the paper's model",
        check=check_model,
        key="model",
        metavar="ID",
    )
    revision: str | None = setting(None, "branch, tag or commit of the model")
    num_layers: int | None = setting(
        None,
        "for bertscore: hidden layer; None for bert-score's default if it has one, otherwise the last",
        least=0,
        key="layers",
        read=int,
    )
    rescale: bool | None = setting(
        None,
        "for bertscore: rescale by the model's baseline; None to rescale if bert-score has a baseline",
        check=_check_rescale,
        key="rescale",
        flag="no-rescale",
        const=False,
        flag_help="for bertscore: no rescaling by the model's baseline",
    )
    temperature: float = setting(
        0.1, "for bertscore or bartscore: temperature of the softmax over groups", check=check_positive, key="temp"
    )
    k: int = setting(1, "length of the n-grams", least=1, key="k", space=(1, 4))
    tau: float = setting(
        0.8,
        "a group is underrepresented below tau times its desired share, in [0, 1]",
        check=check_fraction,
        only=("bur",),
        key="tau",
        stage="results",
        space=(0.0, 1.0),
    )
    n_points: int | None = setting(
        None,
        "number of tolerances to average BUR over, 10 in the paper; None for the exact integral",
        least=1,
        most=MOST_DRAWS,
        only=("auc",),
        key="points",
        unset="exact",
        stage="results",
        flag="auc-points",
        read=int,
    )
    target: str | Mapping[str, float] = setting(
        "ratio",
        "desired shares: ratio (as in the sources), equal, or a share for each group (GROUP=SHARE,... on the command "
        "line)",
        check=_check_target,
        key="target",
        read=_read_target,
        space=TARGETS,
    )
    empty: str = setting(
        "skip",
        "action for an empty summary: skip and count it, score it as uniform, or error",
        choices=("skip", "uniform", "error"),
        key="empty",
        shared=True,
    )
    unmatched: str | None = setting(
        None,
        "action for a summary that has nothing in common with its sources: uniform (equal shares, as in the paper), "
        "skip and count it, or unfair (no share for any group); None for uniform, but no score above 20% of summaries",
        choices=UNMATCHED,
        key="unmatched",
    )
    single_value: str = setting(
        "keep",
        "action for a sample with one group, which cannot be unfair: keep it, as in the paper, or skip and count it",
        choices=("keep", "skip"),
        key="single",
    )

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
