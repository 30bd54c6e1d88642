"""The common words of English by frequency, and the short forms that stand for some of them."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import lru_cache
from itertools import count
from pathlib import Path

VOWELS = frozenset("aeiou")

LIKELY = 12_000
"""Rank up to which a word may stand for its consonants; a skeleton of `LONG_SKELETON` letters tells any word."""
LONG_SKELETON = 6

ABBREVIATIONS: Mapping[str, str] = dict(
    pair.split(":")
    for pair in """
    acct:account accts:accounts addr:address adj:adjustment agcy:agency agg:aggregate agt:agent amt:amount
    app:application appl:application appt:appointment asgn:assignment attr:attribute auth:authorization
    avail:available avg:average bal:balance bgn:begin bgt:budget bkp:backup bldg:building bus:business calc:calculated
    cat:category catg:category cd:code cert:certificate cfg:configuration chg:change chk:check chld:child clm:claim
    cmp:company cnt:count cntry:country comm:comment comp:company conf:confirmation cont:contact corp:corporate
    cr:credit cstmr:customer ctgry:category ctr:center ctry:country cty:city cur:currency curr:currency cust:customer
    cvg:coverage del:delivery dep:department dept:department desc:description descr:description dest:destination
    dim:dimension dir:direction disc:discount dist:district div:division dlv:delivery dob:birth doc:document
    docs:documents dow:weekday dr:debit dt:date dtl:detail dttm:datetime dur:duration eff:effective emp:employee
    empl:employee eq:equipment est:estimated evt:event excl:excluded exp:expiration expr:expiration ext:extension
    fac:facility fcst:forecast fct:fact fld:field fname:first freq:frequency fy:year gl:ledger
    gov:government govt:government grp:group hdr:header hist:history hosp:hospital hr:hour hrs:hours ident:identifier
    img:image incl:included ind:indicator info:information init:initial inst:institution instr:instructor
    insur:insurance intl:international inv:invoice invt:inventory itm:item lang:language lat:latitude lbl:label
    lib:library lic:license lkp:lookup lmt:limit ln:line lname:last lng:longitude loc:location lon:longitude lvl:level
    maint:maintenance matl:material mbr:member mfg:manufacturing mfr:manufacturer mgmt:management mgr:manager
    mkt:market mktg:marketing mnth:month mo:month mod:modified msg:message mst:master mstr:master mth:month
    natl:national nbr:number nm:name num:number obj:object occ:occupation ofc:office op:operation opr:operator
    ord:order ordr:order org:organization orig:original os:outstanding para:parameter parm:parameter pat:patient
    pct:percent perf:performance perm:permanent pers:person phn:phone phys:physician pkg:package plc:place pmt:payment
    pos:position prc:price pref:preference prem:premium prev:previous prim:primary prnt:parent prob:problem
    proc:procedure prod:product prof:professor prog:program proj:project prov:provider prsn:person prty:party
    prv:provider pt:point ptnt:patient pub:publication pur:purchase purch:purchase pymt:payment qlty:quality qry:query
    qtr:quarter qty:quantity rcpt:receipt rcv:receive rcvd:received rec:record recd:received recv:receive
    ref:reference reg:region regn:region rel:relation rep:representative req:request res:result resp:response
    rev:revenue rgn:region rm:room rpt:report rslt:result rsn:reason rsv:reserve rtn:return sal:salary sched:schedule
    sec:section seq:sequence sess:session shp:ship shpmt:shipment sls:sales spec:specification src:source srv:service
    stat:status stats:statistics std:standard stg:staging stmt:statement strt:start sts:status stud:student
    subj:subject subs:subscription sup:supplier supp:supplier svc:service sys:system sz:size tbl:table tel:telephone
    temp:temperature terr:territory tkt:ticket tm:time tmp:temporary tot:total tran:transaction trans:transaction
    trgt:target trn:transaction trx:transaction ttl:total txn:transaction txt:text typ:type unt:unit upd:update
    updt:update usr:user val:value veh:vehicle vend:vendor ver:version vndr:vendor vol:volume wgt:weight wh:warehouse
    whs:warehouse whse:warehouse wk:week wkly:weekly wrtn:written wt:weight xfer:transfer xref:reference yr:year
    yrs:years
    """.split()
)
"""Short forms that data people use, each with the one word that it stands for."""


@lru_cache(1)
def word_ranks() -> Mapping[str, int]:
    """The common words of English with their ranks, the most frequent one first (see words.license)."""
    packed = Path(__file__).with_name("words.txt.gz").read_bytes()
    return dict(zip(gzip.decompress(packed).decode("ascii").split(), count(), strict=False))


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
