"""Data sets: parsers, samplers, prompts and checksummed sources, without Hugging Face libraries.

`iter_rows` gives plain rows; `load_dataset` and `export_dataset` the same rows as a `datasets` object or Parquet files;
`sample_document_sets` makes such rows from a table of your own.
"""

from fairsum_utils.corpora.catalog import corpora, iter_rows
from fairsum_utils.corpora.corpus import COLUMNS, Row
from fairsum_utils.corpora.document_sets import sample_document_sets
from fairsum_utils.corpora.loading import export_dataset, load_dataset
from fairsum_utils.corpora.prompts import fair_instruction, sentence_control

__all__ = [
    "COLUMNS",
    "Row",
    "corpora",
    "export_dataset",
    "fair_instruction",
    "iter_rows",
    "load_dataset",
    "sample_document_sets",
    "sentence_control",
]
