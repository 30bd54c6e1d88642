"""Schemas from DDL text."""

from __future__ import annotations

import pytest

from joinability import Catalog, CatalogError, Column, ForeignKey, SourceError

SHOP = """
-- customers of the shop
CREATE TABLE IF NOT EXISTS sales.customer (
    id INT PRIMARY KEY, -- number on the card
    name VARCHAR(20) NOT NULL COMMENT 'full name', /* with a; semicolon */
    "weird "" name; x" DECIMAL(10, 2)
) COMMENT = 'all customers';

INSERT INTO sales.customer VALUES (1, '; CREATE TABLE evil (a INT);');
DROP TABLE evil;

CREATE TEMPORARY TABLE orders (
    a INT, b INT, customer_id INT REFERENCES sales.customer,
    CONSTRAINT pk PRIMARY KEY (B, a),
    FOREIGN KEY (a) REFERENCES SALES.Customer (ID) ON DELETE CASCADE
);
CREATE TABLE items (a INT, b INT, FOREIGN KEY (b, a) REFERENCES orders);
"""


def test_tables_keys_and_comments_are_taken_along() -> None:
    """Qualified names, column and table constraints, comments of all kinds; other statements are passed over."""
    catalog = Catalog.from_ddl(SHOP, dialect="snowflake", database="shop")
    assert [table.id for table in catalog] == ["sales.customer", "shop.orders", "shop.items"]
    assert catalog.failures == ()
    customer, orders, items = catalog
    assert customer.columns == (
        Column("id", "INT", "number on the card"),
        Column("name", "VARCHAR(20)", "full name"),
        Column('weird " name; x', "DECIMAL(10, 2)"),
    )
    assert customer.description == "all customers"
    assert customer.primary_key == ("id",)
    assert orders.primary_key == ("b", "a")
    assert set(orders.foreign_keys) == {
        ForeignKey(("a",), "sales.customer", ("id",)),
        ForeignKey(("customer_id",), "sales.customer", ("id",)),
    }
    assert items.foreign_keys == (ForeignKey(("b", "a"), "shop.orders", ("b", "a")),)


def test_keys_and_comments_may_come_later() -> None:
    """Statements of their own add keys and comments, as the dumps of PostgreSQL do."""
    text = """
    CREATE TABLE public.a (id integer NOT NULL, "Note" text);
    CREATE TABLE public.b (a_id integer);
    ALTER TABLE ONLY public.a ADD CONSTRAINT a_pkey PRIMARY KEY (id);
    ALTER TABLE ONLY public.b ADD CONSTRAINT b_a FOREIGN KEY (a_id) REFERENCES public.a(id);
    ALTER TABLE public.a OWNER TO somebody;
    COMMENT ON TABLE public.a IS 'things';
    COMMENT ON COLUMN public.a."Note" IS 'about them';
    """
    catalog = Catalog.from_ddl(text, dialect="postgres")
    assert catalog.failures == ()
    assert catalog["public.a"].primary_key == ("id",)
    assert catalog["public.a"].description == "things"
    assert catalog["public.a"].columns[1].description == "about them"
    assert catalog["public.b"].foreign_keys == (ForeignKey(("a_id",), "public.a", ("id",)),)


def test_columns_need_no_type() -> None:
    """A bare name is a column, between typed ones, with a constraint, quoted in any way, or named in a key."""
    catalog = Catalog.from_ddl(
        "CREATE TABLE a(x, y TEXT, z INTEGER PRIMARY KEY);"
        "CREATE TABLE b(date, \"order\" /* of all */, [w v], 'q', p UNIQUE, PRIMARY KEY (date))"
    )
    assert catalog["main.a"].columns == (Column("x"), Column("y", "TEXT"), Column("z", "INTEGER"))
    assert catalog["main.b"].column_names == ["date", "order", "w v", "q", "p"]
    assert catalog["main.b"].columns[1].description == "of all"
    assert catalog["main.b"].primary_key == ("date",)


