"""The sample lake: the same for ever, its undeclared keys true, and its look-alikes without a link to the bank."""

import hashlib
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing

import pandas as pd
import pytest

from jar import JarError
from jar.sample import COUNTED, KEYS, QUESTIONS, sample_catalog, sample_columns, sample_frames, write_sample_lake

SEEDS = (0, 1, 7)


def cells(columns, column):
    """Return the distinct values of a column "database.table.column"."""
    table, _, name = column.rpartition(".")
    return set(columns[table][name])


def all_columns(columns):
    """Return every column as "database.table.column"."""
    return [f"{table}.{name}" for table, content in columns.items() for name in content]


def bank_ids():
    """Return the columns of the bank that identify or refer to a row, but for the counted district."""
    keys = {column for key in KEYS for column in key if column.startswith("bank.")}
    keys |= {"bank.card.card_id", "bank.loan.loan_id", "bank.transaction.transaction_id"}
    return {column for column in keys if not column.endswith("district_id")}


@pytest.fixture(scope="module", params=SEEDS)
def columns(request):
    return sample_columns(request.param)


def test_same_seed_same_lake():
    """Two calls with one seed give equal frames, and another seed gives others."""
    first, again, other = sample_frames(3), sample_frames(3), sample_frames(4)
    assert list(first) == list(again)
    for table, frame in first.items():
        pd.testing.assert_frame_equal(frame, again[table])
    assert not first["bank.client"].equals(other["bank.client"])


def test_lake_of_seed_0_never_changes():
    """The default lake, which documents quote, is the same on every platform; change the digest with the data only."""
    text = json.dumps(sample_columns(), sort_keys=True)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "22cf11322884e153"


def test_columns_of_a_table_have_equal_length(columns):
    """Every table is a rectangle, with as many values in each column."""
    for table in columns.values():
        assert len({len(values) for values in table.values()}) == 1


@pytest.mark.parametrize("rows", [10, 300, 1000])
def test_most_tables_have_about_the_rows_asked_for(rows):
    """All tables but the two small ones of fixed size have between a quarter of `rows` and twice `rows` rows."""
    sizes = {table: len(frame) for table, frame in sample_frames(rows=rows).items()}
    assert sizes.pop("bank.district") == 24
    assert sizes.pop("logistics.depots") == 40
    assert all(rows / 4 <= size <= 2 * rows for size in sizes.values()), sizes


def test_bank_and_a_dozen_look_alikes(columns):
    """The bank has its seven tables, and more than a dozen look-alikes lie in seven other databases."""
    databases = {}
    for table_id in columns:
        database, table = table_id.split(".")
        databases.setdefault(database, set()).add(table)
    assert databases.pop("bank") == {"client", "disposition", "account", "card", "loan", "transaction", "district"}
    assert len(databases) == 7
    assert 12 <= sum(map(len, databases.values())) <= 16


@pytest.mark.parametrize("rows", [9, 0, -1, 50_001])
def test_rows_out_of_range(rows):
    """A size for which the promises do not hold is refused with the range."""
    with pytest.raises(ValueError, match="10 to 50000"):
        sample_columns(rows=rows)


@pytest.mark.parametrize(("child", "parent"), KEYS)
def test_every_key_is_an_inclusion(columns, child, parent):
    """Every value of a referring column is a value of the column referred to, which holds each value once."""
    table, _, name = parent.rpartition(".")
    assert cells(columns, child) <= cells(columns, parent)
    assert len(set(columns[table][name])) == len(columns[table][name])


def test_keys_survive_the_largest_size():
    """At the largest size the ids of different kinds still share no value."""
    columns = sample_columns(rows=50_000)
    parents = sorted({parent for _, parent in KEYS} - set(COUNTED))
    values = [value for parent in parents for value in cells(columns, parent)]
    assert len(values) == len(set(values))


def test_bank_ids_occur_nowhere_else(columns):
    """No column shares a value with an id of the bank, but for the bank's own columns along its keys."""
    related = {frozenset(key) for key in KEYS}
    related |= {frozenset((a, b)) for a, parent in KEYS for b, other in KEYS if parent == other}
    for key in bank_ids():
        for column in all_columns(columns):
            if column != key and frozenset((column, key)) not in related:
                assert not cells(columns, key) & cells(columns, column), (key, column)


def test_counted_columns_contain_one_another(columns):
    """The columns in COUNTED hold 1, 2, 3, ..., so that each contains the shorter ones without a reference."""
    for column in COUNTED:
        values = cells(columns, column)
        assert values == set(range(1, len(values) + 1))


