"""What kind of answer a question wants, by its form, in English, Chinese and Japanese.

Order of precedence, first match wins, after a polite opening ("could you please", 请, …) is cut off:

1. compare    words of comparison, or two and more documents named
2. summarise  an order to summarise, or "give me an overview of"
3. list_all   an order to list, "which documents", 哪些, すべての…を挙げて
4. define     "what does X mean", "what is X" with a bare X, 是什么意思, とは
5. yes_no     begins with an auxiliary verb, or "whether", 是否, 吗, a Japanese か without a question word
6. lookup     everything else, and every other language
"""

import re

from evidence.model import Intent

_KINDS = (
    r"(?:documents?|contracts?|agreements?|polic(?:y|ies)|files?|records?|reports?|clauses?|sections?|articles?"
    r"|provisions?|handbooks?|manuals?|guidelines|ndas?|leases?|minutes|papers?|letters?|invoices?)"
)
_PLURAL = (
    r"(?:documents|contracts|agreements|policies|files|records|reports|clauses|sections|articles|provisions"
    r"|handbooks|manuals|guidelines|ndas|leases|papers|letters|invoices)"
)
_POLITE = re.compile(
    r"^\W*(?:(?:please|kindly|hi|hello|hey|ok|okay|so|and|also|then|now)\b[\s,!]*"
    r"|(?:can|could|would|will) you (?:please |kindly |also )*(?!find out (?:if|whether))"
    r"|i(?:'d| would)? (?:like|want|need) (?:you )?(?:to (?:know|see|understand|have|get) )?(?:to )?"
    r"|(?:help|let) me (?:to )?(?:understand |see |know )?|(?:do|can) you (?:know|tell me) "
    r"|(?:请问|请你|请您|请|麻烦你?|帮我|帮忙|能否帮我|我想知道|我想|我要)[,，\s]*)",
    re.IGNORECASE,
)
_COMPARE = re.compile(
    r"^(?:compare|contrast)\b|\b(?:vs\.?|versus)(?!\w)|\bdiffer(?:s|ed|ing)?\b|\bdistinguish"
    r"|\bdifferences?\b(?= (?:\w+ ){0,4}?(?:between|in|among|across))|\bwhat(?:'s| is| are) (?:the )?different\b"
    r"|\bhow (?:do|does|did|is|are)\b.{0,300}\b(?:compared?|different)\b"
    r"|\bin common\b|\bsimilarit|\bcompared (?:to|with)\b"
    r"|\bcomparison (?:of|between)\b|\bside by side\b|\bthe same (?:in|across|for) (?:both|all|the two)\b"
    r"|\b(?:longer|shorter|stricter|higher|lower|better|larger|smaller) than (?:the|that)\b"
    r"|比较(?!好|大|小|高|低|多|少)|对比|相比[，,]?(?:有|哪|谁|如何|怎)|区别|差异|异同|有何不同|有什么不同"
    r"|有哪些不同|哪里不同"
    r"|不同之处|不同点|一样吗"
    r"|比較|違い|相違|異なり|異なる点|どう違|どちらが",
    re.IGNORECASE,
)
_SUMMARISE = re.compile(
    r"^(?:summari[sz]e|sum up|recap|condense|outline|tl;?dr)\b|\btl;?dr\b"
    r"|^(?:(?:give|provide|write|show|draft|prepare|make|send|get)(?: me| us)? |need |want |what(?:'s| is) )?"
    r"(?:an?|the) (?:\w+[ -]){0,3}?(?:summary|overview|outline|recap|gist|synopsis|abstract)\b"
    r"|^(?:a )?(?:brief |short |quick )?(?:summary|overview) of\b"
    r"|\bwhat(?:'s| is| are)\b.{0,300}\b(?:all about|about)\s*\??$|\bwhat are the (?:main|key|most important) (?:\w+ )?"
    r"(?:points|takeaways|terms|ideas|findings|messages|themes)\b|^(?:in (?:short|brief|a nutshell)|briefly)\b"
    r"|^(?:总结|概括|概述|归纳|简述)|(?:总结|概括|归纳|概述)一?下|主要内容|大意|摘要|主要讲|讲了什么|要点是什么"
    r"|要約|まとめて|概要を|要点を|概略",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"^(?:list|enumerate|itemi[sz]e|name (?:all|every|each|the)|(?:find|show|give|get|tell|identify|extract|collect"
    r"|return)(?: me| us)? (?:all|every|each|any|a (?:full |complete )?list)\b)"
    r"|\b(?:list|name) (?:all|of all|every|each)\b"
    rf"|\b(?:which|what|how many) (?:other |of the |of our |of these |\w+ )?{_PLURAL}\b"
    r"|\bwhich of (?:the|our|these|those|my|all)\b|^(?:what|which|who) (?:are|is|were) (?:all|every|each)\b"
    r"|^all (?:the |of the )?\w+"
    r"|\b(?:what|which|who) all\b|^every \w+|^a (?:full |complete )?list of\b"
    rf"|^(?:in|under|of) (?:which|what|how many) (?:of |\w+ )?{_PLURAL}\b"
    r"|哪些|哪几|列出|列举(?!一[个种])|罗列|列一下|找出(?:所有|全部)|^(?:所有|全部)|都有什么|多少(?:份"
    r"|个)(?:合同|文件|协议)"
    r"|列挙|一覧|リスト(?:アップ|に)|(?:すべて|全て|全部)(?:の.{0,100})?(?:を?(?:教|挙|示|見|書|出|抽出|探))|挙げて"
    r"|どの(?:文書|契約書?|規程|書類|資料)(?:が|に|で)|(?:文書|契約書?|規程|書類)は(?:どれ|何件|いくつ)",
    re.IGNORECASE,
)
_DEFINE = re.compile(
    r"^what (?:does|do|did) .+ (?:mean|stand for|refer to)\b|\bwhat is meant by\b|\bmeaning of\b|\bdefinitions? of\b"
    r"|^define\b|\bhow (?:is|are|does|do)\b.{0,300}\bdefined?\b|^what (?:is|are) (?:the )?definitions?\b"
    r"|是什么意思|什么意思|的?定义|什么叫|何谓|指的?是什么|指什么|是指什么|含义"
    r"|とは[、,]?(?:何|なに|なん|どういう|どのような)?[^、。]{0,12}[？?。]?$|の定義|の意味|どういう意味"
    r"|何を(?:意味|指)",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"^what(?:'s| is| are) (?:an? )?(?!(?:the|our|your|my|his|her|its|their|this|that|these|those|all|it|in"
    r"|on|there)\b)"
    r"(?:[^\s?,'’]+)(?: (?!(?:of|in|for|under|to|from|by|with|on|at|if|when|about)\b)[^\s?,'’]+){0,2}\s*\??$",
    re.IGNORECASE,
)
_AUXILIARY = (
    r"(?:do|does|did|is|are|was|were|am|can|could|may|might|must|shall|should|will|would|has|have|had)"
    r"(?:n['’]t)?"
)
_YES_NO = re.compile(
    rf"^(?:\w+ )?(?<!\w)(?:{_AUXILIARY})\b(?! not\b)|^(?:whether|if)\b"
    r"|^(?:tell me|say|state|check|verify|confirm|determine|find out|know|see|specify|indicate|clarify|explain)"
    r"(?: \w+){0,2} (?:whether|if)\b"
    r"|^(?:is|are) there\b|是否|是不是|有没有|能不能|可不可以|能否|可否|有无|需不需要|要不要|会不会"
    r"|[吗嗎麼]\s*[？?]?$",
    re.IGNORECASE,
)
_ENGLISH_ASK = re.compile(r"^(?:who|whom|whose|what|which|when|where|why|how)\b", re.IGNORECASE)
_JAPANESE_ASK = re.compile(r"何|なに|なん|どの|どこ|どう|どれ|どち|いつ|いく[らつ]|誰|だれ|なぜ|どんな|幾")
_JAPANESE_KA = re.compile(r"(?:ます|です|ません|でした|ました|でしょう|る|い|た|の)か\s*+(?:[？?。]\s*+)?$")
_WHETHER = re.compile(rf"^(?:{_AUXILIARY})\b|是否|是不是|能否|可否", re.IGNORECASE)


