"""The core's tests once more, patched as Dify's SDK patches the plugin's process: threads are greenlets there.

Each computes in time slices that are ten times as short as there, so that it is interrupted wherever it can be.
"""

from gevent import monkey

monkey.patch_all(sys=True)

import sys  # noqa: E402 - after the patch, as in the plugin's process
from pathlib import Path  # noqa: E402 - after the patch

import pytest  # noqa: E402 - after the patch

from host.time_slices import SLICE, share_the_processor  # noqa: E402 - after the patch

HERE = Path(__file__).parent
CORE = ("adapters", "answers", "core", "reading", "stages")

if __name__ == "__main__":
    share_the_processor(SLICE / 10)
    found = [str(HERE / name) for name in CORE if (HERE / name).is_dir()]
    sys.exit(pytest.main(["-p", "no:cacheprovider", *found]))
