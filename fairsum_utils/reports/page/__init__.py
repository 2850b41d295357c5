"""The page: one self-contained HTML file of results and samples."""
