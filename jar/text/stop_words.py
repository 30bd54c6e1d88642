"""Words that say nothing of which table is meant, by language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from jar.errors import QueryError
from joinability.spelling.vocabulary import plain_words

STOP_WORDS = frozenset(
    """
    a an the this that these those it its it they them their he him his she her hers we us our you your i me my
    who whom whose which what when where why how there here
    and or nor but if then than as so not no neither either both
    of in on at by to from with without within for about into onto over under between among through during
    before after above below up down out off per via against across along toward towards upon
    is are was were be been being am do does did done doing have has had having own owns owned owning
    can could will would shall should may might must
    all any each every some such other another others same only also too very just ever never again please
    still already yet currently actually once because although though while until unless whether since i.e e.g etc
    more most less least well few fewer many much one ones together
    show list give find get return tell display compute calculate determine identify provide
    number total average mean sum maximum minimum max min times count
    highest lowest largest smallest greatest biggest fewest top first last greater larger smaller higher lower equal
    ascending descending alphabetical ordered sort sorted exactly
    different distinct unique corresponding respective respectively
    """.split()
)
"""Words that say nothing of which table is meant, in lower case: function words, verbs that ask for an answer ("show",
"list"), and words of arithmetic and arrangement ("average", "ascending"), which say what to do with the rows."""

SORTING = frozenset("according alphabetically ascending by chronologically descending list set with".split())
"""Words behind "ordered" where something is put in an order; so do "in" and "from" before one of `ORDERS`."""
ORDERS = frozenset(
    "a alphabetical ascending best biggest descending earliest highest increasing largest latest least lowest most "
    "newest oldest order smallest".split()
)

_GERMAN = """
    der die das den dem des ein eine einen einem einer eines kein keine keinen und oder aber nicht nur auch noch sowie
    wer wen wem was wie wo wann warum welche welcher welches welchen welchem wessen viele viel wieviele
    ich du er sie es wir ihr ihm ihn ihnen uns euch mein dein sein seine ihre ihren ihrer unser unsere sich man
    ist sind war waren wird werden wurde wurden hat haben hatte hatten habe sein gibt gab kann können soll muss müssen
    von vom zu zum zur in im ins an am auf aus bei mit nach vor über unter für gegen ohne um durch bis seit als je pro
    dass wenn dann so mehr weniger meisten wenigsten alle allen aller jede jeder jedes jeden dieser diese dieses diesen
    zeige liste nenne finde gib berechne anzahl zahl summe durchschnitt durchschnittliche mittelwert maximum minimum
    höchste höchsten niedrigste niedrigsten größte größten kleinste kleinsten erste ersten letzte letzten sortiert
"""
_FRENCH = """
    le la les un une des de du d l au aux ce cet cette ces et ou mais ni ne pas que qui quoi dont où quand comment
    pourquoi quel quelle quels quelles combien lequel laquelle je tu il elle on nous vous ils elles se sa son ses leur
    leurs mon ma mes ton ta tes notre votre y en est sont était étaient être a ont avait avoir fait peut doit
    dans par pour avec sans sur sous entre vers chez depuis jusque après avant pendant contre plus moins très aussi
    tout tous toute toutes chaque autre autres même mêmes si comme
    montre montrez liste listez donne donnez trouve trouvez affiche affichez calcule calculez nombre total somme moyenne
    maximum minimum premier première derniers dernière trié triés
    l' d' n' s' j' c' m' t' qu' jusqu' lorsqu' puisqu'
"""
_SPANISH = """
    el la los las un una unos unas de del al a y e o u pero ni no que quien quienes cual cuales cuál cuáles qué quién
    cuándo cuando cómo como dónde donde cuánto cuántos cuántas cuánta por para con sin sobre bajo entre hacia desde
    hasta en tras según es son era eran fue fueron ser está están ha han había haber hay tiene tienen puede deben
    yo tú él ella ellos ellas nosotros se su sus mi mis tu tus nuestro le les lo me te más menos muy también
    todo todos toda todas cada otro otra otros otras mismo este esta estos estas ese esa esos esas
    muestra muestre lista liste da dame encuentra calcula número total suma promedio media máximo mínimo
    primer primero última último ordenado ordenados
"""
_ITALIAN = """
    il lo la i gli le un uno una di del dello della dei degli delle a al alla ai alle da dal dalla in nel nella nei con
    su sul sulla per tra fra e ed o ma non che chi cui quale quali quando come dove perché quanto quanti quanta quante
    io tu lui lei noi voi loro si suo sua suoi sue mio mia nostro è sono era erano essere ha hanno aveva avere può deve
    più meno molto anche tutto tutti tutta tutte ogni altro altri altre questo questa questi queste quello quella
    l' d' un' c' s' dell' all' nell' dall' sull' quell' quest'
    mostra elenca dai trova calcola numero totale somma media massimo minimo primo prima ultimo ultima ordinati
