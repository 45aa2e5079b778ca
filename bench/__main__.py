"""`python -m bench COMMAND`: quality and latency of the plugin; `--help` lists the commands."""

import sys

from bench.commands import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
