"""References that names alone tell: each kind by an example, and what is none."""

from __future__ import annotations

import pytest

from joinability.by_name.key_names import MOST_WAYS, named_references
from joinability.by_name.key_words import about, subjects, titles
from joinability.by_name.name_kinds import NAME_KINDS
from joinability.by_name.table_names import NUMBER_KIND, TEXT_KIND, TableNames

ADDRESSES = "addresses: address_id, city"
CUSTOMERS = "customers: customer_id, name, city"
USERS = "users: id, login"


def read(*told: str) -> list[TableNames]:
    """Tables from "name: column, column"; a column marked * is the declared primary key."""
    tables = []
    for one in told:
        name, _, columns = one.partition(": ")
        names = columns.split(", ")
        plain = [column.strip("*") for column in names]
        key = [column.strip("*") for column in names if column.endswith("*")]
        tables.append(TableNames(name, plain, [-1] * len(plain), key))
    return tables


def found(*told: str) -> set[tuple[str, str, str]]:
    """The references of tables as (child, parent, kind)."""
    tables = read(*told)
    return {
        (
            f"{tables[one.child[0]].name}.{tables[one.child[0]].columns[one.child[1]]}",
            f"{tables[one.parent[0]].name}.{tables[one.parent[0]].columns[one.parent[1]]}",
            one.kind,
        )
        for one in named_references(tables)
    }


@pytest.mark.parametrize(
    ("child", "parent", "kind"),
    [
        ("orders: order_id, customer_id", CUSTOMERS, "same"),
        ("o: o_orderkey, o_date, o_total, o_clerk, o_custkey", "custs: c_custkey, c_name, c_phone, c_x, c_y", "same"),
        ("orders: order_id, user_id", USERS, "named"),
        ("Posts: Id, UserId", "Users: Id, Login", "named"),
        ("quiz: id, userid", "user: id, name", "named"),
        ("visits: id, doctor_id", "doctors: badge*, name", "named"),
        ("orders: order_id, bill_customer_id", CUSTOMERS, "role"),
        ("posts: id, owner_user_id", USERS, "role"),
        ("orders: id, cust_no", "customers: id, name", "short"),
        ("orders: order_id, ship_addr_id", ADDRESSES, "role short"),
        ("VBAP: POSNR, MATNR", "MARA: MATNR, MTART", "lead"),
        ("VBAP: POSNR, UMATNR", "MARA: MATNR, MTART", ""),
        ("VBAP: POSNR, OLD_MATNR", "MARA: MATNR, MTART", "role lead"),
        ("VBAK: VBELN, ERDAT", "VBAP: VBELN, POSNR", "both lead"),
        ("quiz: id, course", "course: id, name", "bare"),
        ("sale_order: id, partner_id", "res_partner: id, name", "last"),
        ("sale_order: id, invoice_partner_id", "res_partner: id, name", "role last"),
        ("title: id, kind_id", "kind_type: id, kind", "first"),
        ("info: id, movie_id", "keyword: id, movie_id", "siblings"),
        ("info: id, phonetic_code", "keyword: id, phonetic_code", ""),
        ("tree: id, parent_id", "branch: id, parent_id", ""),
        ("pedido: id_pedido, id_cliente", "cliente: id_cliente, nombre", "same"),
        ("orders: id, fk_customer", "customers: id, name", "named"),
        ("tickets: id, assignee_id", USERS, "person"),
        ("tickets: id, created_by", USERS, "person"),
        ("tickets: id, assigned_to", "people: person_id, name", "person"),
        ("tickets: id, order_id", USERS, ""),
        ("tickets: id, opened_by", "teams: id, name", ""),
        ("claims: id, hcpcs_code", "betos: hcpcs_cd, category", "lead"),
        ("lines: id, order_nbr", "orders: order_number*, day", "same"),
        ("lines: id, ProductSKU", "products: ProductSKU, title", "same"),
        ("loans: id, batch_id", "batches: id, size", "named"),
        ("usage: n, accountuuid", "accounts: id, name", "named"),
        ("profiles: bio, user_id", "users: id, name", "named"),
        ("orders: id, paid", "payments: id, x", ""),
        ("orders: id, status", "payments: id, status", ""),
        ("orders: id, placed", "payments: id, paid", ""),
        ("lines: n, ln_no", "loans: id, amount", ""),
        ("lines: n, ln_no", "lines_of_orders: ln_no*, x", "same"),
        ("sites: n, dpt_no", "dprtmnts: id, name", "short"),
        ("gate: id, gate_typ_cd", "box_typ: typ_cd*, name", ""),
        ("gate: id, new_typ_cd", "box_typ: typ_cd*, name", "role"),
        ("gate: id, waste_typ_cd", "box_typ: typ_cd*, name", ""),
        ("box_gate: id, waste_typ_cd", "box_typ: typ_cd*, name", "role"),
        ("gate: id, box_typ_cd", "box_typ: typ_cd*, name", "named"),
    ],
)
def test_each_kind_of_reference(child: str, parent: str, kind: str) -> None:
    """The last column of the first table refers to the key of the second, or to nothing."""
    (one, other) = read(child, parent)
    if kind == "siblings":
        ends = {(f"{one.name}.{one.columns[-1]}", f"{other.name}.{other.columns[-1]}", kind)}
    elif kind == "both lead":
        pair = f"{one.name}.{one.columns[0]}", f"{other.name}.{other.columns[0]}"
        ends = {(*pair, kind), (*pair[::-1], kind)}
    else:
        ends = {(f"{one.name}.{one.columns[-1]}", f"{other.name}.{other.columns[0]}", kind)} if kind else set()
    assert found(child, parent) == ends
    assert kind in {"", *NAME_KINDS}


