"""Tables and keys from the trees that sqlglot makes of statements."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from joinability.ddl.drafts import Draft, Name
from joinability.ddl.remarks import comment_text
from joinability.errors import CatalogError
from joinability.schema import Column

if TYPE_CHECKING:
    from sqlglot import exp


def parsed(text: str, dialect: str) -> exp.Expr:
    """The tree of a statement.

    Raises
    ------
    CatalogError
        When the dialect has no such statement, as far as sqlglot knows.
    """
    from sqlglot import exp, parse_one

    tree = parse_one(text, read=dialect)
    if isinstance(tree, exp.Command):
        raise CatalogError(f"not understood as {dialect!r}")
    return tree


def tree_table(create: exp.Create, dialect: str) -> Draft:
    """The table that a statement creates.

    Raises
    ------
    CatalogError
        When it has no columns of its own.
    """
    from sqlglot import exp

    if not isinstance(create.this, exp.Schema):
        raise CatalogError("a table without a list of columns")
    bare = (exp.Identifier, exp.Column, exp.Literal)  # SQLite takes names in quotes of any kind
    columns = [
        _column(definition, dialect)
        for definition in create.this.expressions
        if isinstance(definition, (exp.ColumnDef, *bare))
    ]
    if create.find(exp.LikeProperty):
        raise CatalogError("columns of another table, by LIKE, are not known; write them out")
    if not columns:
        raise CatalogError("a table without columns")
    draft = Draft(*table_name(create.this.this), columns)
    comment = create.find(exp.SchemaCommentProperty)
    draft.description = comment.this.name if comment else None
    add_keys(create, draft)
    return draft


def typed(draft: Draft, dialect: str) -> Draft:
    """A table whose types were read as text, with the types as the dialect writes them, where it knows them."""
    return replace(draft, columns=[replace(column, type=_type(column.type, dialect)) for column in draft.columns])


def _type(text: str, dialect: str) -> str:
    from sqlglot import exp

    try:
        return exp.DataType.build(text, dialect=dialect).sql(dialect) if text else ""
    except Exception:  # a type that the dialect does not know may be anything
        return text


def partitioned(create: exp.Expr) -> str | None:
    """The table that a created one is a partition of, with its columns."""
    from sqlglot import exp

    part = create.find(exp.PartitionedOfProperty)
    return None if part is None else ".".join(filter(None, table_name(part.this)))


def tree_keys(alter: exp.Expr) -> Draft:
    """The keys that a statement adds to a table."""
    draft = Draft(*table_name(alter.this), [])
    add_keys(alter, draft)
    return draft


def add_keys(statement: exp.Expr, draft: Draft) -> None:
    """Add primary and foreign keys of a statement: of a column, of the table, or added to it."""
    from sqlglot import exp

    for key in statement.find_all(exp.PrimaryKey):
        draft.primary_key = [_key_name(part) for part in key.expressions]
    for constraint in statement.find_all(exp.PrimaryKeyColumnConstraint):
        definition = constraint.find_ancestor(exp.ColumnDef)
        if definition is not None:
            draft.primary_key.append(definition.name)
    for reference in statement.find_all(exp.Reference):
        target, columns = _target(reference)
        owner = reference.find_ancestor(exp.ForeignKey, exp.ColumnDef)
        if isinstance(owner, exp.ForeignKey):
            draft.references.append(([part.name for part in owner.expressions], target, columns))
        elif owner is not None:
            draft.references.append(([owner.name], target, columns))


def table_name(table: exp.Expr) -> Name:
    """Database and name of a table; the schema that qualifies a name is its database."""
    return ".".join(part for part in (table.text("catalog"), table.text("db")) if part), table.name


def _key_name(part: exp.Expr) -> str:
    """The column of a part of a key, which may have an order or a length."""
    from sqlglot import exp

    name = part.find(exp.Identifier)
    return part.name if name is None else name.name


def _column(definition: exp.Expr, dialect: str) -> Column:
    type_ = definition.args.get("kind")
    return Column(definition.name, type_.sql(dialect) if type_ else "", description=_column_comment(definition))


def _column_comment(definition: exp.Expr) -> str | None:
    from sqlglot import exp

    comment = definition.find(exp.CommentColumnConstraint)
    comments = [f"--{text}" for node in definition.walk() for text in node.comments or ()]
    return comment.this.name if comment else comment_text(comments)


def _target(reference: exp.Reference) -> tuple[Name, list[str]]:
    from sqlglot import exp

    if isinstance(reference.this, exp.Schema):
        return table_name(reference.this.this), [part.name for part in reference.this.expressions]
    return table_name(reference.this), []
