"""Tokenizing, sentence splitting and normalizing, without downloads; only `NltkNormalizer` needs NLTK."""
