"""Settings that measures of several families share: intervals, chance levels, languages."""

from __future__ import annotations

import secrets
from typing import Annotated, ClassVar, Literal, Self

from fairsum_utils.settings.base import Settings, setting
from fairsum_utils.settings.kinds import Draws, Language, Level, whole
from fairsum_utils.text.languages import Normalizer

MANY = 100_000
"""From this number of samples on, the bootstrap draws buckets by default."""

USUAL_LEVEL = 0.95
"""Default confidence level of the command line."""


class Resampling(Settings):
    """Settings of intervals and random draws.

    Example:
        >>> Resampling(confidence_level=0.95).seed
        0
    """

    confidence_level: Level | None = setting(
        None,
        "level of the intervals, such as 0.95; None for no interval",
        key="ci",
        stage="results",
        shared=True,
    )
    n_resamples: Draws = setting(
        1000,
        "bootstrap replicates",
        key="resamples",
        stage="results",
        shared=True,
    )
    bootstrap: Literal["samples", "buckets"] | None = setting(
        None,
        "units to resample: samples (originals for news), or 4,096 buckets of them by a hash of their ids; None for "
        f"buckets if there are {MANY:,} samples or more",
        key="boot",
        stage="results",
        shared=True,
    )
    seed: Annotated[int, whole(0)] | None = setting(
        0,
        "seed of the bootstrap and of tests; None draws one, which the signature shows; random summaries depend only "
        "on the texts",
        key="seed",
        stage="results",
        shared=True,
    )

    def seeded(self) -> Self:
        """Copy the settings, with a fresh seed if none is given."""
        if self.seed is not None:
            return self
        return self.replace(seed=secrets.randbits(32))

    def sized(self, n_samples: int) -> Self:
        """Resolve ``bootstrap``: ``"buckets"``, or None to draw samples.

        Args:
            n_samples: number of scored and skipped samples.

        Example:
            >>> [Resampling().sized(n).bootstrap for n in (1500, MANY)]
            [None, 'buckets']
        """
        if "bootstrap" not in self.infos():
            return self
        in_buckets = self.bootstrap == "buckets" or (self.bootstrap is None and n_samples >= MANY)
        return self.replace(bootstrap="buckets" if in_buckets else None)


class ChanceSettings(Settings):
    """Chance level, for families that draw random summaries without a model."""

    at_random: bool = setting(
        False,
        "also compute the chance level: the score of random summaries of the same length",
        shared=True,
    )


class TextSettings(Settings):
    """Language and normalizer of texts.

    Example:
        >>> TextSettings(language="de").language, TextSettings(language="de").chosen_normalizer
        ('german', 'simple')
    """

    extra: ClassVar[str] = "languages"

    normalizer: Normalizer | None = setting(
        None,
        "text normalizer: fairsumm (the published pipeline), nltk (the same through NLTK, slow) or simple; None for "
        "fairsumm in English, simple in other languages",
        key="norm",
        shared=True,
    )
    language: Language = setting(
        "english",
        "language of the texts: English name or ISO code, such as german or de",
        key="lang",
        shared=True,
        space=True,
    )

    @property
    def chosen_normalizer(self) -> str:
        """Chosen normalizer, by default the language's."""
        return self.normalizer or ("fairsumm" if self.language == "english" else "simple")
