"""`python -m standalone ask|run|serve|index`: the plugin from a shell, with no Dify and no model needed."""

import sys

from standalone.cli.commands import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
