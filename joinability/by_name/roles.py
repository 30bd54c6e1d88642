"""Words of the names of columns and tables for people and parties: what somebody does, and who it may be."""

from __future__ import annotations

from collections.abc import Collection

from joinability.by_name.key_words import Subject, Words, about, before_of
from joinability.by_name.quantity_words import says_yes_or_no
from joinability.names import name_words
from joinability.spelling.common_words import ABBREVIATIONS, likeliest_words, word_ranks
from joinability.spelling.vocabulary import singular

PEOPLE = frozenset("user usr person people pers employee empl emp staff worker personnel".split())
"""Last words of the names of tables of those who act, some of them in short."""
SAME_PEOPLE = {"usr": "user", "pers": "person", "people": "person", "empl": "employee", "emp": "employee"}
"""Those that are others in short, or in the plural."""
ROLES = frozenset(
    "accountant actor adjuster adviser advisor agent anaesthetist analyst anesthetist approver architect archivist "
    "assessor assignee assigner assistant attorney auditor author bartender bookkeeper boss bursar buyer captain "
    "carer caretaker caseworker cashier chair chaplain chef chief choreographer cleaner clerk clinician coach coder "
    "composer concierge conductor conservator consultant controller cook coordinator counsellor counselor courier "
    "creator curator custodian dean dentist deputy designer detective dietitian director dispatcher dockmaster "
    "doctor driver editor educator electrician engineer estimator examiner facilitator firefighter fitter foreman "
    "gardener guard guide handler head headteacher host housekeeper hygienist inspector installer instructor "
    "interpreter interviewer inventor investigator invigilator janitor journalist judge keeper lawyer lead leader "
    "lecturer librarian lifeguard loader manager marshal matron mechanic mentor merchandiser midwife moderator nurse "
    "officer operator optician organizer owner packer painter paralegal paramedic performer pharmacist photographer "
    "physician physiotherapist picker pilot planner plumber porter practitioner preparer prescriber presenter "
    "principal proctor professor programmer provider publicist publisher purchaser ranger receiver receptionist "
    "recipient recruiter referee registrar reporter representative requester requestor researcher responsible "
    "restorer reviewer salesman salesperson sampler secretary seller sender sergeant sheriff signatory signer "
    "steward storekeeper stylist submitter superintendent supervisor surgeon surveyor taster teacher tech technician "
    "teller tester therapist trainer translator treasurer tutor umpire understudy underwriter updater uploader "
    "usher verifier vet veterinarian waiter warden welder worker writer".split()
)
"""Last words of columns that refer to one of them by what he does; so does what ends in "by" or "assigned to"."""
ASSIGNED = frozenset("assigned assign asgn asgnd".split())
"""Words before "to" of what somebody is to do."""
ANYBODY = frozenset("author buyer owner purchaser receiver recipient seller sender".split())
"""Those of them that say nothing of an employment."""
THINGS_TOO = frozenset("chair coach controller courier guard guide head host lead principal receiver".split())
"""Those of them that are often things, firms or sums."""
PRIVATE = frozenset(
    "applicant beneficiary claimant deceased dependant dependent father guardian mother passenger resident spouse "
    "witness".split()
)
"""Last words of columns that refer to somebody who does not work here: to a person, or a user."""
TRADES = frozenset(
    "broker carrier consignee consignor contractor distributor forwarder licensee licensor lessor manufacturer shipper "
    "subcontractor supplier vendor".split()
)
"""Last words of columns that refer to a firm by what it does."""
SELLS = frozenset("carrier contractor distributor manufacturer subcontractor supplier vendor".split())
"""Those of them that sell something to us."""
BUYS = frozenset(["client", "customer"])
"""Last words of columns that refer to those who buy from us, by either name."""
DEALS = TRADES.union("creditor debtor guarantor insured landlord lessee notify payee payer policyholder tenant".split())
"""Last words of columns that refer to a party of a contract, where a table holds parties."""
PARTY, FIRM, SELLER, BUYER = "party", "firm", "seller", "buyer"
PARTIES = frozenset([("party",), ("counterparty",), ("counter", "party"), ("business", "partner"), ("trade", "party")])
"""What a table of parties of contracts is called, but for what stands in front of several tables."""
FIRMS = frozenset([("firm",), ("company",), ("organisation",), ("organization",), ("legal", "entity")])
"""What a table of firms is called."""
SELLERS, BUYERS = frozenset([("vendor",), ("supplier",)]), frozenset([("client",), ("customer",)])
"""What tables are called of those who sell to us, and who buy from us."""
PROFESSIONS = {
    "doctor": frozenset("anaesthetist anesthetist clinician doctor physician practitioner prescriber surgeon".split()),
    "teacher": frozenset("educator instructor lecturer professor teacher tutor".split()),
}
"""Those who have a profession with several names, in tables of their own: what such tables and columns call them."""
TITLES = {PARTY: PARTIES, FIRM: FIRMS, SELLER: SELLERS, BUYER: BUYERS}
TITLES |= {name: frozenset((word,) for word in words) for name, words in PROFESSIONS.items()}
DEALINGS = {PARTY: DEALS, FIRM: TRADES, SELLER: SELLS, BUYER: BUYS, **PROFESSIONS}
"""The titles of tables of each of those who deal, or have a profession, and what such do."""
EMPLOYED = frozenset(["employee", "staff", "worker", "personnel"])
"""Of `PEOPLE` those who are employed."""
SHORT_ROLES = frozenset("drv engr insp mgr oper rep resp supv".split())
"""Roles in short, where values tell the rest."""
BOSSES = frozenset("boss lead manager mgr superior supervisor supv".split())
"""Those to whom others report: in a table of people, one of them."""
BY_OTHERS = frozenset(
    "adjusted affected blocked built caused covered decreased delayed discounted distributed divided exceeded financed "
    "followed funded governed group grouped hosted increased insured licensed limited made manufactured mined "
    "multiplied offset operated order owned powered preceded produced published reduced regulated replaced rounded "
    "scaled shifted sort sorted sponsored succeeded superseded supplied triggered underwritten".split()
)
"""Words before "by" of what firms do, or other things, or what is done to numbers and lists, rather than those who work
here."""
RECORDED = frozenset(
    "change changed create created delete deleted edit edited enter entered entry insert inserted modified modify "
    "remove removed update updated upload uploaded".split()
)
"""Words before "by", and before "user", of what users do to a row."""
OF_USERS = RECORDED.union(
    "add added archive archived cancel canceled cancelled grant granted imported invited logged posted recorded "
    "redeemed registered restored revoked shared started triggered".split()
)
"""Words before "by" of what users do in a system, whoever is employed."""
HANDLERS = frozenset("agent analyst approver assignee assigner lead requester requestor reviewer verifier".split())
"""Last words of columns for those who handle something in a system: its users as well as employees."""
WRITERS = frozenset(
    "actor author creator editor inviter owner recipient requester requestor sender submitter updater uploader".split()
)
"""Last words of columns for users who do so."""

