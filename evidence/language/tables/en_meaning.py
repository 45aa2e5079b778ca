"""English words that carry the meaning of a sentence: what is compared where a claim is held against its quotes."""

from collections.abc import Mapping

from evidence.language.table import Rule

MEASURES = {
    ("metre", "1e-9"): "nm nanometre nanometres nanometer nanometers",
    ("metre", "1e-6"): "µm micrometre micrometres micrometer micrometers micron microns",
    ("metre", "0.001"): "mm millimetre millimetres millimeter millimeters",
    ("metre", "0.01"): "cm centimetre centimetres centimeter centimeters",
    ("metre", "1"): "m metre metres meter meters",
    ("metre", "1000"): "km kilometre kilometres kilometer kilometers",
    ("inch", "1"): "inch inches",
    ("inch", "12"): "ft foot feet",
    ("inch", "36"): "yard yards",
    ("inch", "63360"): "mi mile miles",
    ("square metre", "1"): "m² m2 sqm square_metre square_metres square_meter square_meters",
    ("square metre", "10000"): "ha hectare hectares",
    (
        "square metre",
        "1e6",
    ): "km² km2 square_kilometre square_kilometres square_kilometer square_kilometers",
    ("acre", "1"): "acre acres",
    ("acre", "640"): "sq_mi square_mile square_miles",
    ("litre", "0.001"): "ml millilitre millilitres milliliter milliliters",
    ("litre", "0.01"): "cl",
    ("litre", "1"): "l litre litres liter liters",
    ("litre", "1000"): "m³ m3 cubic_metre cubic_metres cubic_meter cubic_meters",
    ("gallon", "1"): "gallon gallons",
    ("gram", "0.001"): "mg milligram milligrams",
    ("gram", "1"): "g gram grams",
    ("gram", "1000"): "kg kilogram kilograms kilo kilos",
    ("gram", "1e6"): "tonne tonnes",
    ("pound", "1"): "lb lbs",
    ("celsius", "1"): "°c ℃ celsius degrees_celsius",
    ("fahrenheit", "1"): "°f ℉ fahrenheit degrees_fahrenheit",
    ("watt", "1"): "w watt watts",
    ("watt", "1000"): "kw kilowatt kilowatts",
    ("watt", "1e6"): "mw megawatt megawatts",
    ("watt hour", "1"): "wh",
    ("watt hour", "1000"): "kwh kilowatt_hour kilowatt_hours",
    ("volt", "1"): "v volt volts",
    ("hertz", "1"): "hz hertz",
    ("hertz", "1e6"): "mhz megahertz",
    ("hertz", "1e9"): "ghz gigahertz",
    ("byte", "1e3"): "kb kilobyte kilobytes",
    ("byte", "1e6"): "mb megabyte megabytes",
    ("byte", "1e9"): "gb gigabyte gigabytes",
    ("byte", "1e12"): "tb terabyte terabytes",
    ("bit a second", "1e6"): "mbit/s mbps megabit/s",
    ("bit a second", "1e9"): "gbit/s gbps gigabit/s",
    ("bar", "1"): "bar",
}

SPOKEN_FIGURES = {
    ("seconds", "1800"): "half_an_hour",
    ("seconds", "900"): "quarter_of_an_hour",
    ("seconds", "2700"): "three_quarters_of_an_hour",
    ("seconds", "5400"): "an_hour_and_a_half",
    ("seconds", "1209600"): "fortnight",
    ("months", "6"): "half_a_year half_year",
    ("months", "60"): "half_a_decade",
    ("months", "120"): "a_decade",
    ("%", "0.5"): "half_a_percent half_a_per_cent",
    ("%", "50"): "half_of",
    ("%", "25"): "one_quarter_of",
    ("%", "75"): "three_quarters_of",
    ("%", "20"): "a_fifth one_fifth",
    ("%", "10"): "a_tenth one_tenth",
    ("", "12"): "a_dozen",
}

