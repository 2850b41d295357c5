"""Run the command, as ``fairsum`` or as ``python -m fairsum_utils``."""

import signal
import sys


def run() -> int:
    """Run the command in its own process; return the exit status.

    Until the command attends to it, and once it has ended, an interruption just ends the process.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from fairsum_utils.cli import main

    return main()


if __name__ == "__main__":
    sys.exit(run())
