"""Small helpers without knowledge of the project: progress bars, harmless text, masked keys, extras, shipped tables."""
