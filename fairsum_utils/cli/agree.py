"""`fairsum agree`: labels or scores against those of people."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from fairsum_utils.cli.options import add_file, add_output_options, check_outputs, reading, write_document
from fairsum_utils.masking import masked

if TYPE_CHECKING:
    from fairsum_utils.reports.tables import Part

__all__ = ["add_options", "parts_of", "run"]

HELP = "compare labels with those of people"
DESCRIPTION = "How well do automatic labels or scores agree with those of people?"
EPILOG = """\
kinds:
  nominal    labels: accuracy, precision, recall, F1 (by class, and weighted by class size), alpha
  ordinal    labels with an order (--order, least first) or whole numbers: the same, Spearman's rho and Pearson's r
  interval   numbers: rho, r, alpha

Several annotators: name their columns one by one, or one column of lists. Their label is that of the majority (samples
without one are skipped and counted), their number the mean; the alpha among them is given too. Empty cells are missing.

examples:
  fairsum agree labels.jsonl --prediction-column label --reference-column human
  fairsum agree labels.csv --prediction-column gender --reference-column a1 --reference-column a2 \\
      --reference-column a3 --kind ordinal --order male,neutral,female
  fairsum agree scores.parquet --prediction-column share --reference-column human_share --kind interval --format json
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_file(parser)
    parser.add_argument("--prediction-column", required=True, metavar="NAME", help="the label or score to judge")
    parser.add_argument(
        "--reference-column", required=True, action="append", metavar="NAME", help="of people; may be repeated"
    )
    parser.add_argument(
        "--kind", default="nominal", metavar="KIND", help="nominal, ordinal or interval (default: %(default)s)"
    )
    parser.add_argument("--order", metavar="LIST", help="labels of ordinal data, least first, separated by commas")
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Read the file and print the report."""
    from fairsum_utils.files.reading import read_rows
    from fairsum_utils.stats.agreement import agreement

    check_outputs(options, output=(".json",))
    needed = {options.prediction_column: "--prediction-column"}
    needed |= dict.fromkeys(options.reference_column, "--reference-column")
    predictions, references = [], []
    for row in read_rows(options.file, needed, **reading(options)):
        predictions.append(row[options.prediction_column])
        cells = (row[name] for name in options.reference_column)
        references.append([one for cell in cells for one in (cell if isinstance(cell, list) else [cell])])
    order = None if options.order is None else [label.strip() for label in options.order.split(",")]
    result = agreement(predictions, references, kind=options.kind, order=order)
    document = {"file": masked(str(options.file)), **result}
    write_document(options, document, parts_of(document))
    return 0


_TITLES = {
    "accuracy": "accuracy",
    "precision": "precision (weighted)",
    "recall": "recall (weighted)",
    "f1": "F1 (weighted)",
    "spearman": "Spearman's rho",
    "pearson": "Pearson's r",
    "alpha": "Krippendorff's alpha",
    "annotators_alpha": "alpha among annotators",
}
_OF_CLASS = {"precision": "precision", "recall": "recall", "f1": "F1"}
_SIZES = {"n_predictions": "predicted", "n_references": "true"}


def parts_of(result: dict[str, Any]) -> list[Part]:
    """The agreement for a person."""
    from fairsum_utils.reports.tables import Table, closing, opening

    scores = [[title, result[name], result.get(f"{name}_p_value")] for name, title in _TITLES.items() if name in result]
    parts: list[Part] = [[opening(result["file"], result)], Table(["", "value", "p"], scores)]
    if "by_class" in result:
        rows = [[label, *(one[name] for name in (*_OF_CLASS, *_SIZES))] for label, one in result["by_class"].items()]
        parts.append(Table(["class", *_OF_CLASS.values(), *_SIZES.values()], rows))
    return [*parts, *closing(result)]
