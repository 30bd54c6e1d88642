"""Descriptions that SQL Server keeps as extended properties."""

from __future__ import annotations

from joinability.ddl.drafts import Name
from joinability.ddl.procedure_calls import called
from joinability.ddl.scripts import Statement

PARAMETERS = "name value level0type level0name level1type level1name level2type level2name".split()
"""Of the procedure that adds a property, in order; a call may name them."""
KINDS = (("level1type", ""), ("level2type", "COLUMN"))
"""Parameters that say what a property is of, and what a call without them means."""
PROCEDURES = frozenset(("SP_ADDEXTENDEDPROPERTY", "SP_UPDATEEXTENDEDPROPERTY"))


def extended_property(statement: Statement) -> tuple[Name, str, str | None] | None:
    """The table, the text and the column of a call that adds a description of a table or a column.

    None for any other statement.
    """
    given = called(statement, PROCEDURES, PARAMETERS) or {}
    kinds = [given.get(parameter, default).upper() for parameter, default in KINDS]
    if given.get("name", "").upper() != "MS_DESCRIPTION" or kinds != ["TABLE", "COLUMN"] or not given.get("value"):
        return None
    return (given.get("level0name", ""), given.get("level1name", "")), given["value"], given.get("level2name")
