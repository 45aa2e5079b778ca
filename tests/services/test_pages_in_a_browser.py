"""The proof page and the page to try the plugin, in headless Chromium. They need Debian's chromium and its driver."""

import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from bench.browser import browser, look
from standalone.cli.asking import write_page
from standalone.cli.sources import SAMPLES
from standalone.daemon import ToolResult
from standalone.front import Front
from standalone.front.serving import EXAMPLES, fronted
from standalone.http_server import HttpServer
from standalone.page.trying import TryPage

DISAGREE, COMPARE, _, CHINESE, JAPANESE = EXAMPLES
HOSTILE = """# Boiler

The boiler is serviced in May <script>document.title="taken"</script><img src="/x.png" onerror="document.title=1">.

```python
if boiler.cold and month < 5:
    service(boiler)
```

{filler}

The chimney is swept in autumn & inspected by a fitter.
"""
HIGHER = 4.5  # the contrast that WCAG 2.1 asks of text (1.4.3)
_CONTRAST = """
const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).slice(0, 3).map(v => { v /= 255;
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4 }); return 0.2126 * r + 0.7152 * g + 0.0722 * b };
const back = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
  if (!/, 0\\)$/.test(c)) return c } return "rgb(255, 255, 255)" };
return [...document.querySelectorAll("body *")]
  .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
  .filter(e => e.checkVisibility())
  .map(e => { const pair = [light(getComputedStyle(e).color), light(back(e))].sort((a, b) => b - a);
    return [(pair[0] + 0.05) / (pair[1] + 0.05), e.tagName + "." + e.className] });
"""


@pytest.fixture(scope="module")
def driver() -> Iterator[Chrome]:
    with browser() as running:
        yield running


@pytest.fixture(scope="module")
def front() -> Iterator[Front]:
    with fronted(SAMPLES) as running:
        yield running


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    folder = tmp_path_factory.mktemp("documents")
    text = HOSTILE.replace("{filler}", "\n\n".join(f"Line {at} of the house rules." for at in range(20)))
    (folder / "House <b>rules.md").write_text(text, encoding="utf-8")
    with fronted(folder) as running:
        yield running


def ask(driver: Chrome, front: Front, question: str) -> str:
    """Ask on the page to try, and the address of the first proof."""
    driver.get(f"{front.base_url.removesuffix('e/local')}?q={quote(question)}")
    return one(driver, 'a[href*="/proof?p="]').get_attribute("href") or ""


def one(driver: Chrome, selector: str) -> WebElement:
    return driver.find_element(By.CSS_SELECTOR, selector)


def shown(driver: Chrome, selector: str) -> bool:
    """Whether an element stands in the window, and in all boxes that scroll around it."""
    script = """const box = arguments[0].getBoundingClientRect(), x = box.left + 5, y = box.top + 5;
      return y >= 0 && y < innerHeight && arguments[0].contains(document.elementFromPoint(x, y))"""
    return bool(driver.execute_script(script, one(driver, selector)))


def complaints(driver: Chrome) -> list[Any]:
    """What the browser wrote into its console."""
    return list(driver.get_log("browser"))  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(("wide", "high"), [(1280, 800), (390, 760), (320, 560)])
def test_a_proof_shows_its_quote_in_every_size_and_scheme(
    driver: Chrome, front: Front, wide: int, high: int, *, dark: bool
) -> None:
    look(driver, dark=dark, wide=wide, high=high)
    for question, said, language in (
        (DISAGREE, "Verified just now", "en"),
        (CHINESE, "刚刚核实", "zh"),
        (JAPANESE, "ただいま確認しました", "ja"),
    ):
        proof = ask(driver, front, question)
        driver.get(proof)
        assert said in one(driver, ".state").text
        assert language == one(driver, "article").get_attribute("lang")
        assert shown(driver, "mark")
        assert driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        for state in ("verified", "changed", "gone"):
            driver.execute_script("document.body.className = arguments[0]", state)
            assert [] == [pair for pair in driver.execute_script(_CONTRAST) if pair[0] < HIGHER]
        assert 0 == driver.execute_script("return performance.getEntriesByType('resource').length")
    assert [] == complaints(driver)


def test_no_document_runs_anything_and_code_keeps_its_form(driver: Chrome, hostile: Front) -> None:
    look(driver)
    driver.get(ask(driver, hostile, "When is the boiler serviced?"))
    assert "House <b>rules.md" == driver.title == one(driver, "h1").text
    assert '<script>document.title="taken"</script><img' in one(driver, ".segment").text
    assert 0 == len(driver.find_elements(By.CSS_SELECTOR, "script, img"))
    code = driver.find_elements(By.CSS_SELECTOR, ".segment code")  # cut where the quote begins and ends
    written = "".join(part.get_attribute("textContent") or "" for part in code)
    assert "if boiler.cold and month < 5:\n    service(boiler)" in written
    assert "mono" in code[0].value_of_css_property("font-family")
    assert [] == complaints(driver)


