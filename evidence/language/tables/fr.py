"""French: function words, stems, months, negation and our own sentences."""

from evidence.language.table import Language

LANGUAGE = Language(
    code="fr",
    name="French",
    stemmer="french",
    letters="êèùûîçœ",
    function_words="""
à afin ai alors après au aucun aucune aussi autre autres aux avant avec avez avoir c ça car ce cela celle celles celui ces
cet cette ceux chaque chez comme comment combien d dans de depuis des deux dois doit doivent donc dont du elle elles en
encore entre es est et été être eu eux fait il ils j je jusque l la là le les leur leurs lors lorsque lui ma mais me même
mes moi mon n ne ni non nos notre nous on ont ou où par parce pas pendant peut peuvent plus pour pourquoi puis qu quand
que quel quelle quelles quels qui quoi s sa sans se selon sera seront ses si soit son sont sous sur ta te tes toi ton tous
tout toute toutes très tu un une vos votre vous y
""",
    framing_words="""
document documents contrat contrats clause clauses section article politique fichier texte dit dire décrit explique
expliquez montre montrez liste lister question réponse résumé résumer compare comparez comparer comparaison différence
différences
""",
    months="""janvier/janv février/févr mars avril/avr mai juin juillet/juil août septembre/sept octobre/oct novembre/nov
décembre/déc""",
    units={
        ("seconds", 1): "seconde secondes",
        ("seconds", 60): "minute minutes",
        ("seconds", 3_600): "heure heures",
        ("seconds", 86_400): "jour jours",
        ("seconds", 604_800): "semaine semaines",
        ("months", 1): "mois",
        ("months", 3): "trimestre trimestres",
        ("months", 12): "an ans année années",
    },
    never_last="p.ex mme mlle",
    before_number="no",
    nothing="non rien aucun",
    openings={"no": r"non\b", "yes": r"oui\b", "not_stated": r"(?:non précisé|non indiqué)\b"},
    rules={
        "compare": r"^compar\w+\b|\bdifférences?\b(?= (?:\w+ ){0,4}?entre)|\ben commun\b",
        "summarise": r"^(?:résume\w*|synthétise)\b|\b(?:un|le) résumé\b",
        "list_all": r"^(?:liste|énumère|montre)\w*\b|\b(?:quels|quelles|combien de) (?:\w+ )?(?:documents|contrats|politiques|fichiers)\b",
        "define": r"^(?:que|qu['’]est-ce que) (?:signifie|veut dire)\b|\bdéfinition d[eu]\b|\bsens d[eu]\b",
        "yes_no": r"^(?:est-ce que|est-il|peut-on|puis-je|y a-t-il|faut-il|dois-je|doit-on)\b",
        "asks_figure": r"\b(?:quel|quelle|quels|quelles|combien|quand)\b",
        "asks_time": r"\bcombien de temps\b|\bquand\b|\b(?:délai|durée|période)s?\b",
        "asks_money": r"\bcombien coûte\b|\b(?:montant|prix|tarif|pénalité|salaire|loyer)s?\b",
        "asks_count": r"\bcombien\b",
        "forbids": r"\b(?:ne|n['’]|jamais|aucune?|personne|ni|interdite?s?|défense)\b",
        "grants": r"\b(?:peut|peuvent|doit|doivent|est|sont|a|ont|autorisée?s?|permise?s?|tenue?s?)\b",
        "excepts": r"\b(?:sauf|excepté|hormis|mais|toutefois|seulement|que|si|sans)\b",
        "clause_kind": "section|article|clause|annexe|chapitre",
        "injection": r"(?:ignore|ignorez|oublie|oubliez)\s(?:\w+\s){0,4}(?:instructions|consignes|règles)\b",
    },
    phrases={
        "yes": "Oui",
        "no": "Non",
        "not_stated": "Non précisé",
        "stop": ". ",
        "undecided": "Ni oui ni non n'est établi. Les documents disent :",
        "documents_say": "Les documents disent :",
        "besides": "Ils disent aussi :",
        "thin": "Les preuves sont minces. Les passages les plus proches :",
        "not_found": "Aucune mention trouvée dans {where}.",
        "searched": "Recherché : {queries}.",
        "bound": "{read} des {total} segments de {documents} documents lus.",
        "bound_one": "{read} des {total} segments de 1 document lus.",
        "cut_off": "La liste est peut-être incomplète : la réponse du modèle a été coupée ou il n'a pas reçu tous les passages.",
        "others": "Documents non lus pour cette liste : {others}.",
        "pieces": "Des autres documents, seulement les passages trouvés (segments : {pieces}, documents : {documents}).",
        "unreadable": "{count} des {documents} documents n'ont pas pu être lus : {names}.",
        "unsearched": "Recherche inachevée dans : {names}.",
        "missing": "Aucun document trouvé pour : {names}.",
        "unread": "Cité dans la question, mais n'a pas pu être lu : {names}.",
        "no_dataset": "Il n'y a aucune base de connaissances à interroger.",
        "nothing": "les documents consultés",
        "more": "{shown} et {more} de plus",
        "unproven": "absent de la citation : {details}",
        "unproven_answer": "La réponse du modèle n'est pas étayée par les passages et n'est pas affichée.",
        "contradiction": "Les documents divergent sur ce point ; le plus récent vient en premier :",
        "contradiction_partly": "Les documents divergent sur ce point (le plus récent d'abord, si la date est connue) :",
        "contradiction_undated": "Les documents divergent sur ce point :",
        "older": "Une version antérieure n'est pas prise en compte : {names}.",
        "document": "Document",
        "point": "Point",
        "cell_missing": "non trouvé (recherché : {queries})",
        "cell_unproven": "non étayé par les passages",
        "cell_unread": "non lu",
    },
)
