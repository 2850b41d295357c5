"""The report page: one HTML file that loads nothing else."""
