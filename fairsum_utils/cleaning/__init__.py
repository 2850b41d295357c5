"""Cleaning of texts, labels and ids before anything reads them."""

from fairsum_utils.cleaning.reasoning import without_reasoning
from fairsum_utils.cleaning.samples import Cleaned, cleaned, texts_as_read

__all__ = ["Cleaned", "cleaned", "texts_as_read", "without_reasoning"]
