"""The databases of the sample lake: each function draws one database, column by column."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jar.sample.dice import Dice

Table = dict[str, list[Any]]

REGIONS = {
    "Ambervale": ("Amber Cross", "Otterby", "Quillham", "Saltmere"),
    "Brackenland": ("Bracken Hill", "Fernow", "Mossley Gate", "Thornwick"),
    "Copperreach": ("Copper Quay", "Forgeham", "Tinners Row", "Slagby"),
    "Dunmarch": ("Dunford", "Marramness", "Sandholt", "Tidewell"),
    "Elderwood": ("Birchover", "Elder Green", "Oakhanger", "Rowanby"),
    "Fairwater": ("Fairwater Spa", "Lockhampton", "Millbeck", "Weirside"),
}
TOWNS = ("Aldmoor", "Blythe End", "Cressing", "Dovecote", "Eastlea", "Furzehill", "Gorsedon", "Hazelbourne", "Inchford")
AUTHORS = ("Ottoline Marsh", "P. K. Vanterpool", "Tobias Quill", "Una Wexley", "Viggo Zimber", "Wilma Yarrow")
TITLE_ADJECTIVES = ("Borrowed", "Distant", "Forgotten", "Paper", "Quiet", "Salt", "Seventh", "Winter")
TITLE_NOUNS = ("Cartographer", "Clockmaker", "Garden", "Harbour", "Lantern", "Letters", "Orchard", "Tide")


def _bank(dice: Dice, rows: int) -> dict[str, Table]:
    places = [(name, region) for region, names in REGIONS.items() for name in names]
    district: Table = {
        "district_id": list(range(1, len(places) + 1)),
        "district_name": [name for name, _ in places],
        "region": [region for _, region in places],
        "population": [1000 * thousands for thousands in dice.numbers(len(places), 9, 240)],
    }
    client: Table = {
        "client_id": dice.ids(rows, million=1),
        "gender": dice.picks(rows, "FM"),
        "birth_date": dice.days(rows, 1940, 1992),
        "district_id": dice.picks(rows, district["district_id"]),
    }
    accounts = rows * 4 // 5
    account: Table = {
        "account_id": dice.ids(accounts, million=2),
        "district_id": dice.picks(accounts, district["district_id"]),
        "opened_on": dice.days(accounts, 2010, 2016),
        "statements": dice.picks(accounts, ("monthly", "quarterly", "on request")),
    }
    # Every account has one owner; the clients left over may use the account of somebody else.
    roles = dice.shuffled(["OWNER"] * accounts + ["DISPONENT"] * (rows - accounts))
    unowned = iter(dice.shuffled(account["account_id"]))
    disposition: Table = {
        "disposition_id": dice.ids(rows, million=3),
        "client_id": dice.shuffled(client["client_id"]),
        "account_id": [next(unowned) if role == "OWNER" else dice.pick(account["account_id"]) for role in roles],
        "type": roles,
    }
    return {
        "client": client,
        "disposition": disposition,
        "account": account,
        **_products(dice, rows, account, disposition),
        "district": district,
    }


def _products(dice: Dice, rows: int, account: Table, disposition: Table) -> dict[str, Table]:
    """Cards of owners, loans and transactions of accounts."""
    owners = [
        number
        for number, role in zip(disposition["disposition_id"], disposition["type"], strict=True)
        if role == "OWNER"
    ]
    card_holders = dice.some(owners, percent=65)
    card: Table = {
        "card_id": dice.ids(len(card_holders), million=4),
        "disposition_id": card_holders,
        "type": dice.picks(len(card_holders), ("credit", "credit gold", "debit")),
        "issued_on": dice.days(len(card_holders), 2017, 2022),
    }
    borrowers = dice.some(account["account_id"], percent=65)
    loan: Table = {
        "loan_id": dice.ids(len(borrowers), million=5),
        "account_id": borrowers,
        "granted_on": dice.days(len(borrowers), 2017, 2022),
        "amount": [500 * steps for steps in dice.numbers(len(borrowers), 4, 160)],
        "months": [12 * years for years in dice.numbers(len(borrowers), 1, 6)],
        "status": dice.picks(len(borrowers), ("running", "repaid", "in arrears")),
    }
    transaction: Table = {
        "transaction_id": dice.ids(2 * rows, million=6),
        "account_id": dice.picks(2 * rows, account["account_id"]),
        "booked_on": dice.days(2 * rows, 2017, 2023),
        "direction": dice.picks(2 * rows, ("in", "out")),
        "amount": dice.prices(2 * rows, 5, 2500),
    }
    return {"card": card, "loan": loan, "transaction": transaction}


def _retail(dice: Dice, rows: int) -> dict[str, Table]:
    customers: Table = {
        "customer_id": list(range(1, rows + 1)),
        **dice.people(rows),
        "town": dice.picks(rows, TOWNS),
    }
    regulars = dice.some(customers["customer_id"], percent=70)
    loyalty_cards: Table = {
        "card_number": [f"LC{number}" for number in dice.ids(len(regulars), million=7)],
        "customer_id": regulars,
        "tier": dice.picks(len(regulars), ("bronze", "silver", "gold")),
        "points": dice.numbers(len(regulars), 0, 9000),
    }
    credit_notes: Table = {
        "credit_note": [f"CN-{number:05}" for number in range(1, rows + 1)],
        "customer_id": dice.picks(rows, customers["customer_id"]),
        "amount": dice.prices(rows, 2, 180),
        "reason": dice.picks(rows, ("damaged", "wrong size", "late delivery")),
    }
    return {"customers": customers, "loyalty_cards": loyalty_cards, "credit_notes": credit_notes}


def _library(dice: Dice, rows: int) -> dict[str, Table]:
    members: Table = {
        "member_id": dice.ids(rows, million=8),
        **dice.people(rows),
        "joined_on": dice.days(rows, 2012, 2019),
    }
    books: Table = {
        "shelf_mark": [f"{letter}{number:04}" for number, letter in enumerate(dice.picks(rows, "ABCDEFGH"), start=1)],
        "title": [f"The {dice.pick(TITLE_ADJECTIVES)} {dice.pick(TITLE_NOUNS)}" for _ in range(rows)],
        "author": dice.picks(rows, AUTHORS),
        "genre": dice.picks(rows, ("poetry", "crime", "travel", "history", "cookery")),
    }
    lent = rows * 3 // 2
    loans: Table = {
        "loan_id": dice.ids(lent, million=9),
        "member_id": dice.picks(lent, members["member_id"]),
        "shelf_mark": dice.picks(lent, books["shelf_mark"]),
        "borrowed_on": dice.days(lent, 2020, 2022),
        "returned_on": [day if dice.number(1, 100) <= 85 else None for day in dice.days(lent, 2023, 2023)],
    }
    return {"members": members, "books": books, "loans": loans}


def _clinic(dice: Dice, rows: int) -> dict[str, Table]:
    patients: Table = {
        "patient_code": [f"P{number}" for number in dice.ids(rows, million=10)],
        **dice.people(rows),
    }
    visits = rows * 4 // 3
    appointments: Table = {
        "appointment_id": list(range(1, visits + 1)),
        "patient_code": dice.picks(visits, patients["patient_code"]),
        "department": dice.picks(visits, ("cardiology", "dentistry", "eye care", "physiotherapy")),
        "held_on": dice.days(visits, 2019, 2023),
    }
    return {"patients": patients, "appointments": appointments}


def _telecom(dice: Dice, rows: int) -> dict[str, Table]:
    subscribers: Table = {
        "account_id": dice.ids(rows, million=11),
        **dice.people(rows),
        "tariff": dice.picks(rows, ("basic", "family", "business")),
    }
    sim_cards: Table = {
        "card_id": dice.ids(rows, million=12),
        "account_id": dice.picks(rows, subscribers["account_id"]),
        "network": dice.picks(rows, ("4G", "5G")),
        "activated_on": dice.days(rows, 2018, 2023),
    }
    return {"subscribers": subscribers, "sim_cards": sim_cards}


def _logistics(dice: Dice, rows: int) -> dict[str, Table]:
    depots: Table = {
        "depot_code": [f"DEP-{number}" for number in range(10, 50)],
        "region": dice.picks(40, ("north", "south", "coast")),
        "floor_m2": [50 * steps for steps in dice.numbers(40, 20, 300)],
    }
    shipments: Table = {
        "shipment_id": list(range(1, rows + 1)),
        "depot_code": dice.picks(rows, depots["depot_code"]),
        "weight_kg": dice.prices(rows, 1, 900),
        "sent_on": dice.days(rows, 2021, 2023),
    }
    return {"depots": depots, "shipments": shipments}


def _gym(dice: Dice, rows: int) -> dict[str, Table]:
    members: Table = {
        "member_code": [f"G{number}" for number in dice.ids(rows, million=13)],
        **dice.people(rows),
        "plan": dice.picks(rows, ("off-peak", "full", "family")),
    }
    return {"members": members}


def _print_shop(dice: Dice, rows: int) -> dict[str, Table]:
    card_designs: Table = {
        "design_code": [f"PD-{number:05}" for number in range(1, rows + 1)],
        "occasion": dice.picks(rows, ("birthday", "wedding", "thank you", "get well")),
        "paper": dice.picks(rows, ("matt", "glossy", "recycled")),
        "price": dice.prices(rows, 1, 9),
    }
    return {"card_designs": card_designs}


DATABASES: dict[str, Callable[[Dice, int], dict[str, Table]]] = {
    "bank": _bank,
    "retail": _retail,
    "library": _library,
    "clinic": _clinic,
    "telecom": _telecom,
    "logistics": _logistics,
    "gym": _gym,
    "print_shop": _print_shop,
}
