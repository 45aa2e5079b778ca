"""The few sentences that are ours, in the language of the question: English, Chinese, Japanese."""

import re
from collections.abc import Mapping
from itertools import zip_longest
from typing import Literal

from evidence.language.sentences import sentences

type Language = Literal["en", "zh", "ja"]

_KANA = re.compile(r"[\u3040-\u30ff]")
_HAN = re.compile(r"[\u3400-\u9fff]")

_ENGLISH: Mapping[str, str] = {
    "yes": "Yes",
    "no": "No",
    "not_stated": "Not stated",
    "stop": ". ",
    "undecided": "Neither yes nor no is proven. The documents say:",
    "documents_say": "The documents say:",
    "besides": "They also say:",
    "thin": "The evidence is thin. The closest that the documents say:",
    "not_found": "I did not find this in {where}.",
    "searched": "Searched: {queries}.",
    "bound": "{read} of {held} segments of {documents} documents read.",
    "bound_one": "{read} of {held} segments of 1 document read.",
    "cut_off": "This may not be all: the model's reply was cut off, or it could not be given every passage.",
    "others": "Documents that were not read for this list: {others}.",
    "pieces": "Of other documents only what was retrieved (segments: {pieces}, documents: {documents}).",
    "unreadable": "{count} of {documents} documents could not be read: {names}.",
    "unsearched": "Not searched to the end: {names}.",
    "missing": "No document answers to: {names}.",
    "unread": "Named in the question, but it could not be read: {names}.",
    "no_dataset": "There is no dataset that could be searched.",
    "nothing": "the documents that were searched",
    "more": "{shown} and {more} more",
    "unproven": "not in the quote: {details}",
    "unproven_answer": "What the model wrote could not be proven from the passages and is not shown.",
    "contradiction": "The documents differ on this; the newest comes first:",
    "contradiction_partly": "The documents differ on this (newest first where a date is known):",
    "contradiction_undated": "The documents differ on this:",
    "older": "An older version is not part of this: {names}.",
    "document": "Document",
    "point": "Point",
    "cell_missing": "not found (searched: {queries})",
    "cell_unproven": "not proven from the passages",
    "cell_unread": "not read",
}
_CHINESE: Mapping[str, str] = {
    "yes": "是",
    "no": "否",
    "not_stated": "未说明",
    "stop": "。",
    "undecided": "是与否均未得到证实。文件中写道：",
    "documents_say": "文件中写道：",
    "besides": "文件中还写道：",
    "thin": "证据不足。文件中最接近的内容：",
    "not_found": "在{where}中没有找到相关内容。",
    "searched": "已检索：{queries}。",
    "bound": "已阅读 {documents} 份文件的 {held} 个分段中的 {read} 个。",
    "bound_one": "已阅读 1 份文件的 {held} 个分段中的 {read} 个。",
    "cut_off": "以上可能并不完整：模型的回复被截断，或未能读到所有段落。",
    "others": "未为此清单读取的文件：{others} 份。",
    "pieces": "其余文件仅查看了检索到的部分（{documents} 份文件的 {pieces} 个分段）。",
    "unreadable": "{documents} 份文件中有 {count} 份未能读取：{names}。",
    "unsearched": "未能完整检索：{names}。",
    "missing": "没有与此对应的文件：{names}。",
    "unread": "问题中提到的这份文件未能读取：{names}。",
    "no_dataset": "没有可以检索的知识库。",
    "nothing": "已检索的文件",
    "more": "{shown}等（另有 {more} 份）",
    "unproven": "引文中没有：{details}",
    "unproven_answer": "模型所写的内容无法由原文证实，因此不予显示。",
    "contradiction": "各文件对此说法不一（新的在前）：",
    "contradiction_partly": "各文件对此说法不一（已知日期者，新的在前）：",
    "contradiction_undated": "各文件对此说法不一：",
    "older": "旧版本未计入：{names}。",
    "document": "文件",
    "point": "比较项",
    "cell_missing": "未找到（已检索：{queries}）",
    "cell_unproven": "无法由原文证实",
    "cell_unread": "未读取",
}
_JAPANESE: Mapping[str, str] = {
    "yes": "はい",
    "no": "いいえ",
    "not_stated": "記載なし",
    "stop": "。",
    "undecided": "「はい」とも「いいえ」とも確かめられません。文書には次のように書かれています：",
    "documents_say": "文書には次のように書かれています：",
    "besides": "文書には次のようにも書かれています：",
    "thin": "根拠が十分ではありません。文書で最も近い記述：",
    "not_found": "{where}には見つかりませんでした。",
    "searched": "検索した語：{queries}。",
    "bound": "{documents} 件の文書の {held} 個のセグメントのうち {read} 個を読みました。",
    "bound_one": "1 件の文書の {held} 個のセグメントのうち {read} 個を読みました。",
    "cut_off": "これがすべてではない可能性があります。モデルの返答が途中で切れたか、すべての箇所を渡せませんでした。",
    "others": "この一覧のために読んでいない文書：{others} 件。",
    "pieces": "ほかの文書は検索で見つかった部分のみ（{documents} 件の文書の {pieces} 個のセグメント）。",
    "unreadable": "{documents} 件の文書のうち {count} 件を読めませんでした：{names}。",
    "unsearched": "最後まで検索できませんでした：{names}。",
    "missing": "該当する文書がありません：{names}。",
    "unread": "質問にある次の文書は読めませんでした：{names}。",
    "no_dataset": "検索できるナレッジベースがありません。",
    "nothing": "検索した文書",
    "more": "{shown}ほか {more} 件",
    "unproven": "引用にない：{details}",
    "unproven_answer": "モデルの文は原文から確かめられなかったため、表示しません。",
    "contradiction": "文書によって記述が異なります（新しい順）：",
    "contradiction_partly": "文書によって記述が異なります（日付が分かるものは新しい順）：",
    "contradiction_undated": "文書によって記述が異なります：",
    "older": "旧版は含まれません：{names}。",
    "document": "文書",
    "point": "項目",
    "cell_missing": "見つかりません（検索：{queries}）",
    "cell_unproven": "原文から確かめられません",
    "cell_unread": "未読",
}
_PHRASES: Mapping[Language, Mapping[str, str]] = {"en": _ENGLISH, "zh": _CHINESE, "ja": _JAPANESE}
_NAMES: Mapping[Language, str] = {"en": "English", "zh": "Chinese", "ja": "Japanese"}
_OPENINGS = re.compile(
    r"^\s*(?:(?P<no>no\b|not? (?=[,.])|否|不是|不可以|不能|いいえ)|(?P<yes>yes\b|是的|是[，,。]|可以[，,。]|はい)"
    r"|(?P<not_stated>not stated\b|unclear\b|未说明|没有说明|記載なし|不明))[\s,.:;，。、：–—-]*",
    re.IGNORECASE,
)


