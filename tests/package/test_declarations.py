"""Manifest, provider, tools and endpoints say what the contract says, and the SDK can read them."""

import datetime as dt
import tomllib
from typing import Any

import pytest
import yaml
from declared import GROUP, PROVIDER, ROOT, as_the_sdk_reads_it, declarations, read, tools

from host import tools as table
from standalone.declarations import declarations as written_from_the_table

# Type, form, whether it is required, default, and the range of a number or the values of a choice.
PARAMETERS: dict[str, tuple[Any, ...]] = {
    "query": ("string", "llm", True, None, None),
    "model": ("model-selector", "form", True, None, None),
    "datasets": ("string", "llm", False, None, None),
    "documents": ("string", "llm", False, None, None),
    "metadata_filter": ("string", "llm", False, None, None),
    "history": ("string", "llm", False, None, None),
    "instructions": ("string", "llm", False, None, None),
    "action": ("select", "form", False, "status", ["status", "build", "refresh", "drop"]),
    "effort": ("select", "form", False, "balanced", ["extractive", "fast", "balanced", "thorough"]),
    "top_k": ("number", "form", False, 8, (1, 50)),
    "questions": ("string", "llm", False, None, None),
    "suggest": ("number", "llm", False, 0, (0, 100)),
    "language": ("select", "form", False, "en_US", ["en_US", "zh_Hans", "ja_JP", "pt_BR"]),
    "threshold": ("number", "form", False, 0, (0, 1)),
    "seconds": ("number", "form", False, 60, (1, 240)),
    "rerank_model": ("string", "form", False, None, None),
    "output": ("select", "form", False, "full", ["full", "compact"]),
    "passages": ("string", "llm", True, None, None),
    "answer": ("string", "llm", True, None, None),
    "name": ("string", "llm", False, None, None),
    "page": ("number", "llm", False, 1, (1, None)),
    "limit": ("number", "llm", False, 20, (1, 100)),
}
SEARCH = (
    "query datasets documents metadata_filter history instructions effort top_k seconds rerank_model output"
)
ANSWERED = "answer status citations documents receipt result"
TOOLS = {  # what each takes, and the variables it gives
    "ask": (f"{SEARCH} model", ANSWERED),
    "quote": (SEARCH, ANSWERED),
    "discover": (SEARCH, "status documents receipt"),
    "boost": (SEARCH, "status receipt"),
    "search": (f"{SEARCH} threshold", "status documents receipt result"),
    "aggregate": (
        "query model passages instructions effort seconds output",
        "answer status citations receipt result",
    ),
    "reflect": ("query model answer passages seconds output", "status receipt"),
    "list_datasets": ("output", "status receipt"),
    "index": ("action datasets seconds output", "status receipt"),
    "list_documents": ("datasets name page limit output", "status documents receipt"),
    "doctor": ("language output", "status checks receipt"),
    "evaluate": ("questions suggest datasets effort seconds output", "status report questions receipt"),
}
OUTPUT_TYPES = {
    "answer": "string",
    "status": "string",
    "citations": "array",
    "documents": "array",
    "checks": "array",
    "report": "object",
    "questions": "array",
    "receipt": "object",
    "result": "array",
}
OWN_MODELS = {
    "llm_base_url": ("text-input", False),
    "llm_api_key": ("secret-input", False),
    "llm_model": ("text-input", False),
    "rerank_base_url": ("text-input", False),
    "rerank_api_key": ("secret-input", False),
    "rerank_model": ("text-input", False),
}
CREDENTIALS: dict[str, tuple[str, bool]] = {
    "dify_base_url": ("text-input", True),
    "dify_api_key": ("secret-input", True),
    "allowed_datasets": ("text-input", False),
    "agent_knowledge_bases": ("text-input", False),
    "agent_api_key": ("secret-input", False),
    "agent_depth": ("select", False),
    **OWN_MODELS,
    "index_home": ("select", False),
    "index_path": ("text-input", False),
    "index_url": ("text-input", False),
    "index_user": ("text-input", False),
    "index_password": ("secret-input", False),
    "embedding_base_url": ("text-input", False),
    "embedding_api_key": ("secret-input", False),
    "embedding_model": ("text-input", False),
    "proof_url": ("text-input", False),
    "proof_key": ("secret-input", False),
    "proof_days": ("select", False),
}
SETTINGS = CREDENTIALS | {
    "endpoint_key": ("secret-input", True),
    "effort": ("select", False),
    "allow_header_overrides": ("boolean", False),
    "keep_alive_seconds": ("text-input", False),
    "allowed_header_hosts": ("text-input", False),
}


def test_the_files_that_dify_reads_are_those_that_make_declarations_writes() -> None:
    written = written_from_the_table()
    assert {*written, "manifest.yaml"} | {
        path for path in declarations() if path.startswith("endpoints/")
    } == {*declarations()}
    assert [] == [path for path, text in written.items() if (ROOT / path).read_text(encoding="utf-8") != text]


def test_every_tool_has_a_row_a_doorway_and_words_and_nothing_else_names_them_all() -> None:
    """What adding a tool touches: host/tools.py (and its job), tools/NAME.py, standalone/texts.yaml."""
    texts = yaml.safe_load((ROOT / "standalone" / "texts.yaml").read_text(encoding="utf-8"))
    doorways = {path.stem for path in (ROOT / "tools").glob("*.py")} - {"__init__"}
    assert set(table.TOOLS) == doorways == set(texts["tools"])
    pages = [
        path for room in ("host", "tools", "provider", "endpoints") for path in (ROOT / room).rglob("*.py")
    ]
    naming = [
        path.relative_to(ROOT).as_posix()
        for path in pages
        if all(f'"{name}"' in path.read_text(encoding="utf-8") for name in table.TOOLS)
    ]
    assert ["host/tools.py"] == naming