def test_only_counted_columns_contain_the_district_numbers(columns):
    """All district numbers occur outside the keys by coincidence only: in a counted column or one that refers to it."""
    coincidences = {*COUNTED, *(child for child, parent in KEYS if parent in COUNTED)}
    districts = cells(columns, "bank.district.district_id")
    assert {column for column in all_columns(columns) if districts <= cells(columns, column)} <= coincidences


def test_most_ids_do_not_count_from_1(columns):
    """Ids other than those in COUNTED are neither 1, 2, 3, ... nor without gaps."""
    for _, parent in KEYS:
        values = cells(columns, parent)
        if parent not in COUNTED and all(isinstance(value, int) for value in values):
            assert min(values) > len(values)
            assert max(values) - min(values) >= len(values)


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("bank.account.account_id", "telecom.subscribers.account_id"),
        ("bank.card.card_id", "telecom.sim_cards.card_id"),
        ("bank.loan.loan_id", "library.loans.loan_id"),
    ],
)
def test_one_name_other_values(columns, mine, theirs):
    """Three keys of other domains have the name and the type of a key of the bank, and none of its values."""
    assert {type(value) for value in cells(columns, mine)} == {type(value) for value in cells(columns, theirs)} == {int}
    assert not cells(columns, mine) & cells(columns, theirs)


def test_every_account_has_one_owner(columns):
    """Dispositions give each account exactly one owner, and each client exactly one disposition."""
    disposition = pd.DataFrame(columns["bank.disposition"])
    owned = disposition.loc[disposition["type"] == "OWNER", "account_id"]
    assert sorted(owned) == sorted(columns["bank.account"]["account_id"])
    assert sorted(disposition["client_id"]) == sorted(columns["bank.client"]["client_id"])
    assert set(disposition["type"]) == {"OWNER", "DISPONENT"}


def test_questions_name_tables_of_one_database(columns):
    """The tables that answer a question exist, belong to one database, and none is given twice."""
    assert len(QUESTIONS) == 3
    for question in QUESTIONS:
        assert set(question.tables) <= set(columns)
        assert len(set(question.tables)) == len(question.tables)
        assert len({table.split(".")[0] for table in question.tables}) == 1


@pytest.mark.parametrize(
    ("question", "bridge"),
    [(0, "bank.disposition"), (1, "library.loans"), (2, "bank.account")],
)
def test_tables_of_a_question_join_through_a_bridge_only(question, bridge):
    """The tables of a question are connected by keys, and fall apart without the bridge, which its text never names."""
    tables = QUESTIONS[question].tables
    assert len(components(tables)) == 1
    assert len(components([table for table in tables if table != bridge])) > 1
    assert bridge.split(".")[1].rstrip("s") not in QUESTIONS[question].text.lower()


def components(tables):
    """Return the sets of tables that keys between the given tables connect, two uses of one parent included."""
    ends = [(child.rpartition(".")[0], parent) for child, parent in KEYS]
    ends += [(parent.rpartition(".")[0], parent) for _, parent in KEYS]
    parts = [{table} for table in tables]
    for left, parent in ends:
        for right, other in ends:
            if parent == other and left in tables and right in tables:
                joined = [part for part in parts if left in part or right in part]
                parts = [part for part in parts if part not in joined] + [set().union(*joined)]
    return parts


ANSWERS = (
    """SELECT DISTINCT c.client_id FROM client c JOIN disposition d USING (client_id) JOIN card k USING (disposition_id)
       JOIN loan l USING (account_id) WHERE c.gender = 'F' AND d.type = 'OWNER' AND k.type LIKE 'credit%'""",
    """SELECT DISTINCT m.member_id FROM members m JOIN loans USING (member_id) JOIN books b USING (shelf_mark)
       WHERE b.genre = 'poetry'""",
    """SELECT region, avg(amount) FROM loan JOIN account USING (account_id) JOIN district USING (district_id)
       GROUP BY region""",
)


@pytest.mark.parametrize("question", range(3))
def test_questions_have_answers(tmp_path, question):
    """Each question, written as SQL over its tables, gives some rows, and not one for every client or member."""
    write_sample_lake(tmp_path, format="sqlite")
    database = QUESTIONS[question].tables[0].split(".")[0]
    with closing(sqlite3.connect(tmp_path / f"{database}.sqlite")) as connection:
        answer = connection.execute(ANSWERS[question]).fetchall()
    assert 0 < len(answer) < 300
    if question == 2:
        assert len(answer) == 6


