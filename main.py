"""The plugin's entry point: Dify starts it with `python -m main`."""

# The SDK patches sockets and threads for gevent when it is imported, so it must come first.
from dify_plugin import DifyPluginEnv, Plugin

plugin = Plugin(DifyPluginEnv(MAX_REQUEST_TIMEOUT=240))

if __name__ == "__main__":
    plugin.run()
