"""German."""

from evidence.language.table import Language

_ONES = "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf".split()
_TEENS = "dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn".split()
_TENS = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()
_LONGER = {  # zweiundzwanzig
    f"{one}und{ten}": 10 * tens + ones
    for tens, ten in enumerate(_TENS, 2)
    for ones, one in enumerate(["ein", *_ONES[2:10]], 1)
}
_VERB = (
    r"(?:ist|sind|war|waren|wird|werden|wurde|wurden|hat|haben|hatte|hatten|kann|können|konnte|darf|dürfen|durfte|muss"
    r"|müssen|musste|soll|sollen|sollte|will|wollen|möchte|gibt|gilt|gelten|besteht|bestehen|braucht|lässt|lassen|geht)"
)
_KINDS = "dokumente|verträge|vereinbarungen|richtlinien|dateien|berichte|klauseln|abschnitte|artikel|handbücher|unterlagen"

LANGUAGE = Language(
    code="de",
    name="German",
    stemmer="german",
    letters="äöüß",
    function_words="""
aber alle allem allen aller alles als also am an andere anderen anderer anderes auch auf aus bei beim bevor bin bis
bist da dabei dadurch dafür dagegen damit danach daran darauf daraus darf darüber darum das dass dazu dein deine dem
den denen denn der deren des dessen dich die dies diese diesem diesen dieser dieses dir doch dort du durch dürfen
ein eine einem einen einer eines einige einmal er es etwa etwas euch euer für gegen gibt habe haben hat hatte hatten
hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins innerhalb ist ja jede jedem jeden jeder
jedes jedoch jene kann kannst kein keine keinem keinen keiner können könnte man manche mehr mein meine meinem meinen
meiner mich mir mit muss musst müssen nach nein nicht nichts noch nur ob oder ohne schon sehr sein seine seinem seinen
seiner seit sich sie sind so sobald sofern solche soll sollen sollte sondern sonst soweit sowie über um und uns unser
unsere unter vom von vor wann war waren warum was weder weil welche welchem welchen welcher welches wem wen wenn wer
werde werden wie wieder wieviel will wir wird wo wobei wodurch wofür womit woran worauf worin würde würden wurde
wurden zu zum zur zwar zwischen bzw
""",
    framing_words="""
lang lange dokument dokumente dokumenten vertrag verträge vertrags vereinbarung klausel abschnitt artikel richtlinie datei text
enthält enthalten erwähnt steht stehen sagt besagt beschreibt beschrieben beschreiben erklärt erklären erkläre nennt
nennen nenne zeige zeigen liste auflisten suche finde finden frage antwort bitte möchte wissen brauche
zusammenfassung zusammenfassen fasse überblick vergleich vergleiche vergleichen verglichen unterschied unterschiede
unterscheiden unterscheidet verschieden gegenüber bezüglich hinsichtlich betreffend laut gemäß genau punkt punkte
thema themen art arten
""",
    light_words="der die das ein eine und oder ist sind es er sie in im an am zu zum zur von vom mit für auf",
    months="""Januar/Jan/Jänner Februar/Feb März/Mär April/Apr Mai Juni/Jun Juli/Jul August/Aug September/Sep/Sept
Oktober/Okt November/Nov Dezember/Dez""",
    ordinals="erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte elfte zwölfte",
    number_words={word: at for at, word in enumerate([*_ONES, *_TEENS])}
    | {word: 10 * at for at, word in enumerate(_TENS, 2)}
    | _LONGER,
    scale_words={"hundert": 100, "tausend": 1000, "millionen": 10**6, "milliarden": 10**9},
    units={
        ("working-days", 1): "werktag werktage werktagen arbeitstag arbeitstage arbeitstagen",
        ("seconds", 1): "sekunde sekunden",
        ("seconds", 60): "minute minuten",
        ("seconds", 3_600): "stunde stunden",
        ("seconds", 86_400): "tag tage tagen kalendertag kalendertage kalendertagen",
        ("seconds", 604_800): "woche wochen",
        ("months", 1): "monat monate monaten monats",
        ("months", 3): "quartal quartale quartalen",
        ("months", 12): "jahr jahre jahren jahres",
    },
    measures={
        ("metre", "0.001"): "millimeter",
        ("metre", "0.01"): "zentimeter",
        ("metre", "1000"): "kilometern",
        ("metre", "1"): "metern",
        ("square metre", "1"): "quadratmeter quadratmetern",
        ("litre", "0.001"): "milliliter millilitern",
        ("litre", "1"): "litern",
        ("gram", "1"): "gramm",
        ("gram", "1000"): "kilogramm",
        ("gram", "1e6"): "tonnen",
        ("celsius", "1"): "grad_celsius grad",
    },
    spoken_figures={
        ("seconds", "900"): "viertelstunde",
        ("seconds", "1800"): "halbe_stunde halben_stunde",
        ("seconds", "2700"): "dreiviertelstunde",
        ("seconds", "5400"): "anderthalb_stunden eineinhalb_stunden",
        ("months", "6"): "halbes_jahr halben_jahr halbjahr",
        ("months", "18"): "anderthalb_jahre anderthalb_jahren eineinhalb_jahre eineinhalb_jahren",
        ("%", "50"): "die_hälfte zur_hälfte",
        ("%", "25"): "ein_viertel",
        ("%", "75"): "drei_viertel",
        ("", "12"): "dutzend",
    },
    currencies={"GBP": "pfund", "CHF": "franken"},
    party_words="""partei parteien arbeitnehmer arbeitnehmerin arbeitgeber mitarbeiter unternehmen gesellschaft kunde
kunden lieferant lieferanten mieter vermieter auftraggeber auftragnehmer verkäufer käufer""",
    never_last="z.b d.h u.a i.d.r z.t ggf vgl bzw inkl zzgl bspw sog evtl hr fr",
    before_number="nr abs ziff s kap bd tel lit okt dez",
    seldom_last="usw str gmbh u.s.w co kg",
    sentence_openers="der die das dies diese dieser jede jeder alle wenn falls sofern wir sie es ein eine bei im nach mit",
    nothing="nein nichts keine",
    openings={
        "no": r"nein\b|nicht (?=[,.])",
        "yes": r"ja\b",
        "not_stated": r"(?:nicht angegeben|keine angabe|unklar)\b",
    },
    events={
        "signature": r"unterzeichnung|unterschrift|unterschrieben",
        "disclosure": r"offenlegung|weitergabe",
        "delivery": r"lieferung|auslieferung|zustellung|übergabe",
        "receipt": r"erhalt|empfang|eingang|zugang",
        "invoice": r"rechnung\w*",
        "start": r"inkrafttreten|in kraft|beginn",
        "end": r"ablauf|beendigung|ende|kündigung",
        "purchase": r"kauf\w*",
        "installation": r"installation|einbau|inbetriebnahme",
        "discovery": r"entdeckung|kenntnis\w*",
        "assessment": r"bewertung|benotung",
        "request": r"antrag\w*|anfrage",
        "birth": r"geburt",
        "death": r"tod",
    },
    actors="""
käufer verkäufer; kunde lieferant anbieter hersteller händler; auftraggeber auftragnehmer; arbeitgeber arbeitnehmer; mieter vermieter;
versicherer versicherte; darlehensgeber darlehensnehmer; lizenzgeber lizenznehmer; mitglied vorstand; gast gastgeber
""",
    alike="""
mindestens wenigstens; beginnen anfangen starten; kündigen beenden; bezahlen zahlen entrichten; kosten preis gebühr; benutzen verwenden nutzen;
erstatten zurückzahlen; melden mitteilen anzeigen; reinigen säubern putzen; abschalten ausschalten; aufbewahren lagern; kaufen erwerben
""",
    opposites="""
höher hoch oberhalb / niedriger niedrig tiefer unterhalb; mehr größer / weniger kleiner; länger / kürzer; früher früh / später spät; erste zuerst / letzte zuletzt;
beginnen anfangen / enden aufhören erlöschen; schnell schneller / langsam langsamer; erlauben erlaubt gestatten gestattet zulässig / verbieten verboten untersagen untersagt unzulässig; spätestens / frühestens;
kostenlos gratis kostenfrei unentgeltlich / kosten kostenpflichtig gebühr; einschließen umfassen decken / ausschließen ausgenommen ausgeschlossen;
annehmen angenommen genehmigen genehmigt / ablehnen abgelehnt verweigern verweigert; immer stets / nie niemals selten; vor vorher / nach danach nachdem;
freiwillig / verpflichtend obligatorisch; mündlich / schriftlich; innen / außen; warm heiß / kalt; öffnen / schließen; einschalten / ausschalten;
intern / extern; steigen zunehmen erhöhen / sinken abnehmen senken; fest unveränderlich / veränderbar einstellbar einstellen ändern
""",
    rules={
        "at_least": (
            r"mindestens|wenigstens|zumindest|nicht (?:weniger|kürzer|früher) als|nicht unter|mehr als|über|ab|länger als|nach|frühestens|größer als"
        ),
        "at_most": (
            r"höchstens|maximal|nicht (?:mehr|länger|später) als|bis zu|unter|weniger als|binnen|innerhalb(?: von)?|kürzer als|nicht über"
        ),
        "by": r"spätestens|bis",
        "or_more": r"oder (?:mehr|älter|länger)|und (?:mehr|älter)|mindestens",
        "or_less": r"oder (?:weniger|jünger)|höchstens",
        "ahead": r"(?:vor|vorher|im voraus|im vorhinein)\b",
        "range": r"bis|und|oder",
        "starts": r"beginnt (?:mit|am|ab|bei)|läuft ab|zählt ab",
        "since": r"ab|nach|seit|von",
        "about": r"etwa|rund|fast|knapp|gut|circa|ungefähr|annähernd",
        "reckons": r"insgesamt|zusammen|also|noch|mehr|weniger|somit|summe|differenz|macht|später|übrig",
        "per": r"(?:pro|je|jede[nrsm]?|im|/)\s{0,2}(?:angefangene[nr]? )?",
        "denies_nothing": r"nicht (?:mehr|weniger|länger|kürzer|später|früher) als|nicht (?:nur|unter|über|notwendigerweise)|nichts als",
        "clause_break": r"aber|während|weil|dass|wenn|falls|sofern|sondern|obwohl|sobald|jedoch|allerdings",
        "denies": r"nicht|kein\w{0,2}|nie|niemals|niemand|nichts|weder|ohne|kaum|nirgends",
        "all": r"alle[nrsm]?|jede[nrsm]?|alles|sämtliche[nr]?|immer|stets|jederzeit|jedermann|ganze[nrs]?",
        "only": r"nur|ausschließlich|allein|lediglich|einzig|bloß",
        "provided": r"wenn|sofern|falls|soweit|außer|es sei denn|vorausgesetzt|unter(?= [A-ZÄÖÜ])|nur|ausgenommen|mit vorheriger|bedarf|bedürfen|erfordert|erfordern",
        "each": r"je|pro|wer|kein\w{0,2}",
        "because": r"weil|wegen|aufgrund|infolge",
        "unless": r"es sei denn|außer|sofern nicht|wenn nicht",
        "otherwise": r"sonst|ansonsten|andernfalls|anderenfalls",
        "or": r"oder",
        "twice": r"doppelt\w*|zweifach\w*|verdoppelt",
        "partly": r"einige[nrs]?|manche[nrs]?|meist\w*|viele|wenige|oft|teilweise|üblicherweise|in der regel|normalerweise|gewöhnlich",
        "boilerplate": r"nichts anderes|abweichend",
        "narrows": r"mit|die|der|das|welche[nrs]?|deren|dessen",
        "regardless": r"in jedem fall|ohne (?:jede )?(?:bedingung|einschränkung|ausnahme)\w*|auch (?:ohne|wenn)|bedingungslos|beliebig|frei|spielt (?:dafür )?keine rolle|unabhängig",
        "duty": r"muss|müssen|hat zu|haben zu|ist verpflichtet|sind verpflichtet|soll|sollen|erforderlich",
        "leave": r"darf|dürfen|kann|können|ist berechtigt|sind berechtigt",
        "polite": (
            r"^\W*(?:(?:bitte|hallo|hi|guten tag|ok|okay|und|also)\b[\s,!]*"
            r"|(?:kannst|könntest) du (?:mir )?(?:bitte )?|(?:können|könnten) sie (?:mir )?(?:bitte )?"
            r"|ich (?:möchte|will|würde gern(?:e)?) (?:gern(?:e)? )?(?:wissen,? )?)"
        ),
        "compare": (
            r"^(?:vergleich\w*|stell\w* .{1,200} gegenüber)\b|\bvergleich(?:e|en|st)?\b|\bunterscheide[nt]\b"
            r"|\bunterschiede?\b(?= (?:\w+ ){0,4}?(?:zwischen|bei))|\bgemeinsam\b.{0,100}\?|\bim vergleich (?:zu|mit)\b"
        ),
        "summarise": (
            r"^fass\w* .{1,300}\bzusammen\b|\bzusammenfass(?:en|ung)\b|\büberblick (?:über|zu)\b"
            r"|\bworum geht es\b|\b(?:wichtigste|wesentliche)n? (?:punkte|aussagen|inhalte)\b"
        ),
        "list_all": (
            r"^(?:liste|nenne?|zähle?|zeige?)(?: mir| uns)? (?:alle|sämtliche|jede)\b|^liste\b|\bauflist(?:en|ung)\b"
            rf"|^(?:alle|sämtliche) \w+|\b(?:welche|wie viele|wieviele) (?:anderen |der |unserer |\w+ )?(?:{_KINDS})\b"
            r"|\bwelche [^?]{1,100}? (?:gibt es|gibts|stehen zur)\b"
        ),
        "define": (
            r"^was (?:bedeute[tn]|heißt|versteht man unter|ist unter|meint)\b|\bbedeutung von\b|\bdefinition\b"
            r"|^definiere?\b|\bwie (?:ist|wird|sind|werden)\b.{0,300}\bdefiniert\b"
            r"|^was (?:ist|sind) (?:ein |eine |einen )?(?!(?:der|die|das|dem|den|mein|meine|unser|unsere|in|im|bei)\b)"
            r"[^\s?,]+(?: (?!(?:von|im|in|für|unter|bei|mit|auf|an|wenn)\b)[^\s?,]+){0,2}\s*\??$"
        ),
        "yes_no": (rf"^{_VERB}\b|^ob\b|^(?:sag\w*|prüf\w*|stell\w*|weißt du)(?: \w+){{0,2}},? ob\b"),
        "whether": rf"^{_VERB}\b",
        "asks": r"^(?:wer|wen|wem|wessen|was|welche[rsnm]?|wann|wo|woher|wohin|warum|weshalb|wieso|wie|wieviel)\b",
        "asks_figure": (r"\b(?:was|welche[rsnm]?|wie|wieviele?|wann|liste|nenne?|bis|zitiere)\b"),
        "asks_time": (
            r"\bwie (?:lange?|schnell|oft|häufig|spät|früh)\b|\bbis wann\b|\bwann\b"
            r"|\b\w*(?:frist|dauer|laufzeit|zeitraum)(?:en)?\b|\bwelche[rsmn]? (?:datum|tag|monat|jahr)\b"
        ),
        "asks_money": (
            r"\bwie (?:viel|teuer|hoch)\b|\b(?:betrag|gebühr|preis|kosten|budget|miete|gehalt|strafe|satz)(?:en|e|s)?\b"
        ),
        "asks_limit": r"\b(?:grenze|obergrenze|höchst\w*|mindest\w*|maximal\w*|minimal\w*|limit)\b",
        "asks_count": r"\bwie ?viele?\b",
        "asks_share": r"\b(?:prozent|prozentsatz|anteil)\b",
        "facet_break": (
            r" ?[,;]? (?:und|sowie|oder|aber) (?:auch )?"
            r"(?=(?:wer|wen|wem|was|welche[rsnm]?|wann|wo|warum|wie|unter welchen|bis wann)\b)"
        ),
        "facet_asks": r"(?:wer|wen|wem|was|welche[rsnm]?|wann|wo|warum|wie)\b",
        "opener": r"^\W*(?:(?:und|aber|ok(?:ay)?|dann|also)[\s,]+)*(?:was ist mit|wie ist es mit|wie sieht es mit|und|auch)\b[\s,]*",
        "points_back": (
            r"\b(?:diese[rsmn]?|jene[rsmn]?|de[rsmn]selben|dasselbe|dieselbe) "
            r"(?:vertrag|vereinbarung|richtlinie|dokument|datei|bericht|klausel|abschnitt)"
            r"|\b(?:ersterer?|letzterer?)\b|\b(?:darin|dafür|davon|darüber|dazu)\b\s*[?.]?$"
        ),
        "around_name": r"^(?:in|im|für|unter|mit|von|bei)\s+",
        "pronoun": r"\b(?:er|sie|es|ihn|ihm|ihr|dies|diese[rsmn]?)\b",
        "user_label": "nutzer|benutzer|frage",
        "other_label": "assistent|antwort",
        "conjunction": ",? ?und|,? ?oder|gegenüber|mit",
        "newest": r"\b(?:neueste|jüngste|aktuelle|letzte|neue)[rsn]? (?:version|fassung|ausgabe|auflage)\b",
        "oldest": r"\b(?:älteste|erste|ursprüngliche|alte)[rsn]? (?:version|fassung|ausgabe|auflage)\b",
        "previous": r"\b(?:vorige|vorherige|frühere)[rsn]? (?:version|fassung|ausgabe|auflage)\b",
        "dated_field": "datum|gültig|stand|fassung|jahr",
        "obliges": r"\b(?:muss|müssen|darf|dürfen|soll|sollen|verpflichtet|beschlossen|genehmigt|berechtigt)\b",
        "defines": r"\b(?:bedeutet|bezeichnet|bezeichnen|ist definiert als|wird verstanden)\b",
        "asks_meaning": r"\b(?:was|wie|ist|sind|der|die|das|ein|eine|bedeutet|bedeutung|von|heißt|definiert|definition)\b",
        "takes_back": r"\b(?:aufgehoben|widerrufen|zurückgezogen|storniert|annulliert|gilt nicht mehr)\b",
        "succeeds": r"\b(?:ersetzt|löst)\b.{0,40}(?:version|fassung|ausgabe)",
        "leans_back": r"(?:danach|in diesem fall|dies|diese[rsmn]?|er|sie|es|solche[rsmn]?)\b",
        "compare_frame": (
            r"^(?:bitte )?vergleich\w* |^wie unterscheide[nt] sich |^was (?:ist|sind) (?:der|die) unterschiede? ?"
        ),
        "clause_kind": "abschnitt|artikel|kapitel|anlage|anhang|teil|ziffer",
        "share": r"prozent\b",
        "currency_after": r"(?:pfund|franken)\b",
        "clock": r"(?<![\d:.])(?P<h>\d{1,2})(?:[:.](?P<n>\d\d))?\s?uhr\b",
        "injection": (
            r"(?:ignoriere?|vergiss|missachte)\s(?:\w+\s){0,3}(?:vorherigen?|bisherigen?|obigen?|früheren?|alle)\s"
            r"(?:\w+\s){0,2}(?:anweisung|anleitung|regel|befehl|vorgabe)"
        ),
    },
    phrases={
        "draft": "Was steht in {document} zu „{topic}“?",
        "yes": "Ja",
        "no": "Nein",
        "not_stated": "Keine Angabe",
        "stop": ". ",
        "undecided": "Weder Ja noch Nein ist belegt. In den Dokumenten steht:",
        "documents_say": "In den Dokumenten steht:",
        "besides": "Dort steht außerdem:",
        "thin": "Die Belege sind schwach. Die nächstliegenden Stellen:",
        "not_found": "Dazu wurde in {where} nichts gefunden.",
        "searched": "Gesucht nach: {queries}.",
        "bound": "{read} von {total} Segmenten aus {documents} Dokumenten gelesen.",
        "bound_one": "{read} von {total} Segmenten aus 1 Dokument gelesen.",
        "cut_off": (
            "Möglicherweise unvollständig: Die Antwort des Modells wurde abgeschnitten, oder ihm konnten nicht alle "
            "Stellen vorgelegt werden."
        ),
        "others": "Für diese Liste nicht gelesene Dokumente: {others}.",
        "pieces": "Von weiteren Dokumenten nur die gefundenen Stellen (Segmente: {pieces}, Dokumente: {documents}).",
        "unreadable": "{count} von {documents} Dokumenten konnten nicht gelesen werden: {names}.",
        "unsearched": "Nicht vollständig durchsucht: {names}.",
        "missing": "Kein passendes Dokument gefunden: {names}.",
        "unread": "In der Frage genannt, konnte aber nicht gelesen werden: {names}.",
        "no_dataset": "Es gibt keine Wissensdatenbank, die durchsucht werden könnte.",
        "nothing": "den durchsuchten Dokumenten",
        "more": "{shown} und {more} weiteren",
        "unproven": "nicht im Zitat: {details}",
        "instead": "{detail} (im Zitat steht „{quote}“)",
        "unproven_answer": "Die Antwort des Modells war durch die Textstellen nicht belegt und wird nicht gezeigt.",
        "contradiction": "Die Dokumente widersprechen sich hierzu; das neueste steht zuerst:",
        "contradiction_partly": "Die Dokumente widersprechen sich hierzu (das neueste zuerst, soweit ein Datum bekannt ist):",
        "contradiction_undated": "Die Dokumente widersprechen sich hierzu:",
        "older": "Eine ältere Fassung ist nicht berücksichtigt: {names}.",
        "document": "Dokument",
        "point": "Punkt",
        "cell_missing": "nicht gefunden (gesucht: {queries})",
        "cell_unproven": "durch die Textstellen nicht belegt",
        "cell_unread": "nicht gelesen",
        "doubted": "bei der Prüfung bezweifelt",
        "title_sources": "Quellen",
        "title_not_found": "Nicht gefunden.",
        "title_ambiguous": "Mehrdeutige Frage.",
        "title_unproven": "In dem, was gelesen werden konnte, nicht gefunden.",
        "title_unsearched": "Es wurde nichts durchsucht.",
        "foot_verified": "Jedes Zitat steht wörtlich in den gespeicherten Dokumenten.",
        "foot_not_reread": "Einige Zitate konnten in den gespeicherten Dokumenten nicht erneut gelesen werden; sie stehen hier, wie sie zuvor gelesen wurden.",
        "foot_as_handed_in": "Einige Zitate wurden nicht in den gespeicherten Dokumenten gelesen; sie stehen hier, wie sie übergeben wurden.",
        "foot_unverified": "Nicht jeder Satz konnte belegt werden.",
        "foot_in_part": "Teilweise beantwortet: {reason}.",
        "foot_not_all": "Nicht alles wurde durchsucht: {reason}.",
        "label_no_evidence": "Kein Beleg für: {names}",
        "label_datasets": "Durchsuchte Wissensdatenbanken: {names}",
        "label_documents": "Durchsuchte Dokumente: {names}",
        "reason_no_dataset_fits": "keine Wissensdatenbank passt",
        "reason_no_document_fits": "kein Dokument passt",
        "reason_no_evidence": "keine Belege",
        "reason_conflicting": "die Dokumente widersprechen sich",
        "reason_limit_reached": "eine Grenze wurde erreicht",
        "reason_model_unavailable": "das Modell war nicht verfügbar",
        "reason_knowledge_unavailable": "der Wissensserver war nicht verfügbar",
        "reason_open": "ein Teil der Frage ist offen",
        "proof_verified": "Soeben geprüft\nDiese Worte stehen im gespeicherten Dokument.",
        "proof_changed": "Inzwischen geändert\nDiese Worte stehen nicht mehr in diesem Abschnitt; er wird gezeigt, wie er jetzt ist.",
        "proof_gone": "Nicht mehr verfügbar\nDer Abschnitt wurde entfernt oder deaktiviert, oder er darf nicht mehr gezeigt werden.",
        "proof_unread": "Nicht prüfbar\nDer Wissensserver hat nicht geantwortet; versuchen Sie es gleich noch einmal.",
        "proof_expired": "Dieser Link ist abgelaufen\nStellen Sie die Frage noch einmal, um einen neuen zu erhalten.",
        "proof_unknown": "Diese Seite gibt es nicht\nDer Link ist unvollständig oder wurde nicht hier erstellt.",
        "proof_dataset": "Wissensdatenbank",
        "proof_position": "Segment",
        "proof_heading": "Abschnitt",
        "proof_version": "Textfassung",
        "proof_read": "Für die Antwort gelesen",
        "proof_checked": "Geprüft",
        "proof_before": "Das Segment davor",
        "proof_quote": "Das Segment mit dem Zitat",
        "proof_after": "Das Segment danach",
        "proof_until": "Dieser Link gilt bis",
    },
)