EVENTS = {
    "signature": r"sign(?:ature|ed|ing)\w*",
    "disclosure": r"disclos(?:ure|ed|ing)\w*",
    "delivery": r"deliver\w*",
    "receipt": r"recei(?:pt|v)\w*",
    "invoice": r"invoic\w*",
    "start": r"effective date|commencement|(?:coming|comes?|entry) into (?:force|effect)|takes? effect",
    "end": r"terminat\w*|expir\w*",
    "purchase": r"purchas\w*|bought",
    "installation": r"install\w*",
    "publication": r"publi(?:cation|sh)\w*",
    "discovery": r"discover\w*|notic(?:ed|ing)|becom\w+ aware",
    "notice": r"notif\w*|written notice",
    "request": r"request\w*",
    "birth": r"birth",
    "death": r"death",
    "hiring": r"hir(?:ed|ing)|(?:join|enter)\w* the company|start of employment|date of employment",
    "application": r"appl(?:ication|ied|ying)",
}

NATIONS = """
us usa united_states america american americans; uk united_kingdom britain british; england english; scotland scottish; wales welsh;
ireland irish; france french; germany german germans; netherlands dutch holland; norway norwegian; sweden swedish; denmark danish;
finland finnish; spain spanish; portugal portuguese; italy italian; switzerland swiss; austria austrian; poland polish; greece greek;
turkey turkish; russia russian; china chinese prc; japan japanese; korea korean; india indian; australia australian; canada canadian;
brazil brazilian; mexico mexican; israel israeli; egypt egyptian; belgium belgian; europe european eu; africa african; asia asian
"""
ACTORS = """
buyer seller customer supplier; contractor client subcontractor; employer employee manager; landlord tenant; owner broker buyer;
licensor licensee; lender borrower; discloser recipient; guest host; user provider; company university student; teacher parent child;
patient doctor; insurer insured; guarantor debtor creditor; shareholder director; visitor member
"""
ALIKE = """
return hand_back give_back give_over; terminate end cancel; respond reply answer react; disclose reveal share pass_on divulge;
pay reimburse repay; begin start commence; buy purchase; notify report tell announce; need require;
tenant lessee renter; landlord lessor; seller vendor supplier; buyer purchaser customer client; fee charge price cost; rent lease; quit resign leave; prove verify check; keep retain store; request ask demand; help assist;
use utilise employ; show demonstrate; send transmit; company firm; worker employee staff; goods products; big large; assign transfer;
phone call contact; fix repair; destroy delete erase; contest dispute; trip travel journey; holiday leave vacation; amend change modify
"""
OPPOSITES = """
higher high above taller / lower low below; more greater larger bigger / less fewer smaller; longer / shorter; early earlier / late later;
first initial earliest / =last final latest; begin start commence / end finish stop expire lapse; survive continue / end expire lapse;
fast faster quick quickly / slow slower slowly; east / west; north / south; increase rise grow raise gain / decrease decline fall drop reduce shrink;
include cover contain comprise / exclude omit; accept approve / reject refuse deny decline; allow =permitted authorise entitle enable / forbid prohibit ban bar disqualify prevent; public / private confidential secret; internal / external;
free_of_charge free gratis complimentary / pay cost charge fee price; refund reimburse repay / forfeit; same identical / different; possible / impossible;
directly / indirectly; temporary / permanent; voluntary optional / mandatory compulsory obligatory; oral verbal / written; domestic / foreign;
hot warm / cold; success succeed pass / fail; present / absent; minimum / maximum; upper / lower; majority / minority; remain stay / leave;
import / export; prove proven establish confirm / suspect suggest assume conjecture guess; encourage promote / discourage; support / oppose;
always / never seldom rarely; before / after; often frequently / seldom rarely; open / closed; inside / outside; strong / weak; old / new;
create build found / destroy abolish dissolve; lighter / heavier; easy / difficult; wet / dry; rich / poor; safe / dangerous
"""

