"""`fairsum reproduce`: what the papers print, from the files that are published."""

from __future__ import annotations

from pathlib import Path

from fairsum_reproductions.contract import PAPERS
from fairsum_utils.cli.command import Argument, Choice, Option, Options, command
from fairsum_utils.cli.outputs import output_options, write_document

# Exit status if a verdict is not the known one.
CHANGED = 1


@command(
    Argument("paper", "PAPER", f"one of {', '.join(PAPERS)}", type=Choice([*PAPERS])),
    Option("--data-dir", type=Path, metavar="DIR", help="Folder with the published files"),
    *output_options(),
)
def reproduce(options: Options) -> int:
    """Recompute the numbers and tables of a paper from its published files.

    Verdicts:
      equal           the printed digits
      near            close; the row says why or how close
      differs         another number
      passed, failed  a check against something that the paper does not print (a constant, hash or model)
      no file         the published file is not in the folder
      not reproduced  the inputs are not published or need a licence; the row names them

    exit status: 0 if all verdicts are the known ones, 1 if one changed, 2 bad input

    examples:
      fairsum reproduce fairsumm --data-dir published/
      fairsum reproduce bold --data-dir published/ --format markdown
      fairsum reproduce coverage                       from printed figures alone
    """
    from fairsum_reproductions.reproduction.running import parts_of
    from fairsum_reproductions.reproduction.running import reproduce as reproduced

    result = reproduced(options.paper, options.data_dir)
    document = {**result, "items": [{key: row[key] for key in row if key != "tables"} for row in result["items"]]}
    paths = {each["path"]: None for each in result["inputs"]}
    write_document(options, document, parts_of(result), read=paths)
    return CHANGED if result["changed"] else 0