@pytest.mark.parametrize(
    ("kind", "read"),
    [("csv", pd.read_csv), ("parquet", pd.read_parquet)],
)
def test_files_round_trip(tmp_path, kind, read):
    """A file per table lies in the folder of its database, and reads back as the frame that was written."""
    frames = sample_frames()
    paths = write_sample_lake(tmp_path, format=kind)
    assert [path.relative_to(tmp_path).as_posix() for path in paths] == [
        f"{table.replace('.', '/')}.{kind}" for table in frames
    ]
    for path, frame in zip(paths, frames.values(), strict=True):
        assert_same(read(path), frame)


def test_sqlite_round_trips_without_declared_keys(tmp_path):
    """A file per database holds every table as it was, even when written twice, and declares no key and no index."""
    write_sample_lake(tmp_path, seed=5, format="sqlite")
    paths = write_sample_lake(tmp_path, format="sqlite")
    assert sorted(paths) == sorted(tmp_path.iterdir())
    frames = sample_frames()
    for path in paths:
        with closing(sqlite3.connect(path)) as connection:
            names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master ORDER BY rowid")]
            assert names == [table.split(".")[1] for table in frames if table.startswith(f"{path.stem}.")]
            for name in names:
                assert_same(pd.read_sql(f'SELECT * FROM "{name}"', connection), frames[f"{path.stem}.{name}"])
                assert not connection.execute(f'PRAGMA foreign_key_list("{name}")').fetchall()
                assert not any(column[5] for column in connection.execute(f'PRAGMA table_info("{name}")'))


def assert_same(read, written):
    """Compare values, column by column; an empty cell may have come back as None or NaN."""
    assert list(read.columns) == list(written.columns)
    for column in written:
        assert read[column].astype(object).where(read[column].notna(), None).tolist() == [
            None if pd.isna(value) else value for value in written[column]
        ]


def test_csv_files_are_the_same_bytes_in_another_process(tmp_path):
    """Neither hash randomisation nor the process changes a byte, and lines end in a line feed alone."""
    here = write_sample_lake(tmp_path / "here", seed=2)
    program = "import sys; from jar.sample import write_sample_lake; write_sample_lake(sys.argv[1], seed=2)"
    environment = {**os.environ, "PYTHONHASHSEED": "99"}
    subprocess.run([sys.executable, "-c", program, str(tmp_path / "there")], check=True, env=environment)
    for path in here:
        content = path.read_bytes()
        assert content == (tmp_path / "there" / path.relative_to(tmp_path / "here")).read_bytes()
        assert b"\r" not in content


def test_unknown_format_lists_the_choices(tmp_path):
    """An unknown format is refused before anything is written, with the formats that exist."""
    with pytest.raises(ValueError, match="'xml': choose one of csv, sqlite, parquet"):
        write_sample_lake(tmp_path / "lake", format="xml")
    assert not (tmp_path / "lake").exists()


def test_catalog_holds_every_table():
    """The catalog of the lake has the tables and columns of the frames, and declares no key."""
    catalog = sample_catalog()
    assert not catalog.failures
    assert {table.id: list(table.column_names) for table in catalog.tables} == {
        table_id: list(table) for table_id, table in sample_columns().items()
    }
    assert not any(table.primary_key or table.foreign_keys for table in catalog.tables)


def test_import_is_light():
    """Importing the module, and drawing columns, loads neither numpy nor pandas."""
    program = "import sys, jar.sample; jar.sample.sample_columns(); print({'numpy', 'pandas'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize("file_format", ["csv", "parquet", "sqlite"])
def test_only_a_sample_is_written_over(tmp_path, file_format):
    """Another seed may be; a file of the user's may not, and then nothing is written."""
    written = write_sample_lake(tmp_path, format=file_format)
    assert write_sample_lake(tmp_path, seed=1, format=file_format) == written
    mine = written[-1]
    for path in written:
        path.unlink()
    if file_format == "sqlite":
        with closing(sqlite3.connect(mine)) as connection, connection:
            connection.execute("CREATE TABLE mine (id INTEGER)")
    else:
        mine.write_text("id,mine\n1,2\n")
    before = mine.read_bytes()
    with pytest.raises(JarError, match="no file of the sample"):
        write_sample_lake(tmp_path, format=file_format)
    assert mine.read_bytes() == before
    assert [path for path in written if path.exists()] == [mine]
    mine.unlink()
    mine.mkdir()
    with pytest.raises(JarError, match="no file of the sample"):
        write_sample_lake(tmp_path, format=file_format)
