"""The page: one HTML file that shows results with their samples, opens from the disk and asks nobody for anything."""