def is_role(entity: Words, name: Words) -> bool:
    """Whether a column refers to somebody by what he does, by the entity of its name and the name.

    Examples
    --------
    >>> is_role(("assignee",), ("assignee", "id")), is_role((), ("created", "by")), is_role(("order",), ("order", "id"))
    (True, True, False)
    """
    acts = _by_apart(entity or name)
    if acts[-1:] == ("by",):
        return BY_OTHERS.isdisjoint(acts[-2:-1])
    return (bool(entity) and names_role(acts[-1])) or (acts[-1:] == ("to",) and not ASSIGNED.isdisjoint(acts[-2:-1]))


def names_role(word: str) -> bool:
    """Whether a word says what somebody does, in full or in short.

    Examples
    --------
    >>> [names_role(word) for word in ("inspector", "ofcr", "inspctr", "order", "prtnr")]
    [True, True, True, False, False]
    """
    return _role_in_full(word) in ROLES


def deals(name: Words) -> int:
    """Those of `TITLES` to whom the name of a column may refer by what they do: the sum of 2 to the place of each.

    Examples
    --------
    >>> [deals(name) for name in (("consignee", "id"), ("shipper",), ("notify", "id"), ("supplier", "id"))]
    [3, 3, 1, 7]
    >>> deals(("party", "id")), deals(("client", "id"))
    (0, 8)
    """
    role = _role_in_full((about(name) or name)[-1]) if name and not says_yes_or_no(name) else ""
    return sum(1 << place for place, word in enumerate(TITLES) if role in DEALINGS[word])


