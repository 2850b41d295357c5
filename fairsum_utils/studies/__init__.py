"""Analyses of the papers that go beyond a score: summary quality, word diagnosis, dominance, agreement of entailers."""
