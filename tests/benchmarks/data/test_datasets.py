"""The loaders on the real files, and on files in the layout of the public releases."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from benchmarks.data.dataset_form import Dataset
from benchmarks.data.datasets import load_dataset
from benchmarks.data.layout import Layout, MissingDataError, data_root

# Sizes as the data's own description gives them: tables, questions, questions with several gold tables.
EXPECTED = {
    "spider": (81, 1034, 459),
    "bird": (75, 1534, 1171),
    "spider-union": (876, 658, 263),
    "bird-union": (597, 1534, 1171),
    "spider-training": (876, 6726, 2898),
}


@pytest.fixture(scope="module")
def datasets(data_folder: Path) -> dict[str, Dataset]:
    """The data sets whose description counts them."""
    return {name: load_dataset(name, data_folder) for name in EXPECTED}


@pytest.mark.parametrize("name", EXPECTED)
def test_sizes(datasets: dict[str, Dataset], name: str) -> None:
    """A data set has the tables and questions that its description counts."""
    dataset = datasets[name]
    several = dataset.restricted(minimum_tables=2)
    assert (len(dataset.catalog), len(dataset.questions), len(several.questions)) == EXPECTED[name]


@pytest.mark.parametrize("name", EXPECTED)
def test_every_gold_table_is_in_the_corpus(datasets: dict[str, Dataset], name: str) -> None:
    """Each question has gold tables, and the corpus has them all."""
    corpus = {table.id.casefold() for table in datasets[name].catalog}
    for question in datasets[name].questions:
        assert question.gold_tables
        assert question.gold_tables <= corpus


def test_training_questions_are_on_other_databases(datasets: dict[str, Dataset]) -> None:
    """What is chosen by them has not seen a database of the questions that are reported on."""
    training, development = ({q.database for q in datasets[name].questions} for name in ("spider-training", "spider"))
    assert len(training) == 137
    assert not training & development


def test_spider_has_rows_and_sqlites_own_table_has_none(datasets: dict[str, Dataset]) -> None:
    """Tables of Spider read their SQLite file; sqlite_sequence stays in the corpus, as a schema."""
    without = [table.id for table in datasets["spider"].catalog if table.source is None]
    assert without == ["world_1.sqlite_sequence"]
    singer = datasets["spider"].catalog["concert_singer.singer"]
    assert sum(len(batch[0]) for batch in singer.source.batches(100)) == 6


def test_bird_has_statistics_and_samples(datasets: dict[str, Dataset]) -> None:
    """Tables of BIRD carry what their owner knows: counts for all columns, up to ten sample values of each."""
    for table in datasets["bird"].catalog:
        assert table.statistics is not None
        assert table.statistics.row_count > 0
        assert set(table.statistics.columns) == set(table.column_names)
    assert "sample rows" in datasets["bird"].note
    client = datasets["bird"].catalog["financial.client"].statistics
    assert client is not None
    assert client.columns["client_id"].uniqueness == 1.0
    assert len(client.columns["client_id"].sample_values) == 10


def test_declared_keys_are_known(datasets: dict[str, Dataset]) -> None:
    """Keys come with the corpus, from the SQLite files or from the schema file."""
    for name in EXPECTED:
        keys = [key.target for table in datasets[name].catalog for key in table.foreign_keys]
        assert len(keys) > 50
        assert all(target in datasets[name].catalog for target in keys)


def test_natural_names_come_only_when_asked_for(data_folder: Path, datasets: dict[str, Dataset]) -> None:
    """By default a column has no more than its own name."""
    natural = load_dataset("spider", data_folder, "natural").catalog["world_1.countrylanguage"]
    assert "is official" in {column.natural_name for column in natural.columns}
    assert all(column.natural_name is None for _, column in datasets["spider"].catalog.columns)


def test_a_limit_takes_questions_evenly(datasets: dict[str, Dataset]) -> None:
    """A slice of the questions keeps the databases mixed."""
    some = datasets["spider"].restricted(2, limit=20)
    assert len(some.questions) == 20
    assert len({question.database for question in some.questions}) >= 10


def test_given_decompositions_belong_to_their_questions(datasets: dict[str, Dataset]) -> None:
    """Sub-queries come with the question they were written for, in the union as in the dev set."""
    of_text = {question.text: question.subqueries for question in datasets["spider"].questions}
    assert of_text["How many singers do we have?"] == ("singers",)
    for question in datasets["spider-union"].questions:
        assert question.subqueries == of_text[question.text]


@pytest.mark.parametrize("name", ["spider", "bird"])
def test_the_public_layout_is_read(public_layout: Path, name: str) -> None:
    """tables.json, dev.json and database/<db>/<db>.sqlite give corpus, rows, keys and questions, in either naming."""
    dataset = load_dataset(name, public_layout, "natural")
    assert (len(dataset.catalog), len(dataset.questions), len(dataset.restricted(2).questions)) == (12, 8, 4)
    client = dataset.catalog["bank.Client"]
    assert [column.natural_name for column in client.columns] == ["client id", "name"]
    assert sum(len(batch[0]) for batch in client.source.batches(100)) == 10
    assert dataset.questions[1].gold_tables == {"bank.client", "bank.disp", "bank.card"}
    assert dataset.questions[1].subqueries is None
    assert dataset.note == ""


def test_a_corpus_without_all_of_its_files_has_no_rows(public_layout: Path, tmp_path: Path) -> None:
    """Where one database file is missing none is read, so that all overlaps come from the same kind of source."""
    copy = shutil.copytree(public_layout / "spider", tmp_path / "spider")
    shutil.rmtree(copy / "database" / "gym")
    catalog = load_dataset("spider", tmp_path).catalog
    assert len(catalog) == 12
    assert all(table.source is None for table in catalog)
    assert catalog["bank.Disp"].foreign_keys[0].target == "bank.Client"


def test_a_missing_file_is_named_with_the_way_to_get_it(public_layout: Path, tmp_path: Path) -> None:
    """The error says which file is missing where, where to download it, and which option points to it."""
    shutil.copytree(public_layout / "spider", tmp_path / "spider", ignore=shutil.ignore_patterns("dev.json"))
    with pytest.raises(MissingDataError, match=r"spider has no dev_questions.json or dev.json.*yale.*--data"):
        load_dataset("spider", tmp_path)
    with pytest.raises(MissingDataError, match=r"bird-bench"):
        Layout(tmp_path, "bird").require("dev.json")
    with pytest.raises(MissingDataError, match=r"has no union_questions.json, which is not part of the public release"):
        Layout(tmp_path, "spider").require("union_questions.json")


def test_a_missing_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The option comes before the environment, and a folder that is not there is an error with the choices."""
    monkeypatch.setenv("JAR_DATA", str(tmp_path))
    assert data_root() == tmp_path
    with pytest.raises(MissingDataError, match=r"nowhere.*JAR_DATA"):
        data_root(tmp_path / "nowhere")


def test_an_unknown_data_set_lists_the_known(tmp_path: Path) -> None:
    """The message has every name of the registry."""
    with pytest.raises(KeyError, match="spider, bird, spider-union, bird-union"):
        load_dataset("spyder", tmp_path)
