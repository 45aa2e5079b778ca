"""
Stored text as data: fenced by a boundary that nobody can guess, named by keys that mean nothing.

Whatever a passage says, it cannot close its fence, since the boundary is chosen after the text is known.
`suspicious` only flags; the fence is what protects.
"""

import re
import secrets
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evidence.language.memo import remembered
from evidence.language.normalise import fold
from evidence.language.sentences import sentences
from evidence.model import Span

_KEY_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that looks like another


@dataclass(frozen=True, slots=True)
class Fenced:
    """The text for the prompt, the boundary to name in the instructions, and the keys in order."""

    text: str
    boundary: str
    keys: tuple[str, ...]


def opaque_keys(count: int) -> tuple[str, ...]:
    """Distinct keys such as "p7k" that carry neither order nor content."""
    keys: dict[str, None] = {}
    length = 2 if count <= 200 else 4
    while len(keys) < count:
        keys["p" + "".join(secrets.choice(_KEY_LETTERS) for _ in range(length))] = None
    return tuple(keys)


def fenced(passages: Sequence[tuple[str, str, str]], boundary: str | None = None) -> Fenced:
    """Passages (key, header, text) between lines that hold the boundary.

    A given boundary is for tests and golden prompts; it grows when a passage happens to hold it.
    """
    tidy = [(key, " ".join(header.split()), text) for key, header, text in passages]
    wall = boundary or secrets.token_hex(12)
    while any(wall in part for passage in tidy for part in passage):
        wall += secrets.token_hex(6)
    parts = [f"<<{wall} {key} | {header}>>\n{text}\n<<{wall} end {key}>>" for key, header, text in tidy]
    return Fenced("\n\n".join(parts), wall, tuple(key for key, _, _ in passages))


# --- instructions aimed at a model -------------------------------------------------------------------------

_ORDERS = r"(?:instruction|prompt|rule|guideline|directive|command|message|context)s?"
_EARLIER = r"(?:previous|prior|preceding|earlier|above|foregoing|original|system|existing|other)"
_ENGLISH = (
    rf"(?:ignore|disregard|forget|override|bypass)\s(?:\w+\s){{0,4}}{_EARLIER}\s(?:\w+\s){{0,2}}{_ORDERS}\b",
    (
        rf"(?:ignore|disregard|forget)\s(?:\w+\s){{0,2}}(?:all|any|your|every|these|the)\s(?:\w+\s){{0,2}}{_ORDERS}\s"
        r"(?:above|before|you|that\scame|given\sto\syou)"
    ),
    r"ignore\s(?:everything|anything|all)\s(?:above|before|you|that\scame)\b",
    (
        r"you\sare\snow\s(?:an?\s|the\s|in\s)?(?:\w+\s)?(?:ai|assistant|chatbot|model|bot|dan|jailbroken|unrestricted|"
        r"developer\smode|free\sfrom|no\slonger\s(?:bound|an?\s(?:ai|assistant)))\b"
    ),
    (
        r"(?:act|behave|respond|pretend)\s(?:as|to\sbe|like)\s(?:if\syou\s)?(?:an?\s)?(?:\w+\s)?"
        r"(?:ai|chatbot|language\smodel|jailbroken|dan|unrestricted|root)\b"
    ),
    (
        r"\b(?:reveal|print|output|repeat|show|disclose|leak|expose|send|tell\sme)\s(?:\w+\s){0,2}(?:your|the)\s"
        r"(?:\w+\s){0,2}(?:system\s(?:prompt|message)|prompt|hidden\sinstructions|initial\sinstructions|api\skeys?)\b"
    ),
    r"\bsystem\s(?:prompt|override)\b",
    r"\bdeveloper\s(?:mode\s(?:on|enabled|activated)|message)\b",
    r"\bas\san\s(?:ai\b(?:\s(?:language\s)?model|\sassistant)?|artificial\sintelligence)|\bas\sa\slanguage\smodel\b",
    (
        r"\b(?:attention|note\sto|message\sto|instructions?\s(?:to|for)|dear|hey|hello)[\s:,]{1,2}(?:the\s|any\s|all\s)?"
        r"(?:ai|llms?|language\smodels?|ai\s(?:assistants?|models?)|chatbots?)\b"
    ),
    r"\b(?:ai|llms?|language\smodels?|chatbots?|assistants?)\s(?:reading|processing|summari[sz]ing|parsing)\sthis\b",
    r"\bdo\snot\s(?:tell|inform|mention\s(?:this\s)?to|alert)\sthe\suser\b",
    r"\b(?:your|my)\snew\s(?:instructions|task|role|persona)\s(?:is|are)\b",
    r"\bjailbreak(?:ed|ing)?\b|\bprompt\sinjection\b",
)
_CHINESE = (
    (
        r"(?:忽略|无视|無視|忘记|忘記|不要理会|不要理會|不要遵守|抛开)(?:掉|你|您|所有|之前|以上|上述|上面|前面|先前|此前|"
        r"全部|一切|任何|系统|系統|的|了){1,8}(?:指令|指示|提示词|提示|提示詞|命令|规则|規則|设定|設定|要求)"
    ),
    r"(?:你|您)(?:现在|現在|从现在起|將|将)(?:是|扮演|变成|成为)(?:一个|一個|一名)?.{0,6}(?:助手|AI|人工智能|模型|机器人|機器人|黑客)",
    r"系统提示|系統提示|开发者模式",
    r"作为(?:一个|一個|一名)?(?:AI|人工智能|大?语言模型)",
    r"(?:输出|透露|泄露|显示|打印|告诉我|重复)(?:你|您)的?.{0,4}(?:提示词|提示|指令|密钥|设定)",
    r"(?:不要|别|请勿)(?:告诉|告知|通知)(?:用户|使用者)",
)
_JAPANESE = (
    (
        r"(?:以前|これまで|今まで|上記|上|前|先ほど|すべて|全て|全|元)の.{0,8}(?:指示|命令|プロンプト|ルール|指令|設定)(?:を|は).{0,6}"
        r"(?:無視|忘れ|破棄|無効)"
    ),
    r"(?:あなた|君)は(?:今|いま|これ)から.{0,12}(?:AI|アシスタント|モデル|ボット|として)",
    r"システムプロンプト|開発者モード",
    r"(?:AI|人工知能|言語モデル)(?:言語モデル|アシスタント|モデル)?として(?:回答|答え|私)",
    r"(?:プロンプト|指示|設定)を(?:出力|表示|開示|教え|公開)(?:し|して)?(?:ください|て)",
    r"ユーザー?に(?:は)?(?:伝え|知らせ|言わ)ない",
)
_LOOKALIKES = (
    r"</?(?:tool_calls?|function_calls?|tool_use|tool_result|invoke|system|assistant|instructions?)(?:\s[^<>\n]{0,80})?>",
    r"<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)\|>",
    r"\[/?INST\]|<</?SYS>>",
    r"\[\[\s?##\s?\w{1,40}\s?##\s?\]\]",
    r"\"(?:tool_calls|function_call)\"\s?:",
    r"\{\s?\"name\"\s?:\s?\"[\w.-]{1,60}\"\s?,\s?\"(?:arguments|parameters|input)\"\s?:",
    r"(?:^|\n)\s{0,3}(?:#{1,6}\s?|\*\*)(?:system|new instructions?)\b\s?:?",
)


