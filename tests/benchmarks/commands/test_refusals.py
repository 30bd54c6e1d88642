"""What the commands of the benchmarks refuse before any work: options, folders of one name, places to write."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from benchmarks.__main__ import REFUSED, _entry, main
from benchmarks.commands.run import RUNNERS
from benchmarks.data.beir import beir_name
from benchmarks.data.datasets import SharedNameError, check_datasets, load_dataset
from benchmarks.runs.evaluation import Options
from benchmarks.runs.vectors import VectorCache
from benchmarks.solvers.questions import Corpus
from benchmarks.solvers.solver_page import NoStudiesError


def invoke(*arguments: str | Path) -> Result:
    """``python -m benchmarks`` with these arguments."""
    return CliRunner().invoke(main, list(map(str, arguments)))


def union(data: Path, output: Path, *datasets: Path) -> Result:
    """A run of two systems on folders in the layout of BEIR."""
    pytest.importorskip("wordllama", reason="the static embedder is an extra")
    names = ",".join(f"beir:{folder}" for folder in datasets)
    common = ("--data", data, "--output", output, "--embedder", "static", "--systems", "oracle,dense")
    return invoke("run", "--task", "union", "--datasets", names, *common)


@pytest.fixture
def namesake(clinic: Path, tmp_path: Path) -> Path:
    """Another folder of the same name, with another question."""
    folder = tmp_path / "other" / "clinic"
    shutil.copytree(clinic, folder)
    (folder / "queries.jsonl").write_text('{"_id": "q", "text": "Which beds are paid?"}\n')
    return folder


@pytest.mark.parametrize("systems", [(), ("--systems", "dense")])
@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("--solver", "unknown solver 'nope'; known solvers: "),
        ("--embedder", "unknown embedder 'nope': choose "),
    ],
)
def test_a_name_that_nothing_has(option: str, told: str, systems: tuple[str, ...], tmp_path: Path) -> None:
    """It is refused before any work, also where no system of the run would take it."""
    found = invoke("run", "--output", tmp_path / "out", "--data", tmp_path, *systems, option, "nope")
    assert isinstance(found.exception, REFUSED)
    assert told in str(found.exception)
    assert "reading" not in found.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("value", ["", " , "])
@pytest.mark.parametrize(
    "words", [("run", "--datasets"), ("run", "--systems"), ("solvers", "--studies"), ("errors", "--datasets")]
)
def test_a_list_without_a_name_does_not_mean_all(words: tuple[str, str], value: str, tmp_path: Path) -> None:
    """It is refused."""
    command, option = words
    found = invoke(command, "--output", tmp_path / "out", "--data", tmp_path, option, value)
    assert found.exit_code == 2
    assert "it names nothing" in " ".join(found.stderr.split())


def test_nothing_to_run_and_nothing_to_write_is_refused(tmp_path: Path) -> None:
    """--no-run is about the page of what is there."""
    assert "--no-run is for --report" in invoke("solvers", "--no-run", "--output", tmp_path).stderr


def test_an_interrupt_is_told_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the status that shells give it."""

    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setitem(RUNNERS, "joins", interrupt)
    monkeypatch.setattr("sys.argv", ["benchmarks", "run", "--task", "joins", "--data", str(tmp_path)])
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stopped:
        _entry()
    assert stopped.value.code == 130
    assert capsys.readouterr().err.strip() == "stopped"


def test_a_page_of_no_study_is_refused(tmp_path: Path) -> None:
    """What the page had stays."""
    page = tmp_path / "page.md"
    page.write_text("figures")
    found = invoke("solvers", "--no-run", "--report", page, "--output", tmp_path / "out")
    assert isinstance(found.exception, NoStudiesError)
    assert isinstance(found.exception, REFUSED)
    assert "solvers has no study: make them with" in str(found.exception)
    assert page.read_text() == "figures"


def test_folders_of_one_name_are_refused(clinic: Path, namesake: Path, public_layout: Path, tmp_path: Path) -> None:
    """Before any work: the results of one would be taken for those of the other."""
    output = tmp_path / "out"
    found = union(public_layout, output, clinic, namesake)
    assert isinstance(found.exception, SharedNameError)
    assert not output.exists()


def test_the_page_names_the_folder_that_was_read(clinic: Path, public_layout: Path, tmp_path: Path) -> None:
    """Its command can be given again; so can that of other qrels."""
    (clinic / "qrels" / "dev.tsv").write_text((clinic / "qrels" / "test.tsv").read_text())
    for place in (clinic, clinic / "qrels" / "dev.tsv"):
        assert union(public_layout, tmp_path / "out", place).exit_code == 0
    assert invoke("report", "--output", tmp_path / "out", "--page", tmp_path / "page.md").exit_code == 0
    text = (tmp_path / "page.md").read_text()
    assert f"--task union --datasets beir:{clinic} " in text
    assert f"--task union --datasets beir:{clinic}/qrels/dev.tsv " in text


def test_one_folder_has_one_name(clinic: Path, namesake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However its path is written; a link gives a folder another name."""
    link = clinic.parent / "second"
    link.symlink_to(namesake, target_is_directory=True)
    check_datasets([f"beir:{clinic}", f"beir:{clinic}/../clinic", f"beir:{clinic}/qrels/test.tsv", f"beir:{link}"])
    monkeypatch.chdir(clinic)
    assert beir_name(Path()) == beir_name(clinic) == ("beir:clinic", str(clinic.resolve()))
    dataset = load_dataset("beir:.", clinic)
    assert (dataset.name, dataset.folder) == beir_name(clinic)
    assert dataset.catalog["clinic.beds"].database == "clinic"


def test_questions_of_any_name_become_cases(clinic: Path, public_layout: Path, tmp_path: Path) -> None:
    """An id that is no number stands in the label as it is."""
    pytest.importorskip("wordllama", reason="the static embedder is an extra")
    options = Options(public_layout, tmp_path, embedder="static")
    corpus = Corpus(f"beir:{clinic}", options, VectorCache("static", tmp_path / "vectors"))
    assert [case.label for case in corpus.cases(1, 3, (2,))] == [f"beir:{clinic}-qq"]


COMMANDS = (
    ("run",),
    ("speed",),
    ("solvers",),
    ("errors",),
    ("lake",),
    ("peers",),
    ("joins", "measure"),
)


@pytest.mark.parametrize("command", COMMANDS, ids="-".join)
def test_an_output_folder_that_can_not_be_written(command: tuple[str, ...], tmp_path: Path) -> None:
    """A file in its place, or in that of a folder above, is told in a line; nothing is made."""
    (tmp_path / "file").write_text("")
    given = () if command == ("lake",) else ("--data", tmp_path)
    for output, told in ((tmp_path / "file", "is a file"), (tmp_path / "file" / "below", "file is no folder")):
        found = invoke(*command, "--output", output, *given)
        assert found.exit_code == 2
        assert told in " ".join(found.stderr.split())
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    "arguments", [("report", "--page"), ("errors", "--page"), ("solvers", "--report")],
)
def test_a_page_that_can_not_be_written(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """It is refused before anything is measured for them."""
    (tmp_path / "file").write_text("")
    found = invoke(*arguments, tmp_path / "file" / "page.md")
    assert found.exit_code == 2
    assert "can not be written" in found.stderr
