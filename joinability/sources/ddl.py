"""Schemas without rows, from DDL text of any dialect that sqlglot reads."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from joinability.cells import valid_text
from joinability.errors import CatalogError
from joinability.schema import Column, ForeignKey, Table

if TYPE_CHECKING:
    from sqlglot import Dialect, exp

LONGEST_STATEMENT = 100_000
"""Characters of a statement whose end is searched for where a whole text cannot be split."""


@dataclass
class Draft:
    """A table while its statements are read."""

    database: str
    name: str
    columns: dict[str, Column]
    primary_key: list[str] = field(default_factory=list)
    references: list[tuple[list[str], tuple[str, str], list[str]]] = field(default_factory=list)
    description: str | None = None


def ddl_tables(text: str, dialect: str, database: str) -> tuple[list[Table], list[tuple[str, str]]]:
    """Tables that a text creates, with keys and comments, and the (statement, cause) of what could not be read.

    A name qualified by a schema belongs to the database of that name, any other to `database`. Keys and comments may
    come with the table or in statements of their own.

    Raises
    ------
    CatalogError
        When the dialect is unknown.
    """
    drafts: dict[tuple[str, str], Draft] = {}
    failures: list[tuple[str, str]] = []
    with _silence():
        for statement in _statements(valid_text(text), dialect):
            try:
                _take(drafts, statement, dialect, database)
            except RecursionError:
                failures.append((_beginning(statement), "nested too deeply"))
            except Exception as error:  # a parser may stumble in many ways: each is a failure of this statement alone
                failures.append((_beginning(statement), str(error).partition("\n")[0] or type(error).__name__))
    return [_table(draft, drafts, database) for draft in drafts.values()], failures


@contextmanager
def _silence() -> Iterator[None]:
    """No warnings of sqlglot, of this thread or another, in the meantime: what they say is among the failures."""
    logger = logging.getLogger("sqlglot")
    mute = logging.Filter("no logger has this name")
    logger.addFilter(mute)
    try:
        yield
    finally:
        logger.removeFilter(mute)


def _beginning(statement: str) -> str:
    return " ".join(statement.split())[:60]


def _take(drafts: dict[tuple[str, str], Draft], statement: str, dialect: str, database: str) -> None:
    """Add to the drafts what one statement says."""
    from sqlglot import exp, parse_one

    tree = parse_one(statement, read=dialect)
    if isinstance(tree, exp.Command):
        raise CatalogError(f"not understood as {dialect!r}")
    if isinstance(tree, exp.Create) and tree.kind == "TABLE":
        _add(drafts, _drafted(tree, dialect, database))
    elif isinstance(tree, exp.Comment):
        _describe(drafts, tree, database)
    elif tree.key in ("alter", "altertable"):
        _alter(drafts, tree, database)


def _statements(text: str, dialect: str) -> Iterator[str]:
    """The statements about tables, each with the comments before it; all others are passed over.

    A text with a quote or a comment that is never closed cannot be split. It is read as far as possible; the
    rest is one more statement, which fails.
    """
    from sqlglot import Dialect
    from sqlglot.errors import TokenError

    try:
        reader = Dialect.get_or_raise(dialect)
    except ValueError as error:
        raise CatalogError(f"the DDL can not be read as {dialect!r}: {error}") from error
    try:
        yield from _split(text, reader)
        return
    except TokenError:
        pass
    pending = ""
    for piece in text.splitlines(keepends=True) if text.count("\n") > text.count(";") else re.split("(?<=;)", text):
        pending += piece
        if len(pending) > LONGEST_STATEMENT or not piece.rstrip().endswith(";"):
            continue
        try:
            complete = list(_split(pending, reader))
        except TokenError:
            continue
        yield from complete
        pending = ""
    if pending.strip():
        yield pending


def _split(text: str, reader: Dialect) -> Iterator[str]:
    from sqlglot import TokenType

    tokens = reader.tokenize(text)
    start = 0
    words: list[str] = []
    for token in [*tokens, None]:
        if token is not None and token.token_type != TokenType.SEMICOLON:
            words += token.text.upper().split()  # a token may be two words, such as FOREIGN KEY
            continue
        end = len(text) if token is None else token.start
        if _is_about_a_table(words):
            yield text[start:end]
        start, words = end + 1, []


def _is_about_a_table(words: list[str]) -> bool:
    """Whether the words of a statement create a table, add a key to it, or comment on it."""
    if words[:1] == ["CREATE"]:
        return "TABLE" in words[:6]
    if words[:2] == ["ALTER", "TABLE"]:
        return "KEY" in words
    return words[:2] == ["COMMENT", "ON"] and bool({"TABLE", "COLUMN"} & set(words[2:3]))


def _add(drafts: dict[tuple[str, str], Draft], draft: Draft) -> None:
    if (draft.database, draft.name) in drafts:
        raise CatalogError(f"the table {draft.database}.{draft.name} is created twice; the first statement counts")
    drafts[draft.database, draft.name] = draft


def _drafted(create: exp.Create, dialect: str, database: str) -> Draft:
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
    owner, name = _owner(create.this.this, database)
    Table(owner, name, tuple(columns))  # says of names what is wrong with them
    draft = Draft(owner, name, {column.name: column for column in columns})
    comment = create.find(exp.SchemaCommentProperty)
    draft.description = comment.this.name if comment else _joined(create.comments)
    _read_keys(create, draft)
    return draft


def _column(definition: exp.Expr, dialect: str) -> Column:
    type_ = definition.args.get("kind")
    return Column(definition.name, type_.sql(dialect) if type_ else "", description=_column_comment(definition))


def _column_comment(definition: exp.Expr) -> str | None:
    from sqlglot import exp

    comment = definition.find(exp.CommentColumnConstraint)
    comments = [text for node in definition.walk() for text in node.comments or ()]
    return comment.this.name if comment else _joined(comments)


def _joined(comments: list[str] | None) -> str | None:
    return " ".join(text.strip() for text in comments or ()) or None


def _read_keys(statement: exp.Expr, draft: Draft) -> None:
    """Primary and foreign keys of a statement: of a column, of the table, or added to it."""
    from sqlglot import exp

    for key in statement.find_all(exp.PrimaryKey):
        draft.primary_key = [part.name for part in key.expressions]
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


def _target(reference: exp.Reference) -> tuple[tuple[str, str], list[str]]:
    from sqlglot import exp

    if isinstance(reference.this, exp.Schema):
        return _owner(reference.this.this, ""), [part.name for part in reference.this.expressions]
    return _owner(reference.this, ""), []


def _owner(table: exp.Expr, database: str) -> tuple[str, str]:
    """Database and name of a table; the schema that qualifies a name is its database."""
    qualifier = ".".join(part for part in (table.text("catalog"), table.text("db")) if part)
    return qualifier or database, table.name


def _alter(drafts: dict[tuple[str, str], Draft], statement: exp.Expr, database: str) -> None:
    _read_keys(statement, _draft_of(drafts, _owner(statement.this, database)))


def _describe(drafts: dict[tuple[str, str], Draft], statement: exp.Comment, database: str) -> None:
    comment, kind, subject = statement.expression.name, statement.args["kind"].upper(), statement.this
    if kind == "TABLE":
        _draft_of(drafts, _owner(subject, database)).description = comment
    elif kind == "COLUMN":
        draft = _draft_of(drafts, (subject.text("db") or database, subject.text("table")))
        spelled = next((name for name in draft.columns if name.casefold() == subject.name.casefold()), None)
        if spelled is None:
            raise CatalogError(f"{draft.database}.{draft.name} has no column {subject.name!r}")
        draft.columns[spelled] = Column(spelled, draft.columns[spelled].type, description=comment)


def _draft_of(drafts: dict[tuple[str, str], Draft], key: tuple[str, str]) -> Draft:
    draft = _nearest(drafts, key)
    if draft is None:
        raise CatalogError(f"no table {'.'.join(key)} has been created before this statement")
    return draft


def _nearest(drafts: dict[tuple[str, str], Draft], key: tuple[str, str]) -> Draft | None:
    """The table of a name, else one whose name differs in case alone."""
    near = (draft for known, draft in drafts.items() if _folded(known) == _folded(key))
    return drafts.get(key) or next(near, None)


def _folded(key: tuple[str, str]) -> tuple[str, str]:
    return key[0].casefold(), key[1].casefold()


def _table(draft: Draft, drafts: dict[tuple[str, str], Draft], database: str) -> Table:
    """The table of a draft, without the keys that name columns which their tables do not have."""
    keys = []
    for columns, (qualifier, name), target_columns in draft.references:
        # an unqualified name is a table of the same schema, else of the default one
        candidates = [(qualifier, name)] if qualifier else [(draft.database, name), (database, name)]
        target = next((near for key in candidates if (near := _nearest(drafts, key))), None)
        if _has(draft, columns) and (target is None or _has(target, target_columns)):
            owner = candidates[0] if target is None else (target.database, target.name)
            keys.append(ForeignKey(tuple(columns), ".".join(owner), tuple(target_columns)))
    spelling = {column.casefold(): column for column in draft.columns}
    primary_key = tuple(
        column if column in draft.columns else spelling[column.casefold()]
        for column in draft.primary_key
        if _has(draft, draft.primary_key)
    )
    return Table(draft.database, draft.name, tuple(draft.columns.values()), primary_key, tuple(keys), draft.description)


def _has(draft: Draft, columns: list[str]) -> bool:
    """Whether a table has all of some columns, in whatever case."""
    return {name.casefold() for name in columns} <= {name.casefold() for name in draft.columns}
