"""Omission family: serious matters of the sources that leave no trace in the summary."""
