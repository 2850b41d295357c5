"""How words are counted: the settings that every measure of shared words takes."""

from __future__ import annotations

from fairsum_utils.family.settings import Settings, setting

__all__ = ["NORMALIZERS", "TextSettings"]

NORMALIZERS = ("fairsumm", "simple", "nltk")


class TextSettings(Settings):
    """Which normalizer makes words of a text, and of which language.

    Example:
        >>> TextSettings(normalizer="simple", language="german").language
        'german'
    """

    normalizer: str = setting(
        "fairsumm",
        "of words: fairsumm, the published pipeline for English; nltk, the same through NLTK itself, slow; or simple",
        choices=NORMALIZERS,
        key="norm",
        shared=True,
        space=("fairsumm", "simple"),  # a Space has no NLTK
    )
    language: str = setting("english", "of stop words and stemmer, for the normalizer simple", key="lang", shared=True)
