"""`python -m bench retrieval|citations|latency|all|check`: quality and latency of the plugin."""

import sys

from bench.commands import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
