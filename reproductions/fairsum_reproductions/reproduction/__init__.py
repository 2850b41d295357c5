"""Printed numbers of the papers, computed again from the published files: one file a paper, an `Item` a number."""
