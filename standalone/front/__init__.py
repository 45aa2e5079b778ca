"""A local HTTP front before the plugin's endpoints, as nginx and the plugin daemon are in Dify.

`with PluginProcess() as plugin, Front(plugin, settings) as front: POST f"{front.base_url}/retrieval"`
"""

from standalone.front.server import Front
from standalone.front.serving import serve

__all__ = ["Front", "serve"]
