"""Helpers without knowledge of measures: terminal, secrets, installation, shipped tables."""
