"""`python -m tokaudit` is the command."""

import sys

from tokaudit.cli import main

if __name__ == "__main__":
    sys.exit(main())