def test_a_column_has_the_first_kind_that_applies() -> None:
    """A key of its name goes before a table of its name."""
    told = found("orders: order_id, customer_id", CUSTOMERS, "customer: id, x")
    assert {one for one in told if one[0] == "orders.customer_id"} == {
        ("orders.customer_id", "customers.customer_id", "same")
    }


@pytest.mark.parametrize("name", ["rating", "price", "order", "rank", "position"])
def test_a_number_called_after_a_quantity_is_no_reference(name: str) -> None:
    """Unless it has a word for a key, or is a text."""

    def kinds(column: str, holds: int) -> list[str]:
        film = TableNames("film", ["id", column], [NUMBER_KIND, holds])
        parent = TableNames(f"{name}s", ["id", "label"], [holds, TEXT_KIND], ["id"])
        return [one.kind for one in named_references([film, parent])]

    assert kinds(name, NUMBER_KIND) == []
    assert kinds(f"{name}_id", NUMBER_KIND) == ["named"]
    assert kinds(name, TEXT_KIND) == ["bare"]


def test_numbered_names_are_one() -> None:
    """Both ends of a tie refer to the person."""
    told = found("person: person_id, name", "tie: person_id_a, person_id_b, kind", "game: n, person1_id, person2_id")
    assert {(child, parent) for child, parent, _ in told if parent == "person.person_id"} == {
        (f"{child}", "person.person_id")
        for child in ("tie.person_id_a", "tie.person_id_b", "game.person1_id", "game.person2_id")
    }


def test_a_key_refers_to_nothing_but_a_key_of_its_name() -> None:
    """As that of a subtype does; a key called ``id`` refers to nothing."""
    assert found("person: person_id, name", "employee: person_id*, wage") == {
        ("employee.person_id", "person.person_id", "same"),
        ("person.person_id", "employee.person_id", "same"),
    }
    assert found(USERS, "roles: id, name") == set()


def test_keys_that_number_what_each_table_holds_do_not_refer() -> None:
    """Two kinds of plans are no parts of each other, and nor are versions; a plan may be one of all plans."""
    insured, shifts = "insurance_plan: plan_id*, payer", "shift_plan: plan_id*, starts"
    assert found(insured, shifts) == set()
    pairs = {frozenset(pair) for *pair, _ in found(insured, shifts, "plan: plan_id*, name")}
    assert pairs == {frozenset(["plan.plan_id", f"{kind}_plan.plan_id"]) for kind in ("insurance", "shift")}
    assert found("emp_hist: hist_id*, city", "price_hist: hist_id*, price") == set()
    assert ("nurse.person_id", "doctor.person_id", "same") in found("nurse: person_id*, ward", "doctor: person_id*, x")


