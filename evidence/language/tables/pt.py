"""Portuguese: function words, stems, months, negation and our own sentences."""

from evidence.language.table import Language

LANGUAGE = Language(
    code="pt",
    name="Portuguese",
    stemmer="portuguese",
    letters="ãõç",
    function_words="""
a à às ao aos aquela aquelas aquele aqueles aquilo as até com como da das de dela delas dele deles depois do dos e é ela
elas ele eles em entre era eram essa essas esse esses esta está estão estas este estes eu foi foram há isso isto já lhe
lhes mais mas me mesmo meu meus minha minhas muito na não nas nem no nos nós nossa nossas nosso nossos num numa o onde os
ou para pela pelas pelo pelos pode podem por porque posso qual quais quando quanto quanta quantos quantas que quem quê se
sem ser será seu seus só sua suas também te tem têm tenho teu tinha tu tua um uma umas uns você vocês sobre deve devem
""",
    framing_words="""
documento documentos contrato contratos cláusula cláusulas seção artigo política arquivo texto diz dizer descreve
explique explica mostre liste listar pergunta resposta favor resumo resumir compare comparar comparação diferença
diferenças
""",
    months="""janeiro/jan fevereiro/fev março/mar abril/abr maio/mai junho/jun julho/jul agosto/ago setembro/set
outubro/out novembro/nov dezembro/dez""",
    units={
        ("working-days", 1): "dias úteis",
        ("seconds", 1): "segundo segundos",
        ("seconds", 60): "minuto minutos",
        ("seconds", 3_600): "hora horas",
        ("seconds", 86_400): "dia dias",
        ("seconds", 604_800): "semana semanas",
        ("months", 1): "mês meses",
        ("months", 12): "ano anos",
    },
    never_last="p.ex sr sra",
    before_number="núm pág",
    nothing="não nada nenhum",
    openings={"no": r"não\b", "yes": r"sim\b", "not_stated": r"(?:não informado|não especificado)\b"},
    rules={
        "compare": r"^compar\w+\b|\bdiferenças?\b(?= (?:\w+ ){0,4}?entre)|\bem comum\b",
        "summarise": r"^(?:resum\w+|sintetize)\b|\b(?:um|o) resumo\b",
        "list_all": r"^(?:liste|enumere|mostre)\b|\b(?:quais|quantos) (?:\w+ )?(?:documentos|contratos|políticas|arquivos)\b",
        "define": r"^o que (?:significa|quer dizer)\b|\bdefinição de\b|\bsignificado de\b",
        "yes_no": r"^(?:é|são|está|estão|há|existe|existem|posso|pode|podem|deve|devem|tem|têm|dá para|preciso|precisa)\b",
        "asks_figure": r"\b(?:qual|quais|quanto|quantos|quanta|quantas|quando|que)\b",
        "asks_time": r"\bquanto tempo\b|\bquando\b|\b(?:prazo|duração|período)s?\b",
        "asks_money": r"\bquanto custa\b|\b(?:valor|preço|taxa|multa|salário)\b",
        "asks_count": r"\bquant[ao]s\b",
        "forbids": r"\b(?:não|nunca|nenhum|nenhuma|ninguém|nem|proibid[ao]s?|vedad[ao]s?)\b",
        "grants": r"\b(?:pode|podem|deve|devem|é|são|tem|têm|permitid[ao]s?|obrigad[ao]s?)\b",
        "excepts": r"\b(?:exceto|salvo|a menos que|mas|porém|somente|apenas|se|sem)\b",
        "clause_kind": "seção|artigo|cláusula|anexo|capítulo",
        "injection": r"(?:ignore|esqueça|desconsidere)\s(?:\w+\s){0,4}(?:instruções|regras|ordens)\b",
    },
    phrases={
        "yes": "Sim",
        "no": "Não",
        "not_stated": "Não informado",
        "stop": ". ",
        "undecided": "Nem sim nem não está comprovado. Os documentos dizem:",
        "documents_say": "Os documentos dizem:",
        "besides": "Dizem também:",
        "thin": "As evidências são fracas. Os trechos mais próximos:",
        "not_found": "Isso não foi encontrado em {where}.",
        "searched": "Pesquisado: {queries}.",
        "bound": "{read} de {total} segmentos de {documents} documentos lidos.",
        "bound_one": "{read} de {total} segmentos de 1 documento lidos.",
        "cut_off": "Pode não ser tudo: a resposta do modelo foi cortada ou ele não pôde receber todos os trechos.",
        "others": "Documentos não lidos para esta lista: {others}.",
        "pieces": "De outros documentos, apenas os trechos recuperados (segmentos: {pieces}, documentos: {documents}).",
        "unreadable": "{count} de {documents} documentos não puderam ser lidos: {names}.",
        "unsearched": "Pesquisa não concluída em: {names}.",
        "missing": "Nenhum documento encontrado para: {names}.",
        "unread": "Citado na pergunta, mas não pôde ser lido: {names}.",
        "no_dataset": "Não há base de conhecimento que possa ser pesquisada.",
        "nothing": "os documentos pesquisados",
        "more": "{shown} e mais {more}",
        "unproven": "não consta na citação: {details}",
        "unproven_answer": "A resposta do modelo não foi comprovada pelos trechos e não é exibida.",
        "contradiction": "Os documentos divergem sobre isto; o mais recente vem primeiro:",
        "contradiction_partly": "Os documentos divergem sobre isto (o mais recente primeiro, quando há data):",
        "contradiction_undated": "Os documentos divergem sobre isto:",
        "older": "Uma versão anterior não foi considerada: {names}.",
        "document": "Documento",
        "point": "Ponto",
        "cell_missing": "não encontrado (pesquisado: {queries})",
        "cell_unproven": "não comprovado pelos trechos",
        "cell_unread": "não lido",
    },
)
