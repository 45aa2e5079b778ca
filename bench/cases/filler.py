"""Chapters of a handbook about nothing in particular, always the same: what a very long document consists of."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Section:
    """A section written by hand, and the chapter that it follows."""

    after: int
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class _Tongue:
    """What chapters are made of. {thing}, {n} and {m} are filled in; numbers differ from chapter to chapter."""

    things: Sequence[str]
    places: Sequence[str]
    sections: Mapping[str, Sequence[str]]


_ENGLISH = _Tongue(
    things=(
        "conveyor",
        "dock leveller",
        "hand lift",
        "air curtain",
        "roller door",
        "floor scale",
        "label printer",
    ),
    places=("east wing", "west wing", "north gate", "upper floor", "basement", "annexe", "yard"),
    sections={
        "Purpose": (
            "The {thing} was installed in the course of the extension and serves up to {n} movements a day.",
            "It is operated by trained staff; their list hangs beside the switch cabinet and is renewed in month {m}.",
        ),
        "Daily inspection": (
            "Before the first use the {thing} is looked over for loose bolts, leaking oil and damaged cables.",
            "The result is entered on sheet {n} and signed. Small faults are mended at once, others are passed on.",
            "Unusual noise is written down even if it goes away by itself.",
        ),
        "Cleaning": (
            "The {thing} is swept weekly and washed every {m} weeks with lukewarm water and a mild agent.",
            "High-pressure cleaners are kept {m} metres away from bearings and control boxes.",
            "Rags go into the closed bin. The drain underneath is opened and rinsed on this occasion.",
        ),
        "Spare parts": (
            "Belts, fuses and rollers for the {thing} are kept on shelf {n}; the last is never taken without an order.",
            "Orders of more than {n} coins are countersigned by the workshop.",
        ),
        "Records": (
            "The log of the {thing} is kept for {m} years and shown to the surveyor on request.",
            "Pages are numbered; nothing is torn out. What is struck through stays legible.",
        ),
    },
)
_GERMAN = _Tongue(
    things=(
        "die Pumpe",
        "der Filter",
        "der Schieber",
        "die Rechenanlage",
        "der Kompressor",
        "die Messstelle",
    ),
    places=("Halle Ost", "Halle West", "Brunnenfeld", "Hochbehälter", "Keller", "Außenstation"),
    sections={
        "Zweck": (
            "Mit der Erweiterung wurde {thing} eingebaut und leistet seither bis zu {n} Kubikmeter in der Stunde.",
            "Bedient wird die Anlage von eingewiesenem Personal; die Liste wird im Monat {m} erneuert.",
        ),
        "Tägliche Kontrolle": (
            "Vor Dienstbeginn wird auf lose Schrauben, austretendes Öl und beschädigte Kabel geachtet.",
            "Das Ergebnis wird auf Blatt {n} eingetragen. Kleine Mängel behebt die Schicht, größere meldet sie weiter.",
        ),
        "Reinigung": (
            "Gereinigt wird alle {m} Wochen mit lauwarmem Wasser; Hochdruckreiniger bleiben {m} Meter entfernt.",
            "Putzlappen kommen in den geschlossenen Behälter. Der Ablauf wird bei dieser Gelegenheit gespült.",
        ),
        "Ersatzteile": (
            "Dichtungen und Sicherungen liegen in Regal {n}; das letzte Stück wird nie ohne Bestellung entnommen.",
        ),
        "Aufzeichnungen": (
            "Das Anlagenbuch wird {m} Jahre aufbewahrt. Seiten sind nummeriert, Streichungen bleiben lesbar.",
        ),
    },
)
_TONGUES: Mapping[str, _Tongue] = {"en": _ENGLISH, "de": _GERMAN}


def handbook(title: str, language: str, chapters: int, sections: Sequence[Section]) -> str:
    """A document in Markdown, about 1,500 characters a chapter."""
    tongue = _TONGUES[language]
    lines = [f"# {title}"]
    for number in range(1, chapters + 1):
        lines += _chapter(number, tongue)
        own = [each for each in sections if each.after == number]
        lines += [line for each in own for line in (f"### {each.title}", each.text)]
    return "\n\n".join(lines) + "\n"


def _chapter(number: int, tongue: _Tongue) -> Iterator[str]:
    thing = tongue.things[number % len(tongue.things)]
    place = tongue.places[number // len(tongue.things) % len(tongue.places)]
    yield f"## {number}. {place.capitalize()}: {thing} {number}"
    for at, (title, sentences) in enumerate(tongue.sections.items()):
        yield f"### {number}.{at + 1} {title}"
        filled = (
            each.format(thing=f"{thing} {number}", n=number * 7 + at * 13, m=(number + at) % 9 + 2)
            for each in sentences
        )
        yield " ".join(filled)