def test_nobody_is_a_version() -> None:
    """A table whose key numbers versions is not meant by what people do, nor by its name."""
    users, history = "employee: emp_id*, name", "employee_hist: hist_id*, emp_id, city"
    tickets = "tickets: ticket_id*, assigned_to, employee_id"
    parents = {parent for child, parent, _ in found(users, history, tickets) if child.startswith("tickets.")}
    assert parents == {"employee.emp_id"}
    assert ("employee_hist.emp_id", "employee.emp_id", "same") in found(users, history, tickets)


PEOPLE = ("employee: emp_id, name", "person: pers_id, name", "users: id, login", "party: party_id, name")


@pytest.mark.parametrize(
    ("column", "parents"),
    [
        ("inspctr_id", {"employee"}),
        ("ofcr_no", {"employee"}),
        ("owner_id", {"person"}),
        ("spouse_id", {"person", "users"}),
        ("consignee_id", {"party"}),
        ("created_by", {"users"}),
        ("approved_by", {"employee"}),
        ("supplier_id", {"party"}),
        ("operated_by", set()),
        ("consignee", set()),
        ("sort_by", set()),
        ("prtnr_id", set()),
    ],
)
def test_who_is_meant(column: str, parents: set[str]) -> None:
    """Where tables hold several sorts of people, what somebody does says which."""
    told = found(f"record: record_no, {column}", *PEOPLE)
    assert {parent.partition(".")[0] for child, parent, _ in told if child == f"record.{column}"} == parents


@pytest.mark.parametrize("firms", ["company", "crm_organizations", "legal_entity"])
def test_firms_trade(firms: str) -> None:
    """They ship and supply where no table holds parties, but may be our own; who is insured may be anybody."""
    others = ("crm_visit: visit_id", "crm_x: x_id")
    told = found("crm_record: n, shipper_id, insured_id", f"{firms}: firm_no, name", *others)
    assert {(child, kind) for child, parent, kind in told if parent == f"{firms}.firm_no"} == {
        ("crm_record.shipper_id", "bare person")
    }


@pytest.mark.parametrize(("column", "table"), [("supplier_id", "vendor"), ("vendor_id", "supplier")])
def test_who_sells_has_two_names(column: str, table: str) -> None:
    """And goes before firms."""
    told = found(f"machine: n, {column}", f"{table}: no, name", "company: company_no, name")
    assert told == {(f"machine.{column}", f"{table}.no", "person")}


def test_who_buys_has_two_names() -> None:
    """Where both have a table, each is meant by its own name."""
    customer, client = "customer: no, name", "client: no, name"
    assert found("project: n, client_id", customer) == {("project.client_id", "customer.no", "person")}
    assert {parent for _, parent, _ in found("project: n, client_id", customer, client)} == {"client.no"}


@pytest.mark.parametrize("column", ["head_id", "team_leader_id", "signer_id", "approvedby"])
def test_more_of_those_who_work_here(column: str) -> None:
    """Also where "by" is run together with what was done."""
    assert {parent for _, parent, _ in found(f"record: n, {column}", "emp: emp_id, name")} == {"emp.emp_id"}


@pytest.mark.parametrize("parties", ["counterparty", "business_partner", "trade_party"])
def test_parties_have_other_names(parties: str) -> None:
    """All of them deal, and go before firms."""
    told = found("record: n, insured_id", f"{parties}: no, name", "company: company_id, name")
    assert told == {("record.insured_id", f"{parties}.no", "person")}


def test_a_table_named_after_a_role_goes_before_those_of_people() -> None:
    """Whether it is called so, or with a word in front."""
    told = found("visit: visit_id, provider_id", "training_provider: id, name", "staff: staff_id, name")
    assert {parent for child, parent, _ in told if child == "visit.provider_id"} == {"training_provider.id"}


def test_a_word_that_is_often_a_thing_is_less_sure() -> None:
    """`controller_id` may be a device."""
    told = found("room: room_id, controller_id", "staff: staff_id, name")
    assert told == {("room.controller_id", "staff.staff_id", "bare person")}


