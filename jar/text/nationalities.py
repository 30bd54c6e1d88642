"""Adjectives of countries: a question for Danish customers means a table that has Denmark in a cell."""

from __future__ import annotations

from collections.abc import Mapping

_COUNTRIES = """
afghan: afghanistan | albanian: albania | algerian: algeria | american: united states, usa, america, united states of
america | angolan: angola | argentine: argentina | argentinian: argentina | armenian: armenia | australian: australia
| austrian: austria | azerbaijani: azerbaijan | bahraini: bahrain | bangladeshi: bangladesh | belarusian: belarus |
belgian: belgium | bolivian: bolivia | bosnian: bosnia and herzegovina, bosnia | brazilian: brazil | british: united
kingdom, great britain, britain | bulgarian: bulgaria | cambodian: cambodia | cameroonian: cameroon | canadian: canada
| chilean: chile | chinese: china | colombian: colombia | congolese: congo | costa rican: costa rica | croatian:
croatia | cuban: cuba | cypriot: cyprus | czech: czech republic, czechia | danish: denmark | dominican: dominican
republic | dutch: netherlands, the netherlands, holland | ecuadorian: ecuador | egyptian: egypt | emirati: united arab
emirates | english: england | estonian: estonia | ethiopian: ethiopia | filipino: philippines | finnish: finland |
french: france | georgian: georgia | german: germany | ghanaian: ghana | greek: greece | guatemalan: guatemala |
haitian: haiti | honduran: honduras | hungarian: hungary | icelandic: iceland | indian: india | indonesian: indonesia
| iranian: iran | iraqi: iraq | irish: ireland | israeli: israel | italian: italy | ivorian: ivory coast, cote
d'ivoire | jamaican: jamaica | japanese: japan | jordanian: jordan | kazakh: kazakhstan | kenyan: kenya | korean:
south korea, korea, republic of korea, korea republic of | kosovar: kosovo | kuwaiti: kuwait | latvian: latvia |
lebanese: lebanon | libyan: libya | lithuanian: lithuania | luxembourgish: luxembourg | macedonian: north macedonia,
macedonia | malaysian: malaysia | maltese: malta | mauritian: mauritius | mexican: mexico | moldovan: moldova |
mongolian: mongolia | montenegrin: montenegro | moroccan: morocco | mozambican: mozambique | namibian: namibia |
nepalese: nepal | nepali: nepal | nicaraguan: nicaragua | nigerian: nigeria | norwegian: norway | omani: oman |
pakistani: pakistan | panamanian: panama | paraguayan: paraguay | peruvian: peru | polish: poland | portuguese:
portugal | puerto rican: puerto rico | qatari: qatar | romanian: romania | russian: russia, russian federation |
rwandan: rwanda | saudi: saudi arabia | scottish: scotland | senegalese: senegal | serbian: serbia | singaporean:
singapore | slovak: slovakia | slovakian: slovakia | slovene: slovenia | slovenian: slovenia | somali: somalia | south
african: south africa | spanish: spain | sri lankan: sri lanka | sudanese: sudan | swedish: sweden | swiss:
switzerland | syrian: syria | taiwanese: taiwan | tanzanian: tanzania | thai: thailand | tunisian: tunisia | turkish:
turkey, turkiye | ugandan: uganda | ukrainian: ukraine | uruguayan: uruguay | uzbek: uzbekistan | venezuelan:
venezuela | vietnamese: vietnam, viet nam | welsh: wales | yemeni: yemen | zambian: zambia | zimbabwean: zimbabwe
"""
_NO_COUNTRY = (
    *("african american", "central american", "latin american", "native american", "north american"),
    *("south american", "east indian", "west indian", "north korean"),
)

VERBS = frozenset(["polish"])
"""Adjectives that are something else in small letters."""


def _read() -> dict[str, tuple[str, ...]]:
    pairs = (entry.split(":") for entry in " ".join(_COUNTRIES.split()).split("|"))
    named = {adjective.strip(): tuple(name.strip() for name in names.split(",")) for adjective, names in pairs}
    return named | dict.fromkeys(_NO_COUNTRY, ())


NATIONALITIES: Mapping[str, tuple[str, ...]] = _read()
"""From adjectives to the names that their countries have; none of those that are of no one country."""
