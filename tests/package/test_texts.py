"""What people and models read: four languages, lengths that Dify accepts, real content."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from declared import GROUP, LANGUAGES, PROVIDER, ROOT, declarations, read, tools

CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uff01-\uff5e]")
EXISTING = re.compile(
    r"(?:docs\.|api\.)?dify\.ai|arxiv\.org|keepachangelog\.com|semver\.org|pypi\.org|www\.apache\.org"
    r"|api|nginx|plugin_daemon|localhost|127\.0\.0\.1|(?:[\w-]+\.)*example\.com"
)
ENGLISH = ("PRIVACY.md", "CHANGELOG.md", "LICENSE", "requirements.txt", ".difyignore", "main.py")
TRANSLATIONS = ("README_zh_Hans.md", "README_ja_JP.md", "README_pt_BR.md")
TRANSLATED = frozenset({"label", "description", "human", "human_description", "help", "placeholder"})
FIXED = frozenset({"llm", "output_schema"})


def texts(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every text for people below a declaration, with where it stands."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from texts(item, f"{path}[{index}]")
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in TRANSLATED and "llm" not in (item if isinstance(item, dict) else ()):
                yield f"{path}.{key}", item
            elif key not in FIXED:
                yield from texts(item, f"{path}.{key}")


ALL_TEXTS = [text for path, declaration in declarations().items() for text in texts(declaration, path)]


def test_every_text_for_people_is_there_in_four_languages() -> None:
    assert len(ALL_TEXTS) > 100
    assert not [where for where, text in ALL_TEXTS if set(text) != LANGUAGES or not all(text.values())]


def test_no_text_for_people_is_longer_than_dify_accepts() -> None:
    assert not [where for where, text in ALL_TEXTS if max(map(len, text.values())) >= 1024]


def test_english_and_portuguese_texts_hold_no_chinese_or_japanese_signs() -> None:
    assert not [where for where, text in ALL_TEXTS if CJK.search(text["en_US"] + text["pt_BR"])]


def test_chinese_and_japanese_descriptions_are_translated() -> None:
    sentences = [
        (where, text) for where, text in ALL_TEXTS if where.endswith(("description", "human", "help"))
    ]
    for language in ("zh_Hans", "ja_JP"):
        assert not [where for where, text in sentences if not CJK.search(text[language])]


@pytest.mark.parametrize("name", tools())
def test_what_a_model_reads_of_a_tool_is_short_enough_and_says_when_to_use_it(name: str) -> None:
    description = tools()[name]["description"]["llm"]
    assert 200 < len(description) < 1024
    assert "Use it" in description
    for parameter in tools()[name]["parameters"]:
        assert 0 < len(parameter["llm_description"]) < 1024


@pytest.mark.parametrize("name", tools())
def test_a_tool_for_models_names_only_tools_that_exist(name: str) -> None:
    named = re.findall(
        r"\b(?:ask|quote|discover|boost|search|aggregate|reflect|list_\w+)\b",
        tools()[name]["description"]["llm"],
    )
    assert set(named) <= set(tools())


def test_every_help_has_an_address_because_dify_shows_it_only_as_a_link() -> None:
    fields = [*read(PROVIDER)["credentials_for_provider"].values(), *read(GROUP)["settings"]]
    assert {True} == {
        field["url"].startswith("https://docs.dify.ai/en/") for field in fields if "help" in field
    }


def test_no_page_names_the_address_of_a_repository_a_site_or_a_person_that_does_not_exist() -> None:
    """Addresses are Dify's own, standards', papers' and packages' that exist, or examples by their name."""
    pages = [
        ROOT / name for name in ("README.md", "PRIVACY.md", "CHANGELOG.md", "manifest.yaml", PROVIDER, GROUP)
    ]
    pages += [
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "readme").glob("*.md"),
        *(ROOT / "tools").glob("*.yaml"),
    ]
    words = {page: page.read_text(encoding="utf-8") for page in pages}
    hosts = {
        (page.name, host) for page, text in words.items() for host in re.findall(r"https?://([\w.-]+)", text)
    }
    assert [] == sorted((page, host) for page, host in hosts if not EXISTING.fullmatch(host))
    people = {
        (page.name, found)
        for page, text in words.items()
        for found in re.findall(r"[\w.]+@[\w-]+\.\w+", text)
    }
    assert set() == people


def test_the_readme_and_the_forms_say_which_model_serves_whom() -> None:
    (row,) = [line for line in (ROOT / "README.md").read_text("utf-8").splitlines() if "| Chat API |" in line]
    fields = read(PROVIDER)["credentials_for_provider"]
    (model,) = [each for each in tools()["ask"]["parameters"] if each["name"] == "model"]
    for text in (row, fields["llm_base_url"]["help"]["en_US"]):
        assert [] == [tool for tool in ("MCP", "External Knowledge", "search", "boost") if tool not in text]
        assert "model of the workspace" in text
    assert "Dify requires one in this form" in model["human_description"]["en_US"]


def test_the_help_of_the_address_names_docker_and_the_cloud_in_every_language() -> None:
    texts_of_help = read(PROVIDER)["credentials_for_provider"]["dify_base_url"]["help"]
    for text in texts_of_help.values():
        for address in ("http://api:5001/v1", "http://nginx/v1", "https://api.dify.ai/v1"):
            assert address in text


@pytest.mark.parametrize("name", ENGLISH)
def test_an_english_file_holds_no_chinese_or_japanese_signs(name: str) -> None:
    assert CJK.search((ROOT / name).read_text(encoding="utf-8")) is None


def test_the_readme_is_english_outside_its_examples() -> None:
    """Dify's marketplace refuses a README that is not."""
    page = re.sub(r"```.*?```", "", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    assert CJK.search(page) is None


@pytest.mark.parametrize("name", TRANSLATIONS)
def test_a_translated_page_is_short_and_says_where_the_privacy_page_is(name: str) -> None:
    page = (ROOT / "readme" / name).read_text(encoding="utf-8")
    assert len(page.split()) < 400
    assert "PRIVACY.md" in page


def test_the_privacy_page_names_every_place_that_data_go_to() -> None:
    page = (ROOT / "PRIVACY.md").read_text(encoding="utf-8")
    for place in ("knowledge API", "language model of your workspace", "chat API", "rerank API", "Telemetry"):
        assert place in page


def test_the_licence_is_apache_2_in_full() -> None:
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Version 2.0, January 2004" in licence
    assert "END OF TERMS AND CONDITIONS" in licence