MEANING: Mapping[Rule, str] = {
    "at_least": (
        r"(?:no|not)(?: be)? (?:less|fewer|lower|smaller|shorter|younger|earlier|sooner) than|not below|at least|(?:a |the )?minimum"
        r"|more than|over|exceed(?:s|ing|ed)?|above|greater than|higher than|longer than|older than|upwards of|after|not before"
        r"|at the earliest"
    ),
    "at_most": (
        r"(?:no|not)(?: be)? (?:more|greater|higher|larger|longer|older) than|not (?:to )?exceed(?:ing)?|at most"
        r"|(?:a |the )?maximum|up to|less than|fewer than|under|below|within|limited to|capped at|lower than|shorter than"
        r"|younger than|not over|not above|in the (?:last|first)"
    ),
    "by": r"until|(?:no|not) later than|by|at the latest",
    "or_more": r"or more|and (?:above|more|over)|or (?:older|longer|above|over|higher)|at least|at a minimum|minimum",
    "or_less": r"or (?:less|fewer|under|younger|below)|and (?:below|under)|at most|at the most|maximum",
    "ahead": r"(?:before|prior to|in advance|ahead|beforehand|earlier)\b",
    "range": r"to|and|or",
    "starts": r"(?:starts?|begins?|runs?|commences?|counts?) (?:on|with|from|at|upon)",
    "since": r"from|after|since|following|of|upon",
    "about": r"about|around|roughly|nearly|almost|approximately|some|a good|just (?:over|under)|circa|ca",
    "reckons": (
        r"(?:in )?total|altogether|together|combined|sum|more|less|fewer|so|still|remain\w*|left|missing|difference|means"
        r"|below|above|between|leaves|apart|later|after|age|aged"
    ),
    "per": r"(?:per|an?|each|every|/|in an?)\s{0,2}(?:calendar |full |working |business )?",
    "denies_nothing": (
        r"(?:no|not)(?: be)? (?:less|fewer|lower|smaller|shorter|younger|earlier|sooner|later|more|greater|higher|larger|longer|older)"
        r" than|not below|not exceed\w*|not before|not (?:only|just|merely|necessarily|counting|including)|no (?:doubt|matter)|not over"
        r"|not above|in no event|no longer than|whether or not|or not|if not|nobody but|none but|nothing but|nowhere but|no lesser|all but"
    ),
    "clause_break": r"but|while|whereas|although|though|because|unless|except|if|which|who|that|when|whenever|until|so",
    "denies": (
        r"needs? not|not|never|no|none|nobody|nothing|neither|nor|nowhere|cannot|without|no longer|hardly|barely"
        r"|\w{2,8}n['’]t|lacks?|failed to|fails? to|(?:prohibited|barred|precluded|refrains?) from|prevents?|prohibits?|forbids?|ceases?|ceased|(?:is|are|was|were|ran|runs?) out of"
    ),
    "all": r"all|every|everything|everyone|everybody|always|entire|whole",
    "each": r"each|any|anyone|anybody|anything|whoever|whatever|per|no|whole",
    "only": (
        r"only|solely|exclusively|nobody but|none but|nothing but|no one but|nowhere but|(?<!not )limited|restrict\w*"
        r"|other than|alone"
    ),
    "provided": (
        r"unless|except(?: for| that| to)?|provided(?:, however,?)? that|provided(?=,| (?:the|that|it|they|you|he|she|this|such|all|each|always|no)\b)|only if|only when|on condition that|if|subject to|as long as|so long as"
        r"|in the event(?: that| of)?|only (?:for|with|after|in|where|when)|only upon|save for|other than|without the prior|only on|solely for"
    ),
    "because": r"because(?: of)?|due to|owing to|on account of|for lack of",
    "unless": r"unless|except\w*|save for|other than",
    "otherwise": r"otherwise|or else|if not|failing that",
    "or": r"or",
    "twice": r"twice|doubles?|double",
    "partly": (
        r"some|most|many|few|usually|often|mostly|generally|certain|partly|majority|several|sometimes|typically|suggest\w*|normally"
    ),
    "boilerplate": r"context|otherwise (?:agreed|stated|provided|specified)|set (?:forth|out)|terms of|including",
    "narrows": r"\w{2,14}ed|with|who|whose|that|which|having|whom|where|between|over|under",
    "regardless": (
        r"in (?:every|any|all) (?:case|event)s?|(?<!including )(?<!including, )without (?:any |further )?(?:condition|exception|restriction|limit)\w*"
        r"|unconditionally"
        r"|freely|whatever it costs|at (?:any|all) times?|regardless|even (?:if|without|when)|whatever|however long"
    ),
    "duty": r"must|shall|ha(?:s|ve) to|needs? to|(?:is|are) (?:required|obliged|obligated) to|required|mandatory|compulsory",
    "leave": r"may|can|could|is allowed to|are allowed to|ha(?:s|ve) the right|(?:is|are) (?:entitled|permitted|authori[sz]ed|free) to|optional|voluntary",
}