def _same_form(pattern: str) -> str:
    return unicodedata.normalize("NFKD", pattern)


_SPOKEN = re.compile("|".join(_same_form(p) for p in (*_ENGLISH, *_CHINESE, *_JAPANESE)), re.IGNORECASE)
_WRITTEN = re.compile("|".join(_LOOKALIKES), re.IGNORECASE)
# One of these stands in whatever the English patterns find: most texts hold none, and need not be searched.
_SIGNS = (
    *("ignore", "disregard", "forget", "override", "bypass", "you are now", "prompt", "the user", "api key"),
    *(f"{act} {like}" for act in ("act", "behave", "respond", "pretend") for like in ("as", "to be", "like")),
    *("system message", "hidden instruction", "initial instruction", "developer m"),
    *(
        "as an ai",
        "as an artificial",
        "as a language",
        "llm",
        "language model",
        "chatbot",
        " ai",
        ":ai",
        ",ai",
    ),
    *(f"{reading} this" for reading in ("reading", "processing", "parsing", "summarising", "summarizing")),
    *(f"new {role}" for role in ("instruction", "task", "role", "persona")),
    "jailbr",
)
_SENTENCE = 1_000  # characters on either side of a quote in which its sentence is looked for
_OF_PEOPLE = re.compile(
    r"\b(?:may|shall|can|could|not|to|will|would|might|cannot|who|must)\s(?:\w+\s(?:or|and)\s)?$"
)
_TO_YOU = re.compile(r"\byou\s(?:must|should|shall|will|to|need\sto|have\sto|are\sto)\s$")


@remembered(1_000, 4_000)
def suspicious(text: str) -> tuple[str, ...]:
    """Words in a document that talk to a model, as they stand there; ordinary contracts yield nothing."""
    return tuple(dict.fromkeys((*_spoken(text), *(found[0].strip() for found in _WRITTEN.finditer(text)))))


def suspicious_around(text: str, span: Span) -> tuple[str, ...]:
    """The same for the whole sentences that a quote is taken from: the middle of an order looks innocent."""
    low = max(0, span.start - _SENTENCE)
    around = text[low : span.end + _SENTENCE]
    stands = [s for s in sentences(around) if s.start < span.end - low and span.start - low < s.end]
    return suspicious(around[stands[0].start : stands[-1].end]) if stands else ()


def _spoken(text: str) -> Iterator[str]:
    """Looked for in the folded text, so that odd spacing, width or hidden characters do not hide them."""
    folded = fold(text)
    if folded.text.isascii() and not any(sign in folded.text for sign in _SIGNS):
        return
    for found in _SPOKEN.finditer(folded.text):
        before = folded.text[max(0, found.start() - 30) : found.start()]
        order = found[0].startswith(("ignore", "disregard", "forget", "override", "bypass"))
        if order and _OF_PEOPLE.search(before) and not _TO_YOU.search(before):
            continue  # "the Bank may disregard prior instructions" is about people
        span = folded.span(found.start(), found.end())
        yield text[span[0] : span[1]] if span else found[0]
