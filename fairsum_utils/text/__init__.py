"""Tokenizing, sentence splitting and normalizing text; nothing here downloads or imports more than the core."""

from fairsum_utils.text.normalize import Normalizer, get_normalizer
from fairsum_utils.text.porter import porter_stem
from fairsum_utils.text.punkt import sentences
from fairsum_utils.text.words import word_tokenize

__all__ = ["Normalizer", "get_normalizer", "porter_stem", "sentences", "word_tokenize"]
