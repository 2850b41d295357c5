"""Run the command as `python -m fairsum_utils`."""

import sys

from fairsum_utils.cli import main

if __name__ == "__main__":
    sys.exit(main())
