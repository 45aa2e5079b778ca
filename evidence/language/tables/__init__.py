"""One table a language; a module in this folder is a language, and nothing else says so ("en_…" is a part of one)."""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules

from evidence.language.table import Language

_TABLES = (
    import_module(f"{__name__}.{module.name}").LANGUAGE
    for module in iter_modules(__path__)
    if "_" not in module.name
)

LANGUAGES: Mapping[str, Language] = {
    table.code: table for table in sorted(_TABLES, key=lambda table: table.code)
}
