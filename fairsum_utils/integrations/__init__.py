"""Experiment trackers, the Hugging Face Hub and evaluation frameworks."""