@pytest.fixture(scope="module")
def sdk() -> Any:
    return as_the_sdk_reads_it()


def test_the_sdk_reads_every_tool_and_endpoint(sdk: Any) -> None:
    assert list(TOOLS) == [tool["identity"]["name"] for tool in sdk["provider"]["tools"]]
    expected = [
        ("/retrieval", "POST"),
        ("/mcp", "POST"),
        ("/mcp", "GET"),
        ("/mcp", "DELETE"),
        ("/proof", "GET"),
    ]
    assert expected == [(endpoint["path"], endpoint["method"]) for endpoint in sdk["group"]["endpoints"]]


def test_what_the_sdk_reads_is_what_the_files_say(sdk: Any) -> None:
    for tool in sdk["provider"]["tools"]:
        written = tools()[tool["identity"]["name"]]
        assert [p["name"] for p in written["parameters"]] == [p["name"] for p in tool["parameters"]]
        assert written["output_schema"] == tool["output_schema"]


def test_the_manifest_asks_for_what_the_contract_names() -> None:
    manifest = read("manifest.yaml")
    expected = {
        "author": "evidence",
        "name": "context_aware_retriever",
        "type": "plugin",
        "tags": ["rag", "search"],
        "resource": {
            "memory": 256 * 1024 * 1024,
            "permission": {
                "model": {"enabled": True, "llm": True, "rerank": True, "text_embedding": True},
                "endpoint": {"enabled": True},
                "storage": {"enabled": True, "size": 1024 * 1024},
            },
        },
    }
    assert expected == {key: manifest[key] for key in expected}


def test_the_runner_is_python_3_12() -> None:
    expected = {"language": "python", "version": "3.12", "entrypoint": "main"}
    assert expected == read("manifest.yaml")["meta"]["runner"]


def test_the_manifest_was_created_in_the_past() -> None:
    created = read("manifest.yaml")["created_at"]
    assert isinstance(created, dt.datetime)
    assert created < dt.datetime.now(dt.UTC)


def test_the_manifest_and_the_project_have_one_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == read("manifest.yaml")["version"]


def test_every_file_that_a_declaration_names_has_its_place() -> None:
    manifest, identity = read("manifest.yaml"), read(PROVIDER)["identity"]
    for icon in (manifest["icon"], manifest["icon_dark"], identity["icon"], identity["icon_dark"]):
        assert (ROOT / "_assets" / icon).is_file()
    assert (ROOT / manifest["privacy"]).is_file()


def test_each_declaration_names_the_code_beside_it() -> None:
    sources = {path: d["extra"]["python"]["source"] for path, d in declarations().items() if "extra" in d}
    elsewhere = {
        "endpoints/mcp_get.yaml": "endpoints/mcp.py",
        "endpoints/mcp_delete.yaml": "endpoints/mcp.py",
    }
    assert {path: elsewhere.get(path, path.removesuffix("yaml") + "py") for path in sources} == sources


def _facts(p: dict[str, Any]) -> tuple[Any, ...]:
    """What the table above tells of a parameter."""
    allowed: Any = [option["value"] for option in p["options"]] if "options" in p else None
    allowed = (p.get("min"), p.get("max")) if p["type"] == "number" else allowed
    return p["type"], p["form"], p["required"], p.get("default"), allowed


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_takes_and_gives_what_the_contract_says(name: str) -> None:
    takes, gives = (words.split() for words in TOOLS[name])
    declared = [(p["name"], _facts(p)) for p in tools()[name]["parameters"]]
    assert sorted((each, PARAMETERS[each]) for each in takes) == sorted(declared)
    properties = tools()[name]["output_schema"]["properties"]
    assert {each: OUTPUT_TYPES[each] for each in gives} == {key: v["type"] for key, v in properties.items()}
    assert all(value["description"] for value in properties.values())


def test_no_variable_has_a_name_that_dify_reserves() -> None:
    for tool in tools().values():
        assert set() == {"text", "json", "files"} & set(tool["output_schema"]["properties"])


def test_a_model_selector_is_always_required_because_agents_fail_without_a_value() -> None:
    selectors = [p for t in tools().values() for p in t["parameters"] if p["type"] == "model-selector"]
    expected = [("llm", True)] * 3
    assert expected == [(p["scope"], p["required"]) for p in selectors]


def test_the_credentials_are_those_of_the_contract() -> None:
    credentials = read(PROVIDER)["credentials_for_provider"]
    expected = CREDENTIALS
    assert expected == {name: (c["type"], c["required"]) for name, c in credentials.items()}


def test_the_endpoint_has_settings_of_its_own() -> None:
    settings = {s["name"]: s for s in read(GROUP)["settings"]}
    expected = SETTINGS
    assert expected == {name: (s["type"], s["required"]) for name, s in settings.items()}
    assert settings["allow_header_overrides"]["default"] is False
    levels = ["extractive", "fast", "balanced"]
    assert levels == [o["value"] for o in settings["effort"]["options"]]


def test_only_what_people_use_is_listed_among_the_endpoints() -> None:
    hidden = {path: read(path)["hidden"] for path in read(GROUP)["endpoints"]}
    expected = ["endpoints/mcp_get.yaml", "endpoints/mcp_delete.yaml"]
    assert expected == [p for p, h in hidden.items() if h]