def _opened(text: str) -> str:
    """The question without its polite opening; the auxiliary of "can you list …" asks nothing."""
    for _ in range(3):
        text, before = _POLITE.sub("", text.strip()), text.strip()
        if text == before:
            break
    return text.strip()


def _yes_no(text: str) -> bool:
    if _JAPANESE_KA.search(text) and not _JAPANESE_ASK.search(text):
        return True
    return not _ENGLISH_ASK.match(text) and _YES_NO.search(text) is not None


def _wants(text: str) -> Intent:
    starts_yes_no = _WHETHER.search(text) is not None
    if _SUMMARISE.search(text) and not starts_yes_no:
        return "summarise"
    if _LIST.search(text) and not starts_yes_no:
        return "list_all"
    if not starts_yes_no and (_DEFINE.search(text) or _BARE.match(text)):
        return "define"
    return "yes_no" if _yes_no(text) else "lookup"


def intent_of(text: str, topic: str = "", documents: int = 0) -> Intent:
    """The intent of a question; `topic` is the question without the words that name its `documents`."""
    whole = _opened(text)
    if _COMPARE.search(whole):
        return "compare"
    first = _wants(whole)
    if first == "lookup" and topic:
        first = _wants(_opened(topic))
    if documents > 1 and first in {"lookup", "yes_no"}:
        return "compare"
    return first
