"""Texts in which persons are exchanged (papers/news-summarization-bias).

Annotated documents -> templates -> groups and names of the persons -> texts.
"""