def test_what_another_column_describes_is_a_key() -> None:
    """The column that leads a table of codes, whatever it is called; a description of something else tells nothing."""
    types = "contract_types: ctype, ctype_desc, calls"
    assert ("contracts.ctype", "contract_types.ctype", "lead") in found("contracts: contract_id, ctype", types)
    groups = "CU09: CUSTOMER_GROUP, GROUP_NAME"
    orders = "orders: order_id, CUSTOMER_GROUP"
    assert ("orders.CUSTOMER_GROUP", "CU09.CUSTOMER_GROUP", "lead") in found(orders, groups)
    assert not found("shops: shop_id, city", "offices: city, description")


@pytest.mark.parametrize("copy", ["stg_orders", "orders_bak", "tmp_orders", "orders_backup_2023"])
def test_nothing_refers_to_a_copy(copy: str) -> None:
    """Though its key is called as the column that refers to the original; a copy refers to copies."""
    items = "order_items: id, order_id, amount"
    told = found(items, "orders: id, day", f"{copy}: order_id, placed, state")
    assert {parent for child, parent, _ in told if child == "order_items.order_id"} == {"orders.id"}
    kept = found("orders: id, day", "stg_orders: order_id, placed", "stg_lines: id, order_id", "lines: id, order_id")
    assert ("stg_lines.order_id", "stg_orders.order_id", "same") in kept


def test_what_names_the_mark_of_a_copy_means_it() -> None:
    """Raw materials are no copy of materials where a column asks for them."""
    lists = "recipes: id, raw_material_id"
    both = ["materials: id, name, unit", "raw_materials: id, name, unit"]
    assert ("recipes.raw_material_id", "raw_materials.id", "named") in found(lists, *both)


def test_the_line_of_an_order_is_no_line_of_something_else() -> None:
    """A table of that very name is meant."""
    sheets = "time_sheet_lines: line_id, hours"
    assert not found("quotes: quote_id, line_no", sheets)
    assert ("quotes.line_no", "lines.id", "named") in found("quotes: quote_id, line_no", "lines: id, colour")


@pytest.mark.parametrize("title", ["ref_country", "reference_country", "lookup_country", "dimension_country"])
def test_words_for_layers_are_no_part_of_what_a_table_holds(title: str) -> None:
    """In short or in full."""
    assert ("sites.country_code", f"{title}.iso2", "named") in found("sites: id, country_code", f"{title}: iso2*, name")


def test_who_acts_in_a_log_is_a_user() -> None:
    """Not an employee, where both are there; an actor where a table holds these."""
    log, people = "logs: id, actor_id", ["users: id, login", "employees: id, name"]
    assert {parent for child, parent, _ in found(log, *people) if child == "logs.actor_id"} == {"users.id"}
    assert {parent for child, parent, _ in found(log, *people, "actors: id, name") if child == "logs.actor_id"} == {
        "actors.id"
    }


@pytest.mark.parametrize(
    ("holds", "kind"), [((0, 0), "numbered person"), ((1, 1), "bare person"), ((-1, 0), "bare person")]
)
def test_who_is_a_number_is_surely_one_of_those_who_are_numbered(holds: tuple[int, int], kind: str) -> None:
    """A text may be a name, and of other columns it is not known what they hold."""
    audits = TableNames("audits", ["audit_id", "inspector"], [0, holds[0]])
    staff = TableNames("staff", ["staff_no", "name"], [holds[1], 1])
    assert {reference.kind for reference in named_references([audits, staff])} == {kind}


def test_who_is_a_text_is_none_of_those_who_are_numbered() -> None:
    """It is a name."""
    audits, staff = TableNames("audits", ["audit_id", "inspector"], [0, 1]), TableNames("staff", ["staff_no"], [0])
    assert not named_references([audits, staff])


def numbered(column: str, key: str, title: str, kinds: tuple[int, int] = (0, 0)) -> set[str]:
    """The kinds of reference of a column to the key of a table, by what both hold."""
    trips = TableNames("trips", ["trip_no", column], [0, kinds[0]])
    return {told.kind for told in named_references([trips, TableNames(title, [key, "name"], [kinds[1], 1])])}


