"""The plugin's declarations as plain YAML, and the SDK's reading of them from a process of its own."""

import functools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = {"en_US", "zh_Hans", "ja_JP", "pt_BR"}
PROVIDER = "provider/context_aware_retriever.yaml"
GROUP = "group/retrieval.yaml"

# Importing the SDK patches sockets and threads for gevent, so no test process may do it.
SDK = """
import json, sys
from dify_plugin.core.entities.plugin.setup import PluginConfiguration
from dify_plugin.core.utils.yaml_loader import load_yaml_file
from dify_plugin.entities.endpoint import EndpointProviderConfiguration
from dify_plugin.entities.tool import ToolProviderConfiguration

manifest = PluginConfiguration(**load_yaml_file("manifest.yaml"))
(provider,) = [ToolProviderConfiguration(**load_yaml_file(path)) for path in manifest.plugins.tools]
(group,) = [EndpointProviderConfiguration(**load_yaml_file(path)) for path in manifest.plugins.endpoints]
models = {"manifest": manifest, "provider": provider, "group": group}
print(json.dumps({name: model.model_dump(mode="json") for name, model in models.items()}))
"""


@functools.cache
def read(path: str) -> Any:
    """A YAML file of the plugin, by its path from the root; read once, so nobody may change it."""
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


def tools() -> dict[str, Any]:
    """Every tool's declaration by name, in the provider's order."""
    return {Path(path).stem: read(path) for path in read(PROVIDER)["tools"]}


def declarations() -> dict[str, Any]:
    """Every YAML file of the plugin by its path."""
    paths = ["manifest.yaml", PROVIDER, GROUP, *read(PROVIDER)["tools"], *read(GROUP)["endpoints"]]
    return {path: read(path) for path in paths}


def as_the_sdk_reads_it() -> Any:
    """Manifest, tool provider and endpoint group as the SDK's own models hold them."""
    done = subprocess.run(
        [sys.executable, "-c", SDK], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])
