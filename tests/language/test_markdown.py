"""What a document, a name or a model wrote renders as words: no marker, link, image or HTML of its own."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from evidence.language.markdown import decoded, plain, safe, shown_name, unescaped

HOSTILE = st.lists(
    st.sampled_from(
        [
            *"ab [](){}!1290^,;pP【】\n\\`<>:/=-\"'&~|",
            "![",
            "](",
            "``",
            "\\`",
            "<!--",
            "-->",
            "<img src=x>",
            "<b>",
            "</b>",
            "<https://a.example>",
            "[4]",
            "[x]: http://a.example",
            "\x1b]8;;http://a.example\x07",
            "\u202e",
            "https://evil.example/a",
            "www.evil.example",
        ]
    ),
    max_size=30,
).map("".join)
# What GitHub's Markdown makes a link of by itself (GFM, 6.9); some renderers do so in escaped text too.
AUTOLINK = re.compile(r"(?:https?|ftp)://\S|(?<![A-Za-z0-9])www\.\S", re.IGNORECASE)
RENDERED = {"link_open", "image", "html_inline", "html_block"}


def rendered(text: str) -> set[str]:
    """What of a Markdown text is a link, an image or HTML."""

    def kinds(tokens: list[Token]) -> set[str]:
        return {kind for each in tokens for kind in ({each.type} | kinds(each.children or []))}

    return kinds(MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)) & RENDERED


@given(HOSTILE)
def test_no_words_of_others_render_a_link_an_image_or_html(written: str) -> None:
    shown = (safe(written), safe(plain(written)))
    assert set() == rendered(
        f"> {shown[0]} [1]\n\n{shown[1]} [1] {shown[0]} [2] ({shown[1]})\n\n- {shown[0]}"
    )
    assert set() == rendered(
        f"| a | b |\n| --- | --- |\n| {shown[0]} [1] | {shown[1].replace('|', '\\|')} [2] |"
    )


def texts(text: str) -> str:
    """What of a Markdown text is text, and not code."""

    def contents(tokens: list[Token]) -> list[str]:
        return [
            each.content if each.type == "text" else " ".join(contents(each.children or []))
            for each in tokens
        ]

    return "\n".join(contents(MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)))


@given(HOSTILE)
def test_no_address_in_words_of_others_becomes_a_link_by_itself(written: str) -> None:
    for shown in (safe(written), safe(plain(written)), shown_name(written)):
        assert None is AUTOLINK.search(texts(f"> {shown} [1]\n\n- {shown}"))


@pytest.mark.parametrize(
    ("shown", "written"),
    [
        ("See `https://evil.example/a?b=c#d`.", "See https://evil.example/a?b=c#d."),
        ("`www.evil.example/?q=1.md`", "www.evil.example/?q=1.md"),
        ("(`HTTP://evil.example`)", "(HTTP://evil.example)"),
        ("siehe `https://b`ücher.example", "siehe https://bücher.example"),
        ("见`https://evil.example/a`。", "见https://evil.example/a。"),
        ("`code of https://a.example`", "`code of https://a.example`"),
        ("awww.so nice", "awww.so nice"),
    ],
)
def test_an_address_is_shown_as_code_and_read_back_as_it_was(shown: str, written: str) -> None:
    assert shown == safe(written) == safe(shown)
    assert written == unescaped(shown) or "`" in written


@given(HOSTILE)
def test_no_words_of_others_keep_a_marker(written: str) -> None:
    assert None is re.search(r"(?<!\\)\[\d+\]", safe(plain(written)))
    assert None is re.search(r"(?<!\\)\[\d+\]", safe(written))


@given(HOSTILE)
def test_what_is_escaped_is_not_escaped_again(written: str) -> None:
    assert safe(written) == safe(safe(written))


@pytest.mark.parametrize(
    "written",
    [
        "Open [[a](b)c](http://a.example/) now.",
        "See ![1][[a](b)c](http://a.example/x.png).",
        'See <img src="http://a.example/x.png"> here.',
        "See <<b>img src=x> here.",
        r"See [a\]b](http://a.example/).",
        "See `a [b](http://a.example) ` `` <img src=x> `.",
        r"See \`<img src=x>`.",
    ],
)
def test_no_link_image_or_tag_of_a_model_is_rendered_however_it_is_nested(written: str) -> None:
    assert set() == rendered(safe(plain(written)))


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ("a <b>word</b>", r"a \<b>word\</b>"),
        ("a [link](http://a.example)", r"a [link\](`http://a.example`)"),
        ("![x](y)", r"!\[x\](y)"),
        ("[x]: http://a.example", r"[x\]: `http://a.example`"),
        ("2 < 3 and [sic]", "2 < 3 and [sic]"),
        ("`git clone <repository>` or List<String>", r"`git clone <repository>` or List\<String>"),
        ("one ` alone, <b>", r"one \` alone, \<b>"),
        ("the list `a[4]`", r"the list \`a\[4\]\`"),
    ],
)
def test_the_words_of_a_document_render_nothing_and_code_stays(stored: str, expected: str) -> None:
    assert expected == safe(stored)


@pytest.mark.parametrize(
    "written",
    [
        "Run git clone <repository> <directory> first.",
        "It returns a List<String> or a Map<K, V>.",
        "The package is named <foo>_<版>.deb.",
        "Copy <source> to <target>, <title> stays.",
    ],
)
def test_text_in_angle_brackets_survives_in_a_sentence_of_a_model(written: str) -> None:
    assert written == plain(written)
    assert set() == rendered(safe(written))


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Notice is 30 days [4].", "Notice is 30 days."),
        ("Notice is 30 days ［4］.", "Notice is 30 days."),
        ("Notice is 30 days【4, 5】.", "Notice is 30 days."),
        ("Notice is 30 days [P4; ^2].", "Notice is 30 days."),
        ("Notice is <b>30</b> days<br/>.", "Notice is 30 days."),
        ("Notice is [30 days](http://a.example/x_(y)).", "Notice is 30 days."),
        ("Notice ![x](http://a.example/?q=1)is 30\n\ndays.", "Notice is 30 days."),
        ("An array[i] of [sic] words.", "An array[i] of [sic] words."),
        ("x" * 150_000, "x" * 4_000 + "…"),
    ],
)
def test_what_a_model_typed_as_markers_links_and_html_is_taken_out(written: str, expected: str) -> None:
    assert expected == plain(written)


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("expense%20policy%20rev3.md", "expense policy rev3.md"),
        ("expense%2520policy.md", "expense policy.md"),
        ("%E4%BC%91%E5%81%87.txt", "休假.txt"),
        ("50% off.md", "50% off.md"),
        ("%FF%FE.md", "%FF%FE.md"),
        ("%20", "%20"),
        ("a+b_c.md", "a+b_c.md"),
        ("%1b[31m%E2%80%AEa%0Ab.md", "a b.md"),
        ("%5Bx%5D(http://a.example)", "[x\\](`http://a.example`)"),
    ],
)
def test_the_name_of_a_document_is_shown_decoded_and_safe(stored: str, shown: str) -> None:
    assert shown == shown_name(stored)


def test_what_is_not_encoded_is_not_touched() -> None:
    assert "100 % of 7%" == decoded("100 % of 7%")