@pytest.mark.parametrize(
    ("column", "title"), [("from_branch", "branch"), ("lead_office", "field_offices"), ("bay", "x_bay")]
)
def test_a_number_behind_other_words_tells_a_thing(column: str, title: str) -> None:
    """That a table is named after, or what its name ends in; a text may be its name, and of others it is not known."""
    assert numbered(column, "no", title) == {"role bare"}
    assert not numbered(column, "no", title, (1, 1))
    assert not numbered(column, "no", title, (-1, -1))


@pytest.mark.parametrize("column", ["player_level", "open_branches", "needs_branch", "qty_branch", "sort_order"])
def test_what_counts_grades_and_orders_tells_no_thing(column: str) -> None:
    """Nor do answers of yes and no."""
    assert not any(numbered(column, "no", title) for title in ("branch", "level", "order"))


@pytest.mark.parametrize("column", ["is_lead", "bln_inspector", "has_guide", "reviewer_flag"])
def test_yes_and_no_are_nobody(column: str) -> None:
    """Nor are they who does what the column asks for."""
    assert not found(f"record: n, {column}", "staff: staff_id, name")


@pytest.mark.parametrize(("column", "kind"), [("country_of_birth", "bare"), ("country_of_birth_code", "role")])
def test_what_is_told_stands_before_of(column: str, kind: str) -> None:
    """Where no table has the whole name."""
    whole, part = "country_of_birth: code, name", "country: code, name"
    assert found(f"visitor: n, {column}", part) == {(f"visitor.{column}", "country.code", kind)}
    assert {parent for _, parent, _ in found(f"visitor: n, {column}", part, whole)} == {"country_of_birth.code"}


@pytest.mark.parametrize("column", ["country_iso", "countryiso"])
def test_a_code_of_a_standard_is_a_word_for_a_key(column: str) -> None:
    """As any code is."""
    assert found(f"visitor: n, {column}", "countries: iso2, name") == {(f"visitor.{column}", "countries.iso2", "named")}


@pytest.mark.parametrize(("column", "key"), [("natlty_cd", "ctry_cd"), ("second_nationality_id", "id")])
def test_a_nationality_is_that_of_a_country(column: str, key: str) -> None:
    """Whatever the table of these is called in short."""
    for table in ("ctry", "ref_countries"):
        told = found(f"staff: no, {column}", f"{table}: {key}, name")
        assert told == {(f"staff.{column}", f"{table}.{key}", "role")}
    assert not found("staff: no, nationality", "ctry: ctry_cd, name")


def test_who_is_head_of_something_works_here() -> None:
    """Whatever it is."""
    told = found("office: no, head_of_office", "staff: staff_id, name")
    assert {parent for _, parent, _ in told} == {"staff.staff_id"}


@pytest.mark.parametrize("table", ["supp", "VNDR"])
def test_those_who_sell_may_be_called_so_in_short(table: str) -> None:
    """As may the column."""
    assert {parent for _, parent, _ in found("device: n, vndr_id", f"{table}: no, name")} == {f"{table}.no"}


def test_a_plural_counts() -> None:
    """It is no reference to the table of what it counts."""
    told = found("bus: bus_id, seats, seat", "seat: seat_id, row")
    assert {child for child, _, _ in told} == {"bus.seat"}


def test_a_number_in_short_is_that_of_its_own_table() -> None:
    """`inv_no` numbers invoices, and refers to no inventory; elsewhere it may be either."""
    tables = ("invoice: invoice_id, inv_no, total", "inventory: inventory_id, item")
    assert found(*tables) == set()
    assert len(found("shelf: shelf_id, inv_no", *tables)) > 0


def test_nobody_is_a_party_but_by_a_contract() -> None:
    """Employees are not parties, applicants no employees, and a number of vendors that of their own."""
    assert found("record: n, inspector_id", "party: party_id, name") == set()
    assert found("record: n, applicant_id", "employee: emp_id, name") == set()
    assert found("vendor: name, vendor_no", "party: party_id, name") == set()


