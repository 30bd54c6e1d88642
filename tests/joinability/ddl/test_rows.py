"""Rows in dumps."""

from __future__ import annotations

import pytest
from sqlglot import Dialect

from joinability import Catalog
from joinability.ddl.rows import has_rows, without_rows

BEFORE, AFTER = "CREATE TABLE t (id INT, note VARCHAR(50))", "CREATE TABLE u (id INT, t_id INT REFERENCES t (id))"
ROWS = {
    "mysql": [
        "INSERT INTO `t` VALUES (1,'it\\'s; a \"note\"'),(2,'doub''led; '),(3,'\\\\');",
        "INSERT INTO t (id, note) VALUES\n(1,'CREATE TABLE evil (x int);\nCREATE TABLE worse (x int);');",
    ],
    "postgres": [
        "INSERT INTO public.t VALUES (1, 'C:\\');",
        "INSERT INTO t VALUES (1, E'it\\'s; '), (2, 'x') -- it's\n, (3, '/*');",
        "COPY t (id, note) FROM stdin;\n1\tit's; 'CREATE TABLE evil (x int);\n\\.",
    ],
    "tsql": [
        "INSERT [dbo].[t] ([id]) VALUES (1)\nINSERT [dbo].[t] ([id]) VALUES (N'it''s; ')\nGO",
        "insert into t values ('C:\\')",
        "INSERT t (id) VALUES (1)\nINSERT t VALUES (2)",
    ],
    "oracle": ["Insert into T (ID,NOTE) values (1,q'[it's; ]');", "INSERT INTO t SELECT 1, 'a;b' FROM dual\n/"],
}


@pytest.mark.parametrize("dialect", ROWS)
def test_rows_are_taken_out_and_nothing_else(dialect: str) -> None:
    """Whatever stands in their texts, with an end of their statements or a new line alone."""
    for rows in ROWS[dialect]:
        end = "" if dialect in ("tsql", "oracle") and not rows.endswith(";") else ";"
        script = f"{BEFORE};\n{rows}\n{AFTER}{end}\n{rows}\n"
        assert has_rows(script)
        left = without_rows(script, Dialect.get_or_raise(dialect))
        assert not has_rows(left)
        assert "VALUES" not in left.upper()
        catalog = Catalog.from_ddl(script, dialect=dialect)
        assert catalog.failures == ()
        assert [table.id for table in catalog] == ["main.t", "main.u"]
        assert catalog["main.u"].foreign_keys[0].target == "main.t"
        assert any("the rows in the DDL of main are not read" in note for note in catalog.notes)


def test_what_is_no_row_stays() -> None:
    """A comment with an example, a text that is never closed, and columns called insert."""
    for type_ in ("BOOLEAN", "VARCHAR(5)", "INT NOT NULL"):
        catalog = Catalog.from_ddl(f"CREATE TABLE rights (id INT,\n  insert {type_},\n  x INT);\n{AFTER};")
        assert [column.name for column in catalog["main.rights"].columns] == ["id", "insert", "x"]
    comment = "/* an example:\nINSERT INTO t VALUES (1)\n*/"
    script = f"{comment}\n{BEFORE};\n{AFTER};"
    assert [table.id for table in Catalog.from_ddl(script)] == ["main.t", "main.u"]
    assert without_rows(f"{BEFORE};", Dialect.get_or_raise("mysql")) == f"{BEFORE};"
    assert [table.id for table in Catalog.from_ddl(f"{BEFORE};\nINSERT INTO t VALUES ('never;\n")] == ["main.t"]
