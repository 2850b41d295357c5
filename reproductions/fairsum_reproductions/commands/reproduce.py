"""`fairsum reproduce`: what the papers print, from the files that are published."""

from __future__ import annotations

import argparse
from pathlib import Path

from fairsum_reproductions.contract import PAPERS
from fairsum_utils.cli.options import add_output_options, check_outputs, recorded, write_document

DESCRIPTION = "Compute the numbers and tables of a paper from the files that are published, beside what it prints."
EPILOG = """\
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

CHANGED = 1
"""The exit status where something came out otherwise than it is known to."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("paper", choices=tuple(PAPERS), metavar="PAPER", help=f"one of {', '.join(PAPERS)}")
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="folder with the published files")
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print each number beside the printed one."""
    from fairsum_reproductions.reproduction.running import parts_of, reproduce

    check_outputs(options, output=(".json",))
    result = reproduce(options.paper, options.data_dir)
    document = {**result, "items": [{key: row[key] for key in row if key != "tables"} for row in result["items"]]}
    paths = {each["path"]: None for each in result["inputs"]}
    write_document(options, document, parts_of(result), run=recorded(options, paths, {}))
    return CHANGED if result["changed"] else 0