@pytest.mark.parametrize(
    ("parent", "child", "kind"),
    [
        ("order_header: header_id*, placed", "order_line: line_id*, order_id", "named"),
        ("customer_master: master_id*, name", "orders: order_id*, customer_id", "named"),
        ("dataset: dataset_id*, name", "run: run_id*, dataset", "bare"),
        ("history: history_id*, title", "exam: exam_id*, history", "bare"),
        ("order_header: header_id*, placed", "order_header_ext: header_id*, note", "same"),
    ],
)
def test_other_words_for_what_a_table_is_number_its_rows(parent: str, child: str, kind: str) -> None:
    """A header, a master record and a data set are no versions, nor is what is called a history alone."""
    assert kind in {one for _, _, one in found(parent, child)}


def test_part_of_a_declared_key_is_no_key() -> None:
    """Stock has many rows of a warehouse; a client that all tables have is no part of a key."""
    warehouse, movement = "warehouse: whse_id, name", "stock_movement: mvmt_id, from_whse_id"
    stock = "stock: whse_id*, prod_id*, qty"
    assert {one[:2] for one in found(warehouse, stock, movement)} == {
        ("stock.whse_id", "warehouse.whse_id"),
        ("stock_movement.from_whse_id", "warehouse.whse_id"),
    }
    tables = ["a: client*, matnr*, x", "b: client, y, matnr", "c: client, y", "d: client, z"]
    assert found(*tables) == {("b.matnr", "a.matnr", "same")}


def test_a_column_of_the_same_name_goes_before_the_key() -> None:
    """A natural key beside a surrogate one."""
    told = found("customers: id*, customer_no, name", "orders: id, customer_no")
    assert told == {("orders.customer_no", "customers.customer_no", "named")}


def test_a_prefix_may_be_the_table_that_is_meant() -> None:
    """Where the prefix of all columns is the name of another table."""
    assert ("user_profiles.user_id", "users.id", "named") in found(
        "users: id, name", "user_profiles: user_id, user_bio, user_avatar"
    )


def test_what_most_tables_have_is_the_key_of_none() -> None:
    """The client that leads all tables of one system: the next column leads instead."""
    told = found("a: client, matnr", "b: client, kunnr, matnr", "c: client, x", "d: client, y")
    assert told == {("b.matnr", "a.matnr", "lead")}


def test_of_several_tables_those_of_the_own_kind_are_meant() -> None:
    """Those whose names begin like that of the child; else each has less of a chance."""
    sale, purchase = "sale_order: id, total", "purchase_order: id, total"
    assert found(sale, purchase, "sale_order_line: id, order_id") == {
        ("sale_order_line.order_id", "sale_order.id", "last")
    }
    chances = [one.chance for one in named_references(read(sale, purchase, "shipments: id, order_id"))]
    assert chances == pytest.approx([NAME_KINDS["last"].chance * 3 / 4] * 2)


SHOPIFY = ("shopify_order: id, customer_id, total", "shopify_customer: id, email", "shopify_order_line: id, order_id")


def test_tables_beside_each_other_name_each_other_in_short() -> None:
    """In short, as tables of one source do: its name is left out, and those of another source are not meant."""
    others = ("fb_order: id, x", "fb_customer: customer_id, x", "fb_post: id, x", "order_archive: order_id, x")
    told = found(*SHOPIFY, *others)
    assert {one for one in told if one[0].startswith("shopify")} == {
        ("shopify_order.customer_id", "shopify_customer.id", "kin"),
        ("shopify_order_line.order_id", "shopify_order.id", "kin"),
    }
    billed = found(*SHOPIFY, *others, "shopify_invoice: id, billing_customer_id")
    assert ("shopify_invoice.billing_customer_id", "shopify_customer.id", "role kin") in billed


def test_tables_of_one_schema_are_beside_each_other() -> None:
    """Where there are several schemas; a key of the name in another schema is not meant."""
    told = found("a.order: id, x", "a.line: id, order_id", "b.shipment: id, x", "b.order: order_id, y")
    assert told == {("a.line.order_id", "a.order.id", "kin")}


