"""Texts in which persons are exchanged (Steen and Markert 2024).

Annotated documents -> templates -> groups and names of the persons -> texts.
"""