def test_dialects_quote_in_their_own_way() -> None:
    """Backticks and keys of MySQL, brackets of SQL Server."""
    text = "CREATE TABLE `a b` (`id` int(11) NOT NULL, KEY `i` (`id`)) ENGINE=InnoDB"
    mysql = Catalog.from_ddl(text, dialect="mysql")
    assert mysql["main.a b"].column_names == ["id"]
    server = Catalog.from_ddl("CREATE TABLE [dbo].[a b] ([id] INT PRIMARY KEY)", dialect="tsql")
    assert server["dbo.a b"].primary_key == ("id",)


def test_a_statement_that_can_not_be_read_is_a_failure() -> None:
    """It is reported with its beginning; the other statements count."""
    text = """
    CREATE TABLE a (id INT); CREATE TABLE b (id INT; CREATE TABLE c AS SELECT 1; COMMENT ON TABLE z IS 'x';
    CREATE TABLE A (id INT); CREATE TABLE a (x INT)
    """
    catalog = Catalog.from_ddl(text)
    assert [table.id for table in catalog] == ["main.a", "main.A"]
    assert [statement for statement, _ in catalog.failures] == [
        "CREATE TABLE b (id INT",
        "CREATE TABLE c AS SELECT 1",
        "COMMENT ON TABLE z IS 'x'",
        "CREATE TABLE a (x INT)",
    ]
    with pytest.raises(SourceError):
        Catalog.from_ddl("CREATE TABLE b (id INT")


@pytest.mark.parametrize("word", ["TABEL", "tabl", "TALBE", "TABLES", "OR REPLACE TABEL", "temporary tabel"])
def test_a_misspelt_word_for_table_is_told(word: str) -> None:
    """What creates something else is passed over."""
    others = "CREATE VIEW v AS SELECT 1; CREATE STABLE s (t INT); CREATE TABLE y (b INT);"
    catalog = Catalog.from_ddl(f"CREATE {word} x (a INT); {others}")
    assert [table.name for table in catalog] == ["y"]
    ((statement, cause),) = catalog.failures
    assert statement == f"CREATE {word} x (a INT)"
    assert "is CREATE TABLE meant?" in cause


def test_an_unknown_dialect_is_an_error() -> None:
    """The message names it."""
    with pytest.raises(CatalogError, match="klingon"):
        Catalog.from_ddl("CREATE TABLE a (id INT)", dialect="klingon")


@pytest.mark.parametrize("text", ["", "  -- nothing", "SELECT 1", "CREATE VIEW v AS SELECT 1"])
def test_a_text_without_tables_is_an_empty_catalog(text: str) -> None:
    """Nothing to read is no failure."""
    assert len(Catalog.from_ddl(text)) == 0


@pytest.mark.parametrize(
    ("statement", "columns", "key"),
    [
        ("CREATE TABLE b (LIKE s.a)", ["id", "made"], ()),
        ("CREATE TABLE b (LIKE s.a INCLUDING ALL)", ["id", "made"], ("id",)),
        ("CREATE TABLE b (LIKE s.a INCLUDING DEFAULTS INCLUDING INDEXES, batch int)", ["id", "made", "batch"], ("id",)),
        ("CREATE TABLE s.b (LIKE a, MADE date)", ["id", "MADE"], ()),
        ("CREATE TABLE s.b (x int) INHERITS (a)", ["id", "made", "x"], ()),
        ("CREATE TABLE b (x int PRIMARY KEY) INHERITS (s.a, c)", ["id", "made", "y", "x"], ("x",)),
    ],
)
def test_a_table_may_have_the_columns_of_others(statement: str, columns: list[str], key: tuple[str, ...]) -> None:
    text = "CREATE TABLE s.a (id int PRIMARY KEY, made date); CREATE TABLE c (y int);"
    catalog = Catalog.from_ddl(f"{text} {statement};", dialect="postgres")
    assert not catalog.failures
    (table,) = [table for table in catalog if table.name == "b"]
    assert table.column_names == columns
    assert table.primary_key == key


