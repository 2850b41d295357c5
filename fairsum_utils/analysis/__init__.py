"""Questions beyond the measures: relevance, agreement of raters, diagnosis, verification."""
