"""Tables and keys from the trees that sqlglot makes of statements."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from joinability.ddl.drafts import Draft, Name
from joinability.ddl.remarks import column_remark
from joinability.errors import CatalogError
from joinability.schema import Column

if TYPE_CHECKING:
    from sqlglot import exp

_LOST_IN_SQLITE = frozenset(
    "BOOLEAN TINYINT SMALLINT BIGINT DECIMAL CHAR NCHAR VARCHAR NVARCHAR BINARY VARBINARY".split()
)


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


def tree_table(create: exp.Expr, dialect: str, outline: Draft | None = None) -> Draft:
    """The table that a statement creates.

    Parameters
    ----------
    create : Expr
    dialect : str
    outline : Draft, optional
        The same table by its outline, which knows better which column a comment stands at, and what is a key.

    Raises
    ------
    CatalogError
        When it has no columns, of its own or of other tables (`copied_tables`).
    """
    from sqlglot import exp

    is_copy = bool(copied_tables(create))
    if not isinstance(create.this, exp.Schema):
        if is_copy:
            return Draft(*table_name(create.this), [])
        raise CatalogError("a table without a list of columns")
    bare = (exp.Identifier, exp.Column, exp.Literal)  # SQLite takes names in quotes of any kind
    definitions = [part for part in create.this.expressions if isinstance(part, (exp.ColumnDef, *bare))]
    columns = [column_of(definition, dialect) for definition in definitions]
    if not columns and not is_copy:
        raise CatalogError("a table without columns")
    if outline is not None and [column.name for column in outline.columns] == [column.name for column in columns]:
        columns = [
            replace(column, description=_said(definition) or listed.description)
            for column, definition, listed in zip(columns, definitions, outline.columns, strict=True)
        ]
    draft = Draft(*table_name(create.this.this), columns)
    comment = create.find(exp.SchemaCommentProperty)
    draft.description = comment.this.name if comment else _option(create.args.get("properties"))
    add_keys(create, draft)
    if outline is not None:  # which also finds keys that the tree has lost, such as PRIMARY KEY CLUSTERED with a name
        draft.primary_key = draft.primary_key or outline.primary_key
        draft.references = draft.references or outline.references
    return draft


def copied_tables(create: exp.Expr) -> list[tuple[Name, bool]]:
    """The tables whose columns a created one has by LIKE, CLONE or INHERITS, and whether also their primary key."""
    from sqlglot import exp

    copied = []
    for like in create.find_all(exp.LikeProperty):
        with_keys = {option.text("value").upper() for option in like.expressions if option.name == "INCLUDING"}
        is_whole = not isinstance(create.this, exp.Schema)  # as MySQL writes it
        copied.append((table_name(like.this), is_whole or not with_keys.isdisjoint(["ALL", "INDEXES"])))
    if (clone := create.args.get("clone")) is not None:
        copied.append((table_name(clone.this), True))
    for parents in create.find_all(exp.InheritsProperty):
        copied += [(table_name(parent), False) for parent in parents.expressions]
    return copied


def typed(draft: Draft, dialect: str) -> Draft:
    """A table whose types were read as text, with the types as the dialect writes them, where it knows them."""
    columns = [replace(column, type=spelled_type(column.type, dialect)) for column in draft.columns]
    return replace(draft, columns=columns)


def spelled_type(text: str, dialect: str) -> str:
    """A type as the dialect writes it; the text itself where the dialect does not know it."""
    from sqlglot import exp

    try:
        return written_type(exp.DataType.build(text, dialect=dialect), dialect) if text else ""
    except Exception:  # a type that the dialect does not know may be anything
        return text


def partitioned(create: exp.Expr) -> tuple[Name, Name] | None:
    """The table that a created one is a partition of, with its columns, and the created one; None for others."""
    from sqlglot import exp

    part = create.find(exp.PartitionedOfProperty)
    created = create.this.this if isinstance(create.this, exp.Schema) else create.this
    return None if part is None else (table_name(part.this), table_name(created))


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
        if isinstance(owner, exp.ForeignKey) and not owner.expressions:  # behind a column, as SQL Server may have it
            owner = owner.find_ancestor(exp.ColumnDef)
        if isinstance(owner, exp.ForeignKey):
            draft.references.append(([part.name for part in owner.expressions], target, columns))
        elif owner is not None:
            draft.references.append(([owner.name], target, columns))


def table_name(table: exp.Expr) -> Name:
    """Database and name of a table; the schema that qualifies a name is its database."""
    from sqlglot import exp

    name = table.this
    if isinstance(name, exp.Dot):  # sqlglot has what stands behind a third dot in the place of the name
        *inner, last = (part.name for part in name.flatten())
        return ".".join(filter(None, (table.text("catalog"), table.text("db"), *inner))), last
    return ".".join(part for part in (table.text("catalog"), table.text("db")) if part), table.name


def _key_name(part: exp.Expr) -> str:
    """The column of a part of a key, which may have an order or a length."""
    from sqlglot import exp

    name = part.find(exp.Identifier)
    return part.name if name is None else name.name


def column_of(definition: exp.Expr, dialect: str) -> Column:
    """The column that a definition makes."""
    type_ = definition.args.get("kind")
    comments = [f"--{text}" for node in definition.walk() for text in node.comments or ()]
    said = _said(definition) or column_remark(comments)
    return Column(definition.name, written_type(type_, dialect) if type_ else "", description=said)


def written_type(type_: exp.Expr, dialect: str) -> str:
    """A type as the dialect writes it; but for SQLite, as which scripts are read that look like no dialect: it would
    write one for all whole numbers, for all numbers, and for all texts."""
    from sqlglot import exp

    lost = isinstance(type_, exp.DataType) and getattr(type_.this, "name", "") in _LOST_IN_SQLITE
    return type_.sql() if dialect == "sqlite" and lost else type_.sql(dialect)


def _said(definition: exp.Expr) -> str | None:
    """The description in the definition of a column, apart from comments."""
    from sqlglot import exp

    if comment := definition.find(exp.CommentColumnConstraint):
        return str(comment.this.name)
    options = (_option(constraint) for constraint in definition.args.get("constraints") or ())
    return next(filter(None, options), None)


def _option(node: exp.Expr | None) -> str | None:
    """The description among the options of BigQuery."""
    from sqlglot import exp

    named = node.find_all(exp.Property) if node is not None else ()
    return next((option.text("value") for option in named if option.name.casefold() == "description"), None)


def _target(reference: exp.Reference) -> tuple[Name, list[str]]:
    from sqlglot import exp

    if isinstance(reference.this, exp.Schema):
        return table_name(reference.this.this), [part.name for part in reference.this.expressions]
    return table_name(reference.this), []
