"""How words are counted: the settings that every measure of shared words takes."""

from __future__ import annotations

from fairsum_utils.families.settings import Settings, setting
from fairsum_utils.text.languages import LANGUAGES, check_language

NORMALIZERS = ("fairsumm", "simple", "nltk")


class TextSettings(Settings):
    """Of which language a text is, and which normalizer makes words of it.

    Example:
        >>> TextSettings(language="de").language, TextSettings(language="de").chosen_normalizer
        ('german', 'simple')
    """

    normalizer: str | None = setting(
        None,
        "of words: fairsumm, the published pipeline for English; nltk, the same through NLTK itself, slow; or simple; "
        "None for fairsumm in English, simple in other languages",
        choices=NORMALIZERS,
        key="norm",
        shared=True,
    )
    language: str = setting(
        "english",
        "of the texts: English name or ISO code, such as german or de; chooses stop words, stemmer, segmenter and "
        "sentence splitter",
        check=check_language,
        key="lang",
        shared=True,
        space=tuple(LANGUAGES),
    )

    @property
    def chosen_normalizer(self) -> str:
        """The normalizer, where none is named that of the language."""
        return self.normalizer or ("fairsumm" if self.language == "english" else "simple")