def test_mysql_writes_like_without_brackets() -> None:
    catalog = Catalog.from_ddl("CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b LIKE a;", dialect="mysql")
    assert [(table.name, table.column_names, table.primary_key) for table in catalog] == [
        ("a", ["id"], ("id",)),
        ("b", ["id"], ("id",)),
    ]


@pytest.mark.parametrize(
    ("statement", "cause"),
    [
        ("CREATE TABLE a (a int, a text)", "two columns named 'a'"),
        ("CREATE TABLE a (LIKE absent)", "columns of absent are not known; write them out"),
        ("CREATE TABLE a (x int) INHERITS (app.absent)", "columns of app.absent are not known; write them out"),
        ("CREATE TABLE a ()", "a table without columns"),
        ('CREATE TABLE "" (a int)', "needs a database and a name"),
        ("ALTER TABLE good ADD CONSTRAINT key CHECK (" + "(" * 5000 + "1" + ")" * 5000 + ")", "nested too deeply"),
        ("ALTER TABLE good ADD KEY foo bar", "not understood"),
        ("CREATE TABLE a (x text DEFAULT 'abc)", "tokenizing"),
    ],
)
def test_a_table_that_makes_no_sense_is_a_failure(
    statement: str, cause: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """It fails alone, with its cause and nothing in the log; the statements before it, semicolons and all, count."""
    text = "CREATE TABLE good (x int DEFAULT ';');\nINSERT INTO good VALUES ('\n; CREATE TABLE evil (x int);\n');"
    catalog = Catalog.from_ddl(f"{text}\n{statement}", dialect="postgres")
    assert [table.id for table in catalog] == ["main.good"]
    [(shown, told)] = catalog.failures
    assert shown == statement[:60]
    assert cause in told
    assert (caplog.text, capfd.readouterr().err) == ("", "")


def test_names_prefer_their_own_case() -> None:
    """Of two tables whose names differ in case alone, a key means the one as written; of one, in any case."""
    text = """
    CREATE TABLE A (id INT PRIMARY KEY); CREATE TABLE a (id INT PRIMARY KEY);
    CREATE TABLE x (k INT REFERENCES a, l INT REFERENCES A (ID), m INT REFERENCES X (K));
    """
    keys = Catalog.from_ddl(text)["main.x"].foreign_keys
    assert [key.target for key in keys] == ["main.a", "main.A", "main.x"]


def test_keys_of_unknown_columns_are_left_out() -> None:
    """A key with a column that its table does not have is none; to a table that is not in the text, it stays."""
    text = """
    CREATE TABLE a (id INT, PRIMARY KEY (id, no));
    CREATE TABLE b (k INT REFERENCES a (no), l INT REFERENCES c (no), FOREIGN KEY (no) REFERENCES a (id));
    """
    catalog = Catalog.from_ddl(text)
    assert catalog["main.a"].primary_key == ()
    assert catalog["main.b"].foreign_keys == (ForeignKey(("l",), "main.c", ("no",)),)
    (note,) = catalog.notes
    assert note.endswith("left out: main.a (id, no), main.b (no) to main.a (id), main.b (k) to main.a (no)")


def test_primary_keys_that_name_no_column_are_told() -> None:
    """The table is there, without a key."""
    text = "create table a (id int, primary key (nope)); create table b (ID int, primary key (id));"
    catalog = Catalog.from_ddl(text)
    (note,) = catalog.notes
    assert note == "keys in the DDL of main that name a column which is not there, left out: main.a (nope)"
    assert [table.primary_key for table in catalog.tables] == [(), ("ID",)]


def test_a_path_is_no_ddl() -> None:
    """The name of a file in place of its text gets the advice to read it, and no empty catalogue."""
    with pytest.raises(SourceError, match=r"schema\.sql.*open\(path\)\.read\(\)"):
        Catalog.from_ddl("ddl/schema.sql")


def test_later_statements_change_the_tables_of_a_script() -> None:
    """As migrations do: columns and tables come, go and get other names and types; keys follow."""
    catalog = Catalog.from_ddl(
        """
        CREATE TABLE client (id INT PRIMARY KEY, name TEXT, fax TEXT);
        CREATE TABLE loan (id INT, client_id INT REFERENCES client (id));
        ALTER TABLE loan ADD COLUMN amount NUMERIC(12, 2), ADD COLUMN note TEXT;
        ALTER TABLE loan ADD COLUMN agent_id INT REFERENCES client (id);
        ALTER TABLE client DROP COLUMN fax;
        ALTER TABLE client RENAME COLUMN id TO client_no;
        ALTER TABLE client RENAME TO customer;
        ALTER TABLE loan RENAME COLUMN client_id TO customer_no;
        ALTER TABLE loan ALTER COLUMN note TYPE VARCHAR(20);
        CREATE TABLE old (x INT); DROP TABLE IF EXISTS old; DROP TABLE IF EXISTS never;
        CREATE TABLE draft (x INT); DROP TABLE draft; CREATE TABLE draft (y INT);
        ALTER TABLE loan ADD CONSTRAINT positive CHECK (amount > 0);
        """
    )
    assert catalog.failures == ()
    columns = {table.id: [(column.name, column.type) for column in table.columns] for table in catalog}
    assert columns == {
        "main.customer": [("client_no", "INTEGER"), ("name", "TEXT")],
        "main.loan": [
            ("id", "INTEGER"), ("customer_no", "INTEGER"), ("amount", "DECIMAL(12, 2)"), ("note", "VARCHAR(20)"),
            ("agent_id", "INTEGER"),
        ],
        "main.draft": [("y", "INTEGER")],
    }  # fmt: skip
    keys = {(key.columns, key.target, key.target_columns) for key in catalog["main.loan"].foreign_keys}
    assert keys == {((name,), "main.customer", ("client_no",)) for name in ("customer_no", "agent_id")}
    assert catalog["main.customer"].primary_key == ("client_no",)


def test_changes_that_are_not_understood_are_failures() -> None:
    """Of a table that is not there, and in the words of another dialect; what changes no column is passed over."""
    catalog = Catalog.from_ddl(
        "CREATE TABLE t (x INT); ALTER TABLE gone ADD COLUMN y INT; ALTER TABLE t MODIFY COLUMN x BIGINT;"
        "ALTER TABLE t OWNER TO me; ALTER TABLE t ALTER COLUMN x SET DEFAULT 7;",
        dialect="sqlite",
    )
    assert [statement.split()[2] for statement, _ in catalog.failures] == ["gone", "t"]
    assert "before this statement" in catalog.failures[0][1]
    assert "what this changes is not understood as sqlite" in catalog.failures[1][1]


def test_types_of_scripts_that_look_like_no_dialect_stay_what_they_are() -> None:
    """SQLite would write one for all whole numbers, one for all texts."""
    ddl = "CREATE TABLE t (a BIGINT, b NUMERIC(12, 2), c BOOLEAN, d VARCHAR(20), e INTEGER, f REAL)"
    catalog = Catalog.from_ddl(ddl)
    types = [column.type for column in catalog["main.t"].columns]
    assert types == ["BIGINT", "DECIMAL(12, 2)", "BOOLEAN", "VARCHAR(20)", "INTEGER", "REAL"]


def test_names_of_four_parts_keep_their_schemas() -> None:
    """Server, database, schema and table, as SQL Server has them."""
    catalog = Catalog.from_ddl("CREATE TABLE srv.wh.sales.orders (id INT); CREATE TABLE srv.wh.crm.orders (id INT);")
    assert {table.id for table in catalog} == {"srv.wh.sales.orders", "srv.wh.crm.orders"}
    assert catalog.failures == ()


@pytest.mark.parametrize("said", ["FOREIGN KEY", "CONSTRAINT of_client FOREIGN KEY", ""])
def test_a_key_may_stand_behind_its_column(said: str) -> None:
    """With the words FOREIGN KEY as SQL Server allows it, or without."""
    loan = f"CREATE TABLE loan (id INT, owner INT {said} REFERENCES client (id));"
    script = f"CREATE TABLE client (id INT PRIMARY KEY); {loan}"
    assert Catalog.from_ddl(script)["main.loan"].foreign_keys == (ForeignKey(("owner",), "main.client", ("id",)),)


CLUSTERED = [
    "CREATE TABLE [dbo].[A]([x] [int] NOT NULL, CONSTRAINT [PK_A] PRIMARY KEY CLUSTERED ([x] ASC)) ON [PRIMARY]\nGO\n",
    "CREATE TABLE [dbo].[A]([x] [int], CONSTRAINT [PK_A] PRIMARY KEY NONCLUSTERED ([x]) WITH (PAD_INDEX = OFF))\nGO\n",
    "CREATE TABLE [dbo].[A]([x] [int])\nGO\nALTER TABLE [dbo].[A] ADD CONSTRAINT [K] PRIMARY KEY CLUSTERED ([x])\nGO\n",
    "CREATE TABLE [dbo].[A]([x] [int])\nGO\nALTER TABLE [dbo].[A] ADD PRIMARY KEY NONCLUSTERED ([x])\nGO\n",
]


@pytest.mark.parametrize("script", CLUSTERED)
def test_keys_that_sql_server_orders_are_keys(script: str) -> None:
    """CLUSTERED or not, named or not, in the table or after it."""
    catalog = Catalog.from_ddl(script)
    assert catalog.failures == ()
    assert catalog["dbo.A"].primary_key == ("x",)


def test_lists_in_brackets_change_columns() -> None:
    """As Oracle adds and drops them, whatever the dialect is taken for, beside keys and without."""
    table = "CREATE TABLE b (id NUMBER(10), c VARCHAR2(5), d DATE);"
    added = "ALTER TABLE b ADD (e NUMBER(3,0) DEFAULT 0 NOT NULL, CONSTRAINT p PRIMARY KEY (id));"
    for dialect in (None, "oracle"):
        catalog = Catalog.from_ddl(f"{table}{added}ALTER TABLE b DROP (c, d);", dialect=dialect)
        assert catalog.failures == ()
        assert catalog["main.b"].column_names == ["id", "e"]
        assert catalog["main.b"].primary_key == ("id",)


def test_mysql_renames_tables_and_columns() -> None:
    """RENAME TABLE of several, and CHANGE."""
    catalog = Catalog.from_ddl(
        "CREATE TABLE `a` (`id` int) ENGINE=InnoDB; CREATE TABLE `b 1` (`x` int) ENGINE=InnoDB;"
        "RENAME TABLE `a` TO `c`, `b 1` TO d; ALTER TABLE `c` CHANGE `id` `number` bigint COMMENT 'the id';"
    )
    assert catalog.failures == ()
    assert [table.id for table in catalog] == ["main.c", "main.d"]
    [column] = catalog["main.c"].columns
    assert (column.name, column.type, column.description) == ("number", "BIGINT", "the id")


def test_snowflake_swaps_and_clones_tables() -> None:
    catalog = Catalog.from_ddl(
        "create or replace TABLE A (x NUMBER(38,0)); create or replace TABLE B (y VARIANT, primary key (y));"
        "alter table A swap with B; create or replace TABLE C clone A;"
    )
    columns = {table.id: table.column_names for table in catalog}
    assert columns == {"main.B": ["x"], "main.A": ["y"], "main.C": ["y"]}
    assert catalog["main.C"].primary_key == ("y",)


SCOPES = {
    "mysql": "USE `{0}`;",
    "sql server": "USE [{0}]\nGO\n",
    "postgres": "SET search_path = {0}, pg_catalog;",
    "oracle": "ALTER SESSION SET CURRENT_SCHEMA = {0};",
    "snowflake": "USE SCHEMA {0};",
}


@pytest.mark.parametrize("server", SCOPES)
def test_tables_of_several_databases_in_one_dump(server: str) -> None:
    """Each belongs to the database that the dump uses at that place; keys stay within it."""
    enters, ids = SCOPES[server], ["one.t", "two.t"]
    tables = "CREATE TABLE t (id INT PRIMARY KEY, u INT REFERENCES u (id)); CREATE TABLE u (id INT PRIMARY KEY);"
    catalog = Catalog.from_ddl(f"{enters.format('one')}{tables}{enters.format('two')}{tables}")
    assert catalog.failures == ()
    assert [table.id for table in catalog if table.name == "t"] == ids
    assert [catalog[id_].foreign_keys[0].target for id_ in ids] == ["one.u", "two.u"]


def test_schemas_of_several_databases_in_one_dump_of_sql_server() -> None:
    """The databases stand before their schemas; one database, and those without tables, do not."""
    table = "CREATE TABLE [dbo].[t]([x] [int], [y] [int] REFERENCES [dbo].[t]([x]))\nGO\n"
    catalog = Catalog.from_ddl(f"USE [one]\nGO\n{table}USE [two]\nGO\n{table}")
    assert [table.id for table in catalog] == ["one.dbo.t", "two.dbo.t"]
    assert catalog["two.dbo.t"].foreign_keys[0].target == "two.dbo.t"
    catalog = Catalog.from_ddl(f"USE [master]\nGO\nUSE [one]\nGO\n{table}")
    assert [table.id for table in catalog] == ["dbo.t"]


def test_attached_partitions_are_left_out() -> None:
    """As pg_dump has them: tables of their own, which later statements make partitions; nothing said of them counts."""
    catalog = Catalog.from_ddl(
        "CREATE TABLE s.m (a int, at date) PARTITION BY RANGE (at); CREATE TABLE s.m_1 (a int, at date);"
        "ALTER TABLE ONLY s.m ATTACH PARTITION s.m_1 FOR VALUES FROM (1) TO (2);"
        "ALTER TABLE ONLY s.m_1 ADD CONSTRAINT k PRIMARY KEY (a); COMMENT ON TABLE s.m_1 IS 'first';"
        "COMMENT ON COLUMN s.m_1.a IS 'number';"
    )
    assert [table.id for table in catalog] == ["s.m"]
    assert catalog.failures == ()
    assert any(note.startswith("1 partition of s.m ") for note in catalog.notes)


def test_several_keys_of_one_statement_of_bigquery() -> None:
    """Of tables whose whole names stand in one pair of backticks."""
    catalog = Catalog.from_ddl(
        "CREATE TABLE `p-1.s.a` (x INT64); CREATE TABLE `p-1.s.b` (x INT64, y INT64);"
        "ALTER TABLE `p-1.s.b` ADD FOREIGN KEY (x) REFERENCES `p-1.s.a`(x) NOT ENFORCED,"
        " ADD FOREIGN KEY (y) REFERENCES `p-1.s.a`(x) NOT ENFORCED;"
    )
    assert catalog.failures == ()
    assert [key.columns for key in catalog["p-1.s.b"].foreign_keys] == [("x",), ("y",)]


@pytest.mark.parametrize("script", ['CREATE TABLE "A"."O" OF "A"."T_TYP";', "CREATE TABLE t OF tt (PRIMARY KEY (a));"])
def test_a_table_of_a_type_says_what_to_do(script: str) -> None:
    catalog = Catalog.from_ddl(f"CREATE TABLE one (x INT); {script}")
    [(_, cause)] = catalog.failures
    assert cause == "its columns are those of a type, which are not read: write them out"
