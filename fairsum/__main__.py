"""`python -m fairsum` is the command."""

import sys

from fairsum_utils.cli import main

if __name__ == "__main__":
    sys.exit(main())
