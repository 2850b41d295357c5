"""The command, whose workers start before anything is scored."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from fairsum_utils import cli
from fairsum_utils.__main__ import run

_main = cli.main


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    from fairsum_utils.run import scoring

    scoring.ALONE = 0.0
    return _main(arguments)


if __name__ == "__main__":
    cli.main = main
    sys.exit(run())
