"""English."""

from evidence.language.table import Language
from evidence.language.tables.en_meaning import (
    ACTORS,
    ALIKE,
    EVENTS,
    MEANING,
    MEASURES,
    NATIONS,
    OPPOSITES,
    SPOKEN_FIGURES,
)

_PLURAL = (
    r"(?:documents|contracts|agreements|policies|files|records|reports|clauses|sections|articles|provisions"
    r"|handbooks|manuals|guidelines|ndas|leases|papers|letters|invoices)"
)
_AUXILIARY = (
    r"(?:do|does|did|is|are|was|were|am|can|could|may|might|must|shall|should|will|would|has|have|had)"
    r"(?:n['’]t)?"
)
_SOMEBODY = r"(?=(?:the|an?|any|all|it|they|he|she|we|you|i|there|this|that|these|those|each)\b|(?-i:[A-Z]))"
_ASK = (
    r"(?:(?:what|which|who|whom|whose|when|where|why|how|under (?:what|which)|for how|at what|by when|by whom"
    rf"|to whom|if so)\b|(?:does|do|did|is|are|was|were|can|could|may|must|shall|should|will|would|has|have"
    rf"|had) {_SOMEBODY})"
)
_COMPARED_NUMBER = r"(?:versions? |v)\d{1,9}(?:\.\d{1,9}){0,5}"
_ORDERS = r"(?:instruction|prompt|rule|guideline|directive|command|message|context)s?"
_EARLIER = r"(?:previous|prior|preceding|earlier|above|foregoing|original|system|existing|other)"
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"

