"""`fairsum analyse verify`: our tokens compared with NLTK's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairsum_utils.cli.command import Option, Options, command, in_group
from fairsum_utils.cli.options import file_argument, read_file, reading_options
from fairsum_utils.cli.outputs import output_options, write_result
from fairsum_utils.families.columns import PREDICTIONS, SOURCES, Column

if TYPE_CHECKING:
    from fairsum_utils.reports.tables import Part


# The exit status where some tokens differ.
DIFFERENT = 1

_NONE = "none"


def _column_option(column: Column, about: str) -> Option:
    name = column.in_file
    return Option(f"--{column.flag}", default=name, metavar="NAME", help=f"{about}; {_NONE} to leave it out")


@command(
    file_argument(),
    *reading_options(),
    *in_group(
        "input",
        Option("--id-column", default="id", metavar="NAME", help="optional column"),
        _column_option(PREDICTIONS, "a text a sample"),
        _column_option(SOURCES, "list of texts, or one text"),
    ),
    *output_options(
        Option("--show", type=int, default=10, metavar="N", help="differences to print as text; JSON has all")
    ),
)
def verify(options: Options) -> int:
    r"""Compare our normalization with NLTK's on the texts of a file.

    Each text of the file goes through the published pipeline twice: through ours, and through NLTK's tokenizers, stop
    words, tagger, lemmatizer and stemmer, which take many times as long. That needs NLTK and its data:

      pip install ".[nltk]"          in a checkout
      python -m nltk.downloader punkt punkt_tab stopwords wordnet averaged_perceptron_tagger \
          averaged_perceptron_tagger_eng

    Printed are NLTK's version and the one that the published numbers come from, if it is another: later
    versions treat some words differently, and newer data has more stop words.

    exit status: 0 if all tokens are the same, 1 if some differ, 2 if the file cannot be read or is not as
    described, or NLTK or its data is not there

    examples:
      fairsum analyse verify summaries.jsonl
      fairsum analyse verify texts.csv --prediction-column text --sources-column none
      fairsum analyse verify sets.parquet --show 100 --output differences.json
      fairsum score summaries.jsonl --normalizer nltk      the scores themselves, through NLTK
    """
    from fairsum_utils._util.terminal import bar
    from fairsum_utils.analysis.verification import verify as verified
    from fairsum_utils.errors import InputError
    from fairsum_utils.io.columnar import count_rows
    from fairsum_utils.validation import check_count

    check_count("verify", "--show", options.show, least=0)
    flags = {options.prediction_column: PREDICTIONS.flag, options.sources_column: SOURCES.flag}
    needed = {
        name: f"--{flag} (or leave it out with --{flag} {_NONE})" for name, flag in flags.items() if name != _NONE
    }
    if not needed:
        raise InputError(f"verify: no column is left; name one with --{PREDICTIONS.flag} or --{SOURCES.flag}")
    lists = [name for name in needed if name == options.sources_column]
    rows = read_file(options, needed, others=(options.id_column,), texts_or_lists=lists)
    with bar(rows, unit="samples", total=count_rows(options.file, options.split)) as progress:
        result = verified(progress, columns=list(needed), id_column=options.id_column, module=f"verify {options.file}")
    write_result(options, result, lambda document: parts_of(document, options.show))
    return DIFFERENT if result["n_differing"] else 0


def parts_of(result: dict[str, Any], show: int = 10) -> list[Part]:
    """Return the comparison with the first differences."""
    from fairsum_utils.reports.tables import Signatures, Table
    from fairsum_utils.validation import count

    version, published = result["nltk_version"], result["published_version"]
    differing, texts = result["n_differing"], result["n_texts"]
    tokens = f"{count(result['n_tokens'], 'token')} of NLTK {version}"
    lines = [
        f"{result['file']}: {count(result['n_samples'], 'sample')}, {count(texts, 'text')}, {tokens}",
        f"{differing} of {texts} texts differ" if differing else "no text differs: all tokens are NLTK's",
    ]
    if version != published:
        lines.append(
            f"The published numbers come from NLTK {published}, and other versions treat some words differently."
        )
    for kind, whom in (("only_ours", "us"), ("only_nltk", "NLTK")):
        if words := result["stop_words"][kind]:
            lines.append(f"{count(len(words), 'stop word')} of {whom} alone: {_some(words)}")
    differences = result["differences"]
    rows = [
        [each["id"], _place(each), each["position"], " ".join(each["ours"]), " ".join(each["nltk"])]
        for each in differences[:show]
    ]
    more = len(differences) - len(rows)
    below = [f"{more} more difference{'' if more == 1 else 's'}; --output FILE.json has all"] if more else []
    table = [Table(["id", "text", "position", "ours", "NLTK's"], rows, below=below)] if rows else [below]
    return [lines, *table, Signatures([f"signature: {result['signature']}"])]


def _place(difference: dict[str, Any]) -> str:
    column, place = difference["column"], difference["place"]
    return column if place is None else f"{column}[{place}]"


def _some(words: list[str], most: int = 10) -> str:
    return ", ".join(word.strip() for word in words[:most]) + (", ..." if len(words) > most else "")
