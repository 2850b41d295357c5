"""Loading script of the coverage paper's document sets for `datasets` 3.

`datasets` 4 and later run no scripts: use `fairsum_utils.load_dataset("coverage_sets", ...)`, or export the rows
with `fairsum data export coverage_sets` and load the folder. See README.md.
"""

import fairsum_utils.corpora.builder as builder  # From: .


class CoverageSets(builder.Builder):
    """Defined here because the loader takes only a class of this file."""

    BUILDER_CONFIGS = builder.configurations("coverage_sets")