def language(question: str) -> Language:
    """Japanese when there is any kana, Chinese when there are Han characters, else English."""
    if _KANA.search(question):
        return "ja"
    return "zh" if _HAN.search(question) else "en"


def language_name(question: str) -> str:
    """What a model is told; for other scripts it is told to look at the question."""
    found = language(question)
    return "the language of the question" if found == "en" else _NAMES[found]


def phrase(name: str, question: str, **values: object) -> str:
    """One of our sentences, filled in, in the language of the question."""
    return _PHRASES[language(question)][name].format(**values)


def is_ours(sentence: str) -> bool:
    """Whether a sentence is one of ours, in any language, however it is filled in."""
    line = " ".join(sentence.split())
    aside = line[1:-1] if line.startswith("(") and line.endswith(")") else line
    return any(_OURS.fullmatch(each) for each in (line, aside))


def _pattern(written: str) -> str:
    """One of our sentences as a pattern: counts for counts, anything for names and queries."""
    parts = _BLANK.split(re.escape(written).replace(r"\{", "{").replace(r"\}", "}"))
    filled = [r"\d++" if name in _COUNTS else r"[^\n]{0,1000}" for name in parts[1::2]]
    return "".join(part for pair in zip_longest(parts[::2], filled, fillvalue="") for part in pair)


_BLANK = re.compile(r"\{(\w++)\}")
_COUNTS = frozenset("read held documents count pieces others more".split())
_PARTS = frozenset("yes no stop document point more nothing".split())  # of sentences, and no sentences
_OURS = re.compile(
    "^(?:"
    + "|".join(
        _pattern(written[span.start : span.end])
        for language_ in _PHRASES.values()
        for name, written in language_.items()
        if name not in _PARTS
        for span in sentences(written)
    )
    + ")"
)


def opening(sentence: str) -> tuple[str, str]:
    """("yes" | "no" | "not_stated" | "", the sentence without that opening)."""
    found = _OPENINGS.match(sentence)
    if found is None or found.lastgroup is None:
        return "", sentence
    rest = sentence[found.end() :]
    return found.lastgroup, rest[:1].upper() + rest[1:]
