"""A fit to logged questions: what it gives, where it is kept, how it is taken back, and when it is refused."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from jar import FitRefusedError, Index, JarError, QueryError, Reranker, Selection
from jar.fitting.stored_fit import fit_status, stored_fit
from jar.index.stated import FIT, kept_fit
from jar.learned.adaptation import Adaptation, hashed_words
from jar.learned.relevance_model import shipped_model
from jar.tables.query import Ask, Conditions, Limits
from tests.jar.conftest import toy_embedder
from tests.jar.fitting.fitting_shop import ASKED, HELD, UNSEEN, questions, shop_catalog

LOG, GOLD = map(list, zip(*questions(ASKED), strict=True))


def found(index: Index) -> int:
    """Questions of forms that are in no log whose table is chosen beside the one that is called so."""
    reranker = Reranker(index)
    return sum(table in reranker.rank(text, 2).tables for text, table in questions(UNSEEN))


def fitted(index: Index) -> Index:
    """The index after a fit to the log."""
    Reranker(index).fit(LOG, [[table] for table in GOLD], progress=False)
    return index


def test_a_fit_finds_tables_whose_names_mislead(shop: Index) -> None:
    """Tables that a question asks for by other words are chosen once such questions are logged; the report has it."""
    assert found(shop) <= 1
    reranker = Reranker(shop)
    report = reranker.fit(LOG, [[table] for table in GOLD], progress=False)
    assert found(shop) == len(UNSEEN) * len(HELD)
    assert (report.questions, report.tables, report.left_out) == (len(LOG), len(HELD), ())
    by_name = {gain.name: gain for gain in report.gains}
    assert by_name["CR@5"].after == 100
    assert 0 < by_name["CR@5"].low < by_name["CR@5"].gain < by_name["CR@5"].high
    assert f"CR@5  {by_name['CR@5'].before:5.1f} -> 100.0" in str(report)
    assert report.to_dict()["gains"][0]["gain"] == by_name["CR@5"].gain


def test_an_explanation_says_that_relevance_is_fitted(shop: Index) -> None:
    """It says to how many questions, and which tables logged questions speak for."""
    assert "fitted" not in Reranker(shop).rank(LOG[0], 1).explain()
    answer = Reranker(fitted(shop)).rank("What became of the customers?", 2)
    assert "logged questions with such words need it" in answer.reasons["shop.kd_stamm"]
    assert f"relevance is fitted to {len(LOG)} logged questions on " in answer.explain()
    assert answer.to_dict()["fitted"] == answer.fitted


def test_a_relevance_that_is_asked_for_has_no_fit(shop: Index) -> None:
    """A caller who names a relevance gets just that."""
    before = [Reranker(shop, relevance=name).rank(LOG[0], 3).to_dict()["scores"] for name in ("cosine", "learned")]
    fitted(shop)
    after = [Reranker(shop, relevance=name).rank(LOG[0], 3).to_dict()["scores"] for name in ("cosine", "learned")]
    assert after == before


def test_the_number_of_tables_is_chosen_with_the_fit(shop: Index) -> None:
    """With k="auto", too, tables of the log that had hardly a chance have one eight times as great at least.

    They need not be chosen: a table that bears the very word of the question has log-odds of its own, which few logged
    questions need not outweigh. What the fit promises is that both are among as many tables as are asked for.
    """
    told = list(questions(UNSEEN))
    plain = Reranker(shop)
    before = [chance_of(table, plain.rank(text, "auto")) for text, table in told]
    fit = Reranker(fitted(shop))
    after = [chance_of(table, fit.rank(text, "auto")) for text, table in told]
    assert max(before) < 0.07
    assert min(after) > 0.25
    assert float(np.mean(after)) > 2 * max(before)
    assert all(later > 8 * sooner for sooner, later in zip(before, after, strict=True))


def chance_of(table: str, selection: Selection) -> float:
    """The probability of the sets that an answer tells of and that hold a table."""
    others = [(one.tables, one.probability) for one in selection.alternatives]
    sets = [(selection.tables, selection.confidence or 0.0), *others]
    return sum(chance for tables, chance in sets if table in tables)


def test_a_fit_is_taken_back(shop: Index) -> None:
    """The open index and the file rank as before; a second time there is nothing to undo."""
    before = Reranker(shop).rank(LOG[0], 3).scores
    Reranker(fitted(shop)).unfit()
    for index in (shop, Index.load(shop.path, embedder=toy_embedder)):
        assert Reranker(index).rank(LOG[0], 3).scores == before
        with pytest.raises(QueryError, match="nothing to undo"):
            Reranker(index).unfit()


def test_a_fit_is_kept_in_the_file_without_the_questions(shop: Index) -> None:
    """Whoever opens the file ranks with the fit; no rare word of a question is in its bytes."""
    fitted(shop)
    data = shop.path.read_bytes().lower()
    assert b"zwiesel" not in data
    assert not any(question.lower().encode() in data for question in LOG)
    assert found(Index.load(shop.path, embedder=toy_embedder)) == len(UNSEEN) * len(HELD)


def test_the_same_log_gives_the_same_fit(shop: Index) -> None:
    """Nothing depends on the order of the log but the folds; the figures and the fit of one order are the same."""
    first = Reranker(shop).fit(LOG, [[table] for table in GOLD])
    text = shop.contents.meta[FIT]
    second = Reranker(shop).fit(LOG, [[table] for table in GOLD])
    assert replace(first, seconds=0.0) == replace(second, seconds=0.0)
    assert shop.contents.meta[FIT] == text


def test_a_fit_outlives_a_refresh(shop: Index) -> None:
    """Tables that stay keep what is learned; one that is gone has no effect, is told of, and may come back."""
    fitted(shop)
    smaller = Index.build(shop_catalog(without="wrk"), path=shop.path, embedder=toy_embedder, progress=False)
    assert found(smaller) == len(UNSEEN) * (len(HELD) - 1)
    status = fit_status(smaller.contents)
    assert status is not None
    assert status.gone == ("shop.wrk",)
    whole = Index.build(shop_catalog(), path=shop.path, embedder=toy_embedder, progress=False)
    assert found(whole) == len(UNSEEN) * len(HELD)


def test_a_fit_made_while_a_refresh_was_interrupted_is_kept(shop: Index) -> None:
    """What an interrupted run left does not bring an older fit back, or lose a newer one."""
    partial = shop.path.with_name(shop.path.name + ".partial")
    partial.write_bytes(shop.path.read_bytes())
    fitted(shop)
    again = Index.build(shop_catalog(without="log"), path=shop.path, embedder=toy_embedder, progress=False)
    assert found(again) == len(UNSEEN) * len(HELD)
    partial.write_bytes(shop.path.read_bytes())
    Reranker(again).unfit()
    last = Index.build(shop_catalog(), path=shop.path, embedder=toy_embedder, progress=False)
    assert fit_status(last.contents) is None


def test_too_few_questions_are_refused(shop: Index) -> None:
    """The refusal says how many can be used, and which rows can not, and why; the index stays as it is."""
    gold = [[table] for table in GOLD[:29]]
    with pytest.raises(FitRefusedError, match="29 questions can be used; 30 are needed") as refusal:
        Reranker(shop).fit([*LOG[:29], "Who?", " "], [*gold, ["shop.custmers"], ["shop.log"]])
    assert "row 30: the index has no table 'shop.custmers'; did you mean shop.customers" in str(refusal.value)
    assert "row 31: the question is empty" in str(refusal.value)
    assert fit_status(shop.contents) is None


def test_one_question_many_times_is_refused(shop: Index) -> None:
    """Wordings of a few questions are no evidence on others."""
    with pytest.raises(FitRefusedError, match="only 5 differ by more than the wording"):
        Reranker(shop).fit(LOG[:5] * 8, [[table] for table in GOLD[:5]] * 8)


def test_what_does_not_help_is_refused(shop: Index) -> None:
    """Where names do not mislead there is nothing to gain, and the refusal has the figures that show it."""
    called = [f"shop.{subject}" for _ in ASKED for subject in HELD]
    with pytest.raises(FitRefusedError, match=r"do not show that it helps(.|\n)*CR@5 +100.0 -> 100.0"):
        Reranker(shop).fit(LOG, [[table] for table in called])
    assert fit_status(shop.contents) is None


def test_a_fit_is_for_rankings_that_use_it(shop: Index) -> None:
    """A re-ranker over columns, or of a relevance of its own, refuses to fit; so it does lists of two lengths."""
    for reranker in (Reranker(shop, "crush"), Reranker(shop, relevance="learned")):
        with pytest.raises(QueryError, match="leave relevance out"):
            reranker.fit(LOG, [[table] for table in GOLD])
    with pytest.raises(QueryError, match="40 questions and gold for 39"):
        Reranker(shop).fit(LOG, GOLD[1:])
    with pytest.raises(QueryError, match="questions is a list"):
        Reranker(shop).fit(LOG[0], GOLD)


def test_a_fit_of_another_version_is_told_of(shop: Index) -> None:
    """The error says what to do, and a relevance that is asked for ranks nevertheless."""
    for text, message in (('{"version": 99}', "fit of version 99, not 1: fit it again"), ("{}", "damaged fit")):
        with kept_fit(shop.path, text):
            pass
        index = Index.load(shop.path, embedder=toy_embedder)
        with pytest.raises(JarError, match=message):
            Reranker(index).rank(LOG[0], 1)
        assert Reranker(index, relevance="learned").rank(LOG[0], 1).tables


def test_an_adaptation_survives_its_text(shop: Index) -> None:
    """What is read adds what was written."""
    fitted(shop)
    adaptation = stored_fit(shop.contents)
    assert adaptation is not None
    other = Adaptation.from_text(adaptation.to_text())
    words, tables = hashed_words(LOG[3], frozenset()), ["shop.kd_stamm", "shop.log", "shop.unknown"]
    told = adaptation.adapted(words, tables)
    np.testing.assert_allclose(other.adapted(words, tables).log_odds, told.log_odds, atol=1e-9)
    assert told.log_odds[2] == 0
    assert json.loads(adaptation.to_text())["card"]["questions"] == len(LOG)


def test_log_odds_enter_beside_those_of_the_model(shop: Index) -> None:
    """A fitted instance is that of the shipped model with the weight times what is learned, moved to a least of 0."""
    fitted(shop)
    rankers = [Reranker(shop, relevance="learned")._ranker(), Reranker(shop)._ranker()]
    plain, told = (ranker.problem(*ranker.read([Ask(LOG[2])]), 3, 20, Conditions().limits) for ranker in rankers)
    model = shipped_model()
    within = rankers[0].weight(plain.tables, True, model)
    without = plain.reduction.instance.relevance - 0.1 * within * (
        plain.judged.log_odds - plain.judged.log_odds.min()
    )
    odds = plain.judged.log_odds + told.judged.adapted.log_odds
    np.testing.assert_allclose(
        told.reduction.instance.relevance, without + 0.1 * model.weight * (odds - odds.min()), atol=1e-6
    )
    assert Limits() == Conditions().limits
