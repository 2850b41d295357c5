"""BOLD as a loading script of `datasets` 3; the builder itself is in fairsum-utils.

`datasets` 4 and later run no scripts: use `fairsum_utils.load_dataset("bold", ...)`, or export the rows with
`fairsum data export bold` and load the folder. See README.md.
"""

import fairsum_utils.corpora.builder as builder  # From: .


class Bold(builder.Builder):
    """Defined here because the loader takes only a class of this file."""

    BUILDER_CONFIGS = builder.configurations("bold")
