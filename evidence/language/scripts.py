"""Which script a text is written in."""

import re

CJK = "\u3005\u3006\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\uff66-\uff9f"
_ANY_CJK = re.compile(rf"[{CJK}]")


def has_cjk(text: str) -> bool:
    """Whether a text holds a Chinese, Japanese or Korean character; their punctuation is none."""
    return _ANY_CJK.search(text) is not None
