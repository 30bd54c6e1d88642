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
    acct:account accts:accounts actn:action actv:active addl:additional addr:address adj:adjustment adr:address
    agcy:agency agg:aggregate agmt:agreement agr:agreement agt:agent alloc:allocation aloc:allocation alrt:alert
    amt:amount app:application appl:application appr:approval apprv:approve appt:appointment apvl:approval
    asgn:assignment attr:attribute auth:authorization avail:available avg:average avl:available bal:balance
    bgn:begin bgt:budget bkg:booking bkp:backup bld:building bldg:building blk:block bnk:bank brch:branch brd:board
    brn:branch btch:batch bus:business byr:buyer calc:calculated carr:carrier cat:category catg:category
    ccy:currency cd:code cde:code cert:certificate cfg:configuration chg:change chk:check chld:child chnl:channel
    chrg:charge clm:claim clmt:claimant clnt:client cls:class clsd:closed cmnt:comment cmp:company cmpl:complaint
    cmpny:company cmt:comment cncl:cancel cncld:cancelled cnt:count cntct:contact cntnr:container cntrct:contract
    cntry:country comm:comment comp:company compl:complete conf:confirmation cont:contact contr:contract
    corp:corporate cr:credit cre:created crt:created crtd:created cst:cost cstmr:customer ctgry:category
    ctl:control ctlg:catalog ctr:center ctrct:contract ctrl:control ctry:country cty:city cur:currency
    curr:currency cust:customer cvg:coverage cyc:cycle decl:declaration decn:decision defn:definition del:delivery
    dep:department dept:department desc:description descr:description dest:destination dflt:default dim:dimension
    dir:direction disc:discount dist:district div:division dlv:delivery dlvr:deliver dlvry:delivery dmg:damage
    dob:birth doc:document docs:documents dow:weekday dpt:department dr:debit dsc:description dscnt:discount
    dt:date dte:date dtl:detail dttm:datetime dur:duration dvc:device dx:diagnosis dys:days educ:education
    eff:effective elig:eligible emp:employee empl:employee enrl:enrollment eq:equipment eqp:equipment
    equip:equipment err:error est:estimated evt:event exch:exchange excl:excluded exec:execution exp:expiration
    expr:expiration ext:extension fac:facility fcst:forecast fct:fact fld:field flg:flag flr:floor fname:first
    freq:frequency frgt:freight frmn:foreman frt:freight func:function fwd:forward fy:year gds:goods gl:ledger
    gndr:gender gov:government govt:government grp:group grs:gross hdr:header hist:history hld:hold hlth:health
    hndlr:handler hosp:hospital hr:hour hrs:hours hsg:housing hx:history ident:identifier img:image incl:included
    ind:indicator inds:industry indv:individual info:information init:initial insp:inspection insptr:inspector
    insr:insurance inst:institution instr:instructor insur:insurance intl:international intrst:interest inv:invoice
    invst:investment invt:inventory itm:item jrnl:journal lang:language lat:latitude lbl:label lbr:labor
    ledg:ledger lgl:legal lib:library lic:license lim:limit lin:line lkp:lookup lmt:limit ln:line lname:last
    lng:longitude lnk:link loc:location lon:longitude lvl:level mach:machine maint:maintenance mat:material
    matl:material mbr:member mdl:model merchnt:merchant mfg:manufacturing mfr:manufacturer mgmt:management
    mgr:manager mkt:market mktg:marketing mlk:milk mlstn:milestone mnth:month mo:month mod:modified modl:model
    mrch:merchant msg:message mst:master mstr:master mth:month mthly:monthly mths:months mtl:material mtr:meter
    mtrl:material natl:national nbr:number netw:network nm:name nr:number ntc:notice ntf:notification num:number
    nxt:next obj:object occ:occupation ofc:office ofcr:officer op:operation oper:operation opn:open opr:operator
    ord:order ordr:order org:organization orgn:organization orig:original os:outstanding othr:other ownr:owner
    para:parameter parm:parameter pat:patient paymt:payment pct:percent perd:period perf:performance perm:permanent
    pers:person pfx:prefix phn:phone phys:physician pkg:package plc:place plcy:policy pln:plan plt:plant
    pmt:payment pmts:payments pos:position prc:price prcs:process prdct:product pref:preference prem:premium
    prev:previous prim:primary prin:principal prio:priority prnt:parent prob:problem proc:procedure prod:product
    prof:professor prog:program proj:project promo:promotion prov:provider prsn:person prsnl:personnel prty:party
    prv:provider pt:point ptnt:patient pub:publication pur:purchase purch:purchase pwd:password pymnt:payment
    pymt:payment pyt:payment qlty:quality qry:query qtr:quarter qty:quantity rcd:record rcpt:receipt rcv:receive
    rcvd:received rcvr:receiver rec:record recd:received recv:receive ref:reference reg:region regn:region
    rel:relation rep:representative repl:replacement req:request reqd:required res:result resp:response
    resv:reservation rev:revenue rfnd:refund rgn:region rltn:relation rm:room rpt:report rqst:request rslt:result
    rsn:reason rsrc:resource rte:route rtl:retail rtn:return rtng:rating rvrs:reverse rvw:review
    rx:prescription sal:salary sbscr:subscriber schd:schedule sched:schedule schl:school scor:score scrp:scrap
    sctn:section sec:section seg:segment seq:sequence sess:session sev:severity sfx:suffix shft:shift
    shpd:shipped shpmt:shipment shpr:shipper sig:signature sls:sales smry:summary spcl:special spec:specification
    src:source srv:service srvr:server stat:status stats:statistics std:standard stg:staging stk:stock
    stlmt:settlement stmt:statement strt:start sts:status stts:status stud:student subj:subject subs:subscription
    subscr:subscriber sup:supplier supp:supplier supv:supervisor svc:service svr:server sys:system sz:size
    tbl:table tchn:technician tel:telephone temp:temperature terr:territory titl:title tkt:ticket tm:time
    tmp:temporary tmpl:template tot:total tran:transaction trans:transaction trgt:target trm:term trn:transaction
    trng:training trsp:transport trtmt:treatment trx:transaction ttl:total txn:transaction txt:text typ:type
    unt:unit uom:unit upd:update updt:update usg:usage usr:user util:utility val:value veh:vehicle vend:vendor
    ver:version vhcl:vehicle vld:valid vnd:vendor vndr:vendor vol:volume voy:voyage vrsn:version vsl:vessel
    vst:visit wgt:weight wh:warehouse whs:warehouse whse:warehouse wk:week wkly:weekly wkr:worker wrhs:warehouse
    wrk:work wrtn:written wt:weight xfer:transfer xref:reference yld:yield yr:year yrs:years zn:zone
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


def stands_in(short: str, name: str) -> bool:
    """Whether a name has the letters of a short form in their order.

    Examples
    --------
    >>> [stands_in(short, "customer") for short in ("cstmr", "cust", "cumst")]
    [True, True, False]
    """
    letters = iter(name)
    return all(letter in letters for letter in short)


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
