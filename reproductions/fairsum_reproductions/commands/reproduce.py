"""`fairsum reproduce`: what the papers print, from the files that are published."""

from __future__ import annotations

from pathlib import Path

from fairsum_reproductions.contract import PAPERS
from fairsum_utils.cli.command import Argument, Option, Options, command
from fairsum_utils.cli.outputs import output_options, write_document

# Exit status if something came out otherwise than it is known to.
CHANGED = 1


@command(
    Argument("paper", "PAPER", f"one of {', '.join(PAPERS)}", choices=tuple(PAPERS)),
    Option("--data-dir", type=Path, metavar="DIR", help="folder with the published files"),
    *output_options(),
)
def reproduce(options: Options) -> int:
    """Compute the numbers and tables of a paper from the files that are published, beside what it prints.

    Verdicts:
      equal           the printed digits come out
      near            different by what is said
      differs         another number comes out
      passed, failed  a check: not a number of the paper, but our own constant, a hash or a model of the data
      no file         the published file is not in the folder
      not reproduced  the inputs are not published, or need a licence; what would be needed is said

    exit status: 0 if all is as it is known to be, 1 if something came out otherwise, 2 bad input

    examples:
      fairsum reproduce fairsumm --data-dir published/
      fairsum reproduce bold --data-dir published/ --format markdown
      fairsum reproduce coverage                       what follows from printed figures alone
    """
    from fairsum_reproductions.reproduction.running import parts_of
    from fairsum_reproductions.reproduction.running import reproduce as reproduced

    result = reproduced(options.paper, options.data_dir)
    document = {**result, "items": [{key: row[key] for key in row if key != "tables"} for row in result["items"]]}
    paths = {each["path"]: None for each in result["inputs"]}
    write_document(options, document, parts_of(result), read=paths)
    return CHANGED if result["changed"] else 0
