"""`fairsum data annotate`: rows with coreference clusters, OntoNotes or CoNLL-2012, to annotated documents."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from fairsum_utils._util.secrets import masked
from fairsum_utils.cli.command import Option, Options, command, in_group
from fairsum_utils.cli.options import READING_OPTIONS, file_argument, read_file
from fairsum_utils.cli.terminal import show
from fairsum_utils.io.names import with_packing

if TYPE_CHECKING:
    from fairsum_utils.counterfactual.documents import Document
    from fairsum_utils.counterfactual.ontonotes import Reader

_NER = "en_core_web_sm"
_ENDINGS = with_packing((".jsonl", ".ndjson"))


@command(
    file_argument(", or a folder with --ontonotes"),
    *READING_OPTIONS,
    Option("--output", required=True, metavar="FILE", help="File to write, .jsonl or .jsonl.gz", writes=_ENDINGS),
    Option("--persons", help="Keep the rows and add the persons of each text, for entity_inclusion"),
    *in_group(
        "rows",
        Option("--text-column", default="text", metavar="NAME", help="Column of the texts"),
        Option("--id-column", default="id", metavar="NAME", help="Column of the ids, optional"),
        Option(
            "--clusters-column",
            metavar="NAME",
            help="Column of coreference clusters; none joins the names of a person, without pronouns (default: "
            "clusters; with --persons: none)",
        ),
        Option("--entities-column", metavar="NAME", help="Column of names, instead of --ner"),
        Option(
            "--ner",
            metavar="NAME",
            help="Pipeline of spaCy that finds names and tags pronouns; with --entities-column it only tags pronouns "
            f"(default: {_NER}; none with --entities-column)",
        ),
    ),
    *in_group(
        "OntoNotes 5.0",
        Option("--ontonotes", help="Read a folder of OntoNotes 5.0 or CoNLL-2012 files"),
        Option("--section", default="nw", metavar="NAME", help="Section, such as nw (newswire), or all (default: nw)"),
    ),
)
def annotate(options: Options) -> int:
    """Turn news into annotated documents: text, names and coreference chains.

    Rows have a text and its coreference clusters: a list of chains, each a list of [start, end] in characters
    of the text, ends exclusive, as fastcoref and others write them (in a CSV file as JSON). Names are found by
    a spaCy pipeline, or are in a column with a list of {"start": 0, "end": 6, "label": "PERSON"}.

    The output has one document per line: id, text, entities (names), mentions (with their chain). Counterfactual
    news is made from it. The command prints the numbers of documents, names of persons and chains, and of skipped
    texts with reasons. Without clusters, a text with gendered pronouns and several persons is skipped.

    --persons writes the rows themselves instead, with the persons of each text: name, and gender by pronoun,
    title, role or first name. Names that may be those of a place, of several persons or of no person are left
    out and counted. The scores of persons show the bias of the news and of the summarizer together.

    examples:
      fairsum data annotate news.jsonl --output corpus.jsonl
      fairsum data annotate news.csv --output persons.jsonl --persons
      fairsum data annotate news.parquet --output corpus.jsonl.gz --clusters-column coref --ner en_core_web_trf
      fairsum data annotate news.csv --output corpus.jsonl --entities-column names
      fairsum data annotate ontonotes-release-5.0/ --output corpus.jsonl --ontonotes
    """
    from fairsum_utils.errors import InputError
    from fairsum_utils.reports.formats import to_json

    if options.ontonotes and not isinstance(options.file, str):
        raise InputError("annotate: --ontonotes reads one folder")
    if options.ontonotes and options.persons:
        raise InputError("annotate: --persons adds to the rows of a file; leave out --ontonotes")
    counts = _write_persons(options) if options.persons else _write_documents(options)
    show(to_json({**counts, "output": masked(options.output)}))
    return 0


def _imported(
    options: Options, rows: Iterable[dict[str, Any]], skipped: list[dict[str, str]], counts: Counter[str]
) -> Iterator[Document]:
    """Make documents from rows; without clusters, correct names and join them to persons."""
    from fairsum_utils.counterfactual.documents import from_rows
    from fairsum_utils.counterfactual.persons import correct_names, join_by_name, n_left_out
    from fairsum_utils.counterfactual.templates import make_template

    clusters = _clusters_column(options)
    parsed = from_rows(
        rows,
        pipeline=_NER if options.ner is None and options.entities_column is None else options.ner,
        text_column=options.text_column,
        id_column=options.id_column,
        clusters_column=clusters,
        entities_column=options.entities_column,
        where=str(options.file),
    )
    for document, doc in parsed:
        joined = document
        if clusters is None:
            if doc is not None and options.entities_column is None:
                joined = correct_names(joined, doc)
            joined = join_by_name(joined, doc if options.persons else None)
            counts["names_left_out"] += n_left_out(document, joined)
        if clusters is None and not options.persons and "pronoun_in_no_chain" in make_template(joined).notes:
            reason = "several persons and gendered pronouns, which only coreference clusters can tell apart"
            skipped.append({"document": document.id, "reason": reason})
        else:
            yield joined


def _clusters_column(options: Options) -> str | None:
    name = options.clusters_column or ("none" if options.persons else "clusters")
    return None if name == "none" else str(name)


def _rows(options: Options) -> Iterator[dict[str, Any]]:
    needed = {options.text_column: "--text-column"}
    clusters = _clusters_column(options)
    if clusters is not None:
        needed[clusters] = "--clusters-column (none: join names, for texts about one person; --persons: keep the rows)"
    if options.entities_column is not None:
        needed[options.entities_column] = "--entities-column"
    lists = [name for name in (clusters, options.entities_column) if name is not None]
    return read_file(options, needed, lists=lists)


def _write_persons(options: Options) -> dict[str, Any]:
    """Write the rows with their persons; return counts by group."""
    from fairsum_utils.counterfactual.persons import persons_of
    from fairsum_utils.errors import InputError
    from fairsum_utils.io.writing import write_rows

    rows, again = itertools.tee(_rows(options))
    groups: Counter[str] = Counter()
    counts = Counter(names_left_out=0)
    written = []
    for document, row in zip(_progress(_imported(options, rows, [], counts)), again, strict=True):
        if "entities" in row:
            raise InputError(
                f"{options.file}: it has a column 'entities' already; score the file, or rename the column"
            )
        people = persons_of(document)
        groups.update(person["group"] for person in people)
        written.append({"article_id": document.id, **row, "entities": people})
    if not written:
        raise InputError(f"{options.file}: no document could be read, so nothing is written")
    write_rows(written, options.output)
    joined = "name" if _clusters_column(options) is None else "coreference clusters"
    return {
        "documents": len(written),
        "persons": groups.total(),
        "by_group": dict(sorted(groups.items())),
        **counts,
        "joined_by": joined,
    }


def _write_documents(options: Options) -> dict[str, Any]:
    """Write annotated documents; return their counts."""
    from fairsum_utils.counterfactual.conll2012 import find_reader
    from fairsum_utils.counterfactual.documents import write_documents
    from fairsum_utils.io.stores import as_path

    counts = dict.fromkeys(("documents", "person_names", "chains"), 0)
    skipped: list[dict[str, str]] = []
    if options.ontonotes:
        section = None if options.section == "all" else options.section
        reader = find_reader(as_path(options.file), section=section)
        documents = _progress(_read(reader, skipped), reader.n)
    else:
        documents = _progress(_imported(options, _rows(options), skipped, Counter()))
    write_documents(_counted(documents, counts, skipped, str(options.file)), options.output)
    return {**counts, "skipped": skipped}


def _read(reader: Reader, skipped: list[dict[str, str]]) -> Iterator[Document]:
    """Yield the documents of a folder; list the unreadable ones."""
    yield from reader.documents()
    skipped += [document._asdict() for document in reader.skipped]


def _progress(documents: Iterable[Document], total: int | None = None) -> Iterable[Document]:
    from fairsum_utils._util.terminal import bar

    return bar(documents, title="annotate", unit="documents", total=total, leave=True)


def _counted(
    documents: Iterable[Document], counts: dict[str, int], skipped: list[dict[str, str]], source: str
) -> Iterator[Document]:
    """Count the documents; raise if there are none, so no empty file is written."""
    from fairsum_utils.counterfactual.documents import PERSON
    from fairsum_utils.errors import InputError

    for document in documents:
        counts["documents"] += 1
        counts["person_names"] += sum(entity.label == PERSON for entity in document.entities)
        counts["chains"] += len(document.chains)
        yield document
    if not counts["documents"]:
        why = f" ({skipped[0]['reason']})" if skipped else ""
        raise InputError(f"{source}: no document could be read{why}, so nothing is written")
