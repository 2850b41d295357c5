"""Settings of Omission."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from fairsum_utils.errors import InputError
from fairsum_utils.families import MeasureSettings, setting
from fairsum_utils.families.settings import ChanceSettings, check_threshold, override
from fairsum_utils.inference.settings import EntailerSettings
from fairsum_utils.validation import describe

if TYPE_CHECKING:
    from fairsum_utils.inference.entailers import EntailmentFunction

SeriousFunction: TypeAlias = Callable[[list[str]], Sequence[float]]
"""Sentences -> one number per sentence, such as a probability of being serious."""

LIST = "list"
_LITERAL = ("lexical", "embeddings")
# Thresholds of entailers that are known by name, and of others.
_SHARED, _PROBABLE = 0.6, 0.5


def _check_finder(module: str, name: str, finder: Any) -> Any:
    if not isinstance(finder, (str, Path)) and not callable(finder):
        raise InputError(
            f'{module}: {name} must be "list", the id or folder of a classifier, or a function sentences -> numbers, '
            f"found {describe(finder)}"
        )
    return finder


class OmissionSettings(EntailerSettings, ChanceSettings, MeasureSettings):
    """Settings of the omission family.

    Example:
        >>> OmissionSettings().threshold, OmissionSettings(entailer="cross-encoder/nli-deberta-v3-base").threshold
        (0.6, 0.5)
    """

    prefix = "omission"

    entailer: str | Path | EntailmentFunction = override(
        EntailerSettings,
        "entailer",
        default="lexical",
        help="judge of whether a sentence of the summary entails a sentence of a source: lexical (share of its content "
        "words), embeddings (cosine similarity) or the id or folder of an NLI model; in Python also a function "
        "(premises, hypotheses) -> one probability per pair",
    )
    entail_threshold: float | None = setting(
        None,
        "probability from which on a sentence is entailed, in (0, 1]; None for 0.6 with lexical and embeddings, 0.5 "
        "with other entailers",
        check=check_threshold,
        read=float,
        key="entails",
    )
    finder: str | Path | SeriousFunction = setting(
        LIST,
        "way to find serious sentences if no column marks them: list (the shipped English list), or the id or folder "
        "of a classifier; in Python also a function sentences -> numbers",
        check=_check_finder,
        key="finder",
    )
    finder_label: str | None = setting(
        None, "the classifier's label for a serious sentence; None for the last one", metavar="LABEL"
    )
    finder_threshold: float = setting(
        0.5,
        "number from which on a classifier or function finds a sentence serious, in (0, 1]",
        check=check_threshold,
        key="serious",
    )

    def check_together(self) -> None:
        """Check that every setting applies to the chosen finder."""
        super().check_together()
        of_classifier = not callable(self.finder) and self.finder != LIST
        self.only_with(of_classifier, ("finder_label",), "a finder that is a model", "leave it out, or name a model")
        judges = callable(self.finder) or of_classifier
        users = "a finder that is a model or function"
        self.only_with(judges, ("finder_threshold",), users, "leave it out, or choose another finder")

    @property
    def reads_meaning(self) -> bool:
        """True if the entailer reads meaning, so that there is a score."""
        return self.entailer not in _LITERAL

    @property
    def threshold(self) -> float:
        """Effective threshold of the entailer."""
        if self.entail_threshold is not None:
            return self.entail_threshold
        return _PROBABLE if self.reads_meaning else _SHARED