def test_what_begins_the_names_of_tables() -> None:
    """A word or two that three tables have; not the name of a table, nor one that two have."""
    assert [(one.beginning, one.words) for one in subjects(["gads_ad_group", "gads_ad_click", "gads_ad_keyword"])] == [
        ((), ("group",)),
        ((), ("click",)),
        ((), ("keyword",)),
    ]
    names = ["google_ad_group", "google_ad_click", "google_ad_keyword", "google_user", "visit", "customer"]
    assert [one.beginning for one in subjects(names)] == [("google", "ad")] * 3 + [("google",), (), ()]
    assert not any(one.beginning for one in subjects(["order", "order_line", "order_payment", "order_status"]))
    assert not any(one.beginning for one in subjects(["sale_order", "sale_line", "visit", "customer"]))
    assert [one.words for one in subjects(["dim_customer", "orders_history"])] == [("customer",), ("order",)]


def test_a_name_of_too_many_tables_says_nothing() -> None:
    """Beyond MOST_WAYS tables with such a key."""
    shards = [f"t{number}x: user_id*, v" for number in range(MOST_WAYS + 1)]
    assert not any(one[0] == "logs.user_id" for one in found(*shards, "logs: id, user_id"))
    assert any(one[0] == "logs.user_id" for one in found(*shards[:-1], "logs: id, user_id"))


def test_columns_of_different_kinds_do_not_refer() -> None:
    """A text to a number; what is not known fits both."""
    one, other = read("orders: id, customer_id", CUSTOMERS)
    for kind, count in ((0, 1), (1, 0), (-1, 1)):
        tables = [one._replace(kinds=[0, kind]), other._replace(kinds=[0, 1, 1])]
        assert len(named_references(tables)) == count


def test_a_weak_reading_leaves_siblings() -> None:
    """Tables whose names begin like a key are hardly its tables."""
    told = found("movie_info: id, movie_id", "movie_keyword: id, movie_id")
    assert ("movie_info.movie_id", "movie_keyword.movie_id", "siblings") in told


def test_titles_and_endings() -> None:
    """Layers, forms and shared prefixes are no part of what a table holds."""
    assert titles(["dim_date", "fact_sales", "stg_x_y", "dim"]) == [("date",), ("sale",), ("x", "y"), ("dim",)]
    assert titles(["POL_HDR", "CLM_MST"]) == [("pol",), ("clm",)]
    names = ["a_b_key", "custid", "orderuuid", "id_cliente", "fk_customer_id", "paid", "desk", "no"]
    told = [about(tuple(name.split("_"))) for name in names]
    assert told == [("a", "b"), ("cust",), ("order",), ("cliente",), ("customer",), (), (), ()]


def test_who_was_where_is_no_table_of_people() -> None:
    """It is led by what leads another table; a table of people may be, too, by what means it."""
    told = found(
        "clin.enc_staff: enc_id, emp_no", "clin.encounter: enc_id, pat_id", "hr.employee: emp_no, name",
        "hr.pay: emp_no, amount", "clin.enc_proc: proc_id, enc_id, performed_by",
    )  # fmt: skip
    people = {(child, parent) for child, parent, kind in told if kind == "person"}
    assert people == {("clin.enc_proc.performed_by", "hr.employee.emp_no")}


@pytest.mark.parametrize("role", ["surgeon_no", "provider_no", "driver_id", "teacher_id"])
def test_professions_are_people(role: str) -> None:
    """But where a table is called so."""
    others = "visits: visit_id, " + role, "hr.employee: emp_no, name"
    assert (f"visits.{role}", "hr.employee.emp_no", "person") in found(*others)
    table = role.rpartition("_")[0]
    told = found(*others, f"{table}s: id, name")
    assert {(parent, kind) for child, parent, kind in told if child == f"visits.{role}"} == {(f"{table}s.id", "kin")}


def test_a_table_is_meant_in_short_across_schemas() -> None:
    """By its name without that of its schema."""
    assert ("sales.orders.dept_id", "hr.departments.id", "short") in found(
        "sales.orders: id, dept_id", "hr.departments: id, name", "crm.clients: id, name"
    )