def held_people(subject: Subject) -> str:
    """The word for those whom a table holds: people who act, or a key of `TITLES`; "" for none."""
    called = {tuple(ABBREVIATIONS.get(word, word) for word in words) for words in (subject.words, subject.title)}
    held = (word for word, names in TITLES.items() if not names.isdisjoint(called))
    return next(held, "") or people_of(subject.title)


def who_is_meant(name: Words, people: Collection[str]) -> frozenset[str]:
    """The people among whom a column names one by what he does: of those who are there, in tables of their own.

    An employment is that of an employee, else of any user or person; what says nothing of one is that of a person; what
    was done to a row is that of a user. Who deals is a party; else who sells to us a vendor, and who trades a firm. A
    surgeon is a doctor, where a table holds these.

    Parameters
    ----------
    people : words of `PEOPLE`, and keys of `TITLES`

    Examples
    --------
    >>> here = ["employee", "person", "user", "party"]
    >>> [sorted(who_is_meant((role, "id"), here)) for role in ("inspctr", "owner", "spouse", "consignee")]
    [['employee'], ['person'], ['person', 'user'], ['party']]
    >>> [sorted(who_is_meant((word, "by"), here)) for word in ("created", "approved")]
    [['user'], ['employee']]
    >>> who_is_meant(("inspctr", "id"), ["user"]), who_is_meant(("consignee", "id"), ["user"])
    (frozenset({'user'}), frozenset())
    >>> who_is_meant(("supplier", "id"), ["seller", "firm"]), who_is_meant(("supplier", "id"), ["firm"])
    (frozenset({'seller'}), frozenset({'firm'}))
    >>> who_is_meant(("surgeon", "id"), ["employee", "doctor"]), who_is_meant(("surgeon", "id"), ["employee"])
    (frozenset({'doctor'}), frozenset({'employee'}))
    """
    entity, here = about(name), frozenset(people)
    acts = _by_apart(before_of(entity or name))
    outsiders = _outsiders_meant(_role_in_full(acts[-1]), here) if entity else None
    return _insiders_meant(name, acts, here) if outsiders is None else outsiders


def _outsiders_meant(role: str, people: frozenset[str]) -> frozenset[str] | None:
    """Those who deal with us or are private, and professions with tables of their own; None where a role is neither."""
    if role in DEALS and PARTY in people:
        return frozenset([PARTY])
    if role in TRADES:
        return people & {SELLER if role in SELLS and SELLER in people else FIRM}
    if role in BUYS:
        return people & {BUYER}
    if those := [profession for profession, words in PROFESSIONS.items() if role in words and profession in people]:
        return frozenset(those)
    return people & {"person", "user"} if role in PRIVATE else None


def _insiders_meant(name: Words, acts: Words, people: frozenset[str]) -> frozenset[str]:
    """Those who work here or use a system, of whom one did what a name says last before its word for a key."""
    role, there = _role_in_full(acts[-1]), people.difference(TITLES)
    users = there & {"user"}
    if role in ANYBODY:
        return there & {"person"} or people & {PARTY} or (role in WRITERS and users) or there
    if says_yes_or_no(name) or (role not in ROLES and not is_role(about(name), name)):
        return frozenset()
    is_of_users = role in WRITERS or any(ABBREVIATIONS.get(word, word) in OF_USERS for word in acts[-2:-1])
    return (is_of_users and users) or there & EMPLOYED or there


def names_job(name: Words) -> bool:
    """Whether the name of a column tells somebody by an employment, and not by what was done.

    Examples
    --------
    >>> [names_job(name) for name in (("driver", "id"), ("approved", "by"), ("author", "id"), ("order", "id"))]
    [True, False, False, False]
    """
    return _last_role(name) in ROLES - ANYBODY - WRITERS


def names_profession(name: Words) -> bool:
    """Whether the name of a column tells somebody by an employment that no user of a system has.

    Examples
    --------
    >>> [names_profession(name) for name in (("driver", "id"), ("approver", "id"), ("approved", "by"))]
    [True, False, False]
    """
    return names_job(name) and _last_role(name) not in HANDLERS


