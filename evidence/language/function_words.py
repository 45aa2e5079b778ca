"""Which terms of a question say nothing about what is asked.

`STOP` are the function words; `SCAFFOLD` adds the words that frame a question ("does the document state",
请问, 教えて) and the words for kinds of documents. Both hold terms, as analysis.terms makes them. Chinese and
Japanese have no blanks between words, so whole function phrases are cut out of the text before it is made
terms; this keeps pairs such as "期限是" from making terms that no document holds.
"""

import re

from evidence.language.terms import has_cjk, terms, terms_of, words

_ENGLISH = """
a about above across after again against all also although am among an and another any anybody anyone
anything are aren't around as at be because been before being below between both but by can cannot can't
could couldn't did didn't do does doesn't doing don't done down during each either else ever every for
from further get had has hasn't have haven't having he her here hers herself him himself his how however
i if in into is isn't it its itself just let may me might more most much must my myself neither no nor
not now of off on once one only onto or other others our ours out over own per same shall she should
shouldn't so some such still already yet currently than that the their theirs them themselves then there
these they this those through thus to too under until up upon us very via was wasn't we were weren't
what whatever when where wherever whether which while who whom whose why will with within without would
wouldn't yes you your yours s t d ll re ve m
"""
_FRAMING = """
document documents contract contracts agreement agreements policy policies clause clauses section
sections article articles provision provisions paragraph file files text record records include includes
including contain contains containing mention mentions mentioned state states stated statement specify
specifies specified provide provides provided describe describes described description explain explains
explained explanation require requires required allow allows allowed permit permits permitted prohibit
prohibits prohibited prevent prevents restrict restricts restricted say says said saying indicate
indicates indicated regard regarding regards according concern concerning respect cover covers address
addresses relate relating tell give list find show look lookup search outline question questions answer
answers asked ask please know want need wonder wondering summarise summarize summary overview brief
briefly compare compares compared comparison comparing differ differs difference differences different
contrast versus vs consider considering there's what's whats how's long many point points aspect aspects
topic topics kind kinds sort sorts exactly anywhere
"""
_CHARACTERS = (
    "的了是在和与及或就都而着也还吗呢吧啊么之其此该这那哪几被把将由对于为以从到个请您你我们它他她何誰"
)
_CHINESE = """
是否 是不是 有没有 有无 能否 能不能 可否 可不可以 是什么 为什么 什么 什么样 怎么 怎样 怎么样 如何 哪
哪些 哪个 哪份 哪几 哪里 多少 多久 多长 多长时间 几个 请问 请 请你 请您 吗 呢 以及 并且 或者 还是 还有
关于 对于 根据 按照 依据 有关 相关 其中 之间 我们 你们 它们 他们 这个 那个 这份 那份 这些 那些 该 的话
一下 一个 一份 两者 两个 两份 两国 各自 分别 所有 全部 一共 那么 以上 什么时候
"""
_CHINESE_FRAMING = """
说明 规定 约定 条款 条文 列出 列举 告诉 告诉我 介绍 解释 描述 写明 写到 提到 提及 包含 包括 载明 记载
文件 文档 合同 协议 协议书 合同书 制度 内容 总结 概括 概述 摘要 归纳 比较 对比 区别 差异 不同 异同
不同点 是什么意思 意思 指什么 指的是 查找 找出 要求 允许 可以
"""
_JAPANESE = """
の は が を に で と へ も や か な から まで より には では とは への での との について における
に関する に関して に対する に対して ついて おける です ですか ますか でしょうか ました ません ある
あります ありますか いる いますか います する します しますか される されます されますか されている
されていますか している していますか した された できる できますか できます なる なりますか こと もの
これ それ あれ この その あの どの どれ どこ どう どのような どのように どのくらい どれくらい いつ
いくら いくつ だれ なに なぜ 何 何か 何年 何日 何ヶ月 何か月 ください 下さい すべて 全て すべての 全ての
および 及び または 又は ならびに 並びに それぞれ という といった として によって により による ため
ための よる 場合 して くれ ほしい はありますか とは何ですか 何ですか
"""
_JAPANESE_FRAMING = """
教えて 教えてください 規定 記載 条項 条文 定め 定められ 示して 挙げて 列挙 列挙して 一覧 説明 説明して
要約 要約して まとめて 比較 比較して 違い 相違 相違点 差異 文書 書類 資料 契約 契約書 規程 意味 含まれ
含む 必要 許可 禁止 書かれて 内容
"""


def _terms(*lists: str) -> frozenset[str]:
    return frozenset(term for words in lists for term in terms(words))


def _phrases(*lists: str) -> frozenset[str]:
    return frozenset(phrase for words in lists for phrase in words.split())


def _pairs(*lists: str) -> frozenset[str]:
    """Single function characters and two-character phrases; the 规 of 规定 alone may mean something."""
    return frozenset(phrase for phrase in _phrases(*lists) if len(phrase) <= 2)


_KANA = frozenset(chr(code) for code in range(0x3041, 0x3097))
STOP: frozenset[str] = _terms(_ENGLISH) | frozenset(_CHARACTERS) | _KANA | _pairs(_CHINESE, _JAPANESE)
SCAFFOLD: frozenset[str] = STOP | _terms(_FRAMING) | _pairs(_CHINESE_FRAMING, _JAPANESE_FRAMING)


def _any_of(*lists: str) -> str:
    """Longest phrase first; single characters stay for the term filter (的 in 目的 means something)."""
    found = sorted((p for p in _phrases(*lists) if len(p) > 1), key=len, reverse=True)
    return "|".join(map(re.escape, found))


_STOP_PHRASES = re.compile(_any_of(_CHINESE, _JAPANESE))
_SCAFFOLD_PHRASES = re.compile(_any_of(_CHINESE, _JAPANESE, _CHINESE_FRAMING, _JAPANESE_FRAMING))
# Particles between two words that are not written in hiragana; 是 and 的 outside 是正, 目的, 的确 …
_PARTICLES = re.compile(
    r"(?<![\u3041-\u3096])[のはがをにでとへもや]{1,3}(?![\u3041-\u3096])"
    r"|(?<![目标標])的(?!确)|[是吗呢吧](?![正非])|了(?![解结結])"
)


def _cut(text: str, phrases: re.Pattern[str]) -> str:
    return _PARTICLES.sub(" ", phrases.sub(" ", _PARTICLES.sub(" ", text))) if has_cjk(text) else text


def _left(text: str, phrases: re.Pattern[str], unwanted: frozenset[str]) -> list[str]:
    return [term for term in terms(_cut(text, phrases)) if term not in unwanted]


def content_terms(text: str) -> list[str]:
    """The terms of a question that say what is asked, in order, repeats kept.

    Falls back to all but the function words, then to all terms: empty only when the text has no term.
    """
    return _left(text, _SCAFFOLD_PHRASES, SCAFFOLD) or _left(text, _STOP_PHRASES, STOP) or terms(text)


def telling_terms(text: str) -> list[str]:
    """The terms of a question without the function words; all of them where nothing else is left."""
    return _left(text, _STOP_PHRASES, STOP) or terms(text)


def content_words(text: str) -> list[str]:
    """The surface words that say what is asked, each once, in order; may be empty."""
    kept = (
        word
        for word in words(_cut(text, _SCAFFOLD_PHRASES))
        if any(term not in SCAFFOLD for term in terms_of(word))
    )
    return list({word.casefold(): word for word in kept}.values())
