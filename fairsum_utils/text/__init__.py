"""Tokenizing, sentence splitting and normalizing text; nothing downloads, and only `NltkNormalizer` needs NLTK."""