def test_a_proof_is_read_by_keyboard_and_screen_reader(driver: Chrome, front: Front) -> None:
    look(driver)
    driver.get(ask(driver, front, DISAGREE))
    tree = driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    named = {
        (node["role"]["value"], node.get("name", {}).get("value", "")) for node in tree if not node["ignored"]
    }
    for expected in (
        ("heading", "Data-Retention-Policy.txt"),
        ("region", "The segment before"),
        ("region", "The segment with the quote"),
        ("region", "The segment after"),
    ):
        assert expected in named
    assert {"main", "mark", "term", "definition"} <= {role for role, _ in named}
    for keys, label in ((Keys.TAB, "The segment after"), (Keys.SHIFT + Keys.TAB, "The segment before")):
        driver.switch_to.active_element.send_keys(keys)  # from the quote, to which the link leads
        assert label == driver.switch_to.active_element.accessible_name


def test_a_printed_proof_holds_all_of_it_and_marks_the_quote_without_colour(
    driver: Chrome, front: Front
) -> None:
    driver.get(ask(driver, front, DISAGREE))
    look(driver, media="print")
    cut = "return [...document.querySelectorAll('.beside')].filter(e => e.scrollHeight > e.clientHeight + 1).length"
    assert 0 == driver.execute_script(cut)
    assert "underline" in one(driver, "mark").value_of_css_property("text-decoration-line")
    look(driver)


def test_a_link_that_was_changed_shows_nothing_of_any_document(driver: Chrome, front: Front) -> None:
    look(driver)
    proof = ask(driver, front, DISAGREE)
    driver.get(re.sub(r"p=(.)", lambda match: f"p={'B' if match[1] == 'A' else 'A'}", proof))
    assert "There is no such page" in one(driver, "main").text
    assert 0 == len(driver.find_elements(By.CSS_SELECTOR, "article, h1"))
    assert "404" in complaints(driver)[0]["message"]


def test_a_question_is_asked_and_its_citations_are_opened_without_a_mouse(
    driver: Chrome, front: Front
) -> None:
    look(driver, high=600)
    driver.get(front.base_url.removesuffix("e/local"))
    field = driver.switch_to.active_element
    assert "Question" == field.accessible_name
    field.send_keys(DISAGREE + Keys.ENTER)
    WebDriverWait(driver, 30).until(lambda waiting: waiting.find_elements(By.CSS_SELECTOR, ".status"))
    assert "Answered in part" in one(driver, ".status").text
    for _ in range(12):
        driver.switch_to.active_element.send_keys(Keys.TAB)
        if "[2]" == driver.switch_to.active_element.text:
            break
    driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert shown(driver, "#c2")
    assert shown(driver, ".sides")  # the answer is where it was
    assert [] == complaints(driver)


def test_contradictions_stand_side_by_side_and_on_a_phone_below_each_other(
    driver: Chrome, front: Front
) -> None:
    look(driver)
    ask(driver, front, DISAGREE)
    first, second = driver.find_elements(By.CSS_SELECTOR, ".sides > div")
    assert (first.rect["y"], True) == (second.rect["y"], second.rect["x"] > first.rect["x"])
    look(driver, wide=390)
    assert first.rect["x"] == second.rect["x"]
    assert driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")


def test_an_answer_in_one_file_opens_its_citations_from_a_disk(
    driver: Chrome, front: Front, tmp_path: Path
) -> None:
    look(driver, dark=True)
    file = tmp_path / "answer.html"
    result = front.process.invoke_tool("quote", {"query": COMPARE}, {**front.settings, "proof_url": ""})
    write_page(file, COMPARE, result.json)
    driver.get(file.as_uri())
    assert COMPARE == one(driver, "h1").text
    driver.find_elements(By.CSS_SELECTOR, "td a.marker")[-1].click()
    assert shown(driver, ":target")
    assert [] == [pair for pair in driver.execute_script(_CONTRAST) if pair[0] < HIGHER]
    assert [] == complaints(driver)
    driver.save_screenshot(tmp_path / "answer.png")


def test_progress_is_seen_while_a_question_is_asked(front: Front) -> None:
    go_on = threading.Event()

    def slowly(question: str) -> ToolResult:
        go_on.wait(60)
        return front.process.invoke_tool("quote", {"query": question}, front.settings)

    server = HttpServer(TryPage(slowly, ()))
    try:
        with browser(waits=False) as driver:
            driver.get(f"http://127.0.0.1:{server.port}/?q={quote(DISAGREE)}")
            waiting = WebDriverWait(driver, 30)
            seen = waiting.until(lambda _: driver.find_elements(By.CSS_SELECTOR, ".progress .bar"))
            assert seen[0].is_displayed()
            seconds = (
                "return getComputedStyle(document.querySelector('.seconds')).getPropertyValue('--elapsed')"
            )
            waiting.until(lambda _: int(driver.execute_script(seconds)) >= 1)
            go_on.set()
            waiting.until(lambda _: driver.find_elements(By.CSS_SELECTOR, ".status"))
            assert not seen[0].is_displayed()
    finally:
        go_on.set()
        server.close()
