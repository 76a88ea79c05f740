"""`python -m sintra` is the command line."""

import sys

from sintra.cli import main

sys.exit(main())
