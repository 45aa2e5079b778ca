"""Chinese and Japanese words that name documents: 保密协议中, 旅費規程では, 甲公司与乙公司的租赁合同."""

import re

from evidence.language.editions import EDITION_CJK
from evidence.model import Span

_KIND = (  # its first characters are looked at before all the words
    r"(?=[合协契规制办手政方报章纪须指细备通守条規マ議ガポ覚計仕要誓約])(?:合同书?|协议书?|契約書?|规定|制度|办法|手册|政策|方案|报告|章程|纪要|须知|指南|细则|备忘录|通知|守则|规程|规范|条例"
    r"|規程|規則|規約|方針|マニュアル|手順書|議事録|報告書|ガイドライン|ポリシー|覚書|計画書|仕様書|要領|細則|誓約書|約款)"
)
# What may stand right of a name: then the kind is its head, and not part of a longer word.
_AFTER = (
    r"(?=$|[中里内上下，,、；;：:？?。\s与和跟同及或的对在是有怎如何规约要可能允包关第提写说]|是否|没有"
    rf"|[のはがをにでと]|について|における|において|{EDITION_CJK})"
)
_KANJI = r"[\u3400-\u9fff\u30a0-\u30ffーA-Za-z0-9０-９（）()\-_.·]"
_OWNED = _KANJI.replace(r"\u9fff", r"\u7683\u7685-\u9fff")  # but 的
_OWNER = (
    rf"(?:(?={_OWNED[:-1]}と]{{1,31}}+[的の])"
    rf"(?:{_OWNED}{{1,16}}+|{_OWNED}{{1,14}}[与和及と]{_OWNED}{{1,16}}+)[的の]++)?"
)
_NAME = re.compile(rf"{_OWNER}{_KANJI}{{0,14}}?{_KIND}{_AFTER}")
_LEAD = re.compile(
    r"^(?:请?问|请|在|于|从|据|根据|按照?|依照|依据|依|关于|对比|对于?|比较|参照|参考|查看|查询|列出|总结|概括|概述|归纳|简述"
    r"|要約|解释|说明|介绍|一下|那么|那|我们?的?|公司的|我司的?|贵司的?|和|与|及|跟|以及|还有|中|里|当)++"
)
_ASKING = re.compile(r"哪|什么|谁|如何|怎|何时|多少|几个|多久|誰|何[がをに]|どの")
_BARE = re.compile(_KIND)
_GENERIC = re.compile(
    r"^(?:本|该|此|这|那|各|每|哪|何|某|所有|全部|任何|双方|两|一|二|多|几|上述|相关|什么|有|是|否|没|不|签|违反|解除|终止|履行"
    r"|この|その|すべて|全て|当該|どの|当)"
    rf".{{0,3}}?{_KIND}$"
)


def _trimmed(match: re.Match[str]) -> Span | None:
    name, start = match.group(), match.start()
    lead = _LEAD.match(name)
    if lead:
        name, start = name[lead.end() :], start + lead.end()
    if not name or name[0] in "的の" or _ASKING.search(name) or _BARE.fullmatch(name) or _GENERIC.match(name):
        return None
    return Span(start, match.end())


def cjk_phrases(text: str) -> list[Span]:
    """Where documents are named by a word for their kind; bare 合同 and 哪些合同 name none."""
    return [span for span in map(_trimmed, _NAME.finditer(text)) if span is not None]


_COMPARED = re.compile(
    r"(?P<a>[^\s，,。：:；;？?、《》「」]{2,14}?)(?:和|与|跟|同|と)(?P<b>[^\s，,。：:；;？?、《》「」]{2,14}?)"
    r"(?:之间|的|在|有什么|有何|哪|の|で|は)"
)
FIRM = re.compile(r"公司|集团|银行|大学|医院|学院|社$|会社|株式|銀行|[A-Z]")


def cjk_compared(text: str) -> list[Span]:
    """The two sides of a comparison that look like names of firms."""
    match = _COMPARED.search(text)
    if match is None:
        return []
    lead = _LEAD.match(match["a"])
    first = Span(
        match.start("a") + (lead.end() if lead and lead.end() < len(match["a"]) else 0), match.end("a")
    )
    second = Span(*match.span("b"))
    both = (text[first.start : first.end], text[second.start : second.end])
    return [first, second] if all(FIRM.search(name) for name in both) else []