def _last_role(name: Words) -> str:
    return _role_in_full(before_of(about(name) or name)[-1])


def _by_apart(words: Words) -> Words:
    """Words of which the last one is "by", where that was run together with what was done, or is the user."""
    last = words[-1] if words else ""
    if SAME_PEOPLE.get(last, last) == "user" and _record(words[-2:-1]):
        return (*words[:-1], "by")
    if len(last) > len("by") + 2 and last.endswith("by") and last not in word_ranks():
        return (*words[:-1], last.removesuffix("by"), "by")
    return words


def _record(words: Words) -> bool:
    """Whether words, in full or in short, tell what users do to a row."""
    return any(ABBREVIATIONS.get(word, word) in RECORDED for word in words)


def _role_in_full(word: str) -> str:
    return word if word in ROLES else ABBREVIATIONS.get(word, likeliest_words().get(word, word))


def is_plainly_somebody(name: Words, meant: Collection[str]) -> bool:
    """Whether the name of a column, with a word for a key or with "by", surely tells one of those whom it may mean.

    A word that often stands for things, firms or sums does not, nor one for a firm, which may be one of ours, nor what
    was done to a row, where no table holds users: it may have their names alone.

    Parameters
    ----------
    meant : as `who_is_meant` gives them

    Examples
    --------
    >>> is_plainly_somebody(("controller", "id"), ["user"]), is_plainly_somebody(("inspector", "id"), ["user"])
    (False, True)
    >>> [is_plainly_somebody(("created", "by"), [people]) for people in ("user", "employee")]
    [True, False]
    """
    entity = about(name)
    acts = _by_apart(before_of(entity or name))
    is_thing = not THINGS_TOO.isdisjoint(acts[-1:])
    is_login = _record(acts[-2:-1]) and "user" not in meant
    return bool(entity or is_role(entity, name)) and not (is_thing or is_login or FIRM in meant)


def says_what_somebody_does(name: Words) -> bool:
    """Whether the name of a column tells somebody by what he does, with a word for a key or without.

    Examples
    --------
    >>> [says_what_somebody_does(name) for name in (("inspector",), ("takenby",), ("made", "by"), ("is", "inspector"))]
    [True, True, False, False]
    """
    entity, last = about(name), name[-1:]
    is_somebody = is_role(entity, name) or any(map(names_role, last)) or not SHORT_ROLES.isdisjoint(entity[-1:] or last)
    return is_somebody and not says_yes_or_no(name)


def says_who_recorded(name: Words) -> bool:
    """Whether the name of a column tells the user who made a row or changed it.

    Examples
    --------
    >>> [says_who_recorded(name) for name in (("created", "by"), ("crew", "upd", "user"), ("approved", "by"))]
    [True, True, False]
    """
    acts = _by_apart(about(name) or name)
    return acts[-1:] == ("by",) and _record(acts[-2:-1])


def says_who_leads(name: Words) -> bool:
    """Whether the name of a column tells somebody to whom others report.

    Examples
    --------
    >>> [says_who_leads(name) for name in (("manager", "id"), ("supv",), ("driver",))]
    [True, True, False]
    """
    return not BOSSES.isdisjoint(about(name)[-1:] or name[-1:])


def people_of(title: Words) -> str:
    """The word for those who act whom a table holds, by its title: users, employees, members of the staff; "" for none.

    Examples
    --------
    >>> [people_of(title) for title in (("auth", "user"), ("hr", "emp"), ("staff", "member"), ("user", "role"))]
    ['user', 'employee', 'staff', '']
    """
    words = title[-2:-1] if title[-1:] in (("member",), ("profile",)) else title[-1:]
    return next((SAME_PEOPLE.get(word, word) for word in words if word in PEOPLE), "")


def person_of(name: str) -> str:
    """The word for the people of whom the name of a column names one: before a word for a key, or as the last of
    several words, in the singular; "" for none.

    Examples
    --------
    >>> [person_of(name) for name in ("user_id", "CRE_USR", "active_users", "emp_name", "user")]
    ['user', 'user', '', '', '']
    """
    words = name_words(name)
    if key_of := about(tuple(map(singular, words))):
        return people_of(key_of)
    return people_of(words) if len(words) > 1 and singular(words[-1]) == words[-1] else ""
