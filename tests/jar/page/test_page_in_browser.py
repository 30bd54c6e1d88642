"""A page in headless Chromium: clicks, keys, sizes, what is copied, and that names stay names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hostile import HOSTILE, RUN

from jar import Catalog, Index, Reranker
from jar.page.answer_model import answer_model, key
from jar.page.exploration import Exploration
from jar.page.wishes import Wish
from jar.sample import QUESTIONS

QUESTION = QUESTIONS[0].text


@pytest.fixture(scope="module")
def explored(lake_index: Index) -> Exploration:
    return Reranker(lake_index).explore(QUESTION, 4)


@pytest.fixture(scope="module")
def file(explored: Exploration, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "out.html"
    explored.save(path)
    return path


@pytest.fixture
def page(watched: Any, file: Path) -> Any:
    """The page, opened from disk; afterwards: it asked for nothing else, and nothing complained."""
    watched.tab.goto(file.as_uri())
    watched.tab.wait_for_selector("#answer[data-ready]")
    yield watched.tab
    assert watched.complaints == []
    assert [url for url in watched.requests if url not in {file.as_uri(), "data:,"}] == []


def cards(page: Any) -> set[str]:
    return set(page.locator(".card .name").evaluate_all("all => all.map(each => each.title)"))


def ids(explored: Exploration, wish: Wish) -> set[str]:
    solution = explored.best(*wish)
    assert solution is not None
    return {explored.ids[item] for item in solution.items}


def test_the_page_shows_the_answer(page: Any, explored: Exploration) -> None:
    """Question, chosen tables, joins, conditions, SQL and words stand there at once."""
    assert page.inner_text("h1") == QUESTION
    assert cards(page) == set(explored.selection.tables)
    assert page.locator("#joins li").count() == len(explored.selection.joins)
    assert page.text_content("#conditions").split("\n") == [join.condition for join in explored.selection.joins]
    assert page.text_content("#sql") == explored.selection.to_sql_context()
    assert page.text_content("#words") == explored.selection.explain()
    assert page.locator("#left li").count() == explored.count - 4
    assert page.locator(".lines .ask").count() == len(explored.selection.coverage)
    assert page.locator(".lines .join").count() == len(explored.selection.joins)


def test_a_click_excludes_and_another_takes_back(page: Any, explored: Exploration) -> None:
    """The set after a click on a chosen table is the exact one without it; its mark takes the wish back."""
    table = explored.chosen[0]
    page.click(f'[data-key="t{table}"]')
    assert cards(page) == ids(explored, Wish(4, (), (table,)))
    assert "is excluded" in page.inner_text("#news")
    page.click(".wish.exclude")
    assert cards(page) == set(explored.selection.tables)


def test_a_click_on_a_grey_table_requires_it(page: Any, explored: Exploration) -> None:
    """The best set with a candidate that was left out, and what it costs."""
    table = next(item for item in range(explored.count) if item not in explored.chosen)
    cost = page.inner_text(f'li:has(> [data-key="t{table}"]) .cost')
    lost = explored.best(4, (table,)).value - explored.selection.value
    assert float(cost.replace("\u2212", "-")) == pytest.approx(lost, abs=0.06)
    page.click(f'[data-key="t{table}"]')
    assert cards(page) == ids(explored, Wish(4, (table,)))
    assert page.locator(".card.required").count() == 1


def test_keys_do_what_clicks_do(page: Any, explored: Exploration) -> None:
    """Tab reaches a table; Enter, R and X wish; the focus stays where the table went."""
    table = explored.chosen[-1]
    page.focus(f'[data-key="t{table}"]')
    page.keyboard.press("x")
    assert cards(page) == ids(explored, Wish(4, (), (table,)))
    assert page.evaluate("document.activeElement.dataset.key") == f"t{table}"
    page.keyboard.press("r")
    assert explored.ids[table] in cards(page)
    page.keyboard.press("Enter")
    assert cards(page) == set(explored.selection.tables)
    page.focus("#size")
    page.keyboard.press("ArrowLeft")
    assert cards(page) == ids(explored, Wish(3))
    assert page.get_attribute("#size", "aria-valuetext") == "3 tables"


def test_every_size_is_there_with_its_confidence(page: Any, explored: Exploration) -> None:
    """The slider goes from one table to the largest size, with the chance of each."""
    for size in (1, 2, int(page.get_attribute("#size", "max"))):
        page.fill("#size", str(size))
        assert page.locator(".card").count() == size
        chance = explored.confidence(explored.best(size).items)
        assert f"({100 * chance:.0f} %)" in page.inner_text("#chance")


def test_evidence_shows_on_hover_and_focus(page: Any) -> None:
    """A join tells its condition, its strength and what speaks for it, and hides that again."""
    join = page.locator(".strength").first
    join.focus()
    told = page.inner_text("#tip")
    assert "strength" in told
    assert "values of" in told
    assert page.locator("#tip").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("#tip").is_visible()
    join.hover()
    assert page.locator("#tip").is_visible()


def test_all_controls_have_names(page: Any) -> None:
    """Every button and field has a name for a screen reader, and the joins and tables are lists."""
    unnamed = page.evaluate(
        "[...document.querySelectorAll('button,input,select')].filter(each => "
        "!(each.getAttribute('aria-label') || each.textContent.trim() || each.labels?.length)).length"
    )
    assert unnamed == 0
    assert page.get_by_role("list", name="Chosen tables", exact=True).count() == 1
    assert page.get_by_role("status").count() == 1


def test_what_was_not_computed_is_said(watched: Any, explored: Exploration, tmp_path: Path) -> None:
    """Without its set a wish leaves the picture as it was, and the page names the command that answers it."""
    from jar.page.document import document

    answered = answer_model(explored, {Wish(4): explored.best(4)})
    (tmp_path / "out.html").write_text(document(answered), encoding="utf-8")
    watched.tab.goto((tmp_path / "out.html").as_uri())
    watched.tab.click(f'[data-key="t{explored.chosen[0]}"]')
    assert "was not computed for this page" in watched.tab.inner_text("#news")
    assert f"--exclude '{explored.ids[explored.chosen[0]]}'" in watched.tab.inner_text("#news")
    assert cards(watched.tab) == set(explored.selection.tables)
    assert key(Wish(4, (), (explored.chosen[0],))) not in answered["best"]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390), ("light", 320)])
def test_it_fits_dark_and_narrow(chromium: Any, file: Path, scheme: str, width: int) -> None:
    """Nothing is wider than a telephone, and the colours are those of the scheme."""
    context = chromium.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    tab = context.new_page()
    tab.goto(file.as_uri())
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    red = int(tab.evaluate("getComputedStyle(document.body).backgroundColor").partition("(")[2].partition(",")[0])
    assert (red < 60) == (scheme == "dark")
    context.close()


@pytest.fixture(scope="module")
def hostile_page(tmp_path_factory: pytest.TempPathFactory, lake_index: Index) -> Path:
    """A page of tables, columns, values and a question that are all hostile."""
    names = [text.replace("\x00", "").strip()[:300] for text in HOSTILE]
    frames = {
        f"d{place}.{name}": pd.DataFrame({name or "x": range(20), "id": range(20), f"v{place}": [name] * 20})
        for place, name in enumerate(names)
    }
    index = Index.build(Catalog.from_frames(frames), embedder=lake_index.embedder, progress=False)
    explored = Reranker(index, candidates=70).explore(" and ".join(names), 30, subqueries=names)
    path = tmp_path_factory.mktemp("hostile") / "out.html"
    explored.save(path)
    return path


def test_hostile_names_stay_text(watched: Any, hostile_page: Path) -> None:
    """More than fifty hostile tables, columns, values and sub-queries: none makes an element, or runs."""
    tab = watched.tab
    tab.goto(hostile_page.as_uri())
    tab.wait_for_selector("#answer[data-ready]")
    assert tab.locator(".card").count() == 30
    kinds = "h1,h2,p,ul,li,div,span,i,small,strong,button,input,output,label,section,header,footer,code,pre,details"
    strange = (
        f"[...document.querySelectorAll('main *')].filter(each => !each.matches('{kinds},summary,svg,path')).length"
    )
    for _ in range(3):
        assert tab.evaluate(strange) == 0
        assert tab.locator("h1").count() == 1
        assert tab.evaluate("document.scripts.length") == 2
        tab.locator(".left .name").first.click()
    tab.locator(".strength").first.hover()
    tab.wait_for_timeout(200)
    assert tab.evaluate("globalThis.hurt") is None
    assert RUN in tab.inner_text("h1")
    assert watched.complaints == []
    assert {url for url in watched.requests if not url.startswith("data:")} == {hostile_page.as_uri()}
    assert hostile_page.stat().st_size <= 300_000