"""
_PORTUGUESE = """
    o a os as um uma uns umas de do da dos das ao aos à às em no na nos nas por pelo pela para com sem sobre entre até
    desde e ou mas nem não que quem qual quais quando como onde porque quanto quantos quanta quantas
    eu tu ele ela nós eles elas se seu sua seus suas meu minha nosso é são era eram foi foram ser está estão tem têm há
    pode deve mais menos muito também todo todos toda todas cada outro outra outros outras este esta estes estas esse
    mostre liste dê encontre calcule número total soma média máximo mínimo primeiro última último ordenado
"""
_DUTCH = """
    de het een en of maar niet geen wie wat waar wanneer hoe waarom welke welk hoeveel ik jij hij zij wij jullie ze we
    hun haar zijn mijn ons onze zich is was waren wordt worden werd werden heeft hebben had hadden er kan kunnen moet
    van in op aan uit bij met naar voor na over onder tegen zonder om door tot sinds per tussen dan als dat die dit deze
    meer minder meest alle elke ieder andere ander ook nog zo te
    toon lijst geef vind bereken aantal totaal som gemiddelde maximum minimum eerste laatste hoogste laagste gesorteerd
"""

LANGUAGES: Mapping[str, frozenset[str]] = {
    "en": STOP_WORDS,
    "de": frozenset(_GERMAN.split()),
    "fr": frozenset(_FRENCH.split()),
    "es": frozenset(_SPANISH.split()),
    "it": frozenset(_ITALIAN.split()),
    "pt": frozenset(_PORTUGUESE.split()),
    "nl": frozenset(_DUTCH.split()),
}
"""Stop words by the two letters of a language; those that end in an apostrophe stand before a word, without a blank."""
_ELIDED = re.compile(r"\b[^\W\d_]+'(?=\w)")
AUTO = "auto"
"""The name of the stop words of the language that a question is in."""


def says_ordered(question: str) -> bool:
    """Whether something is ordered in a question, as goods are, and not put in an order.

    Examples
    --------
    >>> says_ordered("Who ordered garden chairs?"), says_ordered("Which chairs were ordered by Ann?")
    (True, True)
    >>> says_ordered("List all names ordered by age."), says_ordered("an ordered list of names")
    (False, False)
    """
    words = ["", *plain_words(question), "", ""]
    for before, word, after, behind in zip(words, words[1:], words[2:], [*words[3:], ""], strict=False):
        is_bought = before in ("been", "was", "were") and after == "by"
        is_sorted = after in SORTING or (after in ("from", "in") and behind in ORDERS)
        if word == "ordered" and (is_bought or not (is_sorted or before in ("an", "be", "reverse", "the"))):
            return True
    return False


@dataclass(frozen=True)
class StopWords:
    """The words of questions that mean no table.

    Parameters
    ----------
    words : set of str, optional
        In lower case; those of the language of each question where they are left out.
    """

    words: frozenset[str] | None = None

    def of(self, question: str) -> frozenset[str]:
        """Those of a question.

        Examples
        --------
        >>> "des" in StopWords().of("Montant des factures par client"), "des" in StopWords().of("des of all clients")
        (True, False)
        """
        return language_words(question) if self.words is None else self.words


ANY_LANGUAGE = StopWords()
"""Those of the language of each question."""


@lru_cache(maxsize=1024)
def languages_of(question: str) -> tuple[str, ...]:
    """The languages whose stop words a question has most of: English alone where that is one of them.

    Examples
    --------
    >>> languages_of("Welche Kunden haben ein Konto?"), languages_of("customers"), languages_of("Clients sans facture")
    (('de',), ('en',), ('fr',))
    """
    words = [*plain_words(question), *_ELIDED.findall(question.lower().replace("’", "'"))]
    counts = {language: sum(word in stop for word in words) for language, stop in LANGUAGES.items()}
    most = max(counts.values())
    found = tuple(language for language, count in counts.items() if count == most)
    return ("en",) if "en" in found else found


def language_words(question: str) -> frozenset[str]:
    """The stop words of the languages that a question may be in."""
    return _words_of(languages_of(question))


@lru_cache(maxsize=16)
def _words_of(languages: tuple[str, ...]) -> frozenset[str]:
    return frozenset[str]().union(*(LANGUAGES[language] for language in languages))


def read_stop_words(stop_words: str | Iterable[str]) -> StopWords:
    """Stop words from "auto", the name of a language, or words, which need not be in lower case.

    Raises
    ------
    QueryError
        When there is no list for the language.
    """
    if not isinstance(stop_words, (str, Iterable)):
        raise QueryError(f"stop_words are the name of a language or a list of words, not {stop_words!r}")
    if not isinstance(stop_words, str):
        return StopWords(frozenset(str(word).casefold() for word in stop_words))
    if stop_words.casefold() == AUTO:
        return ANY_LANGUAGE
    if stop_words.casefold() not in LANGUAGES:
        known = ", ".join((AUTO, *LANGUAGES))
        raise QueryError(f"no stop words of the language {stop_words!r}: choose among {known}, or give a list of words")
    return StopWords(LANGUAGES[stop_words.casefold()])
