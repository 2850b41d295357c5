"""Tokenizing, sentence splitting and normalizing text; nothing here downloads or imports more than the core."""
