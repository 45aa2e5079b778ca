"""The pictures of docs/images, as a browser shows them: `python -m bench.pictures`.

An answer that opens its citation, a comparison, and a proof on a screen and on a phone, each light and dark.
"""

import argparse
import subprocess
from pathlib import Path
from urllib.parse import quote

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from bench.browser import browser, look
from bench.imports import ROOT
from standalone.cli.sources import SAMPLES
from standalone.front.serving import EXAMPLES, fronted

_SMALLER = ("pngquant", "--force", "--ext", ".png", "--strip", "64")  # colours
OUT = ROOT / "docs" / "images"


def main() -> None:
    """Write the pictures, and print their paths."""
    parser = argparse.ArgumentParser(prog="python -m bench.pictures", description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT, help="folder of the pictures (docs/images)")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with fronted(SAMPLES) as front, browser() as driver:
        page = front.base_url.removesuffix("e/local")
        for scheme in ("light", "dark"):
            for name in _take(driver, page, options.out, scheme):
                subprocess.run([*_SMALLER, options.out / name], check=True)  # noqa: S603 - our own file
                print(options.out / name)


def _take(driver: Chrome, page: str, out: Path, scheme: str) -> list[str]:
    """The names of the pictures of one colour scheme."""
    look(driver, dark=scheme == "dark", wide=1200, high=760)
    names = [f"{what}-{scheme}.png" for what in ("answer", "comparison", "proof", "phone")]
    for name, question in zip(names, EXAMPLES, strict=False):
        if name.startswith(("answer", "comparison")):
            driver.get(f"{page}?q={quote(question)}")
            driver.find_elements(By.CSS_SELECTOR, "a.marker")[-1].click()
            driver.save_screenshot(out / name)
    driver.get(f"{page}?q={quote(EXAMPLES[0])}")
    proof = driver.find_element(By.CSS_SELECTOR, 'a[href*="/proof?p="]').get_attribute("href") or ""
    look(driver, dark=scheme == "dark", wide=900, high=640)
    driver.get(proof)
    driver.save_screenshot(out / names[2])
    look(driver, dark=scheme == "dark", wide=390, high=720)
    driver.refresh()
    driver.save_screenshot(out / names[3])
    return names


if __name__ == "__main__":
    main()
