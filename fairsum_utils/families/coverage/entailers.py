"""The entailer that settings name: how likely a text entails a unit of the summary."""

from __future__ import annotations

from fairsum_utils.errors import InputError
from fairsum_utils.families.coverage.settings import MULTILINGUAL_MODEL, CoverageSettings
from fairsum_utils.inference.entailers import CallableEntailer, Entailer, LexicalEntailer, NLIEntailer
from fairsum_utils.inference.settings import NLI_MODEL
from fairsum_utils.text.normalize import get_normalizer
from fairsum_utils.validation import describe


def get_entailer(settings: CoverageSettings) -> Entailer:
    """The entailer that the settings name; a model is loaded.

    Args:
        settings: of the family, of which `entailer` and what goes with it count.

    Raises:
        InputError: a model that cannot be had, or a language that the normalizer does not know.

    Example:
        >>> get_entailer(CoverageSettings(entailer="lexical")).name
        'lexical(fairsumm)'
    """
    entailer = settings.entailer
    if callable(entailer):
        return CallableEntailer(entailer, module=settings.module)
    if entailer == "lexical":
        return LexicalEntailer(get_normalizer(settings))
    if entailer == NLI_MODEL and settings.language != "english":
        raise InputError(
            f"{settings.module}: the entailer {NLI_MODEL} knows English only, found language "
            f"{describe(settings.language)}; name a model that was trained on it, such as {MULTILINGUAL_MODEL}, or "
            "choose entailer='lexical'"
        )
    return NLIEntailer(entailer, revision=settings.revision, label=settings.entailment_label, settings=settings)
