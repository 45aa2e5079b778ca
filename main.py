"""The plugin's entry point: Dify starts it with `python -m main`."""

# The SDK patches sockets and threads for gevent when it is imported, so it must come first.
from dify_plugin import DifyPluginEnv, Plugin

from host.time_slices import share_the_processor

plugin = Plugin(DifyPluginEnv(MAX_REQUEST_TIMEOUT=240))

if __name__ == "__main__":
    share_the_processor()
    plugin.run()
