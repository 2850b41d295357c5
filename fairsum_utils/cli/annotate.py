"""`fairsum data annotate`: rows with coreference clusters, or OntoNotes, to annotated documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from fairsum_utils._util.secrets import masked
from fairsum_utils.cli.command import Option, Options, command, in_group
from fairsum_utils.cli.options import file_argument, read_file, reading_options
from fairsum_utils.cli.terminal import show
from fairsum_utils.io.names import with_packing

if TYPE_CHECKING:
    from fairsum_utils.counterfactual.documents import Document


_NER = "en_core_web_sm"
_ENDINGS = with_packing((".jsonl", ".ndjson"))


@command(
    file_argument(", or a folder with --ontonotes"),
    *reading_options(),
    Option("--output", required=True, metavar="FILE", help="ends in .jsonl or .jsonl.gz", writes=_ENDINGS),
    *in_group(
        "rows",
        Option("--text-column", default="text", metavar="NAME", help=""),
        Option("--id-column", default="id", metavar="NAME", help="optional column"),
        Option("--clusters-column", default="clusters", metavar="NAME", help=""),
        Option("--entities-column", metavar="NAME", help="names that are given, instead of --ner"),
        Option(
            "--ner",
            metavar="NAME",
            help="spaCy pipeline that finds names and tags pronouns; beside --entities-column it only does the latter "
            f"(default: {_NER}, none beside --entities-column)",
        ),
    ),
    *in_group(
        "OntoNotes 5.0",
        Option("--ontonotes", help="the folder holds .coref, .name and .parse files"),
        Option("--section", default="nw", metavar="NAME", help="such as nw, newswire; all (default: nw)"),
    ),
)
def annotate(options: Options) -> int:
    """Turn news into annotated documents: text, names and coreference chains.

    Rows have a text and its coreference clusters: a list of chains, each a list of [start, end] in characters
    of the text, ends exclusive, as fastcoref and others write them (in a CSV file as JSON). Names are found by
    a spaCy pipeline, or are in a column with a list of {"start": 0, "end": 6, "label": "PERSON"}.

    The result has one document a line: id, text, entities (names), mentions (with their chain). Counterfactual
    news is made of it. Printed is how many documents, names of persons and chains there are, and what was
    skipped and why.

    examples:
      fairsum data annotate news.jsonl --output corpus.jsonl
      fairsum data annotate news.parquet --output corpus.jsonl.gz --clusters-column coref --ner en_core_web_trf
      fairsum data annotate news.csv --output corpus.jsonl --entities-column names
      fairsum data annotate ontonotes-release-5.0/ --output corpus.jsonl --ontonotes
    """
    from fairsum_utils._util.terminal import bar
    from fairsum_utils.counterfactual.documents import write_documents
    from fairsum_utils.counterfactual.ontonotes import OntoNotesReader
    from fairsum_utils.errors import InputError
    from fairsum_utils.io.columnar import count_rows
    from fairsum_utils.reports.formats import to_json

    section = None if options.section == "all" else options.section
    if options.ontonotes and not isinstance(options.file, str):
        raise InputError("annotate: --ontonotes reads one folder")
    reader = OntoNotesReader(options.file, section=section) if options.ontonotes else None
    if reader is None:
        documents, total = _imported(options), count_rows(options.file, options.split)
    else:
        documents, total = reader.documents(), len(reader)
    counts = dict.fromkeys(("documents", "person_names", "chains"), 0)
    progress = bar(documents, title="annotate", unit="documents", total=total, leave=True)
    write_documents(_counted(progress, counts, str(options.file)), options.output)
    skipped = [] if reader is None else [document._asdict() for document in reader.skipped]
    show(to_json({**counts, "skipped": skipped, "output": masked(options.output)}))
    return 0


def _imported(options: Options) -> Iterator[Document]:
    from fairsum_utils.counterfactual.documents import from_rows

    needed = {options.text_column: "--text-column", options.clusters_column: "--clusters-column"}
    if options.entities_column is not None:
        needed[options.entities_column] = "--entities-column"
    lists = [name for name in (options.clusters_column, options.entities_column) if name is not None]
    return from_rows(
        read_file(options, needed, lists=lists),
        pipeline=_NER if options.ner is None and options.entities_column is None else options.ner,
        text_column=options.text_column,
        id_column=options.id_column,
        clusters_column=options.clusters_column,
        entities_column=options.entities_column,
        where=str(options.file),
    )


def _counted(documents: Iterable[Document], counts: dict[str, int], source: str) -> Iterator[Document]:
    """Count the documents; raise if there are none, so no empty file is written."""
    from fairsum_utils.counterfactual.documents import PERSON
    from fairsum_utils.errors import InputError

    for document in documents:
        counts["documents"] += 1
        counts["person_names"] += sum(entity.label == PERSON for entity in document.entities)
        counts["chains"] += len(document.chains)
        yield document
    if not counts["documents"]:
        raise InputError(f"{source}: no document could be read, so nothing is written")
