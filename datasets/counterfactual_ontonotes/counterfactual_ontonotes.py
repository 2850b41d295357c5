"""Loading script of counterfactual news for `datasets` 3; fairsum-utils has the builder.

`datasets` 4 and later run no scripts: use `fairsum_utils.load_dataset("counterfactual_ontonotes", ...)`, or export the
rows with `fairsum data export counterfactual_ontonotes` and load the folder. See README.md.
"""

import fairsum_utils.corpora.builder as builder  # From: .


class CounterfactualOntoNotes(builder.Builder):
    """Defined here because the loader takes only a class of this file."""

    BUILDER_CONFIGS = builder.configurations("counterfactual_ontonotes")
