"""Scoring one stream of rows with several measures, for one system or many, with a state that can be saved."""
