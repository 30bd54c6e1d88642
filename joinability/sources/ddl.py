"""Schemas without rows, from DDL text of any dialect: by sqlglot, and by the outline of what sqlglot does not know."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING

from joinability.cells import valid_text
from joinability.ddl.changes import attached_partition, change_listed, change_tables, misspelt_change, rename_tables
from joinability.ddl.column_lists import is_of_type, listed_keys, listed_table
from joinability.ddl.dialect_marks import likely_dialects
from joinability.ddl.dialect_names import checked_dialect
from joinability.ddl.drafts import Draft, Drafts, Name, Scope
from joinability.ddl.extended_properties import extended_property
from joinability.ddl.own_types import own_type
from joinability.ddl.procedure_calls import rename_called
from joinability.ddl.remarks import remark_above, remark_beside
from joinability.ddl.rows import has_rows, without_rows
from joinability.ddl.scopes import named_scope
from joinability.ddl.scripts import Statement, statements
from joinability.ddl.statement_parts import altered_name
from joinability.ddl.trees import (
    copied_tables,
    parsed,
    partitioned,
    spelled_type,
    table_name,
    tree_keys,
    tree_table,
    typed,
)
from joinability.errors import CatalogError, SourceError, first_line
from joinability.lines import listed
from joinability.schema import ForeignKey, Table

if TYPE_CHECKING:
    from sqlglot import exp

NO_TABLE = "creates no table"
"""How a note on a text ends that has nothing else to tell."""
DEFAULT = "sqlite"
"""The dialect of texts without marks; it reads most of what all dialects have."""
TRIED = 20
"""Statements by which dialects are compared where marks do not tell."""
BEFORE_TABLE = frozenset("OR REPLACE TEMP TEMPORARY GLOBAL LOCAL UNLOGGED EXTERNAL TRANSIENT VOLATILE FOREIGN".split())
"""Words between CREATE and TABLE."""
NO_VIEWS = frozenset("AS AGGREGATE EVENT FUNCTION INDEX PROCEDURE RULE SEQUENCE TABLE TRIGGER TYPE".split())
"""Words before VIEW in statements that create something else."""
MOST_BEFORE = 30
"""Words between CREATE and VIEW, at most: MySQL names the owner of a view there."""
MISSPELT = 0.75
"""Likeness from which a word is TABLE, misspelt."""
LISTED = 5
"""Names that a note tells."""
NO_TABLES = frozenset("AS FUNCTION INDEX POLICY PROCEDURE RULE STATISTICS SYNONYM TRIGGER TYPE VIEW".split())
"""Words before TABLE in statements that create something else."""
Failure = tuple[str, str]


def ddl_tables(text: str, dialect: str | None, database: str) -> tuple[list[Table], list[Failure], list[str]]:
    """Tables that a text creates, with keys and comments; (statement, cause) of what could not be read; notes on how.

    A name qualified by a schema belongs to the database of that name, any other to `database`, or to the scope that it
    stands in where the text has several (`joinability.ddl.scopes`). Keys and comments may come with the table or in
    statements of their own. Without a dialect, the one that the text looks like is taken.

    Raises
    ------
    SourceError
        When the text is a path.
    CatalogError
        When it is no text, or the dialect is unknown.
    """
    if not isinstance(text, str):
        raise CatalogError(f"DDL is a text, not {type(text).__name__}: pass that of the file, open(path).read()")
    if text.strip().casefold().endswith(".sql") and len(text.split()) == 1:
        raise SourceError(text.strip(), "this is a path, no DDL: pass the text of the file, open(path).read()")
    return script_tables({"": text}, dialect, database)


def script_tables(
    scripts: Mapping[str, str], dialect: str | None, database: str
) -> tuple[list[Table], list[Failure], list[str]]:
    """Tables that several scripts of one database create, in their order; else as `ddl_tables`.

    A script may change tables that another one creates, before it or behind it.

    Parameters
    ----------
    scripts : mapping
        Texts by the names of their files, which tables have as their `origin`, and failures in front; "" for none.
    """
    dialect = checked_dialect(dialect) if dialect else None
    scripts = {file: valid_text(text) for file, text in scripts.items()}
    text = "\n".join(scripts.values())
    with _silence():
        taken = dialect or _dialect_of(without_rows(text))
        reading = _Reading(taken, database, advice=_advice(text, taken, is_named=dialect is not None))
        failed = []
        for file, script in scripts.items():
            read = list(statements(script, taken))
            for statement, scope in zip(read, _scopes(read, taken), strict=True):
                if not reading.take(statement, scope, file):
                    failed.append((statement, scope, file))
        if len(scripts) > 1:
            reading.failures.clear()
            for statement, scope, file in failed:
                reading.take(statement, scope, file)
        tables, notes = reading.drafts.tables(), list(_notes(reading, database, is_named=dialect is not None))
        if has_rows(text):
            notes.append(f"the rows in the DDL of {database} are not read: values come from files and databases")
        if not (tables or reading.failures or reading.views):
            notes.append(f"the DDL of {database} {NO_TABLE}")
        return tables, reading.failures, notes


def _scopes(read: Sequence[Statement], dialect: str) -> list[Scope]:
    """Where the tables of each statement are; nowhere in particular unless tables are created in several scopes."""
    scope, scopes, with_tables = Scope(""), [], set()
    for statement in read:
        scope = named_scope(statement, dialect) or scope
        scopes.append(scope)
        if _creates(statement):
            with_tables.add(scope)
    return scopes if len(with_tables) > 1 else [Scope("")] * len(read)


def _advice(text: str, dialect: str, *, is_named: bool) -> str:
    """What to do about a statement that could not be read."""
    if not is_named:
        return f" (read as {dialect}: if it is another dialect, name it by dialect=, in the shell by --dialect)"
    likely, is_sure = likely_dialects(text)
    return f" (the text looks like {likely[0]}, not {dialect})" if is_sure and likely[0] != dialect else ""


def _notes(reading: _Reading, database: str, *, is_named: bool) -> Iterator[str]:
    dialect = reading.dialect
    if not is_named and dialect != DEFAULT:
        yield f"the DDL of {database} was read as {dialect}; name another by dialect=, in the shell by --dialect"
    if names := reading.outlined:
        yield (
            f"of {listed(names, LISTED)} in the DDL of {database} columns, keys and comments were read; "
            f"other words there, not understood as {dialect}, are passed over"
        )
    for owner, count in Counter(reading.partitions).items():
        yield f"{count} {'partition' if count == 1 else 'partitions'} of {owner} in the DDL of {database} left out"
    keys = [f"{table} ({', '.join(columns)})" for table, columns in reading.drafts.unfit_primary_keys]
    keys += [f"{table} ({', '.join(key.columns)}) to {_told(key)}" for table, key in reading.drafts.unfit_keys]
    if keys:
        yield f"keys in the DDL of {database} that name a column which is not there, left out: {listed(keys, LISTED)}"
    if count := reading.views:
        yield f"{count} {'view' if count == 1 else 'views'} in the DDL of {database} left out: an index is of tables"


def _told(key: ForeignKey) -> str:
    return f"{key.target} ({', '.join(key.target_columns)})" if key.target_columns else key.target


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


def _dialect_of(text: str) -> str:
    """The dialect that a text looks like; where its marks are not sure, the one that reads most of some tables."""
    likely, is_sure = likely_dialects(text)
    if is_sure:
        return likely[0]
    outlines = ((statement, _outline(statement)) for statement in statements(text, DEFAULT) if _creates(statement))
    tried = list(islice(((statement, draft) for statement, draft in outlines if draft is not None), TRIED))
    best, most = DEFAULT, 0
    for dialect in dict.fromkeys([DEFAULT, *likely]):
        count = sum(1 for statement, draft in tried if _reads(statement, draft, dialect))
        if count > most:
            best, most = dialect, count
        if count == len(tried):
            break
    return best


def _outline(statement: Statement) -> Draft | None:
    try:
        return listed_table(statement)
    except CatalogError:
        return None


def _reads(statement: Statement, outline: Draft, dialect: str) -> bool:
    """Whether a dialect finds the columns in a statement that its outline has."""
    try:
        draft = tree_table(parsed(statement.text, dialect), dialect)
    except Exception:  # a parser may stumble in many ways
        return False
    return [column.name for column in draft.columns] == [column.name for column in outline.columns]


def _creates(statement: Statement) -> bool:
    """Whether a statement creates a table, and nothing that is about one."""
    words = statement.words(6)
    if words[:1] != ["CREATE"] or "TABLE" not in words:
        return False
    return NO_TABLES.isdisjoint(words[1 : words.index("TABLE")])


def _creates_view(statement: Statement) -> bool:
    """Whether a statement creates a view, a materialized one or not."""
    first, *words = statement.words(MOST_BEFORE) or [""]
    before = words[: words.index("VIEW")] if "VIEW" in words else ["AS"]
    return first in ("CREATE", "REPLACE") and NO_VIEWS.isdisjoint(before)


def _misspelt_table(statement: Statement) -> str:
    """The word of a statement that creates something which is nearly TABLE; "" where there is none."""
    first, *words = statement.words(6) or [""]
    kind = next((word for word in words if word not in BEFORE_TABLE), "")
    is_near = kind != "STABLE" and get_close_matches(kind, ["TABLE"], cutoff=MISSPELT)
    return kind if first == "CREATE" and is_near else ""


class _Reading:
    """The tables, failures and notes of a script while it is read."""

    def __init__(self, dialect: str, database: str, *, advice: str) -> None:
        self.dialect = dialect
        self.advice = advice
        self.drafts = Drafts(database)
        self.failures: list[Failure] = []
        self.outlined: list[str] = []
        self.partitions: list[str] = []
        self.views = 0

    def take(self, statement: Statement, scope: Scope, file: str = "") -> bool:
        """Add what one statement of a file says in a scope; or that it could not be read, and return False."""
        words = statement.words(3)
        self.drafts.scope, self.drafts.file = scope, file
        try:
            if not statement.tokens:
                self._tree(statement)
            elif _creates(statement):
                self._create(statement)
            elif words[:2] in (["ALTER", "TABLE"], ["DROP", "TABLE"]):
                self._change(statement)
            elif words[:2] == ["RENAME", "TABLE"]:
                rename_tables(self.drafts, statement.text)
            elif words[:2] == ["COMMENT", "ON"] and words[2:] in (["TABLE"], ["COLUMN"]):
                self._describe(statement)
            elif named := own_type(statement):
                self.drafts.name_type(named[0], spelled_type(named[1], self.dialect))
            elif misspelt := _misspelt_table(statement):
                raise CatalogError(f"CREATE {misspelt} is not understood: is CREATE TABLE meant?")
            elif _creates_view(statement):
                self.views += 1
            elif words[:1] in (["EXEC"], ["EXECUTE"]) and (said := extended_property(statement)):
                self.drafts.describe(*said)
            elif words[:1] in (["EXEC"], ["EXECUTE"], ["SP_RENAME"]):
                rename_called(self.drafts, statement)
        except Exception as error:  # what a parser makes of a text may be anything: a failure of this statement alone
            source = f"{file}: " if file else ""
            self.failures.append((source + " ".join(statement.text.split())[:60], str(error) or type(error).__name__))
            return False
        return True

    def _tree(self, statement: Statement) -> exp.Expr:
        try:
            return parsed(statement.text, self.dialect)
        except RecursionError:
            cause = "nested too deeply"
        except Exception as error:  # a parser may stumble in many ways
            cause = first_line(error)
        raise CatalogError(cause + self.advice)

    def _create(self, statement: Statement) -> None:
        if "#" in statement.words(3):
            return  # a table of a procedure of SQL Server, while it runs
        outline = _outline(statement)
        try:
            tree = self._tree(statement)
        except CatalogError:
            if outline is None and is_of_type(statement):
                raise CatalogError("its columns are those of a type, which are not read: write them out") from None
            if outline is None:
                raise
            draft, is_outlined = typed(outline, self.dialect), True
        else:
            if tree.args.get("kind") != "TABLE":
                return
            if part := partitioned(tree):
                self._leave_out(*part)
                return
            draft, is_outlined = tree_table(tree, self.dialect, outline), False
            for source, with_key in reversed(copied_tables(tree)):  # each stands before what is there
                self.drafts.copy_columns(draft, source, with_key=with_key)
        draft.remark = remark_above(statement, draft.name, draft.database)
        draft.description = draft.description or remark_beside(statement, draft.name, draft.database)
        self.drafts.add(draft)
        if is_outlined:
            self.outlined.append(draft.name)

    def _leave_out(self, owner: Name, partition: Name) -> None:
        self.partitions.append(".".join(filter(None, owner)))
        self.drafts.leave_out(partition)

    def _change(self, statement: Statement) -> None:
        if self.drafts.leaves_out(altered_name(statement)[1]):
            return
        if part := attached_partition(statement):
            self._leave_out(*part)
            return
        if misspelt := misspelt_change(statement):
            raise CatalogError(misspelt)
        words = frozenset(statement.words())
        has_keys = not words.isdisjoint(["KEY", "REFERENCES"])
        if not change_listed(self.drafts, statement, self.dialect) and ("COLUMN" in words or not has_keys):
            change_tables(self.drafts, statement.text, self.dialect)
        if has_keys:
            self._alter(statement)

    def _alter(self, statement: Statement) -> None:
        try:
            tree = self._tree(statement)
        except CatalogError:
            if (keys := listed_keys(statement)) is None:
                raise
            self.drafts.add_keys(keys)
        else:
            keys = tree_keys(tree) if tree.key in ("alter", "altertable") else None
            if keys is not None and not (keys.primary_key or keys.references):  # sqlglot loses those of SQL Server
                keys = listed_keys(statement)
            if keys is not None:
                self.drafts.add_keys(keys)

    def _describe(self, statement: Statement) -> None:
        if statement.words()[-1] == "NULL":
            return  # there is no comment
        last = statement.tokens[-1]
        is_escaped = last.token_type.name == "BYTE_STRING"  # E'a\\nb' of PostgreSQL, which sqlglot takes for no text
        tree = self._tree(statement.ending("''") if is_escaped else statement)
        subject, text = tree.this, last.text if is_escaped else tree.expression.name
        is_table = statement.words(3)[2] == "TABLE"
        name = table_name(subject) if is_table else (subject.text("db"), subject.text("table"))
        if not self.drafts.leaves_out(name):
            self.drafts.describe(name, text, None if is_table else subject.name)
