"""A gate: rules that results must meet, one function that decides, and what is told of it."""
