"""Spanish: function words, stems, months, negation and our own sentences."""

from evidence.language.table import Language

LANGUAGE = Language(
    code="es",
    name="Spanish",
    stemmer="spanish",
    letters="ñ¿¡",
    function_words="""
a al algo algunas algunos ante antes aquel aquella como con contra cual cuál cuáles cuándo cuando cuánta cuántas cuánto
cuántos de del desde donde dónde durante e el él ella ellas ellos en entre era eran es esa esas ese eso esos esta está
están estas este esto estos fue fueron ha han hasta hay la las le les lo los más me mi mis mucho muy nada ni no nos
nosotros nuestra nuestro o os otra otro para pero poco por porque puede pueden puedo que qué quien quién quiénes se sea
según ser si sí sin sobre son su sus también tanto te tiene tienen todo todos tu tus un una uno unos y ya yo debe deben
""",
    framing_words="""
documento documentos contrato contratos cláusula cláusulas sección artículo política archivo texto dice decir describe
explica explique muestra muestre lista listar pregunta respuesta favor resumen resumir compara comparar comparación
diferencia diferencias
""",
    months="""enero/ene febrero/feb marzo/mar abril/abr mayo/may junio/jun julio/jul agosto/ago septiembre/sep/sept/setiembre
octubre/oct noviembre/nov diciembre/dic""",
    units={
        ("seconds", 1): "segundo segundos",
        ("seconds", 60): "minuto minutos",
        ("seconds", 3_600): "hora horas",
        ("seconds", 86_400): "día días",
        ("seconds", 604_800): "semana semanas",
        ("months", 1): "mes meses",
        ("months", 12): "año años",
    },
    never_last="p.ej sr sra",
    before_number="núm pág",
    nothing="nada ninguno",
    openings={"no": r"no\b", "yes": r"sí\b", "not_stated": r"(?:no se indica|no consta)\b"},
    rules={
        "compare": r"^[¿¡]?compar\w+\b|\bdiferencias?\b(?= (?:\w+ ){0,4}?entre)|\ben común\b",
        "summarise": r"^(?:resum\w+|sintetiza)\b|\b(?:un|el) resumen\b",
        "list_all": r"^(?:lista|enumera|muestra)\b|\b(?:qué|cuáles|cuántos) (?:\w+ )?(?:documentos|contratos|políticas|archivos)\b",
        "define": r"^¿?qué (?:significa|quiere decir)\b|\bdefinición de\b|\bsignificado de\b",
        "yes_no": r"^¿?(?:es|son|está|están|hay|existe|existen|puedo|puede|pueden|debe|deben|tiene|tienen|se puede)\b",
        "asks_figure": r"\b(?:cuál|cuáles|cuánt[ao]s?|cuándo|qué)\b",
        "asks_time": r"\bcuánto tiempo\b|\bcuándo\b|\b(?:plazo|duración|período|periodo)s?\b",
        "asks_money": r"\bcuánto cuesta\b|\b(?:importe|precio|tarifa|multa|salario)\b",
        "asks_count": r"\bcuánt[ao]s\b",
        "forbids": r"\b(?:no|nunca|ningún|ninguna|nadie|ni|prohibid[ao]s?)\b",
        "grants": r"\b(?:puede|pueden|debe|deben|es|son|tiene|tienen|permitid[ao]s?|obligad[ao]s?)\b",
        "excepts": r"\b(?:excepto|salvo|a menos que|pero|solo|sólo|únicamente|si|sin)\b",
        "clause_kind": "sección|artículo|cláusula|anexo|capítulo",
        "injection": r"(?:ignora|olvida|desatiende)\s(?:\w+\s){0,4}(?:instrucciones|reglas|órdenes)\b",
    },
    phrases={
        "yes": "Sí",
        "no": "No",
        "not_stated": "No se indica",
        "stop": ". ",
        "undecided": "No está probado ni que sí ni que no. Los documentos dicen:",
        "documents_say": "Los documentos dicen:",
        "besides": "También dicen:",
        "thin": "Las pruebas son débiles. Los pasajes más cercanos:",
        "not_found": "No se ha encontrado en {where}.",
        "searched": "Se ha buscado: {queries}.",
        "bound": "Leídos {read} de {total} segmentos de {documents} documentos.",
        "bound_one": "Leídos {read} de {total} segmentos de 1 documento.",
        "cut_off": "Puede que no sea todo: la respuesta del modelo se cortó o no pudo recibir todos los pasajes.",
        "others": "Documentos no leídos para esta lista: {others}.",
        "pieces": "De otros documentos, solo los pasajes recuperados (segmentos: {pieces}, documentos: {documents}).",
        "unreadable": "No se han podido leer {count} de {documents} documentos: {names}.",
        "unsearched": "Búsqueda no terminada en: {names}.",
        "missing": "No se ha encontrado ningún documento para: {names}.",
        "unread": "Citado en la pregunta, pero no se ha podido leer: {names}.",
        "no_dataset": "No hay ninguna base de conocimiento que se pueda consultar.",
        "nothing": "los documentos consultados",
        "more": "{shown} y {more} más",
        "unproven": "no está en la cita: {details}",
        "unproven_answer": "La respuesta del modelo no está respaldada por los pasajes y no se muestra.",
        "contradiction": "Los documentos difieren en esto; el más reciente va primero:",
        "contradiction_partly": "Los documentos difieren en esto (el más reciente primero, si se conoce la fecha):",
        "contradiction_undated": "Los documentos difieren en esto:",
        "older": "No se ha tenido en cuenta una versión anterior: {names}.",
        "document": "Documento",
        "point": "Punto",
        "cell_missing": "no encontrado (se ha buscado: {queries})",
        "cell_unproven": "no respaldado por los pasajes",
        "cell_unread": "no leído",
    },
)
