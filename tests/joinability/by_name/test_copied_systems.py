"""References by names alone in copies of well-known systems, which refer to their own tables."""

from __future__ import annotations

from joinability.by_name.key_names import NamedKeys
from joinability.by_name.table_names import NUMBER_KIND, TableNames


def named(tables: dict[str, list[str]]) -> dict[str, list[str]]:
    """To which tables columns refer by their names."""
    names = list(tables)
    keys = NamedKeys([TableNames(name, columns, [NUMBER_KIND] * len(columns)) for name, columns in tables.items()])
    found: dict[str, list[str]] = {}
    for reference in keys.references():
        (child, column), (parent, _) = reference.child, reference.parent
        found.setdefault(f"{names[child]}.{tables[names[child]][column]}", []).append(names[parent])
    return found


JIRA = {
    "jira_user": ["id", "email"],
    "jira_issue": ["id", "assignee_id", "project"],
    "jira_project": ["id", "name"],
}
EMPLOYEES = {"employees": ["employee_id", "name"], "departments": ["department_id", "name"]}
ZENDESK = {
    "zendesk_ticket": ["id", "assignee_id", "department", "customer_id"],
    "zendesk_comment": ["id", "ticket_id"],
    "zendesk_tag": ["id", "ticket_id"],
}


def test_who_acts_in_a_system_is_one_of_its_users() -> None:
    """And none of the employees, who are in another system; its projects are its own."""
    found = named({**JIRA, **EMPLOYEES})
    assert found["jira_issue.assignee_id"] == ["jira_user"]
    assert found["jira_issue.project"] == ["jira_project"]


def test_what_a_system_does_not_hold_is_not_looked_for_elsewhere() -> None:
    """Neither its people nor what has no word for a key; what has one may be of another system."""
    found = named({**ZENDESK, **EMPLOYEES, "customers": ["customer_id", "name"]})
    assert "zendesk_ticket.assignee_id" not in found
    assert "zendesk_ticket.department" not in found
    assert found["zendesk_ticket.customer_id"] == ["customers"]
    assert found["zendesk_comment.ticket_id"] == ["zendesk_ticket"]


def test_other_modules_refer_to_people_wherever_they_are() -> None:
    """An area of the same shape that is no system."""
    found = named({**{name.replace("zendesk", "sales"): own for name, own in ZENDESK.items()}, **EMPLOYEES})
    assert found["sales_ticket.assignee_id"] == ["employees"]