LANGUAGE = Language(
    code="en",
    name="English",
    stemmer="english",
    function_words="""
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
""",
    framing_words="""
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
""",
    light_words="""
a an and are as at be but by for from has have if in into is it its of on or such than that the their them
then there these they this those to was were which who will with
""",
    # Past forms that a stemmer cannot lead back. Not those that are mostly another word: "felt", "saw", "lay", "wound".
    irregular="""
arise arose arisen; become became; begin began begun; bear bore borne; bind bound; blow blew blown; break broke broken;
bring brought; build built; buy bought; catch caught; choose chose chosen; come came; deal dealt; draw drew drawn;
drive drove driven; eat ate eaten; fall fell fallen; fight fought; find found; fly flew flown; forbid forbade forbidden;
forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; get got gotten; give gave given; go went gone;
grow grew grown; hang hung; hear heard; hide hid hidden; hold held; keep kept; know knew known; lead led; leave left;
lend lent; lose lost; mean meant; meet met; overtake overtook overtaken; pay paid; repay repaid; ride rode ridden;
ring rang rung; rise rose risen; run ran; seek sought; sell sold; send sent; shake shook shaken; show shown;
shrink shrank shrunk; sit sat; speak spoke spoken; spend spent; stand stood; steal stole stolen; stick stuck;
strike struck; swear swore sworn; sweep swept; take took taken; teach taught; tear tore torn; tell told; think thought;
throw threw thrown; undergo underwent undergone; understand understood; undertake undertook undertaken; wake woke woken;
wear wore worn; win won; withdraw withdrew withdrawn; withhold withheld; write wrote written
""",
    months="""January/Jan February/Feb March/Mar April/Apr May June/Jun July/Jul August/Aug September/Sept/Sep
October/Oct November/Nov December/Dec""",
    ordinals="first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
    number_words={word: at for at, word in enumerate(f"{_ONES} seventeen eighteen nineteen".split())}
    | {word: 10 * at for at, word in enumerate(_TENS.split(), 2)},
    scale_words={"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9},
    units={
        ("seconds", 1): "second seconds",
        ("seconds", 60): "minute minutes",
        ("seconds", 3_600): "hour hours",
        ("seconds", 86_400): "day days",
        ("seconds", 604_800): "week weeks",
        ("months", 1): "month months",
        ("months", 3): "quarter quarters",
        ("months", 12): "year years",
    },
    measures=MEASURES,
    spoken_figures=SPOKEN_FIGURES,
    currencies={
        "GBP": "pound pounds",
        "JPY": "yen",
        "CNY": "yuan renminbi",
        "USD": "us_dollar us_dollars american_dollars",
        "HKD": "hong_kong_dollar hong_kong_dollars",
        "AUD": "australian_dollar australian_dollars",
        "CAD": "canadian_dollar canadian_dollars",
        "SGD": "singapore_dollar singapore_dollars",
        "CHF": "swiss_franc swiss_francs",
    },
    party_words="""party parties employee employees employer employers company customer customers client clients
supplier suppliers tenant tenants landlord lessor lessee the unknown""",
    never_last="e.g i.e eg ie cf viz vs v mr mrs ms dr prof hon messrs rev gen col sgt approx ca al",
    before_number="""no nos sec art para cl fig figs vol ch p pp pt ex oct nov dec jan feb mar apr jun jul aug sep
sept""",
    seldom_last="inc ltd co corp llc plc bros etc jr sr st dept est assn ave u.s u.k u.n a.m p.m",
    sentence_openers="the this these those each any all if in it no such upon we you a an by for however when where to as with",
    nothing="no nothing",
    openings={"no": r"no\b|not? (?=[,.])", "yes": r"yes\b", "not_stated": r"not stated\b|unclear\b"},
    events=EVENTS,
    nations=NATIONS,
    actors=ACTORS,
    alike=ALIKE,
    opposites=OPPOSITES,
    rules={
        **MEANING,
        "polite": (
            r"^\W*(?:(?:please|kindly|hi|hello|hey|ok|okay|so|and|also|then|now)\b[\s,!]*"
            r"|(?:can|could|would|will) you (?:please |kindly |also )*(?!find out (?:if|whether))"
            r"|i(?:'d| would)? (?:like|want|need) (?:you )?(?:to (?:know|see|understand|have|get) )?(?:to )?"
            r"|(?:help|let) me (?:to )?(?:understand |see |know )?|(?:do|can) you (?:know|tell me) )"
        ),
        "compare": (
            r"^(?:compare|contrast)\b|\b(?:vs\.?|versus)(?!\w)|\bdiffer(?:s|ed|ing)?\b|\bdistinguish"
            r"|\bdifferences?\b(?= (?:\w+ ){0,4}?(?:between|in|among|across))|\bwhat(?:'s| is| are) (?:the )?different\b"
            r"|\bhow (?:do|does|did|is|are)\b.{0,300}\b(?:compared?|different)\b"
            r"|\bin common\b|\bsimilarit|\bcompared (?:to|with)\b"
            r"|\bcomparison (?:of|between)\b|\bside by side\b|\bthe same (?:in|across|for) (?:both|all|the two)\b"
            r"|\b(?:longer|shorter|stricter|higher|lower|better|larger|smaller) than (?:the|that)\b"
        ),
        "summarise": (
            r"^(?:summari[sz]e|sum up|recap|condense|outline|tl;?dr)\b|\btl;?dr\b"
            r"|^(?:(?:give|provide|write|show|draft|prepare|make|send|get)(?: me| us)? |need |want |what(?:'s| is) )?"
            r"(?:an?|the) (?:\w+[ -]){0,3}?(?:summary|overview|outline|recap|gist|synopsis|abstract)\b"
            r"|^(?:a )?(?:brief |short |quick )?(?:summary|overview) of\b"
            r"|\bwhat(?:'s| is| are)\b.{0,300}\b(?:all about|about)\s*\??$"
            r"|\bwhat are the (?:main|key|most important) (?:\w+ )?"
            r"(?:points|takeaways|terms|ideas|findings|messages|themes)\b|^(?:in (?:short|brief|a nutshell)|briefly)\b"
        ),
        "list_all": (
            r"^(?:list|enumerate|itemi[sz]e|name (?:all|every|each|the)|(?:find|show|give|get|tell|identify|extract"
            r"|collect|return)(?: me| us)? (?:all|every|each|any|a (?:full |complete )?list)\b)"
            r"|\b(?:list|name) (?:all|of all|every|each)\b"
            rf"|\b(?:which|what|how many) (?:other |of the |of our |of these |\w+ )?{_PLURAL}\b"
            r"|\bwhich of (?:the|our|these|those|my|all)\b|^(?:what|which|who) (?:are|is|were) (?:all|every|each)\b"
            r"|^all (?:the |of the )?\w+"
            r"|\b(?:what|which|who) all\b|^every \w+|^a (?:full |complete )?list of\b"
            rf"|^(?:in|under|of) (?:which|what|how many) (?:of |\w+ )?{_PLURAL}\b"
        ),
        "define": (
            r"^what (?:does|do|did) .+ (?:mean|stand for|refer to)\b|\bwhat is meant by\b|\bmeaning of\b"
            r"|\bdefinitions? of\b|^define\b|\bhow (?:is|are|does|do)\b.{0,300}\bdefined?\b"
            r"|^what (?:is|are) (?:the )?definitions?\b"
            r"|^what(?:'s| is| are) (?:an? )?(?!(?:the|our|your|my|his|her|its|their|this|that|these|those|all|it|in"
            r"|on|there)\b)"
            r"(?:[^\s?,'’]+)(?: (?!(?:of|in|for|under|to|from|by|with|on|at|if|when|about)\b)[^\s?,'’]+){0,2}\s*\??$"
        ),
        "yes_no": (
            rf"^(?:\w+ )?(?<!\w)(?:{_AUXILIARY})\b(?! not\b)|^(?:whether|if)\b"
            r"|^(?:tell me|say|state|check|verify|confirm|determine|find out|know|see|specify|indicate|clarify|explain)"
            r"(?: \w+){0,2} (?:whether|if)\b"
            r"|^(?:is|are) there\b"
        ),
        "whether": rf"^(?:{_AUXILIARY})\b",
        "asks": r"^(?:who|whom|whose|what|which|when|where|why|how)\b",
        "asks_figure": r"\b(?:what|which|how|when|list|state|quote|give|name)\b",
        "asks_time": (
            r"\bhow (?:long|soon|quickly|fast|often|late|early)\b|\bby when\b|\buntil when\b"
            r"|\b(?:period|deadline|duration|time limit)s?\b|\bwhen\b|\b(?:what|which) (?:date|day|month|year)\b"
        ),
        "asks_money": r"\bhow much\b|\b(?:amount|fee|price|cost|budget|penalty|rent|salary|rate)s?\b",
        "asks_limit": r"\b(?:cap|limit|ceiling|threshold|maximum|minimum)s?\b",
        "asks_count": r"\bhow many\b",
        "asks_share": r"\b(?:percentage|percent|share)\b",
        # between single blanks
        "facet_break": rf" ?[,;]? (?:and|as well as|and also|or|but) (?:also )?(?={_ASK})",
        "facet_asks": _ASK,
        "facet_list": (
            r"^(?P<stem>.*\b(?P<over>about|on|regarding|concerning|covering|of|for) (?:the |its )?)"
            r"(?P<items>[^?]{2,200}? and [^?]{2,60}?)(?P<end> ?[?.]?)$"
        ),
        "facet_separator": r", ?(?:and )?| and ",
        "opener": (
            r"^\W*(?:(?:and|but|so|then|ok(?:ay)?|also)[\s,]+)*(?:what about|how about|what of|and|also|same for"
            r"|same question for|but)\b[\s,]*"
        ),
        "points_back": (
            r"\b(?:that|this|those|these|the same|the said|the other) (?:agreement|contract|polic|document|lease"
            r"|nda|file|report|one\b|clause|section)"
            r"|\bthe (?:former|latter)\b|\b(?:in|under|for|from|about) (?:it|them|that|both)\b\s*[?.]?$"
        ),
        "around_name": r"^(?:in|for|under|with|from|on)\s+",
        "pronoun": r"\b(?:it|its|they|them|their|this|that|these|those|he|she|his|her)\b",
        "user_label": "user|human|question|q|me",
        "other_label": "assistant|ai|bot|answer|a|system",
        "conjunction": r",? ?and|,? ?or|,? ?vs\.?|versus|with|to",
        "newest": (
            r"\b(?:newest|latest|most recent)\b"
            r"|\b(?:current|last|newer|new) (?:version|edition|revision|draft|release|issue)\b"
        ),
        "oldest": (
            r"\b(?:oldest|earliest|original|first|older|old) (?:version|edition|revision|draft|release|issue)\b"
        ),
        "previous": r"\b(?:previous|prior|former) (?:version|edition|revision|draft|release|issue)\b",
        "dated_field": "date|effective|valid|updated|version|year",
        "defines": r"shall mean|means?\b|is defined as|refers? to|has the meaning",
        "asks_meaning": r"\b(?:what|how|does|do|is|are|the|an?|mean|means|meaning|of|term|defined?|definition)\b",
        "takes_back": (
            r"\b(?:revers(?:ed|es)|cancel(?:l?ed|s)|withdrawn|withdrew|revok(?:ed|es)|rescind(?:ed|s)|repealed|annulled"
            r"|overruled|no longer (?:appl\w+|valid|in force))\b"
        ),
        "succeeds": r"\b(?:this|the present)\s+(?:\w+\s+){0,3}(?:replaces|supersedes)\b[^.]{0,40}(?-i:[A-Z\d])",
        "obliges": (r"\b(?:shall|must|may|approved|decided|accepted|reversed|limited|requires?|entitled)\b"),
        "leans_back": (r"(?:after that|in that case|in this case|it|they|this|these|those|he|she|such)\b"),
        "compare_frame": (
            r"^(?:please )?(?:(?:can|could) you )?(?:compare|contrast) |^how do(?:es)? "
            r"|^what (?:is|are) the (?:main |key )?differences? ?"
            r"|(?: ?[:,] ?| (?:in|of|between|for|from|with|and) )?\bthe documents?\b"
            rf"|\b{_COMPARED_NUMBER}(?: ?(?:and|with|to|versus|vs\.?|or) ?(?:the )?{_COMPARED_NUMBER})*"
            r"|\bdiffer(?:s|ed)?(?: on this point)?\b"
        ),
        "clause_kind": "section|article|clause|schedule|annex|appendix|exhibit|part|chapter",
        "share": r"percent\b|per\s+cent\b",
        "currency_after": r"(?:dollar|euro|pound)s?\b|(?:yen|yuan|renminbi)\b",
        "clock": (
            r"(?<![\d:.])(?P<h>\d{1,2})(?:[:.](?P<n>\d\d))?\s?(?:(?P<late>[ap])(?:m\b|\.m\.)|o'clock\b)"
            r"|(?<![\d:.])(?P<h24>\d{1,2}):(?P<n24>\d\d)(?![\d:])"
        ),
        "injection": "|".join(
            (
                rf"(?:ignore|disregard|forget|override|bypass)\s(?:\w+\s){{0,4}}{_EARLIER}\s(?:\w+\s){{0,2}}{_ORDERS}\b",
                (
                    rf"(?:ignore|disregard|forget)\s(?:\w+\s){{0,2}}(?:all|any|your|every|these|the)\s(?:\w+\s){{0,2}}"
                    rf"{_ORDERS}\s(?:above|before|you|that\scame|given\sto\syou)"
                ),
                r"ignore\s(?:everything|anything|all)\s(?:above|before|you|that\scame)\b",
                (
                    r"you\sare\snow\s(?:an?\s|the\s|in\s)?(?:\w+\s)?(?:ai|assistant|chatbot|model|bot|dan|jailbroken"
                    r"|unrestricted|developer\smode|free\sfrom|no\slonger\s(?:bound|an?\s(?:ai|assistant)))\b"
                ),
                (
                    r"(?:act|behave|respond|pretend)\s(?:as|to\sbe|like)\s(?:if\syou\s)?(?:an?\s)?(?:\w+\s)?"
                    r"(?:ai|chatbot|language\smodel|jailbroken|dan|unrestricted|root)\b"
                ),
                (
                    r"\b(?:reveal|print|output|repeat|show|disclose|leak|expose|send|tell\sme)\s(?:\w+\s){0,2}"
                    r"(?:your|the)\s(?:\w+\s){0,2}"
                    r"(?:system\s(?:prompt|message)|prompt|hidden\sinstructions|initial\sinstructions|api\skeys?)\b"
                ),
                r"\bsystem\s(?:prompt|override)\b",
                r"\bdeveloper\s(?:mode\s(?:on|enabled|activated)|message)\b",
                (
                    r"\bas\san\s(?:ai\b(?:\s(?:language\s)?model|\sassistant)?|artificial\sintelligence)"
                    r"|\bas\sa\slanguage\smodel\b"
                ),
                (
                    r"\b(?:attention|note\sto|message\sto|instructions?\s(?:to|for)|dear|hey|hello)[\s:,]{1,2}"
                    r"(?:the\s|any\s|all\s)?"
                    r"(?:ai|llms?|language\smodels?|ai\s(?:assistants?|models?)|chatbots?)\b"
                ),
                (
                    r"\b(?:ai|llms?|language\smodels?|chatbots?|assistants?)\s"
                    r"(?:reading|processing|summari[sz]ing|parsing)\sthis\b"
                ),
                r"\bdo\snot\s(?:tell|inform|mention\s(?:this\s)?to|alert)\sthe\suser\b",
                r"\b(?:your|my)\snew\s(?:instructions|task|role|persona)\s(?:is|are)\b",
                r"\bjailbreak(?:ed|ing)?\b|\bprompt\sinjection\b",
            )
        ),
    },
    phrases={
        "draft": "What does {document} say about “{topic}”?",
        "yes": "Yes",
        "no": "No",
        "not_stated": "Not stated",
        "stop": ". ",
        "undecided": "Neither yes nor no is proven. The documents say:",
        "documents_say": "The documents say:",
        "besides": "They also say:",
        "thin": "Weak evidence. Closest passages:",
        "not_found": "I did not find this in {where}.",
        "searched": "Searched: {queries}.",
        "bound": "Searched {read} of {total} segments of {documents} documents.",
        "bound_one": "Searched {read} of {total} segments of 1 document.",
        "cut_off": "This may not be all: the model's reply was cut off, or it could not be given every passage.",
        "others": "Documents that were not read for this list: {others}.",
        "pieces": "Of other documents only what was retrieved (segments: {pieces}, documents: {documents}).",
        "unreadable": "{count} of {documents} documents could not be read: {names}.",
        "unsearched": "Not searched to the end: {names}.",
        "missing": "No document found for: {names}.",
        "unread": "Named in the question, but it could not be read: {names}.",
        "no_dataset": "There is no dataset that could be searched.",
        "nothing": "the documents that were searched",
        "more": "{shown} and {more} more",
        "unproven": "not in the quote: {details}",
        "instead": "{detail} (the quote says “{quote}”)",
        "unproven_answer": "The model's answer was not supported by the passages and has been withheld.",
        "contradiction": "The documents differ on this; the newest comes first:",
        "contradiction_partly": "The documents differ on this (newest first where a date is known):",
        "contradiction_undated": "The documents differ on this:",
        "older": "An older version is not part of this: {names}.",
        "document": "Document",
        "point": "Point",
        "cell_missing": "not found (searched: {queries})",
        "cell_unproven": "not supported by the passages",
        "cell_unread": "not read",
        "doubted": "doubted when checked",
        "title_sources": "Sources",
        "title_not_found": "Not found.",
        "title_ambiguous": "Ambiguous question.",
        "title_unproven": "Not found in what could be read.",
        "title_unsearched": "Nothing was searched.",
        "foot_verified": "Every quote stands word for word in the stored documents.",
        "foot_not_reread": "Some quotes could not be read again in the stored documents; they are shown as they were read before.",
        "foot_as_handed_in": "Some quotes were not read in the stored documents; they are shown as handed in.",
        "foot_unverified": "Not every sentence could be verified.",
        "foot_in_part": "Answered in part: {reason}.",
        "foot_not_all": "Not all was searched: {reason}.",
        "label_no_evidence": "No evidence for: {names}",
        "label_datasets": "Datasets searched: {names}",
        "label_documents": "Documents searched: {names}",
        "reason_no_dataset_fits": "no dataset fits",
        "reason_no_document_fits": "no document fits",
        "reason_no_evidence": "no evidence",
        "reason_conflicting": "the documents contradict each other",
        "reason_limit_reached": "a limit was reached",
        "reason_model_unavailable": "the model was not available",
        "reason_knowledge_unavailable": "the knowledge server was not available",
        "reason_open": "something that was asked is left open",
        "proof_verified": "Verified just now\nThese words stand in the stored document.",
        "proof_changed": "Changed since\nThese words no longer stand in this passage; it is shown as it is now.",
        "proof_gone": "No longer available\nThe passage was removed or disabled, or may no longer be seen.",
        "proof_unread": "Could not be checked\nThe knowledge server did not answer; try again in a moment.",
        "proof_expired": "This link has expired\nAsk the question again to get a new one.",
        "proof_unknown": "There is no such page\nThe link is incomplete or was not made here.",
        "proof_dataset": "Knowledge base",
        "proof_position": "Segment",
        "proof_heading": "Section",
        "proof_version": "Text version",
        "proof_read": "Read for the answer",
        "proof_checked": "Checked",
        "proof_before": "The segment before",
        "proof_quote": "The segment with the quote",
        "proof_after": "The segment after",
        "proof_until": "This link works until",
    },
)
