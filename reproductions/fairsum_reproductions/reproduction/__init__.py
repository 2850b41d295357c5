"""Printed numbers of the papers, recomputed from the published files."""
