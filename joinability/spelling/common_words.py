"""The common words of English by frequency, and the short forms that stand for some of them."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import lru_cache
from itertools import count
from pathlib import Path

from joinability.spelling.working_words import WORKING_WORDS

VOWELS = frozenset("aeiou")

LIKELY = 12_000
"""Rank up to which a word may stand for its consonants; a skeleton of `LONG_SKELETON` letters tells any word."""
LONG_SKELETON = 6
WORKING = 15_000
"""Rank of the words of working life, whose frequency nobody counted."""

ABBREVIATIONS: Mapping[str, str] = dict(
    pair.split(":")
    for pair in """
    acct:account accts:accounts addr:address adj:adjustment agcy:agency agg:aggregate agt:agent amt:amount
    app:application appl:application appt:appointment apvl:approval asgn:assignment attr:attribute auth:authorization
    avail:available avg:average bal:balance bgn:begin bgt:budget bkp:backup bldg:building blk:block brch:branch
    brn:branch btch:batch bus:business byr:buyer calc:calculated carr:carrier cat:category catg:category cd:code
    cert:certificate cfg:configuration chg:change chk:check chld:child chrg:charge clm:claim clnt:client cls:class
    clsd:closed cmnt:comment cmp:company cmt:comment cncl:cancel cnt:count cntct:contact cntrct:contract cntry:country
    comm:comment comp:company conf:confirmation cont:contact contr:contract corp:corporate cr:credit crtd:created
    cst:cost cstmr:customer ctgry:category ctlg:catalog ctr:center ctrct:contract ctrl:control ctry:country cty:city
    cur:currency curr:currency cust:customer cvg:coverage del:delivery dep:department dept:department desc:description
    descr:description dest:destination dflt:default dim:dimension dir:direction disc:discount dist:district div:division
    dlv:delivery dlvr:deliver dlvry:delivery dob:birth doc:document docs:documents dow:weekday dpt:department dr:debit
    dscnt:discount dt:date dtl:detail dttm:datetime dur:duration dvc:device dx:diagnosis dys:days eff:effective
    elig:eligible emp:employee empl:employee enrl:enrollment eq:equipment est:estimated evt:event exch:exchange
    excl:excluded
    exp:expiration expr:expiration ext:extension fac:facility fcst:forecast fct:fact fld:field fname:first
    freq:frequency frgt:freight frt:freight func:function fy:year gds:goods gl:ledger gndr:gender gov:government
    govt:government grp:group grs:gross hdr:header hist:history hosp:hospital hr:hour hrs:hours hx:history
    ident:identifier img:image incl:included ind:indicator info:information init:initial insp:inspection
    inst:institution instr:instructor insur:insurance intl:international intrst:interest inv:invoice invt:inventory
    itm:item jrnl:journal lang:language lat:latitude lbl:label lib:library lic:license lim:limit lin:line lkp:lookup
    lmt:limit ln:line lname:last lng:longitude lnk:link loc:location lon:longitude lvl:level maint:maintenance
    mat:material matl:material mbr:member mdl:model mfg:manufacturing mfr:manufacturer mgmt:management mgr:manager
    mkt:market mktg:marketing mlk:milk mnth:month mo:month mod:modified msg:message mst:master mstr:master mth:month
    mtl:material mtr:meter natl:national nbr:number nm:name num:number nxt:next obj:object occ:occupation ofc:office
    op:operation oper:operation opr:operator ord:order ordr:order org:organization orig:original os:outstanding
    ownr:owner para:parameter parm:parameter pat:patient pct:percent perf:performance perm:permanent pers:person
    phn:phone phys:physician pkg:package plc:place plcy:policy pln:plan plt:plant pmt:payment pos:position prc:price
    prdct:product pref:preference prem:premium prev:previous prim:primary prnt:parent prob:problem proc:procedure
    prod:product prof:professor prog:program proj:project prov:provider prsn:person prty:party prv:provider pt:point
    ptnt:patient pub:publication pur:purchase purch:purchase pwd:password pymt:payment pyt:payment qlty:quality
    qry:query qtr:quarter qty:quantity rcd:record rcpt:receipt rcv:receive rcvd:received rec:record recd:received
    recv:receive ref:reference reg:region regn:region rel:relation rep:representative req:request reqd:required
    res:result resp:response rev:revenue rgn:region rm:room rpt:report rslt:result rsn:reason rsv:reserve rte:route
    rtn:return rtng:rating rx:prescription sal:salary sbscr:subscriber schd:schedule sched:schedule sec:section
    seq:sequence sess:session shft:shift shp:ship shpd:shipped shpmt:shipment sls:sales spcl:special spec:specification
    src:source srv:service srvr:server stat:status stats:statistics std:standard stg:staging stk:stock stmt:statement
    strt:start sts:status stts:status stud:student subj:subject subs:subscription sup:supplier supp:supplier svc:service
    svr:server sys:system sz:size tbl:table tel:telephone temp:temperature terr:territory tkt:ticket tm:time
    tmp:temporary tmpl:template tot:total tran:transaction trans:transaction trgt:target trm:term trn:transaction
    trtmt:treatment trx:transaction ttl:total txn:transaction txt:text typ:type unt:unit uom:unit upd:update updt:update
    usg:usage usr:user val:value veh:vehicle vend:vendor ver:version vnd:vendor vndr:vendor vol:volume vsl:vessel
    vst:visit wgt:weight wh:warehouse whs:warehouse whse:warehouse wk:week wkly:weekly wkr:worker wrhs:warehouse
    wrtn:written wt:weight xfer:transfer xref:reference yr:year yrs:years zn:zone
    """.split()
)
"""Short forms that data people use, each with the one word that it stands for."""

ACRONYMS: Mapping[str, tuple[str, ...]] = {
    short.strip(): tuple(words.split())
    for short, words in (
        entry.split(":")
        for entry in """
        arpu:revenue per user; ata:actual arrival; atd:actual departure; aum:assets under management; bol:bill of
        lading; bom:bill of materials; capa:corrective action; cogs:cost of goods sold; csat:customer satisfaction;
        eod:end of day; eom:end of month; eta:estimated arrival; etd:estimated departure; fte:full time equivalent;
        gr:goods receipt; grn:goods receipt; grpo:goods receipt; hcp:healthcare professional; iban:bank account;
        je:journal entry; kpi:performance indicator; kyc:customer check; moq:minimum order quantity; mrn:medical
        record number; mrp:material requirements planning; mrr:monthly recurring revenue; msds:safety data sheet;
        mtbf:time between failures; mtd:month to date; mttr:time to repair; ndc:drug code; npi:provider identifier;
        nps:promoter score; pcp:primary care physician; po:purchase order; pto:paid time off; qtd:quarter to date;
        rfi:request for information; rfp:request for proposal; rfq:request for quotation; rma:return authorization;
        sla:service level agreement; so:sales order; sow:statement of work; ssn:social security number; vat:value
        added tax; wip:work in process; wo:work order; ytd:year to date
        """.split(";")
    )
}
"""Acronyms in the names of business systems, each with the words that it stands for."""


@lru_cache(1)
def word_ranks() -> Mapping[str, int]:
    """The common words of English with their ranks, the most frequent one first (see words.license), and those of
    working life."""
    packed = Path(__file__).with_name("words.txt.gz").read_bytes()
    ranks = dict(zip(gzip.decompress(packed).decode("ascii").split(), count(), strict=False))
    return dict.fromkeys(WORKING_WORDS, WORKING) | ranks


def skeleton(word: str) -> str:
    """The first letter of a word and its consonants: how it reads with its vowels dropped.

    Examples
    --------
    >>> skeleton("customer"), skeleton("area")
    ('cstmr', 'ar')
    """
    return word[:1] + "".join(letter for letter in word[1:] if letter not in VOWELS)


@lru_cache(1)
def likeliest_words() -> Mapping[str, str]:
    """The most frequent word of each skeleton of four letters and more; three are as often an acronym."""
    likeliest: dict[str, str] = {}
    for word, rank in word_ranks().items():
        short = skeleton(word)
        if 3 < len(short) < len(word) and (rank < LIKELY or len(short) >= LONG_SKELETON):
            likeliest.setdefault(short, word)
    return likeliest


def singular_of_ies(word: str) -> str:
    """The singular of a noun in "ies": with "ie" where English has that word and none with "y".

    Examples
    --------
    >>> singular_of_ies("stories"), singular_of_ies("cookies")
    ('story', 'cookie')
    """
    with_y, with_ie = f"{word[:-3]}y", word[:-1]
    return with_ie if with_ie in word_ranks() and with_y not in word_ranks() else with_y
